// The points of a summary that a claim is about, sorted into curves.
#pragma once

#include <string>
#include <vector>

#include "experiments/driver/reading/claims.hpp"
#include "experiments/driver/running/linear_combination.hpp"
#include "experiments/driver/running/result_table.hpp"

namespace nowsim {

/// Points that differ in `along` only, by rising x: that of the metric `over`; or the value of `along`, its position where not
/// all are numbers.
struct Curve {
  std::string across;  ///< its value of the axis `across`, "" without one
  std::string label;   ///< "platform.workstations = 8, let.growth = 2"; "" where there is one curve only
  std::vector<MeasuredPoint> points;
};

/// Curves that differ in `across` only, by its rising value; without an axis `across` one curve each.
struct CurveGroup {
  std::vector<Curve> curves;
};

struct Measured {
  std::vector<CurveGroup> groups;
  std::size_t missing = 0;  ///< points that count and have failed or have no value
  std::string obstacle;     ///< why there are no curves at all
};

/// Sorts the rows that `where` selects; infeasible ones are left out, of points with the same value of `along` the
/// first counts, whatever x is. Axes that go together with `along` or `across` in a zip do not tell curves apart; of
/// others that go together, the first names the curve.
/// @param across the axis by which curves are compared; "" without one. @param compared its values whose points count;
/// none: all.
Measured measure(const Claim& claim, const ResultTable& summary, const std::string& across = "",
                 const std::vector<std::string>& compared = {});

}  // namespace nowsim

// What the checks of claims are made of: the points that a claim is about, sorted into curves; what it asks, read from
// its keys; comparisons, words, and going over the curves one by one.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/driver/claims/verdicts.hpp"
#include "experiments/driver/reading/claims.hpp"
#include "experiments/driver/reading/reader.hpp"
#include "experiments/driver/running/linear_combination.hpp"
#include "experiments/driver/running/result_table.hpp"
#include "sim/statistics/statistics.hpp"

namespace nowsim::checks {

// ---- the points that a claim is about ------------------------------------------------------------------------------

using Points = std::vector<MeasuredPoint>;

/// Points that differ in `along` only, by rising x: that of the metric `over`; or the value of `along`, its position where
/// not all are numbers.
struct Curve {
  std::string across;  ///< its value of the axis `across`, "" without one
  std::string label;   ///< "platform.workstations = 8, let.growth = 2"; "" where there is one curve only
  Points points;
};

/// Curves that differ in `across` only, by its rising value; without an axis `across` one curve each.
using CurveGroup = std::vector<Curve>;

struct Measured {
  std::vector<CurveGroup> groups;
  std::size_t missing = 0;  ///< points that count and have failed or have no value
  std::string obstacle;     ///< why there are no curves at all

  /// Of all groups.
  [[nodiscard]] std::vector<const Curve*> curves() const;
};

/// The curves (ResultTable::curves) of the rows that `where` selects but for infeasible ones.
/// @param across the axis by which curves are compared; "" without one. @param compared its values whose points count;
/// none: all.
Measured measure(const Claim& claim, const ResultTable& summary, const std::string& across = "",
                 const std::vector<std::string>& compared = {});

// ---- what it asks --------------------------------------------------------------------------------------------------

/// The reader of a kind whose check is handed Parameters, which are made of a Reader.
template <class Parameters, class Check>
CheckReader asking(Check check) {
  return [check](Reader& read) -> BoundCheck {
    return [check, asked = Parameters(read)](const Claim& claim, const ResultTable& summary) {
      return check(claim, asked, summary);
    };
  };
}
/// That of a kind which asks nothing of its own.
CheckReader asking_nothing(ClaimResult (*check)(const Claim&, const ResultTable&));

/// A number that may be left out.
std::optional<double> number_if_given(Reader& read, const std::string& key);
/// Notes where neither of two keys is given.
void need_either(Reader& read, const std::string& a, const std::string& b);

struct Tolerance {
  explicit Tolerance(Reader& read) : tolerance(read.value("tolerance")) {}
  double tolerance;
};

/// Of an exponent, R², a ratio, a change, an extremum or where it lies: one at the least.
struct ClaimedBounds {
  explicit ClaimedBounds(Reader& read);
  std::optional<double> least, most;
};

/// Curves that differ in an axis are compared.
struct AcrossAxis {
  explicit AcrossAxis(Reader& read);
  std::string across;
};

/// Those at two values of it alone.
struct TwoCurves : AcrossAxis {
  explicit TwoCurves(Reader& read);
  std::string higher, lower;
};

// ---- comparisons and words -----------------------------------------------------------------------------------------

/// An estimate with the interval of a confidence: a linear combination, or another quantity.
using Quantified = std::function<Estimate(double confidence)>;

/// One comparison that a claim needs: margin > 0, or >= 0; and how it is told.
struct Comparison {
  Quantified margin;
  bool strict = false;
  Quantified shown;    ///< what the sentence gives the interval of
  std::string before;  ///< the words before it
  std::string unit;    ///< its own, " s"
  std::string after = {};  ///< the words behind that
};

using Comparisons = std::vector<Comparison>;
/// The verdict on comparisons, as builtin_checks() defines it, with how many points are missing.
ClaimResult judge(const Comparisons& comparisons, double confidence, std::size_t missing);

/// A number per curve, for the overview of a sentence.
struct LabelledEstimate {
  std::string of;
  Estimate estimate;
};
using LabelledEstimates = std::vector<LabelledEstimate>;

/// " (label)", or nothing.
std::string in_brackets(const std::string& label);
/// " s" for tau: a metric's unit behind its number.
std::string unit_of(const std::string& metric);
/// A point's label, and its curve's where it has one.
std::string beside(const std::string& curve, const std::string& point);
/// "12 ± 1 (N = 2) to 40 ± 3 (N = 8)": the smallest and the largest.
std::string span_of(const LabelledEstimates& figures, const std::string& unit);

/// What a claim's sentence begins with: "tau rises in all by 12 ± 1 s (N = 2) to 40 ± 3 s (N = 8)".
std::string overview_of(const std::string& told, const LabelledEstimates& figures, const std::string& unit);
/// An estimate and where on a curve it lies, in short: "12 ± 1 s at N = 2".
std::string figure_at(const Estimate& e, const std::string& unit, const std::string& where);

/// The result of a verdict with its sentence and number, and the points that are missing.
ClaimResult result_of(Verdict verdict, const std::string& measured, std::size_t missing, const std::string& figure = "");
/// The result that comparisons come to, behind an overview.
ClaimResult result_of(const Claim& claim, const Measured& measured, const std::string& overview,
                      const Comparisons& comparisons);

/// What one curve adds to a claim's comparisons, and to the overview.
using CurveRule = std::function<void(const Curve&, Comparisons&, LabelledEstimates&)>;
/// Applies a rule to every curve; `told` begins the overview, `unit` follows its numbers.
ClaimResult for_each_curve(const Claim& claim, const Measured& measured, const std::string& told,
                           const std::string& unit, const CurveRule& rule);

/// The verdict on curves that were judged one by one, each to its own error: that of the first that decides.
ClaimResult result_of(const std::vector<ClaimResult>& curves, std::size_t missing);
/// Judges every curve, beside how many there are, which may share the error.
ClaimResult judge_each_curve(const Measured& measured,
                             const std::function<ClaimResult(const Curve&, std::size_t curves)>& judge_curve);

/// The result on what all points are like together, as a line that is fitted to them: the missing ones may turn it.
ClaimResult of_all_points(ClaimResult result, const Measured& measured);

/// What a curve at across = higher and the one at across = lower add to a claim's comparisons, and to the overview.
using PairRule = std::function<void(const Curve& higher, const Curve& lower)>;
/// The curves at these two values of `across` alone: points of others are none of the claim's.
Measured measure(const Claim& claim, const TwoCurves& asked, const ResultTable& summary);
/// Applies a rule to all pairs of curves that differ in `across` only, and have these two values of it.
void for_each_pair(const TwoCurves& asked, const Measured& measured, const PairRule& rule);
/// The points of two curves that have the same x, in pairs.
std::vector<std::pair<const MeasuredPoint*, const MeasuredPoint*>> common_points(const Curve& a, const Curve& b);

/// tolerance·|y|.
LinearCombination allowance(double tolerance, const MeasuredPoint& p);
LinearCombination sum(LinearCombination a, const LinearCombination& b);
/// y of one point over that of another, which is not 0: linear in the estimates near their values (delta method).
LinearCombination ratio(const MeasuredPoint& of, const MeasuredPoint& to);
/// R² of the least-squares line of y over x, at least two of which differ; 1 where y does not vary. Its interval is
/// that of an angle (sim/statistics/data_fits.hpp), of the points' intervals at this confidence: linear combinations
/// cannot tell how well a line fits, since near R² = 1 no small change of y changes R².
Estimate r_squared_interval(const Points& points, double confidence);
/// "y at A is 1.2 ± 0.3 % above that at B", or below: a difference in percent of the second.
Comparison percent_above(const LinearCombination& margin, bool strict, const Claim& claim, const std::string& where_a,
                         const std::string& where_b, const MeasuredPoint& a, const MeasuredPoint& b);

}  // namespace nowsim::checks

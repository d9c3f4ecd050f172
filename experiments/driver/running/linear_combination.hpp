// Linear combinations of points' estimates, with intervals: differences above all, on common random numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiments/driver/running/result_table.hpp"
#include "sim/statistics/multiple_comparisons.hpp"
#include "sim/statistics/statistics.hpp"

namespace nowsim {

/// An estimate whose interval is made for another confidence: the distances from the value to the ends are scaled by
/// the ratio of Student's quantiles with observations - 1 degrees of freedom, on the scale (plain or logarithmic) on
/// which the interval is the more symmetric. With control variates an interval has fewer degrees of freedom than that,
/// of which nothing is kept: at 50 pairs the step from 95 % to 99 % is 1 to 2 % too short. NaN ends for fewer than two
/// observations, unless the estimate is exact.
Estimate at_confidence(const Estimate& e, std::uint64_t observations, double given, double wanted);

/// One point's estimate of a metric.
struct MeasuredPoint {
  double x = 0;       ///< where it stands on a curve; 0 where it stands on none
  std::string value;  ///< of the axis along which points are compared, as written
  std::string label;  ///< "owner.TH = 0.28"
  Estimate estimate;
  const ResultRow* row = nullptr;
};

/// How the correlation of several estimates is known.
struct Pairing {
  enum class By { nothing, replications, groups };
  By by = By::nothing;          ///< nothing: taken as one that is not negative
  std::uint64_t replications = 1;  ///< of a group
};

/// A sum of coefficient times estimate, and a constant.
class LinearCombination {
 public:
  LinearCombination& add(double coefficient, const MeasuredPoint& point);
  LinearCombination& add(double constant);
  LinearCombination& add(const LinearCombination& other);
  [[nodiscard]] LinearCombination times(double factor) const;
  /// Of one estimate its own interval, moved and scaled. Of several that are known replication by replication
  /// linear_combination() (influence.hpp), whatever their correlation; of the difference of two proportions Tango's
  /// interval (series_estimates.hpp), of two quantiles that of series_estimates.hpp. Else by the method of variance estimates recovery
  /// (Zou & Donner 2008), which keeps the shape of lopsided intervals, for points of unknown but not negative
  /// correlation: terms of one sign are taken as perfectly correlated, so that their distances to the end add up; those
  /// of both signs as independent, whose distances' squares do: too wide rather than too narrow. Ends within rounding
  /// of 0 are 0.
  [[nodiscard]] Estimate interval(double confidence) const;
  [[nodiscard]] Estimate operator()(double confidence) const { return interval(confidence); }
  /// How its terms' correlation is known, if at all.
  [[nodiscard]] Pairing pairing() const;

 private:
  struct Term {
    double coefficient;  ///< not 0
    const MeasuredPoint* point;
  };
  [[nodiscard]] std::optional<Estimate> paired(double confidence) const;
  [[nodiscard]] std::optional<Estimate> of_two_alike(double confidence) const;
  [[nodiscard]] Estimate unpaired(double confidence) const;

  std::vector<Term> terms_;
  double constant_ = 0;
};

/// The first less the second.
LinearCombination difference(const MeasuredPoint& of, const MeasuredPoint& from);

}  // namespace nowsim

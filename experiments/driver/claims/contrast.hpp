// Linear combinations of estimates with intervals, compared with 0: what nearly every check of a claim comes down to.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiments/driver/claims/measured_curves.hpp"
#include "experiments/driver/claims/verdicts.hpp"
#include "sim/statistics/statistics.hpp"

namespace nowsim {

/// An estimate whose interval is made for another confidence: the distances from the value to the ends are scaled by
/// the ratio of Student's quantiles with observations - 1 degrees of freedom, on the scale (plain or logarithmic) on
/// which the interval is the more symmetric. With control variates an interval has fewer degrees of freedom than that,
/// of which nothing is kept: at 50 pairs the step from 95 % to 99 % is 1 to 2 % too short. NaN ends for fewer than two
/// observations, unless the estimate is exact.
Estimate at_confidence(const Estimate& e, std::uint64_t observations, double given, double wanted);

/// How the correlation of several estimates is known.
struct Pairing {
  enum class By { nothing, replications, groups };
  By by = By::nothing;          ///< nothing: taken as one that is not negative
  std::uint64_t replications = 1;  ///< of a group
};

/// A sum of coefficient times estimate, and a constant.
class Contrast {
 public:
  Contrast& add(double coefficient, const MeasuredPoint& point);
  Contrast& add(double constant);
  Contrast& add(const Contrast& other);
  [[nodiscard]] Contrast times(double factor) const;
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

/// An estimate with the interval of a confidence: a contrast, or another quantity.
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

/// A verdict on comparisons as `CheckKind` defines it, with how many points are missing.
struct Judgement {
  Verdict verdict = Verdict::undecided;
  std::string sentence;     ///< the comparison that decides, or comes closest
  std::string figure = {};  ///< its number, and what it is of: ClaimResult's
};
Judgement judge(const std::vector<Comparison>& comparisons, double confidence, std::size_t missing);

/// How clearly an interval lies above 0: its value over the distance to its lower end. Infinite for exact ones.
double clearness(const Estimate& e);

}  // namespace nowsim

// What the checks of claims are made of: words, comparisons, and going over the curves one by one.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/driver/claims/check_parameters.hpp"
#include "experiments/driver/claims/measured_curves.hpp"
#include "experiments/driver/claims/verdicts.hpp"
#include "experiments/driver/running/linear_combination.hpp"
#include "sim/statistics/statistics.hpp"

namespace nowsim::checks {

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

/// A verdict on comparisons as `CheckKind` defines it, with how many points are missing.
struct Judgement {
  Verdict verdict = Verdict::undecided;
  std::string sentence;     ///< the comparison that decides, or comes closest
  std::string figure = {};  ///< its number, and what it is of: ClaimResult's
};
Judgement judge(const std::vector<Comparison>& comparisons, double confidence, std::size_t missing);

/// How clearly an interval lies above 0: its value over the distance to its lower end. Infinite for exact ones.
double clearness(const Estimate& e);

using Points = std::vector<MeasuredPoint>;
using Comparisons = std::vector<Comparison>;

/// A number per curve, for the overview of a sentence.
struct Figure {
  std::string of;
  Estimate estimate;
};
using Figures = std::vector<Figure>;

/// " (label)", or nothing.
std::string in_brackets(const std::string& label);
/// " s" for tau: a metric's unit behind its number.
std::string unit_of(const std::string& metric);
/// A point's label, and its curve's where it has one.
std::string beside(const std::string& curve, const std::string& point);
/// "12 ± 1 (N = 2) to 40 ± 3 (N = 8)": the smallest and the largest.
std::string span_of(const Figures& figures, const std::string& unit);

/// What a claim's sentence begins with: "tau rises in all by 12 ± 1 s (N = 2) to 40 ± 3 s (N = 8)".
std::string overview_of(const std::string& told, const Figures& figures, const std::string& unit);
/// An estimate and where on a curve it lies, in short: "12 ± 1 s at N = 2".
std::string figure_at(const Estimate& e, const std::string& unit, const std::string& where);

/// The result of a verdict and its sentence, with the points that are missing.
ClaimResult result_of(Verdict verdict, const std::string& measured, std::size_t missing);
/// The result that comparisons come to, behind an overview.
ClaimResult result_of(const Claim& claim, const Measured& measured, const std::string& overview,
                      const Comparisons& comparisons);

/// What one curve adds to a claim's comparisons, and to the overview.
using CurveRule = std::function<void(const Curve&, Comparisons&, Figures&)>;
/// Applies a rule to every curve; `told` begins the overview, `unit` follows its numbers.
ClaimResult for_each_curve(const Claim& claim, const Measured& measured, const std::string& told,
                           const std::string& unit, const CurveRule& rule);
ClaimResult for_each_curve(const Claim& claim, const ResultTable& summary, const std::string& told, const std::string& unit,
                           const CurveRule& rule);

/// The verdict on curves that were judged one by one, each to its own error: that of the first that decides.
ClaimResult result_of(const std::vector<Judgement>& curves, std::size_t missing);
/// Judges every curve, beside how many there are, which may share the error.
ClaimResult judge_each_curve(const Measured& measured,
                             const std::function<Judgement(const Curve&, std::size_t curves)>& judge_curve);

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

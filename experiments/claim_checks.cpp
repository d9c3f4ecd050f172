// The table of checks: what each compares, and how its measurements are told.
#include "experiments/claim_checks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

#include "experiments/contrast.hpp"
#include "experiments/measured_curves.hpp"
#include "sim/text.hpp"

namespace nowsim {
namespace {

using Points = std::vector<MeasuredPoint>;
using Comparisons = std::vector<Comparison>;

/// A number per curve, for the overview of a sentence.
struct Figure {
  std::string of;
  Estimate estimate;
};
using Figures = std::vector<Figure>;

// ---- words --------------------------------------------------------------------------------------------------------

std::string in_brackets(const std::string& label) { return label.empty() ? "" : " (" + label + ")"; }

std::string unit_of(const std::string& metric) {
  const Metric* known = find_metric(metric);
  return known == nullptr || known->unit.empty() ? "" : " " + known->unit;
}

/// "12 ± 1 (N = 2) to 40 ± 3 (N = 8)": the smallest and the largest.
std::string span_of(const Figures& figures, const std::string& unit) {
  const auto less = [](const Figure& a, const Figure& b) { return a.estimate.value < b.estimate.value; };
  const auto [least, most] = std::minmax_element(figures.begin(), figures.end(), less);
  if (least == figures.end()) return "-";
  const auto told = [&](const Figure& f) { return estimate_text(f.estimate) + unit + in_brackets(f.of); };
  return figures.size() == 1 ? told(*least) : told(*least) + " to " + told(*most);
}

std::string beside(const std::string& curve, const std::string& point) { return curve.empty() ? point : point + ", " + curve; }

ClaimResult result_of(Verdict verdict, const std::string& measured, std::size_t missing) {
  ClaimResult result;
  result.verdict = verdict;
  result.measured = measured;
  if (missing > 0) result.measured += "; " + std::to_string(missing) + (missing == 1 ? " point is missing" : " points are missing");
  return result;
}

ClaimResult result_of(const Claim& claim, const Measured& measured, const std::string& overview, const Comparisons& comparisons) {
  if (!measured.obstacle.empty()) return result_of(Verdict::undecided, measured.obstacle, 0);
  const Judgement judgement = judge(comparisons, claim.confidence, measured.missing);
  return result_of(judgement.verdict, (comparisons.empty() ? "" : overview + "; ") + judgement.sentence, measured.missing);
}

// ---- comparing along one curve --------------------------------------------------------------------------------------

/// What one curve adds to a claim's comparisons, and to the overview.
using CurveRule = std::function<void(const Curve&, Comparisons&, Figures&)>;

/// Applies a rule to every curve; `told` begins the overview.
ClaimResult for_each_curve(const Claim& claim, const Summary& summary, const std::string& told, const std::string& unit, const CurveRule& rule) {
  const Measured measured = measure(claim, summary);
  Comparisons comparisons;
  Figures figures;
  for (const auto& group : measured.groups)
    for (const auto& curve : group.curves) rule(curve, comparisons, figures);
  return result_of(claim, measured, told + " " + span_of(figures, unit), comparisons);
}

Contrast difference(const MeasuredPoint& of, const MeasuredPoint& from) { return Contrast().add(1, of).add(-1, from); }

/// tolerance·|y|, as a contrast.
Contrast allowance(double tolerance, const MeasuredPoint& p) { return Contrast().add(p.estimate.value < 0 ? -tolerance : tolerance, p); }

Contrast sum(Contrast a, const Contrast& b) { return std::move(a.add(b)); }

/// "y at A is 1.2 ± 0.3 % above that at B", or below: a difference in percent of the second.
Comparison percent_above(const Contrast& margin, bool strict, const Claim& claim, const std::string& where_a, const std::string& where_b,
                         const MeasuredPoint& a, const MeasuredPoint& b) {
  const double size = std::abs(b.estimate.value), sign = a.estimate.value < b.estimate.value ? -1 : 1;
  const std::string unit = size > 0 ? " %" : unit_of(claim.metric);
  return {margin, strict, difference(a, b).times(sign * (size > 0 ? 100 / size : 1)), claim.metric + " at " + where_a + " is ",
          unit + (sign > 0 ? " above" : " below") + " that at " + where_b};
}

using SameTest = bool (*)(const MeasuredPoint&, const MeasuredPoint&);

/// All pairs of a curve agree within the tolerance; those that are the same agree anyway.
void compare_pairs(const Claim& claim, const Curve& curve, Comparisons& out, SameTest same) {
  for (const auto& a : curve.points)
    for (const auto& b : curve.points) {
      if (&a == &b) continue;
      const std::string where_a = beside(curve.label, a.label);
      const Contrast margin = sum(allowance(claim.tolerance, b), difference(b, a));
      if (!same(a, b)) out.push_back(percent_above(margin, false, claim, where_a, b.label, a, b));
      else out.push_back({{}, false, {}, claim.metric + " at " + where_a + " differs from that at " + b.label + " by ", ", the same random numbers"});
    }
}

/// By how much a curve varies, as a figure.
void note_range(const Claim& claim, const Curve& curve, Figures& figures, SameTest same) {
  if (curve.points.empty()) return;
  const auto less = [](const MeasuredPoint& a, const MeasuredPoint& b) { return a.estimate.value < b.estimate.value; };
  const auto [least, most] = std::minmax_element(curve.points.begin(), curve.points.end(), less);
  const Contrast range = same(*most, *least) ? Contrast() : difference(*most, *least);
  figures.push_back({curve.label, range.interval(claim.confidence)});
}

bool never(const MeasuredPoint&, const MeasuredPoint&) { return false; }

/// Whether all metrics of two points agree to the last bit, with intervals: both saw the same random numbers.
bool same_sample(const MeasuredPoint& a, const MeasuredPoint& b) {
  const auto equal = [](const Estimate& x, const Estimate& y) { return x.value == y.value && x.low == y.low && x.high == y.high; };
  const auto equal_lists = [&](const auto& x, const auto& y) { return std::equal(x.begin(), x.end(), y.begin(), y.end(), equal); };
  const auto &all_a = a.row->estimates, &all_b = b.row->estimates;
  return a.row->replications == b.row->replications && a.row->replications > 1 && std::equal(all_a.begin(), all_a.end(), all_b.begin(), all_b.end(), equal_lists);
}

ClaimResult check_pairs(const Claim& claim, const Summary& summary, SameTest same) {
  const std::string told = claim.metric + " varies along " + claim.along + " by";
  return for_each_curve(claim, summary, told, unit_of(claim.metric), [&](const Curve& curve, auto& comparisons, auto& figures) {
    note_range(claim, curve, figures, same);
    compare_pairs(claim, curve, comparisons, same);
  });
}

ClaimResult check_flat(const Claim& claim, const Summary& summary) { return check_pairs(claim, summary, never); }
ClaimResult check_meet(const Claim& claim, const Summary& summary) { return check_pairs(claim, summary, same_sample); }

/// sign +1: rises; -1: falls.
void compare_steps(const Claim& claim, const Curve& curve, double sign, Comparisons& out) {
  const std::string unit = unit_of(claim.metric);
  const auto told = [&](const Contrast& margin, bool strict, const MeasuredPoint& a, const MeasuredPoint& b) {
    out.push_back({margin, strict, difference(b, a), "from " + a.label + " to " + beside(curve.label, b.value) + " it changes by ", unit});
  };
  const Points& points = curve.points;
  for (std::size_t k = 0; k + 1 < points.size(); ++k) {
    const Contrast change = difference(points[k + 1], points[k]).times(sign);
    told(sum(allowance(claim.tolerance, points[k]), change), claim.tolerance == 0, points[k], points[k + 1]);
  }
  if (points.size() > 2) told(difference(points.back(), points.front()).times(sign), true, points.front(), points.back());
}

ClaimResult check_monotone(const Claim& claim, const Summary& summary, double sign) {
  const std::string told = claim.metric + (sign > 0 ? " rises in all by" : " falls in all by");
  return for_each_curve(claim, summary, told, unit_of(claim.metric), [&](const Curve& curve, auto& comparisons, auto& figures) {
    if (curve.points.size() < 2) return;
    figures.push_back({curve.label, difference(curve.points.back(), curve.points.front()).times(sign).interval(claim.confidence)});
    compare_steps(claim, curve, sign, comparisons);
  });
}

ClaimResult check_increasing(const Claim& claim, const Summary& summary) { return check_monotone(claim, summary, 1); }
ClaimResult check_decreasing(const Claim& claim, const Summary& summary) { return check_monotone(claim, summary, -1); }

// ---- fitted lines ---------------------------------------------------------------------------------------------------

/// Coefficients that turn y into the slope of the least-squares line over x.
std::vector<double> slope_weights(const std::vector<double>& x) {
  const double n = static_cast<double>(x.size());
  double mean = 0, square = 0;
  for (const double v : x) mean += v / n;
  for (const double v : x) square += (v - mean) * (v - mean);
  std::vector<double> weights;
  for (const double v : x) weights.push_back((v - mean) / square);
  return weights;
}

Contrast combined(const std::vector<double>& weights, const Points& points) {
  Contrast out;
  for (std::size_t k = 0; k < points.size(); ++k) out.add(weights[k], points[k]);
  return out;
}

/// |off| <= tolerance·reference, both contrasts: one comparison per side.
void compare_with_line(const Claim& claim, const std::string& point, const Contrast& off, const Contrast& reference,
                       const std::string& of, Comparisons& out) {
  const double size = std::abs(reference.interval(claim.confidence).value);
  const Contrast shown = size > 0 ? off.times(100 / size) : off;
  const std::string after = size > 0 ? " % of " + of : unit_of(claim.metric);
  for (const double sign : {1.0, -1.0})
    out.push_back({sum(reference.times(claim.tolerance), off.times(sign)), false, shown, "at " + point + " it is off the line by ", after});
}

void compare_linear(const Claim& claim, const Curve& curve, Comparisons& out, Figures& figures) {
  const Points& points = curve.points;
  if (points.size() < 3) return;
  std::vector<double> x;
  for (const auto& p : points) x.push_back(p.x);
  const Contrast slope = combined(slope_weights(x), points);
  const Contrast rise = slope.times(x.back() - x.front());
  const double n = static_cast<double>(x.size());
  const Contrast mean = combined(std::vector<double>(x.size(), 1 / n), points);
  double centre = 0;
  for (const double v : x) centre += v / n;
  figures.push_back({curve.label, rise.interval(claim.confidence)});
  out.push_back({rise, true, rise, "the line rises by ", unit_of(claim.metric) + in_brackets(curve.label)});
  for (const auto& p : points) {
    const Contrast off = sum(sum(Contrast().add(1, p), mean.times(-1)), slope.times(centre - p.x));
    compare_with_line(claim, beside(curve.label, p.label), off, rise, "its rise", out);
  }
}

ClaimResult check_linear(const Claim& claim, const Summary& summary) {
  return for_each_curve(claim, summary, "the line fitted to " + claim.metric + " rises by", unit_of(claim.metric),
                        [&](const Curve& curve, auto& comparisons, auto& figures) { compare_linear(claim, curve, comparisons, figures); });
}

void compare_proportional(const Claim& claim, const Curve& curve, Comparisons& out, Figures& figures) {
  double squares = 0, smallest = std::numeric_limits<double>::infinity();
  std::size_t positive = 0;
  for (const auto& p : curve.points) {
    squares += p.x * p.x;
    if (p.x > 0) smallest = std::min(smallest, p.x), ++positive;
  }
  if (positive < 2 || curve.points.front().x < 0) return;
  Contrast slope;
  for (const auto& p : curve.points) slope.add(p.x / squares, p);
  const Contrast top = slope.times(curve.points.back().x);
  figures.push_back({beside(curve.label, curve.points.back().label), top.interval(claim.confidence)});
  out.push_back({top, true, top, "the line through 0 rises to ", unit_of(claim.metric) + in_brackets(curve.label)});
  for (const auto& p : curve.points) {
    const Contrast off = sum(Contrast().add(1, p), slope.times(-p.x));
    const bool at_zero = p.x == 0;
    compare_with_line(claim, beside(curve.label, p.label), off, slope.times(at_zero ? smallest : p.x),
                      at_zero ? "the line at " + claim.along + " = " + number_text(smallest) : "the line", out);
  }
}

ClaimResult check_proportional(const Claim& claim, const Summary& summary) {
  return for_each_curve(claim, summary, "the line through 0 fitted to " + claim.metric + " rises to", unit_of(claim.metric),
                        [&](const Curve& curve, auto& comparisons, auto& figures) { compare_proportional(claim, curve, comparisons, figures); });
}

/// The quantities of a power law: the points behind the first less the first, or all points.
std::vector<Contrast> power_law_terms(const Claim& claim, const Points& points) {
  std::vector<Contrast> out;
  for (std::size_t k = claim.above_first ? 1 : 0; k < points.size(); ++k)
    out.push_back(claim.above_first ? difference(points[k], points[0]) : Contrast().add(1, points[k]));
  return out;
}

/// The exponent as a contrast: linear in the estimates near their values (delta method).
Contrast exponent(const std::vector<double>& log_x, const std::vector<Contrast>& y) {
  const auto weights = slope_weights(log_x);
  Contrast out;
  for (std::size_t k = 0; k < y.size(); ++k) {
    const double value = y[k].interval(0.95).value;
    out.add(y[k].times(weights[k] / value)).add(weights[k] * (std::log(value) - 1));
  }
  return out;
}

/// Whether all have logarithms, being clearly above 0; if not, a comparison that stays open says so.
bool have_logarithms(const Claim& claim, const Curve& curve, const std::vector<Contrast>& y, Comparisons& out) {
  const std::size_t skipped = curve.points.size() - y.size();
  for (std::size_t k = 0; k < y.size(); ++k) {
    const MeasuredPoint& p = curve.points[k + skipped];
    if (p.x > 0 && y[k].interval(claim.confidence).low > 0) continue;
    const Contrast unknown = Contrast().add(std::nan(""));
    out.push_back({unknown, true, y[k], "no exponent: at " + beside(curve.label, p.label) + " there is ", unit_of(claim.metric) + ", not clearly above 0"});
    return false;
  }
  return true;
}

void compare_exponent(const Claim& claim, const Curve& curve, Comparisons& out, Figures& figures) {
  const auto y = power_law_terms(claim, curve.points);
  if (y.size() < 3 || !have_logarithms(claim, curve, y, out)) return;
  std::vector<double> log_x;
  for (std::size_t k = curve.points.size() - y.size(); k < curve.points.size(); ++k) log_x.push_back(std::log(curve.points[k].x));
  const Contrast fitted = exponent(log_x, y);
  figures.push_back({curve.label, fitted.interval(claim.confidence)});
  const auto told = [&](const Contrast& margin, double bound, const std::string& side) {
    out.push_back({margin, false, fitted, "the exponent" + in_brackets(curve.label) + " is ", ", " + side + " " + short_number(bound) + " claimed"});
  };
  if (claim.least) told(sum(fitted, Contrast().add(-*claim.least)), *claim.least, "at least");
  if (claim.most) told(sum(fitted.times(-1), Contrast().add(*claim.most)), *claim.most, "at most");
}

ClaimResult check_power_law(const Claim& claim, const Summary& summary) {
  const std::string what = claim.above_first ? "the rise of " + claim.metric + " over the first point" : claim.metric;
  return for_each_curve(claim, summary, what + " follows " + claim.along + " with an exponent of", "",
                        [&](const Curve& curve, auto& comparisons, auto& figures) { compare_exponent(claim, curve, comparisons, figures); });
}

// ---- comparing curves -------------------------------------------------------------------------------------------------

/// The points of two curves that have the same x, in pairs.
std::vector<std::pair<const MeasuredPoint*, const MeasuredPoint*>> common_points(const Curve& a, const Curve& b) {
  std::vector<std::pair<const MeasuredPoint*, const MeasuredPoint*>> out;
  for (const auto& p : a.points)
    for (const auto& q : b.points)
      if (p.x == q.x) out.emplace_back(&p, &q);
  return out;
}

void compare_rises(const Claim& claim, const Curve& lower, const Curve& higher, Comparisons& out) {
  const auto common = common_points(lower, higher);
  if (common.size() < 2) return;
  const Contrast rise_low = difference(*common.back().first, *common.front().first);
  const Contrast margin = sum(difference(*common.back().second, *common.front().second), rise_low.times(-1));
  out.push_back({margin, true, margin, "from " + lower.label + " to " + higher.across + " the rise up to " + common.back().first->label + " changes by ",
                 unit_of(claim.metric)});
}

ClaimResult check_grows_more(const Claim& claim, const Summary& summary) {
  const Measured measured = measure(claim, summary);
  Comparisons comparisons;
  Figures figures;
  for (const auto& group : measured.groups)
    for (std::size_t k = 0; k < group.curves.size(); ++k) {
      const Points& points = group.curves[k].points;
      if (points.size() > 1) figures.push_back({group.curves[k].label, difference(points.back(), points.front()).interval(claim.confidence)});
      if (k > 0) compare_rises(claim, group.curves[k - 1], group.curves[k], comparisons);
    }
  return result_of(claim, measured, claim.metric + " rises along " + claim.along + " by " + span_of(figures, unit_of(claim.metric)), comparisons);
}

void compare_levels(const Claim& claim, const Curve& higher, const Curve& lower, Comparisons& out, Figures& figures) {
  const auto common = common_points(lower, higher);
  if (common.empty()) return;
  const auto compare = [&](const MeasuredPoint& low, const MeasuredPoint& high, double tolerance) {
    const Contrast margin = sum(allowance(tolerance, low), difference(high, low));
    out.push_back(percent_above(margin, tolerance == 0, claim, beside(higher.label, high.label), lower.across, high, low));
  };
  for (const auto& [low, high] : common) compare(*low, *high, claim.tolerance);
  const auto& [low, high] = common.back();
  compare(*low, *high, 0);
  figures.push_back({beside(higher.label, high->label), difference(*high, *low).interval(claim.confidence)});
}

ClaimResult check_above(const Claim& claim, const Summary& summary) {
  const Measured measured = measure(claim, summary);
  Comparisons comparisons;
  Figures figures;
  for (const auto& group : measured.groups)
    for (const auto& a : group.curves)
      for (const auto& b : group.curves)
        if (same_axis_value(a.across, claim.higher) && same_axis_value(b.across, claim.lower)) compare_levels(claim, a, b, comparisons, figures);
  const std::string told = claim.metric + " at " + claim.across + " = " + claim.higher + " ends above that at " + claim.lower + " by ";
  return result_of(claim, measured, told + span_of(figures, unit_of(claim.metric)), comparisons);
}

// ---- an extremum inside -----------------------------------------------------------------------------------------------

/// One curve's verdict, with the best inner point told; sign +1: a peak, -1: a dip; `curves` share the error.
Judgement judge_extremum(const Claim& claim, const Curve& curve, double sign, std::size_t curves) {
  const Points& p = curve.points;
  if (p.size() < 3) return {Verdict::undecided, "there are too few points" + in_brackets(curve.label)};
  const auto beyond = [&](std::size_t k, const MeasuredPoint& end, double confidence) { return difference(p[k], end).times(sign).interval(confidence); };
  const MeasuredPoint& best_end = sign * p.front().estimate.value > sign * p.back().estimate.value ? p.front() : p.back();
  const double error = 1 - claim.confidence, chosen = 1 - error / static_cast<double>(p.size() - 2);
  const double denied = 1 - error / (2 * static_cast<double>(curves));
  std::size_t best = 1;
  bool all_denied = true;
  for (std::size_t k = 1; k + 1 < p.size(); ++k) {
    if (sign * p[k].estimate.value > sign * p[best].estimate.value) best = k;
    all_denied = all_denied && beyond(k, best_end, denied).high <= 0;
  }
  const Estimate first = beyond(best, p.front(), chosen), last = beyond(best, p.back(), chosen);
  const std::string unit = unit_of(claim.metric), side = sign > 0 ? " above " : " below ";
  const std::string told = claim.metric + " is " + (sign > 0 ? "highest" : "lowest") + " inside at " + beside(curve.label, p[best].label) + ": " +
                           estimate_text(p[best].estimate) + unit + ", " + estimate_text(first) + side + p.front().label + " and " +
                           estimate_text(last) + side + p.back().label;
  if (first.low > 0 && last.low > 0) return {Verdict::reproduced, told};
  return {all_denied ? Verdict::not_reproduced : Verdict::undecided, told};
}

/// All curves' verdicts together; the sentence is that of the first curve that decides.
ClaimResult check_extremum(const Claim& claim, const Summary& summary, double sign) {
  const Measured measured = measure(claim, summary);
  if (!measured.obstacle.empty()) return result_of(Verdict::undecided, measured.obstacle, 0);
  std::vector<Judgement> judgements;
  std::size_t curves = 0;
  for (const auto& group : measured.groups) curves += group.curves.size();
  for (const auto& group : measured.groups)
    for (const auto& curve : group.curves) judgements.push_back(judge_extremum(claim, curve, sign, curves));
  for (const Verdict verdict : {Verdict::not_reproduced, Verdict::undecided})
    for (const auto& j : judgements)
      if (j.verdict == verdict) return result_of(verdict, j.sentence, measured.missing);
  std::string told;
  for (const auto& j : judgements) told += (told.empty() ? "" : "; ") + j.sentence;
  const bool complete = measured.missing == 0 && !judgements.empty();
  return result_of(complete ? Verdict::reproduced : Verdict::undecided, told, measured.missing);
}

ClaimResult check_peak_inside(const Claim& claim, const Summary& summary) { return check_extremum(claim, summary, 1); }
ClaimResult check_falls_then_rises(const Claim& claim, const Summary& summary) { return check_extremum(claim, summary, -1); }

}  // namespace

std::span<const CheckKind> check_kinds() {
  static const std::array<CheckKind, 11> kinds{{
      {"flat", "the metric stays within a tolerance along an axis", {"along", "tolerance"}, {}, false, check_flat},
      {"meet", "the points along an axis agree", {"along", "tolerance"}, {}, false, check_meet},
      {"increasing", "every step along an axis rises", {"along"}, {"tolerance"}, true, check_increasing},
      {"decreasing", "every step along an axis falls", {"along"}, {"tolerance"}, true, check_decreasing},
      {"linear", "the metric rises in a straight line", {"along", "tolerance"}, {}, true, check_linear},
      {"proportional", "the metric rises in a straight line through 0", {"along", "tolerance"}, {}, true, check_proportional},
      {"grows_more", "the rise along an axis is larger for larger values of another", {"along", "across"}, {}, true, check_grows_more},
      {"peak_inside", "the maximum lies inside the range", {"along"}, {}, true, check_peak_inside},
      {"falls_then_rises", "the minimum lies inside the range", {"along"}, {}, true, check_falls_then_rises},
      {"power_law", "the fitted exponent keeps within bounds", {"along"}, {"least", "most", "above_first"}, true, check_power_law},
      {"above", "one curve is above another", {"along", "across", "higher", "lower"}, {"tolerance"}, false, check_above},
  }};
  return kinds;
}

const CheckKind* find_check_kind(const std::string& name) {
  for (const auto& kind : check_kinds())
    if (kind.name == name) return &kind;
  return nullptr;
}

}  // namespace nowsim

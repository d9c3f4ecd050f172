// Finding the points that a claim is about, judging comparisons, telling numbers, and what checks combine.
#include "experiments/driver/claims/check_parts.hpp"

#include <algorithm>
#include <cmath>

#include "experiments/driver/reading/sweep.hpp"
#include "experiments/driver/text/estimate_text.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/infinity.hpp"
#include "sim/statistics/data_fits.hpp"

namespace nowsim::checks {

// ---- the points that a claim is about ------------------------------------------------------------------------------

namespace {

bool is_one_of(const std::string& value, const Words& wanted) {
  return std::ranges::any_of(wanted, [&](const auto& w) { return same_axis_value(value, w); });
}

bool is_selected(const Claim& claim, const ResultTable& summary, const ResultRow& row) {
  return std::ranges::all_of(claim.where, [&](const auto& rule) {
    return is_one_of(summary.value(row, rule.first), rule.second);
  });
}

/// NaN where there is none.
double value_of(const ResultRow& row, std::size_t metric) {
  const bool has = row.status == PointStatus::ok && row.estimates.size() > metric && !row.estimates[metric].empty();
  return has ? row.estimates[metric].front().value : std::nan("");
}

}  // namespace

std::vector<const Curve*> Measured::curves() const {
  std::vector<const Curve*> out;
  for (const auto& group : groups)
    for (const auto& curve : group) out.push_back(&curve);
  return out;
}

Measured measure(const Claim& claim, const ResultTable& summary, const std::string& across, const Words& compared) {
  const std::size_t along = summary.axis_index(claim.along), metric = summary.metric_index(claim.metric),
                    over = summary.metric_index(claim.over);
  const bool is_over = over < summary.metrics.size();
  const ResultRows selected = summary.rows_that([&](const ResultRow& row) {
    return (compared.empty() || is_one_of(summary.value(row, across), compared)) && is_selected(claim, summary, row);
  });
  Measured measured;
  if (selected.empty()) measured.obstacle = "no point has the values asked for";
  const auto counts = [&](const ResultRow& row) {
    if (row.status == PointStatus::infeasible) return false;
    const bool has = std::isfinite(value_of(row, metric)) && (!is_over || std::isfinite(value_of(row, over)));
    measured.missing += has ? 0 : 1;
    return has;
  };
  for (const auto& curves : summary.curves(claim.along, across, selected, counts)) {
    auto& group = measured.groups.emplace_back();
    for (const auto& [value, label, rows] : curves) {
      group.push_back({value, label, {}});
      Points& points = group.back().points;
      for (const auto& [at, row] : rows)
        points.push_back({is_over ? value_of(*row, over) : at, row->values[along],
                          claim.along + " = " + row->values[along], row->estimates[metric].front(), row});
      std::ranges::stable_sort(points, {}, &MeasuredPoint::x);
    }
  }
  return measured;
}

// ---- what it asks --------------------------------------------------------------------------------------------------

CheckReader asking_nothing(ClaimResult (*check)(const Claim&, const ResultTable&)) {
  return [check](Reader&) -> BoundCheck { return check; };
}

std::optional<double> number_if_given(Reader& read, const std::string& key) {
  return read.has(key) ? std::optional(read.value(key)) : std::nullopt;
}

void need_either(Reader& read, const std::string& a, const std::string& b) {
  if (!read.has_block(a) && !read.has_block(b))
    read.problem("", "the check '" + read.text("check") + "' needs '" + a + "', '" + b + "' or both");
}

ClaimedBounds::ClaimedBounds(Reader& read)
    : least(number_if_given(read, "least")), most(number_if_given(read, "most")) {
  if (least && most && *least > *most) read.problem("least", "'least' is more than 'most'");
  need_either(read, "least", "most");
}

AcrossAxis::AcrossAxis(Reader& read) : across(read.text("across")) {
  if (!across.empty() && across == read.text("along"))
    read.problem("across", "'along' and 'across' are different axes");
}

TwoCurves::TwoCurves(Reader& read) : AcrossAxis(read), higher(read.text("higher")), lower(read.text("lower")) {
  if (!higher.empty() && same_axis_value(higher, lower))
    read.problem("higher", "'higher' and 'lower' are different values of 'across'");
}

// ---- comparisons and words -----------------------------------------------------------------------------------------

std::string in_brackets(const std::string& label) { return label.empty() ? "" : " (" + label + ")"; }

std::string unit_of(const std::string& metric) {
  const Metric* known = find_metric(metric);
  return known == nullptr || known->unit.empty() ? "" : " " + known->unit;
}

namespace {

constexpr const char* kTooFew = "there are too few points to compare";
constexpr std::size_t kMostFigures = 3;  // of curves that were judged one by one

auto least_and_most(const LabelledEstimates& figures) {
  return std::ranges::minmax_element(figures, {}, [](const LabelledEstimate& f) { return f.estimate.value; });
}

/// Those of all curves, where they are few.
std::string joined_figures(const std::vector<ClaimResult>& curves) {
  if (curves.size() > kMostFigures) return "";
  std::string all;
  for (const auto& j : curves)
    if (!j.figure.empty()) all += (all.empty() ? "" : "; ") + j.figure;
  return all;
}

bool is_shown(const Comparison& c, double confidence) {
  const double low = c.margin(confidence).low;
  return c.strict ? low > 0 : low >= 0;
}

bool is_contradicted(const Comparison& c, double confidence) {
  const double high = c.margin(confidence).high;
  return c.strict ? high <= 0 : high < 0;
}

std::string told(const Comparison& c, double confidence) {
  return c.before + quantity_text(c.shown(confidence), c.unit) + c.after;
}

/// How clearly an interval lies above 0: its value over the distance to its lower end. Infinite for exact ones.
double clearness(const Estimate& e) {
  const double below = e.value - e.low;
  if (std::isnan(below)) return -kInfinity;
  if (below > 0) return e.value / below;
  return e.value > 0 ? kInfinity : e.value < 0 ? -kInfinity : 0;
}

const Comparison& least_clear(const std::vector<const Comparison*>& comparisons, double confidence) {
  const auto clear = [&](const Comparison* c) { return clearness(c->margin(confidence)); };
  return **std::min_element(comparisons.begin(), comparisons.end(),
                            [&](auto a, auto b) { return clear(a) < clear(b); });
}

std::string share(std::size_t part, std::size_t all) {
  return all == 1 ? "" : " in " + std::to_string(part) + " of " + std::to_string(all) + " comparisons";
}

}  // namespace

ClaimResult judge(const Comparisons& comparisons, double confidence, std::size_t missing) {
  if (comparisons.empty()) return {Verdict::undecided, kTooFew};
  const double joint = bonferroni(comparisons.size(), confidence);
  std::vector<const Comparison*> all, open, contradicted;
  for (const auto& c : comparisons) {
    all.push_back(&c);
    if (!is_shown(c, confidence)) open.push_back(&c);
    if (is_contradicted(c, joint)) contradicted.push_back(&c);
  }
  if (!contradicted.empty()) {
    const std::string most = told(least_clear(contradicted, joint), joint);
    return {Verdict::not_reproduced,
            "contradicted" + share(contradicted.size(), all.size()) + ", most clearly: " + most, most};
  }
  if (!open.empty()) {
    const std::string least = told(least_clear(open, confidence), confidence);
    return {Verdict::undecided, "not shown" + share(open.size(), all.size()) + ", least: " + least, least};
  }
  const std::string closest = told(least_clear(all, confidence), confidence);
  return {missing > 0 ? Verdict::undecided : Verdict::reproduced, "closest: " + closest, closest};
}

std::string span_of(const LabelledEstimates& figures, const std::string& unit) {
  const auto [least, most] = least_and_most(figures);
  if (least == figures.end()) return "-";
  const ToldUnit in = told_unit(std::max(std::abs(least->estimate.value), std::abs(most->estimate.value)), unit);
  const auto told = [&](const LabelledEstimate& f) { return quantity_text(f.estimate, in) + in_brackets(f.of); };
  return figures.size() == 1 ? told(*least) : told(*least) + " to " + told(*most);
}

std::string overview_of(const std::string& told, const LabelledEstimates& figures, const std::string& unit) {
  return told + " " + span_of(figures, unit);
}

std::string figure_at(const Estimate& e, const std::string& unit, const std::string& where) {
  return quantity_text(e, unit) + " at " + where;
}

std::string beside(const std::string& curve, const std::string& point) {
  return curve.empty() ? point : point + ", " + curve;
}

ClaimResult result_of(Verdict verdict, const std::string& measured, std::size_t missing, const std::string& figure) {
  ClaimResult result{verdict, measured, figure};
  if (missing > 0)
    result.measured += "; " + std::to_string(missing) + (missing == 1 ? " point is missing" : " points are missing");
  return result;
}

ClaimResult result_of(const Claim& claim, const Measured& measured, const std::string& overview,
                      const Comparisons& comparisons) {
  if (!measured.obstacle.empty()) return result_of(Verdict::undecided, measured.obstacle, 0);
  const ClaimResult judgement = judge(comparisons, claim.confidence, measured.missing);
  const std::string told = comparisons.empty() ? "" : overview + "; ";
  return result_of(judgement.verdict, told + judgement.measured, measured.missing, judgement.figure);
}

ClaimResult result_of(const std::vector<ClaimResult>& curves, std::size_t missing) {
  if (curves.empty()) return result_of(Verdict::undecided, kTooFew, missing);
  for (const Verdict verdict : {Verdict::not_reproduced, Verdict::undecided})
    for (const auto& j : curves)
      if (j.verdict == verdict) return result_of(verdict, j.measured, missing, j.figure);
  std::string told;
  for (const auto& j : curves) told += (told.empty() ? "" : "; ") + j.measured;
  return result_of(missing == 0 ? Verdict::reproduced : Verdict::undecided, told, missing, joined_figures(curves));
}

ClaimResult judge_each_curve(const Measured& measured,
                             const std::function<ClaimResult(const Curve&, std::size_t curves)>& judge_curve) {
  if (!measured.obstacle.empty()) return result_of(Verdict::undecided, measured.obstacle, 0);
  const auto curves = measured.curves();
  std::vector<ClaimResult> judgements;
  for (const Curve* curve : curves) judgements.push_back(judge_curve(*curve, curves.size()));
  return result_of(judgements, measured.missing);
}

ClaimResult of_all_points(ClaimResult result, const Measured& measured) {
  if (measured.missing > 0) result.verdict = Verdict::undecided;
  return result;
}

ClaimResult for_each_curve(const Claim& claim, const Measured& measured, const std::string& told,
                           const std::string& unit, const CurveRule& rule) {
  Comparisons comparisons;
  LabelledEstimates figures;
  for (const Curve* curve : measured.curves()) rule(*curve, comparisons, figures);
  return result_of(claim, measured, overview_of(told, figures, unit), comparisons);
}

Measured measure(const Claim& claim, const TwoCurves& asked, const ResultTable& summary) {
  return measure(claim, summary, asked.across, {asked.higher, asked.lower});
}

void for_each_pair(const TwoCurves& asked, const Measured& measured, const PairRule& rule) {
  for (const auto& group : measured.groups)
    for (const auto& a : group)
      for (const auto& b : group)
        if (same_axis_value(a.across, asked.higher) && same_axis_value(b.across, asked.lower)) rule(a, b);
}

std::vector<std::pair<const MeasuredPoint*, const MeasuredPoint*>> common_points(const Curve& a, const Curve& b) {
  std::vector<std::pair<const MeasuredPoint*, const MeasuredPoint*>> out;
  for (const auto& p : a.points)
    for (const auto& q : b.points)
      if (p.x == q.x) out.emplace_back(&p, &q);
  return out;
}

LinearCombination allowance(double tolerance, const MeasuredPoint& p) {
  return LinearCombination().add(p.estimate.value < 0 ? -tolerance : tolerance, p);
}

LinearCombination sum(LinearCombination a, const LinearCombination& b) { return std::move(a.add(b)); }

LinearCombination ratio(const MeasuredPoint& of, const MeasuredPoint& to) {
  const double value = of.estimate.value / to.estimate.value;
  return LinearCombination().add(1 / to.estimate.value, of).add(-value / to.estimate.value, to).add(value);
}

Estimate r_squared_interval(const Points& points, double confidence) {
  std::vector<double> x;
  std::vector<Estimate> y;
  for (const auto& p : points) {
    x.push_back(p.x);
    y.push_back(at_confidence(p.estimate, p.row->observations(), p.row->confidence, confidence));
  }
  return nowsim::r_squared_interval(x, y);
}

Comparison percent_above(const LinearCombination& margin, bool strict, const Claim& claim, const std::string& where_a,
                         const std::string& where_b, const MeasuredPoint& a, const MeasuredPoint& b) {
  const double size = std::abs(b.estimate.value), sign = a.estimate.value < b.estimate.value ? -1 : 1;
  const std::string unit = size > 0 ? " %" : unit_of(claim.metric);
  return {margin, strict, difference(a, b).times(sign * (size > 0 ? 100 / size : 1)),
          claim.metric + " at " + where_a + " is ", unit, (sign > 0 ? " above" : " below") + (" that at " + where_b)};
}

}  // namespace nowsim::checks

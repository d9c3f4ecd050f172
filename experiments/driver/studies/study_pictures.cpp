#include "experiments/driver/studies/study_pictures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

#include "experiments/driver/pictures/layers.hpp"
#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/points/fitted_owner.hpp"
#include "experiments/driver/running/result_output.hpp"
#include "experiments/driver/studies/contrast.hpp"
#include "experiments/driver/studies/isoefficiency.hpp"
#include "experiments/driver/studies/plan_report.hpp"
#include "experiments/driver/studies/plan_request.hpp"
#include "experiments/driver/text/duration_text.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/statistics/user_laws.hpp"

namespace nowsim {
namespace {

ResolvedFigure picture_of(const char* kind, const std::string& title, const std::string& footer, PictureFormat format) {
  ResolvedFigure out;
  out.name = "picture";
  out.kind = kind;
  out.title = title;
  out.footer = footer;
  out.has_legend = true;
  out.format = format;
  return out;
}

/// "100 replications, bars: 95 % confidence".
std::string counts_with_bars(const Provenance& p) {
  return p.replications + (p.replications == "1" ? " replication, " : " replications, ") + "bars: " + p.confidence +
         " confidence";
}

ResolvedAxis axis_from(double least, double most, const Label& label) {
  ResolvedAxis out;
  out.label = label;
  out.least = least;
  out.most = most;
  return out;
}

/// Five tics or fewer at round numbers, which keep apart.
void add_round_tics(ResolvedAxis& axis) {
  const double step = round_step(axis.most - axis.least, 5);
  for (double k = std::ceil(axis.least / step); k * step <= axis.most; ++k)
    axis.tics.push_back({k * step + 0.0, short_number(k * step + 0.0)});
}

ResolvedCurve curve_of(std::size_t series, Shape shape, std::vector<ResolvedPoint> points) {
  return {series, series, "", shape == Shape::marks || shape == Shape::bars, {}, std::move(points), shape};
}

// ---- a plan: how likely each policy takes longer than a time ----

std::string plan_legend(const PlanReport& report, const Alternative& plan) {
  return report.request.deadline_s ? plan.name() + ": RF " + percent_text(plan.late()) : plan.name();
}

/// P[T > t] in %, which drops at each replication's T.
ResolvedCurve risk_curve(std::size_t series, const std::vector<double>& times_s, const ResolvedAxis& t) {
  std::vector<ResolvedPoint> points{{t.least, 100}};
  for (const auto& [t_s, longer] : survival_steps(times_s))
    points.push_back({t_s / t.unit, 100 * static_cast<double>(longer) / static_cast<double>(times_s.size())});
  points.push_back({t.most, 0});
  return curve_of(series, Shape::steps, std::move(points));
}

/// Over all times and the deadline, and a little more.
ResolvedAxis time_axis(const std::vector<const Alternative*>& plans, std::optional<double> deadline_s) {
  double least_s = deadline_s.value_or(plans.front()->makespans_s().front()), most_s = least_s;
  for (const auto* plan : plans) {
    const auto [least, most] = std::ranges::minmax(plan->makespans_s());
    least_s = std::min(least_s, least);
    most_s = std::max(most_s, most);
  }
  const double edge_s = most_s > least_s ? 0.03 * (most_s - least_s) : 0.1 * most_s;
  const ColumnUnit unit = column_unit(most_s + edge_s);
  ResolvedAxis out = axis_from(std::max(0.0, least_s - edge_s) / unit.seconds, (most_s + edge_s) / unit.seconds,
                               std::string("t [") + unit.name + "]");
  out.unit = unit.seconds;
  return out;
}

// ---- comparisons: a panel per cell ----

constexpr std::size_t kMostContrastPanels = 12, kMostContrastColumns = 3, kLongestValue = 24;
/// Pixels: of panels, beside them, a value's line, and letters of values and of the footer.
constexpr double kContrastWidth = 300, kContrastAlone = 460, kContrastBeside = 22, kContrastLine = 21,
                 kContrastLetter = 7.6, kContrastFooterLetter = 6.1;

/// How standings are drawn: told from each other on a grey print, too.
struct ContrastMark {
  const char* name;
  int point_type;
  const char* colour;
  std::vector<RowStanding> of;
};
const std::vector<ContrastMark>& contrast_marks() {
  static const std::vector<ContrastMark> all{
      {"best", 7, "#117733", {RowStanding::best}},
      {"may be best", 6, "#332288", {RowStanding::may_be_best}},
      {"better", 7, "#117733", {RowStanding::better}},
      {"lower", 11, "#332288", {RowStanding::lower}},
      {"not told apart", 6, "#606060", {RowStanding::not_told, RowStanding::same}},
      {"worse", 9, "#cc6677", {RowStanding::worse}},
      {"higher", 9, "#cc6677", {RowStanding::higher}},
      {"what the others are compared with", 5, "#000000", {RowStanding::compared_with}}};
  return all;
}

/// A cell that is drawn, of which metric.
struct DrawnCell {
  const MetricComparison* contrasts;
  const ComparedCell* cell;
};

std::string value_name(const ComparedRow& value) { return shortened(short_name(value.value), kLongestValue); }

/// In the unit of differences; where its interval is not known, or has no end, a value alone is drawn.
ResolvedPoint difference_point(const DrawnCell& drawn, std::size_t i) {
  const double unit = contrast_unit(*drawn.contrasts).seconds;
  const Estimate& e = drawn.cell->rows[i].difference;
  const auto y = static_cast<double>(drawn.cell->rows.size() - i);
  if (!std::isfinite(e.low) || !std::isfinite(e.high)) return {e.value / unit, y};
  return {e.value / unit, y, e.low / unit, e.high / unit};
}

/// From the least difference to the most, 0 among them.
ResolvedAxis difference_axis(const ContrastReport& report, const DrawnCell& drawn) {
  double low = 0, high = 0;
  for (std::size_t i = 0; i < drawn.cell->rows.size(); ++i) {
    const ResolvedPoint point = difference_point(drawn, i);
    low = std::min({low, point.x, std::isnan(point.low) ? point.x : point.low});
    high = std::max({high, point.x, std::isnan(point.high) ? point.x : point.high});
  }
  const double edge = high > low ? 0.06 * (high - low) : 1;
  const std::string unit = difference_unit(contrast_unit(*drawn.contrasts));
  ResolvedAxis out = axis_from(low - edge, high + edge,
                               drawn.contrasts->metric->name + " less that of " +
                                   shortened(short_name(compared_name(report)), kLongestValue) +
                                   (unit.empty() ? "" : " [" + unit + "]"));
  add_round_tics(out);
  return out;
}

ResolvedPanel difference_panel(const ContrastReport& report, const DrawnCell& drawn, double width,
                               std::vector<ResolvedSeries>& legend) {
  ResolvedPanel out;
  const auto& values = drawn.cell->rows;
  const std::string cell = cell_text(*drawn.cell);
  const std::string metric =
      report.metrics.size() == 1 ? "" : drawn.contrasts->metric->name + (cell.empty() ? "" : ": ");
  out.caption = shortened(short_name(metric + cell), static_cast<std::size_t>(width / kPageLetter));
  out.x = difference_axis(report, drawn);
  out.value = axis_from(0.4, static_cast<double>(values.size()) + 0.6, {});
  for (std::size_t i = 0; i < values.size(); ++i)
    out.value.tics.push_back({static_cast<double>(values.size() - i), value_name(values[i])});
  out.rules.push_back({true, 0, "", "linewidth 1.4 linecolor rgb '#202020'"});
  std::vector<ResolvedCurve> curves;
  for (const ContrastMark& mark : contrast_marks()) {
    std::vector<ResolvedPoint> points;
    for (std::size_t i = 0; i < values.size(); ++i)
      if (std::ranges::count(mark.of, values[i].standing) > 0) points.push_back(difference_point(drawn, i));
    if (points.empty()) continue;
    const auto known = std::ranges::find(legend, std::string(mark.name), &ResolvedSeries::value);
    const auto series = static_cast<std::size_t>(known - legend.begin());
    if (known == legend.end())
      legend.push_back({mark.name, mark.name, false, {}, SeriesStyle{mark.colour, "1", mark.point_type, false, "0.9"}});
    curves.push_back(curve_of(series, Shape::bars, std::move(points)));
  }
  out.content = std::move(curves);
  return out;
}

/// Of the one metric that there is, or of all.
std::string drawn_question(const ContrastReport& report, const std::vector<DrawnCell>& drawn) {
  const MetricComparison* first = drawn.front().contrasts;
  const bool is_one = std::ranges::all_of(drawn, [&](const DrawnCell& d) { return d.contrasts == first; });
  return is_one ? question_of(report, *first) : "each " + report.request.key + " beside " + compared_name(report);
}

// ---- sizes of one efficiency over laws of growth ----

/// A law, and its label.
struct LawPanel {
  const char* law;
  const char* label;
  bool is_power;  ///< its unit is that of p_T
};
/// A law of heterogeneous systems, and the one of classic isoefficiency that it becomes where all machines are alike.
using LawPair = std::array<LawPanel, 2>;
/// BO's Fig. 1 (b) and (a) first, then Fig. 2's.
constexpr LawPair kLawPairs[] = {{{{"p_T_log_p", "p_T log_2 p", true}, {"p_log_p", "p log_2 p", false}}},
                                 {{{"p_T_p", "p_T p", true}, {"p_p", "p^2", false}}},
                                 {{{"p_T", "p_T", true}, {"p", "p", false}}}};
constexpr double kLongNumbers = 1e4;  // from here on numbers beneath an axis would touch each other
constexpr double kManyTimes = 50;     // the largest sizes of curves so far apart: then axes are logarithmic

/// The pair of the law that all curves tell which tell one; else the first.
const LawPair& pair_for(const std::vector<const IsoefficiencyCurve*>& curves) {
  const LawPair* told = nullptr;
  for (const auto* curve : curves) {
    const auto best = curve->best();
    if (best.empty()) continue;
    const auto& own = *std::ranges::find_if(kLawPairs, [&](const LawPair& pair) {
      return std::ranges::count(pair, std::string(best.front()->law->name), &LawPanel::law) > 0;
    });
    if (told != nullptr && told != &own) return kLawPairs[0];
    told = &own;
  }
  return told != nullptr ? *told : kLawPairs[0];
}

/// The panel of a law: marks of sizes, and fitted lines.
class GrowthPanel {
 public:
  GrowthPanel(const IsoefficiencyReport& report, const std::vector<const IsoefficiencyCurve*>& curves,
              const LawPanel& law, bool is_log)
      : report_(report),
        curves_(curves),
        is_log_(is_log),
        law_(*std::ranges::find(growth_laws(), std::string(law.law), &GrowthLaw::name)) {
    double most = 0;
    for (const auto* curve : curves)
      for (const auto& point : curve->points)
        if (point.has_size) most = std::max(most, x_in_si(point));
    const int thousands = most >= kLongNumbers ? static_cast<int>(std::log10(most) / 3) : 0;
    unit_ = std::pow(1000.0, thousands);
    std::string label = law.label, unit = thousands == 0 ? "" : " [10^{" + std::to_string(3 * thousands) + "}]";
    if (law.is_power) {
      const WorkUnit power = work_unit(most);
      unit_ = power.flop;
      unit = " [" + power.name + "/s]";
      if (report.family.power == bosque::Power::left) label.replace(0, 3, "p_{T_a}");
    }
    label_ = label_of(label + unit);
  }

  [[nodiscard]] ResolvedPanel panel() const {
    std::vector<ResolvedCurve> content;
    ValueRange x, y;
    for (std::size_t c = 0; c < curves_.size(); ++c) {
      ResolvedCurve sizes = curve_of(c, Shape::marks, points_of(*curves_[c]));
      for (const auto& point : sizes.points) {
        x.add(point.x, is_log_);
        for (const double end : {point.y, point.low, point.high}) y.add(end, is_log_);
      }
      ResolvedCurve line = curve_of(curves_.size(), Shape::curve, fitted(*curves_[c], sizes.points));
      line.beside = c;
      for (const auto& point : line.points) y.add(point.y, is_log_);
      content.push_back(std::move(line));
      content.push_back(std::move(sizes));
    }
    ResolvedPanel out;
    out.x = axis(x, label_);
    if (!is_log_) add_round_tics(*out.x);
    out.value = axis(y, size_name(report_));
    out.value.in_powers = is_log_;
    out.content = std::move(content);
    return out;
  }

 private:
  [[nodiscard]] double x_in_si(const IsoefficiencyPoint& point) const {
    return law_.of(point.system.processors, point.system.power_flops);
  }
  /// From 0, or what a log scale shows; one computer's p log p is 0 and alone has no range of its own.
  [[nodiscard]] ResolvedAxis axis(const ValueRange& range, const Label& label) const {
    if (!is_log_ || !(range.most > 0)) return axis_from(0, range.most > 0 ? 1.04 * range.most : 1, label);
    ResolvedAxis out = axis_from(0, 0, label);
    out.log = true;
    out.show(range.with_margin(true));
    return out;
  }
  [[nodiscard]] std::vector<ResolvedPoint> points_of(const IsoefficiencyCurve& curve) const {
    std::vector<ResolvedPoint> out;
    for (const auto& point : curve.points)
      if (const Estimate& size = point.system.size; point.has_size) {
        out.push_back({x_in_si(point) / unit_, size.value});
        if (!std::isfinite(size.low) || !std::isfinite(size.high)) continue;
        out.back().low = size.low;
        out.back().high = size.high;
      }
    std::ranges::sort(out, {}, &ResolvedPoint::x);
    return out;
  }
  /// Sampled, since on logarithmic axes lines are curves.
  [[nodiscard]] std::vector<ResolvedPoint> fitted(const IsoefficiencyCurve& curve,
                                                  const std::vector<ResolvedPoint>& sizes) const {
    const GrowthFit& fit = *std::ranges::find(curve.fits, &law_, &GrowthFit::law);
    const double from = sizes.front().x, to = sizes.back().x;
    const int samples = is_log_ ? 100 : 1;
    std::vector<ResolvedPoint> out;
    for (int k = 0; k <= samples && !std::isnan(fit.line.slope); ++k) {
      const double part = static_cast<double>(k) / samples;
      const double x = is_log_ && from > 0 ? from * std::pow(to / from, part) : from + part * (to - from);
      const double y = fit.line.intercept + fit.line.slope * x * unit_;
      if (!is_log_ || (x > 0 && y > 0)) out.push_back({x, y});
    }
    return out;
  }

  const IsoefficiencyReport& report_;
  const std::vector<const IsoefficiencyCurve*>& curves_;
  bool is_log_;
  const GrowthLaw& law_;
  double unit_ = 1;
  Label label_;
};

/// How many times the largest size is that of the curve whose own is the least.
double spread_of_tops(const std::vector<const IsoefficiencyCurve*>& curves) {
  ValueRange tops;
  for (const auto* curve : curves) {
    double top = 0;
    for (const auto& point : curve->points)
      if (point.has_size) top = std::max(top, point.system.size.value);
    tops.add(top, false);
  }
  return tops.most / tops.least;
}

// ---- fits of traces ----

constexpr std::size_t kFitColumns = 700;  // of a series: finer pieces cannot be seen
constexpr std::size_t kLongestHost = 32;  // letters of a trace's name that have room above a panel
enum FitSeries : std::size_t { kMeasured, kItsRange, kFitted, kItsDeviation };

/// Mean, least and greatest value of so many equal parts of a series.
std::vector<ResolvedPoint> pieces(const std::vector<double>& x, double step) {
  std::vector<ResolvedPoint> out;
  const std::size_t n = std::min(kFitColumns, x.size());
  for (std::size_t c = 0; c < n; ++c) {
    const auto begin = x.begin() + static_cast<std::ptrdiff_t>(c * x.size() / n);
    const auto end = x.begin() + static_cast<std::ptrdiff_t>((c + 1) * x.size() / n);
    double sum = 0;
    for (auto i = begin; i != end; ++i) sum += *i;
    const double at = 0.5 * static_cast<double>((begin - x.begin()) + (end - x.begin())) * step;
    out.push_back(
        {at, sum / static_cast<double>(end - begin), *std::min_element(begin, end), *std::max_element(begin, end)});
  }
  return out;
}

ResolvedPanel fit_panel(const std::string& caption, const ResolvedAxis& x, const ResolvedAxis& value,
                        std::vector<ResolvedCurve> curves) {
  ResolvedPanel out;
  out.caption = Label(caption);
  out.x = x;
  // gnuplot's own tics of longer numbers would touch.
  if (short_number(round_step(x.most - x.least, 10)).size() > 3) add_round_tics(*out.x);
  out.value = value;
  out.content = std::move(curves);
  return out;
}

ResolvedPanel series_panel(const FittedHost& host) {
  const auto four_digits = [](double x) { return short_number(std::round(x * 1e4) / 1e4); };
  const TimeUnit unit = time_unit_for(host.fit.taken_s);
  const double end = host.fit.taken_s / unit.seconds, a = host.fit.mean.value, sd = a * host.fit.th.value;
  const auto measured = pieces(even_samples(host.trace), host.fit.step_s / unit.seconds);
  std::vector<ResolvedCurve> curves{curve_of(kItsRange, Shape::band, measured),
                                    curve_of(kMeasured, Shape::line, measured),
                                    curve_of(kFitted, Shape::line, {{0, a}, {end, a}})};
  for (const double y : {a - sd, a + sd}) curves.push_back(curve_of(kItsDeviation, Shape::line, {{0, y}, {end, y}}));
  const std::string name = shortened(short_name(host.name), kLongestHost);
  return fit_panel(
      name + ": a = " + four_digits(a) + ", TH = " + four_digits(host.fit.th.value),
      axis_from(0, end, std::string("time [") + unit.name + (host.trace.cuts.empty() ? "]" : "], without gaps")),
      axis_from(0, 1.02, "availability"), std::move(curves));
}

ResolvedPanel values_panel(const FittedHost& host) {
  constexpr std::size_t kParts = 400;
  const LoadFit& fit = host.fit;
  const std::vector<double> measured = load_quantiles(host.trace, kParts);
  const DistributionPtr law = fit.is_near()
                                  ? make_value_law(fit.value_name(), std::min(fit.mean.value, 1.0), fit.th.value)
                                  : empirical(fit.own_values);
  std::vector<ResolvedPoint> of_trace, of_law;
  ValueRange range;
  for (const double x : measured) range.add(x, false);
  for (std::size_t i = 0; i < kParts; ++i) {
    const double u = (static_cast<double>(i) + 0.5) / kParts, x = law->quantile(u);
    of_trace.push_back({measured[i], u});
    of_law.push_back({x, u});
    range.add(x, false);
  }
  const double margin = std::max(0.02 * (range.most - range.least), 1e-4);
  return fit_panel(
      fit.is_near() ? "values: " + fit.value_name() : "values: their own",
      axis_from(range.least - margin, range.most + margin, "availability"),
      axis_from(0, 1.02, "share of the time below"),
      {curve_of(kMeasured, Shape::line, std::move(of_trace)), curve_of(kFitted, Shape::line, std::move(of_law))});
}

ResolvedPanel memory_panel(const FittedHost& host) {
  const LoadFit& fit = host.fit;
  const std::vector<double> x = even_samples(host.trace);
  const auto lags = std::clamp<std::size_t>(fit.window * 3 / 2, 10, x.size() - 1);
  const std::size_t stride = lags / kFitColumns + 1;
  const std::vector<double> rho = autocorrelation(x, lags, stride);
  const TimeUnit unit = time_unit_for(static_cast<double>(lags) * fit.step_s);
  std::vector<ResolvedPoint> of_trace, of_law;
  for (std::size_t k = 0; k < rho.size(); ++k) {
    const double lag_s = static_cast<double>(k * stride) * fit.step_s;
    of_trace.push_back({lag_s / unit.seconds, rho[k]});
    of_law.push_back(
        {lag_s / unit.seconds, interval_autocorrelation(fit.length_fit().name, fit.interval_s.value, lag_s)});
  }
  return fit_panel(
      "memory: " + std::string(fit.length_fit().name) + ", " + format_quantity(fit.interval_s.value, Dimension::time),
      axis_from(0, static_cast<double>(lags) * fit.step_s / unit.seconds, std::string("lag [") + unit.name + "]"),
      axis_from(std::min(-0.05, *std::ranges::min_element(rho) - 0.05), 1.02, "autocorrelation"),
      {curve_of(kMeasured, Shape::line, std::move(of_trace)), curve_of(kFitted, Shape::line, std::move(of_law))});
}

}  // namespace

std::string plan_picture_script(const PlanReport& report, PictureFormat format) {
  std::vector<const Alternative*> plans;
  for (const auto& plan : report.plans)
    if (plan.is_complete()) plans.push_back(&plan);
  if (plans.empty()) throw RunError("there is nothing to draw: no policy could be simulated");
  const Provenance p = provenance_of(report.summary);
  const auto deadline_s = report.request.deadline_s;
  ResolvedFigure out = picture_of(
      "distribution", report.summary.title + ": how likely is it to take longer?",
      p.replications + " replications, " + (deadline_s ? "bars: " + p.confidence + " confidence, " : "") + p.origin(),
      format);
  out.x = time_axis(plans, deadline_s);
  ResolvedPanel panel;
  panel.value = axis_from(0, 104, "probability of taking longer than t [%]");
  panel.deadline_s = deadline_s;
  if (const auto risk = report.request.risk)
    panel.rules.push_back({false, 100 * *risk, "risk " + percent_text(*risk),
                           std::string("linewidth 1.2 dashtype (6,4) linecolor rgb '") + kDeadlineColour + "'"});
  std::vector<ResolvedCurve> curves;
  for (std::size_t s = 0; s < plans.size(); ++s) {
    out.series.push_back({plans[s]->name(), Label(short_name(plan_legend(report, *plans[s])))});
    curves.push_back(risk_curve(s, plans[s]->makespans_s(), out.x));
  }
  for (std::size_t s = 0; s < plans.size() && deadline_s; ++s) {
    const Estimate late = plans[s]->late();
    curves.push_back(curve_of(s, Shape::marks, {{*deadline_s / out.x.unit, 100 * late.value, 100 * late.low, 100 * late.high}}));
  }
  panel.content = std::move(curves);
  out.panels.push_back(std::move(panel));
  return layered_script(out, {.plot_width = 640, .plot_height = 380, .over = 20});
}

std::string contrast_script(const ContrastReport& report, PictureFormat format) {
  std::vector<DrawnCell> drawn;
  std::size_t cells = 0, longest = 0, most = 3;
  for (const auto& contrasts : report.metrics)
    for (const auto& cell : contrasts.cells)
      if (cell.nothing.empty() && ++cells <= kMostContrastPanels) drawn.push_back({&contrasts, &cell});
  if (drawn.empty()) throw RunError("there is nothing to draw: nothing could be compared");
  for (const auto& one : drawn) {
    most = std::max(most, one.cell->rows.size());
    for (const auto& value : one.cell->rows) longest = std::max(longest, shown_width(value_name(value)));
  }
  const Provenance p = provenance_of(report.summary);
  const std::string some =
      cells == drawn.size() ? ""
                            : "the first " + std::to_string(drawn.size()) + " of " + std::to_string(cells) + " cells; ";
  ResolvedFigure out = picture_of("contrast", report.summary.title + ": " + drawn_question(report, drawn),
                                  some + counts_with_bars(p) + " (" + joint_text(report) + "), " + p.origin(), format);
  LayoutNeeds needs{.most_columns = kMostContrastColumns,
                    .plot_width = drawn.size() == 1 ? kContrastAlone : kContrastWidth,
                    .plot_height = kContrastLine * static_cast<double>(most),
                    .left = 26 + kContrastLetter * static_cast<double>(longest),
                    .right = kContrastBeside,
                    .legend_options = "samplen 1 spacing 1.25",
                    .has_legend_below = true};
  // As wide as the footer.
  const double footer = kContrastFooterLetter * static_cast<double>(shown_width(out.footer)) + 24;
  const auto columns = static_cast<double>(std::min(kMostContrastColumns, drawn.size()));
  needs.plot_width = std::max(needs.plot_width, footer / columns - needs.left - needs.right);
  for (const auto& one : drawn) out.panels.push_back(difference_panel(report, one, needs.plot_width, out.series));
  out.has_captions = std::ranges::any_of(out.panels, [](const ResolvedPanel& panel) { return !panel.caption.empty(); });
  return layered_script(out, needs);
}

std::string isoefficiency_script(const IsoefficiencyReport& report, PictureFormat format) {
  std::vector<const IsoefficiencyCurve*> curves;
  for (const auto& curve : report.family.curves)
    if (std::ranges::any_of(curve.points, &IsoefficiencyPoint::has_size)) curves.push_back(&curve);
  if (curves.empty()) throw RunError("there is nothing to draw: no size was found");
  const Provenance p = provenance_of(report.summary);
  ResolvedFigure out = picture_of("curves", report.summary.title + ": " + report.key + " that keeps " + report.metric,
                                  counts_with_bars(p) + "; thin: fitted lines; " + p.origin(), format);
  out.series_key = report.key;  // fitted lines have the colours of their marks
  for (std::size_t c = 0; c < curves.size(); ++c)
    out.series.push_back(
        {curve_text(report, *curves[c]),
         Label(short_name(curve_text(report, *curves[c]))),
         false,
         {},
         SeriesStyle{distinct_colours(curves.size())[c], "1", kPointTypes[c % std::size(kPointTypes)], false, "0.9"}});
  out.series.push_back({"fitted", "fitted line", true});
  for (const LawPanel& law : pair_for(curves))
    out.panels.push_back(GrowthPanel(report, curves, law, spread_of_tops(curves) > kManyTimes).panel());
  return layered_script(out, {.plot_width = 400, .plot_height = 340, .left = 104, .right = 24, .over = 8});
}

std::string trace_fit_script(const std::vector<FittedHost>& hosts, PictureFormat format) {
  const std::size_t rows = std::min(hosts.size(), kMostFitRows);
  const std::string left_out =
      hosts.size() > rows ? "; not drawn: the other " + std::to_string(hosts.size() - rows) + " traces" : "";
  ResolvedFigure out = picture_of("fit", "Owner model intervals, fitted to measured availability",
                                  "series: mean and range of each pixel, a and a ± its standard deviation; nowsim " +
                                      std::string(version()) + left_out,
                                  format);
  const std::string fitted = colour_at(0.2);
  out.series = {{"measured", "measured", false, {}, SeriesStyle{"#505050"}},
                {"range", "range in a pixel", false, {}, SeriesStyle{"#d4d4d4"}},
                {"fitted", "fitted", false, {}, SeriesStyle{fitted}},
                {"deviation", "a ± its standard deviation", false, {}, SeriesStyle{fitted, "2"}}};
  out.has_captions = true;
  for (std::size_t r = 0; r < rows; ++r)
    for (const auto panel : {series_panel, values_panel, memory_panel}) out.panels.push_back(panel(hosts[r]));
  return layered_script(
      out,
      {.most_columns = 3, .plot_width = 350, .plot_height = 180, .left = 76, .right = 18, .has_legend_below = true});
}

}  // namespace nowsim

// Sentences about sizes and laws, tables, and fields for programs.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <memory>
#include <string_view>
#include <utility>

#include "experiments/driver/running/result_output.hpp"
#include "experiments/driver/studies/isoefficiency.hpp"
#include "experiments/driver/studies/plan_request.hpp"
#include "experiments/driver/text/duration_text.hpp"
#include "experiments/driver/text/estimate_text.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"

namespace nowsim {

namespace {

// ---- sentences -----------------------------------------------------------------------------------------------------

constexpr double kSmallIntercept = 0.05;  // of the mean size: then sizes are in proportion to a law

double mean_size(const IsoefficiencyCurve& curve) {
  double sum = 0, count = 0;
  for (const auto& point : curve.points)
    if (point.has_size) sum += point.system.size.value, ++count;
  return sum / count;
}

/// With its interval, where that is known and no rounding.
std::string slope_text(const GrowthFit& fit) {
  const bool has_interval = fit.slope.half_width() > kRoundingShare * std::abs(fit.slope.value);
  return "slope " + (has_interval ? estimate_text(fit.slope) : format_quantity(fit.slope.value, Dimension::number));
}

/// What stands for the power here: "p_T", or "p_T_a".
std::string power_name(const IsoefficiencyReport& report) {
  return report.family.power == bosque::Power::left ? "p_T_a" : "p_T";
}

/// A name or formula of p_T with what stands for that.
std::string with_power(const IsoefficiencyReport& report, const std::string& text) {
  constexpr std::string_view kPower = "p_T";
  return text.starts_with(kPower) ? power_name(report) + text.substr(kPower.size()) : text;
}

/// "eps = 0.5, set slow-first".
std::string curve_text(const IsoefficiencyReport& report, const IsoefficiencyCurve& curve) {
  std::string out = report.metric + " = " + curve.target;
  for (const auto& [key, value] : curve.others) out += ", " + short_key(key) + " " + value;
  return out;
}

/// The name of the size: "n".
std::string size_name(const IsoefficiencyReport& report) { return short_key(report.key); }

/// A law's formula with what stands for the power here.
std::string formula_text(const IsoefficiencyReport& report, const GrowthLaw& law) {
  return with_power(report, law.formula);
}

/// ", intercept 5"; "" where sizes are in proportion to the law.
std::string intercept_text(const GrowthFit& fit, const IsoefficiencyCurve& curve) {
  if (std::abs(fit.line.intercept) <= kSmallIntercept * mean_size(curve)) return "";
  return ", intercept " + format_quantity(fit.line.intercept, Dimension::number);
}

/// ", through 3 of 6 systems"; "" where all have a size.
std::string through_text(const IsoefficiencyCurve& curve) {
  const auto sizes = static_cast<std::size_t>(std::ranges::count_if(curve.points, &IsoefficiencyPoint::has_size));
  if (sizes == curve.points.size()) return "";
  return ", through " + std::to_string(sizes) + " of " + std::to_string(curve.points.size()) + " systems";
}

std::string laws_text(const IsoefficiencyReport& report, const std::vector<const GrowthFit*>& fits,
                      const std::string& between) {
  std::string out;
  for (const auto* fit : fits) out += (out.empty() ? "" : between) + formula_text(report, *fit->law);
  return out;
}

/// Of three sizes and more over none of the laws a line rises.
std::string sentence_without_growth(const IsoefficiencyCurve& curve) {
  const auto has_line = [](const GrowthFit& fit) { return std::isfinite(fit.line.slope); };
  if (std::ranges::none_of(curve.fits, has_line)) return "no law: the systems with a size are all alike";
  if (std::ranges::none_of(curve.fits, [](const GrowthFit& fit) { return std::isfinite(fit.r_squared.value); }))
    return "sizes do not change";
  const auto may_rise = [](const GrowthFit& fit) { return fit.slope.high >= 0; };  // not where that is not known
  return std::ranges::any_of(curve.fits, may_rise) ? "these sizes do not tell whether they grow" : "sizes fall";
}

int digits_of_r_squared(double r_squared) {
  const double rest = std::max(1 - r_squared, 1e-10);
  return std::clamp(static_cast<int>(std::ceil(-std::log10(rest))) + 1, 3, 10);
}
std::string r_squared_text(double r_squared, int digits) {
  if (1 - r_squared < 1e-9) return "1";
  char text[40];
  std::snprintf(text, sizeof text, "%.*f", digits, r_squared);
  return text;
}
/// With as many nines as there are, and its interval where that is not only rounding: "0.9923 [0.61, 1]".
std::string r_squared_text(const Estimate& r_squared) {
  if (std::isnan(r_squared.value)) return "-";
  const int digits = digits_of_r_squared(r_squared.value);
  const std::string value = r_squared_text(r_squared.value, digits);
  if (std::isnan(r_squared.low)) return value + " ± ?";
  if (r_squared_text(r_squared.low, digits) == value && r_squared_text(r_squared.high, digits) == value) return value;
  const auto end = [](double x) { return r_squared_text(x, digits_of_r_squared(x)); };
  return value + " [" + end(r_squared.low) + ", " + end(r_squared.high) + "]";
}

// ---- for people ----------------------------------------------------------------------------------------------------

/// A point or a fit, with its curve.
template <class Part>
struct OfCurve {
  const IsoefficiencyCurve* curve;
  const Part* part;
};

/// All points, or all fits, curve by curve.
template <class Part>
std::vector<OfCurve<Part>> all_of_curves(const IsoefficiencyReport& report,
                                         std::vector<Part> IsoefficiencyCurve::*parts) {
  std::vector<OfCurve<Part>> all;
  for (const auto& curve : report.family.curves)
    for (const auto& part : curve.*parts) all.push_back({&curve, &part});
  return all;
}

std::string number(double x) { return std::isnan(x) ? "-" : format_quantity(x, Dimension::number); }

/// What tells a curve, by the names that people use.
Fields place_columns(const IsoefficiencyReport& report, const IsoefficiencyCurve& curve) {
  Fields fields{{report.metric, curve.target, kInTable}};
  for (const auto& [key, value] : curve.others) fields.push_back({short_key(key), value, kInTable});
  return fields;
}

TextTable size_table(const IsoefficiencyReport& report) {
  const auto points = all_of_curves(report, &IsoefficiencyCurve::points);
  double most_power = 0, most_s = 0;
  bool has_formula = false;
  for (const auto& [curve, point] : points) {
    if (point->system.power_flops > most_power) most_power = point->system.power_flops;
    if (point->tau_s.value > most_s) most_s = point->tau_s.value;
    has_formula = has_formula || !std::isnan(point->formula_size);
  }
  const WorkUnit power = work_unit(most_power);
  const ColumnUnit time = column_unit(most_s);
  const std::string size = size_name(report);
  return table_of(points, [&](const OfCurve<IsoefficiencyPoint>& at) {
    const IsoefficiencyPoint& point = *at.part;
    const auto found = [&](const Estimate& e) { return point.has_size ? e : kUnknownEstimate; };
    Fields fields = place_columns(report, *at.curve);
    append(fields, {{"p", number(point.system.processors), kInTable},
                    {power_name(report), number(point.system.power_flops / power.flop), kInTable, power.name + "/s"},
                    {size, found(point.system.size), kInTable},
                    {"W", point.has_size ? format_quantity(point.work_flop, Dimension::work) : "-", kInTable},
                    {"tau", found(point.tau_s), kInTable, time.name, time.seconds},
                    {size + " by (BO 2)", number(point.formula_size), has_formula ? kInTable : 0}});
    return fields;
  });
}

TextTable fit_table(const IsoefficiencyReport& report) {
  return table_of(report.family.curves, [&](const IsoefficiencyCurve& curve) {
    Fields fields = place_columns(report, curve);
    for (const auto& fit : curve.fits)
      fields.push_back({formula_text(report, *fit.law), r_squared_text(fit.r_squared), kInTable});
    return fields;
  });
}

/// What tells the curve from others besides the efficiency, which the reason names.
std::string curve_place(const IsoefficiencyCurve& curve) {
  std::string out;
  for (const auto& [key, value] : curve.others) out += (out.empty() ? "" : ", ") + short_key(key) + " " + value;
  return out.empty() ? "" : out + ": ";
}

Words lines_on_missing(const IsoefficiencyReport& report) {
  Words lines;
  for (const auto& [curve, point] : all_of_curves(report, &IsoefficiencyCurve::points)) {
    if (point->has_size) continue;
    const bool has_failed = report.summary.rows[point->row].status == PointStatus::failed;
    lines.push_back((has_failed ? "failed: " : "no size: ") + curve_place(*curve) + point->reason);
  }
  return lines;
}

void say_all(const IsoefficiencyReport& report, Answer& answer) {
  const auto& curves = report.family.curves;
  answer.say({report.summary.title + ": how " + report.key + " grows with the system to keep " + report.metric});
  answer.show(size_table(report), curves.front().others.size() + 2);
  answer.say({"R² of the line through the sizes over"});
  answer.show(fit_table(report), curves.front().others.size() + 1);
  Words laws;
  for (const auto& curve : curves) laws.push_back(curve_text(report, curve) + ": " + law_sentence(report, curve) + ".");
  answer.say(std::move(laws));
  answer.say(lines_on_missing(report));
  if (!has_run(report.summary)) return;
  Words end{run_line(report.summary)};
  if (std::ranges::any_of(all_of_curves(report, &IsoefficiencyCurve::fits),
                          [](const auto& fit) { return lacks_interval(fit.part->r_squared); }))
    end.emplace_back("± ?: R² of sizes without intervals has none either");
  answer.say(std::move(end));
}

// ---- for programs --------------------------------------------------------------------------------------------------

/// What CSV has of a curve before its points and fits.
Fields place_fields(const IsoefficiencyReport& report, const IsoefficiencyCurve& curve) {
  Fields fields{{"metric", report.metric, kInCsv}, {"target", curve.target, kInCsv}};
  for (const auto& [key, value] : curve.others) fields.push_back({key, value, kInCsv});
  return fields;
}

/// Whether a key is one along which the system grows, or of their zips.
bool is_along(const IsoefficiencyCurve& curve, const std::string& key) {
  return key != kTargetKey && std::ranges::none_of(curve.others, [&](const auto& other) { return other.first == key; });
}

Fields point_fields(const IsoefficiencyReport& report, const OfCurve<IsoefficiencyPoint>& at) {
  const IsoefficiencyPoint& point = *at.part;
  const ResultRow& row = report.summary.rows[point.row];
  const unsigned in_found = point.has_size ? kInJson : 0;
  Fields fields = place_fields(report, *at.curve);
  Object axes;
  for (std::size_t k = 0; k < report.summary.axes.size(); ++k) {
    const std::string& key = report.summary.axes[k];
    axes.fields.push_back({key, row.values[k]});
    if (is_along(*at.curve, key)) fields.push_back({key, row.values[k], kInCsv});
  }
  append(fields, {{"at", axes, kInJson},
                  {"p", point.system.processors},
                  {power_name(report), point.system.power_flops},
                  {"size", point.system.size, kInCsv | in_found},
                  {"work", point.work_flop, kInCsv},
                  {"work_flop", point.work_flop, in_found},
                  {"tau", point.tau_s, kInCsv},
                  {"tau_s", point.tau_s, in_found},
                  {"size_BO", point.formula_size, kInCsv | in_found}});
  append(fields, run_fields(row));
  append(fields, {{"status", std::string(status_name(row.status))}, {"reason", point.reason}});
  return fields;
}

Fields growth_fields(const IsoefficiencyReport& report, const OfCurve<GrowthFit>& at) {
  const GrowthFit& fit = *at.part;
  const auto best = at.curve->best();
  const bool is_best = std::ranges::find(best, &fit) != best.end();
  Fields fields = place_fields(report, *at.curve);
  append(fields, {{"law", with_power(report, fit.law->name)},  // "p_T_a_log_p"
                  {"formula", formula_text(report, *fit.law)},
                  {"points", std::uint64_t{fit.points}},
                  {"slope", fit.slope},
                  {"intercept", fit.line.intercept},
                  {"r_squared", fit.r_squared},
                  {"best", std::uint64_t{is_best ? 1U : 0U}, kInCsv},
                  {"best", is_best, kInJson}});
  return fields;
}

Object curve_object(const IsoefficiencyReport& report, const IsoefficiencyCurve& curve) {
  Object where;
  for (const auto& [key, value] : curve.others) where.fields.push_back({key, value});
  const auto point = [&](const IsoefficiencyPoint& one) { return Object{point_fields(report, {&curve, &one})}; };
  const auto fit = [&](const GrowthFit& one) { return Object{growth_fields(report, {&curve, &one})}; };
  return {{{"target", curve.target},
           {"where", where},
           {"points", list_of(curve.points, point)},
           {"fits", list_of(curve.fits, fit)},
           {"says", law_sentence(report, curve)}}};
}

Object whole_of(const IsoefficiencyReport& report) {
  const auto curve = [&report](const IsoefficiencyCurve& one) { return curve_object(report, one); };
  return {{{"title", report.summary.title},
           {"version", std::string(version())},
           {"size", report.key},
           {"metric", report.metric},
           {"power", power_name(report)},
           {"along", texts(report.family.along)},
           {"curves", list_of(report.family.curves, curve)}}};
}

}  // namespace

std::string law_sentence(const IsoefficiencyReport& report, const IsoefficiencyCurve& curve) {
  const auto sizes = std::ranges::count_if(curve.points, &IsoefficiencyPoint::has_size);
  if (sizes == 0) return "no size was found";
  if (sizes < 3)
    return "no law: " + std::to_string(sizes) + (sizes == 1 ? " size was" : " sizes were") +
           " found, and any law goes through two";
  const Growth growth = growth_of(curve.fits);
  if (growth.nearest.empty()) return sentence_without_growth(curve) + through_text(curve);
  const GrowthFit& fit = *growth.nearest.front();
  const std::string laws = laws_text(report, growth.nearest, " = c·"), r_squared = "R² " + r_squared_text(fit.r_squared),
                    through = through_text(curve), intercept = intercept_text(fit, curve),
                    fits = r_squared + through;
  if (!growth.holds()) return "none of these laws holds; the nearest is " + laws + " (" + fits + ")";
  if (std::isnan(fit.r_squared.low))
    return "the nearest law is " + laws + " (" + fits + "), but of sizes without intervals no law is told from another";
  if (!growth.rivals.empty())
    return "these sizes do not tell " + laws + " (" + fits + ") from " + laws_text(report, growth.rivals, ", ");
  if (fit.r_squared.low < kGoodFit)
    return "the nearest law is " + laws + " (" + fits + "), but these sizes do not tell whether it holds";
  return size_name(report) + " grows " + (intercept.empty() ? "in proportion to " : "linearly with ") + laws + " (" +
         r_squared + ", " + slope_text(fit) + intercept + through + ")";
}

Answer isoefficiency_answer(IsoefficiencyReport given) {
  struct Kept {
    IsoefficiencyReport report;
    std::vector<OfCurve<IsoefficiencyPoint>> points;
    std::vector<OfCurve<GrowthFit>> fits;
  };
  const auto kept = std::make_shared<Kept>();
  kept->report = std::move(given);
  const IsoefficiencyReport& report = kept->report;
  kept->points = all_of_curves(report, &IsoefficiencyCurve::points);
  kept->fits = all_of_curves(report, &IsoefficiencyCurve::fits);
  const auto of_point = [&k = *kept](std::size_t i) { return point_fields(k.report, k.points[i]); };
  const auto of_fit = [&k = *kept](std::size_t i) { return growth_fields(k.report, k.fits[i]); };
  Answer answer;
  say_all(report, answer);
  answer.tables.push_back(rows_of(".csv", kept->points.size(), of_point));
  answer.tables.push_back(rows_of("-fits.csv", kept->fits.size(), of_fit));
  answer.whole = whole_of(report);
  answer.script = [&report](PictureFormat format) { return isoefficiency_script(report, format); };
  answer.is_drawn_unasked =
      std::ranges::any_of(kept->points, [](const auto& point) { return point.part->has_size; });
  answer.has_failures = report.summary.has_failures();
  answer.made_of = kept;
  return answer;
}

namespace {

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

}  // namespace

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

}  // namespace nowsim

// What is said of isoefficiency: sizes, how well laws fit, and what cannot be reached.
#include <algorithm>
#include <cmath>
#include <ostream>

#include "experiments/driver/running/result_output.hpp"
#include "experiments/driver/running/unknown_intervals.hpp"
#include "experiments/driver/studies/isoefficiency.hpp"
#include "experiments/driver/studies/isoefficiency_request.hpp"
#include "experiments/driver/studies/isoefficiency_text.hpp"
#include "experiments/driver/studies/plan_text.hpp"
#include "experiments/driver/text/document.hpp"
#include "experiments/driver/text/duration_text.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

/// Tables and sentences for people.
class TextWriter {
 public:
  TextWriter(const IsoefficiencyReport& report, std::ostream& out) : report_(report), out_(out) {
    for (const auto& curve : report.family.curves)
      for (const auto& point : curve.points) {
        if (point.system.power_flops > most_power_) most_power_ = point.system.power_flops;
        if (point.tau_s.value > most_s_) most_s_ = point.tau_s.value;
        has_formula_ = has_formula_ || !std::isnan(point.formula_size);
      }
  }

  void write() {
    out_ << report_.summary.title << ": how " << report_.key << " grows with the system to keep " << report_.metric
         << "\n\n";
    write_sizes();
    out_ << "\nR² of the line through the sizes over\n\n";
    write_fits();
    out_ << '\n';
    for (const auto& curve : report_.family.curves)
      out_ << curve_text(report_, curve) << ": " << law_sentence(report_, curve) << ".\n";
    write_reasons();
    write_end();
  }

 private:
  /// What tells a curve, by the names that people use.
  [[nodiscard]] Fields place_columns(const IsoefficiencyCurve& curve) const {
    Fields fields{{report_.metric, curve.target, kInTable}};
    for (const auto& [key, value] : curve.others) fields.push_back({short_key(key), value, kInTable});
    return fields;
  }
  static std::string number(double x) { return std::isnan(x) ? "-" : format_quantity(x, Dimension::number); }

  [[nodiscard]] Fields size_columns(const IsoefficiencyCurve& curve, const IsoefficiencyPoint& point) const {
    const WorkUnit power = work_unit(most_power_);
    const ColumnUnit time = column_unit(most_s_);
    const auto found = [&](const Estimate& e) { return point.has_size ? e : kUnknownEstimate; };
    Fields fields = place_columns(curve);
    fields.push_back({"p", number(point.system.processors), kInTable});
    fields.push_back({power_name(report_), number(point.system.power_flops / power.flop), kInTable, power.name + "/s"});
    fields.push_back({size_name(report_), found(point.system.size), kInTable});
    fields.push_back({"W", point.has_size ? format_quantity(point.work_flop, Dimension::work) : "-", kInTable});
    fields.push_back({"tau", found(point.tau_s), kInTable, time.name, time.seconds});
    if (has_formula_) fields.push_back({size_name(report_) + " by (BO 2)", number(point.formula_size), kInTable});
    return fields;
  }
  void write_sizes() {
    const auto& curves = report_.family.curves;
    TextTable table(table_head(size_columns(curves.front(), {})));
    for (const auto& curve : curves)
      for (const auto& point : curve.points) table.add(table_cells(size_columns(curve, point)));
    table.write(out_, curves.front().others.size() + 2);
  }
  [[nodiscard]] Fields fit_columns(const IsoefficiencyCurve& curve) const {
    Fields fields = place_columns(curve);
    for (const auto& fit : curve.fits)
      fields.push_back({formula_text(report_, *fit.law), r_squared_text(fit.r_squared), kInTable});
    return fields;
  }
  void write_fits() {
    const auto& curves = report_.family.curves;
    TextTable table(table_head(fit_columns(curves.front())));
    for (const auto& curve : curves) table.add(table_cells(fit_columns(curve)));
    table.write(out_, curves.front().others.size() + 1);
  }
  void write_reasons() {
    bool is_first = true;
    for (const auto& curve : report_.family.curves)
      for (const auto& point : curve.points) {
        if (point.has_size) continue;
        const bool has_failed = report_.summary.rows[point.row].status == PointStatus::failed;
        out_ << (is_first ? "\n" : "") << (has_failed ? "failed: " : "no size: ") << curve_place(curve) << point.reason
             << '\n';
        is_first = false;
      }
  }
  /// What tells the curve from others besides the efficiency, which the reason names.
  static std::string curve_place(const IsoefficiencyCurve& curve) {
    std::string out;
    for (const auto& [key, value] : curve.others) out += (out.empty() ? "" : ", ") + short_key(key) + " " + value;
    return out.empty() ? "" : out + ": ";
  }
  void write_end() {
    const Provenance p = provenance_of(report_.summary);
    if (p.seed == "-") return;  // nothing has results
    out_ << '\n' << p.counts() << ", " << p.origin() << '\n';
    const auto lacks = [](const GrowthFit& fit) { return lacks_interval(fit.r_squared); };
    if (std::ranges::any_of(report_.family.curves, [&](const auto& c) { return std::ranges::any_of(c.fits, lacks); }))
      out_ << "± ?: R² of sizes without intervals has none either\n";
  }

  const IsoefficiencyReport& report_;
  std::ostream& out_;
  double most_power_ = 0, most_s_ = 0;
  bool has_formula_ = false;
};

// ---- for programs --------------------------------------------------------------------------------------------------

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
  const Fields more{{"at", axes, kInJson},
                    {"p", point.system.processors},
                    {power_name(report), point.system.power_flops},
                    {"size", point.system.size, kInCsv | in_found},
                    {"work", point.work_flop, kInCsv},
                    {"work_flop", point.work_flop, in_found},
                    {"tau", point.tau_s, kInCsv},
                    {"tau_s", point.tau_s, in_found},
                    {"size_BO", point.formula_size, kInCsv | in_found},
                    {"replications", row.replications},
                    {"seed", row.seed},
                    {"engine", row.engine},
                    {"version", row.version},
                    {"status", std::string(status_name(row.status))},
                    {"reason", point.reason}};
  fields.insert(fields.end(), more.begin(), more.end());
  return fields;
}

Fields growth_fields(const IsoefficiencyReport& report, const OfCurve<GrowthFit>& at) {
  const GrowthFit& fit = *at.part;
  const auto best = at.curve->best();
  const bool is_best = std::ranges::find(best, &fit) != best.end();
  Fields fields = place_fields(report, *at.curve);
  const Fields more{{"law", law_name(report, *fit.law)},
                    {"formula", formula_text(report, *fit.law)},
                    {"points", std::uint64_t{fit.points}},
                    {"slope", fit.slope},
                    {"intercept", fit.line.intercept},
                    {"r_squared", fit.r_squared},
                    {"best", std::uint64_t{is_best ? 1U : 0U}, kInCsv},
                    {"best", is_best, kInJson}};
  fields.insert(fields.end(), more.begin(), more.end());
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

void write_isoefficiency(const IsoefficiencyReport& report, Format format, std::ostream& out) {
  const auto points = all_of_curves(report, &IsoefficiencyCurve::points);
  const auto fields = [&](const auto& point) { return Object{point_fields(report, point)}; };
  write_document({[&](std::ostream& o) { TextWriter(report, o).write(); }, point_fields(report, points.front()),
                  list_of(points, fields), whole_of(report)},
                 format, out);
}

void write_growth_fits_csv(const IsoefficiencyReport& report, std::ostream& out) {
  const auto fits = all_of_curves(report, &IsoefficiencyCurve::fits);
  const auto fields = [&](const auto& fit) { return Object{growth_fields(report, fit)}; };
  write_csv(growth_fields(report, fits.front()), list_of(fits, fields), out);
}

}  // namespace nowsim

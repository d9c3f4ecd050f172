// Isoefficiency as CSV: sizes, and laws in a table of their own.
#include <algorithm>
#include <ostream>
#include <vector>

#include "experiments/driver/studies/isoefficiency.hpp"
#include "experiments/driver/studies/isoefficiency_request.hpp"
#include "experiments/driver/studies/isoefficiency_text.hpp"
#include "experiments/driver/text/escapes.hpp"
#include "experiments/driver/text/estimate_formats.hpp"

namespace nowsim {
namespace {

void write_estimate(const Estimate& e, std::ostream& out) {
  for (const double x : {e.value, e.low, e.high}) out << ',' << csv_number(x);
}

void write_place_head(const IsoefficiencyReport& report, std::ostream& out) {
  out << "metric,target";
  for (const auto& [key, value] : report.family.curves.front().others) out << ',' << csv_field(key);
}

void write_place(const IsoefficiencyReport& report, const IsoefficiencyCurve& curve, std::ostream& out) {
  out << csv_field(report.metric) << ',' << csv_field(curve.target);
  for (const auto& [key, value] : curve.others) out << ',' << csv_field(value);
}

/// The keys along which the system grows, with those of their zips.
std::vector<std::size_t> columns_along(const IsoefficiencyReport& report) {
  std::vector<std::size_t> out;
  const auto& others = report.family.curves.front().others;
  for (std::size_t k = 0; k < report.summary.axes.size(); ++k) {
    const std::string& key = report.summary.axes[k];
    const bool is_other = std::ranges::any_of(others, [&](const auto& other) { return other.first == key; });
    if (key != kTargetKey && !is_other) out.push_back(k);
  }
  return out;
}

}  // namespace

void write_isoefficiency_csv(const IsoefficiencyReport& report, std::ostream& out) {
  const auto along = columns_along(report);
  write_place_head(report, out);
  for (const auto k : along) out << ',' << csv_field(report.summary.axes[k]);
  out << ",p," << power_name(report) << ",size,size_low,size_high,work,tau,tau_low,tau_high,size_BO,replications,seed,engine,version,"
         "status,reason\n";
  for (const auto& curve : report.family.curves)
    for (const auto& point : curve.points) {
      const SummaryRow& row = report.summary.rows[point.row];
      write_place(report, curve, out);
      for (const auto k : along) out << ',' << csv_field(row.values[k]);
      out << ',' << csv_number(point.system.processors) << ',' << csv_number(point.system.power_flops);
      write_estimate(point.system.size, out);
      out << ',' << csv_number(point.work_flop);
      write_estimate(point.tau_s, out);
      out << ',' << csv_number(point.formula_size) << ',' << row.replications << ',' << row.seed << ',' << row.engine
          << ',' << row.version << ',' << row.status << ',' << csv_field(point.reason) << '\n';
    }
}

void write_growth_fits_csv(const IsoefficiencyReport& report, std::ostream& out) {
  write_place_head(report, out);
  out << ",law,formula,points,slope,slope_low,slope_high,intercept,r_squared,r_squared_low,r_squared_high,best\n";
  for (const auto& curve : report.family.curves) {
    const auto best = curve.best();
    for (const auto& fit : curve.fits) {
      write_place(report, curve, out);
      out << ',' << law_name(report, *fit.law) << ',' << formula_text(report, *fit.law) << ',' << fit.points;
      write_estimate(fit.slope, out);
      out << ',' << csv_number(fit.line.intercept);
      write_estimate(fit.r_squared, out);
      out << ',' << (std::ranges::find(best, &fit) != best.end() ? 1 : 0) << '\n';
    }
  }
}

}  // namespace nowsim

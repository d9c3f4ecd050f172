// Isoefficiency as JSON.
#include <algorithm>
#include <ostream>

#include "experiments/driver/studies/isoefficiency.hpp"
#include "experiments/driver/studies/isoefficiency_text.hpp"
#include "experiments/driver/text/escapes.hpp"
#include "experiments/driver/text/estimate_formats.hpp"

namespace nowsim {
namespace {

/// "key": "value" of each.
template <class Pairs>
std::string object_of(const Pairs& pairs) {
  std::string out;
  for (const auto& [key, value] : pairs) out += (out.empty() ? "" : ", ") + json_text(key) + ": " + json_text(value);
  return "{" + out + "}";
}

std::string point_json(const IsoefficiencyReport& report, const IsoefficiencyPoint& point) {
  const SummaryRow& row = report.summary.rows[point.row];
  std::vector<std::pair<std::string, std::string>> axes;
  for (std::size_t k = 0; k < report.summary.axes.size(); ++k) axes.emplace_back(report.summary.axes[k], row.values[k]);
  std::string out = "{\"at\": " + object_of(axes) + ", \"p\": " + json_number(point.system.processors) +
                    ", \"" + power_name(report) + "\": " + json_number(point.system.power_flops);
  if (point.has_size)
    out += ", \"size\": " + json_estimate(point.system.size) + ", \"work_flop\": " + json_number(point.work_flop) +
           ", \"tau_s\": " + json_estimate(point.tau_s) + ", \"size_BO\": " + json_number(point.formula_size);
  return out + ", \"replications\": " + std::to_string(row.replications) + ", \"seed\": " + std::to_string(row.seed) +
         ", \"engine\": " + json_text(row.engine) + ", \"version\": " + json_text(row.version) +
         ", \"status\": " + json_text(row.status) + ", \"reason\": " + json_text(point.reason) + "}";
}

std::string fit_json(const IsoefficiencyReport& report, const GrowthFit& fit, bool is_best) {
  return "{\"law\": " + json_text(law_name(report, *fit.law)) + ", \"formula\": " + json_text(formula_text(report, *fit.law)) +
         ", \"points\": " + std::to_string(fit.points) + ", \"slope\": " + json_estimate(fit.slope) +
         ", \"intercept\": " + json_number(fit.line.intercept) +
         ", \"r_squared\": " + json_estimate(fit.r_squared) + ", \"best\": " + (is_best ? "true" : "false") + "}";
}

void write_curve(const IsoefficiencyReport& report, const IsoefficiencyCurve& curve, std::ostream& out) {
  out << "    {\"target\": " << json_text(curve.target) << ", \"where\": " << object_of(curve.others)
      << ",\n     \"points\": [";
  for (std::size_t k = 0; k < curve.points.size(); ++k)
    out << (k > 0 ? ",\n                " : "") << point_json(report, curve.points[k]);
  out << "],\n     \"fits\": [";
  const auto best = curve.best();
  for (std::size_t k = 0; k < curve.fits.size(); ++k)
    out << (k > 0 ? ",\n              " : "")
        << fit_json(report, curve.fits[k], std::ranges::find(best, &curve.fits[k]) != best.end());
  out << "],\n     \"says\": " << json_text(law_sentence(report, curve)) << "}";
}

}  // namespace

void write_isoefficiency_json(const IsoefficiencyReport& report, std::ostream& out) {
  std::string along;
  for (const auto& key : report.family.along) along += (along.empty() ? "" : ", ") + json_text(key);
  out << "{\n  \"title\": " << json_text(report.summary.title) << ",\n  \"version\": " << json_text(version())
      << ",\n  \"size\": " << json_text(report.key) << ",\n  \"metric\": " << json_text(report.metric)
      << ",\n  \"power\": " << json_text(power_name(report))
      << ",\n  \"along\": [" << along << "],\n  \"curves\": [\n";
  const auto& curves = report.family.curves;
  for (std::size_t c = 0; c < curves.size(); ++c) {
    write_curve(report, curves[c], out);
    out << (c + 1 < curves.size() ? ",\n" : "\n");
  }
  out << "  ]\n}\n";
}

}  // namespace nowsim

// Sentences about sizes and laws.
#include "experiments/isoefficiency_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "experiments/estimate_formats.hpp"
#include "experiments/quantity.hpp"
#include "sim/text.hpp"

namespace nowsim {
namespace {

constexpr double kSmallIntercept = 0.05;  // of the mean size: then sizes are in proportion to a law
constexpr double kGoodFit = 0.99;         // R² below it: no law of the table holds

/// Flags instead of the keys that they stand for.
std::string with_flags(std::string text) {
  for (const auto& [key, flag] : {std::pair{"solve.from", "--from"}, std::pair{"solve.to", "--to"}})
    for (std::size_t at; (at = text.find(key)) != std::string::npos;) text.replace(at, std::string(key).size(), flag);
  return text;
}

std::string workstations_text(double n) {
  return short_number(n) + (n == 1 ? " workstation" : " workstations");
}

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

}  // namespace

std::string reason_text(const std::string& reason, const std::string& target, const IsoefficiencyPoint& point,
                        const SizeTask* task) {
  if (task == nullptr) return with_flags(reason);
  const double p = point.system.processors;
  const std::string who = std::isnan(p) ? "" : " with " + workstations_text(p);
  const std::string goal = task->metric->name + " = " + target, none = task->none_text() + ": ";
  if (reason.starts_with(none + "at "))
    return with_flags(goal + " cannot be reached" + who + " (" + task->range_text() + "): it is " +
                      reason.substr(none.size()));
  return with_flags(goal + who + ": " + reason);
}

std::string short_key(const std::string& key) { return key.substr(key.rfind('.') + 1); }

std::string curve_text(const IsoefficiencyReport& report, const IsoefficiencyCurve& curve) {
  std::string out = report.metric + " = " + curve.target;
  for (const auto& [key, value] : curve.others) out += ", " + short_key(key) + " " + value;
  return out;
}

std::string size_name(const IsoefficiencyReport& report) { return short_key(report.key); }

std::string formula_text(const IsoefficiencyReport& report, const GrowthLaw& law) {
  std::string out = law.formula;
  if (report.family.power == bosque::Power::left && out.starts_with("p_T")) out.insert(3, "_a");
  return out;
}

std::string r_squared_text(double r_squared) {
  if (std::isnan(r_squared)) return "-";
  const double rest = 1 - r_squared;
  if (rest < 1e-9) return "1";
  const int digits = std::clamp(static_cast<int>(std::ceil(-std::log10(rest))) + 1, 3, 10);
  char text[40];
  std::snprintf(text, sizeof text, "%.*f", digits, r_squared);
  return text;
}

std::string law_sentence(const IsoefficiencyReport& report, const IsoefficiencyCurve& curve) {
  const auto best = curve.best();
  if (best.empty()) {
    const auto sizes = std::ranges::count_if(curve.points, &IsoefficiencyPoint::has_size);
    return "no law: " + std::to_string(sizes) + (sizes == 1 ? " size was" : " sizes were") +
           " found, and any law goes through two";
  }
  const GrowthFit& fit = *best.front();
  std::string laws;
  for (const auto* one : best) laws += (laws.empty() ? "" : " = c·") + formula_text(report, *one->law);
  const std::string r_squared = "R² " + r_squared_text(fit.line.r_squared);
  if (fit.line.r_squared < kGoodFit) return "none of these laws holds; the nearest is " + laws + " (" + r_squared + ")";
  const bool is_in_proportion = std::abs(fit.line.intercept) <= kSmallIntercept * mean_size(curve);
  const std::string intercept =
      is_in_proportion ? "" : ", intercept " + format_quantity(fit.line.intercept, Dimension::number);
  return size_name(report) + " grows " + (is_in_proportion ? "in proportion to " : "linearly with ") + laws + " (" +
         r_squared + ", " + slope_text(fit) + intercept + ")";
}

}  // namespace nowsim

// Sentences about sizes and laws.
#include "experiments/driver/studies/isoefficiency_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string_view>

#include "experiments/driver/text/estimate_text.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

constexpr double kSmallIntercept = 0.05;  // of the mean size: then sizes are in proportion to a law

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

/// A name or formula of p_T with what stands for that.
std::string with_power(const IsoefficiencyReport& report, const std::string& text) {
  constexpr std::string_view kPower = "p_T";
  return text.starts_with(kPower) ? power_name(report) + text.substr(kPower.size()) : text;
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

std::string power_name(const IsoefficiencyReport& report) {
  return report.family.power == bosque::Power::left ? "p_T_a" : "p_T";
}

std::string law_name(const IsoefficiencyReport& report, const GrowthLaw& law) { return with_power(report, law.name); }

std::string formula_text(const IsoefficiencyReport& report, const GrowthLaw& law) {
  return with_power(report, law.formula);
}

std::string r_squared_text(const Estimate& r_squared) {
  if (std::isnan(r_squared.value)) return "-";
  const int digits = digits_of_r_squared(r_squared.value);
  const std::string value = r_squared_text(r_squared.value, digits);
  if (std::isnan(r_squared.low)) return value + " ± ?";
  if (r_squared_text(r_squared.low, digits) == value && r_squared_text(r_squared.high, digits) == value) return value;
  const auto end = [](double x) { return r_squared_text(x, digits_of_r_squared(x)); };
  return value + " [" + end(r_squared.low) + ", " + end(r_squared.high) + "]";
}

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

}  // namespace nowsim

// Reading q from a metric's name, and the metrics made of it.
#include "sim/metrics/quantile_metrics.hpp"

#include <map>
#include <optional>
#include <regex>

#include "sim/base/text.hpp"
#include "sim/statistics/influence.hpp"
#include "sim/statistics/quantiles.hpp"

namespace nowsim {
namespace {

std::optional<double> percent_in(const std::string& name) {
  static const std::regex pattern(R"(T_((?:0|[1-9][0-9]?)(?:\.[0-9]*[1-9])?))");
  std::smatch match;
  if (!std::regex_match(name, match, pattern)) return std::nullopt;
  const std::optional<double> percent = to_number(match[1].str());
  return percent && *percent > 0 && *percent < 100 ? percent : std::nullopt;
}

}  // namespace

Metric quantile_metric(const std::string& name, const std::string& summary) {
  const double p = percent_in(name).value() / 100;
  return {.name = name, .unit = "s", .summary = summary,
          .estimate = [p](const MetricContext& c, const PointStatistics& s) -> Estimates {
            const Estimate e = quantile_estimate(s.makespans_s, p, c.confidence, s.makespan_s.sampling().unit);
            const Observations& kept = s.makespan_s.observed();
            if (!kept.is_kept() || kept.span() > 1) return {e};
            return {with_influence(e, Influence(kept.column(0), 1, kept.replications(), 0, p, Influence::Of::quantile))};
          },
          .gathers = {.makespans = true},
          .better = Better::lower};
}

const Metric* find_quantile_metric(const std::string& name) {
  static std::map<std::string, Metric> made;  // what is there does not show: each name has one metric
  if (!percent_in(name)) return nullptr;
  const auto place = made.find(name);
  if (place != made.end()) return &place->second;
  return &made.emplace(name, quantile_metric(name, name.substr(2) + " % quantile of T")).first->second;
}

std::string quantile_name_problem(const std::string& name) {
  static const std::regex meant(R"(T_[-+]?\.?[0-9].*)");
  if (percent_in(name) || !std::regex_match(name, meant)) return "";
  return "in T_q, q is a percentage above 0 and below 100 without needless zeros, such as T_95 or T_99.9";
}

}  // namespace nowsim

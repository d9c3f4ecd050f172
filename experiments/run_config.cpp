// Reading the `run:` block.
#include "experiments/run_config.hpp"

#include <algorithm>
#include <iterator>

#include "sim/text.hpp"

namespace nowsim {
namespace {

/// What a metric has because of which a stopping rule cannot look at it: that takes one number per point, of the
/// point's own replications or its baseline's.
struct Hindrance {
  bool Metric::*has;
  const char* sentence;
};
constexpr Hindrance kHindrances[] = {
    {&Metric::per_workstation, " is a metric of each workstation; one of the whole run is wanted, such as tau"},
    {&Metric::needs_step1, " compares two splits, which stop by themselves; tau's precision can be asked for"},
    {&Metric::needs_reference, " compares two points, which stop by themselves; tau's precision can be asked for"},
    {&Metric::needs_solved, " is known before the point runs; tau's precision can be asked for"},
};

/// The first one. Null where a stopping rule can look at the metric.
const Hindrance* hindrance(const Metric& metric) {
  const auto found = std::ranges::find_if(kHindrances, [&](const Hindrance& h) { return metric.*h.has; });
  return found == std::end(kHindrances) ? nullptr : found;
}

/// The metric whose interval a stopping rule looks at. tau after a problem.
const Metric* read_precision_metric(Reader& read) {
  const std::string name = read.text("precision_of", "tau");
  const Metric* metric = find_metric(name);
  if (metric != nullptr && hindrance(*metric) == nullptr) return metric;
  std::vector<std::string> known;
  for (const auto& m : metrics())
    if (hindrance(m) == nullptr) known.push_back(m.name);
  const std::string near = metric == nullptr ? nearest_name(name, known) : "";
  if (metric == nullptr)
    read.problem("precision_of", "there is no metric '" + name + "'" +
                                     (near.empty() ? "; 'nowsim list metrics' names them" : "; did you mean '" + near + "'?"));
  else read.problem("precision_of", "'" + name + "'" + hindrance(*metric)->sentence);
  return find_metric("tau");
}

std::vector<std::string> variance_reduction_names() {
  std::vector<std::string> names;
  for (const auto& way : kVarianceReductions) names.emplace_back(way.name);
  return names;
}

}  // namespace

RunBlock read_run(Reading& reading) {
  Reader read(reading, {"run"});
  RunPlan plan;
  plan.replications = static_cast<std::uint64_t>(read.count("replications", 1000, 1));
  plan.precision = read.quantity("precision", Dimension::fraction, Bounds{}, 0.0);
  plan.precision_of = read_precision_metric(read);
  plan.least = static_cast<std::uint64_t>(read.count("min_replications", 100, 2));
  plan.confidence = read.quantity("confidence", Dimension::fraction, {0.5, 0.999999}, 0.95);
  plan.deadline_s = read.quantity("deadline", Dimension::time, Bounds{}, 0.0);
  plan.timeout_s = read.quantity("timeout", Dimension::time, Bounds{}, 0.0);
  plan.engine = static_cast<EngineChoice>(read.choice("engine", engine_names(), 0));
  plan.variance_reduction = &kVarianceReductions[read.choice("variance_reduction", variance_reduction_names(), 0)];
  if (plan.replications % plan.variance_reduction->unit() != 0)
    read.problem("replications", "'" + std::string(plan.variance_reduction->name) +
                                     "' takes replications in pairs: an even number is wanted, not " +
                                     std::to_string(plan.replications));
  return {plan, read.choice("baseline", {"fastest", "one"}, 0) == 1, read.text("reference", "")};
}

}  // namespace nowsim

// Reading the `run:` block.
#include "experiments/driver/points/run_config.hpp"

#include "experiments/driver/reading/metric_choice.hpp"

namespace nowsim {
namespace {

std::vector<std::string> variance_reduction_names() {
  std::vector<std::string> names;
  for (const auto& way : kVarianceReductions) names.emplace_back(way.name);
  return names;
}

/// So many that those of all points can be summed. After a problem the least.
std::uint64_t replications_of(Reader& read) {
  constexpr std::int64_t kMost = 1'000'000'000'000;
  const std::int64_t wanted = read.count("replications", 1000, 1);
  if (wanted <= kMost) return static_cast<std::uint64_t>(wanted);
  read.problem("replications",
               std::to_string(wanted) + " is out of range: it must be at most " + std::to_string(kMost));
  return 1;
}

}  // namespace

RunBlock read_run(Reading& reading) {
  Reader read(reading, {"run"});
  RunPlan plan;
  plan.replications = replications_of(read);
  plan.precision = read.quantity("precision", Dimension::fraction, Bounds{}, 0.0);
  if (const Metric* metric = read_metric(read, "precision_of", MetricUse::stopping, "tau")) plan.precision_of = metric;
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

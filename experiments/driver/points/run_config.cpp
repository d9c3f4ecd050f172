// Reading the `run:` block.
#include "experiments/driver/points/run_config.hpp"

#include "experiments/driver/points/decision.hpp"
#include "experiments/driver/reading/metric_choice.hpp"

namespace nowsim {
namespace {

/// So many that those of all points can be summed. After a problem the least.
std::uint64_t replications_of(Reader& read) {
  constexpr std::int64_t kMost = 1'000'000'000'000;
  const std::int64_t wanted = read.whole("replications");
  if (wanted <= kMost) return static_cast<std::uint64_t>(wanted);
  read.problem("replications",
               std::to_string(wanted) + " is out of range: it must be at most " + std::to_string(kMost));
  return 1;
}

/// One rule says when a point stops.
void read_decision(Reader& read, RunPlan& plan) {
  if (read.text("decide").empty()) return;
  plan.indifference = read.value("indifference");
  const std::string by = read.text("decide_by");
  if (deciding_metric(by) != nullptr) plan.decide_by = find_metric(by);
  else
    read.problem("decide_by", (find_metric(by) != nullptr ? "'" + by + "' is no mean of replications that are compared"
                                                          : no_metric(by, words_in(deciding_metrics()))) +
                                  "; decisions are made by one of: " + joined(words_in(deciding_metrics())));
  if (plan.precision > 0)
    read.problem("decide", "a point stops by its precision or by what is decided, not by both: leave one of them out "
                           "('--set run.precision=0', say)");
}

}  // namespace

const KeyTable& run_keys() {
  static const KeyTable keys{
      {"replications", KeyType::count, "1000", "of each point; with a precision or a decision the most", {1}},
      {"seed", KeyType::count, "1", "of all random numbers"},
      {"engine", KeyType::word, engine_names().front(), "what simulates (flag --engine)", {}, engine_names()},
      {"precision", KeyType::share, "0", "half width of an interval at which a point stops, by the value; 0: none"},
      {"precision_of", KeyType::text, "tau", "the metric whose interval that is"},
      {"min_replications", KeyType::count, "100", "the fewest, with a precision", {2}},
      {"decide", KeyType::text, "",
       "a swept key: points stop, from 200 replications on, when its best value is told (flag --decide)"},
      {"decide_by", KeyType::text, "tau", "the metric that is to be small: tau or RF"},
      {"indifference", KeyType::share, "1%", "what makes no difference: a share of the least tau, or a part of RF",
       kPositive},
      {"confidence", KeyType::share, "95%", "of all intervals, and of a decision", {0.5, 0.999999}},
      {"deadline", KeyType::time, "0s", "for the risk factor; 0: none"},
      {"timeout", KeyType::time, "0s", "the most a batch, a split's search or making machines may take; 0: any"},
      {"baseline", KeyType::word, "fastest", "what the speedup compares with: the fastest machine alone, or one machine", {},
       {"fastest", "one"}},
      {"reference", KeyType::text, "", "of scale_e and others: the first point along this swept key"},
      {"infeasible", KeyType::word, "error", "what becomes of points that cannot be (skip: left blank)", {},
       {"error", "skip"}},
      {"variance_reduction", KeyType::word, kVarianceReductions[0].name, "narrower intervals (flag --variance-reduction)",
       {}, words_in(kVarianceReductions)}};
  return keys;
}

RunBlock read_run(Reading& reading, const Registry<Metric>& metrics) {
  Reader read(reading, {"run"}, run_keys());
  RunPlan plan;
  plan.replications = replications_of(read);
  plan.precision = read.value("precision");
  if (const Metric* metric = read_metric(read, "precision_of", MetricUse::stopping, metrics)) plan.precision_of = metric;
  plan.least = static_cast<std::uint64_t>(read.whole("min_replications"));
  plan.confidence = read.value("confidence");
  plan.deadline_s = read.value("deadline");
  plan.timeout_s = read.value("timeout");
  plan.engine = static_cast<EngineChoice>(read.word("engine"));
  plan.variance_reduction = &kVarianceReductions[read.word("variance_reduction")];
  if (plan.replications % plan.variance_reduction->unit() != 0)
    read.problem("replications", "'" + std::string(plan.variance_reduction->name) +
                                     "' takes replications in pairs: an even number is wanted, not " +
                                     std::to_string(plan.replications));
  read_decision(read, plan);
  return {plan, read.word("baseline") == 1, read.text("reference")};
}

}  // namespace nowsim

// The distribution of T of one point, and the risk of a deadline.
#include <algorithm>
#include <cstdint>
#include <span>
#include <sstream>

#include "experiments/driver/pictures/resolved_figure.hpp"
#include "experiments/driver/points/execution_plan.hpp"
#include "experiments/driver/running/result_table.hpp"
#include "experiments/driver/text/checksum.hpp"
#include "experiments/driver/text/estimate_text.hpp"
#include "sim/engines/engine.hpp"
#include "tools/page/page_scenario.hpp"

namespace nowsim {
namespace {

/// Of which T itself is kept: a quantile wants every replication.
constexpr const char* kMetricsOfTimes = "metrics=[tau, sigma_T, T_50]";

/// The same for the same question, whoever asks it.
std::string id_of_times(const PageRequest& request) {
  const auto replications = request.whole("replications");
  const PageJson asked = PageJson::array({request.text("yaml"), request.text("name"), request.texts("set"),
                                          replications ? PageJson(*replications) : PageJson()});
  std::ostringstream id;
  id << std::hex << static_cast<std::uint64_t>(checksum(asked.dump()));
  return id.str();
}

Experiment read_for_times(const PageDesk& desk, const PageRequest& request) {
  PageScenario scenario = page_scenario(desk, request);
  scenario.options.overrides.emplace_back(kMetricsOfTimes);
  Experiment experiment = described_scenario(desk, scenario);
  only_point(experiment);
  return ready_scenario(desk, std::move(experiment));
}

/// As a figure of distributions has it: Clopper-Pearson at each time; pairs count as one observation.
PageJson curve_of(const PageTimes& times) {
  PageJson curve = PageJson::array();
  const std::size_t n = times.makespans_s.size();
  for (const auto& [t_s, longer] : survival_steps(times.makespans_s)) {
    const double share = static_cast<double>(longer) / static_cast<double>(n);
    const Estimate e = proportion_interval(share, static_cast<double>(n / times.unit), times.confidence);
    curve.push_back({{"t_s", t_s}, {"late", share}, {"low", e.low}, {"high", e.high}});
  }
  return curve;
}

/// As the metric RF has it.
Estimate risk_at_deadline(const PageTimes& times, double deadline_s) {
  std::vector<double> late;
  std::uint64_t count = 0;
  for (const double t_s : times.makespans_s) {
    late.push_back(t_s > deadline_s ? 1 : 0);
    count += t_s > deadline_s;
  }
  if (times.unit == 1) return proportion_estimate(count, late.size(), times.confidence);
  Sample lateness(Sampling{.unit = times.unit});
  for (std::size_t begin = 0; begin < late.size(); begin += times.batch)
    lateness.add_batch(std::span(late).subspan(begin, std::min(times.batch, late.size() - begin)), {});
  return proportion_estimate(lateness, times.confidence);
}

}  // namespace

PageJson page_times(PageDesk& desk, const PageRequest& request) {
  const Experiment experiment = read_for_times(desk, request);
  const Point& point = only_point(experiment);
  const auto outcomes = run_experiment(experiment, {desk.options.jobs, desk.options.on_progress});
  const PointOutcome& outcome = outcomes.front();
  if (!outcome.failure.empty()) throw RunError(outcome.failure);
  const ResultTable summary = summarise(experiment, outcomes);
  const ResultRow& row = summary.rows.front();
  if (!row.has_results() || outcome.statistics->makespans_s.empty())
    throw InputError("there is nothing to show: " + row.reason);
  desk.times = {id_of_times(request), outcome.statistics->makespans_s,
                static_cast<std::size_t>(point.plan.variance_reduction->unit()), point.plan.confidence,
                static_cast<std::size_t>(batch_size(*point.scenario()))};
  const auto [least, most] = std::ranges::minmax(desk.times.makespans_s);
  return {{"n", row.replications},
          {"mean", page_estimate(row.estimates[0].front())},
          {"sd", page_estimate(row.estimates[1].front())},
          {"curve", curve_of(desk.times)},
          {"least_s", least},
          {"most_s", most},
          {"confidence", row.confidence},
          {"seed", row.seed},
          {"engine", row.engine},
          {"version", row.version},
          {"id", desk.times.id}};
}

PageJson page_risk(PageDesk& desk, const PageRequest& request) {
  const double deadline_s = request.number("deadline_s");
  if (request.text("id") != desk.times.id || desk.times.makespans_s.empty())
    throw InputError(Place{"", 0, "id"}, "these are not the last times: the question 'times' comes first");
  const Estimate late = risk_at_deadline(desk.times, deadline_s);
  return {{"late", page_estimate(late)}, {"text", estimate_text(late)}};
}

}  // namespace nowsim

// Estimates of one point out of its machines' powers, tau and closed forms.
#include "sim/metrics/bosque_metrics.hpp"

#include <limits>
#include <numeric>
#include <optional>

#include "sim/metrics/bosque_model.hpp"
#include "sim/metrics/worker_estimates.hpp"
#include "sim/metrics/zhang_yan_metrics.hpp"
#include "sim/statistics/estimate_arithmetic.hpp"

namespace nowsim::bosque {
namespace {

double work_flop(const MetricContext& c) { return zhang_yan::work_flop(*c.scenario); }

/// Where the machines' power is as good as one machine's that has all of it: W/p_T [s].
double optimal_s(const MetricContext& c, Power which) { return work_flop(c) / total_power_flops(*c.scenario, which); }

Estimates efficiency_of(Power which, const MetricContext& c, const PointStatistics& s) {
  return {over_mean(optimal_s(c, which), mean_estimate(s.makespan_s, c.confidence))};
}

Estimates overhead_of(Power which, const MetricContext& c, const PointStatistics& s) {
  const Estimate tau = mean_estimate(s.makespan_s, c.confidence);
  return {settled(minus(tau, optimal_s(c, which)), tau.value)};
}

/// What closed forms need, and what makes a program and a network such that there are any.
struct ClosedForm {
  const OverheadModel& model;
  double ranks;
  UniformNetwork network;
  [[nodiscard]] double overhead_s() const { return model.overhead_s(model.size(), ranks, network); }
};

/// One machine sends nothing: any network will do.
std::optional<UniformNetwork> network_of(const Scenario& scenario) {
  if (scenario.size() == 1) return UniformNetwork{0, std::numeric_limits<double>::infinity()};
  return scenario.network;
}

std::optional<ClosedForm> closed_form(const Scenario& scenario) {
  const auto& model = scenario.workload->program().overhead_model;
  const auto network = network_of(scenario);
  if (model == nullptr || !network) return std::nullopt;
  return ClosedForm{*model, static_cast<double>(scenario.size()), *network};
}

/// An efficiency that was asked for, and whose it is.
struct Target {
  double efficiency;
  Power power;
};
std::optional<Target> target_of(const MetricContext& c) {
  if (c.solved == nullptr) return std::nullopt;
  if (const auto eps = c.solved->value_of(Efficiency::eps)) return Target{*eps, Power::dedicated};
  if (const auto eps_a = c.solved->value_of(Efficiency::eps_a)) return Target{*eps_a, Power::left};
  return std::nullopt;
}

/// With a power in place of p_T.
Estimates size_with(double power_flops, double efficiency, const MetricContext& c) {
  const auto form = closed_form(*c.scenario);
  if (!form) return {exactly(kNotKnown)};
  const System system{form->ranks, power_flops, form->network};
  return {exactly(isoefficient_size(form->model, efficiency, system).value_or(kNotKnown))};
}

}  // namespace

/// W/(W/speed + t) as speed/(1 + t·speed/W), which is the speed itself, to the last bit, where t is 0, whatever W is.
std::vector<double> powers_flops(const Scenario& scenario, Power which) {
  std::vector<double> out;
  for (std::size_t i = first_worker(scenario); i < scenario.size(); ++i) {
    const Workstation& host = scenario.platform->workstations[i];
    const double paging_s = scenario.workload->program().paging_alone_s(host);
    const double power =
        paging_s == 0 ? host.speed_flops
                      : host.speed_flops / (1 + paging_s / zhang_yan::work_flop(scenario) * host.speed_flops);
    out.push_back(which == Power::left ? power * scenario.owners[i]->mean() : power);
  }
  return out;
}

double total_power_flops(const Scenario& scenario, Power which) {
  const std::vector<double> powers = powers_flops(scenario, which);
  return std::accumulate(powers.begin(), powers.end(), 0.0);
}

double processors(const Scenario& scenario) { return static_cast<double>(scenario.size() - first_worker(scenario)); }

Estimates powers(const MetricContext& c, const PointStatistics&) {
  Estimates out;
  for (const double power : powers_flops(*c.scenario, Power::dedicated)) out.push_back(exactly(power));
  return behind_server(*c.scenario, kNotKnown, out);
}

Estimates total_power(const MetricContext& c, const PointStatistics&) {
  return {exactly(total_power_flops(*c.scenario, Power::dedicated))};
}

Estimates total_power_left(const MetricContext& c, const PointStatistics&) {
  return {exactly(total_power_flops(*c.scenario, Power::left))};
}

Estimates efficiency(const MetricContext& c, const PointStatistics& s) {
  return efficiency_of(Power::dedicated, c, s);
}

Estimates efficiency_of_left(const MetricContext& c, const PointStatistics& s) {
  return efficiency_of(Power::left, c, s);
}

Estimates overhead(const MetricContext& c, const PointStatistics& s) { return overhead_of(Power::dedicated, c, s); }

Estimates overhead_of_left(const MetricContext& c, const PointStatistics& s) { return overhead_of(Power::left, c, s); }

Estimates theoretical_overhead(const MetricContext& c, const PointStatistics&) {
  const auto form = closed_form(*c.scenario);
  return {exactly(form ? form->overhead_s() : kNotKnown)};
}

Estimates theoretical_efficiency(const MetricContext& c, const PointStatistics&) {
  const auto form = closed_form(*c.scenario);
  if (!form) return {exactly(kNotKnown)};
  const double work = form->model.work_flop(form->model.size());
  const double power = total_power_flops(*c.scenario, Power::dedicated);
  return {exactly(efficiency_with_overhead(work, form->overhead_s(), power))};
}

Estimates theoretical_size(const MetricContext& c, const PointStatistics&) {
  const auto target = target_of(c);
  if (!target) return {exactly(kNotKnown)};
  return size_with(total_power_flops(*c.scenario, target->power), target->efficiency, c);
}

Estimates classic_size(const MetricContext& c, const PointStatistics&) {
  const auto target = target_of(c);
  if (!target || !c.reference) return {exactly(kNotKnown)};
  const Scenario& reference = *c.reference->scenario;
  const double mean_flops = total_power_flops(reference, target->power) / processors(reference);
  return size_with(processors(*c.scenario) * mean_flops, target->efficiency, c);
}

}  // namespace nowsim::bosque

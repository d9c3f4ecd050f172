// The formulas as printed, and the estimates of one point out of its machines' powers, tau and closed forms.
#include "sim/metrics/paper_models.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>

#include "sim/base/infinity.hpp"
#include "sim/metrics/growth_law.hpp"
#include "sim/metrics/metrics.hpp"
#include "sim/statistics/influence.hpp"

namespace nowsim::bosque {
namespace {

constexpr double kLeastSize = 1e-12, kGreatestSize = 1e18;
constexpr double kRelativeError = 1e-12;

/// Both sides of W(n) = K p_T T_o(n) [flop].
struct Sides {
  double work_flop, overhead_flop;
  [[nodiscard]] bool has_reached() const { return work_flop > 0 && work_flop >= overhead_flop; }
  /// There is a program of that size, and it loses something: without either no side says anything of an efficiency.
  [[nodiscard]] bool are_meant() const { return work_flop > 0 && overhead_flop > 0; }
};

/// P_i [flop/s], one per worker: W/(W/speed + t) as speed/(1 + t·speed/W), which is the speed itself, to the last bit,
/// where t is 0, whatever W is.
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

double work_flop(const MetricContext& c) { return zhang_yan::work_flop(*c.scenario); }

/// Where the machines' power is as good as one machine's that has all of it: W/p_T [s].
double optimal_s(const MetricContext& c, Power which) { return work_flop(c) / total_power_flops(*c.scenario, which); }

/// eps = W/(tau p_T) (1), and with what owners leave; tau's interval.
template <Power which>
Estimates efficiency_of(const MetricContext& c, const PointStatistics& s) {
  return {over_mean(optimal_s(c, which), mean_estimate(s.makespan_s, c.confidence))};
}

/// T_o = tau - W/p_T [s], and with what owners leave; tau's interval.
template <Power which>
Estimates overhead_of(const MetricContext& c, const PointStatistics& s) {
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

std::optional<ClosedForm> closed_form(const Scenario& scenario) {
  const auto& model = scenario.workload->program().overhead_model;
  auto network = scenario.network;
  if (scenario.size() == 1) network = UniformNetwork{0, kInfinity};  // it sends nothing: any network will do
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

Estimates size_with(double power_flops, double efficiency, const MetricContext& c) {
  const auto form = closed_form(*c.scenario);
  if (!form) return {exactly(kNotKnown)};
  const System system{form->ranks, power_flops, form->network};
  return {exactly(isoefficient_size(form->model, efficiency, system).value_or(kNotKnown))};
}

Estimates powers(const MetricContext& c, const PointStatistics&) {
  return behind_server(*c.scenario, kNotKnown, exactly_each(powers_flops(*c.scenario, Power::dedicated)));
}

template <Power which>
Estimates total_power_of(const MetricContext& c, const PointStatistics&) {
  return {exactly(total_power_flops(*c.scenario, which))};
}

// ---- closed forms, of a program that has an OverheadModel, on a uniform network (Scenario::network) or one machine;
// else NaN. Sizes and W are the model's, p_T the point's at its own size; p is the number of ranks.

/// T_o [s].
Estimates theoretical_overhead(const MetricContext& c, const PointStatistics&) {
  const auto form = closed_form(*c.scenario);
  return {exactly(form ? form->overhead_s() : kNotKnown)};
}

/// W/(W + T_o p_T).
Estimates theoretical_efficiency(const MetricContext& c, const PointStatistics&) {
  const auto form = closed_form(*c.scenario);
  if (!form) return {exactly(kNotKnown)};
  const double work = form->model.work_flop(form->model.size());
  const double power = total_power_flops(*c.scenario, Power::dedicated);
  return {exactly(efficiency_with_overhead(work, form->overhead_s(), power))};
}

/// The size that has the efficiency eps (or eps_a: then of what owners leave) that was solved for: isoefficient_size().
/// NaN where something else was solved for.
Estimates theoretical_size(const MetricContext& c, const PointStatistics&) {
  const auto target = target_of(c);
  if (!target) return {exactly(kNotKnown)};
  return size_with(total_power_flops(*c.scenario, target->power), target->efficiency, c);
}

/// The same by the classic isoefficiency function, to which all processors are alike: with p times the mean power of
/// the reference point's in place of p_T. NaN without a reference.
Estimates classic_size(const MetricContext& c, const PointStatistics&) {
  const auto target = target_of(c);
  if (!target || !c.reference) return {exactly(kNotKnown)};
  const Scenario& reference = *c.reference->scenario;
  const double mean_flops = total_power_flops(reference, target->power) / processors(reference);
  return size_with(processors(*c.scenario) * mean_flops, target->efficiency, c);
}

/// What sizes may grow like, by the law of this name (growth_law.hpp).
auto by_law(const std::string& name) {
  const auto law = std::ranges::find_if(growth_laws(), [&](const GrowthLaw& l) { return l.name == name; });
  return [of = law->of](const MetricContext& c, const PointStatistics&) -> Estimates {
    return {exactly(of(processors(*c.scenario), total_power_flops(*c.scenario, Power::dedicated)))};
  };
}

}  // namespace

double efficiency_with_overhead(double work_flop, double overhead_s, double power_flops) {
  return work_flop / (work_flop + overhead_s * power_flops);
}

double constant_of(double efficiency) { return efficiency / (1 - efficiency); }

std::optional<double> isoefficient_size(const OverheadModel& model, double efficiency, const System& system) {
  if (!(efficiency > 0 && efficiency < 1)) return std::nullopt;
  const auto at = [&](double n) {
    const double overhead_s = model.overhead_s(n, system.ranks, system.network);
    return Sides{model.work_flop(n), constant_of(efficiency) * overhead_s * system.power_flops};
  };
  double low = kLeastSize, high = 2 * kLeastSize;
  for (; high <= kGreatestSize && !at(high).has_reached(); high *= 2) low = high;
  if (high > kGreatestSize) return std::nullopt;
  while (high / low - 1 > kRelativeError) {
    const double middle = std::sqrt(low) * std::sqrt(high);
    if (!(middle > low && middle < high)) break;
    (at(middle).has_reached() ? high : low) = middle;
  }
  return at(low).are_meant() && !at(low).has_reached() ? std::optional(high) : std::nullopt;
}

double total_power_flops(const Scenario& scenario, Power which) {
  const std::vector<double> powers = powers_flops(scenario, which);
  return std::accumulate(powers.begin(), powers.end(), 0.0);
}

double processors(const Scenario& scenario) { return static_cast<double>(scenario.size() - first_worker(scenario)); }

}  // namespace nowsim::bosque

namespace nowsim {
namespace bo = bosque;

std::span<const Metric> bosque_metrics() {
  static const Metric table[] = {
      {.name = "P_i", .unit = "flop/s",
       .summary = "power of each: W / time of the whole job on it alone, dedicated (BO, section 2)",
       .per_workstation = true, .estimate = bo::powers, .exact = true},
      {.name = "p_T", .unit = "flop/s", .summary = "sum of P_i (BO, section 2)",
       .estimate = bo::total_power_of<bo::Power::dedicated>, .exact = true},
      {.name = "p_T_a", .unit = "flop/s", .summary = "sum of P_i·a_i: what owners leave of it on average",
       .estimate = bo::total_power_of<bo::Power::left>, .exact = true},
      {.name = "eps", .summary = "efficiency: W / (tau·p_T) (BO 1)",
       .estimate = bo::efficiency_of<bo::Power::dedicated>, .efficiency = Efficiency::eps, .better = Better::higher},
      {.name = "eps_a", .summary = "the same of what owners leave: W / (tau·p_T_a)",
       .estimate = bo::efficiency_of<bo::Power::left>, .efficiency = Efficiency::eps_a, .better = Better::higher},
      {.name = "T_o", .unit = "s", .summary = "overhead: tau - W / p_T (BO, section 2)",
       .estimate = bo::overhead_of<bo::Power::dedicated>, .better = Better::lower},
      {.name = "T_o_a", .unit = "s", .summary = "the same of what owners leave: tau - W / p_T_a",
       .estimate = bo::overhead_of<bo::Power::left>, .better = Better::lower},
      {.name = "p_log_p", .summary = "p·log2 p: classic isoefficiency by broadcast (BO 3.1)",
       .estimate = bo::by_law("p_log_p"), .exact = true},
      {.name = "p_T_log_p", .unit = "flop/s", .summary = "p_T·log2 p: H-isoefficiency by broadcast (BO 4)",
       .estimate = bo::by_law("p_T_log_p"), .exact = true},
      {.name = "p_p", .summary = "p²: classic isoefficiency point to point (BO 3.1)", .estimate = bo::by_law("p_p"),
       .exact = true},
      {.name = "p_T_p", .unit = "flop/s", .summary = "p_T·p: H-isoefficiency point to point (BO 3)",
       .estimate = bo::by_law("p_T_p"), .exact = true},
      {.name = "T_o_BO", .unit = "s", .summary = "theory: overhead of messages on a uniform network (BO 3.1)",
       .estimate = bo::theoretical_overhead, .exact = true, .better = Better::lower},
      {.name = "eps_BO", .summary = "theory: W / (W + p_T·T_o_BO) (BO, section 2)",
       .estimate = bo::theoretical_efficiency, .exact = true, .better = Better::higher},
      {.name = "n_BO", .summary = "theory: size of the eps (or eps_a) solved for, H-isoefficiency (BO 2)",
       .estimate = bo::theoretical_size, .exact = true, .needs_solved = true},
      {.name = "n_classic", .summary = "the same, all machines taken for the reference point's mean one",
       .estimate = bo::classic_size, .exact = true, .needs_solved = true, .needs_reference = true},
  };
  return table;
}

}  // namespace nowsim

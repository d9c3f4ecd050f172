// Bosque et al.'s rows of the table of metrics.
#include "sim/metrics/bosque_metrics.hpp"
#include "sim/metrics/growth_law.hpp"

namespace nowsim {
namespace {

namespace bo = bosque;

using Estimates = std::vector<Estimate>;

/// What sizes may grow like.
template <double (*Law)(double processors, double power_flops)>
Estimates law(const MetricContext& c, const PointStatistics&) {
  return {exactly(Law(bo::processors(*c.scenario), bo::total_power_flops(*c.scenario, bo::Power::dedicated)))};
}

}  // namespace

std::span<const Metric> bosque_metrics() {
  static const Metric table[] = {
      {.name = "P_i", .unit = "flop/s",
       .summary = "power of each: W / time of the whole job on it alone, dedicated (BO, section 2)",
       .per_workstation = true, .estimate = bo::powers, .exact = true},
      {.name = "p_T", .unit = "flop/s", .summary = "sum of P_i (BO, section 2)", .estimate = bo::total_power,
       .exact = true},
      {.name = "p_T_a", .unit = "flop/s", .summary = "sum of P_i·a_i: what owners leave of it on average",
       .estimate = bo::total_power_left, .exact = true},
      {.name = "eps", .unit = "", .summary = "efficiency: W / (tau·p_T) (BO 1)", .estimate = bo::efficiency,
       .efficiency = Efficiency::eps},
      {.name = "eps_a", .unit = "", .summary = "the same of what owners leave: W / (tau·p_T_a)",
       .estimate = bo::efficiency_of_left, .efficiency = Efficiency::eps_a},
      {.name = "T_o", .unit = "s", .summary = "overhead: tau - W / p_T (BO, section 2)", .estimate = bo::overhead},
      {.name = "T_o_a", .unit = "s", .summary = "the same of what owners leave: tau - W / p_T_a",
       .estimate = bo::overhead_of_left},
      {.name = "p_log_p", .unit = "", .summary = "p·log2 p: classic isoefficiency by broadcast (BO 3.1)",
       .estimate = law<p_log_p>, .exact = true},
      {.name = "p_T_log_p", .unit = "flop/s", .summary = "p_T·log2 p: H-isoefficiency by broadcast (BO 4)",
       .estimate = law<p_T_log_p>, .exact = true},
      {.name = "p_p", .unit = "", .summary = "p²: classic isoefficiency point to point (BO 3.1)",
       .estimate = law<p_p>, .exact = true},
      {.name = "p_T_p", .unit = "flop/s", .summary = "p_T·p: H-isoefficiency point to point (BO 3)",
       .estimate = law<p_T_p>, .exact = true},
      {.name = "T_o_BO", .unit = "s", .summary = "theory: overhead of messages on a uniform network (BO 3.1)",
       .estimate = bo::theoretical_overhead, .exact = true},
      {.name = "eps_BO", .unit = "", .summary = "theory: W / (W + p_T·T_o_BO) (BO, section 2)",
       .estimate = bo::theoretical_efficiency, .exact = true},
      {.name = "n_BO", .unit = "", .summary = "theory: size of the eps (or eps_a) solved for, H-isoefficiency (BO 2)",
       .estimate = bo::theoretical_size, .exact = true, .needs_solved = true},
      {.name = "n_classic", .unit = "", .summary = "the same, all machines taken for the reference point's mean one",
       .estimate = bo::classic_size, .exact = true, .needs_solved = true, .needs_reference = true},
  };
  return table;
}

}  // namespace nowsim

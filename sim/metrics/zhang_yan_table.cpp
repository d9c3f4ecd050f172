// Zhang & Yan's rows of the table of metrics, by the parts of their paper.
#include "sim/metrics/zhang_yan_metrics.hpp"
#include "sim/metrics/zhang_yan_scaling.hpp"

namespace nowsim {
namespace {

namespace zy = zhang_yan;

constexpr Gathering kGathersTimes{.times = true};

}  // namespace

std::span<const Metric> zhang_yan_metrics() {
  static const Metric table[] = {
      {.name = "W_i", .unit = "", .summary = "power weight: speed / that of the fastest (ZY 1)",
       .per_workstation = true, .estimate = zy::weights, .exact = true},
      {.name = "H", .unit = "", .summary = "heterogeneity: mean of 1 - W_i (ZY 4)", .estimate = zy::heterogeneity,
       .exact = true},
      {.name = "power", .unit = "", .summary = "sum of the power weights W_i", .estimate = zy::power, .exact = true},
      {.name = "speedup_dedicated", .unit = "", .summary = "time on the fastest one of the machines, dedicated / tau",
       .estimate = zy::speedup_dedicated},
      {.name = "ratio", .unit = "", .summary = "tau of the reference point / tau: measured power weights (ZY 2)",
       .estimate = zy::time_ratio, .needs_reference = true},
      {.name = "T_eff_i", .unit = "s", .summary = "effective time of each: work done / speed (ZY 3.2)",
       .per_workstation = true, .estimate = zy::effective_times, .gathers = kGathersTimes},
      {.name = "T_owner_i", .unit = "s", .summary = "owner's time of each in [0, T]", .per_workstation = true,
       .estimate = zy::owner_times, .gathers = kGathersTimes},
      {.name = "overhead_i", .unit = "s", .summary = "overhead of each: T - T_owner_i - T_eff_i (ZY 3.2)",
       .per_workstation = true, .estimate = zy::overheads, .gathers = kGathersTimes},
      {.name = "U_i", .unit = "", .summary = "owner's utilisation of each: T_owner_i / T (ZY 3.1.2)",
       .per_workstation = true, .estimate = zy::utilisations, .gathers = kGathersTimes},
      {.name = "SP_Delta", .unit = "", .summary = "SP·Delta_A: |A| / (max S·tau), the left side of Property 1 (ZY 6)",
       .estimate = zy::speedup_delta, .gathers = kGathersTimes},
      {.name = "P_deg(1-H)", .unit = "", .summary = "right side of Property 1 (ZY 6): (1 - H)·(sum of T_eff_i) / tau",
       .estimate = zy::parallelism_homogeneous, .gathers = kGathersTimes},
      {.name = "covariance", .unit = "", .summary = "their difference: m·Cov(W, T_eff) / tau over the m machines",
       .estimate = zy::covariance, .gathers = kGathersTimes},
      {.name = "E", .unit = "", .summary = "efficiency: effective time / time owners leave, weighted with W_i (ZY 10)",
       .estimate = zy::efficiency, .gathers = kGathersTimes, .efficiency = Efficiency::E},
      {.name = "Delta_A", .unit = "", .summary = "owners' effect on one machine: |A| / (max S·baseline's tau) (ZY 11)",
       .needs_baseline = true, .estimate = zy::owner_effect},
      {.name = "E_P2", .unit = "", .summary = "right side of Property 2: SP·Delta_A / sum of (1 - U_i)·W_i (ZY 12)",
       .estimate = zy::property2, .gathers = kGathersTimes},
      {.name = "L_ave", .unit = "s", .summary = "latency: sum of W_i·overhead_i (ZY 15)",
       .estimate = zy::average_latency, .gathers = kGathersTimes},
      {.name = "L", .unit = "s", .summary = "latency per unit of power: L_ave / power (ZY 16)",
       .estimate = zy::unit_latency, .gathers = kGathersTimes},
      {.name = "scale_e", .unit = "", .summary = "scalability: L of the reference point / L (ZY 17)",
       .estimate = zy::scalability, .gathers = kGathersTimes, .needs_reference = true},
      {.name = "scale_work", .unit = "", .summary = "Property 3 with sigma = 1: |A_1|·W_2·S_2 / (|A_2|·W_1·S_1)",
       .estimate = zy::size_scaling, .needs_reference = true},
      {.name = "scale_P3", .unit = "", .summary = "Property 3 as printed, owners' operations in sigma (ZY 18-20)",
       .estimate = zy::property3, .gathers = kGathersTimes, .needs_reference = true},
      {.name = "solved", .unit = "", .summary = "problem size that was solved for", .estimate = zy::solved_size,
       .needs_solved = true},
  };
  return table;
}

}  // namespace nowsim

// How much work fits a deadline at a given risk: root finding on common random numbers; what else a plan's runs are tried with.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "experiments/driver/studies/alternatives.hpp"

namespace nowsim {

/// Makes a point for an amount of work [flop] and a seed. Its shares are in the same proportion for every amount.
using PointOfWork = std::function<Point(double work_flop, std::uint64_t seed)>;
/// Runs a point and gathers its makespans.
using StatisticsOf = std::function<std::shared_ptr<const PointStatistics>(const Point&)>;

/// The limit for the plan's deadline, by as many replications as it says. Work differs from the root by 1e-4 at most
/// (relatively), to the safe side.
/// Takes some ten runs.
/// @param known_flop an amount of work, to begin with.
/// @throws what the functions throw.
WorkLimit most_work(const PointOfWork& point_of, const StatisticsOf& statistics_of, double known_flop, double risk,
                    const RunPlan& plan);

/// Fills in most_work of every complete policy, each with its split in the proportions that it has for the request's
/// work. Nothing without deadline or risk. `on_run` is told what is being done.
/// @throws RunError where a simulation cannot be completed.
void find_work_limits(std::vector<Alternative>& plans, const PlanRequest& request, const Registries& registries,
                      int jobs, const std::function<void(const std::string&)>& on_run);

/// The recommended policy's split with other owners.
struct IntervalTrial {
  double interval_s;
  Alternative plan;
};
/// How much a plan hangs on how long owners' intervals last, of equal machines whose owners are described by flags and
/// not measured: with intervals that people have where the given ones are far shorter, else a quarter and four times as
/// long.
std::vector<IntervalTrial> try_intervals(const Alternative& plan, const PlanRequest& request,
                                         const Registries& registries, int jobs,
                                         const std::function<void(const std::string&)>& on_run);
/// How long people are at a machine, or away from it: a guess, of the order of lessons and meetings, which no measurement
/// stands behind.
inline constexpr double kSessionOfPeople_s = 45 * 60;

}  // namespace nowsim

// Work that comes in tasks, as plans have it: a split into whole ones beside a queue that hands them out on request.
#pragma once

#include <string>
#include <vector>

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/reading/yaml_tree.hpp"
#include "experiments/driver/running/result_table.hpp"
#include "experiments/driver/studies/alternatives.hpp"
#include "experiments/driver/studies/answer.hpp"
#include "experiments/driver/studies/plan_request.hpp"

namespace nowsim {

/// By which bags are handed out unless others are named: one task at a time, as GNU parallel, xargs and most queues do,
/// which evens out best; and half of what remains in chunks, which asks seldom, for where a request is dear.
inline constexpr const char* kUsualTechniques[] = {"SS", "FAC2"};
/// What a request costs its machine unless that is said: about what a program takes to start over ssh.
inline constexpr double kUsualDispatch_s = 0.3;

/// Of each machine the share of the work that it did: a metric behind those of all plans.
inline constexpr const char* kShareDone = "p_i";

/// Keys that flags about a bag stand for; none without one.
std::vector<AskedKey> keys_of_bag(const PlanRequest& request);
/// Writes the job of a request with a bag, and its rows: policies, which split it into whole tasks, then techniques.
void set_bag(const PlanRequest& request, YamlNode& root);
/// Whether a row is a queue: the technique of a bag.
bool is_queue(const PlanRequest& request, const std::string& row);
/// Rows have one name, the policy's or the technique's; and remarks say what a request costs, and that there are few tasks.
void name_rows(const TaskBag& bag, Experiment& experiment);
/// How many tasks a machine has, in the mean.
double tasks_per_machine(const TaskBag& bag, const Experiment& experiment);

/// What each machine does, in tasks: whole ones of a split, the mean of a queue; nothing of rows without results.
using TasksDone = std::vector<double>;
/// Takes the last metric, kShareDone, out of a table and its rows. One element per row.
std::vector<TasksDone> take_tasks_done(const PlanRequest& request, const Experiment& experiment, ResultTable& table);

// ---- words -----------------------------------------------------------------------------------------------------------

/// "Hand the tasks out on request, by 'SS'".
std::string how_to_hand_out(const std::string& technique);
/// How the advised row is beside the best of the other kind, queues or splits; nothing where there is none.
std::vector<std::string> about_other_kind(const PlanRequest& request, const std::vector<Alternative>& all,
                                          const Advice& advice);

}  // namespace nowsim

// The job and rows of a bag, what its rows did, and what is said of queues beside splits.
#include "experiments/driver/studies/task_bag.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "experiments/driver/reading/yaml_edit.hpp"
#include "experiments/driver/text/duration_text.hpp"
#include "experiments/driver/text/estimate_text.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/text.hpp"
#include "sim/statistics/series_estimates.hpp"
#include "workloads/parts/whole_parts.hpp"

namespace nowsim {
namespace {

constexpr const char *kTechniqueKey = "job.technique", *kPolicyKey = "split.policy", *kStatic = "static";

}  // namespace

std::vector<AskedKey> keys_of_bag(const PlanRequest& request) {
  if (!request.bag) return {};
  return {{"job.workload", "--tasks"}, {"job.tasks", "--tasks"},         {"job.server", "--tasks"},
          {"job.cost", "--work"},      {kTechniqueKey, "--technique"}, {"job.start", "--dispatch"}};
}

void set_bag(const PlanRequest& request, YamlNode& root) {
  const TaskBag& bag = *request.bag;
  set_text(root, "job.workload", "task-farm");
  set_text(root, "job.server", "outside");
  set_text(root, "job.tasks", std::to_string(bag.tasks));
  set_text(root, "job.cost", number_text(request.work_flop / static_cast<double>(bag.tasks)));
  set_text(root, "job.start", number_text(bag.dispatch_s));
  std::vector<std::string> techniques(request.policies.size(), kStatic), policies = request.policies;
  std::ranges::copy(bag.techniques, std::back_inserter(techniques));
  policies.resize(techniques.size(), "proportional");  // weighs machines, where a technique wants that
  YamlNode zip;
  zip.kind = YamlNode::Kind::map;
  zip.entries = {{kTechniqueKey, yaml_list(techniques)}};
  if (!request.policies.empty()) zip.entries.emplace_back(kPolicyKey, yaml_list(policies));  // else it may be idle
  apply_override(root, {"sweep.zip", std::move(zip)});
}

bool is_queue(const PlanRequest& request, const std::string& row) {
  return request.bag && contains(request.bag->techniques, row);
}

void name_rows(const TaskBag& bag, Experiment& experiment) {
  experiment.axes = {"plan"};
  for (Point& point : experiment.points)
    point.values = {point.values.front() == kStatic ? point.values.back() : point.values.front()};
  if (bag.dispatch_s > 0)
    experiment.remarks.push_back("whatever is handed out costs its machine " + duration_text(bag.dispatch_s) +
                                 " before it computes, the part of a split too (--dispatch)");
  const auto scenario = experiment.points.front().scenario();
  if (scenario && bag.tasks < static_cast<std::int64_t>(scenario->size()))
    experiment.remarks.push_back("there are " + std::to_string(scenario->size()) + " machines for " +
                                 std::to_string(bag.tasks) + (bag.tasks == 1 ? " task" : " tasks") +
                                 ": some of them get none");
}

double tasks_per_machine(const TaskBag& bag, const Experiment& experiment) {
  const auto scenario = experiment.points.front().scenario();
  return scenario ? std::max(1.0, static_cast<double>(bag.tasks) / static_cast<double>(scenario->size())) : 1;
}

std::vector<TasksDone> take_tasks_done(const PlanRequest& request, const Experiment& experiment, ResultTable& table) {
  table.metrics.pop_back();
  std::vector<TasksDone> out;
  for (std::size_t p = 0; p < table.rows.size(); ++p) {
    ResultRow& row = table.rows[p];
    TasksDone& tasks = out.emplace_back();
    if (!row.has_results()) continue;
    for (const Estimate& share : row.estimates.back())
      tasks.push_back(share.value * static_cast<double>(request.bag->tasks));
    row.estimates.pop_back();
    if (is_queue(request, row.values.front())) continue;
    const auto whole = whole_parts(request.bag->tasks, experiment.points[p].scenario()->share_flop);
    tasks.assign(whole.begin(), whole.end());
  }
  return out;
}

std::string how_to_hand_out(const std::string& technique) {
  return "Hand the tasks out on request, by '" + technique + "'";
}

std::vector<std::string> about_other_kind(const PlanRequest& request, const std::vector<Alternative>& all,
                                          const Advice& advice) {
  const bool is_by_queue = is_queue(request, all[*advice.best].name());
  std::vector<Alternative> others;
  for (const Alternative& one : all)
    if (is_queue(request, one.name()) != is_by_queue) others.push_back(one);
  const auto best = advise(others, request).best;
  if (!best) return {};
  const std::string name = others[*best].name();
  const auto rival = std::ranges::find_if(advice.rivals, [&](const Rival& r) { return all[r.index].name() == name; });
  if (rival == advice.rivals.end()) return {};
  const std::string which = is_by_queue ? "The best of the splits, '" + name + "'," : "The best of the queues, '" + name + "',";
  const Estimate& more = rival->takes_more;
  if (!is_apart_from_zero(more)) return {which + " cannot be told from it by tau."};
  std::string out = which + " takes " + time_text(size_of(more), column_unit(all[*advice.best].tau().value)) +
                    (more.value > 0 ? " longer" : " less") + " on average";
  if (request.deadline_s && is_apart_from_zero(rival->late_more))
    out += std::string(rival->late_more.value > 0 ? ", and raises" : ", and lowers") + " RF by " +
           points_text(size_of(rival->late_more));
  return {out + "."};
}

}  // namespace nowsim

// Drawn costs and those of a file, as sums.
#include "workloads/farm/task_costs.hpp"

#include <cmath>
#include <numeric>
#include <string>

#include "sim/base/error.hpp"
#include "workloads/parts/cost_law.hpp"

namespace nowsim {
namespace {

std::shared_ptr<const std::vector<double>> sums_of(const std::vector<double>& values) {
  auto sums = std::make_shared<std::vector<double>>(values.size() + 1, 0.0);
  std::partial_sum(values.begin(), values.end(), sums->begin() + 1);
  return sums;
}

double cv_of(const std::vector<double>& values, double mean) {
  double squares = 0;
  for (const double x : values) squares += (x - mean) * (x - mean);
  return std::sqrt(squares / static_cast<double>(values.size())) / mean;
}

}  // namespace

void check_kept_tasks(std::int64_t tasks, const std::string& by) {
  if (tasks > kMostKeptTasks)
    throw InputError("tasks must be at most " + std::to_string(kMostKeptTasks) + " with " + by +
                     ", which keeps every task's cost in memory; it is " + std::to_string(tasks));
}

TaskLaw::TaskLaw(KeyReader& read) {
  const std::size_t chosen = read.word("law");
  if (chosen == cost_laws().size()) read_file(read);
  else read_law(read, cost_laws()[chosen]);
}

void TaskLaw::read_law(KeyReader& read, const CostLaw& law) {
  tasks_ = read.whole("tasks");
  mean_flop_ = read.value_within("cost", {});
  cv_ = read_cv(read, law);
  if (!(mean_flop_ > 0)) throw InputError("cost must be more than 0: it is the mean work of a task");
  if (!(cv_ > 0)) return;
  law_ = law.make(mean_flop_, cv_);
  check_kept_tasks(tasks_, std::string("law: ") + law.name);
}

void TaskLaw::read_file(KeyReader& read) {
  const std::vector<double> costs = read.numbers_of_file("costs");
  const auto n = static_cast<std::int64_t>(costs.size());
  tasks_ = read.whole_or("tasks", n);
  if (tasks_ != n)
    throw InputError("tasks is " + std::to_string(tasks_) + ", but the file of costs holds " + std::to_string(n) +
                     " numbers; tasks may be left out");
  sums_ = sums_of(costs);
  mean_flop_ = sums_->back() / static_cast<double>(n);
  if (!(mean_flop_ > 0)) throw InputError("all tasks in the file of costs cost 0: there is no work");
  cv_ = cv_of(costs, mean_flop_);
}

TaskCosts TaskLaw::costs(Stream stream) const {
  if (sums_) return TaskCosts(sums_);
  if (!law_) return {tasks_, mean_flop_};
  auto sums = std::make_shared<std::vector<double>>();
  sums->reserve(static_cast<std::size_t>(tasks_) + 1);
  sums->push_back(0);
  for (std::int64_t i = 0; i < tasks_; ++i) sums->push_back(sums->back() + law_->quantile(stream.uniform()));
  return TaskCosts(std::move(sums));
}

}  // namespace nowsim

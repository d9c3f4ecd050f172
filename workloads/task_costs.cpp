// Laws by name, and sums of costs.
#include "workloads/task_costs.hpp"

#include <array>
#include <cmath>
#include <numeric>
#include <string>

#include "sim/error.hpp"
#include "sim/text.hpp"

namespace nowsim {
namespace {

/// A law of costs with a mean [flop] and, where it reads one, a coefficient of variation.
struct NamedLaw {
  const char* name;
  bool reads_cv;
  double cv;  ///< of those that read none
  DistributionPtr (*make)(double mean_flop, double cv);
};

/// Costs are not negative: a uniform law has a cv of 1/sqrt(3) at most.
DistributionPtr uniform_law(double mean_flop, double cv) {
  const double half_width = std::sqrt(3.0) * cv * mean_flop;
  if (!(half_width <= mean_flop * (1 + 1e-12)))
    throw InputError("a uniform law of costs, which are not negative, has a cv of at most 1/sqrt(3) = 0.577; cv is " +
                     short_number(cv));
  return uniform(std::max(0.0, mean_flop - half_width), mean_flop + half_width);
}
DistributionPtr normal_law(double mean_flop, double cv) { return normal_above_zero(mean_flop, cv * mean_flop); }
DistributionPtr exponential_law(double mean_flop, double) { return exponential(mean_flop); }

constexpr std::array<NamedLaw, 5> kLaws{{{"constant", false, 0, nullptr},
                                         {"uniform", true, 0, uniform_law},
                                         {"normal", true, 0, normal_law},
                                         {"exponential", false, 1, exponential_law},
                                         {"file", false, 0, nullptr}}};

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

CostLaw::CostLaw(ParameterReader& read) {
  std::vector<std::string> names;
  for (const auto& law : kLaws) names.emplace_back(law.name);
  const std::size_t chosen = read.choice("law", names, 0);
  if (names[chosen] == "file") read_file(read);
  else read_law(read, chosen);
}

void CostLaw::read_law(ParameterReader& read, std::size_t chosen) {
  const NamedLaw& law = kLaws[chosen];
  tasks_ = read.count("tasks", std::nullopt, 1);
  mean_flop_ = read.work("cost");
  cv_ = law.reads_cv ? read.number("cv", 0.3) : law.cv;
  if (!(mean_flop_ > 0)) throw InputError("cost must be more than 0: it is the mean work of a task");
  if (law.make != nullptr && cv_ > 0) law_ = law.make(mean_flop_, cv_);
}

void CostLaw::read_file(ParameterReader& read) {
  const std::vector<double> costs = read.numbers_of_file("costs");
  const auto n = static_cast<std::int64_t>(costs.size());
  tasks_ = read.count("tasks", n, 1);
  if (tasks_ != n)
    throw InputError("tasks is " + std::to_string(tasks_) + ", but the file of costs holds " + std::to_string(n) +
                     " numbers; tasks may be left out");
  sums_ = sums_of(costs);
  mean_flop_ = sums_->back() / static_cast<double>(n);
  if (!(mean_flop_ > 0)) throw InputError("all tasks in the file of costs cost 0: there is no work");
  cv_ = cv_of(costs, mean_flop_);
}

TaskCosts CostLaw::costs(Stream stream) const {
  if (sums_) return TaskCosts(sums_);
  if (!law_) return {tasks_, mean_flop_};
  auto sums = std::make_shared<std::vector<double>>();
  sums->reserve(static_cast<std::size_t>(tasks_) + 1);
  sums->push_back(0);
  for (std::int64_t i = 0; i < tasks_; ++i) sums->push_back(sums->back() + law_->quantile(stream.uniform()));
  return TaskCosts(std::move(sums));
}

}  // namespace nowsim

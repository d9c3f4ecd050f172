// Metrics that are functions of all makespans, with intervals by the jackknife.
#include <pybind11/numpy.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/infinity.hpp"
#include "sim/statistics/influence.hpp"
#include "tools/python/python_additions.hpp"
#include "tools/python/python_function.hpp"
#include "workloads/farm/technique_variables.hpp"

namespace nowsim {

namespace py = pybind11;

namespace {

/// Groups of replications that are left out in turn, at most: more make the interval little better.
constexpr std::uint64_t kMostGroups = 64;

/// What a metric may have besides T.
struct MetricVariable {
  const char* name;
  const char* help;
  double (*value)(const MetricContext&);  ///< null: T itself
};
constexpr MetricVariable kVariables[] = {
    {"T", "the array of all replications' makespans [s]", nullptr},
    {"deadline", "run.deadline [s]", [](const MetricContext& c) { return c.deadline_s; }},
    {"X", "the job's work [flop]", [](const MetricContext& c) { return c.scenario->workload->program().work_flop; }},
    {"N", "workstations", [](const MetricContext& c) { return static_cast<double>(c.scenario->size()); }}};

const MetricVariable& variable_of(const std::string& name) {
  return *std::ranges::find(kVariables, name, [](const auto& v) { return std::string(v.name); });
}

/// The function's value for a point, of some of its replications.
class MetricCall {
 public:
  MetricCall(const PythonFunction& function, const MetricContext& context) : function_(function) {
    for (const auto& name : function.variables()) {
      const MetricVariable& variable = variable_of(name);
      if (variable.value != nullptr) arguments_.push_back(py::float_(variable.value(context)));
      else makespans_ = arguments_.size(), arguments_.push_back(py::none());
    }
  }
  double of(const std::vector<double>& makespans_s) {
    if (makespans_ < arguments_.size())
      arguments_[makespans_] = py::array_t<double>(static_cast<py::ssize_t>(makespans_s.size()), makespans_s.data());
    return function_.number(function_.call(arguments_, {}), "a number",
                            [&] { return std::to_string(makespans_s.size()) + " replications"; });
  }

 private:
  const PythonFunction& function_;
  std::vector<py::object> arguments_;
  std::size_t makespans_ = static_cast<std::size_t>(-1);
};

std::vector<double> without(const std::vector<double>& values, std::size_t begin, std::size_t end) {
  std::vector<double> rest(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(begin));
  rest.insert(rest.end(), values.begin() + static_cast<std::ptrdiff_t>(end), values.end());
  return rest;
}

/// The delete-a-group jackknife (Efron, The Jackknife, the Bootstrap and Other Resampling Plans, 1982; Kott, J. Official
/// Statistics 17(4), 2001): a group of n_g of n replications contributes (1 - n_g/n)·(all - without it) to the error.
/// Groups are of successive replications, whole units, as many in each as a power of two makes.
Estimate with_interval(MetricCall& metric, const std::vector<double>& makespans_s, const Confidence& confidence,
                       std::uint64_t unit) {
  const double value = metric.of(makespans_s);
  if (!std::isfinite(value)) return kUnknownEstimate;
  std::uint64_t span = std::max<std::uint64_t>(1, unit);
  while (makespans_s.size() > span * kMostGroups) span *= 2;
  const auto n = static_cast<double>(makespans_s.size());
  std::vector<double> contributions;
  for (std::size_t begin = 0; begin < makespans_s.size(); begin += span) {
    const std::size_t end = std::min<std::size_t>(makespans_s.size(), begin + span);
    if (begin == 0 && end == makespans_s.size()) return {value, -kInfinity, kInfinity};  // one group tells no error
    const double rest = metric.of(without(makespans_s, begin, end));
    contributions.push_back((1 - static_cast<double>(end - begin) / n) * (value - rest));
  }
  if (!std::ranges::all_of(contributions, [](double d) { return std::isfinite(d); })) return {value, -kInfinity, kInfinity};
  if (std::ranges::all_of(contributions, [](double d) { return d == 0; })) return exactly(value);
  const auto freedom = static_cast<double>(contributions.size() - 1);
  const Estimate point = with_influence({value, value, value}, Influence(contributions, span, makespans_s.size(), freedom));
  const LinearTerm term{1, &point};
  return linear_combination({&term, 1}, 0, confidence);
}

Better better_named(const std::string& name) {
  return name == "lower" ? Better::lower : name == "higher" ? Better::higher : Better::unknown;
}

}  // namespace

Metric python_metric(const py::object& described) {
  const PythonFunctionPtr function = python_function(described);
  const auto estimate = [function](const MetricContext& context, const PointStatistics& s) -> Estimates {
    const py::gil_scoped_acquire interpreter;
    MetricCall metric(*function, context);
    return {with_interval(metric, s.makespans_s, context.confidence, s.makespan_s.sampling().unit)};
  };
  return {.name = function->text("name"), .unit = function->text("unit"), .summary = function->text("summary"),
          .needs_deadline = std::ranges::count(function->variables(), "deadline") > 0, .estimate = estimate,
          .gathers = {.makespans = true}, .better = better_named(function->text("better"))};
}

void bind_variables(py::module_& m) {
  m.def("variables", [](const std::string& kind) {
    py::list listed;
    const auto add = [&listed](const auto& v) { listed.append(py::make_tuple(v.name, v.help)); };
    if (kind == "technique") std::ranges::for_each(technique_variables(), add);
    if (kind == "policy") std::ranges::for_each(policy_variables(), add);
    if (kind == "metric") std::ranges::for_each(kVariables, add);
    if (kind == "owner")
      for (const auto& [name, help] : {std::pair("u", "a uniform number, from 0 to less than 1"), std::pair("v", "another one"),
                                       std::pair("random", "random(): the next uniform number")})
        listed.append(py::make_tuple(name, help));
    return listed;
  });
}

}  // namespace nowsim

// Metrics that are functions of all makespans, with intervals by sectioning.
#include <pybind11/numpy.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
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

/// At most: few degrees of freedom lengthen an interval little, short sections are off by more.
constexpr std::uint64_t kMostSections = 20;

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
  double of(std::span<const double> makespans_s) {
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

/// Sections of successive replications, whole units, as many in each as a power of two makes. In place of what remains at
/// the end, of which the metric may make nothing, stand as many of the last as there are in the others: their value varies
/// less, and weighs more.
struct Section {
  double value;
  double weight;  ///< times value has the standard deviation that the share of all replications has of a mean
};
std::vector<Section> sections_of(MetricCall& metric, const std::vector<double>& makespans_s, std::uint64_t span) {
  std::vector<Section> sections;
  for (std::size_t begin = 0; begin < makespans_s.size(); begin += span) {
    const std::size_t own = std::min<std::size_t>(span, makespans_s.size() - begin);
    const double weight = std::sqrt(static_cast<double>(own * span)) / static_cast<double>(makespans_s.size());
    sections.push_back({metric.of(std::span(makespans_s).subspan(begin + own - span, span)), weight});
  }
  return sections;
}

/// How far each section's value is from that of all, times its weight; as Influence has them they add up to 0, with the
/// same sum of squares: what all sections are off by, since they are short, counts as error.
std::vector<double> contributions_of(const std::vector<Section>& sections, double value) {
  double mean = 0, weights = 0, about_value = 0, about_mean = 0;
  for (const auto& section : sections) mean += section.weight * section.value, weights += section.weight;
  mean /= weights;
  std::vector<double> contributions;
  for (const auto& section : sections) {
    contributions.push_back(section.weight * (section.value - mean));
    about_mean += contributions.back() * contributions.back();
    about_value += std::pow(section.weight * (section.value - value), 2);
  }
  for (double& d : contributions) d *= about_mean > 0 ? std::sqrt(about_value / about_mean) : 0;
  return contributions;
}

/// The value of all replications, and an interval by sectioning (Asmussen & Glynn, Stochastic Simulation, 2007, III.5;
/// Nakayama, ACM TOMACS 24(4), 2014): it holds for quantiles too, for which the jackknife's is too short.
Estimate with_interval(MetricCall& metric, const std::vector<double>& makespans_s, const Confidence& confidence,
                       std::uint64_t unit) {
  const double value = metric.of(makespans_s);
  if (!std::isfinite(value)) return kUnknownEstimate;
  if (makespans_s.size() > 1 && std::ranges::adjacent_find(makespans_s, std::not_equal_to()) == makespans_s.end())
    return exactly(value);
  std::uint64_t span = std::max<std::uint64_t>(2, unit);
  while (makespans_s.size() > span * kMostSections) span *= 2;
  const Estimate of_unknown_error{value, -kInfinity, kInfinity};
  if (makespans_s.size() <= span) return of_unknown_error;
  const std::vector<double> contributions = contributions_of(sections_of(metric, makespans_s, span), value);
  // Where all sections are alike, as shares of late replications that are 0, that is not to be without error.
  if (!std::ranges::all_of(contributions, [](double d) { return std::isfinite(d); }) ||
      std::ranges::all_of(contributions, [](double d) { return d == 0; }))
    return of_unknown_error;
  const auto freedom = static_cast<double>(contributions.size() - 1);
  return with_influence(contrast_interval(value, contributions, freedom, confidence),
                        of_contributions(contributions, span, makespans_s.size(), freedom));
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

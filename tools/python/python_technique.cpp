// Self-scheduling techniques that are functions of the loop's state.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tools/python/kept.hpp"
#include "tools/python/python_additions.hpp"
#include "tools/python/python_function.hpp"
#include "workloads/farm/technique_variables.hpp"

namespace nowsim {

namespace py = pybind11;

namespace {

py::object variable_object(const TechniqueVariable& variable, const LoopState& state, std::size_t worker) {
  const double value = variable.value(state, worker);
  if (variable.is_count()) return py::reinterpret_steal<py::object>(PyLong_FromLongLong(static_cast<long long>(value)));
  return py::reinterpret_steal<py::object>(PyFloat_FromDouble(value));
}

/// How many tasks, as a function says. Objects that calls need are kept for the next.
class PythonRule {
 public:
  explicit PythonRule(const py::object& described)
      : function_(python_function(described)), variables_(variables_by_name(function_->variables())),
        key_objects_(function_), arguments_(variables_.size()), key_values_(function_->keys().size()) {}
  [[nodiscard]] const PythonFunction& function() const { return *function_; }
  [[nodiscard]] const TechniqueVariables& variables() const { return variables_; }

  [[nodiscard]] std::int64_t tasks(const LoopState& state, std::size_t worker) const {
    for (std::size_t k = 0; k < variables_.size(); ++k) arguments_[k] = variable_object(*variables_[k], state, worker);
    for (std::size_t k = 0; k < key_values_.size(); ++k)
      key_values_[k] = state.parameters.number_or(function_->keys()[k].key().name.c_str(), 0);
    const py::object given = function_->call(arguments_, key_objects_.of(key_values_));
    const double wanted = function_->number(given, "a number of tasks",
                                            [&] { return values_text(variables_, state, worker); });
    return whole_tasks(wanted, function_->by(), variables_, state, worker);
  }

 private:
  PythonFunctionPtr function_;
  TechniqueVariables variables_;
  mutable KeyObjects key_objects_;
  mutable std::vector<py::object> arguments_;
  mutable std::vector<double> key_values_;
};

std::shared_ptr<const PythonRule> python_rule(const py::object& described) {
  if (described.is_none()) return nullptr;
  return kept(PythonRule(described));
}

}  // namespace

Technique python_technique(const py::object& described) {
  const auto chunk = python_rule(described), batch = python_rule(described.attr("batch"));
  Technique made{.name = chunk->function().text("name"), .summary = chunk->function().text("summary"), .citation = "",
                 .next = [chunk, batch](LoopState& state, std::size_t worker) {
                   return next_by_rules(*chunk, batch.get(), state, worker);
                 },
                 .has_least = false};
  for (const auto& rule : {chunk, batch})
    if (rule) add_needs(rule->variables(), made);
  for (const PythonKey& it : chunk->function().keys()) made.keys.push_back(it.plain());
  made.user_code = python_code(chunk->function().code());
  return made;
}

}  // namespace nowsim

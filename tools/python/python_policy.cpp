// Splitting policies that are functions of lists of the machines' numbers.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/error.hpp"
#include "tools/python/python_additions.hpp"
#include "tools/python/python_function.hpp"

namespace nowsim {

namespace py = pybind11;

namespace {

using Machines = std::span<const MachineView>;

/// A number, or of what each machine has a list.
py::object policy_argument(const std::string& name, double work_flop, Machines machines) {
  const auto variables = policy_variables();
  const auto is_it = [&](const PolicyVariable& v) { return v.name == name; };
  const PolicyVariable& variable = *std::ranges::find_if(variables, is_it);
  const WorkAndMachines all{work_flop, machines};
  if (!variable.of_machine)
    return name == "N" ? py::object(py::int_(machines.size())) : py::object(py::float_(variable.value(all, 0)));
  py::list values;
  for (std::size_t i = 0; i < machines.size(); ++i) values.append(py::float_(variable.value(all, i)));
  return values;
}

/// Lists, tuples, arrays: what has an order, and an end.
bool is_list(const py::object& given) {
  return PySequence_Check(given.ptr()) != 0 && !py::isinstance<py::str>(given) && !py::isinstance<py::bytes>(given);
}

std::vector<double> weights_of(const PythonFunction& function, const py::object& given, std::size_t machines) {
  constexpr const char* kWanted = "a list, a tuple or an array of weights, one per machine";
  const auto state = [machines] { return "N = " + std::to_string(machines); };
  if (!is_list(given)) function.refuse(given, kWanted, state());
  std::vector<double> weights;
  const py::object iterator = function.iterator(given);
  while (const py::object weight = function.next(iterator)) {
    if (weights.size() == machines) function.refuse(given, kWanted, state());
    weights.push_back(function.number(weight, "a number for each weight", state));
  }
  return weights;
}

}  // namespace

Policy python_policy(const py::object& described) {
  const PythonFunctionPtr function = python_function(described);
  const auto split = [function](double work_flop, Machines machines, const KeyValues& parameters) {
    const py::gil_scoped_acquire interpreter;
    std::vector<py::object> variables, keys;
    for (const auto& name : function->variables()) variables.push_back(policy_argument(name, work_flop, machines));
    for (const PythonKey& it : function->keys()) keys.push_back(it.object(parameters.numbers.at(it.key().name)));
    try {
      const auto weights = weights_of(*function, function->call(variables, keys), machines.size());
      return shares_by_weight(work_flop, weights, machines.size(), function->by());
    } catch (const RunError& e) {  // nothing runs yet: it is what the description asks for
      throw InputError(e.what());
    }
  };
  return {.name = function->text("name"), .summary = function->text("summary"), .keys = function->key_table(),
          .split = split, .needs_sigma = std::ranges::count(function->variables(), "sigma") > 0};
}

}  // namespace nowsim

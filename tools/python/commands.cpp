// The command line for Python: as it is, and as a function that hands over what commands write.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <sstream>
#include <utility>

#include "experiments/driver/running/runner.hpp"
#include "experiments/driver/sweeps/experiment_store.hpp"
#include "tools/line/command.hpp"
#include "tools/line/command_line.hpp"
#include "tools/line/command_table.hpp"
#include "tools/python/bindings.hpp"
#include "tools/python/dialogue.hpp"
#include "tools/python/python_node.hpp"
#include "tools/python/registries.hpp"
#include "tools/python/step_watch.hpp"
#include "tools/terminal/interruption.hpp"

namespace nowsim {
namespace {

namespace py = pybind11;

/// Which values Python takes for a flag's: as keywords' types are called in nowsim/arguments.py.
const char* type_of(const Flag& flag) {
  if (!flag.takes_value()) return "switch";
  const Argument& value = flag.argument.value;
  if (flag.argument.takes != Takes::text || value.kind == Kind::setting || value.kind == Kind::axis) return "several";
  switch (value.kind) {
    case Kind::quantity:
    case Kind::swept_value: return "number";
    case Kind::names:
    case Kind::swept_keys: return "names";
    case Kind::file:
    case Kind::written:
    case Kind::folder: return "path";
    case Kind::word: return "word";
    default: return "text";
  }
}

/// (name, type, its words, whether it is needed, help) of each of a command's flags.
py::list flags_of_command(const std::string& command) {
  py::list all;
  for (const Flag& flag : flags_of(*find_command(command)))
    all.append(py::make_tuple(flag.name(), type_of(flag), flag.argument.value.of, flag.argument.is_needed, flag.help));
  return all;
}

/// The exit status, and what went to both streams. Ctrl-C is the command's while it runs, as on the command line.
/// `described`: None, or a dict that is the description of what the words call kDict.
py::tuple carried_out(const std::vector<std::string>& words, const py::object& described, const py::object& additions,
                    py::object warn) {
  Dialogue dialogue(py::none(), std::move(warn));
  std::ostringstream out, error;
  int status = 0;
  dialogue.finish([&] {
    const InterruptionWatch watch;
    const Registries known = registries_with(additions);
    Session session{known, out, error};
    if (!described.is_none()) session.descriptions.emplace(kDict, python_description(described));
    status = carry_out_words(words, session);
    if (interruption_requested()) throw Interrupted();
  });
  return py::make_tuple(status, out.str(), error.str());
}

int command_line_of(const std::vector<std::string>& words, const py::object& additions) {
  std::vector<const char*> argv{"nowsim"};
  for (const auto& word : words) argv.push_back(word.c_str());
  const StepsWatched steps;
  return command_line(static_cast<int>(argv.size()), argv.data(), additions_of(additions));
}

}  // namespace

void bind_commands(py::module_& m) {
  m.def("carry_out", &carried_out);
  m.def("flags_of", &flags_of_command);
  m.attr("DICT") = kDict;
  m.attr("UNTOLD") = kUntoldCode;
  m.def("command_line", &command_line_of);
}

}  // namespace nowsim

// The command line for Python: as it is, and as a function that hands over what commands write.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <sstream>
#include <utility>

#include "experiments/driver/running/runner.hpp"
#include "tools/line/command_line.hpp"
#include "tools/python/bindings.hpp"
#include "tools/python/dialogue.hpp"
#include "tools/python/registries.hpp"
#include "tools/python/step_watch.hpp"
#include "tools/terminal/interruption.hpp"

namespace nowsim {
namespace {

namespace py = pybind11;

/// The exit status, and what went to both streams. Ctrl-C is the command's while it runs, as on the command line.
py::tuple carry_out(const std::vector<std::string>& words, const py::object& additions, py::object warn) {
  Dialogue dialogue(py::none(), std::move(warn));
  std::ostringstream out, error;
  int status = 0;
  dialogue.finish([&] {
    const InterruptionWatch watch;
    const Registries known = registries_with(additions);
    Session session{known, out, error};
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
  m.def("carry_out", &carry_out);
  m.def("command_line", &command_line_of);
}

}  // namespace nowsim

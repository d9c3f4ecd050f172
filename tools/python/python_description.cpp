// Keys as Python lists them, read as the keys of built-in workloads are.
#include "tools/python/python_description.hpp"

#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "tools/python/kept.hpp"
#include "tools/python/python_additions.hpp"
#include "tools/python/python_keys.hpp"
#include "tools/python/python_program.hpp"
#include "tools/python/raised.hpp"

namespace nowsim {
namespace {

namespace py = pybind11;

/// A function of the number of ranks.
std::function<double(int)> messages_of(const py::object& program, const py::object& said) {
  return [program = kept(program), function = kept(said)](int ranks) {
    const py::gil_scoped_acquire interpreter;
    const auto found = said_of_itself(*program, [&] { return (*function)(ranks).cast<double>(); });
    if (found >= 0 && std::isfinite(found)) return found;
    throw InputError(program->attr("by")().cast<std::string>() + ": messages gives " + number_text(found) + " for " +
                     std::to_string(ranks) + " ranks; a number is wanted, 0 or more");
  };
}

ProgramDescription description_of(const py::object& program, const py::object& settled, const std::string& code) {
  ProgramDescription made{.work_flop = settled.attr("work").cast<double>(),
                          .phases = settled.attr("phases").cast<std::int64_t>(),
                          .communicates = settled.attr("communicates").cast<bool>(),
                          .uses_shares = settled.attr("uses_shares").cast<bool>(),
                          .least_ranks = settled.attr("least_ranks").cast<int>(),
                          .first_worker = settled.attr("first_worker").cast<int>(),
                          .ends_with_first_rank = settled.attr("ends_with_first_rank").cast<bool>(),
                          .messages = messages_of(program, settled.attr("messages")),
                          .user_code = python_code(code)};
  return made;
}

std::shared_ptr<const Workload> made_of(const py::object& program, const std::string& code,
                                        const std::vector<PythonKey>& keys, KeyReader& read) {
  const py::gil_scoped_acquire interpreter;
  py::dict values;
  for (const PythonKey& it : keys) values[py::str(it.key().name)] = it.object(it.read(read));
  return said_of_itself(program, [&] {
    const py::object settled = program.attr("settle")(values);
    return std::make_shared<PythonProgram>(
        description_of(program, settled, code),
        ProgramCall{program.attr("name").cast<std::string>(), program.attr("function"), settled.attr("arguments"),
                    program.attr("step_limit").cast<double>()});
  });
}

}  // namespace

WorkloadInfo python_workload(const py::object& program) {
  std::vector<PythonKey> keys;
  for (const py::handle key : program.attr("keys")) keys.emplace_back(key);
  WorkloadInfo info{program.attr("name").cast<std::string>(), program.attr("summary").cast<std::string>(), {}, {}};
  for (const PythonKey& it : keys) info.keys.push_back(it.key());
  info.code = program.attr("code")().cast<std::string>();
  info.make = [program = kept(program), code = info.code,
               keys](KeyReader& read) { return made_of(*program, code, keys, read); };
  return info;
}

}  // namespace nowsim

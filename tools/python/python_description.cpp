// Keys as Python lists them, read as the keys of built-in workloads are.
#include "tools/python/python_description.hpp"

#include <pybind11/stl.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "experiments/driver/text/units.hpp"
#include "sim/base/error.hpp"
#include "tools/python/python_program.hpp"

namespace nowsim {
namespace {

namespace py = pybind11;

/// Of a rank's stack where it needs one of its own: Python's code calls itself through C up to a thousand times.
constexpr int kPythonStack_kib = 2048;
/// Nobody waits for longer where a program may be wrong.
constexpr double kPythonTimeout_s = 600;

/// A kind of key: how it is read, and what Python gets.
struct KeyKind {
  KeyType type;
  Dimension dimension;
  py::object (*read)(ParameterReader&, const Key&, const std::optional<double>& fallback);
};

std::optional<std::int64_t> whole(const std::optional<double>& value) {
  return value ? std::optional(static_cast<std::int64_t>(*value)) : std::nullopt;
}

const std::map<std::string, KeyKind>& key_kinds() {
  using Fallback = std::optional<double>;
  static const std::map<std::string, KeyKind> kinds{
      {"number", {KeyType::number, Dimension::number, [](ParameterReader& read, const Key& key, const Fallback& fallback) -> py::object {
         return py::float_(read.number(key.name, fallback, key.bounds.least, key.bounds.most));
       }}},
      {"count", {KeyType::count, Dimension::count, [](ParameterReader& read, const Key& key, const Fallback& fallback) -> py::object {
         return py::int_(read.count(key.name, whole(fallback), static_cast<std::int64_t>(key.bounds.least)));
       }}},
      {"time", {KeyType::time, Dimension::time, [](ParameterReader& read, const Key& key, const Fallback& fallback) -> py::object {
         return py::float_(read.time(key.name, fallback));
       }}},
      {"work", {KeyType::work, Dimension::work, [](ParameterReader& read, const Key& key, const Fallback& fallback) -> py::object {
         return py::float_(read.work(key.name, fallback));
       }}},
      {"bytes", {KeyType::bytes, Dimension::bytes, [](ParameterReader& read, const Key& key, const Fallback& fallback) -> py::object {
         return py::float_(read.bytes(key.name, fallback));
       }}},
      {"word", {KeyType::word, Dimension::number, [](ParameterReader& read, const Key& key, const Fallback&) -> py::object {
         const auto first = key.fallback ? std::optional<std::size_t>(0) : std::nullopt;
         return py::str(key.words[read.choice(key.name, key.words, first)]);
       }}}};
  return kinds;
}

/// A key, and how it is read.
struct PythonKey {
  Key key;
  const KeyKind* kind;
  std::optional<double> fallback;
};

PythonKey python_key(const py::handle& said) {
  const auto kind = said.attr("kind").cast<std::string>();
  PythonKey made{{.name = said.attr("name").cast<std::string>(),
                  .type = key_kinds().at(kind).type,
                  .fallback = said.attr("default").cast<std::optional<std::string>>(),
                  .help = said.attr("help").cast<std::string>(),
                  .bounds = {said.attr("least").cast<double>(), said.attr("most").cast<double>()},
                  .words = said.attr("words").cast<std::vector<std::string>>()},
                 &key_kinds().at(kind),
                 {}};
  if (made.key.fallback && kind != "word") made.fallback = parse_quantity(*made.key.fallback, made.kind->dimension);
  return made;
}

/// A function of the number of ranks.
std::function<double(int)> messages_of(const py::object& said) {
  const std::shared_ptr<py::object> function(new py::object(said), [](py::object* last) {
    const py::gil_scoped_acquire interpreter;
    delete last;
  });
  return [function](int ranks) {
    const py::gil_scoped_acquire interpreter;
    return (*function)(ranks).cast<double>();
  };
}

ProgramDescription description_of(const py::object& settled, const std::string& code) {
  ProgramDescription made{.work_flop = settled.attr("work").cast<double>(),
                          .phases = settled.attr("phases").cast<std::int64_t>(),
                          .communicates = settled.attr("communicates").cast<bool>(),
                          .uses_shares = settled.attr("uses_shares").cast<bool>(),
                          .least_ranks = settled.attr("least_ranks").cast<int>(),
                          .first_worker = settled.attr("first_worker").cast<int>(),
                          .ends_with_first_rank = settled.attr("ends_with_first_rank").cast<bool>(),
                          .messages = messages_of(settled.attr("messages")),
                          .code = code,
                          .stack_kib = kPythonStack_kib,
                          .timeout_s = kPythonTimeout_s};
  return made;
}

std::shared_ptr<const Workload> made_of(const py::object& program, const std::string& code,
                                        const std::vector<PythonKey>& keys, ParameterReader& read) {
  const py::gil_scoped_acquire interpreter;
  py::dict values;
  for (const PythonKey& it : keys) values[py::str(it.key.name)] = it.kind->read(read, it.key, it.fallback);
  try {
    const py::object settled = program.attr("settle")(values);
    return std::make_shared<PythonProgram>(
        description_of(settled, code), ProgramCall{program.attr("name").cast<std::string>(), program.attr("function"),
                                             settled.attr("arguments"), program.attr("step_limit").cast<double>()});
  } catch (const py::error_already_set& e) {
    throw InputError(py::module_::import("nowsim.failures").attr("settling_text")(program, e.value()).cast<std::string>());
  }
}

}  // namespace

WorkloadInfo python_workload(const py::object& program) {
  std::vector<PythonKey> keys;
  for (const py::handle key : program.attr("keys")) keys.push_back(python_key(key));
  WorkloadInfo info{program.attr("name").cast<std::string>(), program.attr("summary").cast<std::string>(), {}, {}};
  for (const PythonKey& it : keys) info.keys.push_back(it.key);
  info.make = [program = std::shared_ptr<py::object>(new py::object(program), [](py::object* last) {
                 const py::gil_scoped_acquire interpreter;
                 delete last;
               }),
               code = program.attr("code")().cast<std::string>(),
               keys](ParameterReader& read) { return made_of(*program, code, keys, read); };
  return info;
}

}  // namespace nowsim

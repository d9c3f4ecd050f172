// A parallel program whose ranks are Python generators.
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <utility>
#include <vector>

#include "sim/program/workload.hpp"

namespace nowsim {

/// What is called for each rank: function(rank, **arguments), which gives a generator.
struct ProgramCall {
  std::string name;  ///< the workload's
  pybind11::object function;
  pybind11::dict arguments;
  double step_limit_s;  ///< the processor time that a step from one operation to the next may take
};

/// All that happens in Python happens in the process, and the thread, that has the interpreter.
class PythonProgram final : public Workload {
 public:
  PythonProgram(ProgramDescription program, ProgramCall call);
  ~PythonProgram() override;
  Process run(Rank& self) const override;
  void check_ended() const override;
  [[nodiscard]] const ProgramCall& call() const { return call_; }
  /// The generator of a rank has not let itself be closed, of which check_ended() tells.
  void goes_on_for_ever(std::string sentence) const { endless_ = std::move(sentence); }
  /// The generator of a rank. @throws std::runtime_error where the function gives none.
  [[nodiscard]] pybind11::object begin(const pybind11::object& rank) const;

 private:
  ProgramCall call_;
  mutable std::string endless_;
  std::vector<PyObject*> arguments_;  ///< behind the rank, which has the first place
  pybind11::object names_;
};

}  // namespace nowsim

// A list of workloads by name: nowsim's own, and those a program that links nowsim adds.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/base/keys.hpp"
#include "sim/base/parameters.hpp"
#include "sim/base/registry.hpp"
#include "sim/program/workload.hpp"

namespace nowsim {

/// A workload's name, what it is, its keys (for `nowsim list`, and to tell misspelt ones), and how it is made from what
/// stands there. What is read with which default and bounds is what the table says (a test compares them).
struct WorkloadInfo {
  std::string name;
  std::string summary;
  KeyTable keys;
  std::function<std::shared_ptr<const Workload>(ParameterReader&)> make;  ///< @throws InputError for impossible values
  /// To be raised when the program does something else for the same parameters, so that results stored before are not
  /// taken for its own.
  int version = 1;
  /// Parameters that it got when results of it had been stored: at their fallbacks it does what it did before, and they
  /// stay out of its identity.
  std::vector<std::string> later = {};
  std::string code = {};  ///< what tells user code from what it was before it was edited; built in: ""
};

/// A workload, and what tells it from others: its name, version and parameters as read, exactly.
struct IdentifiedWorkload {
  std::shared_ptr<const Workload> workload;
  std::string identity;
};
IdentifiedWorkload make_workload(const WorkloadInfo& info, ParameterReader& parameters);

using WorkloadRegistry = Registry<WorkloadInfo>;

}  // namespace nowsim

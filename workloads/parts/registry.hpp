// A list of workloads by name: nowsim's own, and those a program that links nowsim adds.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/base/keys.hpp"
#include "sim/base/registry.hpp"
#include "sim/program/workload.hpp"

namespace nowsim {

/// A workload's name, what it is, its keys, and how it is made from what stands there.
struct WorkloadInfo {
  std::string name;
  std::string summary;
  KeyTable keys;
  std::function<std::shared_ptr<const Workload>(KeyReader&)> make;  ///< @throws InputError for impossible values
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
IdentifiedWorkload make_workload(const WorkloadInfo& info, KeyReader& parameters);

/// What stands at a key that has to be more than 0, of which no less than that is told. @throws InputError for 0:
/// "NAME must be more than 0", and why.
double read_positive(KeyReader& read, const std::string& name, const std::string& why);
/// Bytes, more than 0: the size of what `of_what` says ("an element of the matrices").
double read_size(KeyReader& read, const std::string& name, const std::string& of_what);

using WorkloadRegistry = Registry<WorkloadInfo>;

}  // namespace nowsim

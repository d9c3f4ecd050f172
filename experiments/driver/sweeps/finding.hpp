// What splits and sizes have in common: both are found by simulation before an execution plan is planned.
#pragma once

#include <functional>

namespace nowsim {

/// What may be used, and who is told. Answers do not depend on it.
template <class Progress>
struct FindingOptions {
  int jobs = 1;                                      ///< child processes at a time
  std::function<void(const Progress&)> on_progress;  ///< now and then
  std::function<bool()> interrupted;                 ///< asked now and then; true ends it
};

}  // namespace nowsim

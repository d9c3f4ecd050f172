// A log of jobs where a trace of loads is wanted.
#pragma once

#include <string>

namespace nowsim {

/// @throws InputError where a text is a log in the Standard Workload Format of the Parallel Workloads Archive (comments
/// behind ';', then 18 numbers a line), with what it is and which owner model replays it.
void refuse_workload_log(const std::string& text, const std::string& file);

}  // namespace nowsim

// A log of jobs where a trace of loads is wanted.
#pragma once

#include <cstddef>
#include <string>

namespace nowsim {

/// Numbers in a line of such a log: "The Standard Workload Format", version 2.2.
inline constexpr std::size_t kWorkloadFields = 18;

/// @throws InputError where a text is a log in the Standard Workload Format of the Parallel Workloads Archive (comments
/// behind ';', then 18 numbers a line), with what it is and which owner model replays it.
void refuse_workload_log(const std::string& text, const std::string& file);

}  // namespace nowsim

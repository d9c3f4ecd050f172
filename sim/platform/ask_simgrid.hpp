// Questions about a platform that SimGrid answers, in a child process.
#pragma once

#include <functional>
#include <string>

#include "sim/base/infinity.hpp"
#include "sim/platform/platform.hpp"

namespace nowsim {

/// What a child finds out about a platform. @throws what the question throws; InputError for what SimGrid throws and
/// where it ends the process, as it does over some mistakes of files, and where memory ends; RunError where the child is
/// killed, or it takes longer than so many seconds.
std::string ask_child(const Platform& platform, const std::function<std::string()>& question,
                      double limit_s = kInfinity);

/// What is in the way between workstations that no route joins.
inline constexpr const char* kNoRoute = "no route";
/// What is wrong with a platform that has no route between two workstations. @throws InputError.
[[noreturn]] void refuse_without_route(const Platform& platform, const std::string& from, const std::string& to);

}  // namespace nowsim

// Questions about a platform that SimGrid answers, in a child process; and what it says when it ends a process or
// refuses a platform, in a user's words.
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

/// A sentence for what SimGrid said.
struct SimGridWords {
  std::string sentence;
  bool is_input = false;  ///< what the user gave cannot be simulated; otherwise it may be SimGrid's own failure
  bool is_limit = false;  ///< the machine has too little of something, whatever the input
};

/// Known messages in words of our own; others as they are, without addresses and the lists behind their first line.
SimGridWords in_users_words(const std::string& said);

}  // namespace nowsim

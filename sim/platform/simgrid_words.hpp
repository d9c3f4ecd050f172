// What SimGrid says when it ends a process or refuses a platform, in a user's words.
#pragma once

#include <string>

namespace nowsim {

/// A sentence for what SimGrid said.
struct SimGridWords {
  std::string sentence;
  bool is_input = false;  ///< what the user gave cannot be simulated; otherwise it may be SimGrid's own failure
  bool is_limit = false;  ///< the machine has too little of something, whatever the input
};

/// Known messages in words of our own; others as they are, without addresses and the lists behind their first line.
SimGridWords in_users_words(const std::string& said);

}  // namespace nowsim

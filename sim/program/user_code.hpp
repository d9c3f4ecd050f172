// What has to be known of code of the user's that a program calls.
#pragma once

#include <string>

namespace nowsim {

struct UserCode {
  /// What tells it from what it was before it was edited: part of the identity by which results are found. "": there is none.
  std::string identity = {};
  /// Of a rank's stack, on the engine that gives each one [KiB]: more where ranks call what nobody knows.
  int stack_kib = 64;
  /// The longest a batch may take where the user does not say [s]; 0: no limit.
  double timeout_s = 0;
};

}  // namespace nowsim

// One writer per store: a lock that ends with its process, however that ends.
#pragma once

#include <string>

#include "sim/base/plain_file.hpp"

namespace nowsim {

/// Holds a store's lock. POSIX record locks belong to a process, so children do not inherit it and a killed process
/// leaves none behind. (Within one process a second lock of the same folder succeeds.)
class StoreLock {
 public:
  enum class IfHeld { refuse, wait };
  /// @throws InputError where another process holds it, which is named, where it is a link, or where the folder cannot be
  /// written; Interrupted where a signal comes while it waits.
  explicit StoreLock(const std::string& folder, IfHeld if_held = IfHeld::refuse);
  StoreLock(const StoreLock&) = delete;
  StoreLock& operator=(const StoreLock&) = delete;

 private:
  FileHandle file_;
};

}  // namespace nowsim

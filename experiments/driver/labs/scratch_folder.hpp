// The scratch folder of a student's code: a file system in memory, of bounded bytes and files.
#pragma once

#include <string>

#include "experiments/driver/labs/confinement.hpp"

namespace nowsim {

/// Bubblewrap has one of its own, but bounds its bytes alone: empty files would fill the machine's memory.
class ScratchFolder {
 public:
  explicit ScratchFolder(const CodeLimits& limits);
  /// Puts it in the place of /tmp, for this process and for what it becomes or starts. Allocates nothing: for a child
  /// that was forked. False where the system does not let it; errno says why.
  [[nodiscard]] bool mount() const;

 private:
  std::string options_, user_, group_;
};

}  // namespace nowsim

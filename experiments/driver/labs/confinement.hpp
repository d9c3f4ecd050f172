// What a student's code may use, whether the system can keep it to that, and how its process is started.
#pragma once

#include <sys/types.h>

#include <string>

#include "sim/base/plain_file.hpp"

namespace nowsim {

/// Limits of a student's code.
struct CodeLimits {
  double answer_s = 5;             ///< for an answer, by the clock on the wall
  double start_s = 20;             ///< until its file is read
  double total_s = 60;             ///< of all answers of a technique; with start_s, of a process's processor time
  int memory_mib = 512;
  int files_mib = 16;              ///< of its scratch folder, and of a file
  int most_files = 1000;           ///< in its scratch folder, with folders and links
  bool must_be_confined = false;   ///< else it runs where it cannot be confined too, and that is said
  std::string bwrap = "bwrap";     ///< the program that confines
};

/// Whether code is confined here.
struct Confinement {
  std::string why_not;  ///< "" where it is
  [[nodiscard]] bool is_confined() const { return why_not.empty(); }
  /// A sentence for who grades.
  [[nodiscard]] std::string text() const;
};

/// Tries bubblewrap in a scratch folder.
Confinement confinement(const CodeLimits& limits = {});

/// Debian's Python; "" where there is none.
std::string python_program();

/// A process that has begun to run a helper with a student's code.
struct StartedCode {
  pid_t pid;
  FileHandle channel;  ///< a socket that keeps messages apart
  FileHandle log;      ///< a file in memory of what it prints
};

/// Starts the Python program `helper`, a text, for a file of this name and text: within bubblewrap, or with limits and
/// the kernel's filter of calls alone. @throws RunError
StartedCode start_code(const std::string& helper, const std::string& name, const std::string& source,
                       const CodeLimits& limits, bool is_confined);

}  // namespace nowsim

// What a student's code may use, and whether the system can keep it to that.
#pragma once

#include <string>
#include <vector>

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

/// The words that start a program within bubblewrap, which gets these behind them, where /tmp is a ScratchFolder: it
/// may write there. Its filter of calls is read from a descriptor; -1: there is none.
std::vector<std::string> confining_words(const CodeLimits& limits, int filter_fd);

}  // namespace nowsim

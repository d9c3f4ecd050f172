// What is typed so far, taken apart by the commands' flags: what the word at the cursor is.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tools/line/command.hpp"

namespace nowsim {

/// The line as far as it is known.
struct ShellLine {
  const Command* command = nullptr;  ///< or the part of one; null where the word at the cursor is to name it
  std::vector<std::string> words;    ///< of the command, but for the last
  std::vector<std::pair<std::string, std::string>> flags;  ///< long names, and values where they have any
  std::string last;                                        ///< the word at the cursor, or behind its `--flag=` or `-f`
  std::string flag;                                        ///< whose value that is; "": none's
  std::string before_last;                                 ///< `--flag=` or `-f` where it is in the same word

  /// All values of a flag.
  [[nodiscard]] std::vector<std::string> values_of(const std::string& name) const;
};

/// `typed` are the words behind `nowsim`; the last one, which may be "", is at the cursor.
ShellLine shell_line(const std::vector<std::string>& typed, std::span<const Command> commands);

}  // namespace nowsim

// Runs the program nowsim on a terminal of its own, as wide as is wanted, and tells what is to be seen there.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace nowsim::test {

/// What a terminal so wide shows at the end: its lines, from the first one on, without blanks at their ends. Knows
/// carriage return, line feed, erase to the end of the line and, as nothing, colours; lines that are too long go on in
/// the next one.
std::vector<std::string> screen_of(const std::string& written, std::size_t columns);

/// The program on a pseudoterminal, which is its three streams. The locale is C.UTF-8 and TERM xterm, where the
/// environment that is given does not say else; NO_COLOR and COLUMNS are not set.
class OnTerminal {
 public:
  OnTerminal(const std::vector<std::string>& arguments, std::size_t columns, const std::string& folder = "",
             std::map<std::string, std::string> environment = {});
  ~OnTerminal();
  OnTerminal(const OnTerminal&) = delete;
  OnTerminal& operator=(const OnTerminal&) = delete;

  /// Types these characters: "\x03" is Ctrl-C.
  void type(const std::string& keys) const;
  /// Waits until this text was written; false where that does not come true in a minute, or the program has ended.
  bool comes(const std::string& text);
  /// Waits for the end. Returns the exit status; 128 + n where signal n ended it.
  int finish();
  /// What was written so far, without the terminal's carriage returns before line feeds.
  [[nodiscard]] std::string written() const;
  [[nodiscard]] std::vector<std::string> screen() const { return screen_of(written_, columns_); }
  /// The widest line that was written, in characters.
  [[nodiscard]] std::size_t widest() const;

 private:
  bool read_some(int patience_ms);

  pid_t pid_ = -1;
  int terminal_ = -1;
  std::size_t columns_;
  std::string written_;
};

}  // namespace nowsim::test

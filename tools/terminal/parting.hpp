// What is said to whoever stops a command by Ctrl-C: what is kept, and what to type to go on.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "experiments/driver/running/runner.hpp"

namespace nowsim {

/// What a command leaves that a signal has stopped in good order.
class Stopped : public Interrupted {
 public:
  /// `kept` is a sentence such as "nothing was kept"; with `more` words the same command goes on, or begins again where
  /// nothing was kept. The exit status is 128 + the signal's number.
  Stopped(std::string kept, int exit_status, bool goes_on = true, std::vector<std::string> more = {})
      : kept_(std::move(kept)), exit_status_(exit_status), goes_on_(goes_on), more_(std::move(more)) {}
  [[nodiscard]] const std::string& kept() const { return kept_; }
  [[nodiscard]] int exit_status() const { return exit_status_; }
  [[nodiscard]] bool goes_on() const { return goes_on_; }
  [[nodiscard]] const std::vector<std::string>& more() const { return more_; }

 private:
  std::string kept_;
  int exit_status_;
  bool goes_on_;
  std::vector<std::string> more_;
};

/// What stops a command that keeps nothing, and in no good order.
inline constexpr const char* kNothingKept = "nothing was kept";

/// "stopped; nothing was kept", and in a line of its own what to type, quoted for a shell, behind "begin again with:" or
/// "go on with:". On a terminal the line that it is written to is wiped first, with the ^C that stands there.
std::string parting_text(const std::string& kept, bool goes_on, const std::vector<std::string>& command);

}  // namespace nowsim

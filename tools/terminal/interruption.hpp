// Ctrl-C as a request to stop in good order, or an end on the spot with a word of what is left.
#pragma once

#include <array>
#include <csignal>
#include <cstddef>
#include <string>

namespace nowsim {

/// How many signals ask for it.
inline constexpr std::size_t kRequests = 3;

/// What a signal of these does while it lives, and as before afterwards. Those that are ignored from the start (nohup)
/// stay so.
class SignalHandling {
 public:
  explicit SignalHandling(void (*handler)(int));
  ~SignalHandling();
  SignalHandling(const SignalHandling&) = delete;
  SignalHandling& operator=(const SignalHandling&) = delete;

 private:
  std::array<struct sigaction, kRequests> before_{};
};

/// While it lives, SIGINT, SIGTERM and SIGHUP ask the program to stop instead of ending it; a second one ends it.
class InterruptionWatch {
 public:
  InterruptionWatch();
  /// As a shell reports a program that the signal ended: 128 + its number.
  [[nodiscard]] int exit_status() const;

 private:
  SignalHandling handling_;
};

/// In a child process that leaves signals for the group to its parent: from now on SIGTERM, which the parent sends,
/// asks it to stop, however often; and a pipe that nobody reads any more ends it, as it would end the parent.
void heed_parent();

/// While it lives, and no watch does, such a signal ends the program on the spot, as it does anyway, but this text is
/// written to the error stream before. There may be one at a time.
class LastWords {
 public:
  explicit LastWords(const std::string& text);

 private:
  SignalHandling handling_;
};

/// Whether such a signal has come.
bool interruption_requested();
/// As if SIGINT had come.
void request_interruption();

}  // namespace nowsim

// Ctrl-C as a request to stop in good order, instead of an end on the spot.
#pragma once

#include <array>
#include <csignal>
#include <cstddef>

namespace nowsim {

/// How many signals ask for it.
inline constexpr std::size_t kRequests = 3;

/// While it lives, SIGINT, SIGTERM and SIGHUP ask the program to stop instead of ending it; a second one ends it. Those that
/// are ignored from the start (nohup) stay so; afterwards all are handled as they were before.
class InterruptionWatch {
 public:
  InterruptionWatch();
  ~InterruptionWatch();
  InterruptionWatch(const InterruptionWatch&) = delete;
  InterruptionWatch& operator=(const InterruptionWatch&) = delete;
  /// As a shell reports a program that the signal ended: 128 + its number.
  [[nodiscard]] int exit_status() const;

 private:
  std::array<struct sigaction, kRequests> before_{};
};

/// Whether such a signal has come.
bool interruption_requested();
/// As if SIGINT had come.
void request_interruption();

}  // namespace nowsim

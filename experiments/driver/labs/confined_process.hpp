// A process that runs a student's code: within bubblewrap where that can be had, with limits always.
#pragma once

#include <sys/types.h>

#include <array>
#include <string>
#include <string_view>

#include "experiments/driver/labs/confined_messages.hpp"
#include "experiments/driver/labs/start_code.hpp"

namespace nowsim {

/// It is ended with the object, or with the process that made it.
class ConfinedProcess {
 public:
  /// Starts kConfinedScript for a file of this name and text. @throws RunError where it cannot be started.
  ConfinedProcess(const std::string& name, const std::string& source, const CodeLimits& limits, bool is_confined);
  ~ConfinedProcess();
  ConfinedProcess(const ConfinedProcess&) = delete;
  ConfinedProcess& operator=(const ConfinedProcess&) = delete;

  /// Whether this process made it, and not one from which it was forked.
  [[nodiscard]] bool is_own() const;
  void send(std::string_view message) const;
  /// The next message, as long as no other one is taken; empty where none came in time, or none will come (is_over()).
  /// One that is longer than kMostMessage is of no kind.
  std::string_view receive(double limit_s);
  [[nodiscard]] bool is_over() const { return is_over_; }
  /// How it came to its end, for a sentence: "was ended ...".
  std::string ending();
  /// The last lines of what it printed, on one line; "" without any.
  [[nodiscard]] std::string printed() const;

 private:
  ConfinedProcess(StartedCode started, const CodeLimits& limits);
  bool take(int flags);

  double most_cpu_s_;
  pid_t parent_, pid_;
  FileHandle channel_, log_;
  bool is_over_ = false;
  std::size_t size_ = 0;
  std::array<char, kMostMessage> message_;
};

}  // namespace nowsim

// A student's chunk rule in Python: what it wants to know, and what it answers, from a process of its own.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/driver/labs/confined_messages.hpp"
#include "experiments/driver/labs/confined_process.hpp"

namespace nowsim {

/// Numbers of the loops that go on: an ended one's is given to another.
class LoopNumbers {
 public:
  std::uint32_t take();
  void give_back(std::uint32_t number) { free_.push_back(number); }

 private:
  std::vector<std::uint32_t> free_;
  std::uint32_t next_ = 0;
};

/// Simulating processes, forked from the one that made it, each have a process of the student's code: started when it
/// is first asked, ended with the process that asks.
class ConfinedCode {
 public:
  /// Reads the file and has it run once. @throws RunError: it cannot be read, defines not exactly one technique, fails,
  /// or cannot be confined and must be.
  ConfinedCode(const std::string& file, const CodeLimits& limits);

  [[nodiscard]] const Confinement& confinement() const { return confinement_; }
  [[nodiscard]] const std::string& summary() const { return described_.summary; }
  [[nodiscard]] std::string identity() const;  ///< of the file's bytes
  [[nodiscard]] const ConfinedRule& chunk() const { return described_.chunk; }
  [[nodiscard]] const std::optional<ConfinedRule>& batch() const { return described_.batch; }

  /// What the function gives, as a number of tasks. The first time for a loop the file has been run anew, so that
  /// nothing is left of other replications. @throws RunError
  std::int64_t tasks(bool is_batch, LoopState& state, std::size_t worker);

 private:
  /// What sentences begin and go on with.
  struct Asker {
    std::string by;
    std::function<std::string()> state;
  };

  /// A process of this process's own, that has read the file.
  ConfinedProcess& process();
  void describe(ConfinedProcess& with, const Asker& asker, std::string_view description);
  /// A message's answer of this kind. @throws RunError where none comes in time, or another one.
  std::string_view exchange(ConfinedProcess& with, std::string_view message, MessageKind kind, double limit_s,
                            const Asker& asker);
  /// The process's next message, once what it asks for before is told, all within the limit; empty where none came.
  std::string_view answered(ConfinedProcess& with, double limit_s);
  /// Ends the process. @throws RunError: who did what.
  [[noreturn]] void fail(ConfinedProcess& with, const Asker& asker, const std::string& what);

  std::string name_, source_;
  CodeLimits limits_;
  Confinement confinement_;
  std::shared_ptr<std::atomic<std::int64_t>> spent_ns_;  ///< of all processes, in memory that they share
  std::unique_ptr<ConfinedProcess> process_;
  std::optional<std::string> description_;  ///< nothing before the first process
  ConfinedDescription described_;
  std::shared_ptr<LoopNumbers> numbers_;
};

}  // namespace nowsim

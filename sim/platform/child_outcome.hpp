// How work ended that was done apart: what it gave, or a sentence; and doing it apart.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "sim/base/infinity.hpp"

namespace nowsim {

/// What the sentence of a child that ended without a word of its own begins with.
inline constexpr std::string_view kProcessFailed = "the simulation's process failed: ";

/// How a child ended.
struct ChildOutcome {
  enum class Kind { done, input_error, infeasible, run_error };
  Kind kind = Kind::run_error;
  std::string bytes;     ///< done: what the work returned
  std::string sentence;  ///< otherwise: what went wrong, for a person
  bool has_crashed = false;  ///< the process ended itself, without an outcome
  /// The bytes. @throws InputError, InfeasibleError or RunError with the sentence, as the child did.
  [[nodiscard]] const std::string& get() const;
};

/// Does the work here, and turns its exceptions into an outcome.
ChildOutcome outcome_of(const std::function<std::string()>& work);

/// Does the work in a forked child and waits for its end; a run error after so long [s], and the child is ended. Where
/// there are no processes (the core), the work is done here, however long it takes.
ChildOutcome apart(const std::function<std::string()>& work, double limit_s = kInfinity);
/// The same. @throws what ChildOutcome::get() throws.
std::string in_child_process(const std::function<std::string()>& work);

}  // namespace nowsim

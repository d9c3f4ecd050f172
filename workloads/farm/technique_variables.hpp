// Techniques of the user's own: what they may know of the loop, by the short names of the literature, and chunks by their
// rules, which are formulas or functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "workloads/farm/self_scheduling.hpp"

namespace nowsim {

/// A number that formulas name, and functions have as a parameter.
struct TechniqueVariable {
  const char* name;
  const char* help;
  double (*value)(const LoopState&, std::size_t worker);
  Technique::Learns needed = Technique::Learns::nothing;  ///< what workers have to report
  bool uses_shares = false;
  bool is_of_batch = false;  ///< of no use without batches
  [[nodiscard]] bool is_count() const;  ///< a whole number
};

/// In the order in which they are listed.
std::span<const TechniqueVariable> technique_variables();

/// Some of them, in an order of one's own: read without looking names up.
using TechniqueVariables = std::vector<const TechniqueVariable*>;
/// Each at most once, so there are never more than technique_variables(). @throws InputError for a name that there is
/// not, with the nearest that there is, and for one that comes twice.
TechniqueVariables variables_by_name(std::span<const std::string> names);
/// Those that a formula names. @throws InputError for another name that is no full key.
TechniqueVariables variables_of(const WrittenFormula& formula);
/// What a technique that knows them learns, and whether it uses shares, besides what it says already.
void add_needs(const TechniqueVariables& variables, Technique& technique);
/// "R = 30, P = 4", for people.
std::string values_text(const TechniqueVariables& variables, const LoopState& state, std::size_t worker);

/// A chunk or batch of this many tasks, parts of one rounded up, all of them at most 2^53. @throws RunError for what is
/// not more than 0 or not finite, in a sentence of what gave it (`by`), and with which variables.
std::int64_t whole_tasks(double value, const std::string& by, const TechniqueVariables& variables,
                         const LoopState& state, std::size_t worker);

/// The next chunk. Rules have tasks(state, worker): at least 1. Without a rule of batches (null) there are none; else a
/// batch begins where the last one is used up, and no chunk goes beyond it.
template <class Rule>
std::int64_t next_by_rules(const Rule& chunk, const Rule* batch, LoopState& s, std::size_t worker) {
  if (batch == nullptr) return chunk.tasks(s, worker);
  if (s.batch_left == 0) {
    const std::int64_t tasks = batch->tasks(s, worker);
    s.batch_tasks = static_cast<double>(tasks);
    s.batch_left = std::min(tasks, s.remaining);
    ++s.batches;
  }
  const std::int64_t tasks = std::min(chunk.tasks(s, worker), s.batch_left);
  s.batch_left -= tasks;
  return tasks;
}

}  // namespace nowsim

// The technique formula: chunks, and batches of them if wanted, by expressions of the user's.
#include <algorithm>

#include "sim/base/error.hpp"
#include "workloads/farm/technique_formula.hpp"

namespace nowsim {
namespace {

void begin_batch(const TechniqueFormula& batch, LoopState& s, std::size_t worker) {
  const std::int64_t tasks = batch.tasks(s, worker);
  s.batch_tasks = static_cast<double>(tasks);
  s.batch_left = std::min(tasks, s.remaining);
  ++s.batches;
}

std::int64_t next_by_formula(LoopState& s, std::size_t worker) {
  const TechniqueFormula& chunk = *s.parameters.formula("chunk");
  const TechniqueFormula* batch = s.parameters.formula("batch");
  if (batch == nullptr) return chunk.tasks(s, worker);
  if (s.batch_left == 0) begin_batch(*batch, s, worker);
  const std::int64_t tasks = std::min(chunk.tasks(s, worker), s.batch_left);
  s.batch_left -= tasks;
  return tasks;
}

void check_batch(const TechniqueParameters& p) {
  if (p.formula("batch") != nullptr || p.formula("chunk") == nullptr) return;
  for (const TechniqueVariable* variable : p.formula("chunk")->variables())
    if (variable->is_of_batch)
      throw InputError(std::string("the formula chunk names ") + variable->name + ", " + variable->help +
                       ": without a formula at 'batch' there are no batches");
}

}  // namespace

Technique formula_technique() {
  return {.name = "formula",
          .summary = "chunks by an expression, in batches by another one",
          .citation = "",
          .next = next_by_formula,
          .has_least = false,
          .keys = {{"chunk", KeyType::formula, kMustBeGiven, "tasks of the next chunk, rounded up"},
                   {"batch", KeyType::formula, "", "tasks of a batch, rounded up, which chunks use up"}},
          .check = check_batch};
}

}  // namespace nowsim

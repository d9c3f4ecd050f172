// The technique formula: chunks, and batches of them if wanted, by expressions of the user's.
#include "sim/base/error.hpp"
#include "workloads/farm/rule_batches.hpp"
#include "workloads/farm/technique_formula.hpp"

namespace nowsim {
namespace {

std::int64_t next_by_formula(LoopState& s, std::size_t worker) {
  return next_by_rules(*s.parameters.formula("chunk"), s.parameters.formula("batch"), s, worker);
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

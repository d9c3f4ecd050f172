// Its functions are asked for chunks, and for batches if it has them.
#include "experiments/driver/labs/confined_technique.hpp"

#include <memory>
#include <utility>

#include "experiments/driver/labs/confined_code.hpp"
#include "workloads/farm/technique_variables.hpp"

namespace nowsim {
namespace {

/// One of the file's functions.
struct RuleOfCode {
  ConfinedCode* code;
  bool is_batch;
  std::int64_t tasks(LoopState& state, std::size_t worker) const { return code->tasks(is_batch, state, worker); }
};

/// Of a simulated rank that waits for another program [KiB].
constexpr int kRankStack_kib = 256;

}  // namespace

ConfinedTechnique confined_technique(const std::string& name, const std::string& file, const CodeLimits& limits) {
  const auto code = std::make_shared<ConfinedCode>(file, limits);
  Technique made{.name = name,
                 .summary = code->summary(),
                 .next =
                     [code](LoopState& state, std::size_t worker) {
                       const RuleOfCode chunk{code.get(), false}, batch{code.get(), true};
                       return next_by_rules(chunk, code->batch() ? &batch : nullptr, state, worker);
                     },
                 .has_least = false};
  add_needs(code->chunk().variables, made);
  if (code->batch()) add_needs(code->batch()->variables, made);
  made.user_code = {.identity = code->identity(), .stack_kib = kRankStack_kib};
  return {std::move(made), code->confinement()};
}

}  // namespace nowsim

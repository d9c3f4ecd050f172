// Its functions are asked for chunks, and for batches if it has them.
#include "experiments/driver/labs/confined_technique.hpp"

#include <algorithm>
#include <cctype>
#include <memory>

#include "experiments/driver/labs/confined_code.hpp"
#include "workloads/farm/rule_batches.hpp"

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

Technique confined_technique(const std::string& name, const std::string& file, const CodeLimits& limits) {
  const auto code = std::make_shared<ConfinedCode>(file, limits);
  Technique made{.name = name,
                 .summary = code->summary(),
                 .citation = "",
                 .next =
                     [code](LoopState& state, std::size_t worker) {
                       const RuleOfCode chunk{code.get(), false}, batch{code.get(), true};
                       return next_by_rules(chunk, code->batch() ? &batch : nullptr, state, worker);
                     },
                 .has_least = false};
  add_needs(code->chunk().variables, made);
  if (code->batch()) add_needs(code->batch()->variables, made);
  made.user_code = {.identity = code->identity(), .stack_kib = kRankStack_kib};
  return made;
}

bool is_code_file(const std::string& answer) {
  constexpr std::size_t kLongest = 100;
  const auto is_plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.';
  };
  return answer.size() > 3 && answer.size() <= kLongest && answer.ends_with(".py") && !answer.starts_with('.') &&
         !answer.starts_with('-') && std::ranges::all_of(answer, is_plain);
}

}  // namespace nowsim

// A message of a process of a student's code, which may write whatever it likes: read as what it says it is.
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "experiments/driver/labs/confined_technique.hpp"
#include "sim/base/utf8.hpp"
#include "tests/fuzz/targets.hpp"
#include "workloads/farm/self_scheduling.hpp"

namespace nowsim::test {
namespace {

/// What stands in sentences for people.
void check_shown(const std::string& text) {
  constexpr std::size_t kMost = 10'000;
  if (shown_line(text) != text || text.size() > kMost)
    throw std::logic_error("a line that a terminal obeys, or too long");
}

void check_rule(const ConfinedRule& rule) {
  check_shown(rule.by);
  if (rule.variables.size() > technique_variables().size()) throw std::logic_error("more variables than there are");
}

void check_description(const ConfinedDescription& found, const LoopState& state) {
  check_shown(found.summary);
  check_shown(found.fault);
  check_rule(found.chunk);
  if (found.batch) check_rule(*found.batch);
  for (const double parameter : found.parameters)
    if (!std::isfinite(parameter)) throw std::logic_error("a parameter that is no number");
  const std::size_t numbers = 3 + technique_variables().size() + found.parameters.size();
  if (request_message({true, false, 7}, state, 0, found.parameters).size() != 8 * numbers)
    throw std::logic_error("a request of another size");
}

}  // namespace

void fuzz_sandbox(std::string_view input) {
  if (input.empty() || input.size() > kMostMessage) return;
  const std::string_view said = input.substr(1);
  const LoopState state(100, std::vector<double>{1, 2}, {});
  switch (MessageKind{input.front()}) {
    case MessageKind::number:
      if (const auto given = answered_number(said); given && whole_tasks(*given, "it", {}, state, 0) < 1)
        throw std::logic_error("a chunk of no tasks");
      break;
    case MessageKind::description:
      if (const auto found = described_technique(said)) check_description(*found, state);
      break;
    case MessageKind::failure:
      check_shown(told_failure(said));
      break;
  }
}

}  // namespace nowsim::test

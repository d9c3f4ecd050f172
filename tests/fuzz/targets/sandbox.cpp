// A message of a process of a student's code, which may write whatever it likes: read as what it says it is.
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "experiments/driver/labs/confined_messages.hpp"
#include "sim/base/utf8.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/fuzz/verdict.hpp"
#include "workloads/farm/self_scheduling.hpp"

namespace nowsim::test {
namespace {

/// What stands in sentences for people.
void check_shown(const std::string& text) {
  constexpr std::size_t kMost = 10'000;
  if (shown_line(text) != text || text.size() > kMost)
    throw std::logic_error("a line that a terminal obeys, or too long");
}

void check_rule(const ConfinedRule& rule, const LoopState& state) {
  check_shown(rule.by);
  const std::size_t names = rule.variables.size();
  if (names > technique_variables().size()) throw std::logic_error("more variables than there are");
  if (request_message({}, rule.variables, state, 0).size() != 8 * (1 + names))
    throw std::logic_error("a request of another size");
}

void check_value(const std::string& message, std::string_view input) {
  const auto value = answered_number(std::string_view(message).substr(1));
  const bool is_value = message.front() == 'v' && value && std::isfinite(*value);
  const std::string fault = is_value ? "" : fault_of_message(message.substr(1), input);
  if (!fault.empty() || (!is_value && message.front() != 'e'))
    throw std::logic_error("no value, and no sentence " + fault);
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
      if (const auto found = described_technique(said)) {
        check_shown(found->summary);
        check_rule(found->chunk, state);
        if (found->batch) check_rule(*found->batch, state);
      }
      break;
    case MessageKind::failure:
      check_shown(told_failure(said));
      break;
    case MessageKind::key:
      check_value(value_message(said), input);
      break;
    case MessageKind::value:
      break;
  }
}

}  // namespace nowsim::test

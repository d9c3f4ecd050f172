// Trying attempts in order.
#include "experiments/driver/labs/making.hpp"

#include <algorithm>
#include <cmath>

#include "experiments/driver/labs/targets.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

constexpr std::uint64_t kMostAttempts = 200;
/// A misconception's answer is at least so many half-widths of the right one from it.
constexpr double kHalfWidthsApart = 5;

bool is_far(const AnswerTargets& right, const AnswerTargets& wrong) {
  for (std::size_t i = 0; i < right.size(); ++i) {
    const bool is_word = !right[i].words.empty() || !wrong[i].words.empty();
    const double half_width = is_word ? 0 : right[i].number.half_width();
    const double distance = std::abs(right[i].number.value - wrong[i].number.value);
    if (are_apart({right[i]}, {wrong[i]}) && (is_word || !(distance < kHalfWidthsApart * half_width))) return true;
  }
  return false;
}

std::string why_not_ask(Facts& facts, const Question& question) {
  std::vector<std::pair<std::string, AnswerTargets>> wrong;
  const bool is_trial = question.kind == Question::Kind::trial;
  const AnswerTargets right = is_trial ? AnswerTargets{} : right_targets(facts, question);
  for (const auto& misconception : question.wrong) {
    AnswerTargets targets = wrong_targets(facts, question, misconception);
    if (!is_trial && !is_far(right, targets))
      return question.key + ": the answer of " + quoted(misconception.name) + " is too near to the right one";
    for (const auto& [name, other] : wrong)
      if (!are_apart(other, targets))
        return question.key + ": the answers of " + quoted(name) + " and " + quoted(misconception.name) + " are too near";
    wrong.emplace_back(misconception.name, std::move(targets));
  }
  return "";
}

}  // namespace

std::string why_not(Facts& facts) {
  for (const auto& formula : facts.lab().accept)
    if (!(facts.number(formula.starts_with("=") ? formula : "=" + formula).value > 0)) return "not above 0: " + formula;
  for (const auto& step : facts.lab().steps)
    for (const auto& question : step.questions)
      if (const std::string why = why_not_ask(facts, question); !why.empty()) return why;
  return "";
}

Problem make_problem(const Lab& lab, const LabOwner& owner, const Registries& registries, const FactOptions& options) {
  std::string why;
  for (std::uint64_t attempt = 0; attempt < kMostAttempts; ++attempt) {
    Problem problem = draw_problem(lab, owner, attempt);
    Facts facts(lab, problem, registries, options);
    why = why_not(facts);
    if (why.empty()) return problem;
  }
  throw InputError(Place{lab.folder, 0, ""}, "no numbers were found that make a fit problem; the last ones: " + why);
}

std::optional<Problem> signed_problem(const Lab& lab, const LabOwner& owner, const std::string& signature) {
  for (std::uint64_t attempt = 0; attempt < kMostAttempts; ++attempt)
    if (Problem problem = draw_problem(lab, owner, attempt); problem.signature == signature) return problem;
  return std::nullopt;
}

}  // namespace nowsim

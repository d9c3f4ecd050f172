// Drawing from streams that a hash seeds, and trying attempts in order.
#include "experiments/driver/labs/problem.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "experiments/driver/labs/judging.hpp"
#include "experiments/driver/text/checksum.hpp"
#include "sim/base/text.hpp"
#include "sim/statistics/random.hpp"

namespace nowsim {
namespace {

constexpr std::uint64_t kMostJudgeSeeds = 1'000'000'000;

/// The texts in one, each with its length before it.
std::uint64_t hash_of(const std::vector<std::string>& texts) {
  std::string all;
  for (const auto& text : texts) all += fmt::format("{}:{}", text.size(), text);
  return std::bit_cast<std::uint64_t>(checksum(all));
}

/// What all students of a course have in common.
std::vector<std::string> course_texts(const Lab& lab, const LabOwner& owner) {
  return {"nowsim-lab", lab.name, owner.course, std::to_string(owner.seed)};
}

std::uint64_t with(std::vector<std::string> texts, const std::vector<std::string>& more) {
  texts.insert(texts.end(), more.begin(), more.end());
  return hash_of(texts);
}

}  // namespace

std::string signature_of(const std::vector<std::string>& texts) { return fmt::format("{:016x}", hash_of(texts)); }

Problem draw_problem(const Lab& lab, const LabOwner& owner, std::uint64_t attempt) {
  const auto common = course_texts(lab, owner);
  Problem problem{owner, {}, attempt, 1 + with(common, {"judge", owner.id}) % kMostJudgeSeeds,
                  1 + with(common, {"grade"}) % kMostJudgeSeeds, ""};
  auto signed_texts = common;
  signed_texts.insert(signed_texts.end(), {owner.id, std::to_string(attempt)});
  for (const auto& number : lab.problem) {
    // Each has a stream of its own, named by its name: adding a number to a lab leaves the others as they were.
    const std::uint64_t seed = with(common, {number.of_course ? "" : owner.id, number.name});
    Stream stream({seed, number.of_course ? 0 : attempt, kAllWorkstations, Purpose::workload});
    const auto place = static_cast<std::size_t>(stream.uniform() * static_cast<double>(number.values.size()));
    problem.numbers[number.name] = number.values[place];
    signed_texts.push_back(number.name + "=" + number_text(number.values[place]));
  }
  problem.signature = signature_of(signed_texts);
  return problem;
}

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
  const AnswerTargets right = is_trial ? AnswerTargets{} : targets_of(facts, question, question.right);
  for (const auto& misconception : question.wrong) {
    AnswerTargets targets = targets_of(facts, question, misconception.answer);
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

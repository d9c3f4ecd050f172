// Facts, formulas and words as targets.
#include "experiments/driver/labs/targets.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "experiments/driver/labs/answer_text.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

/// Numbers that are as near as this are the same, where a question has no tolerance.
constexpr double kSameNumber = 1e-6;

/// @throws InputError for a number whose error is not known. One that is not known itself cannot be told.
AnswerTarget number_target(const Question& question, const Estimate& e) {
  if (!std::isfinite(e.value)) return {kUnknownEstimate, 0, 0, {}};
  if (!std::isfinite(e.low) || !std::isfinite(e.high))
    throw InputError(question.place, "what the answer is compared with has no interval: more replications are needed");
  const double tolerance = std::max(question.tolerance, kSameNumber) * std::abs(e.value);
  return {e, e.low - tolerance, e.high + tolerance, {}};
}

AnswerTarget target_of_item(const Question& question, const FactItem& item) {
  return item.words.empty() ? number_target(question, item.number) : AnswerTarget{item.number, 0, 0, item.words};
}

/// Of a fact's name all its items; of a formula its value; of anything else the word itself.
AnswerTargets targets_of(Facts& facts, const Question& question, const std::string& text) {
  if (text.starts_with("=")) return {number_target(question, facts.number(text))};
  if (!facts.knows(text)) {
    const auto number = has_numbers(question) ? to_number(text) : std::nullopt;
    return {number ? number_target(question, exactly(*number)) : AnswerTarget{kUnknownEstimate, 0, 0, {text}}};
  }
  AnswerTargets targets;
  for (const auto& item : facts.get(text)) targets.push_back(target_of_item(question, item));
  return targets;
}

AnswerTargets targets_of(Facts& facts, const Question& question, const std::vector<std::string>& texts) {
  AnswerTargets targets;
  for (const auto& text : texts)
    for (auto& target : targets_of(facts, question, text)) targets.push_back(std::move(target));
  const std::size_t wanted = question.items.empty() ? 1 : question.items.size();
  if (targets.size() == wanted) return targets;
  throw InputError(question.place, "the answer has " + std::to_string(wanted) + " items, and what it is compared with " +
                                       std::to_string(targets.size()));
}

/// Case and blanks do not count: the words may be formulas.
bool is_same_word(std::string a, std::string b) {
  for (auto* text : {&a, &b}) std::erase(*text, ' ');
  return lower_case(a) == lower_case(b);
}

double fit_of_word(const AnswerTarget& target, const std::string& item) {
  const auto is_it = [&](const std::string& word) { return is_same_word(word, item); };
  if (target.words.size() == 1) return is_it(target.words.front()) ? 1 : 0;
  if (is_it(kCannotBeTold)) return 1;
  return std::ranges::any_of(target.words, is_it) ? 0.5 : 0;
}

bool are_items_apart(const AnswerTarget& a, const AnswerTarget& b) {
  if (!a.words.empty() || !b.words.empty()) return text_of(a) != text_of(b);
  return a.most < b.least || b.most < a.least;
}

}  // namespace

AnswerTargets right_targets(Facts& facts, const Question& question) { return targets_of(facts, question, question.right); }

AnswerTargets wrong_targets(Facts& facts, const Question& question, const Misconception& misconception) {
  return targets_of(facts, question, misconception.answer);
}

bool has_numbers(const Question& question) {
  switch (question.kind) {
    case Question::Kind::number:
    case Question::Kind::numbers: return true;
    case Question::Kind::trial:
      return question.takes == Question::Takes::number || question.takes == Question::Takes::numbers;
    default: return false;
  }
}

void check_item(const Question& question, const std::string& item, const ColumnUnit& asked) {
  const bool is_trial = question.kind == Question::Kind::trial;
  if (!has_numbers(question) || (!is_trial && is_same_word(item, kCannotBeTold))) return;
  if (answer_number(item, asked.name) * asked.seconds < question.least)
    throw InputError(quoted(item) + " is to be " + short_number(question.least) + " or more");
}

double fit_of(const Question& question, const AnswerTarget& target, const std::string& item) {
  if (!has_numbers(question)) return fit_of_word(target, item);
  if (is_same_word(item, kCannotBeTold)) return std::isfinite(target.number.value) ? 0 : 1;
  const double number = answer_number(item, question.unit);
  return target.least <= number && number <= target.most && std::isfinite(target.number.value) ? 1 : 0;
}

std::string text_of(const AnswerTarget& target, const ColumnUnit& asked) {
  if (target.words.size() > 1) return kCannotBeTold;
  if (!target.words.empty()) return target.words.front();
  if (!std::isfinite(target.number.value)) return kCannotBeTold;
  return number_text(target.number.value / asked.seconds) + (asked.name == std::string_view("%") ? "%" : "");
}

bool are_apart(const AnswerTargets& a, const AnswerTargets& b) {
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i)
    if (are_items_apart(a[i], b[i])) return true;
  return false;
}

}  // namespace nowsim

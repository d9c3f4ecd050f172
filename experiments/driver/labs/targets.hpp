// What answers are compared with: the right one, and those that show a misconception, item by item.
#pragma once

#include <string>
#include <vector>

#include "experiments/driver/labs/facts.hpp"

namespace nowsim {

/// An item of an answer to aim at: numbers near a number, or words.
struct AnswerTarget {
  Estimate number = kUnknownEstimate;
  double least = 0, most = 0;      ///< the interval, widened by the question's tolerance on both sides
  std::vector<std::string> words;  ///< of choices; several: they cannot be told apart
};
using AnswerTargets = std::vector<AnswerTarget>;

AnswerTargets right_targets(Facts& facts, const Question& question);
AnswerTargets wrong_targets(Facts& facts, const Question& question, const Misconception& misconception);

/// Whether numbers are what the question's answer is made of.
bool has_numbers(const Question& question);
/// @throws InputError for what is no number where one is wanted, or less than the question's least. A number without a unit
/// has the one in which it is asked.
void check_item(const Question& question, const std::string& item, const ColumnUnit& asked);
/// How well an item fits: 1, 0, or a half for one of several words that cannot be told apart. A number without a unit has
/// the question's.
/// @throws InputError for what is no number where one is wanted.
double fit_of(const Question& question, const AnswerTarget& target, const std::string& item);
/// An item as one writes it where it is asked in this unit; of per cent with the sign.
std::string text_of(const AnswerTarget& target, const ColumnUnit& asked = {"", 1});
/// Whether no answer fits both: some item tells them apart.
bool are_apart(const AnswerTargets& a, const AnswerTargets& b);

}  // namespace nowsim

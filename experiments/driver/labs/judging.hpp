// An answer judged by what simulation says of the student's own problem.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/driver/labs/facts.hpp"

namespace nowsim {

/// How an answer stands.
enum class AnswerStanding { missing, unreadable, wrong, partly, right };

/// What is said of an answer.
struct JudgedAnswer {
  const Question* question = nullptr;
  std::vector<std::string> answer;         ///< as it was written; one text, or one per item
  AnswerStanding standing = AnswerStanding::missing;
  double marks = 0;
  std::string misconception;               ///< its name; "" where none matches
  std::vector<std::string> says;           ///< sentences, markdown
  std::optional<Estimate> score;           ///< of a trial, in units of its fact
  std::vector<std::string> wrong_items;    ///< of a list: which
};

/// Judges one answer. `reveals`: what is right may be said (predictions, and the teacher's page).
/// @throws nothing of the student's making: what cannot be read, or fails as it runs, is said in the judgement.
JudgedAnswer judge_answer(Facts& facts, const Question& question, const std::vector<std::string>& answer, bool reveals);

/// The answer that is right: of trials the model's. One text, or one per item.
std::vector<std::string> right_answer(Facts& facts, const Question& question);
/// The answer that shows a misconception.
std::vector<std::string> wrong_answer(Facts& facts, const Question& question, const Misconception& misconception);

/// The student's own problem: the first attempt whose facts pass `accept`, and whose misconceptions' answers are at least
/// five half-widths of the right one and twice its tolerance away from it, and apart from each other.
/// @throws InputError naming the lab where 200 attempts gave none.
Problem make_problem(const Lab& lab, const LabOwner& owner, const Registries& registries);
/// Why a problem is not to be given; "" where it is.
std::string why_not(Facts& facts);

}  // namespace nowsim

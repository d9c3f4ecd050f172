// An answer compared with what is right and what is known to be thought wrongly, or run and scored.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiments/driver/labs/facts.hpp"
#include "experiments/driver/labs/texts.hpp"

namespace nowsim {

/// How an answer stands. Unclear is a prediction that is asked back, since it seems to have another unit than was meant.
enum class AnswerStanding { missing, unreadable, unclear, wrong, partly, right };

/// One replication of a trial, for its chart.
struct OwnRun {
  std::string experiment, title;
  std::shared_ptr<const Timeline> timeline;
};

/// What is said of an answer.
struct JudgedAnswer {
  const Question* question = nullptr;
  std::vector<std::string> answer;         ///< as it was written; one text, or one per item
  AnswerStanding standing = AnswerStanding::missing;
  double marks = 0;
  std::string misconception;               ///< its name; "" where none matches
  std::vector<std::string> says;           ///< sentences, markdown
  std::optional<Estimate> score;           ///< of a trial, in units of its fact
  Estimate none = kUnknownEstimate, full = kUnknownEstimate;  ///< what it is scored between
  Estimate best = kUnknownEstimate;        ///< the best score that is known, this one too; of no use where `full` is exact
  ColumnUnit score_unit{"", 1};            ///< in which scores are shown
  Estimate share = kUnknownEstimate;       ///< of the way from none to full, the three of them paired
  std::vector<OwnRun> runs;                ///< of a trial
  std::vector<std::string> wrong_items;    ///< of a list: which
  std::vector<std::string> remarks;        ///< for the teacher: that a program could not be confined
  std::string asks_back;                   ///< whether another unit was meant, which would be near the right one; or ""

  /// It is there, and can be judged.
  [[nodiscard]] bool is_readable() const {
    return standing != AnswerStanding::missing && standing != AnswerStanding::unreadable &&
           standing != AnswerStanding::unclear;
  }
};

/// Judges one answer. Numbers without a unit have the one in which it is asked (asked_unit()); behind the number '!' says
/// that it is meant as it stands. `reveals`: what is right may be said (predictions, and the teacher's page).
/// @throws nothing of the student's making: what cannot be read, or fails as it runs, is said in the judgement.
JudgedAnswer judge_answer(Facts& facts, const Question& question, const std::vector<std::string>& answer, bool reveals,
                          const Texts& texts);

/// An answer that cannot be judged, and why.
JudgedAnswer unreadable_answer(const Question& question, const std::string& why, const Texts& texts);

/// Whether an answer has something for every item.
bool is_answered(const Question& question, const std::vector<std::string>& answer);
/// The answer that is right: of trials the model's. One text, or one per item.
std::vector<std::string> right_answer(Facts& facts, const Question& question);
/// The answer that shows a misconception.
std::vector<std::string> wrong_answer(Facts& facts, const Question& question, const Misconception& misconception);

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

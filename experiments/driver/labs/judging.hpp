// An answer compared with what is right and what is known to be thought wrongly, or run and scored.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiments/driver/labs/facts.hpp"
#include "experiments/driver/labs/lab.hpp"
#include "experiments/driver/labs/texts.hpp"
#include "experiments/driver/text/duration_text.hpp"
#include "sim/statistics/statistics.hpp"

namespace nowsim {

/// How an answer stands. Unclear is a prediction that is asked back, since it seems to have another unit than was meant.
enum class AnswerStanding { missing, unreadable, unclear, wrong, partly, right };

/// One replication of a trial, for its chart.
struct OwnRun {
  std::string experiment, title;
  std::shared_ptr<const Timeline> timeline;
};

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

/// Those of an answer that is told by facts, formulas ('=') or words, such as the right one (Question::right) or a
/// misconception's; one per item.
AnswerTargets targets_of(Facts& facts, const Question& question, const std::vector<std::string>& texts);

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

// ---- an answer's numbers, and the unit in which a question asks for them ---------------------------------------------

/// A number in this unit; with another unit of the same dimension it is converted: "5 min" is 300 in s, "90 min" 1.5 in h.
/// Without a unit shares may be per cent: "12%" is 0.12.
/// @throws InputError saying what was found; also for what must be a slip: below 1 where per cent are wanted and no sign
/// is written, a time below 0.
double answer_number(const std::string& text, const std::string& unit = "");
/// A number without a unit as one with it: "4.65" in h is "4.65 h"; any other text as it is.
std::string number_with_unit(const std::string& text, const std::string& unit);
/// What would have been meant if the number had another unit of its kind, s, min or h (flop/s, Mflop/s or Gflop/s), and
/// that made it the right one or nearly so (up to three times as much or little): "4.65 h" of "4.65 min" where 280 min are
/// right. Both are in `unit`, the first with it or another one written behind it. "" where it is near as it stands, or not
/// even so, and where no other unit comes into question.
std::string other_unit_meant(const std::string& text, double right, const std::string& unit);
/// For people: with its interval, where it has one, and its unit.
std::string shown_number(const Estimate& e, const std::string& unit = "");

/// The unit of a number without one, and its size in the question's own: Facts::time_unit() for times in s, else the own.
ColumnUnit asked_unit(Facts& facts, const Question& question);
/// The same of a trial's score.
ColumnUnit asked_score_unit(Facts& facts, const Question& question);

/// In such a unit.
std::string shown_in_unit(const Estimate& e, const ColumnUnit& unit);

}  // namespace nowsim

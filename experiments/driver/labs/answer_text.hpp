// An answer's numbers, read and shown, and the unit in which a question asks for them.
#pragma once

#include <string>
#include <vector>

#include "experiments/driver/labs/facts.hpp"
#include "experiments/driver/labs/lab.hpp"
#include "experiments/driver/text/duration_text.hpp"
#include "sim/statistics/statistics.hpp"

namespace nowsim {

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
/// Its items with commas between them.
std::string joined_answer(const std::vector<std::string>& answer);
/// For people: with its interval, where it has one, and its unit.
std::string shown_number(const Estimate& e, const std::string& unit = "");

/// The unit of the times that a question is about, as `nowsim run` shows them: that of the tables of the experiments which
/// its right answer, or the ends of its score, are simulated by; of several the smallest. Seconds where no table shows
/// them. It is found by a few replications, the same for everybody who asks. @throws InputError, RunError.
ColumnUnit table_unit(Facts& facts, const Question& question);

/// The unit of a number without one, and its size in the question's own: table_unit() for times in s, else the own.
ColumnUnit asked_unit(Facts& facts, const Question& question);
/// The same of a trial's score.
ColumnUnit asked_score_unit(Facts& facts, const Question& question);

/// In such a unit.
std::string shown_in_unit(const Estimate& e, const ColumnUnit& unit);

/// The fact that a name in a formula is of: T of `T`, `T_hw` and `T_3`; null for numbers of the problem. A question's own
/// facts are known besides the lab's where one is given.
const LabFact* fact_of_name(const Lab& lab, const Question* question, const std::string& name);

/// The facts that are no formulas, each once, of which a fact or a formula ('=') is built; of a best one also those that
/// it compares. @throws InputError for a formula that is none.
std::vector<const LabFact*> simulated_parts(const Lab& lab, const Question* question, const std::string& name_or_formula);

}  // namespace nowsim

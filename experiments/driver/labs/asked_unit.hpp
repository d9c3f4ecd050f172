// In which unit a question is asked: of a time that a table shows, the table's.
#pragma once

#include "experiments/driver/labs/facts.hpp"
#include "experiments/driver/text/duration_text.hpp"

namespace nowsim {

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

}  // namespace nowsim

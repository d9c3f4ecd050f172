// What comparisons come to, in words.
#pragma once

#include <string>
#include <vector>

#include "experiments/driver/studies/contrast_report.hpp"
#include "experiments/driver/text/duration_text.hpp"

namespace nowsim {

/// "which job.technique has the lowest tau?", "tau of each job.technique, beside SS".
std::string question_of(const ContrastReport& report, const MetricContrasts& contrasts);
/// What values are compared with: "the best", or as in --against.
std::string compared_name(const ContrastReport& report);
/// "let.part 0.1, ws3"; "" where there is one cell.
std::string cell_text(const ContrastCell& cell);
/// "replications", "groups of 4 replications", "none" (nothing is known of their correlation), "exact".
std::string pairing_word(const ContrastCell& cell);

/// The unit in which a metric's values and their differences are told: its own, of times the one that suits the values.
ColumnUnit contrast_unit(const MetricContrasts& contrasts);
/// What differences of values in this unit are called: of what is told in per cent they are points.
std::string difference_unit(const ColumnUnit& unit);

/// What a metric's cells tell, and how its values were compared: a sentence each.
std::vector<std::string> contrast_sentences(const ContrastReport& report, const MetricContrasts& contrasts);
/// "all 9 of a cell hold together"; the most of a cell.
std::string joint_text(const ContrastReport& report);

}  // namespace nowsim

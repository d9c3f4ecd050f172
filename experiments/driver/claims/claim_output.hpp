// Verdicts on claims as a table for people, as CSV and as JSON.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "experiments/driver/claims/verdicts.hpp"
#include "experiments/driver/running/result_table.hpp"
#include "experiments/driver/text/document.hpp"

namespace nowsim {

/// Writes the verdicts. Table: per claim its id and verdict, the statement, what the paper says it is, what was
/// measured and why that differs, in lines of at most 100 columns (longer words stand alone), and at the end how many
/// claims have which verdict, calibrated ones and other readings apart. Of changed experiments it is said at the top and
/// beside each claim, and they are counted apart. CSV: id, verdict (with '_' for blanks), check,
/// confidence, source, says, paper, figure, measured, differs, calibrated, words, chosen, variant_of, changed; those of
/// which there is nothing to say are empty. JSON: a list of objects with these keys.
void write_claims(const std::vector<ClaimResult>& results, Format format, std::ostream& out);

}  // namespace nowsim

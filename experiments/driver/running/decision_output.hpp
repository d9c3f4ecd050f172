// What has been decided, cell by cell: for people and as JSON.
#pragma once

#include <iosfwd>

#include "experiments/driver/running/result_table.hpp"
#include "experiments/driver/text/document.hpp"

namespace nowsim {

/// What intervals are of, where replications decided when to stop: for programs, and below tables.
inline constexpr const char* kAfterStopping = "after stopping";
inline constexpr const char* kIntervalsAfterStopping =
    "intervals are of replications that also decided when to stop";
/// Whether something has been decided about some row.
bool has_decisions(const ResultTable& summary);

/// For people: of each cell the best value, those measured within the indifference of it or not told apart, how many
/// replications its points got, and how many of as many for each were saved; and what all that means.
void write_decisions(const ResultTable& summary, std::ostream& out);
/// A list of the same; it keeps what it needs.
List decision_list(const ResultTable& summary);
/// What a row says of it, in CSV flat: as columns of their own, blank where nothing is decided about the row.
Fields decision_fields(const ResultRow& row, unsigned csv);

}  // namespace nowsim

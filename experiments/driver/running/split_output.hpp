// Splits that were found by simulation, and what they are worth: for people, as CSV and as JSON.
#pragma once

#include <iosfwd>

#include "experiments/driver/running/result_table.hpp"
#include "experiments/driver/text/document.hpp"

namespace nowsim {

/// Whether some row has such a split.
bool has_found_splits(const ResultTable& summary);

/// For people: of one such row a block with every workstation's share (of up to 16), of several a table.
void write_split_table(const ResultTable& summary, std::ostream& out);
/// Below a table: nothing where no split was found, else a blank line and that, or a line that says how to see it.
void write_found_splits(const ResultTable& summary, bool is_asked_for, std::ostream& out);
/// A row per row that has one: axes, policy, objective, its value by step (1), afterwards, and the reduction, each with
/// its interval; what is known of second steps and of searches, blank where it does not apply; and of each workstation
/// its share by step (1) and as decided.
void write_split_csv(const ResultTable& summary, std::ostream& out);
/// What JSON has of a row's split: the same, with the shares by the workstations' names.
Object split_object(const ResultRow& row);

}  // namespace nowsim

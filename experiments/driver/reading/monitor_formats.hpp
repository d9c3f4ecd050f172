// What monitors write, line by line as the project's CSV, so that one reader checks all of it and names the lines.
#pragma once

#include <string>
#include <vector>

#include "sim/owners/load_table.hpp"

namespace nowsim {

/// `timestamp,availability` or `timestamp,value`, each row on the line that it comes from; and what was assumed. A value
/// that cannot be is missing there under InvalidRule::skip.
struct MonitorRows {
  std::string csv;
  std::vector<std::string> assumptions;
  std::vector<int> after_restart = {};  ///< lines of the rows that begin with a restart of the machine
};

/// sysstat's `sadf -d FILE -- -u` (sadf(1)): fields with semicolons, one line per interval and CPU, of which those of
/// all CPUs (-1) are taken. A stamp is the end of its interval. @throws InputError naming file and line.
MonitorRows rows_of_sadf(const std::string& text, const std::string& file, InvalidRule invalid);
/// procps' `vmstat -t N` (vmstat(8)), whose first row says nothing of an interval but of all the time since the start.
MonitorRows rows_of_vmstat(const std::string& text, const std::string& file, InvalidRule invalid);
/// Prometheus' answer to /api/v1/query_range: JSON with a matrix of one series ("HTTP API" in its documentation). Rows
/// stand on lines of their own here: line k + 1 is sample k.
MonitorRows rows_of_prometheus(const std::string& text, const std::string& file);

}  // namespace nowsim

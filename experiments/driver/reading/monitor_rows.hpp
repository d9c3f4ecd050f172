// What monitors write, line by line as the project's CSV, so that one reader checks all of it and names the lines.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/owners/load_table.hpp"

namespace nowsim {

/// How a monitor's text is to be read.
struct MonitorReading {
  InvalidRule invalid = InvalidRule::fail;
  double interval_s = 0;   ///< between rows that have no stamps; 0: it is not said
  std::string column = ""; ///< of perfmon, the counter; "": the processors' time
};

/// `timestamp,availability` or `timestamp,value`, each row on the line that it comes from; and what was assumed. A value
/// that cannot be is missing there under InvalidRule::skip.
struct MonitorRows {
  std::string csv;
  std::vector<std::string> assumptions;
  std::vector<int> after_restart = {};  ///< lines of the rows that begin with a restart of the machine
  LoadMeasure measure = LoadMeasure::availability;
  bool has_column_each = false;  ///< each column is a machine's
};

/// Rows whose stamps are the ends of their intervals: each value is put at the end before.
class ShiftedRows {
 public:
  /// On the line of the first header, or of what is before the first row.
  void header(const std::string& columns = "availability") {
    if (!std::exchange(has_header_, true)) out_ += "timestamp," + columns;
  }
  void row(const std::string& stamp, const std::string& value) {
    if (!before_.empty()) out_ += before_ + "," + value;
    before_ = stamp;
  }
  /// The next row's interval begins there.
  void begin(const std::string& stamp) { before_ = stamp; }
  /// It is not known where the next row's begins.
  void end_run() { before_.clear(); }
  [[nodiscard]] bool is_begun() const { return !before_.empty(); }
  /// Where the next row's begins; "" where that is not known.
  [[nodiscard]] const std::string& before() const { return before_; }
  void end_line() { out_ += '\n'; }
  [[nodiscard]] const std::string& csv() const { return out_; }

 private:
  bool has_header_ = false;
  std::string out_, before_;
};

/// The share of idle time, in which waiting for a disk counts as idle: from two shares in per cent, with decimal points or
/// commas, that are rounded as they are written. "" where it cannot be and is to be left out. @throws InputError.
std::string idle_share(const std::string& idle, const std::string& iowait, InvalidRule invalid, const Place& place);
inline constexpr const char* kIowait = "time that waits for disks (iowait) counts as idle";
inline constexpr const char* kAllCores =
    "availability is the idle share of all cores: what is left for a task where the load has to be done anyhow";

// All of these: @throws InputError naming file and line.

/// sysstat's `sadf -d FILE -- -u` (sadf(1)): fields with semicolons, one line per interval and CPU, of which those of
/// all CPUs (-1) are taken. A stamp is the end of its interval.
MonitorRows rows_of_sadf(const std::string& text, const std::string& file, const MonitorReading& reading);
/// sysstat's `sar -u` and `mpstat 10` (sar(1)), in any locale: times of day in front of tables whose header repeats.
MonitorRows rows_of_sar(const std::string& text, const std::string& file, const MonitorReading& reading);
/// procps' `vmstat -t N` (vmstat(8)), whose first row says nothing of an interval but of all the time since the start.
MonitorRows rows_of_vmstat(const std::string& text, const std::string& file, const MonitorReading& reading);
/// `dstat --output FILE`, dstat's own or that of Performance Co-Pilot, whose first row is such too.
MonitorRows rows_of_dstat(const std::string& text, const std::string& file, const MonitorReading& reading);
/// procps' `top -b`: the lines `top - TIME` and `%Cpu(s):`.
MonitorRows rows_of_top(const std::string& text, const std::string& file, const MonitorReading& reading);
/// Linux's /proc/stat (proc(5)) again and again, with a line of `date` or a stamp before each, or none:
/// availability is computed from the differences between two rows of the line `cpu`.
MonitorRows rows_of_proc_stat(const std::string& text, const std::string& file, const MonitorReading& reading);
/// Windows' performance counters as `typeperf` and perfmon write them: a column of each machine where there are several.
MonitorRows rows_of_perfmon(const std::string& text, const std::string& file, const MonitorReading& reading);
/// Prometheus' answer to /api/v1/query_range: JSON with a matrix ("HTTP API" in its documentation) of one series, or of
/// one of each machine, which a label names. Rows stand on lines of their own here: sample_of_line() says whose.
MonitorRows rows_of_prometheus(const std::string& text, const std::string& file);
/// "sample 3", or "lab3:9100: sample 3", of a line of rows_of_prometheus().
std::string sample_of_line(const std::string& csv, int line);

}  // namespace nowsim

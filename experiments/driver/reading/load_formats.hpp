// Load traces in the formats that monitors write, read as one kind of series, with a word on what had to be assumed.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/user_file.hpp"
#include "sim/owners/load_table.hpp"

namespace nowsim {

/// A format of load traces.
enum class LoadFormat { csv, values, profile, sadf, vmstat, prometheus };

struct LoadFormatInfo {
  LoadFormat format;
  const char* name;
  const char* summary;
  bool is_written;  ///< nowsim writes it too
  std::vector<std::string> flags;  ///< that say how it is read; others are refused
};
std::span<const LoadFormatInfo> load_formats();
/// @throws InputError for an unknown name.
LoadFormat load_format_named(const std::string& name);

/// How a file is to be read. What is said here and does not change how the file's format is read is an error.
struct LoadReading {
  std::optional<LoadFormat> format;      ///< else by its contents
  std::string column;                    ///< of CSV; "": by the header
  std::optional<LoadMeasure> measures;  ///< of CSV, values and Prometheus; else by the column, or per cent
  std::optional<GapRule> gaps = {};      ///< else left out, but for what the file itself tells: restarts are switched off
  std::string columns = {};                ///< of CSV without a header, as TableReading's
  double interval_s = 0;                   ///< of CSV without stamps and of values
  std::optional<InvalidRule> invalid = {}; ///< else fail
  std::vector<std::string> machines = {};  ///< of a file that names machines, those that are wanted; none: all
  MostUnpacked unpacked = {};
  std::optional<TimeZone> zone = {};       ///< of dates and times without Z (TableReading)
};

/// What a machine left, and its name where the file tells it.
struct HostLoad {
  std::string machine;
  LoadSeries trace;
};
/// A file of one machine or of several.
struct LoadFile {
  LoadFormat format;
  std::vector<HostLoad> loads;        ///< one at least
  bool names_machines = false;
  std::vector<std::string> assumptions;  ///< sentences for people
};

/// Reads a file. @throws InputError as LoadTable does, and where the format is not clear or does not hold a load.
LoadFile read_load_file(const std::string& file, const LoadReading& reading);
/// The same of a file of one machine. @throws InputError too where there are several.
LoadFile read_load(const std::string& file, const LoadReading& reading);

/// The machine that a file is called after: without folder, ending and .gz.
std::string machine_of_file(const std::string& file);
/// A machine's name where files are called by it: with '_' for '/', which some monitors' names hold.
std::string file_name_of(std::string machine);

/// The trace as text of a format that is written; adds what had to be assumed. A deterministic SimGrid profile that
/// loops, or CSV with the column `availability`. Both keep every step: dates and values are the shortest decimals that
/// give the same numbers back.
std::string write_load(const LoadSeries& trace, LoadFormat format, std::vector<std::string>& assumptions);

// What monitors write, line by line as the project's CSV, so that one reader checks all of it and names the lines.

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

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
enum class LoadFormat { csv, values, profile, sadf, vmstat, prometheus, sar, mpstat, dstat, top, proc_stat, perfmon };

class FirstLines;
struct LoadText;
struct LoadFile;
/// How sure it is that a file has a format, and by what.
struct FormatGuess {
  enum class Sureness { none, perhaps, likely, sure };
  Sureness sureness = Sureness::none;
  std::string sign = {};  ///< in brackets behind the format's name
};

/// A row of the table of formats: a new one is a row, a reader, a line of the page of monitors and a file of its tests.
struct LoadFormatInfo {
  LoadFormat format;
  const char* name;
  const char* summary;
  const char* recorded_by;  ///< a command that writes it; "" where there is none
  bool is_written;  ///< nowsim writes it too
  std::vector<std::string> flags;  ///< that say how it is read; others are refused
  FormatGuess (*recognise)(const FirstLines& lines);
  LoadFile (*read)(const LoadText& text);
};
std::span<const LoadFormatInfo> load_formats();
const LoadFormatInfo& info_of(LoadFormat format);
/// @throws InputError for an unknown name.
LoadFormat load_format_named(const std::string& name);

/// How a file is to be read. What is said here and does not change how the file's format is read is an error.
struct LoadReading {
  std::optional<LoadFormat> format;      ///< else by its contents
  std::string column;                    ///< of CSV and perfmon; "": by the header; kEachColumn
  std::optional<LoadMeasure> measures;  ///< of CSV, values, perfmon and Prometheus; else by the column, or per cent
  std::optional<GapRule> gaps = {};      ///< else left out, but for what the file itself tells: restarts are switched off
  std::string columns = {};                ///< of CSV without a header, as TableReading's
  double interval_s = 0;                   ///< of values, and of what has no stamps
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
  std::vector<std::string> assumptions;  ///< sentences for people: the first says what the file looks like, how sure
                                         ///< that is, and what its numbers are taken for
};

/// A file's text, on its way to a reader.
struct LoadText {
  const std::string& text;
  const std::string& file;
  const LoadReading& reading;
  LoadFormat format;
};

/// Reads a file. @throws InputError as LoadTable does, and where the format is not clear or does not hold a load: then with
/// what is read, and the first lines as they were understood.
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

}  // namespace nowsim

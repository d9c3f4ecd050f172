// Measured loads in CSV: a row per sample, of one machine or of several, and the series of each; which column is what,
// and what its numbers are, told by the columns' names.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/owners/load_series.hpp"

namespace nowsim {

/// A line has no more fields, which take many times the memory of a comma each: far above any table's columns.
inline constexpr std::size_t kMostFields = 1'000'000;
/// @throws InputError with that place.
[[noreturn]] void refuse_many_fields(const Place& place);

/// The fields between commas, or others that separate, without blanks around them; of quoted ones what is quoted. @throws
/// InputError with that place where a quotation mark opens a field and does not close it, or there are more than
/// kMostFields.
std::vector<std::string> comma_fields(std::string_view line, const Place& place, char separator = ',');

/// What stands between the columns of a table: ';' or a tab where the first line has as many of them as commas, else ','.
/// A first line "sep=;", as spreadsheets take it, says it.
char separator_of(const std::string& text, const std::string& file);
/// "commas".
const char* separator_name(char separator);

/// What a column holds.
enum class LoadMeasure {
  utilisation_percent,  ///< the owner's share in per cent: availability = 1 - u/100
  utilisation,          ///< the owner's share in [0, 1]
  availability,         ///< what is left, in [0, 1]
  idle_percent,         ///< what is left in per cent, as dstat's idl, sar's %idle or typeperf's % Idle Time
};
/// What a measure is, and where its numbers lie.
struct MeasureInfo {
  std::string name;  ///< in YAML and in flags
  const char* what;  ///< in a sentence
  double most;       ///< the values go from 0 to this
  bool is_owners;    ///< the value is the owner's share, not what is left
  std::vector<std::string_view> columns;  ///< names of those that hold it: in small letters, without blanks, '_', '-'
};
const MeasureInfo& info_of(LoadMeasure measure);

/// What a column of that name holds, whatever stands before its last ':' or backslash; nothing where the name is not
/// known for it. Names that leave the unit open (idle, utilisation) stand for per cent, as most monitors write.
std::optional<LoadMeasure> measure_of_column(std::string_view name);
/// The load's column of a file that says no more than that.
inline constexpr const char* kUsualLoad = "value";
/// The column that is called as loads are: kUsualLoad, else the one that says availability, else utilisation, else idle
/// time; "" where there is none, or several of the first kind that there is.
std::string load_column(const std::vector<std::string>& names);

std::vector<std::string> load_measure_names();

/// Asked for as the load's column: each column is a machine's.
inline constexpr const char* kEachColumn = "*";
/// The machine that a column is called after: HOST of typeperf's "\\HOST\Processor(_Total)\% Processor Time", the label
/// instance of Prometheus' and Grafana's `{instance="lab3:9100", job="node"}`, else the whole name.
std::string machine_of_column(const std::string& name);
/// Whether a column is called as no machine is, but as parts of one machine's load and what else is measured of it are:
/// p95, user1, "mem used".
bool is_called_as_a_quantity(const std::string& name);
/// Whether columns are called as machines are, each otherwise: by names with ports, a number behind one stem (lab1,
/// lab2), labels, or "\\HOST\...".
bool are_called_as_machines(const std::vector<std::string>& names);

/// The columns of a table of loads, by their places.
struct LoadColumns {
  std::size_t width = 0;               ///< fields in a row
  std::optional<std::size_t> time;     ///< none where values come at an interval
  std::optional<std::size_t> machine;  ///< none where all rows are of one
  std::vector<std::size_t> values = {};  ///< several where each column is a machine's

  /// The column asked for holds the values, also where it is called as machines are; "" asks for the one that is called
  /// as loads are (load_column()), or the only one that can be the load's; kEachColumn for all that can be. @throws
  /// InputError at that place where there is none, or several, and where both an interval and stamps are given.
  static LoadColumns of(const std::vector<std::string>& names, const std::string& asked, bool has_interval,
                        const Place& place);
};

/// @throws InputError that there is no header where one has to be.
[[noreturn]] void refuse_data_as_header(const Place& place);

/// What to do with a row whose value is missing or out of range, that is cut off, or whose stamp cannot be read.
enum class InvalidRule {
  fail,  ///< an InputError that names the line
  skip,  ///< it is left out, as if nothing had been measured then
};

/// How a file is to be read.
struct TableReading {
  std::string column = "value";  ///< the name of the column of values; "": `value`, or the only one; or kEachColumn
  std::optional<LoadMeasure> measure = {};  ///< else what the column's name says, or a utilisation in per cent
  GapRule gaps = GapRule::left_out;
  std::string columns = {};  ///< names of the first columns of a file without a header: "host,time,-,value"; '-': none
  double interval_s = 0;     ///< more than 0: there are no stamps, each value lasts so long
  InvalidRule invalid = InvalidRule::fail;
  std::vector<std::string> machines = {};  ///< those whose rows are read; none: all
  std::optional<TimeZone> zone = {};  ///< of dates and times without Z: they are put into UTC, row by row (ZonedStamps)
  std::vector<int> after_restart = {};     ///< lines of the rows before which the machine was switched off, in order
  bool has_milliseconds = false;           ///< plain stamps are in milliseconds
};

/// The samples of a file. A header line names its columns, or TableReading::columns do. Of these one may be called as a
/// moment is (time, timestamp, time_stamp, date, ...), else the first one that is no machine's name holds the stamps; one
/// may be called as a machine is (host, machine, machine_id, node, vm_id, ...; case, blanks, '_' and '-' do not count):
/// then each row is of the machine that stands there, and rows come in any order. Without a header and with an interval a
/// line is a value, and a blank one between them is a value that is missing. Stamps are as parse_stamp() reads them, all
/// of one kind; rows of one machine may also go from the newest to the oldest. Quoted fields (within a line), CR LF, blank
/// lines beside stamps, a byte order mark, semicolons and tabs between columns, decimal commas beside these and per cent
/// signs are understood. A value beyond its range by no more than the rounding of whoever wrote it is at its end.
class LoadTable {
 public:
  /// @throws InputError naming file and line: a workload log; column unknown (known ones listed), unsorted or repeated
  /// stamps, values mostly out of the range that the column's name stands for; under InvalidRule::fail also rows that do
  /// not have the first one's number of fields, a stamp that cannot be read, is of another kind or has never been in the
  /// zone, and values that are missing, NaN or out of range.
  LoadTable(const std::string& text, const std::string& file, const TableReading& reading);

  /// Whether a column, or the columns' names, name the machines.
  [[nodiscard]] bool names_machines() const { return names_machines_; }
  /// In the order in which they come; of a file that names none, one "".
  [[nodiscard]] const std::vector<std::string>& machines() const { return machines_; }
  [[nodiscard]] bool has(const std::string& machine) const { return samples_.contains(machine); }
  /// A machine's series. @throws InputError where it has fewer than two samples, two at one moment, or under
  /// GapRule::fail a gap.
  [[nodiscard]] LoadSeries series(const std::string& machine) const;
  /// The series of the only machine. @throws InputError too where there are several.
  [[nodiscard]] LoadSeries series() const;
  /// What the values were taken for: as it was said, or else by the name of the column, or else by default.
  [[nodiscard]] LoadMeasure measure() const { return measure_; }
  /// Where nobody has said what the values are, and per cent, as they were taken for, may be fractions: "the column
  /// 'idl' is taken for idle time in per cent, but no value PLACE is above 1: say ...", by `flag`, which of the two;
  /// else "".
  [[nodiscard]] std::string doubt(const std::string& place, const std::string& flag) const;
  /// Sentences about what was passed over or put in order.
  [[nodiscard]] std::vector<std::string> remarks() const;

 private:
  friend class LoadTableReader;
  LoadTable() = default;
  void read_backwards(const std::string& text, const TableReading& reading, char separator, int first_row);
  std::string file_;
  GapRule gaps_ = GapRule::hold;
  bool names_machines_ = false, has_header_ = true, is_header_replaced_ = false, is_unsorted_ = false;
  bool is_newest_first_ = false;
  std::string put_back_;  ///< a stamp that is earlier by an hour than the row before, as where clocks are put back; "": none
  std::size_t invalid_ = 0, cut_off_ = 0, blank_ = 0;
  LoadMeasure measure_ = LoadMeasure::utilisation_percent;
  bool is_measure_sure_ = false;  ///< said, or beyond doubt
  std::string named_by_;          ///< the column whose name says it
  double most_ = 0;               ///< the greatest value
  std::vector<std::string> machines_;
  std::map<std::string, std::vector<LoadSample>> samples_;
};

/// The names in the header line, or of `columns`, that can be the load's: neither a moment's nor a machine's; none of a
/// file without both.
std::vector<std::string> load_columns(const std::string& text, const std::string& file, const TableReading& reading = {});

/// Whether a column of such a file is called as machines are.
bool names_machines(const std::string& text, const std::string& file, const TableReading& reading = {});

/// In YAML and in flags, in order of InvalidRule.
inline std::vector<std::string> invalid_rule_names() { return {"fail", "skip"}; }

/// Numbers in a line of such a log: "The Standard Workload Format", version 2.2.
inline constexpr std::size_t kWorkloadFields = 18;

/// @throws InputError where a text is a log in the Standard Workload Format of the Parallel Workloads Archive (comments
/// behind ';', then 18 numbers a line), with what it is and which owner model replays it.
void refuse_workload_log(const std::string& text, const std::string& file);

}  // namespace nowsim

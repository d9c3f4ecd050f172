// Which column of a table of loads is what, and what its numbers are: told by the columns' names.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.hpp"

namespace nowsim {

/// A line has no more fields, which take many times the memory of a comma each: far above any table's columns.
inline constexpr std::size_t kMostFields = 1'000'000;
/// @throws InputError with that place.
[[noreturn]] void refuse_many_fields(const Place& place);

/// The fields between commas, without blanks around them; of quoted ones what is quoted. @throws InputError with that
/// place where a quotation mark opens a field and does not close it, or there are more than kMostFields.
std::vector<std::string> comma_fields(std::string_view line, const Place& place);

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

/// What values in per cent may be if they are fractions, as words of measures: "utilisation, availability".
std::string fractions_beside(LoadMeasure measure);
std::vector<std::string> load_measure_names();

/// The columns of a table of loads, by their places.
struct LoadColumns {
  std::size_t width = 0;               ///< fields in a row
  std::optional<std::size_t> time;     ///< none where values come at an interval
  std::optional<std::size_t> machine;  ///< none where all rows are of one
  std::size_t value = 0;

  /// The column asked for holds the values, also where it is called as machines are; "" asks for the one that is called
  /// as loads are (load_column()), or the only one that can be the load's. @throws InputError at that place where there
  /// is none, or several, and where both an interval and stamps are given.
  static LoadColumns of(const std::vector<std::string>& names, const std::string& asked, bool has_interval,
                        const Place& place);
};

/// Those that can be the load's: neither the moment's nor the machine's, nor '-'.
std::vector<std::string> load_columns(const std::vector<std::string>& names, bool has_interval);
/// @throws InputError that there is no header where one has to be.
[[noreturn]] void refuse_data_as_header(const Place& place);

}  // namespace nowsim

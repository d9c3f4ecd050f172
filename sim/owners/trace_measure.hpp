// What the numbers of a load trace are, and what names of columns say of that.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nowsim {

/// What a column holds.
enum class TraceMeasure {
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
  std::vector<std::string_view> columns;  ///< plain names of columns that hold it
};
const MeasureInfo& info_of(TraceMeasure measure);

/// A column's name as it is compared: in small letters, without blanks, '_' and '-', so that "Machine_ID" is "machineid".
std::string plain_name(std::string_view name);
/// What a column of that name holds, whatever stands before its last ':' or backslash; nothing where the name is not
/// known for it. Names that leave the unit open (idle, utilisation) stand for per cent, as most monitors write.
std::optional<TraceMeasure> measure_of_column(std::string_view name);
/// The load's column of a file that says no more than that.
inline constexpr const char* kUsualLoad = "value";
/// The column that is called as loads are: kUsualLoad, else the one that says availability, else utilisation, else idle
/// time; "" where there is none, or several of the first kind that there is.
std::string load_column(const std::vector<std::string>& names);

/// What values in per cent may be if they are fractions, as words of measures: "utilisation, availability".
std::string fractions_beside(TraceMeasure measure);
/// The measures' names, in order of TraceMeasure.
const std::vector<std::string>& trace_measure_names();

}  // namespace nowsim

// Names of columns as monitors write them: of moments, of machines, and all others.
#include "sim/owners/trace_columns.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "sim/base/some_names.hpp"
#include "sim/base/text.hpp"
#include "sim/owners/comma_fields.hpp"
#include "sim/owners/trace_measure.hpp"
#include "sim/owners/trace_stamp.hpp"

namespace nowsim {
namespace {

constexpr const char* kSkipped = "-";
constexpr std::array<std::string_view, 5> kTimeNames{"time", "timestamp", "datetime", "date", "stamp"};
constexpr std::array<std::string_view, 9> kMachineNames{"host",   "hostname", "machine",  "machineid", "node",
                                                        "nodeid", "server",   "instance", "vmid"};

using Names = std::vector<std::string>;

/// Of the names but the load's, which is asked for whatever it is called.
template <class Known>
std::optional<std::size_t> first_called(const Names& names, const Known& known, const std::string& load) {
  const auto is_meant = [&](const std::string& name) {
    return name != load && std::ranges::count(known, plain_name(name)) > 0;
  };
  const auto found = std::ranges::find_if(names, is_meant);
  if (found == names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names.begin());
}

/// Where moments and machines stand if `load` is a load's; what is called as neither and comes first is taken for the moment.
TraceColumns without_load(const Names& names, bool has_interval, const std::string& load) {
  TraceColumns columns{names.size(), {}, first_called(names, kMachineNames, load), 0};
  if (has_interval) return columns;
  columns.time = first_called(names, kTimeNames, load);
  for (std::size_t i = 0; !columns.time && i < names.size(); ++i)
    if (columns.machine != i && names[i] != kSkipped) columns.time = i;
  return columns;
}

/// The columns that are none of these.
Names load_names(const Names& names, const TraceColumns& columns) {
  Names loads;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (columns.time != i && columns.machine != i && names[i] != kSkipped) loads.push_back(names[i]);
  return loads;
}

/// What is taken without being asked for: the column whose name says so, or the only one there is.
std::string usual_load(const Names& names, bool has_interval) {
  const auto loads = load_columns(names, has_interval);
  if (const std::string named = load_column(loads); !named.empty()) return named;
  return loads.size() == 1 && std::ranges::count(names, kUsualLoad) == 0 ? loads.front() : kUsualLoad;
}

std::string listed_columns(Names names) {
  for (auto& name : names) name = quoted(name);
  return some_names(names, 20);
}

[[noreturn]] void refuse_unknown(const Names& names, const std::string& load, const Names& loads, const Place& place) {
  if (std::ranges::any_of(names, [](const auto& name) { return parse_stamp(name).has_value(); }))
    refuse_data_as_header(place);
  if (names.size() == 1)
    throw InputError(place, "the only column is " + quoted(names.front()) +
                                "; stamps and values are needed, separated by commas.");
  if (loads.empty()) throw InputError(place, "no column holds values: the columns are " + listed_columns(names) + ".");
  const bool is_first = load == names.front() && load != kSkipped;
  throw InputError(place, (is_first ? "the column " + quoted(load) + " comes first and so holds the stamps"
                                    : "there is no column " + quoted(load)) +
                              "; values are in " + listed_columns(loads) + ".");
}

}  // namespace

TraceColumns TraceColumns::of(const std::vector<std::string>& names, const std::string& asked, bool has_interval,
                              const Place& place) {
  const std::string load = asked.empty() ? usual_load(names, has_interval) : asked;
  if (const auto stamps = first_called(names, kTimeNames, load); has_interval && stamps)
    throw InputError(place, "the column " + quoted(names[*stamps]) + " holds stamps; an interval is for files without.");
  TraceColumns columns = without_load(names, has_interval, load);
  const Names loads = load_names(names, columns);
  const auto times = std::ranges::count(loads, load);
  if (times == 0) refuse_unknown(names, load, loads, place);
  if (times > 1)
    throw InputError(place, "there are " + std::to_string(times) + " columns " + quoted(load) +
                                "; each column needs a name of its own.");
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == load && columns.time != i) columns.value = i;
  return columns;
}

std::vector<std::string> load_columns(const std::vector<std::string>& names, bool has_interval) {
  return load_names(names, without_load(names, has_interval, ""));
}

void refuse_data_as_header(const Place& place) {
  throw InputError(place, "the first line is data already; it has to name the columns, as in 'timestamp,value', or "
                          "something else has to (columns: \"host,time,value\", --columns).");
}

}  // namespace nowsim

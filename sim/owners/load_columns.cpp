// Fields between commas; names that monitors give their columns: of moments, of machines, of loads.
#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "sim/base/keys.hpp"
#include "sim/base/text.hpp"
#include "sim/owners/load_table.hpp"

namespace nowsim {
namespace {

/// One field from position `at` on, which ends up at the separator or the end behind it.
std::string quoted_field(std::string_view line, std::size_t& at, char separator, const Place& place) {
  std::string field;
  for (++at; at < line.size(); ++at) {
    if (line[at] != '"') {
      field += line[at];
    } else if (at + 1 < line.size() && line[at + 1] == '"') {
      field += line[at++];  // "" is a quotation mark
    } else {
      const std::size_t end = std::min(line.find(separator, ++at), line.size());
      if (!trimmed(line.substr(at, end - at)).empty())
        throw InputError(
            place, "a field goes on after its closing quotation mark; a quotation mark inside a field is doubled.");
      at = end;
      return field;
    }
  }
  throw InputError(place,
                   "a quotation mark opens a field here and never closes it on this line; close it or remove it.");
}

/// Columns are called idl by dstat, %idle by sar, mpstat and top, "% Idle Time" and "% Processor Time" by typeperf,
/// cpu_util_percent in Alibaba's traces, "CPU usage [%]" in Bitbrains'.
const std::vector<MeasureInfo>& measures() {
  static const std::vector<MeasureInfo> infos{
      {"utilisation-percent", "a utilisation in per cent", 100, true,
       {"utilisationpercent", "utilizationpercent", "cpuutilpercent", "utilisation", "utilization", "cpuutilisation",
        "cpuutilization", "cpupercent", "cpu%", "%cpu", "cpuusage[%]", "%processortime", "prozessorzeit(%)"}},
      {"utilisation", "a utilisation", 1, true, {}},
      {"availability", "an availability", 1, false, {"availability", "available"}},
      {"idle-percent", "idle time in per cent", 100, false,
       {"idle", "idl", "%idle", "idle%", "idlepercent", "percentidle", "cpuidle", "%idletime", "leerlaufzeit(%)"}}};
  return infos;
}

/// A column's name as it is compared: "machineid" for "Machine_ID".
std::string plain_name(std::string_view name) {
  std::string plain = lower_case(std::string(name));
  std::erase_if(plain, [](char c) { return c == ' ' || c == '_' || c == '-'; });
  return plain;
}

/// What columns are called by that are no machine's, also within other words.
constexpr std::string_view kMeasuredParts[] = {"cpu",  "core", "mem",  "load", "disk", "dsk",  "net", "user", "usr",    "sys",  "idl",   "wai",
                                            "ste",  "nic",  "swap", "free", "used", "temp", "min", "max",  "avg",    "mean", "val",   "util",
                                            "perc", "rx",   "tx",   "read", "writ", "recv", "send", "count", "other", "proc", "rate", "%"};
/// The same of whole words alone.
constexpr std::string_view kMeasuredWords[] = {"p",     "q",    "col",   "column", "value",   "thread", "gpu",         "idle",
                                               "steal", "wait", "write", "memory", "percent", "nice",   "utilisation", "utilization"};

constexpr const char* kDecimalDigits = "0123456789";

/// What stands before a number at the end of a name's first part, "lab" of "lab3.example.org"; "" where there is no number.
std::string_view stem_of(std::string_view name) {
  const std::size_t dot = std::min(name.find('.'), name.size());
  const std::size_t end = dot == 0 ? 0 : name.find_last_not_of(kDecimalDigits, dot - 1) + 1;
  return end < dot ? name.substr(0, end) : std::string_view();
}

/// Whether a stem's words, "cpu" and "user" of "CPU_user", are all quantities'.
bool is_stem_of_quantities(std::string_view stem) {
  const std::string low = lower_case(std::string(stem));
  std::size_t words = 0;
  for (std::size_t at = 0; at < low.size(); ++words) {
    const std::size_t end = std::min(low.find_first_of(" _-", at), low.size());
    const std::string_view word = std::string_view(low).substr(at, end - at);
    const bool is_one = word.empty() || std::ranges::count(kMeasuredParts, word) > 0 || std::ranges::count(kMeasuredWords, word) > 0;
    if (!is_one) return false;
    at = end + 1;
  }
  return words > 0;
}

/// How often a character is in a line outside of quotation marks; where these have no end, anywhere.
std::ptrdiff_t times_outside_quotes(std::string_view line, char wanted) {
  std::ptrdiff_t times = 0;
  bool is_quoted = false;
  for (const char c : line) {
    is_quoted = is_quoted != (c == '"');
    times += c == wanted && !is_quoted ? 1 : 0;
  }
  return is_quoted ? std::ranges::count(line, wanted) : times;
}

/// What a line such as "sep=;" says.
std::optional<char> said_separator(std::string_view line) {
  if (!line.starts_with("sep=") || line.size() < 5) return std::nullopt;
  return line[4];
}

constexpr const char* kSkipped = "-";
constexpr std::array<std::string_view, 5> kTimeNames{"time", "timestamp", "datetime", "date", "stamp"};
constexpr std::array<std::string_view, 9> kMachineNames{"host",   "hostname", "machine",  "machineid", "node",
                                                        "nodeid", "server",   "instance", "vmid"};

using Names = std::vector<std::string>;

/// Of the names but the load's, which is asked for whatever it is called.
template <class Known>
std::optional<std::size_t> first_called(const Names& names, const Known& known, const std::string& load) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] != load && std::ranges::count(known, plain_name(names[i])) > 0) return i;
  return std::nullopt;
}

/// Where moments and machines stand if `load` is none of them; what is called as neither and comes first is taken for
/// the moment.
LoadColumns without_load(const Names& names, bool has_interval, const std::string& load) {
  LoadColumns columns{names.size(), {}, first_called(names, kMachineNames, load), {}};
  if (has_interval) return columns;
  columns.time = first_called(names, kTimeNames, load);
  for (std::size_t i = 0; !columns.time && i < names.size(); ++i)
    if (columns.machine != i && names[i] != kSkipped) columns.time = i;
  return columns;
}

/// The columns that are none of these.
Names load_names(const Names& names, const LoadColumns& columns) {
  Names loads;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (columns.time != i && columns.machine != i && names[i] != kSkipped) loads.push_back(names[i]);
  return loads;
}

/// Those that can be the load's: neither the moment's nor the machine's, nor '-'.
Names load_columns(const Names& names, bool has_interval) {
  return load_names(names, without_load(names, has_interval, ""));
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
                                "; stamps and values are needed, separated by commas, semicolons or tabs.");
  if (loads.empty()) throw InputError(place, "no column holds values: the columns are " + listed_columns(names) + ".");
  const bool is_first = load == names.front() && load != kSkipped;
  throw InputError(place, (is_first ? "the column " + quoted(load) + " comes first and so holds the stamps"
                                    : "there is no column " + quoted(load)) +
                              "; values are in " + listed_columns(loads) + ".");
}

}  // namespace

void refuse_many_fields(const Place& place) {
  throw InputError(place, "this line has more than " + std::to_string(kMostFields) + " fields, as no table has.");
}

std::vector<std::string> comma_fields(std::string_view line, const Place& place, char separator) {
  std::vector<std::string> fields;
  for (std::size_t at = 0;; ++at) {
    if (fields.size() == kMostFields) refuse_many_fields(place);
    const std::size_t comma = std::min(line.find(separator, at), line.size());
    const std::string_view plain = trimmed(line.substr(at, comma - at));
    if (plain.starts_with('"')) {
      at = line.find('"', at);
      fields.emplace_back(trimmed(quoted_field(line, at, separator, place)));
    } else {
      fields.emplace_back(plain);
      at = comma;
    }
    if (at == line.size()) return fields;
  }
}

char separator_of(const std::string& text, const std::string& file) {
  for (const std::string_view line : TextLines(text, file)) {
    if (trimmed(line).empty()) continue;
    if (const auto said = said_separator(line)) return *said;
    const auto commas = times_outside_quotes(line, ',');
    for (const char separator : {';', '\t'})
      if (const auto times = times_outside_quotes(line, separator); times > 0 && times >= commas) return separator;
    return ',';
  }
  return ',';
}

const char* separator_name(char separator) {
  return separator == ';' ? "semicolons" : separator == '\t' ? "tabs" : "commas";
}

std::string machine_of_column(const std::string& name) {
  if (name.starts_with("\\\\")) return name.substr(2, std::min(name.find('\\', 2), name.size()) - 2);
  if (name.find('{') == name.npos) return name;
  for (const char* label : {"instance", "host", "hostname", "node", "nodename", "machine"}) {
    const std::string key = std::string(label) + "=\"";
    for (std::size_t at = name.find(key); at != name.npos; at = name.find(key, at + 1)) {
      const std::size_t begin = at + key.size(), end = name.find('"', begin);
      const bool is_whole_key = at > 0 && (name[at - 1] == '{' || name[at - 1] == ',' || name[at - 1] == ' ');
      if (is_whole_key && end != name.npos && end > begin) return name.substr(begin, end - begin);
    }
  }
  return name;
}

bool is_called_as_a_quantity(const std::string& name) {
  const std::string low = lower_case(name);
  const auto holds = [&](std::string_view word) { return low.find(word) != low.npos; };
  return std::ranges::any_of(kMeasuredParts, holds) || is_stem_of_quantities(stem_of(name));
}

bool are_called_as_machines(const std::vector<std::string>& names) {
  std::set<std::string> machines, stems;
  bool are_told = true, are_quantities = true;  // by a form that only machines' names have; by words for quantities
  for (const auto& name : names) {
    const std::string machine = machine_of_column(name);
    machines.insert(machine);
    const std::size_t port = machine.rfind(':') + 1;
    const bool has_port = port > 1 && port < machine.size() && machine.find_first_not_of(kDecimalDigits, port) == machine.npos;
    are_told = are_told && (machine != name || has_port);
    const std::string_view stem = stem_of(machine);
    const std::size_t dot = std::min(machine.find('.'), machine.size());
    const bool has_number = dot > 0 && machine.find_first_of(kDecimalDigits, dot - 1) == dot - 1;
    stems.insert(has_number ? plain_name(stem) + machine.substr(dot) : "");
    are_quantities = are_quantities && dot == machine.size() && is_stem_of_quantities(stem);
  }
  if (names.size() < 2 || machines.size() < names.size()) return false;
  return are_told || (stems.size() == 1 && !stems.contains("") && !are_quantities);
}

const MeasureInfo& info_of(LoadMeasure measure) { return measures()[static_cast<std::size_t>(measure)]; }

std::optional<LoadMeasure> measure_of_column(std::string_view name) {
  const std::size_t before = name.find_last_of(":\\");
  const std::string plain = plain_name(before == name.npos ? name : name.substr(before + 1));
  for (std::size_t m = 0; m < measures().size(); ++m)
    if (std::ranges::count(measures()[m].columns, plain) > 0) return static_cast<LoadMeasure>(m);
  return std::nullopt;
}

std::string load_column(const std::vector<std::string>& names) {
  if (std::ranges::count(names, kUsualLoad) > 0) return kUsualLoad;
  for (const auto measure : {LoadMeasure::availability, LoadMeasure::utilisation_percent, LoadMeasure::idle_percent}) {
    const auto holds_it = [measure](const std::string& name) { return measure_of_column(name) == measure; };
    const auto found = std::ranges::find_if(names, holds_it);
    if (found == names.end()) continue;
    return std::any_of(found + 1, names.end(), holds_it) ? "" : *found;
  }
  return "";
}

std::vector<std::string> load_measure_names() { return words_in(measures()); }

LoadColumns LoadColumns::of(const std::vector<std::string>& names, const std::string& asked, bool has_interval,
                            const Place& place) {
  const std::string load = asked.empty() ? usual_load(names, has_interval) : asked;
  if (const auto stamps = first_called(names, kTimeNames, load); has_interval && stamps)
    throw InputError(place, "the column " + quoted(names[*stamps]) + " holds stamps; an interval is for files without.");
  LoadColumns columns = without_load(names, has_interval, load);
  if (load == kEachColumn) columns.machine.reset();
  const Names loads = load_names(names, columns);
  if (load == kEachColumn) {
    if (loads.empty()) refuse_unknown(names, load, loads, place);
    for (std::size_t i = 0; i < names.size(); ++i)
      if (columns.time != i && names[i] != kSkipped) columns.values.push_back(i);
    return columns;
  }
  const auto times = std::ranges::count(loads, load);
  if (times == 0) refuse_unknown(names, load, loads, place);
  if (times > 1)
    throw InputError(place, "there are " + std::to_string(times) + " columns " + quoted(load) +
                                "; each column needs a name of its own.");
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == load && columns.time != i) columns.values = {i};
  return columns;
}

namespace {

/// The names in the header line, or of `columns`; none of a file without both.
Names named_columns(const std::string& text, const std::string& file, const TableReading& reading) {
  if (!reading.columns.empty()) return comma_fields(reading.columns, {});
  const char separator = separator_of(text, file);
  int line = 0;
  for (const std::string_view content : TextLines(text, file)) {
    ++line;
    if (trimmed(content).empty() || said_separator(content)) continue;
    const auto names = comma_fields(content, {file, line, ""}, separator);
    const bool is_data = std::ranges::any_of(names, [](const auto& name) { return parse_stamp(name).has_value(); });
    return is_data ? Names() : names;
  }
  return {};
}

}  // namespace

std::vector<std::string> load_columns(const std::string& text, const std::string& file, const TableReading& reading) {
  return load_columns(named_columns(text, file, reading), reading.interval_s > 0);
}

bool names_machines(const std::string& text, const std::string& file, const TableReading& reading) {
  return first_called(named_columns(text, file, reading), kMachineNames, "").has_value();
}

void refuse_data_as_header(const Place& place) {
  throw InputError(place, "the first line is data already; it has to name the columns, as in 'timestamp,value', or "
                          "something else has to (columns: \"host,time,value\", --columns).");
}

}  // namespace nowsim

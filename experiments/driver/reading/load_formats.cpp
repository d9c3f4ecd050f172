// Which format a file has, reading it into a trace, and writing a trace.
#include "experiments/driver/reading/load_formats.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <utility>

#include "experiments/driver/reading/load_detection.hpp"
#include "experiments/driver/reading/monitor_rows.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/error.hpp"
#include "sim/base/keys.hpp"
#include "sim/base/text.hpp"
#include "sim/owners/load_table.hpp"
#include "sim/owners/profile.hpp"

namespace nowsim {
namespace {

/// @throws InputError about the file as a whole.
[[noreturn]] void refuse(const std::string& file, const std::string& sentence, int line = 0) {
  throw InputError({file, line, ""}, sentence);
}

/// @throws InputError for what is said and would change nothing.
void refuse_idle_flags(LoadFormat format, const LoadReading& reading, const std::string& file) {
  const LoadFormatInfo& info = info_of(format);
  const std::pair<const char*, bool> given[] = {
      {"column", !reading.column.empty()},      {"measures", reading.measures.has_value()},
      {"columns", !reading.columns.empty()},    {"interval", reading.interval_s > 0},
      {"invalid", reading.invalid.has_value()}, {"gaps", reading.gaps.has_value()}};
  for (const auto& [flag, is_given] : given) {
    if (!is_given || contains(info.flags, flag)) continue;
    std::string others;
    for (const auto& other : info.flags) others += (others.empty() ? "--" : ", --") + other;
    refuse(file, std::string("--") + flag + " says nothing of a file in the format " + info.name + ": " +
                     (others.empty() ? "there is but one way to read it." : "how it is read is said by " + others + "."));
  }
}

// --- CSV ---

/// Whether the first rows hold numbers from 0 to 100 and nothing else behind the stamp.
bool hold_shares(const FirstLines& lines) {
  std::size_t rows = 0;
  for (std::size_t i = 1; i < lines.lines().size(); ++i) {
    const Words fields = lines.fields(lines.lines()[i]);
    for (std::size_t k = 1; k < fields.size(); ++k) {
      std::string field = fields[k];
      if (field.ends_with('%')) field.pop_back();
      if (lines.separator() != ',') std::ranges::replace(field, ',', '.');
      const auto x = to_number(field);
      if (!field.empty() && (!x || *x < 0 || *x > 100)) return false;
    }
    ++rows;
  }
  return rows > 0;
}

/// How each column is taken for a machine's; "" where they are not.
std::string why_each_column(const LoadText& in, const Words& columns) {
  if (columns.size() < 2 || names_machines(in.text, in.file, {.columns = in.reading.columns})) return "";
  const auto is_column = [&](const std::string& machine) {
    return std::ranges::any_of(columns, [&](const auto& name) { return machine_of_column(name) == machine; });
  };
  if (!in.reading.machines.empty() && std::ranges::all_of(in.reading.machines, is_column)) return "each column is a machine's, as --hosts says";
  if (are_called_as_machines(columns)) return "each column is a machine's, by their names";
  if (std::ranges::any_of(columns, is_called_as_a_quantity) || !in.reading.columns.empty()) return "";
  return hold_shares(FirstLines(in.text, in.file, in.reading)) ? "each column is perhaps a machine's (--column names one otherwise)" : "";
}

/// The load's column, and how it was found where each is a machine's.
struct ChosenColumn {
  std::string name, why_each = {};
};
ChosenColumn choose_column(const LoadText& in) {
  const auto& [text, file, reading, format] = in;
  if (reading.column == kEachColumn) return {kEachColumn, "each column is a machine's, as --column says"};
  if (!reading.column.empty()) return {reading.column};
  const Words columns = load_columns(text, file, {.columns = reading.columns, .interval_s = reading.interval_s});
  if (std::string named = load_column(columns); !named.empty()) return {named};
  if (std::string why = why_each_column(in, columns); !why.empty()) return {kEachColumn, why};
  const FirstLines lines(text, file, reading);
  const Words header = lines.lines().empty() ? Words() : lines.fields(lines.lines().front());
  const std::string first = header.empty() ? "" : header.front();
  if (reading.columns.empty() && (first == kUsualLoad || measure_of_column(first)))
    refuse(file, "the first column holds the stamps, but is called '" + first +
                     "': put the stamps first, or say by --column which column holds the load.", 1);
  if (columns.size() <= 1) return {columns.empty() ? "value" : columns.front()};  // reading says what is wrong
  refuse(file, "say by --column which column holds the load, or by --column '*' that each is a machine's: " + some_names(columns) + ".",
         reading.columns.empty() ? 1 : 0);
}

/// @throws InputError where it is neither said nor clear whether values are fractions or per cent.
void check_measure(const LoadTable& table, const std::string& file) {
  if (const std::string doubt = table.doubt("", "--measures "); !doubt.empty()) refuse(file, doubt + ".");
}

/// What became of gaps, machine by machine where these are few.
void tell_gaps(const LoadReading& reading, LoadFile& read) {
  constexpr std::size_t kFew = 5;
  std::vector<const HostLoad*> with_gaps;
  double most = 0;
  bool is_assumed = false;
  for (const auto& load : read.loads) {
    const LoadGaps& gaps = load.trace.gaps;
    if (gaps.count == 0) continue;
    with_gaps.push_back(&load);
    most = std::max(most, gaps.missing_s / gaps.span_s);
    is_assumed = is_assumed || (!reading.gaps && gaps.left_out_s + gaps.off_s > 0);
  }
  const std::string asked = is_assumed ? "; --gaps off, left-out or hold says what the machine was doing then" : "";
  if (with_gaps.size() > kFew) {
    read.assumptions.push_back("of " + std::to_string(with_gaps.size()) + " machines up to " + short_number(100 * most) +
                               " % of the span has no data" + asked);
    return;
  }
  for (const HostLoad* load : with_gaps)
    read.assumptions.push_back((read.loads.size() > 1 ? load->machine + ": " : "") + gaps_text(load->trace.gaps) + asked);
}

/// @throws InputError where a machine that is wanted is not there.
void check_machines(const LoadTable& table, const std::string& file, const Words& wanted) {
  Words missing;
  for (const auto& machine : wanted)
    if (!table.has(machine)) missing.push_back(machine);
  if (table.names_machines() && !missing.empty()) refuse(file, "this file holds no rows of " + some_names(missing) + ".");
}

/// Of several machines those that have no series are left out, unless they are asked for, or gaps are errors too.
/// @throws InputError where none has one.
void read_loads(const LoadTable& table, const LoadReading& reading, LoadFile& read) {
  const auto& machines = table.machines();
  const bool all = machines.size() <= 1 || !reading.machines.empty() || reading.gaps == GapRule::fail;
  if (machines.empty()) static_cast<void>(table.series());  // says what the file lacks
  Words without;
  for (const auto& machine : machines) try {
      read.loads.push_back({machine, table.series(machine)});
    } catch (const InputError&) {
      without.push_back(machine);
      if (all || without.size() == machines.size()) throw;
    }
  if (!without.empty())
    read.assumptions.push_back("left out for fewer than two samples, or two at one moment: " + some_names(without));
}

/// As it is said, and by default.
TableReading table_reading(const LoadReading& reading) {
  return {.measure = reading.measures,
          .gaps = reading.gaps.value_or(GapRule::left_out),
          .interval_s = reading.interval_s,
          .invalid = reading.invalid.value_or(InvalidRule::fail),
          .machines = reading.machines,
          .zone = reading.zone};
}

/// Where sentences go on behind the first one, which says what the numbers are.
LoadFile beginning_of(const LoadText& in, const std::string& units) { return {in.format, {}, false, {units}}; }

/// Grafana's "Time" without its formatting.
bool has_milliseconds_of_grafana(const LoadText& in) {
  const FirstLines lines(in.text, in.file, in.reading);
  if (!lines.begins("\"Time\"") || lines.lines().size() < 2) return false;
  constexpr double kLeast = 1e11, kMost = 1e14;
  const Words fields = lines.fields(lines.lines()[1]);
  const auto stamp = fields.empty() ? std::nullopt : to_number(fields.front());
  return stamp && *stamp >= kLeast && *stamp < kMost;
}

LoadFile read_csv(const LoadText& in) {
  const auto& [text, file, reading, format] = in;
  const ChosenColumn column = choose_column(in);
  TableReading how = table_reading(reading);
  how.column = column.name;
  how.columns = reading.columns;
  how.has_milliseconds = has_milliseconds_of_grafana(in);
  const LoadTable table(text, file, how);
  check_machines(table, file, reading.machines);
  LoadFile read = beginning_of(in, "");
  read.names_machines = table.names_machines();
  read_loads(table, reading, read);
  check_measure(table, file);
  const bool is_open = !reading.measures && column.why_each.empty() && column.name != kUsualLoad && !measure_of_column(column.name) &&
                       lower_case(column.name).find("cpu") == std::string::npos;
  read.assumptions.front() = (column.why_each.empty() ? "column '" + column.name + (is_open ? "' perhaps holds " : "' holds ") : column.why_each + "; they hold ") +
                             info_of(table.measure()).name + (is_open ? ", for its name does not say what it is: --measures does" : "") +
                             (how.has_milliseconds ? "; stamps are milliseconds since 1970" : "");
  std::ranges::copy(table.remarks(), std::back_inserter(read.assumptions));
  return read;
}

/// A value a line is CSV of one column.
LoadFile read_values(const LoadText& in) {
  if (!(in.reading.interval_s > 0))
    refuse(in.file, "this file holds a value a line and no stamps: say by --interval how long each lasts (5min in "
                 "PlanetLab's).");
  LoadReading as_csv = in.reading;
  as_csv.columns = as_csv.column = "value";
  LoadFile read = read_csv({in.text, in.file, as_csv, in.format});
  const std::string column = "column 'value' holds ";
  read.assumptions.front().replace(0, column.size(), "values are ");
  return read;
}

// --- Monitors ---

MonitorReading monitor_reading(const LoadReading& reading) {
  return {reading.invalid.value_or(InvalidRule::fail), reading.interval_s, reading.column};
}

/// @param units what their numbers are, in a sentence.
LoadFile read_rows(const MonitorRows& rows, const LoadText& in, const std::string& units) {
  TableReading how = table_reading(in.reading);
  how.column = rows.has_column_each ? kEachColumn : rows.measure == LoadMeasure::availability ? "availability" : "value";
  how.measure = in.reading.measures.value_or(rows.measure);
  how.interval_s = 0;  // rows without stamps have been given some
  if (!in.reading.gaps) how.after_restart = rows.after_restart;
  const LoadTable table(rows.csv, in.file, how);
  check_machines(table, in.file, in.reading.machines);
  LoadFile read = beginning_of(in, units);
  read.names_machines = table.names_machines();
  read_loads(table, in.reading, read);
  std::ranges::copy(rows.assumptions, std::back_inserter(read.assumptions));
  std::ranges::copy(table.remarks(), std::back_inserter(read.assumptions));
  return read;
}

constexpr const char* kInPerCent = "shares in per cent";

template <MonitorRows (*rows_of)(const std::string&, const std::string&, const MonitorReading&)>
LoadFile read_monitor(const LoadText& in) {
  return read_rows(rows_of(in.text, in.file, monitor_reading(in.reading)), in, kInPerCent);
}
LoadFile read_counts(const LoadText& in) {
  return read_rows(rows_of_proc_stat(in.text, in.file, monitor_reading(in.reading)), in, "ticks since the machine was started");
}

/// JSON has no lines worth naming: samples are counted.
LoadFile read_prometheus(const LoadText& in) {
  const MonitorRows rows = rows_of_prometheus(in.text, in.file);
  LoadFile read = beginning_of(in, "");
  try {
    const LoadTable table(rows.csv, in.file, table_reading(in.reading));
    check_machines(table, in.file, in.reading.machines);
    read.names_machines = table.names_machines();
    read_loads(table, in.reading, read);
    check_measure(table, in.file);
    read.assumptions.front() = "values are " + info_of(table.measure()).name;
    std::ranges::copy(rows.assumptions, std::back_inserter(read.assumptions));
    std::ranges::copy(table.remarks(), std::back_inserter(read.assumptions));
  } catch (const InputError& e) {
    if (e.place().line < 2) throw;
    throw InputError({in.file, 0, sample_of_line(rows.csv, e.place().line)}, e.sentence());
  }
  return read;
}

// --- Profiles ---

void check_deterministic(const Profile& profile, const std::string& file) {
  const bool drawn = std::ranges::any_of(profile.events, [](const ProfileEvent& e) {
    return e.date.kind != ProfileLaw::Kind::fixed || e.value.kind != ProfileLaw::Kind::fixed;
  });
  if (profile.stochastic || drawn)
    refuse(file, "this profile draws random numbers, so it is no trace; the owner model 'profile' runs it as it is.");
  if (profile.events.size() < 2) refuse(file, "this profile has one event; a trace needs at least two.");
}

/// How long the last value of a round lasts: to the first event of the next.
double last_duration(const Profile& profile, const LoadSeries& steps, std::vector<std::string>& assumptions) {
  const double first_s = profile.events.front().date.a, last_s = profile.events.back().date.a;
  if (profile.periodicity) return *profile.periodicity - (last_s - first_s);
  if (profile.loop) return profile.loop_after.value_or(0) + first_s;
  assumptions.emplace_back(
      "the profile does not loop: its last value, which holds for ever there, lasts one median step");
  return median_step_s(steps);
}

LoadFile read_profile_trace(const LoadText& in) {
  const auto& [text, file, reading, format] = in;
  const Profile profile = parse_profile(text, file, ProfileQuantity::fraction);
  check_deterministic(profile, file);
  LoadFile series = beginning_of(in, "values are availability");
  series.loads.emplace_back();
  LoadSeries& trace = series.loads.front().trace;
  const double first_s = profile.events.front().date.a;
  for (const auto& event : profile.events) {
    if (!trace.start_s.empty()) trace.duration_s.push_back(event.date.a - first_s - trace.start_s.back());
    trace.start_s.push_back(event.date.a - first_s);
    trace.availability.push_back(event.value.a);
  }
  if (first_s > 0)
    series.assumptions.push_back("the trace begins with the first event; what was before, " + short_number(first_s) +
                                 " s at full speed, is left out");
  trace.duration_s.push_back(last_duration(profile, trace, series.assumptions));
  if (!(trace.duration_s.back() > 0)) refuse(file, "the last value of a round lasts no time, so that it is none.");
  trace.total_s = trace.start_s.back() + trace.duration_s.back();
  return series;
}

// --- The table ---

using Sureness = FormatGuess::Sureness;

/// Sure by that sign, where it is there.
FormatGuess sure_by(bool is_there, const char* sign) {
  return is_there ? FormatGuess{Sureness::sure, sign} : FormatGuess{};
}

const std::array<LoadFormatInfo, 12> kLoadFormats{
    LoadFormatInfo{LoadFormat::csv, "csv", "columns with a header (or --columns): timestamp,value; time,host,value; a column per machine",
                   "nowsim trace record mine.csv", true, {"column", "measures", "columns", "interval", "invalid", "gaps"}, recognise_csv, read_csv},
    LoadFormatInfo{LoadFormat::values, "values", "a value a line, as PlanetLab's: --interval 5min", "", false,
                   {"measures", "interval", "invalid", "gaps"}, recognise_values, read_values},
    LoadFormatInfo{LoadFormat::profile, "profile", "SimGrid's availability profile, deterministic", "", true, {}, recognise_profile,
                   read_profile_trace},
    LoadFormatInfo{LoadFormat::sadf, "sadf", "sysstat: sadf -d FILE -- -u", "sadf -d FILE -- -u", false, {"invalid", "gaps"},
                   [](const FirstLines& lines) {
                     return sure_by(lines.any_begins("# hostname;interval;timestamp") || lines.any_holds(";LINUX-RESTART"),
                                    "its header '# hostname;interval;...'");
                   },
                   read_monitor<rows_of_sadf>},
    LoadFormatInfo{LoadFormat::vmstat, "vmstat", "procps: vmstat -t 10 (or --interval)", "vmstat -t 10", false, {"interval", "invalid", "gaps"},
                   [](const FirstLines& lines) {
                     return sure_by(lines.any_begins("procs -") || lines.any_begins("--procs-") || lines.any_has({"r", "b"}),
                                    "its header 'r b ... id wa'");
                   },
                   read_monitor<rows_of_vmstat>},
    LoadFormatInfo{LoadFormat::prometheus, "prometheus", "Prometheus: the JSON of /api/v1/query_range",
                   "curl -G http://HOST:9090/api/v1/query_range ...", false, {"measures", "invalid", "gaps"},
                   [](const FirstLines& lines) {
                     const bool is_json = lines.begins("{"), is_answer = lines.any_holds("\"resultType\"") || lines.any_holds("\"status\"");
                     return is_json && !is_answer ? FormatGuess{Sureness::likely, "JSON"} : sure_by(is_json, "JSON with its result");
                   },
                   read_prometheus},
    LoadFormatInfo{LoadFormat::sar, "sar", "sysstat: sar -u 10, in any locale", "sar -u 10", false, {"invalid", "gaps"},
                   [](const FirstLines& lines) {
                     if (lines.any_has({"%iowait", "%irq"})) return FormatGuess{};
                     if (lines.any_has({"%iowait", "%steal"}) && lines.any_holds("%idle")) return FormatGuess{Sureness::sure, "a table with %idle"};
                     return lines.begins("Linux ") ? FormatGuess{Sureness::likely, "the head of sysstat's tables"} : FormatGuess{};
                   },
                   read_monitor<rows_of_sar>},
    LoadFormatInfo{LoadFormat::mpstat, "mpstat", "sysstat: mpstat 10, also with -P ALL", "mpstat 10", false, {"invalid", "gaps"},
                   [](const FirstLines& lines) { return sure_by(lines.any_has({"%iowait", "%irq"}), "a table with %irq and %idle"); },
                   read_monitor<rows_of_sar>},
    LoadFormatInfo{LoadFormat::dstat, "dstat", "dstat --output FILE (or --interval)", "dstat -T -c --output FILE 10", false,
                   {"interval", "invalid", "gaps"},
                   [](const FirstLines& lines) {
                     return sure_by(lines.begins("\"Dstat ") || lines.begins("\"dstat ") || lines.begins("\"pcp-dstat"), "what it says of itself");
                   },
                   read_monitor<rows_of_dstat>},
    LoadFormatInfo{LoadFormat::top, "top", "procps: top -b -d 10 (without a date)", "top -b -d 10", false, {"interval", "invalid", "gaps"},
                   [](const FirstLines& lines) {
                     return sure_by(lines.any_begins("top - ") || lines.any_begins("%Cpu(s):") || lines.any_begins("Cpu(s):"), "its lines 'top - ...'");
                   },
                   read_monitor<rows_of_top>},
    LoadFormatInfo{LoadFormat::proc_stat, "proc-stat", "Linux's /proc/stat again and again, each behind a stamp (or --interval)",
                   "while sleep 10; do date -Is; head -n 1 /proc/stat; done", false, {"interval", "invalid", "gaps"}, recognise_proc_stat,
                   read_counts},
    LoadFormatInfo{LoadFormat::perfmon, "perfmon", "Windows' performance counters in CSV, of one machine or of several",
                   "typeperf -f CSV -si 10 \"\\Processor(_Total)\\% Processor Time\"", false, {"column", "measures", "invalid", "gaps"},
                   [](const FirstLines& lines) { return sure_by(lines.begins("\"(PDH-"), "its header \"(PDH-CSV 4.0)\""); },
                   read_monitor<rows_of_perfmon>},
};

/// What the file looks like, how sure that is, and what its numbers are.
std::string told_format(const LoadFormatInfo& info, const FormatGuess& guess, const std::string& units) {
  constexpr const char* kWords[] = {", as --from says", ", perhaps", ", most likely", ""};
  const std::string sign = guess.sign.empty() ? "" : " (" + guess.sign + ")";
  return std::string("this is ") + info.name + kWords[static_cast<std::size_t>(guess.sureness)] + sign + "; " + units;
}

// --- Writing ---

std::string profile_text(const LoadSeries& trace) {
  Profile profile;
  for (std::size_t i = 0; i < trace.start_s.size(); ++i)
    profile.events.push_back(
        {{ProfileLaw::Kind::fixed, trace.start_s[i], 0}, {ProfileLaw::Kind::fixed, trace.availability[i], 0}});
  profile.loop = true;
  profile.loop_after = trace.duration_s.back();
  return "# " + std::to_string(trace.start_s.size()) + " steps: date [s], availability\n" + write_profile(profile);
}

std::string csv_text(const LoadSeries& trace) {
  std::string out = "timestamp,availability\n";
  const std::vector<double> clock_s = trace.clock_s();
  for (std::size_t i = 0; i < clock_s.size(); ++i) {
    Stamp stamp = trace.first;
    stamp.rest_s += clock_s[i];
    out += stamp_text(stamp) + "," + number_text(trace.availability[i]) + "\n";
  }
  return out;
}

}  // namespace

std::span<const LoadFormatInfo> load_formats() { return kLoadFormats; }
const LoadFormatInfo& info_of(LoadFormat format) { return kLoadFormats[static_cast<std::size_t>(format)]; }

LoadFormat load_format_named(const std::string& name) {
  for (const auto& info : kLoadFormats)
    if (name == info.name) return info.format;
  throw InputError("the format " + quoted(name) + " is not known; there are " + joined(words_in(kLoadFormats)));
}

std::string machine_of_file(const std::string& file) {
  std::filesystem::path name = std::filesystem::path(file).filename();
  if (name.extension() == ".gz") name = name.stem();
  return name.stem().string();
}

std::string file_name_of(std::string machine) {
  std::ranges::replace(machine, '/', '_');
  return machine;
}

LoadFile read_load_file(const std::string& file, const LoadReading& reading) {
  const std::string text = read_user_file(file, kMostDataBytes, reading.unpacked);
  const KnownFormat known = reading.format ? KnownFormat{*reading.format, {}} : format_of(text, file, reading);
  const LoadFormatInfo& info = info_of(known.format);
  refuse_idle_flags(known.format, reading, file);
  LoadFile read = [&] {
    try {
      return info.read({text, file, reading, known.format});
    } catch (const InputError& e) {
      if (reading.format || known.guess.sureness == Sureness::sure) throw;
      throw InputError(e.place(), e.sentence() + " (The file is taken for " + info.name + ", by " + known.guess.sign +
                                      "; --from says what else it is.)");
    }
  }();
  read.assumptions.front() = told_format(info, known.guess, read.assumptions.front());
  tell_gaps(reading, read);
  return read;
}

LoadFile read_load(const std::string& file, const LoadReading& reading) {
  LoadFile read = read_load_file(file, reading);
  if (read.loads.size() == 1) return read;
  Words machines;
  for (const auto& load : read.loads) machines.push_back(load.machine);
  refuse(file, "this file holds rows of " + std::to_string(machines.size()) + " machines, " + some_names(machines) +
                   "; those of one are wanted here.");
}

std::string write_load(const LoadSeries& trace, LoadFormat format, std::vector<std::string>& assumptions) {
  if (!info_of(format).is_written)
    throw InputError(std::string("the format '") + info_of(format).name +
                     "' is read, not written; there are csv and profile");
  if (format == LoadFormat::profile) {
    assumptions.emplace_back(
        "a profile has no calendar: dates count from the first sample, and it begins again at its end");
    if (!trace.cuts.empty())
      assumptions.emplace_back("what is left out is no part of the profile: dates behind it are earlier by that");
    if (std::ranges::count(trace.availability, 0.0) > 0)
      assumptions.emplace_back("availability 0 stays 0; SimGrid itself lets a task that runs keep its rate then");
    return profile_text(trace);
  }
  const double median_s = median_step_s(trace);
  const std::span<const double> before_last(trace.duration_s.data(), trace.duration_s.size() - 1);
  if (trace.gaps.off_steps > 0)
    assumptions.emplace_back("a row of 0 begins time that counts as switched off: read what is written with --gaps hold");
  else if (std::ranges::any_of(before_last, [&](double step_s) { return step_s > kHeldSteps * median_s; }))
    assumptions.emplace_back("a value that lasts for more than five steps looks like a gap: read what is written with "
                             "--gaps hold");
  if (trace.duration_s.back() != median_s)
    assumptions.push_back("CSV does not say how long the last value lasts, " + short_number(trace.duration_s.back()) +
                          " s here; a reader takes the median step, " + short_number(median_s) + " s");
  return csv_text(trace);
}

}  // namespace nowsim

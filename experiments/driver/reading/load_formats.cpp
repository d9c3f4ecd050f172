// Which format a file has, reading it into a trace, and writing a trace.
#include "experiments/driver/reading/load_formats.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <utility>

#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/error.hpp"
#include "sim/base/keys.hpp"
#include "sim/base/text.hpp"
#include "sim/owners/load_table.hpp"
#include "sim/owners/profile.hpp"

namespace nowsim {
namespace {

const std::array<LoadFormatInfo, 6> kLoadFormats{
    LoadFormatInfo{LoadFormat::csv, "csv", "timestamp,value or time,host,value; without a header, by --columns", true,
                   {"column", "measures", "columns", "interval", "invalid", "gaps"}},
    LoadFormatInfo{LoadFormat::values, "values", "a value a line, as PlanetLab's: --interval 5min", false,
                   {"measures", "interval", "invalid", "gaps"}},
    LoadFormatInfo{LoadFormat::profile, "profile", "SimGrid's availability profile, deterministic", true, {}},
    LoadFormatInfo{LoadFormat::sadf, "sadf", "sysstat: sadf -d FILE -- -u", false, {"invalid", "gaps"}},
    LoadFormatInfo{LoadFormat::vmstat, "vmstat", "procps: vmstat -t 10", false, {"invalid", "gaps"}},
    LoadFormatInfo{LoadFormat::prometheus, "prometheus", "Prometheus: the JSON of /api/v1/query_range", false,
                   {"measures", "invalid", "gaps"}},
};

const LoadFormatInfo& info_of(LoadFormat format) { return kLoadFormats[static_cast<std::size_t>(format)]; }

/// @throws InputError about the file as a whole.
[[noreturn]] void refuse(const std::string& file, const std::string& sentence, int line = 0) {
  throw InputError({file, line, ""}, sentence);
}

// --- Which format ---

/// The first line that says something, and is no comment of a profile.
std::string_view first_line(const std::string& text, const std::string& file) {
  for (const std::string_view line : TextLines(text, file)) {
    const std::string_view content = trimmed(line);
    const bool is_comment = (content.starts_with('#') || content.starts_with('%')) && content.find(';') == content.npos;
    if (!content.empty() && !is_comment) return content;
  }
  return "";
}

bool is_profile_line(std::string_view line) {
  for (const char* keyword : {"PERIODICITY", "LOOPAFTER", "STOCHASTIC"})
    if (line.starts_with(keyword)) return true;
  const std::size_t blank = line.find_first_of(" \t");
  return blank != line.npos && to_number(line.substr(0, blank)) && line.find(',') == line.npos;
}

LoadFormat format_of(const std::string& text, const std::string& file, const LoadReading& reading) {
  refuse_workload_log(text, file);
  if (!reading.columns.empty()) return LoadFormat::csv;
  if (const auto begin = text.find_first_not_of(" \t\r\n"); begin != text.npos && text[begin] == '{')
    return LoadFormat::prometheus;
  const std::string_view line = first_line(text, file);
  if (line.empty()) refuse(file, "this file is empty; a load trace is needed.");
  if (line.find(';') != line.npos) return LoadFormat::sadf;
  if (line.starts_with("procs") || line.starts_with("r  b")) return LoadFormat::vmstat;
  if (is_profile_line(line)) return LoadFormat::profile;
  if (to_number(line)) return LoadFormat::values;
  if (line.find(',') != line.npos) return LoadFormat::csv;
  refuse(file, "it is not clear which format " + quoted(line) + " begins; say it by --from, one of " +
                   joined(words_in(kLoadFormats)) + ".", 1);
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

std::string choose_column(const std::string& text, const std::string& file, const LoadReading& reading) {
  if (!reading.column.empty()) return reading.column;
  const Words columns = load_columns(text, file, {.columns = reading.columns, .interval_s = reading.interval_s});
  if (std::string named = load_column(columns); !named.empty()) return named;
  const std::string first(trimmed(std::string_view(text).substr(0, text.find_first_of(",\n"))));
  if (reading.columns.empty() && (first == kUsualLoad || measure_of_column(first)))
    refuse(file, "the first column holds the stamps, but is called '" + first +
                     "': put the stamps first, or say by --column which column holds the load.", 1);
  if (columns.size() <= 1) return columns.empty() ? "value" : columns.front();  // reading says what is wrong
  refuse(file, "say by --column which column holds the load: " + some_names(columns) + ".", reading.columns.empty() ? 1 : 0);
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

LoadFile read_csv(const std::string& text, const std::string& file, const LoadReading& reading) {
  LoadFile read{LoadFormat::csv, {}, false, {}};
  const std::string column = choose_column(text, file, reading);
  TableReading how = table_reading(reading);
  how.column = column;
  how.columns = reading.columns;
  const LoadTable table(text, file, how);
  check_machines(table, file, reading.machines);
  read.names_machines = table.names_machines();
  read_loads(table, reading, read);
  check_measure(table, file);
  if (!reading.measures || reading.column.empty())
    read.assumptions.push_back("column '" + column + "' holds " + info_of(table.measure()).name);
  std::ranges::copy(table.remarks(), std::back_inserter(read.assumptions));
  return read;
}

/// A value a line is CSV of one column.
LoadFile read_values(const std::string& text, const std::string& file, const LoadReading& reading) {
  if (!(reading.interval_s > 0))
    refuse(file, "this file holds a value a line and no stamps: say by --interval how long each lasts (5min in "
                 "PlanetLab's).");
  LoadReading as_csv = reading;
  as_csv.columns = as_csv.column = "value";
  LoadFile read = read_csv(text, file, as_csv);
  read.format = LoadFormat::values;
  if (!reading.measures) read.assumptions.front() = "values are utilisation-percent";
  return read;
}

// --- Monitors ---

LoadFile read_monitor(const MonitorRows& rows, LoadFormat format, const std::string& file, const LoadReading& reading) {
  TableReading how = table_reading(reading);
  how.column = "availability";
  how.measure = LoadMeasure::availability;
  if (!reading.gaps) how.after_restart = rows.after_restart;
  const LoadTable table(rows.csv, file, how);
  LoadFile read{format, {{"", table.series()}}, false, rows.assumptions};
  std::ranges::copy(table.remarks(), std::back_inserter(read.assumptions));
  return read;
}

/// JSON has no lines worth naming: samples are counted.
LoadFile read_prometheus(const std::string& text, const std::string& file, const LoadReading& reading) {
  const MonitorRows rows = rows_of_prometheus(text, file);
  LoadFile read{LoadFormat::prometheus, {}, false, rows.assumptions};
  try {
    const LoadTable table(rows.csv, file, table_reading(reading));
    read_loads(table, reading, read);
    check_measure(table, file);
    std::ranges::copy(table.remarks(), std::back_inserter(read.assumptions));
  } catch (const InputError& e) {
    if (e.place().line < 2) throw;
    throw InputError({file, 0, "sample " + std::to_string(e.place().line - 1)}, e.sentence());
  }
  if (!reading.measures) read.assumptions.emplace_back("values are utilisation-percent");
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

LoadFile read_profile_trace(const std::string& text, const std::string& file) {
  const Profile profile = parse_profile(text, file, ProfileQuantity::fraction);
  check_deterministic(profile, file);
  LoadFile series{LoadFormat::profile, {{}}, false, {}};
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

LoadFile read_in_format(LoadFormat format, const std::string& text, const std::string& file, const LoadReading& reading) {
  const InvalidRule invalid = reading.invalid.value_or(InvalidRule::fail);
  if (format == LoadFormat::csv) return read_csv(text, file, reading);
  if (format == LoadFormat::values) return read_values(text, file, reading);
  if (format == LoadFormat::profile) return read_profile_trace(text, file);
  if (format == LoadFormat::sadf) return read_monitor(rows_of_sadf(text, file, invalid), format, file, reading);
  if (format == LoadFormat::vmstat) return read_monitor(rows_of_vmstat(text, file, invalid), format, file, reading);
  return read_prometheus(text, file, reading);
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
  const LoadFormat format = reading.format ? *reading.format : format_of(text, file, reading);
  refuse_idle_flags(format, reading, file);
  LoadFile read = read_in_format(format, text, file, reading);
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

// Load traces in every format, what monitors and /proc/stat say, and profiles: what is read holds, and what is written of
// it is read again.
#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>

#include "experiments/driver/reading/load_formats.hpp"
#include "experiments/driver/reading/monitor_rows.hpp"
#include "sim/base/error.hpp"
#include "sim/owners/load_series.hpp"
#include "sim/owners/load_table.hpp"
#include "sim/owners/proc_stat.hpp"
#include "sim/owners/profile.hpp"
#include "tests/fuzz/input_file.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/fuzz/verdict.hpp"

namespace nowsim::test {
namespace {

/// @throws std::logic_error where a trace's numbers cannot be.
void check_promises(const LoadSeries& trace) {
  const auto is_share = [](double a) { return a >= 0 && a <= 1; };
  const auto lasts = [](double s) { return s > 0 && std::isfinite(s); };
  if (trace.duration_s.size() != trace.availability.size() || trace.duration_s.size() != trace.start_s.size())
    throw std::logic_error("a trace whose columns differ in length");
  if (!std::ranges::all_of(trace.availability, is_share)) throw std::logic_error("an availability that is no share");
  if (!std::ranges::all_of(trace.duration_s, lasts)) throw std::logic_error("a step that does not last");
  if (!is_share(trace.mean()) && std::abs(trace.mean() - 0.5) > 0.5 + 1e-12)
    throw std::logic_error("a mean that is no share");
}

/// What a column may hold, and one rule for gaps with each.
struct Way {
  LoadMeasure measure;
  GapRule gaps;
};
constexpr Way kWays[] = {{LoadMeasure::utilisation_percent, GapRule::hold},
                         {LoadMeasure::utilisation_percent, GapRule::left_out},
                         {LoadMeasure::idle_percent, GapRule::off},
                         {LoadMeasure::utilisation, GapRule::drop},
                         {LoadMeasure::availability, GapRule::fail}};

std::string fault_of_rows(const std::function<MonitorRows()>& rows_of, InvalidRule invalid, std::string_view input) {
  return fault_of(
      [&] {
        const MonitorRows rows = rows_of();
        const bool is_share = rows.measure == LoadMeasure::availability;
        const LoadTable table(rows.csv, "load",
                              {.column = rows.has_column_each ? kEachColumn : is_share ? "availability" : "value",
                               .measure = rows.measure, .invalid = invalid, .after_restart = rows.after_restart});
        for (const auto& machine : table.machines()) check_promises(table.series(machine));
      },
      input);
}

void read_profile_as(ProfileQuantity quantity, const std::string& text) {
  const Profile profile = parse_profile(text, "a.profile", quantity);
  try {
    if (parse_profile(write_profile(profile), "b.profile", quantity) != profile)
      throw std::logic_error("what is written is another profile");
  } catch (const InputError& e) {
    throw std::logic_error("what is written cannot be read: " + std::string(e.what()));
  }
  const auto path = profile_path(std::make_shared<const Profile>(profile), quantity, 1, 0, {});
  constexpr int kSteps = 20;
  for (int i = 0; i < kSteps; ++i) {
    const Step step = path->next();
    if (!(step.duration_s > 0) || !std::isfinite(step.value) || step.value < 0)
      throw std::logic_error("a step that cannot be");
  }
}

}  // namespace

/// Load traces in CSV.
void fuzz_trace(std::string_view input) {
  const std::string text(input);
  const auto columns = load_columns(text, "a.csv");
  const std::string column = columns.empty() ? "value" : columns.back();
  for (const Way& way : kWays) {
    const auto read = [&] { check_promises(LoadTable(text, "a.csv", {.column = column, .measure = way.measure, .gaps = way.gaps}).series()); };
    if (const std::string fault = fault_of(read, input); !fault.empty()) throw std::logic_error(fault);
  }
}

/// Load traces in any format: what is read can be written as CSV and as a profile, and read again.
void fuzz_load(std::string_view input) {
  const InputFile file(input);
  const LoadFile read = read_load(file.path(), {});
  check_promises(read.loads.front().trace);
  for (const auto format : {LoadFormat::csv, LoadFormat::profile}) {
    std::vector<std::string> assumptions;
    const InputFile written(write_load(read.loads.front().trace, format, assumptions));
    try {
      LoadReading reading{.format = format};
      if (format == LoadFormat::csv) reading.gaps = GapRule::hold;
      read_load(written.path(), reading);
    } catch (const InputError& e) {
      throw std::logic_error("what is written cannot be read: " + std::string(e.what()));
    }
  }
}

/// What monitors write, through each monitor's reader and then that of CSV.
void fuzz_monitor(std::string_view input) {
  const std::string text(input);
  for (const InvalidRule invalid : {InvalidRule::fail, InvalidRule::skip}) {
    const MonitorReading stamped{invalid}, at_interval{invalid, 10};
    using Reader = MonitorRows (*)(const std::string&, const std::string&, const MonitorReading&);
    std::vector<std::function<MonitorRows()>> monitors{[&] { return rows_of_prometheus(text, "load"); }};
    for (const Reader read : {rows_of_sadf, rows_of_sar, rows_of_vmstat, rows_of_dstat, rows_of_top, rows_of_proc_stat, rows_of_perfmon})
      for (const auto* reading : {&stamped, &at_interval})
        monitors.emplace_back([&text, read, reading] { return read(text, "load", *reading); });
    for (const auto& rows_of : monitors)
      if (const std::string fault = fault_of_rows(rows_of, invalid, input); !fault.empty()) throw std::logic_error(fault);
  }
}

/// /proc/stat, and the load since the start.
void fuzz_proc_stat(std::string_view input) {
  const ProcStat stat = parse_proc_stat(std::string(input), "/proc/stat");
  const MachineLoad load = load_between(ProcStat{}, stat, stat.runnable);
  if (!(load.availability > 0 && load.availability <= 1)) throw std::logic_error("an availability that is no share");
}

/// Availability profiles: what is read is written so that it is read again as the same, and has a path.
void fuzz_profile(std::string_view input) {
  const std::string text(input);
  for (const auto quantity :
       {ProfileQuantity::fraction, ProfileQuantity::bandwidth, ProfileQuantity::latency, ProfileQuantity::state}) {
    const std::string fault = fault_of([&] { read_profile_as(quantity, text); }, input);
    if (!fault.empty()) throw std::logic_error(fault);
  }
}

}  // namespace nowsim::test

// `nowsim trace`: its parts, and the flags that two of them share.
#include "tools/commands/trace_command.hpp"

#include <algorithm>

#include "experiments/driver/text/units.hpp"
#include "sim/base/error.hpp"

namespace nowsim {

namespace {

std::string formats_of_traces() {
  std::string text = "\nformats of load traces:\n";
  for (const auto& format : load_formats())
    text += "  " + std::string(format.name) + std::string(12 - std::string(format.name).size(), ' ') + format.summary +
            (format.is_written ? " (written too)" : "") + '\n';
  return text;
}

}  // namespace

void add_load_flags(Flags& flags) {
  flags.add(
      {{"from", taking(Kind::load_format),
        "the format, such as csv or sar ('nowsim help trace' lists all); by default what the file looks like"},
       {"column", taking(Kind::text).called("NAME"),
        "of CSV and perfmon, the column of the load; by default value, or one that is called as loads are: availability, "
        "utilisation_percent, idle, ...; '*': each column is a machine's"},
       {"measures", taking(Kind::word, load_measure_names()),
        "what CSV, values, perfmon or Prometheus hold: utilisation-percent, utilisation, availability or idle-percent; by "
        "default what the column's name says, or utilisation-percent"},
       {"columns", taking(Kind::text).called("A,B,..."),
        "of CSV without a header, its first columns' names: time, host, and the load's, as in host,time,-,value (-: "
        "none)"},
       {"interval", quantity(Dimension::time), "of values, and of what has no stamps (CSV, vmstat, dstat, top, proc-stat): how long each lasts, such as 5min"},
       {"invalid", taking(Kind::word, invalid_rule_names()).or_else("fail"),
        "where a row's value is missing or out of range, or it is cut off: fail, or skip the row, which leaves a gap"},
       {"unpacked", quantity(Dimension::bytes),
        "how large a compressed file may be when it is unpacked, such as 500MB; by default 16MiB, or 32 times its "
        "size"},
       {"gaps", taking(Kind::word, gap_rule_names()).or_else("left-out"),
        "what the machine was doing in gaps longer than five steps: left-out (nothing is known of it), off "
        "(nothing was available), hold (the last value); drop cuts out shorter gaps too, fail refuses them"}});
}

LoadReading load_reading(const Arguments& arguments) {
  LoadReading reading;
  try {
    if (arguments.has("from")) reading.format = load_format_named(arguments.text("from"));
  } catch (const InputError& e) {
    throw UsageError(std::string("--from: ") + e.what());
  }
  if (arguments.has("column")) reading.column = arguments.text("column");
  if (arguments.has("measures"))
    reading.measures = static_cast<LoadMeasure>(arguments.choice("measures"));
  if (arguments.has("gaps")) reading.gaps = static_cast<GapRule>(arguments.choice("gaps"));
  if (arguments.has("invalid")) reading.invalid = static_cast<InvalidRule>(arguments.choice("invalid"));
  reading.columns = arguments.text("columns");
  reading.unpacked.raised_by = "say by --unpacked how large it may be, such as 1GiB";
  if (const auto bytes = arguments.quantity("unpacked"))
    reading.unpacked.bytes = static_cast<std::uint64_t>(std::min(*bytes, static_cast<double>(kMostDataBytes)));
  if (const auto interval_s = arguments.quantity("interval")) reading.interval_s = *interval_s;
  return reading;
}

Command trace_command() {
  return {.name = "trace",
          .summary = "measure a machine's availability and speed, fit an owner to it, record an MPI program",
          .more = formats_of_traces(),
          .parts = {trace_record(), trace_fit(), trace_convert(), trace_speed(), trace_mpi()},
          .page = "traces"};
}

}  // namespace nowsim

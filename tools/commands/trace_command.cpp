// `nowsim trace`: its parts, and the flags that two of them share.
#include "tools/commands/trace_command.hpp"

#include <algorithm>

#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/error.hpp"

namespace nowsim {

namespace po = boost::program_options;

namespace {

std::string formats_of_traces() {
  std::string text = "\nformats of load traces:\n";
  for (const auto& format : load_formats())
    text += "  " + std::string(format.name) + std::string(12 - std::string(format.name).size(), ' ') + format.summary +
            (format.is_written ? " (written too)" : "") + '\n';
  return text;
}

/// The place of a word in a list that a flag may take.
std::size_t choice(const po::variables_map& flags, const std::string& flag, const Words& known) {
  const std::string text = flags[flag].as<std::string>();
  const auto found = std::find(known.begin(), known.end(), text);
  if (found == known.end()) throw UsageError("--" + flag + " " + shown_flag(text) + ": there are " + joined(known));
  return static_cast<std::size_t>(found - known.begin());
}

}  // namespace

void add_load_flags(po::options_description& description) {
  description.add_options()(
      "from", po::value<std::string>(),
      "the format: csv, profile, sadf, vmstat or prometheus; by default what the file looks like")(
      "column", po::value<std::string>(),
      "of CSV, the column of the load; by default value, availability or utilisation_percent")(
      "measures", po::value<std::string>(),
      "what CSV or Prometheus hold: utilisation-percent, utilisation or availability")(
      "gaps", po::value<std::string>()->default_value("hold"),
      "where samples are missing: hold the last value, drop the time, or fail");
}

LoadReading load_reading(const po::variables_map& flags) {
  LoadReading reading;
  try {
    if (flags.count("from") > 0) reading.format = load_format_named(flags["from"].as<std::string>());
  } catch (const InputError& e) {
    throw UsageError(std::string("--from: ") + e.what());
  }
  if (flags.count("column") > 0) reading.column = flags["column"].as<std::string>();
  if (flags.count("measures") > 0)
    reading.measures = static_cast<TraceMeasure>(choice(flags, "measures", trace_measure_names()));
  reading.gaps = static_cast<GapRule>(choice(flags, "gaps", gap_rule_names()));
  return reading;
}

Command trace_command() {
  return {.name = "trace",
          .summary = "measure a machine's availability, and fit an owner to it",
          .usage = "nowsim trace record|fit|convert ...",
          .more = formats_of_traces(),
          .parts = {trace_record(), trace_fit(), trace_convert()},
          .page = "traces"};
}

}  // namespace nowsim

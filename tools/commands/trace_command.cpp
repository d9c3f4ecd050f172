// `nowsim trace`: which part is meant, and the flags that two of them share.
#include "tools/commands/trace_command.hpp"

#include <algorithm>
#include <iostream>

#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/output_file.hpp"
#include "sim/base/error.hpp"
#include "tools/command_parts.hpp"

namespace nowsim {

namespace po = boost::program_options;

namespace {

constexpr const char* kTraceUsage = "nowsim trace record|fit|convert ...";

constexpr CommandPart kTraceParts[] = {
    {"record", "nowsim trace record FILE.csv [--interval 10s] [--duration 1h] [--append] [--job PID]",
     "measure what this machine has left for a task", trace_record},
    {"fit", "nowsim trace fit FILE... [--owner FILE.yaml] [--platform FILE.xml] [--picture FILE.svg|.png|.pdf]",
     "the owner model that comes closest to a trace", trace_fit},
    {"convert", "nowsim trace convert IN OUT [--from FORMAT] [--to FORMAT]",
     "from and to the formats of other programs", trace_convert},
};

int print_trace_help(std::ostream& out) {
  print_parts(kTraceParts, out);
  out << "\nformats of load traces:\n";
  for (const auto& format : load_formats())
    out << "  " << format.name << std::string(12 - std::string(format.name).size(), ' ') << format.summary
        << (format.is_written ? " (written too)" : "") << '\n';
  out << "\n'nowsim trace fit --help' lists the flags of a part\n";
  return 0;
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

namespace {

int do_trace(const std::vector<std::string>& words, const Registries& registries) {
  const std::string usage = kTraceUsage;
  if (!asks_for_help(words)) return call_part("trace", kTraceParts, words, usage, registries);
  std::cout << "usage: " << usage << "\n\n";
  return print_trace_help(std::cout);
}

}  // namespace

Command trace_command() {
  return {.name = "trace", .summary = "measure a machine's availability, and fit an owner to it", .usage = kTraceUsage, .run_words = do_trace};
}

}  // namespace nowsim

// `nowsim trace convert`: from one format to another, saying what had to be assumed.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <iterator>

#include "experiments/driver/text/output_file.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/error.hpp"
#include "tools/commands/trace_command.hpp"
#include "tools/output_files.hpp"

namespace nowsim {
namespace {

namespace po = boost::program_options;

/// By --to, or by the name's ending.
LoadFormat target(const po::variables_map& flags, const std::string& file) {
  if (flags.count("to") > 0) try {
      return load_format_named(flags["to"].as<std::string>());
    } catch (const InputError& e) {
      throw UsageError(std::string("--to: ") + e.what());
    }
  const std::string ending = std::filesystem::path(file).extension().string();
  if (ending == ".csv") return LoadFormat::csv;
  if (ending == ".profile") return LoadFormat::profile;
  throw UsageError("'" + file +
                   "' does not say its format: give a name that ends in .csv or .profile, or --to csv|profile");
}

/// What became of a file's gaps.
std::vector<std::string> about_gaps(const std::string& file, const LoadReading& reading, const Trace& trace) {
  LoadReading holding = reading;
  holding.gaps = GapRule::hold;
  const Trace whole = reading.gaps == GapRule::hold ? trace : read_load(file, holding).trace;
  const std::size_t gaps = count_gaps(whole);
  if (gaps == 0) return {};
  const std::string in = std::to_string(gaps) + (gaps == 1 ? " gap" : " gaps");
  if (reading.gaps == GapRule::hold) return {"in " + in + " the last value holds"};
  return {in + (gaps == 1 ? " is" : " are") + " cut out, " +
          format_quantity(whole.total_s - trace.total_s, Dimension::time) +
          " in all: the stamps of what comes behind are earlier by that"};
}

void add_trace_convert_flags(po::options_description& description) {
  description.add_options()("to", po::value<std::string>(),
                            "csv or profile; by default by OUT's ending (OUT -: standard output)");
  add_load_flags(description);
}

int do_trace_convert(const ParsedFlags& parsed, const Registries&) {
  const std::string &in = parsed.words[0], &out = parsed.words[1];
  const LoadReading reading = load_reading(parsed.flags);
  const LoadFormat format = target(parsed.flags, out);
  if (out != "-") check_output_file(out);
  LoadSeries series = read_load(in, reading);
  std::ranges::move(about_gaps(in, reading, series.trace), std::back_inserter(series.assumptions));
  const std::string text = write_load(series.trace, format, series.assumptions);
  for (const auto& sentence : series.assumptions) std::cerr << "assumed: " << sentence << '\n';
  if (out == "-")
    std::cout << text;
  else
    write_and_tell(out, text, std::to_string(series.trace.availability.size()) + " steps");
  return 0;
}

}  // namespace

Command trace_convert() {
  return {"convert", "from and to the formats of other programs",
          "nowsim trace convert IN OUT [--from FORMAT] [--to FORMAT] [flags]", 2, 2, add_trace_convert_flags,
          do_trace_convert};
}

}  // namespace nowsim

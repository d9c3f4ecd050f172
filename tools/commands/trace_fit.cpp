// `nowsim trace fit`: traces to owners, as a table, YAML, a platform and a picture.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <set>
#include <sstream>

#include "experiments/driver/pictures/draw_picture.hpp"
#include "experiments/driver/pictures/run_gnuplot.hpp"
#include "experiments/driver/studies/trace_fit_output.hpp"
#include "experiments/driver/studies/trace_fit_script.hpp"
#include "experiments/driver/text/output_file.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/error.hpp"
#include "tools/commands/trace_command.hpp"
#include "tools/output_files.hpp"

namespace nowsim {
namespace {

namespace po = boost::program_options;
namespace fs = std::filesystem;

/// Names by --hosts, or the files' without folder and ending.
std::vector<std::string> host_names(const std::vector<std::string>& files, const std::string& given) {
  std::vector<std::string> names;
  std::istringstream in(given);
  for (std::string name; std::getline(in, name, ',');) names.push_back(name);
  if (given.empty())
    for (const auto& file : files) names.push_back(fs::path(file).stem().string());
  if (names.size() != files.size())
    throw UsageError("--hosts names " + std::to_string(names.size()) + " machines for " + std::to_string(files.size()) +
                     " traces");
  for (const auto& name : names)
    if (name.empty() || name.find('/') != name.npos)
      throw UsageError("--hosts: '" + name + "' cannot be a machine's name");
  if (std::set(names.begin(), names.end()).size() != names.size())
    throw UsageError("two traces have the same name; give names by --hosts, one per trace: a,b,c");
  return names;
}

double confidence_of(const std::string& text) {
  const double level = quantity_flag("confidence", text, Dimension::fraction);
  if (!(level > 0 && level < 1)) throw UsageError("--confidence " + text + ": it must be between 0 and 1");
  return level;
}

double speed_of(const std::string& text) {
  const double speed = quantity_flag("speed", text, Dimension::speed);
  if (!(speed > 0)) throw UsageError("--speed " + text + ": it must be more than 0");
  return speed;
}

/// Gaps are counted as they are in the file, whatever becomes of them.
std::size_t gaps_in(const std::string& file, LoadReading reading, const Trace& trace) {
  if (reading.gaps != GapRule::drop) return count_gaps(trace);
  reading.gaps = GapRule::hold;
  return count_gaps(read_load(file, reading).trace);
}

FittedHost fit_file(const std::string& file, const std::string& name, const LoadReading& reading,
                    const TraceFitOptions& options) {
  LoadSeries series = read_load(file, reading);
  FittedHost host{name, file, std::move(series.trace), {}};
  host.fit = fit_trace(host.trace, file, options);
  host.fit.gaps = gaps_in(file, reading, host.trace);
  return host;
}

/// The outputs that are files, "" where not wanted; checked before anything is read.
struct FitOutputs {
  std::string owner, platform;
  PictureFile picture;
};

FitOutputs fit_outputs_of(const po::variables_map& flags) {
  const bool on_screen = text_flag(flags, "owner") == "-";
  return {on_screen ? "-" : output_file_flag(flags, "owner", {}, ""),
          output_file_flag(flags, "platform", {".xml"}, "a platform is XML"), picture_flag(flags, "picture")};
}

void write_files(const std::vector<FittedHost>& hosts, const FitOutputs& outputs, double speed_flops) {
  if (outputs.owner == "-")
    std::cout << owner_block(hosts);
  else if (!outputs.owner.empty())
    write_and_tell(outputs.owner, owner_block(hosts), "owner block");
  if (!outputs.platform.empty())
    for (const auto& [name, text] : fitted_platform(hosts, outputs.platform, speed_flops))
      write_and_tell((fs::path(outputs.platform).parent_path() / name).string(), text,
                     name.ends_with(".xml") ? "platform" : "profile");
  write_picture(outputs.picture, [&](PictureFormat format) { return trace_fit_script(hosts, format); });
}

void add_trace_fit_flags(po::options_description& description) {
  description.add_options()("owner", po::value<std::string>(),
                            "write the owner block to this file; -: to standard output, in place of the table")(
      "platform", po::value<std::string>(), "FILE.xml: a platform with STOCHASTIC profiles, for SimGrid too")(
      "picture", po::value<std::string>(), "FILE.svg, FILE.png or FILE.pdf: fits over data")(
      "hosts", po::value<std::string>(), "the machines' names: a,b,c; by default those of the files")(
      "speed", po::value<std::string>()->default_value("1Gf"), "of the platform's machines")(
      "length", po::value<std::string>(),
      "the law of the intervals' lengths: uniform, exponential or constant; by "
      "default the one whose autocorrelation is closest")("confidence", po::value<std::string>()->default_value("95%"),
                                                          "of the intervals");
  add_format_flag(description);
  add_load_flags(description);
}

int do_trace_fit(const ParsedFlags& parsed, const Registries&) {
  const LoadReading reading = load_reading(parsed.flags);
  const Format format = parse_format(parsed.flags["format"].as<std::string>());
  const TraceFitOptions options{text_flag(parsed.flags, "length").value_or(""),
                                confidence_of(parsed.flags["confidence"].as<std::string>())};
  const double speed_flops = speed_of(parsed.flags["speed"].as<std::string>());
  const FitOutputs outputs = fit_outputs_of(parsed.flags);
  const auto names = host_names(parsed.words, text_flag(parsed.flags, "hosts").value_or(""));
  std::vector<FittedHost> hosts;
  for (std::size_t i = 0; i < names.size(); ++i) hosts.push_back(fit_file(parsed.words[i], names[i], reading, options));
  if (outputs.owner != "-") write_trace_fits(hosts, format, options.confidence, std::cout);
  std::cout.flush();
  write_files(hosts, outputs, speed_flops);
  return 0;
}

constexpr std::size_t kMostFiles = 10000;

}  // namespace

Command trace_fit() {
  return {"fit", "the owner model that comes closest to a trace",
          "nowsim trace fit FILE... [--owner FILE.yaml] [--platform FILE.xml] [--picture FILE.svg|.png|.pdf] [flags]",
          1, kMostFiles, add_trace_fit_flags, do_trace_fit};
}

}  // namespace nowsim

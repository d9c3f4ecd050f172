// `nowsim trace fit`: traces to owners, as a table, YAML, a platform and a picture.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <set>
#include <sstream>
#include <utility>

#include "experiments/driver/pictures/draw_picture.hpp"
#include "experiments/driver/studies/trace_fit_output.hpp"
#include "experiments/driver/text/output_file.hpp"
#include "experiments/driver/text/stream_manner.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "tools/commands/trace_command.hpp"
#include "tools/running/output_files.hpp"
#include "tools/terminal/progress_line.hpp"

namespace nowsim {
namespace {

namespace fs = std::filesystem;

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

/// The names of files that tell none: those of --hosts, one each, where all files are such; else their own.
std::vector<std::string> file_names(const std::vector<std::string>& files, std::vector<std::string> given, bool one_each) {
  if (!one_each || given.empty()) {
    given.clear();
    for (const auto& file : files) given.push_back(machine_of_file(file));
  }
  if (given.size() != files.size())
    throw UsageError("--hosts names " + std::to_string(given.size()) + " machines for " + std::to_string(files.size()) +
                     " traces");
  for (const auto& name : given)
    if (name.empty() || name.find('/') != name.npos)
      throw UsageError("--hosts: '" + name + "' cannot be a machine's name");
  return given;
}

void check_distinct_names(const std::vector<FittedHost>& hosts) {
  std::set<std::string> names;
  for (const auto& host : hosts)
    if (!names.insert(host.name).second)
      throw UsageError("two traces have the same name; give names by --hosts, one per trace: a,b,c");
}

std::vector<LoadFile> read_files(const std::vector<std::string>& files, const LoadReading& reading) {
  std::vector<LoadFile> read;
  for (const auto& file : files) read.push_back(read_load_file(file, reading));
  return read;
}

/// Each sentence once, with the files that it is about where it is not about all.
void tell_assumptions(const std::vector<std::string>& files, const std::vector<LoadFile>& read) {
  std::vector<std::pair<std::string, std::vector<std::string>>> told;
  for (std::size_t f = 0; f < files.size(); ++f)
    for (const auto& sentence : read[f].assumptions) {
      auto known = std::ranges::find(told, sentence, &decltype(told)::value_type::first);
      if (known == told.end()) known = told.insert(known, {sentence, {}});
      known->second.push_back(files[f]);
    }
  for (const auto& [sentence, about] : told)
    std::cerr << "assumed: " << (about.size() < files.size() ? some_names(about) + ": " : "") << sentence << '\n';
}

/// A fit of each machine of each file that was read.
std::vector<FittedHost> fit_files(const std::vector<std::string>& files, std::vector<LoadFile>& read,
                                  const std::vector<std::string>& given_names, const LoadFitOptions& options) {
  const bool one_each = std::ranges::none_of(read, &LoadFile::names_machines);
  const auto names = file_names(files, given_names, one_each);
  std::vector<FittedHost> hosts;
  for (std::size_t f = 0; f < files.size(); ++f)
    for (auto& [machine, trace] : read[f].loads)
      hosts.push_back({read[f].names_machines ? file_name_of(machine) : names[f], files[f], std::move(trace), {}});
  check_distinct_names(hosts);
  StageLine line(false);
  for (auto& host : hosts) {
    line.show("fitting: trace", static_cast<std::size_t>(&host - hosts.data()), hosts.size());
    host.fit = fit_load(host.trace, host.file, options);
  }
  return hosts;
}

/// The outputs that are files, "" where not wanted; checked before anything is read.
struct FitOutputs {
  std::string owner, platform;
  PictureFile picture;
};

FitOutputs fit_outputs_of(const GivenFlags& flags) {
  const bool on_screen = text_flag(flags, "owner") == "-";
  return {on_screen ? "-" : output_file_flag(flags, "owner", {}, ""),
          output_file_flag(flags, "platform", {".xml"}, "a platform is XML"), picture_flag(flags, "picture")};
}

void write_files(const std::vector<FittedHost>& hosts, const FitOutputs& outputs, double speed_flops) {
  if (outputs.owner == "-") {
    const ForPrograms for_programs(std::cout);
    std::cout << owner_block(hosts);
  } else if (!outputs.owner.empty())
    write_and_tell(outputs.owner, owner_block(hosts), "owner block");
  if (!outputs.platform.empty())
    for (const auto& [name, text] : fitted_platform(hosts, outputs.platform, speed_flops))
      write_and_tell((fs::path(outputs.platform).parent_path() / name).string(), text,
                     name.ends_with(".xml") ? "platform" : "profile");
  write_picture(outputs.picture, [&](PictureFormat format) { return trace_fit_script(hosts, format); });
}

void add_trace_fit_flags(Flags& flags) {
  flags.add(
      {{"owner", taking(Kind::file),
        "write the owner block to this file; -: to standard output, in place of the table"},
       {"platform", taking(Kind::file, {".xml"}), "FILE.xml: a platform with STOCHASTIC profiles, for SimGrid too"},
       {"picture", kPictureFile, "FILE.svg, FILE.png or FILE.pdf: fits over data"},
       {"hosts", taking(Kind::text),
        "the machines' names, one per file: a,b,c; by default those of the files. Of a file of several machines: "
        "which"},
       {"speed", {.value = Kind::quantity, .otherwise = "1Gf"}, "of the platform's machines"},
       {"length", taking(Kind::word, {"uniform", "exponential", "constant"}),
        "the law of the intervals' lengths: uniform, exponential or constant; by default the one whose autocorrelation "
        "is closest"},
       {"confidence", {.value = Kind::quantity, .otherwise = "95%"}, "of the intervals"}});
  add_format_flag(flags);
  add_load_flags(flags);
}

int do_trace_fit(const ParsedFlags& parsed, const Registries&) {
  LoadReading reading = load_reading(parsed.flags);
  reading.machines = machine_names(parsed.flags, "hosts");
  const Format format = parse_format(parsed.flags.text("format"));
  const LoadFitOptions options{text_flag(parsed.flags, "length").value_or(""),
                                confidence_of(parsed.flags.text("confidence"))};
  const double speed_flops = speed_of(parsed.flags.text("speed"));
  const FitOutputs outputs = fit_outputs_of(parsed.flags);
  if (parsed.flags.has("speed") && outputs.platform.empty())
    throw UsageError("--speed is of the machines that --platform FILE.xml writes, which is not given");
  std::vector<LoadFile> read = read_files(parsed.words, reading);
  const std::vector<FittedHost> hosts = fit_files(parsed.words, read, reading.machines, options);
  tell_assumptions(parsed.words, read);
  if (outputs.owner != "-") write_answer(trace_fit_answer(hosts, options.confidence), format, std::cout);
  std::cout.flush();
  write_files(hosts, outputs, speed_flops);
  return 0;
}

constexpr std::size_t kMostFiles = 10000;

}  // namespace

Command trace_fit() {
  return {"fit", "the owner model that comes closest to a trace",
          "nowsim trace fit FILE... [--owner FILE.yaml] [--platform FILE.xml] [--picture FILE.svg|.png|.pdf] [flags]",
          Places{{.kinds = {Kind::file}, .most = kMostFiles}}, add_trace_fit_flags, do_trace_fit};
}

}  // namespace nowsim

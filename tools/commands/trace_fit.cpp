// `nowsim trace fit`: traces to owners, as a table, YAML, a platform and a picture.
#include <algorithm>
#include <filesystem>
#include <ostream>
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
void tell_assumptions(Session& session, const std::vector<std::string>& files, const std::vector<LoadFile>& read) {
  std::vector<std::pair<std::string, std::vector<std::string>>> told;
  for (std::size_t f = 0; f < files.size(); ++f)
    for (const auto& sentence : read[f].assumptions) {
      auto known = std::ranges::find(told, sentence, &decltype(told)::value_type::first);
      if (known == told.end()) known = told.insert(known, {sentence, {}});
      known->second.push_back(files[f]);
    }
  for (const auto& [sentence, about] : told)
    session.error << "assumed: " << (about.size() < files.size() ? some_names(about) + ": " : "") << sentence << '\n';
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

FitOutputs fit_outputs_of(const Arguments& arguments) {
  return {arguments.text("owner"), arguments.text("platform"), picture_flag(arguments, "picture")};
}

void write_files(Session& session, const std::vector<FittedHost>& hosts, const FitOutputs& outputs, double speed_flops,
                 const TimeZone& zone) {
  if (outputs.owner == "-") {
    const ForPrograms for_programs(session.out);
    session.out << owner_block(hosts);
  } else if (!outputs.owner.empty())
    write_and_tell(session, outputs.owner, owner_block(hosts), "owner block");
  if (!outputs.platform.empty())
    for (const auto& [name, text] : fitted_platform(hosts, outputs.platform, speed_flops))
      write_and_tell(session, (fs::path(outputs.platform).parent_path() / name).string(), text,
                     name.ends_with(".xml") ? "platform" : "profile");
  write_picture(session, outputs.picture, [&](PictureFormat format) { return trace_fit_script(hosts, format, zone); });
}

void add_trace_fit_flags(Flags& flags) {
  flags.add(
      {{"owner", written_file_or_output(),
        "write the owner block to this file; -: to standard output, in place of the table"},
       {"platform", written_file({".xml"}, "a platform is XML"),
        "a platform with STOCHASTIC profiles, for SimGrid too"},
       {"picture", picture_file(), "fits over data"},
       {"hosts", taking(Kind::names),
        "the machines' names, one per file: a,b,c; by default those of the files. Of a file of several machines: "
        "which"},
       {"speed", quantity(Dimension::speed).or_else("1Gf"), "of the platform's machines"},
       {"model", taking(Kind::word, {"habits", "intervals"}),
        "what the owner block has: habits by the hour and kind of day, by default where the traces tell some, or intervals "
        "without a clock"},
       {"zone", taking(Kind::text).called("ZONE"),
        "by whose clock hours and days are, such as Europe/Berlin; by default this system's, and that of dates without Z"},
       {"length", taking(Kind::word, {"uniform", "exponential", "constant"}),
        "the law of the intervals' lengths: uniform, exponential or constant; by default the one whose autocorrelation "
        "is closest"},
       {"confidence", quantity(Dimension::fraction, {0, 1, true}).or_else("95%"), "of the intervals"}});
  add_format_flag(flags);
  add_load_flags(flags);
}

/// The habits of all machines together, unless others are wanted. @throws UsageError where they are, and there are none.
HabitsAnswer habits_of(const Arguments& arguments, const LoadReading& reading, const TimeZone& zone, std::vector<FittedHost>& hosts,
                       Session& session) {
  if (arguments.text("model") == "intervals") return {std::nullopt, "--model intervals"};
  const bool has_utc = std::ranges::any_of(hosts, [](const FittedHost& host) { return host.trace.first.kind != StampKind::civil; });
  HabitsAnswer habits = fit_habits_of(hosts, zone);
  if (habits.fit && has_utc && !reading.zone)
    session.error << "assumed: hours and days are by the clock of " << zone.name() << "; --zone names another\n";
  if (!habits.fit && arguments.text("model") == "habits") throw UsageError("--model habits: " + habits.why_not);
  return habits;
}

int do_trace_fit(const Arguments& arguments, Session& session) {
  LoadReading reading = load_reading(arguments);
  reading.machines = arguments.names("hosts");
  if (const auto zone = arguments.text_or_none("zone")) reading.zone = TimeZone::named(*zone);
  const Format format = format_of(arguments);
  const LoadFitOptions options{arguments.text("length"), *arguments.quantity("confidence")};
  if (options.confidence == 1)
    throw UsageError(flag_place("confidence", arguments.text("confidence")) + ": it must be less than 1");
  const double speed_flops = *arguments.quantity("speed");
  const FitOutputs outputs = fit_outputs_of(arguments);
  if (arguments.has("speed") && outputs.platform.empty())
    throw UsageError("--speed is of the machines that --platform FILE.xml writes, which is not given");
  std::vector<LoadFile> read = read_files(arguments.words, reading);
  std::vector<FittedHost> hosts = fit_files(arguments.words, read, reading.machines, options);
  tell_assumptions(session, arguments.words, read);
  const TimeZone zone = reading.zone ? *reading.zone : TimeZone::of_system();
  const HabitsAnswer habits = habits_of(arguments, reading, zone, hosts, session);
  if (outputs.owner != "-") write_answer(trace_fit_answer(hosts, habits, options.confidence, zone), format, session.out);
  session.out.flush();
  write_files(session, hosts, outputs, speed_flops, zone);
  return 0;
}

constexpr std::size_t kMostFiles = 10000;

}  // namespace

Command trace_fit() {
  return {.name = "fit",
          .summary = "the owner model that comes closest to a trace",
          .places = Places{{.kinds = {Kind::file}, .most = kMostFiles}},
          .main = {"owner", "platform", "picture"},
          .add_flags = add_trace_fit_flags,
          .run = do_trace_fit,
          .of = "trace"};
}

}  // namespace nowsim

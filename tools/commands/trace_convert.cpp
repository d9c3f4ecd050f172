// `nowsim trace convert`: from one format to another, saying what had to be assumed.
#include <algorithm>
#include <filesystem>
#include <ostream>
#include <utility>

#include "experiments/driver/text/output_file.hpp"
#include "experiments/driver/text/stream_manner.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/error.hpp"
#include "sim/owners/owner_keys.hpp"
#include "tools/commands/trace_command.hpp"
#include "tools/running/output_files.hpp"

namespace nowsim {
namespace {

/// By --to, or by the name's ending.
LoadFormat target(const Arguments& arguments, const std::string& file) {
  if (arguments.has("to")) try {
      return load_format_named(arguments.text("to"));
    } catch (const InputError& e) {
      throw UsageError(std::string("--to: ") + e.what());
    }
  const std::string ending = std::filesystem::path(file).extension().string();
  if (ending == ".csv") return LoadFormat::csv;
  if (ending == ".profile") return LoadFormat::profile;
  throw UsageError("'" + file +
                   "' does not say its format: give a name that ends in .csv or .profile, or --to csv|profile");
}

/// What is written, and where to.
struct Conversion {
  std::string file, text;
  std::size_t steps;
  std::vector<std::string> assumptions;
};

/// OUT of each machine: {host} stands for its name. `is_closed_up`: gaps are cut out of the clock too. @throws UsageError where several would be one file.
std::vector<Conversion> conversions(const LoadFile& read, const std::string& in, const std::string& out,
                                    bool is_closed_up, LoadFormat format) {
  const bool by_host = out.find("{host}") != out.npos;
  if (read.loads.size() > 1 && !by_host)
    throw UsageError(in + " holds rows of " + std::to_string(read.loads.size()) +
                     " machines: name one by --hosts, or have a file of each written, '{host}.csv'");
  std::vector<Conversion> all;
  for (std::size_t i = 0; i < read.loads.size(); ++i) {
    const auto& [machine, trace] = read.loads[i];
    const std::string name = file_name_of(read.names_machines ? machine : machine_of_file(in));
    std::vector<std::string> assumptions;
    if (is_closed_up && trace.gaps.count > 0)
      assumptions.push_back("the stamps of what comes behind a gap are earlier by it, " +
                            format_quantity(trace.gaps.left_out_s, Dimension::time) + " in all");
    std::string text = write_load(trace, format, assumptions);
    if (read.loads.size() > 1)
      for (auto& sentence : assumptions) sentence.insert(0, machine + ": ");
    all.push_back({with_host(out, name), std::move(text), trace.availability.size(), std::move(assumptions)});
    for (std::size_t k = 0; k < i; ++k)
      if (all[k].file == all[i].file) throw UsageError("two machines would both be written to " + all[i].file);
  }
  return all;
}

void write_conversion(Session& session, const Conversion& conversion) {
  for (const auto& sentence : conversion.assumptions) session.error << "assumed: " << sentence << '\n';
  if (conversion.file != "-")
    return write_and_tell(session, conversion.file, conversion.text, std::to_string(conversion.steps) + " steps");
  const ForPrograms for_programs(session.out);
  session.out << conversion.text;
}

void add_trace_convert_flags(Flags& flags) {
  flags.add({{"to", taking(Kind::written_load_format),
              "csv or profile; by default by OUT's ending (OUT -: standard output; {host} in it: the machine)"},
             {"hosts", taking(Kind::names), "of a file of several machines, which: a,b,c; by default all"},
             {"zone", taking(Kind::text).called("ZONE"),
              "by whose clock dates without Z are, such as Europe/Berlin: they are written with its offset"}});
  add_load_flags(flags);
}

int do_trace_convert(const Arguments& arguments, Session& session) {
  const std::string &in = arguments.words[0], &out = arguments.words[1];
  LoadReading reading = load_reading(arguments);
  reading.machines = arguments.names("hosts");
  if (const auto zone = arguments.text_or_none("zone")) reading.zone = TimeZone::named(*zone);
  const LoadFormat format = target(arguments, out);
  if (out != "-") check_output_file(out);
  const LoadFile read = read_load_file(in, reading);
  if (!reading.machines.empty() && !read.names_machines)
    throw UsageError("--hosts: " + in + " does not name machines");
  if (reading.zone && std::ranges::none_of(read.loads, [](const HostLoad& load) { return load.trace.first.kind == StampKind::utc; }))
    throw UsageError("--zone: " + in + " has no dates, whose clock it could say");
  const auto all = conversions(read, in, out, reading.gaps == GapRule::drop, format);
  for (const auto& conversion : all)
    if (conversion.file != "-") check_output_file(conversion.file);
  for (const auto& sentence : read.assumptions) session.error << "assumed: " << sentence << '\n';
  for (const auto& conversion : all) write_conversion(session, conversion);
  return 0;
}

}  // namespace

Command trace_convert() {
  return {.name = "convert",
          .summary = "from and to the formats of other programs",
          .places = Places{{.kinds = {Kind::file}, .name = "IN"}, {.kinds = {Kind::file}, .name = "OUT"}},
          .main = {"from", "to"},
          .add_flags = add_trace_convert_flags,
          .run = do_trace_convert,
          .of = "trace"};
}

}  // namespace nowsim

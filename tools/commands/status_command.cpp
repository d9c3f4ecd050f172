// `nowsim status`: how far a sweep in shards is, by what is published.
#include <iostream>

#include "experiments/driver/shards/shard_report.hpp"
#include "experiments/driver/text/stream_manner.hpp"
#include "sim/base/error.hpp"
#include "tools/command.hpp"

namespace nowsim {
namespace {

void add_status_flags(boost::program_options::options_description& description) { add_format_flag(description); }

int do_status(const ParsedFlags& parsed, const Registries&) {
  const Format format = parse_format(parsed.flags["format"].as<std::string>());
  if (format == Format::csv) throw UsageError("--format csv: there are table and json");
  const ShardFolder folder(parsed.words.front());
  if (!folder.exists())
    throw InputError("nothing was published in " + parsed.words.front() + ": 'nowsim sweep SPEC.yaml --out " + parsed.words.front() +
                     " --shard 1/4' begins a sweep in shards");
  const auto status = status_of(folder);
  if (format == Format::table) {
    write_status(status, std::cout);
    return 0;
  }
  const ForPrograms for_programs(std::cout);
  write_status_json(status, std::cout);
  return 0;
}

}  // namespace

Command status_command() {
  return {"status", "how far a sweep in shards is", "nowsim status DIR [flags]", 1, 1, add_status_flags, do_status, "", {}, "shards"};
}

}  // namespace nowsim

// `nowsim plan --replay`: what was recorded of the machines, on which the promise is put to the test.
#include "experiments/driver/reading/load_formats.hpp"
#include "experiments/driver/studies/replay_check.hpp"
#include "sim/base/error.hpp"
#include "tools/commands/plan_steps.hpp"

namespace nowsim {

void add_replay_flags(Flags& flags) {
  flags.add({{"replay",
              {.value = {Kind::file, {".csv"}}, .takes = Takes::words},
              "recordings of the machines, MACHINE.csv ...: the promise is tried on each of their days that is like --start's, "
              "with a fit that has not seen it"}});
}

std::vector<FittedHost> replay_hosts(const Arguments& arguments) {
  std::vector<FittedHost> hosts;
  if (!arguments.has("replay")) return hosts;
  for (const char* wanted : {"start", "risk"})
    if (!arguments.has(wanted))
      throw UsageError(std::string("--replay tries a promise on recorded days: ") +
                       (wanted == std::string("start") ? "when does the job begin, by --start 18:00?" : "at which risk, by --risk 10%?"));
  static constexpr const char* kWhole = "a whole job on all machines is replayed";
  static constexpr RefusedFlag kNotOfReplays[] = {{"elapsed", kWhole}, {"started", kWhole}, {"subset", kWhole}, {"mpi", kWhole}};
  refuse_beside(arguments, "replay", kNotOfReplays);
  LoadReading reading;
  if (const auto zone = arguments.text_or_none("zone")) reading.zone = TimeZone::named(*zone);
  for (const auto& file : arguments.texts("replay")) {
    LoadFile read = read_load_file(file, reading);
    for (auto& [machine, trace] : read.loads)
      hosts.push_back({read.names_machines ? file_name_of(machine) : machine_of_file(file), file, std::move(trace), {}});
  }
  return hosts;
}

}  // namespace nowsim

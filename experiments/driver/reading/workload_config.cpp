// Choosing a workload by its name, and letting it read its parameters.
#include "experiments/driver/reading/workload_config.hpp"

#include <algorithm>

#include "sim/splitting/machine_views.hpp"

namespace nowsim {

KeyTable job_keys(const WorkloadRegistry& workloads) {
  return {{"workload", KeyType::word, kMustBeGiven, "which program", {}, words_in(workloads)}};
}

IdentifiedWorkload read_workload(Reading& reading, const Platform& platform, const WorkloadRegistry& workloads) {
  const KeyTable keys = job_keys(workloads);
  Reader read(reading, {"job"}, keys);
  const auto chosen = read.known_word("workload");
  if (!chosen) return {};
  const WorkloadInfo& info = workloads[*chosen];
  const std::string& name = info.name;
  const std::size_t problems = reading.problems.found();
  IdentifiedWorkload made;
  try {
    made = make_workload(info, read);
  } catch (const InputError& e) {
    if (reading.problems.found() > problems) return {};  // it is about a stand-in value
    // What has a place of its own is about a file, which a key names.
    const auto named = std::ranges::find_if(info.keys, [&](const Key& key) {
      return !e.place().file.empty() && key.type == KeyType::path && read.has(key.name);
    });
    read.problem(named != info.keys.end() ? named->name : "workload", e.what());
    return {};
  }
  const ProgramDescription& program = made.workload->program();
  for (const auto& file : program.files) read.checked_file("workload", file);
  try {
    if (program.placement) program.placement(platform.workstations);
  } catch (const InputError& e) {
    read.problem("placement", e.what());
    return {};
  }
  if (static_cast<std::size_t>(program.least_ranks) > platform.workstations.size()) {
    read.problem("workload", "'" + name + "' needs at least " + std::to_string(program.least_ranks) +
                                 " workstations; there are " + std::to_string(platform.workstations.size()));
    return {};  // its times and shares mean nothing there
  }
  if (program.communicates && platform.workstations.size() > 1 && !platform.has_network())
    read.problem(read.has("bytes") ? "bytes" : "workload",
                 "'" + name + "' sends messages, and there is no network in " + platform.source +
                     " (platform.network: links, say; in a platform's file links and routes)");
  return made;
}

void check_own_times(Reading& reading, const Scenario& scenario) {
  for (std::size_t i = 0; i < scenario.size(); ++i) {
    const RankShare rank = rank_share(scenario, i, scenario.share_flop[i]);
    try {
      scenario.workload->program().check_share(rank);
    } catch (const InfeasibleError& e) {
      throw InfeasibleError(Reader(reading, {"job"}).place("workload"), e.what());
    } catch (const InputError& e) {
      return Reader(reading, {"job"})
          .problem("workload", "the time of workstation " + rank.host.name + ": " + e.what());
    }
    if (!scenario.workload->program().own_time(rank) || scenario.owners[i]->is_dedicated()) continue;
    Reader(reading, {"owner"}).problem(
        "model", "this workload prescribes its execution times, so every owner must be 'dedicated'; workstation " +
                     rank.host.name + " has " + scenario.owners[i]->describe());
    return;
  }
}

}  // namespace nowsim

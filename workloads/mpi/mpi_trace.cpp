// Recorded MPI programs: SMPI's time-independent traces as a workload.
#include <algorithm>
#include <filesystem>
#include <sstream>
#include <memory>
#include <string>
#include <vector>

#include "sim/base/text.hpp"
#include "sim/base/user_file.hpp"
#include "workloads/mpi/mpi_trace_text.hpp"
#include "workloads/mpi/mpi_replay.hpp"
#include "workloads/parts/registry.hpp"

namespace nowsim {
namespace {

/// What the names of those settings begin with by which smpirun's replay of a trace takes another time.
constexpr std::string_view kOfReplays[] = {
    "smpi/IB", "smpi/all", "smpi/async-small", "smpi/barrier", "smpi/bcast", "smpi/bw-factor", "smpi/coll",
    "smpi/finalization", "smpi/gather", "smpi/init", "smpi/iprobe", "smpi/lat-factor", "smpi/o", "smpi/reduce",
    "smpi/scatter", "smpi/send-is-detached", "smpi/test", "network/", "host/model", "cpu/model", "workstation/model"};

class RecordedMpiProgram final : public Workload {
 public:
  RecordedMpiProgram(std::shared_ptr<const MpiTrace> trace, MpiReplaySettings settings, const MpiPlacement& placement,
                     const std::filesystem::path& path)
      : Workload({.work_flop = trace->facts().flop * settings.scale,
                  .communicates = trace->ranks() > 1,
                  .uses_shares = false,
                  .ends_with_a_machine = true,
                  .messages = [trace](int) { return messages(trace->facts()); },
                  .remarks = remarks(*trace, path),
                  .about_settings = about_settings,
                  .files = files(*trace, path),
                  .data_identity = trace->hash(),
                  .placement = [placement](std::span<const Workstation> machines) { return placement.on(machines); },
                  .place_text = [trace](int rank, std::uint64_t place) { return place_text(*trace, rank, place); }}),
        trace_(std::move(trace)), settings_(std::move(settings)) {}

  Process run(Rank& self) const override { return replay_mpi(self, *trace_, settings_); }

 private:
  static std::string place_text(const MpiTrace& trace, int rank, std::uint64_t place) {
    const auto actions = trace.actions(rank);
    if (place >= actions.size()) return "at the end of " + trace.file(rank);
    const MpiAction& action = actions[place];
    return mpi_call_name(action.call) + ", " + trace.file(rank) + ":" + std::to_string(action.line);
  }

  /// About so many as a simulation costs: with those of collectives, and a few for all that ranks compute.
  static double messages(const MpiTraceFacts& facts) {
    const auto calls = [&facts](MpiCall call) { return static_cast<double>(facts.count(call)); };
    double out = static_cast<double>(facts.messages) + calls(MpiCall::compute) / 4;
    for (const MpiCall call : {MpiCall::barrier, MpiCall::allreduce}) out += 2 * calls(call);
    for (const MpiCall call : {MpiCall::bcast, MpiCall::reduce, MpiCall::gather, MpiCall::gatherv, MpiCall::scatter, MpiCall::scatterv})
      out += calls(call);
    for (const MpiCall call : {MpiCall::alltoall, MpiCall::alltoallv, MpiCall::allgather, MpiCall::allgatherv,
                               MpiCall::reducescatter, MpiCall::scan, MpiCall::exscan})
      out += calls(call) * static_cast<double>(facts.rank_flop.size());
    return out;
  }
  /// Also what a folder that was recorded has. (Beside a list such a file may be anything.)
  static std::vector<std::string> files(const MpiTrace& trace, const std::filesystem::path& path) {
    std::vector<std::string> all = trace.files();
    for (const auto& file : {path / kMpiRemarksFile, path / "provenance.json"})
      if (std::filesystem::exists(file)) all.push_back(file.string());
    return all;
  }
  /// What a recording has frozen, and what a trace leaves open.
  static std::vector<std::string> remarks(const MpiTrace& trace, const std::filesystem::path& path) {
    std::vector<std::string> out;
    if (const auto file = path / kMpiRemarksFile; std::filesystem::exists(file)) {
      std::istringstream recorded(read_user_file(file.string(), kMostDescriptionBytes));
      for (std::string line; std::getline(recorded, line);) out.push_back(path.string() + ": " + line);
    }
    for (const auto& warning : trace.facts().warnings) out.push_back(path.string() + ": " + warning);
    return out;
  }

  static std::string about_settings(const std::vector<std::string>& settings) {
    std::vector<std::string> not_followed;
    for (const std::string& setting : settings)
      if (std::ranges::any_of(kOfReplays, [&](std::string_view name) { return setting.starts_with(name); }))
        not_followed.push_back(setting);
    if (not_followed.empty()) return "";
    return "the replay does not follow " + some_names(not_followed, not_followed.size()) +
           ", which smpirun would: job.eager, job.rendezvous and job.collectives say what smpi/async-small-thresh,"
           " smpi/send-is-detached-thresh and the choice of a collective say there";
  }

  std::shared_ptr<const MpiTrace> trace_;
  MpiReplaySettings settings_;
};

std::string key_of(const MpiAlgorithms& algorithms) { return std::string("collectives.") + mpi_call_name(algorithms.call); }

std::shared_ptr<const Workload> make_mpi_trace(KeyReader& read) {
  const std::string path = read.path("trace");
  MpiReplaySettings settings;
  settings.scale = read.value("scale");
  settings.messages.envelope_bytes = read.value("envelope");
  settings.messages.eager_below_bytes = read.value("eager");
  settings.messages.rendezvous_bytes = read.value("rendezvous");
  for (const MpiAlgorithms& algorithms : mpi_algorithms()) {
    const std::size_t chosen = algorithms.known.size() > 1 ? read.word(key_of(algorithms)) : 0;
    settings.collectives.push_back(algorithms.known[chosen].run);
  }
  const std::vector<std::string> machines = read.texts("placement");
  const std::int64_t per_machine = read.whole("ranks_per_machine");
  auto trace = MpiTrace::open(path, static_cast<std::uint64_t>(std::min(read.value_or("unpacked", 0), kMostUnpacked)));
  const auto in_a_row = static_cast<int>(std::min<std::int64_t>(per_machine, trace->ranks()));  // as good as more
  const MpiPlacement placement{trace->ranks(), machines, in_a_row};
  return std::make_shared<RecordedMpiProgram>(std::move(trace), std::move(settings), placement, path);
}

}  // namespace

WorkloadInfo mpi_trace() {
  KeyTable keys{{"trace", KeyType::path, kMustBeGiven,
                 "what was recorded: a folder of nowsim trace mpi, or the list of files of smpirun -trace-ti"},
                {"scale", KeyType::number, "1", "of all that it computes: 2 where machines need twice the operations"},
                {"placement", KeyType::text, "",
                 "machines for its ranks, in turn: names, or patterns such as ws[1-4]; all unless given", {}, {}, true},
                {"ranks_per_machine", KeyType::count, "1", "ranks in a row on a machine before the next one's", {1}},
                {"envelope", KeyType::bytes, "16B", "sent with each message"},
                {"eager", KeyType::bytes, "0B", "shorter messages travel at once (smpi/async-small-thresh)"},
                {"rendezvous", KeyType::bytes, "65536B",
                 "senders wait for messages as long as this (smpi/send-is-detached-thresh)"},
                {"unpacked", KeyType::bytes, "",
                 "the most that its packed files may come to; else 16 MiB, or 1000 times their packed size"}};
  for (const MpiAlgorithms& algorithms : mpi_algorithms())
    if (algorithms.known.size() > 1)
      keys.push_back({key_of(algorithms), KeyType::word, algorithms.known.front().name,
                      "how MPI_" + mpi_call_name(algorithms.call) + " is carried out", {}, words_in(algorithms.known)});
  return {"mpi-trace",
          "an MPI program as it was recorded: its ranks compute and exchange messages as they did",
          std::move(keys),
          make_mpi_trace,
          1,
          {"unpacked"}};
}

}  // namespace nowsim

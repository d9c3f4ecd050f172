// From a run to a folder.
#include "experiments/driver/studies/mpi_recording.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/text/output_file.hpp"
#include "experiments/driver/text/sha256.hpp"
#include "sim/base/error.hpp"
#include "sim/base/user_file.hpp"
#include "workloads/mpi/compiled_mpi_trace.hpp"

namespace nowsim {
namespace fs = std::filesystem;
namespace {

MpiRanks ranks_of(const MpiRawRecording& raw, const MpiRegions& regions) {
  const auto notes = read_mpi_notes(raw.notes, raw.traces.size());
  MpiRanks ranks;
  for (std::size_t r = 0; r < raw.traces.size(); ++r) ranks.push_back(freeze_rank(r, raw.traces[r], notes[r], regions));
  return ranks;
}

void refuse_collectives_of_others(const MpiRanks& ranks) {
  std::uint64_t calls = 0;
  const MpiRankTrace* first = nullptr;
  for (const auto& rank : ranks) {
    calls += rank.collectives_of_others;
    if (first == nullptr && rank.collectives_of_others > 0) first = &rank;
  }
  if (first != nullptr)
    throw RunError(
        "the program has collectives on communicators of other ranks than all, " + std::to_string(calls) +
        (calls == 1 ? " call" : " calls") + ", the first a " + first->first_of_others +
        ": SMPI's traces do not say whose they are, so that it cannot be recorded" +
        (first->tells_places ? "" : " (compiled with smpicc -trace-call-location, it tells the call's file and line)"));
}

void check_regions(const MpiRanks& ranks, const MpiRegions& regions) {
  bool tells_places = false;
  for (const auto& rank : ranks) tells_places |= rank.tells_places;
  if (!regions.empty() && !tells_places)
    throw InputError("the program does not say where its calls stand: compile it with smpicc -trace-call-location");
  for (const auto& [place, flop] : regions) {
    bool is_met = false;
    for (const auto& rank : ranks) is_met |= rank.regions.contains(place);
    if (!is_met) throw InputError(place + ": no computing that was measured ends at an MPI call there");
  }
}

/// A folder beside another that takes its name when it is complete, and goes otherwise.
class FolderAside {
 public:
  explicit FolderAside(const fs::path& beside) {
    const fs::path path = beside.string() + ".partial-" + std::to_string(getpid());
    std::error_code error;
    if (!fs::create_directory(path, error))
      throw InputError("cannot make the folder " + path.string() + ": " +
                       (error ? error.message() : "there is something of this name"));
    path_ = path;
  }
  ~FolderAside() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  FolderAside(const FolderAside&) = delete;
  FolderAside& operator=(const FolderAside&) = delete;

  void write(const std::string& name, const std::string& text) const {
    std::ofstream out(path_ / name, std::ios::binary);
    if (!(out << text << std::flush)) cannot_write((path_ / name).string(), std::strerror(errno));
  }
  /// That the trace in it is one that can be replayed; it is compiled by that.
  void check_trace(const fs::path& name) const try {
    static_cast<void>(MpiTrace::open(path_.string()));
  } catch (const InputError& e) {
    std::string sentence = e.what();
    if (const auto at = sentence.find(path_.string()); at != std::string::npos)
      sentence.replace(at, path_.string().size(), name.string());
    throw RunError("the program ran, but what was recorded of it cannot be replayed, so that nothing is kept: " + sentence);
  }
  void take_name(const fs::path& name) {
    std::error_code error;
    rename_to_free(path_, name, error);
    if (error == std::errc::file_exists) check_mpi_folder(name);
    if (error) cannot_write(name.string(), error.message());
    path_.clear();
  }

 private:
  fs::path path_;
};

std::string rank_file(std::size_t rank) { return "rank-" + std::to_string(rank) + ".txt"; }

}  // namespace

MpiRecording recording_of(const MpiRecordingPlan& plan, std::vector<MpiRanks> repetitions) {
  for (const auto& ranks : repetitions) {
    refuse_collectives_of_others(ranks);
    check_regions(ranks, plan.regions);
  }
  MpiRecording out;
  MpiProvenance& from = out.provenance;
  from.repetitions = repetitions.size();
  MpiMedian median = median_recording(std::move(repetitions));
  out.ranks = std::move(median.ranks);
  from.spread = std::move(median.spread);
  from.flop_scale = plan.total_flop ? scale_to_total(out.ranks, *plan.total_flop) : plan.flop_scale;
  if (!plan.total_flop) scale_flop(out.ranks, plan.flop_scale);
  for (const auto& rank : out.ranks) {
    from.timing += rank.timing;
    from.messages_among_others += rank.messages_among_others;
  }
  from.program = fs::path(plan.run.program).filename().string();
  from.arguments = plan.run.arguments;
  from.ranks = out.ranks.size();
  from.host_speed_flops = plan.run.host_speed_flops;
  from.is_explicit = plan.run.is_explicit;
  from.regions = plan.regions;
  from.nowsim = version();
  from.command = smpirun_command(plan.run);
  return out;
}

MpiRecording record_mpi(const MpiRecordingPlan& plan, const ShowOutput& show, const OnRepetition& on_repetition) {
  check_mpi_program(plan.run);
  const std::string simgrid = smpirun_version(), sum = sha256(read_user_file(plan.run.program, kMostDataBytes));
  std::vector<MpiRanks> repetitions;
  for (std::size_t k = 0; k < plan.repetitions; ++k) {
    if (on_repetition) on_repetition(k);
    repetitions.push_back(ranks_of(run_smpirun(plan.run, show), plan.regions));
  }
  MpiRecording recording = recording_of(plan, std::move(repetitions));
  recording.provenance.simgrid = simgrid;
  recording.provenance.program_sha256 = sum;
  return recording;
}

void check_mpi_folder(const fs::path& folder) {
  std::error_code ignored;
  if (fs::exists(fs::symlink_status(folder, ignored)))
    throw InputError(folder.string() +
                     ": there is something of this name, and a recording never goes for another: "
                     "give another name by --out, or remove it");
  const fs::path parent = fs::absolute(folder).parent_path();
  if (!fs::is_directory(parent, ignored)) throw InputError(folder.string() + ": there is no folder " + parent.string());
}

void write_mpi_folder(const fs::path& folder, const MpiRecording& recording) {
  check_mpi_folder(folder);
  FolderAside made(folder);
  std::string list;
  for (std::size_t r = 0; r < recording.ranks.size(); ++r) {
    list += rank_file(r) + '\n';
    made.write(rank_file(r), mpi_trace_text(r, recording.ranks[r].lines));
  }
  made.write("trace.txt", list);
  made.check_trace(folder);
  made.write(kMpiProvenanceFile, json_of(recording.provenance));
  if (const std::string decided = recording.provenance.timing_text(); !decided.empty())
    made.write(kMpiRemarksFile, "a recorded assignment: " + decided + " came out as in the recording, whatever owners do\n");
  made.take_name(folder);
}

}  // namespace nowsim

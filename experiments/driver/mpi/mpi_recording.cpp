// smpirun's words and what it leaves; then from a run to a folder.
#include "experiments/driver/mpi/mpi_recording.hpp"

#include <dlfcn.h>
#include <link.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/text/checksum.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/output_file.hpp"
#include "experiments/driver/text/run_program.hpp"
#include "experiments/driver/text/temporary_folder.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/base/user_file.hpp"
#include "workloads/mpi/compiled_mpi_trace.hpp"

namespace nowsim {
namespace fs = std::filesystem;
namespace {

constexpr const char* kNotesLibrary = "nowsim_mpi_notes.so";
constexpr const char* kNoSmpirun =
    "there is no smpirun here, with which programs are recorded; it is a part of SimGrid (Debian's package "
    "libsimgrid-dev)";
/// Of the environment; it would change how SMPI loads the program.
constexpr const char* kHidden[] = {"SMPI_PRIVATIZATION=", "LD_PRELOAD="};

std::string platform_xml(std::size_t ranks, double speed_flops) {
  return "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
         "<platform version=\"4.1\">\n  <zone id=\"recording\" routing=\"Full\">\n"
         "    <cluster id=\"hosts\" prefix=\"rank-\" suffix=\"\" radical=\"0-" +
         std::to_string(ranks - 1) + "\" speed=\"" + number_text(speed_flops) +
         "f\" bw=\"12.5GBps\" lat=\"1us\" loopback_bw=\"12.5GBps\" "
         "loopback_lat=\"100ns\"/>\n  </zone>\n</platform>\n";
}

void write_file(const fs::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  if (!(out << text << std::flush)) throw RunError("cannot write " + file.string());
}

/// As the program that a shell ran has ended.
int behind_shell(int status) {
  constexpr int kSignals = 128;
  return WIFEXITED(status) && WEXITSTATUS(status) > kSignals ? WEXITSTATUS(status) - kSignals : status;
}

[[noreturn]] void refuse_end(const MpiRun& run, const ProgramEnd& end) {
  const auto says = [&](const char* words) { return end.said.find(words) != end.said.npos; };
  if (says("dlopen failed") || says("Could not resolve entry point"))
    throw InputError(run.program +
                     ": this is no program that SMPI can run: compile it with smpicc (smpicxx, smpif90) "
                     "in place of mpicc");
  if (says("Deadlock detected"))
    throw RunError(run.program + " ended in a deadlock: its ranks wait for messages that nobody sends");
  throw RunError(run.program + ' ' + ending_of(behind_shell(end.status)) + ": nothing is recorded");
}

/// The traces that a list names, by the ranks in their names (from 1): "..._rank-3.txt".
std::vector<std::string> traces_of(const fs::path& list, const MpiRun& run) {
  std::vector<std::string> traces(run.ranks);
  const std::string refusal = run.program + " left no trace of rank ";
  std::istringstream files(fs::exists(list) ? read_user_file(list.string(), kMostDataBytes) : "");
  for (std::string file; std::getline(files, file);) {
    const auto at = file.rfind("_rank-");
    const auto dot = file.rfind('.');
    const auto number = at != file.npos && dot != file.npos && dot > at
                            ? to_number(std::string_view(file).substr(at + 6, dot - at - 6))
                            : std::nullopt;
    if (number && *number >= 1 && *number <= static_cast<double>(run.ranks))
      traces[static_cast<std::size_t>(*number) - 1] = read_user_file(file, kMostDataBytes);
  }
  for (std::size_t r = 0; r < run.ranks; ++r)
    if (traces[r].empty()) throw RunError(refusal + std::to_string(r) + ": does it call MPI_Init?");
  return traces;
}

/// SimGrid's version: "3.32". @throws RunError where there is no smpirun.
std::string smpirun_version() {
  const std::string said = run_program("/", {"smpirun", "-version"}, kNoSmpirun, {}).said;
  std::istringstream words(said);
  std::string last, version;
  while (words >> last)  // "SimGrid version 3.32"
    if (version.empty() && !last.empty() && last.front() >= '0' && last.front() <= '9') version = last;
  return version;
}

/// The library that takes the notes, beside the program or in lib/nowsim. @throws RunError where it is missing.
fs::path mpi_notes_library() {
  // In the program's RUNPATH, where its module for SimGrid is looked for too.
  void* program = dlopen(nullptr, RTLD_LAZY);
  Dl_serinfo size{};
  if (program != nullptr && dlinfo(program, RTLD_DI_SERINFOSIZE, &size) == 0) {
    std::vector<std::max_align_t> memory(size.dls_size / sizeof(std::max_align_t) + 1);
    auto* folders = reinterpret_cast<Dl_serinfo*>(memory.data());
    *folders = size;
    if (dlinfo(program, RTLD_DI_SERINFO, folders) == 0)
      for (unsigned i = 0; i < folders->dls_cnt; ++i)
        if (const fs::path file = fs::path(folders->dls_serpath[i].dls_name) / kNotesLibrary; fs::exists(file))
          return fs::absolute(file);
  }
  throw RunError(std::string("nowsim's library ") + kNotesLibrary +
                 " is missing: it is beside the program in a build folder, in lib/nowsim where it is installed");
}

/// @throws InputError where the program is missing, is none that SMPI's compilers made, or has arguments that smpirun
/// would take apart.
void check_mpi_program(const MpiRun& run) {
  if (!fs::is_regular_file(run.program)) throw InputError(run.program + ": there is no such program");
  for (const auto& argument : run.arguments)
    if (argument.empty() || argument.find_first_of(" \t\n*?[") != argument.npos || argument.starts_with("--cfg=") ||
        argument.starts_with("--log="))
      throw InputError(
          "the program's argument " + shell_word(argument) +
          " would not reach it: smpirun takes apart what has blanks or is a pattern for a shell, and keeps "
          "--cfg and --log to itself");
}

/// smpirun's words; `files` is a folder for what goes in and comes out.
std::vector<std::string> smpirun_words(const MpiRun& run, const fs::path& files) {
  const auto in = [&](const char* name) { return (files / name).string(); };
  std::vector<std::string> words = {
      "smpirun", "-quiet", "-wrapper", "env LD_PRELOAD=" + in(kNotesLibrary) + " NOWSIM_MPI_NOTES=" + in("notes.txt"),
      "-np", std::to_string(run.ranks), "-platform", in("platform.xml"), "-hostfile", in("hosts"), "-trace-ti",
      "-trace-file", in("trace.txt"), "--cfg=smpi/host-speed:" + number_text(run.host_speed_flops) + "f",
      std::string("--cfg=smpi/simulate-computation:") + (run.is_explicit ? "no" : "yes"),
      "--cfg=smpi/cpu-threshold:0",  // what is short counts too
      "--cfg=smpi/privatization:dlopen", "--cfg=smpi/trace-call-location:yes", "--log=xbt_cfg.thresh:warning",
      "--cfg=tracing/smpi/sleeping:yes", "--cfg=smpi/iprobe:0",  // mpi_notes.c has probes sleep
      // As they are by default, since they say how often a program that tests finds nothing, and what send waits for.
      "--cfg=smpi/test:1e-4", "--cfg=smpi/wtime:1e-8", "--cfg=smpi/send-is-detached-thresh:65536",
      run.program.find('/') == run.program.npos ? "./" + run.program : run.program};
  words.insert(words.end(), run.arguments.begin(), run.arguments.end());
  return words;
}

/// The same for people, without paths of this machine.
std::string smpirun_command(const MpiRun& run) {
  MpiRun shown = run;
  shown.program = fs::path(run.program).filename().string();
  std::string command;
  for (const auto& word : smpirun_words(shown, "")) command += (command.empty() ? "" : " ") + shell_word(word);
  return command;
}

/// The network of the recording is plain and fast; it matters only to calls whose outcome depends on timing.
/// @throws InputError where the program is none that SMPI's compilers made, RunError where it fails or leaves no trace.
MpiRanks run_smpirun(const MpiRun& run, const MpiRegions& regions, const ShowOutput& show) {
  const TemporaryFolder folder;
  const fs::path& files = folder.path();
  if (files.string().find_first_of(" \t*?[") != std::string::npos)
    throw RunError("smpirun cannot use " + files.string() + ": set TMPDIR to a folder without blanks in its path");
  write_file(files / "platform.xml", platform_xml(run.ranks, run.host_speed_flops));
  std::string hosts;
  for (std::size_t r = 0; r < run.ranks; ++r) hosts += "rank-" + std::to_string(r) + '\n';
  write_file(files / "hosts", hosts);
  fs::create_symlink(mpi_notes_library(), files / kNotesLibrary);  // whose own path may have blanks
  const ProgramEnd end = run_program(fs::current_path(), smpirun_words(run, files), kNoSmpirun, kHidden,
                                     ProgramInput::own);
  if (show && !end.said.empty()) show(end.said);
  if (end.status != 0) refuse_end(run, end);
  const auto traces = traces_of(files / "trace.txt", run);
  const fs::path noted = files / "notes.txt";
  const auto notes =
      read_mpi_notes(fs::exists(noted) ? read_user_file(noted.string(), kMostDataBytes) : "", traces.size());
  MpiRanks ranks;
  for (std::size_t r = 0; r < traces.size(); ++r) ranks.push_back(freeze_rank(r, traces[r], notes[r], regions));
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
  if (!regions.empty() && std::ranges::none_of(ranks, &MpiRankTrace::tells_places))
    throw InputError("the program does not say where its calls stand: compile it with smpicc -trace-call-location");
  for (const auto& region : regions)
    if (std::ranges::none_of(ranks, [&](const auto& rank) { return rank.regions.contains(region.first); }))
      throw InputError(region.first + ": no computing that was measured ends at an MPI call there");
}

/// Makes a folder beside the place of another, has it filled, and gives it that name; it goes where anything fails.
void make_folder(const fs::path& name, const std::function<void(const fs::path& made)>& fill) {
  const fs::path made = name.string() + ".partial-" + std::to_string(getpid());
  std::error_code error;
  if (!fs::create_directory(made, error))
    throw InputError("cannot make the folder " + made.string() + ": " +
                     (error ? error.message() : "there is something of this name"));
  try {
    fill(made);
    rename_to_free(made, name, error);
    if (error == std::errc::file_exists) check_mpi_folder(name);
    if (error) cannot_write(name.string(), error.message());
  } catch (...) {
    fs::remove_all(made, error);
    throw;
  }
}

void write_whole(const fs::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  if (!(out << text << std::flush)) cannot_write(file.string(), std::strerror(errno));
}

/// That the trace in a folder is one that can be replayed; it is compiled by that. Told by the name that it is to have.
void check_trace(const fs::path& made, const fs::path& name) try {
  static_cast<void>(MpiTrace::open(made.string()));
} catch (const InputError& e) {
  std::string sentence = e.what();
  if (const auto at = sentence.find(made.string()); at != std::string::npos)
    sentence.replace(at, made.string().size(), name.string());
  throw RunError("the program ran, but what was recorded of it cannot be replayed, so that nothing is kept: " +
                 sentence);
}

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
  static_cast<MpiRun&>(from) = plan.run;
  from.program = fs::path(plan.run.program).filename().string();
  from.ranks = out.ranks.size();
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
    repetitions.push_back(run_smpirun(plan.run, plan.regions, show));
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
  make_folder(folder, [&](const fs::path& made) {
    std::string list;
    for (std::size_t r = 0; r < recording.ranks.size(); ++r) {
      const std::string file = "rank-" + std::to_string(r) + ".txt";
      list += file + '\n';
      write_whole(made / file, mpi_trace_text(r, recording.ranks[r].lines));
    }
    write_whole(made / "trace.txt", list);
    check_trace(made, folder);
    write_whole(made / kMpiProvenanceFile, json_of(recording.provenance));
    if (const std::string decided = recording.provenance.timing_text(); !decided.empty())
      write_whole(made / kMpiRemarksFile,
                  "a recorded assignment: " + decided + " came out as in the recording, whatever owners do\n");
  });
}

}  // namespace nowsim

// A platform with a host for each rank, and smpirun's flags.
#include "experiments/driver/studies/mpi_smpirun.hpp"

#include <dlfcn.h>
#include <link.h>
#include <sys/wait.h>

#include <fstream>
#include <sstream>

#include "experiments/driver/text/run_program.hpp"
#include "experiments/driver/text/shell_word.hpp"
#include "experiments/driver/text/temporary_folder.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/base/user_file.hpp"

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

std::string hosts_text(std::size_t ranks) {
  std::string text;
  for (std::size_t r = 0; r < ranks; ++r) text += "rank-" + std::to_string(r) + '\n';
  return text;
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

}  // namespace

std::string smpirun_version() {
  const std::string said = run_program("/", {"smpirun", "-version"}, kNoSmpirun, {}).said;
  std::istringstream words(said);
  std::string last, version;
  while (words >> last)  // "SimGrid version 3.32"
    if (version.empty() && !last.empty() && last.front() >= '0' && last.front() <= '9') version = last;
  return version;
}

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

std::vector<std::string> smpirun_words(const MpiRun& run, const fs::path& files) {
  const auto in = [&](const char* name) { return (files / name).string(); };
  std::vector<std::string> words = {
      "smpirun", "-quiet", "-wrapper", "env LD_PRELOAD=" + in(kNotesLibrary) + " NOWSIM_MPI_NOTES=" + in("notes.txt"),
      "-np", std::to_string(run.ranks), "-platform", in("platform.xml"), "-hostfile", in("hosts"), "-trace-ti",
      "-trace-file", in("trace.txt"), "--cfg=smpi/host-speed:" + number_text(run.host_speed_flops) + "f",
      std::string("--cfg=smpi/simulate-computation:") + (run.is_explicit ? "no" : "yes"),
      "--cfg=smpi/cpu-threshold:0",  // what is short counts too
      "--cfg=smpi/privatization:dlopen", "--cfg=smpi/trace-call-location:yes", "--log=xbt_cfg.thresh:warning",
      "--cfg=tracing/smpi/sleeping:yes", "--cfg=smpi/iprobe:0",  // tools/mpi_notes.c has probes sleep
      // As they are by default, since they say how often a program that tests finds nothing, and what send waits for.
      "--cfg=smpi/test:1e-4", "--cfg=smpi/wtime:1e-8", "--cfg=smpi/send-is-detached-thresh:65536",
      run.program.find('/') == run.program.npos ? "./" + run.program : run.program};
  words.insert(words.end(), run.arguments.begin(), run.arguments.end());
  return words;
}

std::string smpirun_command(const MpiRun& run) {
  MpiRun shown = run;
  shown.program = fs::path(run.program).filename().string();
  std::string command;
  for (const auto& word : smpirun_words(shown, "")) command += (command.empty() ? "" : " ") + shell_word(word);
  return command;
}

MpiRawRecording run_smpirun(const MpiRun& run, const ShowOutput& show) {
  const TemporaryFolder folder;
  const fs::path& files = folder.path();
  if (files.string().find_first_of(" \t*?[") != std::string::npos)
    throw RunError("smpirun cannot use " + files.string() + ": set TMPDIR to a folder without blanks in its path");
  write_file(files / "platform.xml", platform_xml(run.ranks, run.host_speed_flops));
  write_file(files / "hosts", hosts_text(run.ranks));
  fs::create_symlink(mpi_notes_library(), files / kNotesLibrary);  // whose own path may have blanks
  const ProgramEnd end = run_program(fs::current_path(), smpirun_words(run, files), kNoSmpirun, kHidden,
                                     ProgramInput::own);
  if (show && !end.said.empty()) show(end.said);
  if (end.status != 0) refuse_end(run, end);
  const fs::path notes = files / "notes.txt";
  return {traces_of(files / "trace.txt", run), fs::exists(notes) ? read_user_file(notes.string(), kMostDataBytes) : ""};
}

}  // namespace nowsim

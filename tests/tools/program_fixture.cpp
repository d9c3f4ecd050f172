// Starting the program with its streams in files, which cannot fill up and block it.
#include "tests/tools/program_fixture.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <regex>
#include <sstream>
#include <thread>

#include "tests/cache_fixture.hpp"
#include "tests/paths.hpp"
#include "tests/skips.hpp"
#include "tools/line/command_line.hpp"

extern "C" [[gnu::weak]] int __lsan_do_recoverable_leak_check();  // where the sanitizers are

namespace nowsim::test {
namespace {

constexpr int kNotStarted = 98, kFaultOfMemory = 99;

void redirect(int stream, const std::string& where) {
  const int fd = open(where.c_str(), O_WRONLY | O_CREAT, 0600);
  if (fd < 0 || dup2(fd, stream) < 0) _exit(kNotStarted);
  close(fd);
}

/// What a program does when it ends, without the destructors of the test program's static objects.
[[noreturn]] void end_child(int status) {
  std::cout.flush();
  std::fflush(nullptr);
  if (__lsan_do_recoverable_leak_check != nullptr && __lsan_do_recoverable_leak_check() != 0) status = kFaultOfMemory;
  _exit(status);
}

/// What command_line() does not catch ends the child as it would end the program, by std::terminate().
[[noreturn]] void become(const std::vector<char*>& words, const std::string& folder, const Streams& streams,
                         bool in_child) noexcept {
  // A test program in the background has these ignored, and so would this one; others Catch2 has handlers of.
  for (const int signal : {SIGINT, SIGQUIT, SIGTERM}) std::signal(signal, SIG_DFL);
  if (!is_sanitized())  // whose handlers come after Catch2's
    for (const int signal : {SIGILL, SIGFPE, SIGSEGV, SIGABRT}) std::signal(signal, SIG_DFL);
  std::signal(SIGHUP, streams.nohup ? SIG_IGN : SIG_DFL);
  redirect(STDOUT_FILENO, streams.out);
  redirect(STDERR_FILENO, streams.error);
  setenv("LC_ALL", "C.UTF-8", 1);  // wherever tests are run; of other locales a terminal's tests tell
  if (!CacheFolder::is_there())  // not the user's; measured costs are there
    setenv("XDG_CACHE_HOME", (program_file() + "-cache").c_str(), 1);
  if (!streams.path.empty()) setenv("PATH", streams.path.c_str(), 1);
  if (!streams.temporary.empty()) setenv("TMPDIR", streams.temporary.c_str(), 1);
  if (!folder.empty() && chdir(folder.c_str()) != 0) _exit(kNotStarted);
  if (in_child) end_child(command_line(static_cast<int>(words.size()) - 1, words.data()));
  execv(words.front(), words.data());
  _exit(kNotStarted);
}

/// What the kernel tells of a process; what was read so far where the process ends meanwhile (a read then fails with
/// ESRCH, which `<<` takes for the end, where an iterator over the stream would throw).
std::string process_entry(pid_t pid, const std::string& name) {
  std::ostringstream text;
  if (const std::ifstream in("/proc/" + std::to_string(pid) + "/" + name, std::ios::binary); in) text << in.rdbuf();
  return text.str();
}

}  // namespace

std::vector<std::string> RunningProgram::of_program(const std::vector<std::string>& arguments) {
  std::vector<std::string> words{program_file()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return words;
}

RunningProgram::RunningProgram(std::vector<std::string> words, const std::string& folder, const Streams& streams,
                               bool in_child) {
  const Streams files{streams.out.empty() ? scratch_.path() + "/out" : streams.out,
                      streams.error.empty() ? scratch_.path() + "/error" : streams.error, streams.nohup, streams.path,
                      streams.temporary};
  std::vector<char*> pointers;
  for (auto& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  std::cout.flush();
  std::fflush(nullptr);  // the child has no copies of what was not written yet
  pid_ = fork();
  if (pid_ == 0) become(pointers, folder, files, in_child);
  REQUIRE(pid_ > 0);
}

RunningProgram::~RunningProgram() {
  if (pid_ <= 0) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

ProgramRun RunningProgram::finish() {
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), content_of(scratch_.path() + "/out"),
          content_of(scratch_.path() + "/error")};
}

ProgramRun run_program(const std::vector<std::string>& arguments, const std::string& folder, const Streams& streams) {
  return RunningProgram(RunningProgram::of_program(arguments), folder, streams,
                        streams.out.empty() && streams.error.empty() && !streams.nohup)
      .finish();
}

ProgramRun start_program(const std::vector<std::string>& arguments, const std::string& folder, const Streams& streams) {
  return RunningProgram(arguments, folder, streams).finish();
}

ProgramRun run_shell(const std::string& command, const std::string& folder) {
  const std::string bin = std::filesystem::path(program_file()).parent_path().string();
  const std::string set = "export PATH='" + bin + "':\"$PATH\" SOURCES='" + source_folder() + "'\n";
  return RunningProgram({"/bin/sh", "-c", set + command}, folder, {}, false).finish();
}

std::vector<pid_t> children_of(pid_t pid) {
  std::istringstream in(process_entry(pid, "task/" + std::to_string(pid) + "/children"));
  std::vector<pid_t> out;
  for (pid_t child; in >> child;) out.push_back(child);
  return out;
}

std::vector<pid_t> processes_about(const std::string& text) {
  std::vector<pid_t> out;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const auto pid = static_cast<pid_t>(std::stol(name));
    if (process_entry(pid, "cmdline").find(text) != std::string::npos && is_alive(pid)) out.push_back(pid);
  }
  return out;
}

bool comes_true(const std::function<bool()>& condition, std::chrono::milliseconds every) {
  using namespace std::chrono_literals;
  const auto end = std::chrono::steady_clock::now() + 1min;
  do {
    if (condition()) return true;
    std::this_thread::sleep_for(every);
  } while (std::chrono::steady_clock::now() < end);
  return condition();  // this process itself may have been held up
}

bool is_alive(pid_t pid) {
  const std::string status = process_entry(pid, "stat");
  const auto name_ends = status.rfind(')');
  return name_ends != std::string::npos && status.at(name_ends + 2) != 'Z' && status.at(name_ends + 2) != 'X';
}

bool is_unmoved_by(int signal, pid_t pid) {
  const std::string status = process_entry(pid, "status");
  const auto has = [&](const std::string& set) {
    const auto at = status.find("\n" + set + ":\t");
    if (at == std::string::npos) return false;
    return (std::stoull(status.substr(at + set.size() + 3, 16), nullptr, 16) >> (signal - 1) & 1) != 0;
  };
  return is_alive(pid) && (has("SigIgn") || (has("SigBlk") && has("ShdPnd")));
}

std::string without_progress(const std::string& error) {
  static const std::regex progress(
      "(finding (splits|sizes) by simulation: [^\n]*|[0-9]+/[0-9]+ points(, [^\n]* left)?)\n");
  return std::regex_replace(error, progress, "");
}

}  // namespace nowsim::test

// Runs nowsim's command line as a user would: arguments, a folder to stand in, its two streams and its exit status.
// Most cases call it in a child of the test program, in a millisecond; those start the program itself that are about
// signals, libraries that are preloaded, or the program's own file.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "tests/sim/scenario_fixture.hpp"

namespace nowsim::test {

struct ProgramRun {
  int status = -1;  ///< exit status; 128 + n where signal n ended it
  std::string out;
  std::string error;
};

/// How the program is started. Where a stream goes: a path, or "" for a file that is read back.
struct Streams {
  std::string out;
  std::string error;
  bool nohup = false;  ///< started with SIGHUP ignored, as by nohup
  std::string path;    ///< where it looks for programs, as PATH has it; "": as here
  std::string temporary;  ///< where its temporary files go, as TMPDIR has it; "": as here
};

/// The program itself at work. Started without a shell; ended with the object if it still runs.
class RunningProgram {
 public:
  /// `folder` is where it stands; "" for here.
  explicit RunningProgram(const std::vector<std::string>& arguments, const std::string& folder = "",
                          const Streams& streams = {})
      : RunningProgram(of_program(arguments), folder, streams, false) {}
  ~RunningProgram();
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;

  [[nodiscard]] pid_t pid() const { return pid_; }
  /// Waits for its end.
  ProgramRun finish();

 private:
  /// Of words with the program's name.
  RunningProgram(std::vector<std::string> words, const std::string& folder, const Streams& streams, bool in_child);
  static std::vector<std::string> of_program(const std::vector<std::string>& arguments);
  friend ProgramRun run_program(const std::vector<std::string>&, const std::string&, const Streams&);
  friend ProgramRun run_shell(const std::string&, const std::string&);

  Folder scratch_;
  pid_t pid_ = -1;
};

/// Calls the command line in a child, to its end. Sanitizers look for leaks there too. The child has what the test program
/// has: values kept in statics, open files, and SQLite's view of its locks, so nothing may be open here that it opens.
/// Where `streams` says where a stream goes, this is start_program().
ProgramRun run_program(const std::vector<std::string>& arguments, const std::string& folder = "", const Streams& streams = {});
/// Runs the program itself to its end.
ProgramRun start_program(const std::vector<std::string>& arguments, const std::string& folder = "",
                         const Streams& streams = {});
/// Has a shell do something in a folder. It finds the program itself as nowsim, and the sources in $SOURCES.
ProgramRun run_shell(const std::string& command, const std::string& folder);

/// Processes that a process has started and that have not ended.
std::vector<pid_t> children_of(pid_t pid);
/// Processes whose command line contains this text, such as a folder's name, and that have not ended.
std::vector<pid_t> processes_about(const std::string& text);
/// Waits until a condition holds, looking so often; false if that takes a minute, which only a broken program does.
bool comes_true(const std::function<bool()>& condition,
                std::chrono::milliseconds every = std::chrono::milliseconds(10));
/// Whether a process is still at work: it is there, and no zombie.
bool is_alive(pid_t pid);
/// Whether a signal has reached a process and does nothing to it: blocked, it waits there for good, or it is ignored.
bool is_unmoved_by(int signal, pid_t pid);
/// What a program said on its error stream but for lines of progress, which come only where the machine is slow.
std::string without_progress(const std::string& error);

}  // namespace nowsim::test

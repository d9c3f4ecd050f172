// Bubblewrap's words: of the system's files only programs and libraries are seen, and nothing but /tmp can be written.
#include "experiments/driver/labs/confinement.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "experiments/driver/labs/scratch_folder.hpp"
#include "experiments/driver/text/run_program.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/platform/worker_process.hpp"

namespace nowsim {
namespace {

/// Programs and libraries, as far as they are there.
constexpr std::array kReadable{"/usr", "/bin", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/alternatives"};
constexpr std::array kDevices{"/dev/null", "/dev/urandom"};

/// Bubblewrap is tried within the scratch folder's namespaces, as code is run: each alone may work where both do not.
std::string why_not_confined(const CodeLimits& limits) {
  const ScratchFolder scratch(limits);
  std::vector<std::string> words = confining_words(limits, -1);
  words.emplace_back("true");
  const std::string missing = "there is no " + limits.bwrap + " here (on Debian: apt-get install bubblewrap)";
  try {
    return in_child_process([&] {
      const std::string why = scratch.mount() ? "" : std::strerror(errno);
      const ProgramEnd end = run_program("/", words, missing, {});
      if (end.status != 0) return limits.bwrap + " " + ending_of(end.status) + ": " + std::string(trimmed(end.said));
      return why.empty() ? "" : "it cannot have a scratch folder of bounded size: " + why;
    });
  } catch (const RunError& e) {
    return e.what();
  }
}

}  // namespace

std::string Confinement::text() const {
  if (is_confined())
    return "Students' Python code was confined by bubblewrap: no network, no files but a scratch folder of its own, "
           "and limits of time and memory.";
  return "Students' Python code could not be confined (" + why_not +
         "): it ran with limits of time and memory alone, and could read and write whatever you can.";
}

Confinement confinement(const CodeLimits& limits) { return {why_not_confined(limits)}; }

std::string python_program() {
  for (const char* program : {"/usr/bin/python3", "/usr/local/bin/python3"})
    if (access(program, X_OK) == 0) return program;
  return "";
}

/// Without --new-session: there is no terminal within that it could type on, and each answer would take twice as
/// long, since the kernel shares the processor out among sessions.
std::vector<std::string> confining_words(const CodeLimits& limits, int filter_fd) {
  std::vector<std::string> words{limits.bwrap, "--unshare-all", "--die-with-parent", "--cap-drop", "ALL"};
  const auto add = [&words](std::initializer_list<std::string> more) { words.insert(words.end(), more); };
  for (const char* path : kReadable) add({"--ro-bind-try", path, path});
  for (const char* path : kDevices) add({"--dev-bind", path, path});
  add({"--bind", "/tmp", "/tmp", "--remount-ro", "/", "--chdir", "/tmp"});
  if (filter_fd >= 0) add({"--seccomp", std::to_string(filter_fd)});
  add({"--"});
  return words;
}

}  // namespace nowsim

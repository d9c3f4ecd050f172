// All is prepared before the fork; behind it there are calls of the system alone.
#include "experiments/driver/labs/start_code.hpp"

#include <fcntl.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

#include "experiments/driver/labs/allowed_calls.hpp"
#include "experiments/driver/labs/confined_script.hpp"
#include "experiments/driver/labs/scratch_folder.hpp"
#include "sim/base/error.hpp"
#include "sim/platform/worker_process.hpp"
#include "workloads/farm/technique_variables.hpp"

namespace nowsim {
namespace {

/// The child's: kConfinedScript knows them.
enum Descriptor { kInput, kOutput, kErrors, kChannel, kSource, kFilter, kDescriptors };

/// All that it sees of the environment. Hashes are the same each time, and so is the order of sets.
constexpr std::array kEnvironment{"PATH=/usr/bin:/bin", "HOME=/tmp", "LC_ALL=C.UTF-8", "PYTHONHASHSEED=0",
                                  "PYTHONSAFEPATH=1", "PYTHONUTF8=1", "OPENBLAS_NUM_THREADS=1", "OMP_NUM_THREADS=1"};

/// What a call of the system gave. @throws RunError where that is none.
FileHandle had(int descriptor) {
  if (descriptor < 0) throw RunError(std::string("a descriptor cannot be had: ") + std::strerror(errno));
  return FileHandle(descriptor);
}

/// A file without a name, to be written.
FileHandle memory_file(const char* name) { return had(memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING)); }

/// One that stays as it is, with these bytes, to be read from its beginning.
FileHandle memory_file(const char* name, std::string_view bytes) {
  FileHandle file = memory_file(name);
  if (pwrite(file.get(), bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()) ||
      fcntl(file.get(), F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK) != 0)
    throw RunError(std::string("no file in memory for a student's code: ") + std::strerror(errno));
  return file;
}

std::string_view bytes_of_filter(const std::vector<sock_filter>& filter) {
  return {reinterpret_cast<const char*>(filter.data()), filter.size() * sizeof(sock_filter)};
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> words_of_program(const std::string& name, const CodeLimits& limits, bool is_confined,
                                          bool has_filter) {
  if (python_program().empty())
    throw RunError("there is no Python here to run " + name + " with (on Debian: apt-get install python3)");
  std::vector<std::string> words;
  if (is_confined) words = confining_words(limits, has_filter ? int{kFilter} : -1);
  for (const std::string& word : {python_program(), std::string("-s"), std::string("-B"), std::string("-c"),
                                  std::string(kConfinedScript), name})
    words.push_back(word);
  for (const TechniqueVariable& variable : technique_variables())
    words.push_back(std::string(variable.name) + (variable.is_count() ? ":q" : ":d"));
  return words;
}

/// All that is prepared before the fork: behind it nothing is allocated.
struct Start {
  std::vector<std::string> words, environment{kEnvironment.begin(), kEnvironment.end()};
  std::vector<char*> arguments = pointers_to(words), variables = pointers_to(environment);
  std::optional<ScratchFolder> scratch;
  std::vector<sock_filter> own_filter;  ///< that it sets itself
  std::array<int, kDescriptors> descriptors;
  rlim_t cpu_s, memory, file;
};

bool is_limited(const Start& start) {
  const auto limit = [](auto what, rlim_t most) {
    const rlimit both{most, most};
    return setrlimit(what, &both) == 0;
  };
  return limit(RLIMIT_CPU, start.cpu_s) && limit(RLIMIT_AS, start.memory) && limit(RLIMIT_FSIZE, start.file) &&
         limit(RLIMIT_CORE, 0) && limit(RLIMIT_NOFILE, 64);
}

bool is_filtered(const std::vector<sock_filter>& filter) {
  if (filter.empty()) return true;
  const sock_fprog program{static_cast<unsigned short>(filter.size()), const_cast<sock_filter*>(filter.data())};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/// Its descriptors take their places, and all others are closed: none of nowsim's files is left to write to.
bool has_descriptors(std::array<int, kDescriptors> fds) {
  for (int& fd : fds) fd = fcntl(fd, F_DUPFD, int{kDescriptors});
  for (int place = 0; place < kDescriptors; ++place)
    if (dup2(fds[static_cast<std::size_t>(place)], place) < 0) return false;
  return close_range(kDescriptors, ~0U, 0) == 0;
}

[[noreturn]] void become(const Start& start, pid_t parent) {
  become_child_of(parent);
  if (has_descriptors(start.descriptors) && (!start.scratch || start.scratch->mount()) && chdir("/tmp") == 0 &&
      is_limited(start) && is_filtered(start.own_filter))
    execvpe(start.arguments[0], start.arguments.data(), start.variables.data());
  _exit(127);
}

}  // namespace

StartedCode start_code(const std::string& name, const std::string& source, const CodeLimits& limits, bool is_confined) {
  const std::vector<sock_filter> filter = allowed_calls();
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    throw RunError(std::string("no channel to a student's code: ") + std::strerror(errno));
  FileHandle own(ends[0]);
  const FileHandle channel(ends[1]);
  FileHandle log = memory_file("log");
  const FileHandle file = memory_file("source", source), nothing = had(open("/dev/null", O_CLOEXEC)),
                   calls = memory_file("calls", bytes_of_filter(filter));
  const Start start{.words = words_of_program(name, limits, is_confined, !filter.empty()),
                    .scratch = is_confined ? std::optional<ScratchFolder>(limits) : std::nullopt,
                    .own_filter = is_confined ? std::vector<sock_filter>{} : filter,
                    .descriptors = {nothing.get(), log.get(), log.get(), channel.get(), file.get(), calls.get()},
                    .cpu_s = static_cast<rlim_t>(std::ceil(limits.total_s + limits.start_s)),
                    .memory = static_cast<rlim_t>(limits.memory_mib) << 20,
                    .file = static_cast<rlim_t>(limits.files_mib) << 20};
  const pid_t parent = getpid(), pid = fork();
  if (pid == 0) become(start, parent);
  if (pid < 0) throw RunError(std::string("no process for a student's code: ") + std::strerror(errno));
  return {pid, std::move(own), std::move(log)};
}

}  // namespace nowsim

// Its descriptors, its limits, and the way from fork to exec.
#include "experiments/driver/labs/confined_process.hpp"

#include <fcntl.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <sstream>
#include <utility>
#include <vector>

#include "experiments/driver/labs/confined_script.hpp"
#include "experiments/driver/labs/refused_calls.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/base/utf8.hpp"
#include "sim/platform/child_process.hpp"
#include "workloads/farm/technique_variables.hpp"

namespace nowsim {
namespace {

/// The child's: kConfinedScript knows them.
enum Descriptor { kInput, kOutput, kErrors, kChannel, kSource, kFilter, kDescriptors };

/// So often an answer is looked for before waiting for it, as waking takes longer than most answers do.
constexpr int kLooks = 100;

/// All that it sees of the environment. Hashes are the same each time, and so is the order of sets.
constexpr std::array kEnvironment{"PATH=/usr/bin:/bin", "HOME=/tmp", "LC_ALL=C.UTF-8", "PYTHONHASHSEED=0",
                                  "PYTHONSAFEPATH=1", "PYTHONUTF8=1", "OPENBLAS_NUM_THREADS=1", "OMP_NUM_THREADS=1"};

class OwnDescriptor {
 public:
  explicit OwnDescriptor(int fd) : fd_(fd) {
    if (fd < 0) throw RunError(std::string("no descriptor for a student's code: ") + std::strerror(errno));
  }
  ~OwnDescriptor() {
    if (fd_ >= 0) close(fd_);
  }
  OwnDescriptor(OwnDescriptor&& other) noexcept : fd_(other.release()) {}
  OwnDescriptor& operator=(OwnDescriptor&&) = delete;
  [[nodiscard]] int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

/// A file without a name, with these bytes, to be read from its beginning.
OwnDescriptor memory_file(const char* name, std::string_view bytes) {
  OwnDescriptor file(memfd_create(name, MFD_CLOEXEC));
  if (pwrite(file.get(), bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw RunError(std::string("no file in memory for a student's code: ") + std::strerror(errno));
  return file;
}

std::string_view bytes_of(const std::vector<sock_filter>& filter) {
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
  if (has_descriptors(start.descriptors) && chdir("/tmp") == 0 && is_limited(start) && is_filtered(start.own_filter))
    execvpe(start.arguments[0], start.arguments.data(), start.variables.data());
  _exit(127);
}

}  // namespace

ConfinedProcess::ConfinedProcess(const std::string& name, const std::string& source, const CodeLimits& limits,
                                 bool is_confined)
    : limits_(limits), parent_(getpid()) {
  const std::vector<sock_filter> filter = refused_calls();
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    throw RunError(std::string("no channel to a student's code: ") + std::strerror(errno));
  OwnDescriptor own(ends[0]);
  const OwnDescriptor channel(ends[1]), file = memory_file("source", source), calls = memory_file("calls", bytes_of(filter)),
                      nothing(open("/dev/null", O_RDONLY | O_CLOEXEC));
  OwnDescriptor log = memory_file("log", "");
  Start start{.words = words_of_program(name, limits, is_confined, !filter.empty()),
              .own_filter = is_confined ? std::vector<sock_filter>{} : filter,
              .descriptors = {nothing.get(), log.get(), log.get(), channel.get(), file.get(), calls.get()},
              .cpu_s = static_cast<rlim_t>(std::ceil(limits.total_s + limits.start_s)),
              .memory = static_cast<rlim_t>(limits.memory_mib) << 20,
              .file = static_cast<rlim_t>(limits.files_mib) << 20};
  pid_ = fork();
  if (pid_ == 0) become(start, parent_);
  if (pid_ < 0) throw RunError(std::string("no process for a student's code: ") + std::strerror(errno));
  channel_ = own.release();
  log_ = log.release();
}

ConfinedProcess::~ConfinedProcess() {
  close(channel_);
  close(log_);
  if (!is_own() || pid_ < 0) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

bool ConfinedProcess::is_own() const { return parent_ == getpid(); }

void ConfinedProcess::send(std::string_view message) const {  // whoever is gone is noticed when no answer comes
  while (::send(channel_, message.data(), message.size(), MSG_NOSIGNAL) < 0 && errno == EINTR) {
  }
}

/// @return whether something came: a message, or the end
bool ConfinedProcess::take(int flags) {
  const ssize_t got = recv(channel_, message_.data(), message_.size(), flags);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return false;
  size_ = static_cast<std::size_t>(std::max<ssize_t>(got, 0));
  is_over_ = size_ == 0;
  return true;
}

std::string_view ConfinedProcess::receive(double limit_s) {
  for (int look = 0; look < kLooks; ++look) {
    if (take(MSG_DONTWAIT)) return {message_.data(), size_};
    sched_yield();
  }
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  for (double left_s = limit_s; left_s > 0;
       left_s = limit_s - std::chrono::duration<double>(Clock::now() - start).count()) {
    pollfd fd{channel_, POLLIN, 0};
    if (poll(&fd, 1, static_cast<int>(1000 * left_s) + 1) > 0 && take(MSG_DONTWAIT)) return {message_.data(), size_};
  }
  return {};
}

std::string ConfinedProcess::ending() {
  constexpr int kPatience_ms = 500;
  int status = 0;
  pid_t ended = 0;
  for (int ms = 0; ms < kPatience_ms && ended == 0; ++ms) {
    ended = waitpid(pid_, &status, WNOHANG);
    if (ended == 0) poll(nullptr, 0, 1);
  }
  if (ended == 0) return "closed the channel by which it answers";
  pid_ = -1;
  constexpr int kSignals = 128;  // as bubblewrap tells them
  const int code = WIFSIGNALED(status) ? kSignals + WTERMSIG(status) : WEXITSTATUS(status);
  if (code == kSignals + SIGXCPU)
    return "used more than " + short_number(std::ceil(limits_.total_s + limits_.start_s)) + " s of processor time";
  if (code == kSignals + SIGKILL) return "was killed, as the system does where memory ends";
  if (code > kSignals) return std::string("was ended by a signal: ") + strsignal(code - kSignals);
  return "ended its process with status " + std::to_string(code);
}

std::string ConfinedProcess::printed() const {
  constexpr off_t kMost = 500;
  struct stat log{};
  fstat(log_, &log);
  std::string last(static_cast<std::size_t>(std::clamp<off_t>(log.st_size, 0, kMost)), '\0');
  const ssize_t got = pread(log_, last.data(), last.size(), log.st_size - static_cast<off_t>(last.size()));
  last.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  std::istringstream lines(last);
  std::string shown;
  for (std::string line; std::getline(lines, line);)
    if (!trimmed(line).empty()) shown += (shown.empty() ? "" : " | ") + shown_line(trimmed(line));
  return shown;
}

}  // namespace nowsim

// The process, by bubblewrap and the kernel's filter of calls; messages to it and back, what it does wrong, its end.
#include "experiments/driver/labs/confined_technique.hpp"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <any>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <map>
#include <memory>
#include <sstream>
#include <utility>

#include "experiments/driver/labs/problem.hpp"
#include "experiments/driver/text/run_program.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/error.hpp"
#include "sim/base/plain_file.hpp"
#include "sim/base/serialization.hpp"
#include "sim/base/text.hpp"
#include "sim/base/user_file.hpp"
#include "sim/base/utf8.hpp"
#include "sim/platform/worker_process.hpp"

namespace nowsim {
namespace {

// ---- files in memory -----------------------------------------------------------------------------------------------

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

// ---- the scratch folder --------------------------------------------------------------------------------------------

bool has_written(const char* file, const std::string& text) {
  const FileHandle opened(open(file, O_WRONLY | O_CLOEXEC));
  return opened.is_open() && write(opened.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

std::string itself(unsigned id) { return std::to_string(id) + " " + std::to_string(id) + " 1\n"; }

/// A file system in memory, of bounded bytes and files, mounted in namespaces of the process's own, which need no
/// rights of the machine. Bubblewrap has one of its own, but bounds its bytes alone: empty files would fill the memory.
class ScratchFolder {
 public:
  explicit ScratchFolder(const CodeLimits& limits)
      : options_("mode=0700,size=" + std::to_string(limits.files_mib) +
                 "m,nr_inodes=" + std::to_string(limits.most_files)),
        user_(itself(geteuid())), group_(itself(getegid())) {}

  /// Puts it in the place of /tmp, for this process and for what it becomes or starts. Allocates nothing: for a child
  /// that was forked. False where the system does not let it; errno says why.
  [[nodiscard]] bool mount() const {
    const bool has_namespace =
        unshare(CLONE_NEWNS) == 0 ||  // where it is the machine's own user that may
        (unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0 && has_written("/proc/self/setgroups", "deny") &&
         has_written("/proc/self/uid_map", user_) && has_written("/proc/self/gid_map", group_));
    return has_namespace && ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
           ::mount("tmpfs", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, options_.c_str()) == 0;
  }

 private:
  std::string options_, user_, group_;
};

// ---- calls of the system -------------------------------------------------------------------------------------------

/// As far as the processor has them: what x86-64 has in two forms ARM64 has in one.
constexpr const char* kAllowed[] = {
    // its memory, which RLIMIT_AS counts
    "brk", "mmap", "mremap", "munmap", "mprotect", "madvise", "msync",
    // files: what is in them
    "open", "creat", "openat", "close", "close_range", "read", "write", "readv", "writev", "pread64", "pwrite64",
    "preadv", "pwritev", "preadv2", "pwritev2", "lseek", "ftruncate", "truncate", "fallocate", "fsync", "fdatasync",
    "fadvise64", "flock", "sendfile", "copy_file_range", "dup", "dup2", "dup3",
    // files: which there are
    "stat", "lstat", "fstat", "newfstatat", "statx", "statfs", "fstatfs", "access", "faccessat", "faccessat2",
    "readlink", "readlinkat", "getdents", "getdents64", "getcwd", "chdir", "fchdir", "mkdir", "mkdirat", "rmdir",
    "unlink", "unlinkat", "rename", "renameat", "renameat2", "link", "linkat", "symlink", "symlinkat", "chmod",
    "fchmod", "fchmodat", "umask", "utime", "utimes", "futimesat", "utimensat", "getxattr", "lgetxattr", "fgetxattr",
    "listxattr", "llistxattr", "flistxattr",
    // time, waiting, and signals to itself
    "time", "clock_gettime", "clock_getres", "clock_nanosleep", "nanosleep", "gettimeofday", "times", "alarm",
    "getitimer", "setitimer", "poll", "ppoll", "select", "pselect6", "pause", "futex", "sched_yield", "restart_syscall",
    "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "rt_sigpending", "rt_sigsuspend", "rt_sigtimedwait",
    "sigaltstack",
    // who and where it is
    "getpid", "getppid", "gettid", "getpgid", "getpgrp", "getsid", "getuid", "geteuid", "getgid", "getegid",
    "getresuid", "getresgid", "getgroups", "getrlimit", "getrusage", "getpriority", "sched_getaffinity", "getcpu",
    "sysinfo", "uname", "getrandom",
    // how a program begins and ends, also bubblewrap's, which waits for it
    "execve", "exit", "exit_group", "arch_prctl", "set_tid_address", "set_robust_list", "rseq", "wait4", "waitid"};

/// Calls that are allowed where one of their arguments is one of these.
struct AllowedCommands {
  int call;
  unsigned argument;
  std::initializer_list<std::uint32_t> commands;
};
const AllowedCommands kAllowedCommands[] = {
    // neither signals that are sent by what is opened, nor larger pipes, nor locks, of which there is no bound
    {SCMP_SYS(fcntl), 1, {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL}},
    {SCMP_SYS(ioctl), 1, {FIOCLEX, FIONCLEX, FIONBIO, FIONREAD, TCGETS, TIOCGWINSZ}},
    {SCMP_SYS(prctl), 0, {PR_SET_NAME, PR_GET_NAME}},
};

/// The last call of Linux 6.1, and one that no kernel has yet.
constexpr int kNewest = 450, kNone = 600;

/// A program that allows what Python needs for computing, for files and for its own time, and answers "not permitted"
/// to every other call, or "no such call" where that is newer than this list: libraries then take an older one. So
/// nothing starts processes or threads, opens sockets, reaches other processes, types on a terminal, or holds memory
/// that no limit counts. Empty on processors whose calls are not known here.
std::vector<sock_filter> allowed_calls() {
  if (const auto native = seccomp_arch_native(); native != SCMP_ARCH_X86_64 && native != SCMP_ARCH_AARCH64) return {};
  const std::unique_ptr<void, decltype(&seccomp_release)> filter(seccomp_init(SCMP_ACT_ERRNO(EPERM)), seccomp_release);
  const FileHandle file = memory_file("calls");
  bool is_made = filter != nullptr;
  const auto add = [&](std::uint32_t answer, int call, std::initializer_list<scmp_arg_cmp> where) {
    const auto conditions = static_cast<unsigned>(where.size());
    is_made = is_made && seccomp_rule_add_array(filter.get(), answer, call, conditions, where.begin()) == 0;
  };
  for (const char* name : kAllowed)
    if (const int call = seccomp_syscall_resolve_name(name); call >= 0) add(SCMP_ACT_ALLOW, call, {});
  for (const auto& [call, argument, commands] : kAllowedCommands)
    for (const std::uint32_t command : commands)  // of 32 bits for the kernel, whatever the rest of a register holds
      add(SCMP_ACT_ALLOW, call, {{argument, SCMP_CMP_MASKED_EQ, UINT32_MAX, command}});
  add(SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), {{2, SCMP_CMP_EQ, 0, 0}});  // limits are told, and not set
  for (int call = kNewest + 1; call < kNone; ++call) add(SCMP_ACT_ERRNO(ENOSYS), call, {});
  // Programs of another kind (of 32 bits, x32) have other numbers for the same calls. A tree is fast to look through.
  is_made = is_made && seccomp_attr_set(filter.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ERRNO(EPERM)) == 0 &&
            seccomp_attr_set(filter.get(), SCMP_FLTATR_CTL_OPTIMIZE, 2) == 0 &&
            seccomp_export_bpf(filter.get(), file.get()) == 0;
  std::vector<sock_filter> lines(static_cast<std::size_t>(lseek(file.get(), 0, SEEK_CUR)) / sizeof(sock_filter));
  const std::size_t size = lines.size() * sizeof(sock_filter);
  if (!is_made || size == 0 || pread(file.get(), lines.data(), size, 0) != static_cast<ssize_t>(size))
    throw RunError("no filter of the system's calls for a student's code");
  return lines;
}

// ---- bubblewrap's words --------------------------------------------------------------------------------------------

/// Programs and libraries, as far as they are there: all that is seen of the system's files.
constexpr std::array kReadable{"/usr", "/bin", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/alternatives"};
constexpr std::array kDevices{"/dev/null", "/dev/urandom"};

/// The words that start a program within bubblewrap, which gets these behind them, where /tmp is a ScratchFolder: it
/// may write there and nowhere else. Its filter of calls is read from a descriptor; -1: there is none. Without
/// --new-session: there is no terminal within that it could type on, and each answer would take twice as long, since
/// the kernel shares the processor out among sessions.
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

// ---- its start -----------------------------------------------------------------------------------------------------

/// The child's: helpers know them.
enum Descriptor { kInput, kOutput, kErrors, kChannel, kSource, kFilter, kDescriptors };

/// All that it sees of the environment. Hashes are the same each time, and so is the order of sets.
constexpr std::array kEnvironment{"PATH=/usr/bin:/bin", "HOME=/tmp", "LC_ALL=C.UTF-8", "PYTHONHASHSEED=0",
                                  "PYTHONSAFEPATH=1", "PYTHONUTF8=1", "OPENBLAS_NUM_THREADS=1", "OMP_NUM_THREADS=1"};

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> words_of_program(const std::string& helper, const std::string& name, const CodeLimits& limits,
                                          bool is_confined, bool has_filter) {
  if (python_program().empty())
    throw RunError("there is no Python here to run " + name + " with (on Debian: apt-get install python3)");
  std::vector<std::string> words;
  if (is_confined) words = confining_words(limits, has_filter ? int{kFilter} : -1);
  words.push_back(python_program());
  for (const std::string& word : {std::string("-s"), std::string("-B"), std::string("-c"), helper, name})
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

/// A process that has begun to run a helper with a student's code.
struct StartedCode {
  pid_t pid;
  FileHandle channel;  ///< a socket that keeps messages apart
  FileHandle log;      ///< a file in memory of what it prints
};

/// Starts the Python program `helper`, a text, for a file of this name and text: within bubblewrap, or with limits and
/// the kernel's filter of calls alone. @throws RunError
StartedCode start_code(const std::string& helper, const std::string& name, const std::string& source,
                       const CodeLimits& limits, bool is_confined) {
  const std::vector<sock_filter> filter = allowed_calls();
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    throw RunError(std::string("no channel to a student's code: ") + std::strerror(errno));
  FileHandle own(ends[0]);
  const FileHandle channel(ends[1]);
  FileHandle log = memory_file("log");
  const FileHandle file = memory_file("source", source), nothing = had(open("/dev/null", O_CLOEXEC)),
                   calls = memory_file("calls", {reinterpret_cast<const char*>(filter.data()),
                                                 filter.size() * sizeof(sock_filter)});
  const Start start{.words = words_of_program(helper, name, limits, is_confined, !filter.empty()),
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

// ---- messages ------------------------------------------------------------------------------------------------------

/// Bytes of a sentence, and of a line of a description.
constexpr std::size_t kMostSaid = 1000;

std::vector<std::string> words_on(const std::string& line) {
  std::istringstream in(line);
  return {std::istream_iterator<std::string>(in), {}};
}

/// Of two lines. @throws InputError.
ConfinedRule described_rule(const std::string& by, const std::string& variables) {
  ConfinedRule rule{told_failure(by), variables_by_name(words_on(variables))};
  if (rule.by.empty()) throw InputError("a rule without a name");
  return rule;
}

/// A line: its name, what it is, and its value. @throws InputError where that makes no sense.
void add_parameter(const std::string& line, ConfinedDescription& found) {
  static const std::map<std::string, Dimension> dimensions{{"number", Dimension::number},
                                                           {"count", Dimension::count},
                                                           {"time", Dimension::time},
                                                           {"work", Dimension::work},
                                                           {"bytes", Dimension::bytes}};
  std::istringstream in(line);
  std::string name, kind, value;
  std::getline(in >> name >> kind >> std::ws, value);
  const auto dimension = dimensions.find(kind);
  if (dimension == dimensions.end()) throw InputError("no such kind");
  try {
    found.parameters.push_back(parse_quantity(value, dimension->second));
  } catch (const InputError& e) {
    if (found.fault.empty()) found.fault = told_failure(found.chunk.by + ": its parameter " + name + ": " + e.what());
  }
}

// ---- its process ---------------------------------------------------------------------------------------------------

/// It is ended with the object, or with the process that made it.
class ConfinedProcess {
 public:
  ConfinedProcess(StartedCode started, const CodeLimits& limits)
      : most_cpu_s_(std::ceil(limits.total_s + limits.start_s)), parent_(getpid()), pid_(started.pid),
        channel_(std::move(started.channel)), log_(std::move(started.log)) {}
  ~ConfinedProcess() {
    if (!is_own() || pid_ < 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  ConfinedProcess(const ConfinedProcess&) = delete;
  ConfinedProcess& operator=(const ConfinedProcess&) = delete;

  /// Whether this process made it, and not one from which it was forked.
  [[nodiscard]] bool is_own() const { return parent_ == getpid(); }
  /// Whoever is gone, or reads nothing that is sent, is noticed when no answer comes.
  void send(std::string_view message) const {
    while (::send(channel_.get(), message.data(), message.size(), MSG_NOSIGNAL | MSG_DONTWAIT) < 0 && errno == EINTR) {
    }
  }
  /// The next message, as long as no other one is taken; empty where none came in time, or none will come (is_over()).
  /// One that is longer than kMostMessage is of no kind.
  std::string_view receive(double limit_s) {
    constexpr int kLooks = 100;  // before waiting for an answer, as waking takes longer than most answers do
    for (int look = 0; look < kLooks; ++look) {
      if (take()) return {message_.data(), size_};
      sched_yield();
    }
    const auto start = std::chrono::steady_clock::now();
    for (double left_s = limit_s; left_s > 0;
         left_s = limit_s - std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()) {
      pollfd fd{channel_.get(), POLLIN, 0};
      if (poll(&fd, 1, static_cast<int>(1000 * left_s) + 1) > 0 && take()) return {message_.data(), size_};
    }
    return {};
  }
  [[nodiscard]] bool is_over() const { return is_over_; }
  /// How it came to its end, for a sentence: "was ended ...".
  std::string ending() {
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
    if (code == kSignals + SIGXCPU) return "used more than " + short_number(most_cpu_s_) + " s of processor time";
    if (code == kSignals + SIGKILL) return "was killed, as the system does where memory ends";
    if (code > kSignals) return std::string("was ended by a signal: ") + strsignal(code - kSignals);
    return "ended its process with status " + std::to_string(code);
  }
  /// The last lines of what it printed, on one line; "" without any.
  [[nodiscard]] std::string printed() const {
    constexpr off_t kMost = 500;
    struct stat log{};
    fstat(log_.get(), &log);
    std::string last(static_cast<std::size_t>(std::clamp<off_t>(log.st_size, 0, kMost)), '\0');
    const ssize_t got = pread(log_.get(), last.data(), last.size(), log.st_size - static_cast<off_t>(last.size()));
    last.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    std::istringstream lines(last);
    std::string shown;
    for (std::string line; std::getline(lines, line);)
      if (!trimmed(line).empty()) shown += (shown.empty() ? "" : " | ") + shown_line(trimmed(line));
    return shown;
  }

 private:
  /// @return whether something came: a message, or the end
  bool take() {
    const ssize_t got = recv(channel_.get(), message_.data(), message_.size(), MSG_DONTWAIT | MSG_TRUNC);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return false;
    size_ = static_cast<std::size_t>(std::max<ssize_t>(got, 0));
    is_over_ = size_ == 0;
    if (size_ > message_.size()) {  // of which only the beginning is here
      message_.front() = '\0';
      size_ = 1;
    }
    return true;
  }

  double most_cpu_s_;
  pid_t parent_, pid_;
  FileHandle channel_, log_;
  bool is_over_ = false;
  std::size_t size_ = 0;
  std::array<char, kMostMessage> message_;
};

// ---- who is asked, and what is said of it --------------------------------------------------------------------------

constexpr const char* kNoSense = "answers what makes no sense";

/// Bytes of a file of code.
constexpr std::size_t kMostCode = 1 << 18;

/// Nobody else's device or pipe is waited for, and no other file's text is told in sentences.
std::string code_in(const std::string& file, const std::string& name) {
  const FileHandle opened = open_plain_file(file);
  const auto text = opened.is_open() ? read_up_to(opened, kMostCode + 1) : std::nullopt;
  if (!text) throw RunError("there is no file " + quoted(name) + " here that can be read");
  if (text->size() > kMostCode) throw RunError(name + " is larger than " + std::to_string(kMostCode >> 10) + " KiB");
  return *text;
}

/// In memory that this process has in common with those that are forked from it.
std::shared_ptr<std::atomic<std::int64_t>> shared_counter() {
  using Counter = std::atomic<std::int64_t>;
  void* const memory = mmap(nullptr, sizeof(Counter), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw RunError("memory ended");
  return {new (memory) Counter(0), [](Counter* counter) { munmap(counter, sizeof(Counter)); }};
}

class ConfinedCode {
 public:
  /// Reads the file and has it run once. @throws RunError: it cannot be read, defines not exactly one technique, fails,
  /// or cannot be confined and must be.
  ConfinedCode(const std::string& file, const std::string& helper, const CodeLimits& limits)
      : name_(shown_line(std::filesystem::path(file).filename().string())), source_(code_in(file, name_)),
        helper_(read_user_file(helper, kMostCode)), limits_(limits), confinement_(nowsim::confinement(limits)),
        spent_ns_(shared_counter()) {
    if (limits.must_be_confined && !confinement_.is_confined())
      throw RunError(name_ + " is not run, since it cannot be confined: " + confinement_.why_not);
    process();
  }

  [[nodiscard]] const Confinement& confinement() const { return confinement_; }
  [[nodiscard]] const ConfinedDescription& described() const { return described_; }
  /// Of the file's bytes.
  [[nodiscard]] std::string identity() const { return "python:" + signature_of({name_, source_}); }

  /// What the function gives, as a number of tasks. The first time for a loop the file has been run anew, so that
  /// nothing is left of other replications. @throws RunError
  std::int64_t tasks(bool is_batch, LoopState& state, std::size_t worker) {
    const ConfinedRule& rule = is_batch ? *described_.batch : described_.chunk;
    ConfinedProcess& with = process();
    const bool is_new = !state.memory.has_value();
    if (is_new) state.memory = new_loop();
    const ConfinedRequest request{is_new, is_batch,
                                  *std::any_cast<const std::shared_ptr<const std::int64_t>&>(state.memory)};
    const Asker asker{rule.by, [&] {
                        const std::string values = values_text(rule.variables, state, worker);
                        return values.empty() ? values : ", with " + values;
                      }};
    const std::string message = request_message(request, state, worker, described_.parameters);
    const auto given = answered_number(exchange(with, message, MessageKind::number, limits_.answer_s, asker));
    if (!given) fail(with, asker, kNoSense);
    return whole_tasks(*given, rule.by, rule.variables, state, worker);
  }

 private:
  /// What sentences begin and go on with.
  struct Asker {
    std::string by;
    std::function<std::string()> state;
  };

  /// Takes a number for a loop, as long as it is there.
  std::shared_ptr<const std::int64_t> new_loop() {
    const auto ended = std::ranges::find_if(loops_, [](const auto& loop) { return loop.expired(); });
    const auto number = std::make_shared<const std::int64_t>(ended - loops_.begin());
    if (ended == loops_.end())
      loops_.emplace_back(number);
    else
      *ended = number;
    return number;
  }
  /// A process of this process's own, that has read the file.
  ConfinedProcess& process() {
    if (process_ && process_->is_own()) return *process_;
    process_ = std::make_unique<ConfinedProcess>(
        start_code(helper_, name_, source_, limits_, confinement_.is_confined()), limits_);
    const Asker asker{name_ + ":", [] { return ""; }};
    const auto description = exchange(*process_, {}, MessageKind::description, limits_.start_s, asker);
    if (description == description_) return *process_;
    if (description_) fail(*process_, asker, "defines another technique each time that it is run");
    auto found = described_technique(description);
    if (!found) fail(*process_, asker, "says nothing that makes sense of its technique");
    if (!found->fault.empty()) fail(*process_, asker, found->fault);
    described_ = std::move(*found);
    description_ = description;
    return *process_;
  }
  /// A message's answer of this kind. @throws RunError where none comes in time, or another one.
  std::string_view exchange(ConfinedProcess& with, std::string_view message, MessageKind kind,
                            double limit_s, const Asker& asker) {
    const auto too_long_in_all = [&] {
      return "has taken more than " + short_number(limits_.total_s) + " s for all its answers";
    };
    const double left_s = limits_.total_s - 1e-9 * static_cast<double>(spent_ns_->load());
    if (left_s <= 0) fail(with, asker, too_long_in_all());
    if (!message.empty()) with.send(message);
    const auto start = std::chrono::steady_clock::now();
    const std::string_view answer = with.receive(std::min(limit_s, left_s));
    *spent_ns_ += std::chrono::nanoseconds(std::chrono::steady_clock::now() - start).count();
    if (with.is_over()) fail(with, asker, with.ending());
    if (answer.empty() && left_s < limit_s) fail(with, asker, too_long_in_all());
    if (answer.empty()) fail(with, asker, "has not answered within " + short_number(limit_s) + " s");
    const MessageKind found{answer.front()};
    if (found == kind) return answer.substr(1);
    std::string what = found == MessageKind::failure ? told_failure(answer.substr(1)) : "";
    if (what.empty()) fail(with, asker, kNoSense);
    if (what.find("MemoryError") != std::string::npos) what += "; it has " + std::to_string(limits_.memory_mib) + " MiB";
    fail(with, asker, what);
  }
  /// Ends the process. @throws RunError: who did what.
  [[noreturn]] void fail(ConfinedProcess& with, const Asker& asker, const std::string& what) {
    const std::string printed = with.printed();
    process_.reset();
    throw RunError(asker.by + " " + what + asker.state() + (printed.empty() ? "" : "; it printed: " + printed));
  }

  std::string name_, source_, helper_;
  CodeLimits limits_;
  Confinement confinement_;
  std::shared_ptr<std::atomic<std::int64_t>> spent_ns_;  ///< of all processes
  std::unique_ptr<ConfinedProcess> process_;
  std::optional<std::string> description_;  ///< nothing before the first process
  ConfinedDescription described_;
  std::vector<std::weak_ptr<const std::int64_t>> loops_;  ///< their numbers; an ended one's is given to another
};

/// One of the file's functions.
struct RuleOfCode {
  ConfinedCode* code;
  bool is_batch;
  std::int64_t tasks(LoopState& state, std::size_t worker) const { return code->tasks(is_batch, state, worker); }
};

/// Of a simulated rank that waits for another program [KiB].
constexpr int kRankStack_kib = 256;

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

std::optional<ConfinedDescription> described_technique(std::string_view said) {
  std::istringstream in{std::string(said)};
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  constexpr std::size_t kLeastLines = 5;  // a summary, and the rules of chunks and of batches, if there are any
  if (lines.size() < kLeastLines) return std::nullopt;
  try {
    ConfinedDescription found{told_failure(lines[0]), described_rule(lines[1], lines[2]), {}};
    if (!lines[3].empty() || !lines[4].empty()) found.batch = described_rule(lines[3], lines[4]);
    for (std::size_t k = kLeastLines; k < lines.size(); ++k) add_parameter(lines[k], found);
    return found;
  } catch (const InputError&) {  // of names that the helper knows of: it is not the helper's
    return std::nullopt;
  }
}

std::optional<double> answered_number(std::string_view said) {
  double given = 0;
  if (said.size() != sizeof given) return std::nullopt;
  std::memcpy(&given, said.data(), sizeof given);
  return given;
}

std::string told_failure(std::string_view said) { return shown_line(trimmed(said.substr(0, kMostSaid))); }

std::string request_message(const ConfinedRequest& request, const LoopState& state, std::size_t worker,
                            const std::vector<double>& parameters) {
  Serializer out;
  for (const bool part : {request.is_new, request.is_batch}) out.put(std::int64_t{part});
  out.put(request.loop);
  for (const TechniqueVariable& variable : technique_variables()) {
    const double value = variable.value(state, worker);
    if (variable.is_count())
      out.put(static_cast<std::int64_t>(value));
    else
      out.put(value);
  }
  for (const double parameter : parameters) out.put(parameter);
  return out.take();
}

ConfinedTechnique confined_technique(const std::string& name, const std::string& file, const std::string& helper,
                                     const CodeLimits& limits) {
  const auto code = std::make_shared<ConfinedCode>(file, helper, limits);
  const ConfinedDescription& described = code->described();
  Technique made{.name = name,
                 .summary = described.summary,
                 .next =
                     [code](LoopState& state, std::size_t worker) {
                       const RuleOfCode chunks{code.get(), false}, batches{code.get(), true};
                       const bool has_batches = code->described().batch.has_value();
                       return next_by_rules(chunks, has_batches ? &batches : nullptr, state, worker);
                     },
                 .has_least = false};
  add_needs(described.chunk.variables, made);
  if (described.batch) add_needs(described.batch->variables, made);
  made.user_code = {.identity = code->identity(), .stack_kib = kRankStack_kib};
  return {std::move(made), code->confinement()};
}

}  // namespace nowsim

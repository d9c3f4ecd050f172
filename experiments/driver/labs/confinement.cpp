// Bubblewrap's words, a scratch folder, the kernel's filter of calls, and the child that becomes the student's process.
#include "experiments/driver/labs/confinement.hpp"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "experiments/driver/text/run_program.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/platform/worker_process.hpp"
#include "workloads/farm/technique_variables.hpp"

namespace nowsim {
namespace {

// ---- files in memory ------------------------------------------------------------------------------------------------

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

// ---- the scratch folder ---------------------------------------------------------------------------------------------

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

// ---- calls of the system --------------------------------------------------------------------------------------------

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

// ---- bubblewrap's words ---------------------------------------------------------------------------------------------

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

// ---- the process ----------------------------------------------------------------------------------------------------

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

}  // namespace nowsim

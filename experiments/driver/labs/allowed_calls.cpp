// Lists of numbers, and the filter's program: one comparison for each.
#include "experiments/driver/labs/allowed_calls.hpp"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace nowsim {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kProcessor = AUDIT_ARCH_X86_64;
#elif defined(__AARCH64EL__)
constexpr std::uint32_t kProcessor = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t kProcessor = 0;
#endif

constexpr std::uint32_t kAllowed[] = {
#ifdef __x86_64__
    // what ARM64 has in one form alone
    __NR_open, __NR_stat, __NR_lstat, __NR_access, __NR_readlink, __NR_getdents, __NR_mkdir, __NR_rmdir, __NR_unlink,
    __NR_rename, __NR_link, __NR_symlink, __NR_chmod, __NR_creat, __NR_utime, __NR_utimes, __NR_futimesat, __NR_dup2,
    __NR_poll, __NR_select, __NR_alarm, __NR_pause, __NR_time, __NR_getpgrp, __NR_arch_prctl,
#endif
    // its memory, which RLIMIT_AS counts
    __NR_brk, __NR_mmap, __NR_mremap, __NR_munmap, __NR_mprotect, __NR_madvise, __NR_msync,
    // files: what is in them
    __NR_openat, __NR_close, __NR_close_range, __NR_read, __NR_write, __NR_readv, __NR_writev, __NR_pread64,
    __NR_pwrite64, __NR_preadv, __NR_pwritev, __NR_preadv2, __NR_pwritev2, __NR_lseek, __NR_ftruncate, __NR_truncate,
    __NR_fallocate, __NR_fsync, __NR_fdatasync, __NR_fadvise64, __NR_flock, __NR_sendfile, __NR_copy_file_range,
    __NR_dup, __NR_dup3,
    // files: which there are
    __NR_fstat, __NR_newfstatat, __NR_statx, __NR_statfs, __NR_fstatfs, __NR_faccessat, __NR_faccessat2,
    __NR_readlinkat, __NR_getdents64, __NR_getcwd, __NR_chdir, __NR_fchdir, __NR_mkdirat, __NR_unlinkat, __NR_renameat,
    __NR_renameat2, __NR_linkat, __NR_symlinkat, __NR_fchmod, __NR_fchmodat, __NR_umask, __NR_utimensat, __NR_getxattr,
    __NR_lgetxattr, __NR_fgetxattr, __NR_listxattr, __NR_llistxattr, __NR_flistxattr,
    // time, waiting, and signals to itself
    __NR_clock_gettime, __NR_clock_getres, __NR_clock_nanosleep, __NR_nanosleep, __NR_gettimeofday, __NR_times,
    __NR_getitimer, __NR_setitimer, __NR_ppoll, __NR_pselect6, __NR_futex, __NR_sched_yield, __NR_restart_syscall,
    __NR_rt_sigaction, __NR_rt_sigprocmask, __NR_rt_sigreturn, __NR_rt_sigpending, __NR_rt_sigsuspend,
    __NR_rt_sigtimedwait, __NR_sigaltstack,
    // who and where it is
    __NR_getpid, __NR_getppid, __NR_gettid, __NR_getpgid, __NR_getsid, __NR_getuid, __NR_geteuid, __NR_getgid,
    __NR_getegid, __NR_getresuid, __NR_getresgid, __NR_getgroups, __NR_getrlimit, __NR_getrusage, __NR_getpriority,
    __NR_sched_getaffinity, __NR_getcpu, __NR_sysinfo, __NR_uname, __NR_getrandom,
    // how a program begins and ends, also bubblewrap's, which waits for it
    __NR_execve, __NR_exit, __NR_exit_group, __NR_set_tid_address, __NR_set_robust_list, __NR_rseq, __NR_wait4,
    __NR_waitid};

/// Calls that are allowed where one of their arguments is one of these.
struct AllowedCommands {
  std::uint32_t call;
  std::size_t argument;
  std::initializer_list<std::uint32_t> commands;
};
const AllowedCommands kAllowedCommands[] = {
    // neither signals that are sent by what is opened, nor larger pipes, nor locks, of which there is no bound
    {__NR_fcntl, 1, {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL}},
    {__NR_ioctl, 1, {FIOCLEX, FIONCLEX, FIONBIO, FIONREAD, TCGETS, TIOCGWINSZ}},
    {__NR_prctl, 0, {PR_SET_NAME, PR_GET_NAME}},
};

/// Calls from here on are those of another kind of programs (x32), which has numbers of its own for the same things.
constexpr std::uint32_t kForeign = 0x40000000;
/// The last one of Linux 6.1.
constexpr std::uint32_t kNewest = 450;

constexpr std::uint32_t kNotPermitted = SECCOMP_RET_ERRNO | EPERM;
constexpr std::uint32_t kNoSuchCall = SECCOMP_RET_ERRNO | ENOSYS;

sock_filter load(std::size_t offset) { return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)); }
sock_filter answer(std::uint32_t what) { return BPF_STMT(BPF_RET | BPF_K, what); }
/// Skips the next line unless the comparison holds.
sock_filter only_if(std::uint16_t comparison, std::uint32_t value) {
  return BPF_JUMP(static_cast<std::uint16_t>(BPF_JMP | comparison | BPF_K), value, 0, 1);
}

void add_allowed(std::uint32_t value, std::vector<sock_filter>& lines) {
  lines.push_back(only_if(BPF_JEQ, value));
  lines.push_back(answer(SECCOMP_RET_ALLOW));
}

/// The kernel takes commands as 32 bits, whatever the rest of a register holds.
void add_commands(const AllowedCommands& allowed, std::vector<sock_filter>& lines) {
  const auto commands = static_cast<std::uint8_t>(allowed.commands.size());
  lines.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, allowed.call, 0, static_cast<std::uint8_t>(2 * commands + 2)));
  lines.push_back(
      load(offsetof(seccomp_data, args) + allowed.argument * sizeof(seccomp_data::args[0])));  // its low half
  for (const std::uint32_t command : allowed.commands) add_allowed(command, lines);
  lines.push_back(answer(kNotPermitted));
}

/// Allowed where an argument of 64 bits is 0.
void add_without(std::uint32_t call, std::size_t argument, std::vector<sock_filter>& lines) {
  const std::size_t at = offsetof(seccomp_data, args) + argument * sizeof(seccomp_data::args[0]);
  for (const sock_filter& line :
       {BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 6), load(at), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 3),
        load(at + sizeof(std::uint32_t)), only_if(BPF_JEQ, 0), answer(SECCOMP_RET_ALLOW), answer(kNotPermitted)})
    lines.push_back(line);
}

}  // namespace

std::vector<sock_filter> allowed_calls() {
  if (kProcessor == 0) return {};
  std::vector<sock_filter> lines{load(offsetof(seccomp_data, arch)),
                                 BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kProcessor, 1, 0),
                                 answer(kNotPermitted),
                                 load(offsetof(seccomp_data, nr)),
                                 only_if(BPF_JGE, kForeign),
                                 answer(kNotPermitted)};
  for (const std::uint32_t call : kAllowed) add_allowed(call, lines);
  for (const AllowedCommands& allowed : kAllowedCommands) add_commands(allowed, lines);
  add_without(__NR_prlimit64, 2, lines);  // limits are told, as getrlimit() asks for them, and not set
  lines.push_back(only_if(BPF_JGT, kNewest));
  lines.push_back(answer(kNoSuchCall));
  lines.push_back(answer(kNotPermitted));
  return lines;
}

}  // namespace nowsim

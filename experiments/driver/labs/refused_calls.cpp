// Lists of numbers, and the filter's program: one comparison for each.
#include "experiments/driver/labs/refused_calls.hpp"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
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

constexpr std::uint32_t kRefused[] = {
#ifdef __NR_fork
    __NR_fork, __NR_vfork,
#endif
    // processes and threads
    __NR_clone, __NR_clone3,
    // networks, and a way around all this
    __NR_socket, __NR_socketpair, __NR_io_uring_setup,
    // other processes, and limits
    __NR_kill, __NR_tkill, __NR_tgkill, __NR_rt_sigqueueinfo, __NR_rt_tgsigqueueinfo, __NR_pidfd_open,
    __NR_pidfd_send_signal, __NR_pidfd_getfd, __NR_ptrace, __NR_process_vm_readv, __NR_process_vm_writev,
    __NR_process_madvise, __NR_prlimit64, __NR_setrlimit, __NR_sched_setscheduler, __NR_sched_setattr,
    __NR_sched_setparam, __NR_sched_setaffinity, __NR_setpriority, __NR_ioprio_set, __NR_migrate_pages,
    __NR_move_pages,
    // memory beside its own
    __NR_memfd_create, __NR_shmget, __NR_msgget, __NR_semget, __NR_mq_open,
    // the kernel's rarer doors
    __NR_unshare, __NR_setns, __NR_mount, __NR_umount2, __NR_pivot_root, __NR_bpf, __NR_keyctl, __NR_add_key,
    __NR_request_key, __NR_userfaultfd, __NR_perf_event_open,
};

/// Calls that are refused where their second argument is one of these.
struct RefusedCommands {
  std::uint32_t call;
  std::initializer_list<std::uint32_t> commands;
};
const RefusedCommands kRefusedCommands[] = {
    {__NR_fcntl, {F_SETOWN, F_SETOWN_EX, F_SETSIG}},                                // signals, sent by what is opened
    {__NR_ioctl, {FIOSETOWN, SIOCSPGRP, FIOASYNC, TIOCSTI, TIOCLINUX, TIOCSPGRP}},  // the same, and terminals
};

/// Calls from here on are those of another kind of programs (x32), which has numbers of its own for the same things.
constexpr std::uint32_t kForeign = 0x40000000;

constexpr std::uint32_t kNotPermitted = SECCOMP_RET_ERRNO | EPERM;

sock_filter load(std::size_t offset) { return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)); }
sock_filter answer(std::uint32_t what) { return BPF_STMT(BPF_RET | BPF_K, what); }
/// Skips the next line unless the comparison holds.
sock_filter only_if(std::uint16_t comparison, std::uint32_t value) {
  return BPF_JUMP(static_cast<std::uint16_t>(BPF_JMP | comparison | BPF_K), value, 0, 1);
}

void add_refused(std::uint32_t value, std::vector<sock_filter>& lines) {
  lines.push_back(only_if(BPF_JEQ, value));
  lines.push_back(answer(kNotPermitted));
}

/// The kernel takes commands as 32 bits, whatever the rest of a register holds.
void add_commands(const RefusedCommands& refused, std::vector<sock_filter>& lines) {
  const auto commands = static_cast<std::uint8_t>(refused.commands.size());
  lines.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, refused.call, 0, static_cast<std::uint8_t>(2 * commands + 2)));
  lines.push_back(load(offsetof(seccomp_data, args[1])));  // both processors have the low half first
  for (const std::uint32_t command : refused.commands) add_refused(command, lines);
  lines.push_back(answer(SECCOMP_RET_ALLOW));
}

}  // namespace

std::vector<sock_filter> refused_calls() {
  if (kProcessor == 0) return {};
  std::vector<sock_filter> lines{load(offsetof(seccomp_data, arch)),
                                 BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kProcessor, 1, 0), answer(kNotPermitted),
                                 load(offsetof(seccomp_data, nr)), only_if(BPF_JGE, kForeign), answer(kNotPermitted)};
  for (const std::uint32_t call : kRefused) add_refused(call, lines);
  for (const RefusedCommands& refused : kRefusedCommands) add_commands(refused, lines);
  lines.push_back(answer(SECCOMP_RET_ALLOW));
  return lines;
}

}  // namespace nowsim

// A list of numbers, and the filter's program: one comparison for each.
#include "experiments/driver/labs/refused_calls.hpp"

#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>

namespace nowsim {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kProcessor = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
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
    __NR_pidfd_send_signal, __NR_ptrace, __NR_process_vm_readv, __NR_process_vm_writev, __NR_prlimit64, __NR_setrlimit,
    __NR_sched_setscheduler, __NR_setpriority,
    // memory beside its own
    __NR_memfd_create, __NR_shmget, __NR_msgget, __NR_semget, __NR_mq_open,
    // the kernel's rarer doors
    __NR_unshare, __NR_setns, __NR_mount, __NR_umount2, __NR_pivot_root, __NR_bpf, __NR_keyctl, __NR_add_key,
    __NR_request_key, __NR_userfaultfd, __NR_perf_event_open,
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

}  // namespace

std::vector<sock_filter> refused_calls() {
  if (kProcessor == 0) return {};
  std::vector<sock_filter> lines{load(offsetof(seccomp_data, arch)),
                                 BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kProcessor, 1, 0), answer(kNotPermitted),
                                 load(offsetof(seccomp_data, nr)), only_if(BPF_JGE, kForeign), answer(kNotPermitted)};
  for (const std::uint32_t call : kRefused) {
    lines.push_back(only_if(BPF_JEQ, call));
    lines.push_back(answer(kNotPermitted));
  }
  lines.push_back(answer(SECCOMP_RET_ALLOW));
  return lines;
}

}  // namespace nowsim

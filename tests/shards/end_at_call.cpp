// Preloaded into a program: ends it, as kill -9 does, before its N-th call that changes files (N in NOWSIM_END_AT_CALL), or
// has no room for what it writes from then on (NOWSIM_FULL_FROM_CALL), counting calls of the process alone that was
// started. Where there are fewer, nothing happens.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

namespace {

pid_t first_process = 0;
long calls_left = 0;
bool is_disk_to_be_full = false, is_disk_full = false;

__attribute__((constructor)) void begin() {
  const char *const end = std::getenv("NOWSIM_END_AT_CALL"), *const full = std::getenv("NOWSIM_FULL_FROM_CALL");
  first_process = getpid();
  is_disk_to_be_full = full != nullptr;
  calls_left = end != nullptr ? std::atol(end) : full != nullptr ? std::atol(full) : 0;
}

void count() {
  if (calls_left == 0 || getpid() != first_process || --calls_left > 0) return;
  if (!is_disk_to_be_full) kill(getpid(), SIGKILL);
  is_disk_full = true;
}

/// Whether a write is refused.
bool has_no_room() {
  if (is_disk_full) errno = ENOSPC;
  return is_disk_full;
}

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

bool writes(int flags) { return (flags & (O_CREAT | O_TRUNC)) != 0; }

}  // namespace

#define NOWSIM_COUNTED(name, parameters, arguments, result) \
  extern "C" result name parameters {                       \
    static auto* const real = next<result parameters>(#name); \
    count();                                                \
    return real arguments;                                  \
  }

NOWSIM_COUNTED(link, (const char* from, const char* to), (from, to), int)
NOWSIM_COUNTED(unlink, (const char* path), (path), int)
NOWSIM_COUNTED(remove, (const char* path), (path), int)
NOWSIM_COUNTED(rename, (const char* from, const char* to), (from, to), int)
NOWSIM_COUNTED(mkdir, (const char* path, mode_t mode), (path, mode), int)
NOWSIM_COUNTED(rmdir, (const char* path), (path), int)
NOWSIM_COUNTED(fsync, (int fd), (fd), int)
NOWSIM_COUNTED(fdatasync, (int fd), (fd), int)
NOWSIM_COUNTED(ftruncate, (int fd, off_t size), (fd, size), int)
NOWSIM_COUNTED(ftruncate64, (int fd, off_t size), (fd, size), int)

#define NOWSIM_COUNTED_PWRITE(name)                                                    \
  extern "C" ssize_t name(int fd, const void* bytes, size_t size, off_t at) {          \
    static auto* const real = next<ssize_t(int, const void*, size_t, off_t)>(#name);   \
    count();                                                                           \
    return has_no_room() ? -1 : real(fd, bytes, size, at);                             \
  }
NOWSIM_COUNTED_PWRITE(pwrite)
NOWSIM_COUNTED_PWRITE(pwrite64)

extern "C" ssize_t write(int fd, const void* bytes, size_t size) {
  static auto* const real = next<ssize_t(int, const void*, size_t)>("write");
  struct stat status {};
  if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode)) {  // not what is said on a terminal or to a worker
    count();
    if (has_no_room()) return -1;
  }
  return real(fd, bytes, size);
}

#define NOWSIM_COUNTED_OPEN(name)                                         \
  extern "C" int name(const char* path, int flags, ...) {                 \
    static auto* const real = next<int(const char*, int, ...)>(#name);    \
    va_list more;                                                         \
    va_start(more, flags);                                                \
    const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(more, mode_t) : 0; \
    va_end(more);                                                         \
    if (writes(flags)) count();                                           \
    return real(path, flags, mode);                                       \
  }
NOWSIM_COUNTED_OPEN(open)
NOWSIM_COUNTED_OPEN(open64)

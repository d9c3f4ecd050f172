// The worker's loop, and the frames between it and its parent.
#include "sim/worker_process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>

#include "sim/error.hpp"

namespace nowsim {
namespace {

/// Before the bytes of an answer.
struct Head {
  ChildOutcome::Kind kind;
  std::uint64_t size;
};

/// False at the end of the stream: the other side is gone.
bool read_all(int fd, char* to, std::size_t size) {
  while (size > 0) {
    const ssize_t n = read(fd, to, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    to += n;
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

bool write_all(int fd, const char* from, std::size_t size) {
  while (size > 0) {
    const ssize_t n = send(fd, from, size, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    from += n;
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

[[noreturn]] void serve(const std::function<std::string(const WorkerTask&)>& work, int fd, int said_fd) {
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) dup2(said_fd, stream);
  WorkerTask task;
  while (read_all(fd, reinterpret_cast<char*>(&task), sizeof task)) {
    if (ftruncate(said_fd, 0) != 0) break;
    const ChildOutcome outcome = outcome_of([&] { return work(task); });
    const std::string& text = outcome.kind == ChildOutcome::Kind::done ? outcome.bytes : outcome.sentence;
    Head head{};
    head.kind = outcome.kind;
    head.size = text.size();
    if (!write_all(fd, reinterpret_cast<const char*>(&head), sizeof head)) break;
    if (!write_all(fd, text.data(), text.size())) break;
  }
  _exit(0);
}

}  // namespace

WorkerProcess::WorkerProcess(const std::function<std::string(const WorkerTask&)>& work) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw RunError(std::string("cannot start a worker process: ") + std::strerror(errno));
  said_fd_ = memfd_create("nowsim worker", MFD_CLOEXEC);
  if (said_fd_ < 0 || fcntl(said_fd_, F_SETFL, O_APPEND) != 0)
    throw RunError(std::string("cannot start a worker process: ") + std::strerror(errno));
  std::fflush(nullptr);  // or the worker would write the parent's buffers again
  std::cout.flush();
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ == 0) {
    become_child_of(parent);
    close(ends[0]);
    serve(work, ends[1], said_fd_);
  }
  close(ends[1]);
  if (pid_ < 0) {
    close(ends[0]);
    close(said_fd_);
    throw RunError(std::string("cannot start a worker process: ") + std::strerror(errno));
  }
  fd_ = ends[0];
}

WorkerProcess::~WorkerProcess() {
  close(fd_);
  close(said_fd_);
  if (dead_) return;
  kill(pid_, SIGKILL);
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

std::string WorkerProcess::end() {
  dead_ = true;
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  constexpr off_t kMost = 16384;
  const off_t size = lseek(said_fd_, 0, SEEK_END), from = std::max<off_t>(0, size - kMost);
  std::string said(static_cast<std::size_t>(std::max<off_t>(0, size - from)), '\0');
  const ssize_t got = pread(said_fd_, said.data(), said.size(), from);
  said.resize(static_cast<std::size_t>(std::max<ssize_t>(0, got)));
  return end_of_process(status, said);
}

void WorkerProcess::give(const WorkerTask& task) {
  // A worker that is gone shows when its answer is taken.
  write_all(fd_, reinterpret_cast<const char*>(&task), sizeof task);
}

std::optional<ChildOutcome> WorkerProcess::take() {
  char buffer[65536];
  Head head{};
  if (received_.size() >= sizeof head) std::memcpy(&head, received_.data(), sizeof head);
  while (received_.size() < sizeof head || received_.size() < sizeof head + head.size) {
    const ssize_t n = recv(fd_, buffer, sizeof buffer, MSG_DONTWAIT);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return std::nullopt;
    if (n <= 0) {
      return ChildOutcome{ChildOutcome::Kind::run_error, {}, end()};
    }
    received_.append(buffer, static_cast<std::size_t>(n));
    if (received_.size() >= sizeof head) std::memcpy(&head, received_.data(), sizeof head);
  }
  std::string text = received_.substr(sizeof head);
  received_.clear();
  if (head.kind == ChildOutcome::Kind::done) return ChildOutcome{head.kind, std::move(text), {}};
  return ChildOutcome{head.kind, {}, std::move(text)};
}

}  // namespace nowsim

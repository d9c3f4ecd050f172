// The worker's loop, and the frames between it and its parent.
#include "sim/engines/worker_process.hpp"

#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/platform/forking.hpp"

namespace nowsim {
namespace {

/// Before the bytes of an answer.
struct Head {
  ChildOutcome::Kind kind;
  std::uint64_t size;
};

/// The tasks in the order in which they come, as many at a time as there are.
class TaskQueue {
 public:
  explicit TaskQueue(int fd) : fd_(fd) {}

  /// Waits for the next task; nothing at the end of the stream: the other side is gone.
  std::optional<WorkerTask> next() {
    while (end_ - begin_ < sizeof(WorkerTask))
      if (!read_more()) return std::nullopt;
    WorkerTask task;
    std::memcpy(&task, bytes_.data() + begin_, sizeof task);
    begin_ += sizeof task;
    return task;
  }

 private:
  bool read_more() {
    std::memmove(bytes_.data(), bytes_.data() + begin_, end_ - begin_);
    end_ -= std::exchange(begin_, 0);
    ssize_t n = 0;
    while ((n = read(fd_, bytes_.data() + end_, bytes_.size() - end_)) < 0 && errno == EINTR) {
    }
    end_ += static_cast<std::size_t>(std::max<ssize_t>(0, n));
    return n > 0;
  }

  int fd_;
  std::array<char, 64 * sizeof(WorkerTask)> bytes_;
  std::size_t begin_ = 0, end_ = 0;
};

/// False where the other side is gone.
bool write_all(int fd, std::string_view first, std::string_view second = {}) {
  while (!first.empty() || !second.empty()) {
    iovec parts[] = {{const_cast<char*>(first.data()), first.size()},
                     {const_cast<char*>(second.data()), second.size()}};
    msghdr message{};
    message.msg_iov = parts;
    message.msg_iovlen = 2;
    const ssize_t n = sendmsg(fd, &message, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    const std::size_t of_first = std::min(first.size(), static_cast<std::size_t>(n));
    first.remove_prefix(of_first);
    second.remove_prefix(static_cast<std::size_t>(n) - of_first);
  }
  return true;
}

template <class T>
std::string_view bytes_of(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

/// Forgets what the task before this one has written to the streams.
bool is_wiped(int said_fd) { return lseek(said_fd, 0, SEEK_END) == 0 || ftruncate(said_fd, 0) == 0; }

/// What a batch needed the next one needs too: what is freed is not given back, as it would have to be cleared anew.
void keep_memory() {
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, -1);
}

[[noreturn]] void serve(const std::function<std::string(const WorkerTask&)>& work, int fd, int said_fd) {
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) dup2(said_fd, stream);
  keep_memory();
  TaskQueue tasks(fd);
  while (const auto task = tasks.next()) {
    if (!is_wiped(said_fd)) break;
    const ChildOutcome outcome = outcome_of([&] { return work(*task); });
    const std::string& text = outcome.kind == ChildOutcome::Kind::done ? outcome.bytes : outcome.sentence;
    Head head{};
    head.kind = outcome.kind;
    head.size = text.size();
    if (!write_all(fd, bytes_of(std::span<const Head>(&head, 1)), text)) break;
  }
  _exit(0);
}

constexpr std::size_t kBuffer = 1 << 18;  // more than a socket holds

}  // namespace

WorkerProcess::WorkerProcess(const std::function<std::string(const WorkerTask&)>& work) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw RunError(std::string("cannot start a worker process: ") + std::strerror(errno));
  said_fd_ = memfd_create("nowsim worker", MFD_CLOEXEC);
  if (said_fd_ < 0 || fcntl(said_fd_, F_SETFL, O_APPEND) != 0)
    throw RunError(std::string("cannot start a worker process: ") + std::strerror(errno));
  malloc_trim(0);        // what is free needs no copying
  std::fflush(nullptr);  // or the worker would write the parent's buffers again
  std::cout.flush();
  const pid_t parent = getpid();
  pid_ = watched_fork();
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

ChildOutcome WorkerProcess::end() {
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

void WorkerProcess::give(std::span<const WorkerTask> tasks) {
  // A worker that is gone shows when its answer is taken.
  write_all(fd_, bytes_of(tasks));
}

std::optional<WorkerAnswer> WorkerProcess::take() {
  do {
    if (auto answer = next_received()) return answer;
  } while (receive());
  if (!dead_) return std::nullopt;
  return WorkerAnswer{last_words_.kind, last_words_.sentence};
}

std::optional<WorkerAnswer> WorkerProcess::next_received() {
  Head head{};
  if (end_ - begin_ < sizeof head) return std::nullopt;
  std::memcpy(&head, buffer_.data() + begin_, sizeof head);
  if (end_ - begin_ - sizeof head < head.size) return std::nullopt;
  const std::string_view text(buffer_.data() + begin_ + sizeof head, head.size);
  begin_ += sizeof head + head.size;
  return WorkerAnswer{head.kind, text};
}

/// Reads what is there; false where that is nothing, or the worker's end.
bool WorkerProcess::receive() {
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= std::exchange(begin_, 0);
  }
  if (end_ == buffer_.size()) buffer_.resize(std::max(kBuffer, 2 * buffer_.size()));
  ssize_t n = 0;
  while ((n = recv(fd_, buffer_.data() + end_, buffer_.size() - end_, MSG_DONTWAIT)) < 0 && errno == EINTR) {
  }
  if (n > 0) end_ += static_cast<std::size_t>(n);
  else if (n == 0 || (errno != EAGAIN && errno != EWOULDBLOCK)) last_words_ = end();
  return n > 0;
}

}  // namespace nowsim

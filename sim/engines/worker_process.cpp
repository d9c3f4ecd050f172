// The worker's loop, and the frames between it and its parent.
#include "sim/engines/worker_process.hpp"

#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <thread>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/base/infinity.hpp"
#include "sim/platform/child_process.hpp"
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

/// The worker as its parent knows it.
struct WorkerProcess::State {
  explicit State(const std::function<std::string(const WorkerTask&)>& work);
  ~State();
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  /// How the worker came to its end; it has.
  ChildOutcome end();
  std::optional<WorkerAnswer> next_received();
  bool receive();

  pid_t pid = -1;
  int fd = -1;
  int said_fd = -1;  ///< a file in memory: what the worker wrote to its streams during its task
  std::vector<char> buffer;  ///< received: the bytes from `begin` to `filled`
  std::size_t begin = 0, filled = 0;
  ChildOutcome last_words;
  bool dead = false;
};

WorkerProcess::State::State(const std::function<std::string(const WorkerTask&)>& work) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw RunError(std::string("cannot start a worker process: ") + std::strerror(errno));
  said_fd = memfd_create("nowsim worker", MFD_CLOEXEC);
  if (said_fd < 0 || fcntl(said_fd, F_SETFL, O_APPEND) != 0)
    throw RunError(std::string("cannot start a worker process: ") + std::strerror(errno));
  malloc_trim(0);        // what is free needs no copying
  std::fflush(nullptr);  // or the worker would write the parent's buffers again
  std::cout.flush();
  const pid_t parent = getpid();
  pid = watched_fork();
  if (pid == 0) {
    become_child_of(parent);
    close(ends[0]);
    serve(work, ends[1], said_fd);
  }
  close(ends[1]);
  if (pid < 0) {
    close(ends[0]);
    close(said_fd);
    throw RunError(std::string("cannot start a worker process: ") + std::strerror(errno));
  }
  fd = ends[0];
}

WorkerProcess::State::~State() {
  close(fd);
  close(said_fd);
  if (dead) return;
  kill(pid, SIGKILL);
  while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
}

ChildOutcome WorkerProcess::State::end() {
  dead = true;
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  constexpr off_t kMost = 16384;
  const off_t size = lseek(said_fd, 0, SEEK_END), from = std::max<off_t>(0, size - kMost);
  std::string said(static_cast<std::size_t>(std::max<off_t>(0, size - from)), '\0');
  const ssize_t got = pread(said_fd, said.data(), said.size(), from);
  said.resize(static_cast<std::size_t>(std::max<ssize_t>(0, got)));
  return end_of_process(status, said);
}

WorkerProcess::WorkerProcess(const std::function<std::string(const WorkerTask&)>& work)
    : state_(std::make_unique<State>(work)) {}

WorkerProcess::~WorkerProcess() = default;

bool WorkerProcess::is_dead() const { return state_->dead; }

void WorkerProcess::give(std::span<const WorkerTask> tasks) {
  // A worker that is gone shows when its answer is taken.
  write_all(state_->fd, bytes_of(tasks));
}

std::optional<WorkerAnswer> WorkerProcess::take() {
  do {
    if (auto answer = state_->next_received()) return answer;
  } while (state_->receive());
  if (!state_->dead) return std::nullopt;
  return WorkerAnswer{state_->last_words.kind, state_->last_words.sentence};
}

std::optional<WorkerAnswer> WorkerProcess::State::next_received() {
  Head head{};
  if (filled - begin < sizeof head) return std::nullopt;
  std::memcpy(&head, buffer.data() + begin, sizeof head);
  if (filled - begin - sizeof head < head.size) return std::nullopt;
  const std::string_view text(buffer.data() + begin + sizeof head, head.size);
  begin += sizeof head + head.size;
  return WorkerAnswer{head.kind, text};
}

/// Reads what is there; false where that is nothing, or the worker's end.
bool WorkerProcess::State::receive() {
  if (begin > 0) {
    std::memmove(buffer.data(), buffer.data() + begin, filled - begin);
    filled -= std::exchange(begin, 0);
  }
  if (filled == buffer.size()) buffer.resize(std::max(kBuffer, 2 * buffer.size()));
  ssize_t n = 0;
  while ((n = recv(fd, buffer.data() + filled, buffer.size() - filled, MSG_DONTWAIT)) < 0 && errno == EINTR) {
  }
  if (n > 0) filled += static_cast<std::size_t>(n);
  else if (n == 0 || (errno != EAGAIN && errno != EWOULDBLOCK)) last_words = this->end();
  return n > 0;
}

std::vector<bool> wait_for_news(std::span<const WorkerProcess* const> workers, double nap_s, double patience_s) {
  if (nap_s > 0) std::this_thread::sleep_for(std::chrono::duration<double>(nap_s));
  std::vector<pollfd> fds;
  for (const auto* worker : workers) fds.push_back({worker->state_->fd, POLLIN, 0});
  const int ms = patience_s == kInfinity ? -1 : static_cast<int>(1000 * std::min(patience_s, 3600.0)) + 1;
  if (poll(fds.data(), fds.size(), ms) < 0 && errno != EINTR) throw RunError("cannot wait for worker processes");
  std::vector<bool> has_news;
  for (const auto& fd : fds) has_news.push_back(fd.revents != 0);
  return has_news;
}

}  // namespace nowsim

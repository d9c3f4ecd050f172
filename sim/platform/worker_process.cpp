// The worker's loop, the frames between it and its parent, and turning the ways a process can end into one outcome.
#include "sim/platform/worker_process.hpp"

#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <sstream>
#include <thread>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/base/plain_file.hpp"
#include "sim/platform/ask_simgrid.hpp"

namespace nowsim {
namespace {

using TaskWork = std::function<std::string(const WorkerTask&)>;

/// Before the bytes of an answer.
struct Head {
  ChildOutcome::Kind kind;
  std::uint64_t size;
};

/// Waits for the next task; nothing at the end of the stream: the other side is gone.
std::optional<WorkerTask> next_task(int fd) {
  WorkerTask task;
  for (std::size_t got = 0; got < sizeof task;) {
    const ssize_t n = recv(fd, reinterpret_cast<char*>(&task) + got, sizeof task - got, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return std::nullopt;
    got += static_cast<std::size_t>(n);
  }
  return task;
}

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

/// A worker that has many tasks shows nobody what they write, and keeps its memory.
[[noreturn]] void serve(const TaskWork& work, bool has_many, WorkerProcess::Errors errors, int fd, int said_fd) {
  if (errors == WorkerProcess::Errors::kept) dup2(said_fd, STDERR_FILENO);
  if (has_many) {
    dup2(said_fd, STDOUT_FILENO);
    keep_memory();
  }
  while (const auto task = next_task(fd)) {
    if (!is_wiped(said_fd)) break;
    const ChildOutcome outcome = outcome_of([&] { return work(*task); });
    if (!has_many) std::fflush(nullptr);  // the process may not come to its end by itself
    Head head{};
    head.kind = outcome.kind;
    head.size = outcome.text.size();
    if (!write_all(fd, bytes_of(std::span<const Head>(&head, 1)), outcome.text) || !has_many) break;
  }
  _exit(0);
}

ForkWatch& fork_watch() {
  constexpr auto nothing = [] {};
  static ForkWatch watch{nothing, nothing, nothing};
  return watch;
}

pid_t watched_fork() {
  fork_watch().before();
  const pid_t pid = fork();
  const int error = errno;
  if (pid == 0) fork_watch().in_child();
  else fork_watch().in_parent();
  errno = error;
  return pid;
}

/// The last line that says something, without a logger's prefix such as "[host:actor:(1) 0.1] file.cpp:12: [xx/CRITICAL]".
std::string gist(const std::string& errors) {
  std::istringstream in(errors);
  std::string line, best;
  while (std::getline(in, line)) {
    const auto severity = line.find("/CRITICAL] ");
    if (severity != std::string::npos) return line.substr(severity + 11);
    if (line.rfind("Backtrace", 0) != 0 && line.find("->") == std::string::npos && !line.empty()) best = line;
  }
  return best;
}

/// The outcome of a process that has ended without one: what the last line on its standard error that says something
/// means, or how it ended (`status` as waitpid gives it). An input error where SimGrid cannot simulate the input.
ChildOutcome outcome_of_end(int status, const std::string& errors) {
  using Kind = ChildOutcome::Kind;
  const std::string failed(kProcessFailed);
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  if (signal == SIGKILL || signal == SIGTERM)
    return {Kind::run_error, failed + "it was killed (" + strsignal(signal) + ")" +
                                     (signal == SIGKILL ? ", as the system does where memory ends" : "")};
  if (const std::string said = gist(errors); !said.empty()) {
    const SimGridWords words = in_users_words(said);
    if (words.is_input) return {Kind::input_error, words.sentence, true};
    return {Kind::run_error, failed + words.sentence, !words.is_limit};
  }
  const std::string how = WIFSIGNALED(status) ? std::string("it was ended by signal ") + strsignal(WTERMSIG(status))
                                              : "it ended with status " + std::to_string(WEXITSTATUS(status));
  return {Kind::run_error, failed + how, true};
}

constexpr std::size_t kBuffer = 1 << 18;  // more than a socket holds

}  // namespace

void watch_forks(const ForkWatch& watch) { fork_watch() = watch; }

void become_child_of(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(3);  // it died before the line above
  for (int signal : {SIGABRT, SIGSEGV, SIGFPE, SIGILL}) std::signal(signal, SIG_DFL);  // not the parent's
  // Who ends the whole group means the parent, whose end is this child's too: it is no failure of the work.
  // Blocked, not ignored: SimGrid sets a handler of its own for SIGINT, which ends the process.
  sigset_t group;
  sigemptyset(&group);
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&group, signal);
  sigprocmask(SIG_BLOCK, &group, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
}

/// The worker as its parent knows it.
struct WorkerProcess::State {
  State(const TaskWork& work, bool has_many, Errors errors) {
    const auto fail = [] { throw RunError(std::string("cannot start a worker process: ") + std::strerror(errno)); };
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) fail();
    FileHandle ours(ends[0]), theirs(ends[1]), said(memfd_create("nowsim worker", MFD_CLOEXEC));
    if (!said.is_open() || fcntl(said.get(), F_SETFL, O_APPEND) != 0) fail();
    if (has_many) malloc_trim(0);  // what is free needs no copying
    std::fflush(nullptr);  // or the worker would write the parent's buffers again
    std::cout.flush();
    const pid_t parent = getpid();
    pid = watched_fork();
    if (pid == 0) {
      become_child_of(parent);
      close(ours.release());
      serve(work, has_many, errors, theirs.get(), said.get());
    }
    if (pid < 0) fail();
    fd = ours.release();
    said_fd = said.release();
  }
  ~State() {
    close(fd);
    close(said_fd);
    if (dead) return;
    kill(pid, SIGKILL);
    while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  std::optional<WorkerAnswer> next_received() {
    Head head{};
    if (filled - begin < sizeof head) return std::nullopt;
    std::memcpy(&head, buffer.data() + begin, sizeof head);
    if (filled - begin - sizeof head < head.size) return std::nullopt;
    const std::string_view text(buffer.data() + begin + sizeof head, head.size);
    begin += sizeof head + head.size;
    return WorkerAnswer{head.kind, text};
  }

  /// Reads what is there; false where that is nothing, or the worker's end.
  bool receive() {
    if (begin > 0) {
      std::memmove(buffer.data(), buffer.data() + begin, filled - begin);
      filled -= std::exchange(begin, 0);
    }
    if (filled == buffer.size()) buffer.resize(std::max(kBuffer, 2 * buffer.size()));
    ssize_t n = 0;
    while ((n = recv(fd, buffer.data() + filled, buffer.size() - filled, MSG_DONTWAIT)) < 0 && errno == EINTR) {
    }
    if (n > 0) filled += static_cast<std::size_t>(n);
    else if (n == 0 || (errno != EAGAIN && errno != EWOULDBLOCK)) note_end();
    return n > 0;
  }

  /// How the worker came to its end; it has.
  void note_end() {
    dead = true;
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    constexpr off_t kMost = 1 << 20;
    const off_t size = lseek(said_fd, 0, SEEK_END), from = std::max<off_t>(0, size - kMost);
    std::string said(static_cast<std::size_t>(std::max<off_t>(0, size - from)), '\0');
    const ssize_t got = pread(said_fd, said.data(), said.size(), from);
    said.resize(static_cast<std::size_t>(std::max<ssize_t>(0, got)));
    last_words = outcome_of_end(status, said);
  }

  pid_t pid = -1;
  int fd = -1;
  int said_fd = -1;  ///< a file in memory: what the worker wrote to its streams during its task
  std::vector<char> buffer;  ///< received: the bytes from `begin` to `filled`
  std::size_t begin = 0, filled = 0;
  ChildOutcome last_words;
  bool dead = false;
};

WorkerProcess::WorkerProcess(const std::function<std::string(const WorkerTask&)>& work)
    : state_(std::make_unique<State>(work, true, Errors::kept)) {}

WorkerProcess::WorkerProcess(const std::function<std::string()>& work, Errors errors)
    : state_(std::make_unique<State>([&](const WorkerTask&) { return work(); }, false, errors)) {
  const WorkerTask only;
  give({&only, 1});
}

WorkerProcess::~WorkerProcess() = default;

bool WorkerProcess::is_dead() const { return state_->dead; }

void WorkerProcess::ask_to_stop() const {
  if (!state_->dead) kill(state_->pid, SIGTERM);
}

int WorkerProcess::fd() const { return state_->fd; }

void WorkerProcess::give(std::span<const WorkerTask> tasks) {
  // A worker that is gone shows when its answer is taken.
  write_all(state_->fd, bytes_of(tasks));
}

std::optional<WorkerAnswer> WorkerProcess::take() {
  do {
    if (auto answer = state_->next_received()) return answer;
  } while (state_->receive());
  if (!state_->dead) return std::nullopt;
  return WorkerAnswer{state_->last_words.kind, state_->last_words.text, state_->last_words.has_crashed};
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

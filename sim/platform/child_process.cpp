// Forking, the two pipes (result, standard error), and turning the ways a child can end into one outcome.
#include "sim/platform/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <sstream>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/platform/forking.hpp"
#include "sim/platform/simgrid_words.hpp"

namespace nowsim {
namespace {

[[noreturn]] void fail(const char* what) {
  throw RunError(std::string("cannot start a child process: ") + what + ": " + std::strerror(errno));
}

void write_all(int fd, const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t n = write(fd, data, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) _exit(3);  // the parent is gone
    data += n;
    size -= static_cast<std::size_t>(n);
  }
}

/// The child's first byte says how it ended; the rest is the bytes or the sentence.
void report(int fd, const ChildOutcome& outcome) {
  const char tag = static_cast<char>('0' + static_cast<int>(outcome.kind));
  const std::string& text = outcome.kind == ChildOutcome::Kind::done ? outcome.bytes : outcome.sentence;
  write_all(fd, &tag, 1);
  write_all(fd, text.data(), text.size());
}

[[noreturn]] void be_the_child(const std::function<std::string()>& work, int result_fd, int error_fd, pid_t parent) {
  become_child_of(parent);
  dup2(error_fd, STDERR_FILENO);
  report(result_fd, outcome_of(work));
  std::fflush(nullptr);
  _exit(0);
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

/// Moves what can be read from fd into text; true at its end.
bool drain(int& fd, std::string& text) {
  char buffer[65536];
  while (fd >= 0) {
    const ssize_t n = read(fd, buffer, sizeof buffer);
    if (n > 0) {
      text.append(buffer, static_cast<std::size_t>(n));
    } else if (n == 0) {
      close(fd);
      fd = -1;
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      return false;
    } else if (errno != EINTR) {
      close(fd);
      fd = -1;
    }
  }
  return true;
}

}  // namespace

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

ChildOutcome end_of_process(int status, const std::string& errors) {
  using Kind = ChildOutcome::Kind;
  const std::string failed(kProcessFailed);
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  if (signal == SIGKILL || signal == SIGTERM)
    return {Kind::run_error, {}, failed + "it was killed (" + strsignal(signal) + ")" +
                                     (signal == SIGKILL ? ", as the system does where memory ends" : "")};
  if (const std::string said = gist(errors); !said.empty()) {
    const SimGridWords words = in_users_words(said);
    if (words.is_input) return {Kind::input_error, {}, words.sentence, true};
    return {Kind::run_error, {}, failed + words.sentence, !words.is_limit};
  }
  const std::string how = WIFSIGNALED(status) ? std::string("it was ended by signal ") + strsignal(WTERMSIG(status))
                                              : "it ended with status " + std::to_string(WEXITSTATUS(status));
  return {Kind::run_error, {}, failed + how, true};
}

ChildProcess::ChildProcess(const std::function<std::string()>& work) {
  int results[2], errors[2];
  if (pipe2(results, O_CLOEXEC) != 0) fail("pipe");
  if (pipe2(errors, O_CLOEXEC) != 0) {
    close(results[0]);
    close(results[1]);
    fail("pipe");
  }
  std::fflush(nullptr);  // or the child would write the parent's buffers again
  std::cout.flush();
  const pid_t parent = getpid();
  pid_ = watched_fork();
  if (pid_ == 0) be_the_child(work, results[1], errors[1], parent);
  close(results[1]);
  close(errors[1]);
  result_fd_ = results[0];
  error_fd_ = errors[0];
  if (pid_ < 0) {
    close(result_fd_);
    close(error_fd_);
    fail("fork");
  }
  fcntl(result_fd_, F_SETFL, O_NONBLOCK);
  fcntl(error_fd_, F_SETFL, O_NONBLOCK);
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      result_fd_(std::exchange(other.result_fd_, -1)),
      error_fd_(std::exchange(other.error_fd_, -1)),
      result_(std::move(other.result_)),
      errors_(std::move(other.errors_)) {}

ChildProcess::~ChildProcess() {
  if (result_fd_ >= 0) close(result_fd_);
  if (error_fd_ >= 0) close(error_fd_);
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
}

bool ChildProcess::pump() {
  const bool results_over = drain(result_fd_, result_);
  const bool errors_over = drain(error_fd_, errors_);
  return results_over && errors_over;
}

ChildOutcome ChildProcess::wait(double limit_s) {
  using Seconds = std::chrono::duration<double>;
  const auto start = std::chrono::steady_clock::now();
  while (!pump()) {
    const double left_s = limit_s - Seconds(std::chrono::steady_clock::now() - start).count();
    if (left_s <= 0) return {ChildOutcome::Kind::run_error, {}, "it took longer than " + short_number(limit_s) + " s"};
    const int ms = left_s < 3600 ? static_cast<int>(1000 * left_s) + 1 : 3'600'000;
    pollfd fds[2] = {{result_fd_, POLLIN, 0}, {error_fd_, POLLIN, 0}};
    if (poll(fds, 2, ms) < 0 && errno != EINTR) fail("poll");
  }
  return outcome();
}

ChildOutcome ChildProcess::outcome() {
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  using Kind = ChildOutcome::Kind;
  const bool reported = WIFEXITED(status) && WEXITSTATUS(status) == 0 && !result_.empty();
  if (reported) {
    const auto kind = static_cast<Kind>(result_[0] - '0');
    result_.erase(0, 1);
    if (kind == Kind::done) return {kind, std::move(result_), {}};
    return {kind, {}, std::move(result_)};
  }
  return end_of_process(status, errors_);
}

ChildOutcome apart(const std::function<std::string()>& work, double limit_s) { return ChildProcess(work).wait(limit_s); }

}  // namespace nowsim

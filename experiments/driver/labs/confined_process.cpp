// Messages, and how it comes to its end.
#include "experiments/driver/labs/confined_process.hpp"

#include <poll.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <sstream>

#include "sim/base/text.hpp"
#include "sim/base/utf8.hpp"

namespace nowsim {
namespace {

/// So often an answer is looked for before waiting for it, as waking takes longer than most answers do.
constexpr int kLooks = 100;

}  // namespace

ConfinedProcess::ConfinedProcess(const std::string& name, const std::string& source, const CodeLimits& limits,
                                 bool is_confined)
    : ConfinedProcess(start_code(name, source, limits, is_confined), limits) {}

ConfinedProcess::ConfinedProcess(StartedCode started, const CodeLimits& limits)
    : most_cpu_s_(std::ceil(limits.total_s + limits.start_s)), parent_(getpid()), pid_(started.pid),
      channel_(std::move(started.channel)), log_(std::move(started.log)) {}

ConfinedProcess::~ConfinedProcess() {
  if (!is_own() || pid_ < 0) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

bool ConfinedProcess::is_own() const { return parent_ == getpid(); }

/// Whoever is gone, or reads nothing that is sent, is noticed when no answer comes.
void ConfinedProcess::send(std::string_view message) const {
  while (::send(channel_.get(), message.data(), message.size(), MSG_NOSIGNAL | MSG_DONTWAIT) < 0 && errno == EINTR) {
  }
}

/// @return whether something came: a message, or the end
bool ConfinedProcess::take(int flags) {
  const ssize_t got = recv(channel_.get(), message_.data(), message_.size(), flags | MSG_TRUNC);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return false;
  size_ = static_cast<std::size_t>(std::max<ssize_t>(got, 0));
  is_over_ = size_ == 0;
  if (size_ > message_.size()) {  // of which only the beginning is here
    message_.front() = '\0';
    size_ = 1;
  }
  return true;
}

std::string_view ConfinedProcess::receive(double limit_s) {
  for (int look = 0; look < kLooks; ++look) {
    if (take(MSG_DONTWAIT)) return {message_.data(), size_};
    sched_yield();
  }
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  for (double left_s = limit_s; left_s > 0;
       left_s = limit_s - std::chrono::duration<double>(Clock::now() - start).count()) {
    pollfd fd{channel_.get(), POLLIN, 0};
    if (poll(&fd, 1, static_cast<int>(1000 * left_s) + 1) > 0 && take(MSG_DONTWAIT)) return {message_.data(), size_};
  }
  return {};
}

std::string ConfinedProcess::ending() {
  constexpr int kPatience_ms = 500;
  int status = 0;
  pid_t ended = 0;
  for (int ms = 0; ms < kPatience_ms && ended == 0; ++ms) {
    ended = waitpid(pid_, &status, WNOHANG);
    if (ended == 0) poll(nullptr, 0, 1);
  }
  if (ended == 0) return "closed the channel by which it answers";
  pid_ = -1;
  constexpr int kSignals = 128;  // as bubblewrap tells them
  const int code = WIFSIGNALED(status) ? kSignals + WTERMSIG(status) : WEXITSTATUS(status);
  if (code == kSignals + SIGXCPU)
    return "used more than " + short_number(most_cpu_s_) + " s of processor time";
  if (code == kSignals + SIGKILL) return "was killed, as the system does where memory ends";
  if (code > kSignals) return std::string("was ended by a signal: ") + strsignal(code - kSignals);
  return "ended its process with status " + std::to_string(code);
}

std::string ConfinedProcess::printed() const {
  constexpr off_t kMost = 500;
  struct stat log{};
  fstat(log_.get(), &log);
  std::string last(static_cast<std::size_t>(std::clamp<off_t>(log.st_size, 0, kMost)), '\0');
  const ssize_t got = pread(log_.get(), last.data(), last.size(), log.st_size - static_cast<off_t>(last.size()));
  last.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  std::istringstream lines(last);
  std::string shown;
  for (std::string line; std::getline(lines, line);)
    if (!trimmed(line).empty()) shown += (shown.empty() ? "" : " | ") + shown_line(trimmed(line));
  return shown;
}

}  // namespace nowsim

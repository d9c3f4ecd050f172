// Signal handlers: the one place where globals are unavoidable.
#include "tools/terminal/interruption.hpp"

#include <unistd.h>

#include <algorithm>
#include <csignal>

namespace nowsim {
namespace {

volatile std::sig_atomic_t requested = 0;
std::array<char, 4096> last_words{};
std::size_t last_words_size = 0;
constexpr std::array kSignals{SIGINT, SIGTERM, SIGHUP};
static_assert(kSignals.size() == kRequests);

extern "C" void note_request(int signal) { requested = signal; }

/// Only what a handler may call (signal-safety(7)). The signal is blocked until it returns, and is then as by default.
extern "C" void say_and_end(int signal) {
  [[maybe_unused]] const ssize_t ignored = write(STDERR_FILENO, last_words.data(), last_words_size);
  std::signal(signal, SIG_DFL);
  raise(signal);
}

/// Before the handler is set.
void (*prepared(const std::string& text))(int) {
  last_words_size = std::min(text.size(), last_words.size());
  std::copy_n(text.begin(), last_words_size, last_words.begin());
  return say_and_end;
}

}  // namespace

SignalHandling::SignalHandling(void (*handler)(int)) {
  struct sigaction action{};
  action.sa_handler = handler;
  action.sa_flags = static_cast<int>(SA_RESETHAND);  // the second one is not caught; no SA_RESTART: poll() returns
  for (std::size_t k = 0; k < kRequests; ++k) {
    sigaction(kSignals[k], nullptr, &before_[k]);
    if (before_[k].sa_handler != SIG_IGN) sigaction(kSignals[k], &action, nullptr);  // nohup means it
  }
}

SignalHandling::~SignalHandling() {
  for (std::size_t k = 0; k < kRequests; ++k) sigaction(kSignals[k], &before_[k], nullptr);
}

InterruptionWatch::InterruptionWatch() : handling_((requested = 0, note_request)) {}

int InterruptionWatch::exit_status() const { return 128 + static_cast<int>(requested); }

void heed_parent() {
  std::signal(SIGPIPE, SIG_DFL);
  struct sigaction action{};
  action.sa_handler = note_request;
  sigaction(SIGTERM, &action, nullptr);
  sigset_t parents;
  sigemptyset(&parents);
  sigaddset(&parents, SIGTERM);
  sigprocmask(SIG_UNBLOCK, &parents, nullptr);
}

LastWords::LastWords(const std::string& text) : handling_(prepared(text)) {}

bool interruption_requested() { return requested != 0; }

void request_interruption() { requested = SIGINT; }

}  // namespace nowsim

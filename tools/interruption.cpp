// Signal handlers: the one place where a global is unavoidable.
#include "tools/interruption.hpp"

#include <csignal>

namespace nowsim {
namespace {

volatile std::sig_atomic_t requested = 0;
constexpr std::array kSignals{SIGINT, SIGTERM, SIGHUP};
static_assert(kSignals.size() == kRequests);

extern "C" void note_request(int signal) { requested = signal; }

}  // namespace

InterruptionWatch::InterruptionWatch() {
  requested = 0;
  struct sigaction action{};
  action.sa_handler = note_request;
  action.sa_flags = static_cast<int>(SA_RESETHAND);  // the second one is not caught; no SA_RESTART: poll() returns
  for (std::size_t k = 0; k < kRequests; ++k) {
    sigaction(kSignals[k], nullptr, &before_[k]);
    if (before_[k].sa_handler != SIG_IGN) sigaction(kSignals[k], &action, nullptr);  // nohup means it
  }
}

InterruptionWatch::~InterruptionWatch() {
  for (std::size_t k = 0; k < kRequests; ++k) sigaction(kSignals[k], &before_[k], nullptr);
}

int InterruptionWatch::exit_status() const { return 128 + static_cast<int>(requested); }

bool interruption_requested() { return requested != 0; }

void request_interruption() { requested = SIGINT; }

}  // namespace nowsim

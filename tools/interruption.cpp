// Signal handlers: the one place where a global is unavoidable.
#include "tools/interruption.hpp"

#include <array>
#include <csignal>

namespace nowsim {
namespace {

volatile std::sig_atomic_t requested = 0;
constexpr std::array kSignals{SIGINT, SIGTERM, SIGHUP};

extern "C" void note_request(int signal) { requested = signal; }

}  // namespace

InterruptionWatch::InterruptionWatch() {
  requested = 0;
  struct sigaction action{};
  action.sa_handler = note_request;
  action.sa_flags = static_cast<int>(SA_RESETHAND);  // the second one is not caught; no SA_RESTART: poll() returns
  for (const int signal : kSignals) {
    struct sigaction before{};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);  // nohup means it
  }
}

InterruptionWatch::~InterruptionWatch() {
  for (const int signal : kSignals) {
    struct sigaction now{};
    sigaction(signal, nullptr, &now);
    if (now.sa_handler == note_request) std::signal(signal, SIG_DFL);
  }
}

int InterruptionWatch::exit_status() const { return 128 + static_cast<int>(requested); }

bool interruption_requested() { return requested != 0; }

}  // namespace nowsim

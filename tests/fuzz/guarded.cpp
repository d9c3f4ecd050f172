// A child goes through the inputs until one is at fault; another goes on behind it.
#include "tests/fuzz/guarded.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <memory>
#include <stdexcept>

#include "sim/platform/worker_process.hpp"
#include "tests/sim/scenario_fixture.hpp"
#include "tests/tools/program_fixture.hpp"

namespace nowsim::test {
namespace {

using Clock = std::chrono::steady_clock;

/// A number that a child writes and its parent reads.
class Progress {
 public:
  Progress() {
    void* memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::runtime_error("no shared memory");
    shared_ = new (memory) Shared;
  }
  ~Progress() { munmap(shared_, sizeof(Shared)); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  std::atomic<std::size_t>& at() { return shared_->at; }
  /// The process at work.
  std::atomic<pid_t>& pid() { return shared_->pid; }

 private:
  struct Shared {
    std::atomic<std::size_t> at = 0;
    std::atomic<pid_t> pid = 0;
  };
  Shared* shared_;
};

/// 0 where there is no such process any more.
std::uint64_t resident_bytes(pid_t pid) {
  std::ifstream in("/proc/" + std::to_string(pid) + "/statm");
  std::uint64_t size = 0, resident = 0;
  in >> size >> resident;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

/// With the processes that it started in turn.
std::uint64_t resident_bytes_together(pid_t pid) {
  std::uint64_t sum = resident_bytes(pid);
  for (const pid_t child : children_of(pid)) sum += resident_bytes(child);
  return sum;
}

void send_errors_to(const std::string& file) {
  const int fd = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  dup2(fd, STDERR_FILENO);
  dup2(fd, STDOUT_FILENO);
  close(fd);
}

std::string last_of(const std::string& text) {
  constexpr std::size_t kMost = 6000;
  return text.size() <= kMost ? text : "..." + text.substr(text.size() - kMost);
}

/// Which bound the child has broken: "" for none.
std::string broken_bound(Progress& progress, Clock::time_point since, const InputBounds& bounds) {
  const double lasted = std::chrono::duration<double>(Clock::now() - since).count();
  if (lasted > bounds.seconds) return "it has not ended after " + std::to_string(static_cast<int>(lasted)) + " s";
  const std::uint64_t resident = resident_bytes_together(progress.pid());
  return resident > bounds.bytes ? "it takes " + std::to_string(resident >> 20) + " MB of memory" : "";
}

/// What came of the child; the bound that it breaks, where it does.
ChildOutcome outcome_within(WorkerProcess& child, Progress& progress, const InputBounds& bounds) {
  std::size_t last = progress.at();
  auto since = Clock::now();
  for (;;) {
    if (const auto answer = child.take()) return {answer->kind, std::string(answer->text)};
    pollfd news{child.fd(), POLLIN, 0};
    constexpr int kLookEvery_ms = 20;
    poll(&news, 1, kLookEvery_ms);
    if (const std::size_t now = progress.at(); now != last) {
      last = now;
      since = Clock::now();
    }
    if (auto broken = broken_bound(progress, since, bounds); !broken.empty()) return {ChildOutcome::Kind::done, broken};
  }
}

}  // namespace

std::vector<Fault> faults_among(std::size_t inputs, const std::function<std::string(std::size_t)>& fault_of_input,
                                const InputBounds& bounds) {
  const Folder folder;
  const std::string errors = folder.path() + "/errors";
  Progress progress;
  std::vector<Fault> faults;
  for (std::size_t from = 0; from < inputs; from = progress.at() + 1) {
    progress.at() = from;
    WorkerProcess child([&] {
      send_errors_to(errors);
      progress.pid() = getpid();
      for (std::size_t i = from; i < inputs; ++i) {
        progress.at() = i;
        if (std::string fault = fault_of_input(i); !fault.empty()) return fault;
      }
      progress.at() = inputs;
      return std::string();
    });
    const ChildOutcome outcome = outcome_within(child, progress, bounds);
    const bool ended = outcome.kind == ChildOutcome::Kind::done;
    const std::string fault =
        ended ? outcome.text : "its process failed: " + outcome.text + "\n" + last_of(content_of(errors));
    if (!fault.empty()) faults.push_back({progress.at(), fault});
  }
  return faults;
}

}  // namespace nowsim::test

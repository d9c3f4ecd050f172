// Tests of what /proc/stat says, and of the share of a core that is left.
#include "sim/owners/proc_stat.hpp"

#include <catch2/catch.hpp>

#include "sim/base/error.hpp"

using namespace nowsim;

namespace {

std::string stat_text(const std::string& times, int cores, const std::string& running = "3") {
  std::string text = "cpu  " + times + "\n";
  for (int i = 0; i < cores; ++i) text += "cpu" + std::to_string(i) + " 1 2 3 4\n";
  return text + "intr 5 6\nctxt 9\nprocs_running " + running + "\nprocs_blocked 0\n";
}

MachineLoad load(int cores, double busy_cores, double runnable) {
  constexpr std::uint64_t kTicks = 100000;
  const ProcStat before{1000, 2000, cores, 1};
  const auto busy = static_cast<std::uint64_t>(busy_cores * kTicks);
  return load_between(before, {1000 + busy, 2000 + cores * kTicks - busy, cores, 1}, runnable);
}

}  // namespace

TEST_CASE("Steal and interrupts are busy time, waiting for disks is idle time, guests are not counted twice",
          "[reads][trace]") {
  const ProcStat s = parse_proc_stat(stat_text("10 20 30 1000 200 1 2 4 7 8", 4), "/proc/stat");
  CHECK(s.busy == 10 + 20 + 30 + 1 + 2 + 4);
  CHECK(s.idle == 1200);
  CHECK(s.cores == 4);
  CHECK(s.runnable == 3);
}

TEST_CASE("What is no /proc/stat is refused in a sentence", "[trace][error]") {
  const auto message = [](const std::string& text) {
    try {
      parse_proc_stat(text, "f");
      return std::string("accepted");
    } catch (const InputError& e) {
      return std::string(e.what());
    }
  };
  const std::string wanted = "f: the lines 'cpu', 'cpu0' and 'procs_running' of Linux's /proc/stat are needed.";
  CHECK(message("") == wanted);
  CHECK(message("cpu  1 2 3 4\nprocs_running 1\n") == wanted);
  CHECK(message("cpu  1 2 3 4\ncpu0 1 2 3 4\n") == wanted);
  CHECK(message("cpu  1 2 x 4\ncpu0 1 2 3 4\nprocs_running 1\n") == "f:1: 'x' is no count.");
  CHECK(message("cpu  1 2 3\ncpu0 1 2 3 4\nprocs_running 1\n") == "f:1: the line 'cpu' holds too few counts.");
}

TEST_CASE("n tasks that compute leave min(1, C/(n+1)) of a core", "[trace]") {
  for (const int cores : {1, 2, 8})
    for (const int n : {0, 1, 2, 3, 7, 20}) {
      INFO(n << " tasks on " << cores << " cores");
      CHECK(load(cores, std::min(n, cores), n).availability == Approx(std::min(1.0, cores / (n + 1.0))));
    }
}

TEST_CASE("A core that is busy half of the time by one task leaves three quarters, by two tasks two thirds",
          "[trace]") {
  CHECK(load(1, 0.5, 0.5).availability == Approx(0.75));
  CHECK(load(1, 0.5, 1).availability == Approx(0.5 + 0.5 / 3));
  CHECK(load(4, 3, 3).availability == 1);
  CHECK(load(4, 3.5, 3.5).availability == Approx(0.5 + 0.5 * 4.0 / 5));
  CHECK(load(2, 1, 1).utilisation == Approx(0.5));
  CHECK(load(2, 2, 5).waiting == Approx(3));
}

TEST_CASE("Counters that stand still or fall leave everything", "[trace]") {
  const ProcStat s{100, 200, 2, 1};
  CHECK(load_between(s, s, 0).availability == 1);
  CHECK(load_between({100, 205, 2, 1}, s, 0).utilisation == 0);
}

TEST_CASE("A job that is watched tells what it is left; one that sleeps leaves that to the load", "[trace]") {
  ProcStat before{1000, 2000, 1, 1}, after{1100, 2000, 1, 1};
  before.job["7"] = parse_schedstat("1000000000 5000000000 7\n", "f");
  before.job["8"] = {900, 100};  // ends meanwhile
  after.job["7"] = parse_schedstat("1250000000 5750000000 9\n", "f");
  after.job["9"] = {3, 0};  // new
  CHECK(load_between(before, after, 2).availability == Approx(0.25));
  CHECK(load_between(before, after, 2).utilisation == 1);
  ProcStat asleep = after;
  asleep.job["7"] = {1.001, 5};
  CHECK(load_between(before, asleep, 2).availability == Approx(1.0 / 3));  // beside two that compute
  ProcStat ended = after;
  ended.job.clear();
  CHECK(load_between(before, ended, 2).availability == Approx(1.0 / 3));
  CHECK_THROWS_WITH(parse_schedstat("12\n", "f"), "f:1: a thread's times on cores and in wait for one are needed.");
}

// Reading the counters, and fair sharing.
#include "sim/owners/proc_stat.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

/// user nice system idle iowait irq softirq steal; old kernels have the first four.
constexpr std::size_t kLeastCounters = 4, kMostCounters = 8, kIdle = 3, kIowait = 4;

std::vector<std::uint64_t> counters(std::string_view rest, const Place& place) {
  std::vector<std::uint64_t> out;
  for (auto word = next_word(rest); !word.empty(); word = next_word(rest)) {
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), out.emplace_back());
    if (error != std::errc{} || stop != word.data() + word.size())
      throw InputError(place, quoted(word) + " is no count.");
  }
  return out;
}

}  // namespace

ProcStat parse_proc_stat(const std::string& text, const std::string& file) {
  ProcStat stat;
  stat.cores = 0;
  bool has_times = false;
  std::optional<double> runnable;
  Place place{file, 0, ""};
  for (std::string_view rest : TextLines(text, file)) {
    ++place.line;
    const std::string_view name = next_word(rest);
    if (name == "cpu") {
      const auto times = counters(rest, place);
      if (times.size() < kLeastCounters) throw InputError(place, "the line 'cpu' holds too few counts.");
      for (std::size_t i = 0; i < std::min(times.size(), kMostCounters); ++i)
        (i == kIdle || i == kIowait ? stat.idle : stat.busy) += times[i];
      has_times = true;
    } else if (name.starts_with("cpu") && name.find_first_not_of("0123456789", 3) == name.npos) {
      ++stat.cores;
    } else if (name == "procs_running") {
      const auto count = counters(rest, place);
      if (count.size() == 1) runnable = static_cast<double>(count.front());
    }
  }
  place.line = 0;
  if (!has_times || stat.cores == 0 || !runnable)
    throw InputError(place, "the lines 'cpu', 'cpu0' and 'procs_running' of Linux's /proc/stat are needed.");
  stat.runnable = *runnable;
  return stat;
}

ThreadTimes parse_schedstat(const std::string& text, const std::string& file) {
  const std::string_view line = trimmed(std::string_view(text).substr(0, text.find('\n')));
  const auto counts = counters(line, {file, 1, ""});
  if (counts.size() < 2) throw InputError({file, 1, ""}, "a thread's times on cores and in wait for one are needed.");
  constexpr double kSeconds = 1e-9;
  return {kSeconds * static_cast<double>(counts[0]), kSeconds * static_cast<double>(counts[1])};
}

MachineLoad load_between(const ProcStat& before, const ProcStat& after, double runnable) {
  // iowait may fall (proc(5)); where nothing was counted at all, nothing was busy.
  const auto since = [](std::uint64_t a, std::uint64_t b) { return b > a ? static_cast<double>(b - a) : 0.0; };
  const double busy = since(before.busy, after.busy), idle = since(before.idle, after.idle);
  const double cores = after.cores;
  MachineLoad load;
  load.utilisation = busy > 0 ? busy / (busy + idle) : 0;
  const double busy_cores = load.utilisation * cores;
  load.waiting = std::max(0.0, runnable - busy_cores);
  const double all_busy = std::max(0.0, busy_cores - (cores - 1));
  if (all_busy > 0) load.availability = 1 - all_busy + all_busy * cores / (cores + load.waiting / all_busy + 1);
  double ran_s = 0, waited_s = 0;
  for (const auto& [thread, times] : after.job) {
    const auto known = before.job.find(thread);
    if (known == before.job.end()) continue;
    ran_s += times.ran_s - known->second.ran_s;
    waited_s += times.waited_s - known->second.waited_s;
  }
  constexpr double kEnough_s = 0.02;  // a few turns of a scheduler
  if (ran_s + waited_s >= kEnough_s) load.availability = ran_s / (ran_s + waited_s);
  return load;
}

}  // namespace nowsim

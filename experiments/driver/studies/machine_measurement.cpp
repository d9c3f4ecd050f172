// Repeats one after another, and the machine's counters before and after them; the loop over intervals.
#include "experiments/driver/studies/machine_measurement.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <sstream>

#include "experiments/driver/running/runner.hpp"
#include "experiments/driver/text/units.hpp"
#include "experiments/driver/text/user_cache.hpp"
#include "sim/base/text.hpp"
#include "sim/owners/load_series.hpp"

namespace nowsim {
namespace {

constexpr std::size_t kLeastRepeats = 5;
/// What others may do without being told of: less than the repeats differ by anyway.
constexpr double kMuchWaiting = 0.02, kMuchOfACore = 0.25;

double one_repeat(MeasuredCore& core, const SpeedPlan& plan, const std::function<double()>& run) {
  const double begin_s = core.own_s();
  double flop = 0, own_s = 0;
  do {
    if (core.is_stopped()) throw Interrupted();
    flop += run();
    own_s = core.own_s() - begin_s;
  } while (own_s < plan.repeat_s);
  return flop / own_s;
}

ThreadTimes times_of_job(const ProcStat& stat) {
  ThreadTimes sum;
  for (const auto& [thread, times] : stat.job) {
    sum.ran_s += times.ran_s;
    sum.waited_s += times.waited_s;
  }
  return sum;
}

/// What the counters say of the others.
void tell_apart(const ProcStat& before, const ProcStat& after, MachineSpeed& speed) {
  const ThreadTimes first = times_of_job(before), last = times_of_job(after);
  const double ran_s = last.ran_s - first.ran_s, waited_s = last.waited_s - first.waited_s;
  if (ran_s + waited_s > 0) speed.waited = waited_s / (ran_s + waited_s);
  speed.cores = after.cores;
  const double busy = static_cast<double>(after.busy - before.busy),
               ticks = busy + static_cast<double>(after.idle - before.idle);
  if (ticks > 0 && speed.passed_s > 0)
    speed.other_cores = std::max(0.0, after.cores * busy / ticks - ran_s / speed.passed_s);
}

std::string speed_key() { return "nowsim speed 1, " + host_name() + ", " + processor_name(); }

}  // namespace

double MachineSpeed::part_flops(double part) const {
  const double at = part * static_cast<double>(repeats_flops.size() - 1);
  const auto k = static_cast<std::size_t>(at), next = std::min(k + 1, repeats_flops.size() - 1);
  return repeats_flops[k] + (at - static_cast<double>(k)) * (repeats_flops[next] - repeats_flops[k]);
}

std::vector<std::string> MachineSpeed::disturbances() const {
  std::vector<std::string> out;
  if (waited > kMuchWaiting)
    out.push_back("others had its core for " + short_number(std::round(1000 * waited) / 10) +
                  " % of the time, which is not counted; but caches are cold after each turn");
  if (other_cores > kMuchOfACore)
    out.push_back("others kept " + short_number(std::round(10 * other_cores) / 10) + " of " + std::to_string(cores) +
                  (cores == 1 ? " core" : " cores") + " busy, and cores share memory, clocks and sometimes arithmetic");
  return out;
}

MachineSpeed measure_speed(MeasuredCore& core, const SpeedPlan& plan, const std::function<double()>& run) {
  MachineSpeed speed;
  static_cast<void>(one_repeat(core, plan, run));
  const double start_s = core.now_s();
  const ProcStat before = core.look();
  do speed.repeats_flops.push_back(one_repeat(core, plan, run));
  while (speed.repeats_flops.size() < kLeastRepeats || core.now_s() - start_s < plan.duration_s);
  speed.passed_s = core.now_s() - start_s;
  tell_apart(before, core.look(), speed);
  std::ranges::sort(speed.repeats_flops);
  return speed;
}

std::string speed_text(double flops) {
  std::string text = format_quantity(flops, Dimension::speed);  // "3.412 Gflop/s"
  text.erase(text.find(' '), 1);
  return text.substr(0, text.size() - std::string("lop/s").size());
}

std::string speed_file() { return cache_file("speed", speed_key()); }

/// "3412000000 2026-11-26".
std::optional<RecordedSpeed> recorded_speed() {
  std::istringstream in(read_cached(speed_file(), speed_key()));
  std::string flops, day;
  in >> flops >> day;
  const auto number = to_number(flops);
  if (!number || !(*number > 0) || day.empty()) return std::nullopt;
  return RecordedSpeed{*number, day};
}

bool record_speed(const RecordedSpeed& speed) {
  return write_cached(speed_file(), speed_key(), number_text(speed.flops) + " " + speed.day + "\n");
}

namespace {

/// Looks in between, often enough for a mean number of tasks, seldom enough to cost nothing.
double look_interval_s(double interval_s) { return std::clamp(interval_s / 10, 0.05, 1.0); }

std::string row_text(double begin_s, const MachineLoad& load) {
  const double whole = std::floor(begin_s);
  return stamp_text({StampKind::utc, static_cast<std::int64_t>(whole), begin_s - whole}) + "," +
         short_number(load.availability) + "," + short_number(100 * load.utilisation) + "," +
         short_number(load.waiting);
}

/// An interval as it passes: looks until its end; false where the recording stopped before.
class Interval {
 public:
  Interval(RecordedMachine& machine, double begin_s, const ProcStat& before)
      : machine_(machine), begin_s_(begin_s), before_(before) {}

  bool pass(double interval_s) {
    const double end_s = begin_s_ + interval_s, every_s = look_interval_s(interval_s);
    const auto looks = static_cast<int>(std::lround(interval_s / every_s));
    for (int k = 1; k <= looks; ++k) {
      machine_.sleep_until(k == looks ? end_s : begin_s_ + k * every_s);
      if (machine_.is_stopped()) return false;
      after_ = machine_.look();
      if (machine_.is_stopped()) return false;  // what is watched has ended in between
      tasks_ += std::max(0.0, after_.runnable - 1);  // without the one that looks
      ++looks_;
      if (machine_.now_s() >= end_s) break;
    }
    return true;
  }
  [[nodiscard]] std::string row() const { return row_text(begin_s_, load_between(before_, after_, tasks_ / looks_)); }
  [[nodiscard]] const ProcStat& after() const { return after_; }

 private:
  RecordedMachine& machine_;
  double begin_s_;
  ProcStat before_, after_;
  double tasks_ = 0;
  int looks_ = 0;
};

}  // namespace

std::size_t record_trace(RecordedMachine& machine, const RecordingPlan& plan, const RowSink& add) {
  constexpr double kRounding = 1e-6;
  const double start_s = std::ceil(machine.now_s());
  const double end_s = plan.duration_s ? start_s + *plan.duration_s + kRounding : HUGE_VAL;
  machine.sleep_until(start_s);
  ProcStat before = machine.look();
  std::size_t rows = 0;
  double grid_s = start_s;  // where the intervals are counted from, so that they do not drift
  for (std::uint64_t k = 0;;) {
    const double begin_s = grid_s + static_cast<double>(k) * plan.interval_s;
    if (machine.is_stopped() || begin_s + plan.interval_s > end_s) return rows;
    Interval interval(machine, begin_s, before);
    if (!interval.pass(plan.interval_s)) return rows;
    add(interval.row());
    ++rows;
    before = interval.after();
    ++k;
    if (const double now_s = machine.now_s(); now_s > begin_s + 1.5 * plan.interval_s) {  // the machine slept
      grid_s = now_s;
      k = 0;
    }
  }
}

}  // namespace nowsim

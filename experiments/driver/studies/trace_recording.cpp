// The loop over intervals.
#include "experiments/driver/studies/trace_recording.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "sim/base/text.hpp"
#include "sim/owners/load_series.hpp"

namespace nowsim {
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

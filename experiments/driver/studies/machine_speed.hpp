// How fast one core of this machine computes, and whether others used the machine while that was measured.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/owners/proc_stat.hpp"

namespace nowsim {

/// The core that measures, and its machine.
class MeasuredCore {
 public:
  virtual ~MeasuredCore() = default;
  /// Time that passes, and time that the measuring thread has spent on a core [s].
  [[nodiscard]] virtual double now_s() const = 0;
  [[nodiscard]] virtual double own_s() const = 0;
  /// With the thread's own times as its job.
  [[nodiscard]] virtual ProcStat look() = 0;
  [[nodiscard]] virtual bool is_stopped() const = 0;
};

struct SpeedPlan {
  double duration_s = 5;
  double repeat_s = 0.2;  ///< of the thread's own time, one repeat
};

/// Speeds of the repeats, each per second that the thread was on a core, and what else went on.
struct MachineSpeed {
  std::vector<double> repeats_flops;  ///< rising
  double passed_s = 0;
  double waited = 0;       ///< the part of its time in which the thread wanted a core and had none
  double other_cores = 0;  ///< how many cores others kept busy, on average
  int cores = 1;

  [[nodiscard]] double part_flops(double part) const;  ///< below which this part of the repeats lies
  [[nodiscard]] double median_flops() const { return part_flops(0.5); }
  /// What others did to the measurement, a sentence each; none where the machine was idle besides.
  [[nodiscard]] std::vector<std::string> disturbances() const;
};

/// Repeats until the time is over, five times at least, after one repeat that is not counted, in which the core takes
/// up its speed. `run` computes something and returns its flop.
/// @throws Interrupted where the core is stopped before.
MachineSpeed measure_speed(MeasuredCore& core, const SpeedPlan& plan, const std::function<double()>& run);

/// As people, YAML and SimGrid's XML write a speed: "3.412Gf".
std::string speed_text(double flops);

/// A speed that was measured of this machine, and when: "2026-11-26".
struct RecordedSpeed {
  double flops = 0;
  std::string day;
};
/// Where it is kept: by host and processor, in the user's cache. "" where there is none.
std::string speed_file();
std::optional<RecordedSpeed> recorded_speed();
/// False where it cannot be kept, which is no error.
bool record_speed(const RecordedSpeed& speed);

}  // namespace nowsim

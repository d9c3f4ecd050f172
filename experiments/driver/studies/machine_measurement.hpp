// This machine measured: how fast one of its cores computes, and what its owner leaves of it, interval by interval.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/owners/proc_stat.hpp"

namespace nowsim {

/// C += A·B for matrices of 128 x 128, whose rows a core's second-level cache holds: for each element of C 128 products
/// and as many sums. The loops are plain C++, which the compiler turns into vector operations of its least common
/// processor (of x86-64: SSE2, two numbers at once; no fused multiply-add).
class DenseProduct {
 public:
  static constexpr std::size_t kOrder = 128;
  static constexpr double kFlop = 2.0 * kOrder * kOrder * kOrder;  ///< of one product: sums and products alike

  DenseProduct();
  /// Computes one more. @returns kFlop.
  double run();
  /// An element's sum of all products so far.
  [[nodiscard]] double element(std::size_t row, std::size_t column) const { return c_[row * kOrder + column]; }

 private:
  std::vector<double> a_, b_, c_;
};

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

/// The machine that is recorded, and its clock: goes on while the machine sleeps, is never set, and counts seconds
/// since 1970 (UTC) from when it was made.
class RecordedMachine {
 public:
  virtual ~RecordedMachine() = default;
  [[nodiscard]] virtual double now_s() const = 0;
  /// Returns at that moment, or when the recording shall stop.
  virtual void sleep_until(double moment_s) = 0;
  [[nodiscard]] virtual ProcStat look() = 0;
  [[nodiscard]] virtual bool is_stopped() const = 0;
};

/// How often, and how long; for ever where nothing is said.
struct RecordingPlan {
  double interval_s = 10;
  std::optional<double> duration_s;
};

/// The header line of a recorded trace. A row's stamp is when its interval begins, which is when its values do.
inline constexpr const char* kRecordedColumns = "timestamp,availability,utilisation_percent,waiting";

/// Takes a row as soon as it is known.
using RowSink = std::function<void(const std::string& row)>;

/// Records intervals one after another, at moments that do not drift, the first at a whole second: mean utilisation and
/// what it leaves (load_between()), with ten looks in each, or one a second, at the tasks that run or wait. An interval
/// that began and did not end is left out. Where the machine slept, the row's stamp and the next one are further apart.
/// @returns the number of rows. @throws what `look` and `add` throw.
std::size_t record_trace(RecordedMachine& machine, const RecordingPlan& plan, const RowSink& add);

}  // namespace nowsim

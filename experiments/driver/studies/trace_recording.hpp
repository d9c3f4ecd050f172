// Recording this machine's availability: when to look, what a row says, and when to end.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "sim/owners/proc_stat.hpp"

namespace nowsim {

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

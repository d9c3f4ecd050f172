// Work told as time on a machine, as people know their programs: 10h, 40 machine-hours of desk1, 90min at 2.5Gf.
#pragma once

#include <optional>
#include <string>

#include "sim/platform/platform.hpp"

namespace nowsim {

/// So much work as one core of a machine does in a time that its owner leaves it alone.
struct MachineTime {
  double time_s = 0;
  std::string text;                        ///< as the time was written: "40 machine-hours"
  std::string machine = {};                ///< "of NAME"; "": any, if all have one speed
  std::optional<double> speed_flops = {};  ///< "at SPEED", in place of a machine
};

/// Reads "TIME", "TIME of MACHINE" or "TIME at SPEED", where the time has a unit: that of a time (10h), or
/// machine-, core- or CPU-seconds, -minutes, -hours, -days or -weeks (also of one, and with a blank for the hyphen).
/// Nothing where the text is no such thing, as 3.6e15 or 3.6Pf are not. @throws InputError where it begins as one and
/// goes on as none, for a time below 0 and for a speed without a unit.
std::optional<MachineTime> machine_time_of(const std::string& text);
/// Whether it says so itself, as `40 machine-hours` does and `10h` does not, which elsewhere may be a time.
bool is_named_machine_time(const std::string& text);

/// The work [flop] on these machines. @throws InputError where they differ in speed and none is named, which lists ways
/// to name one, or where there is none of that name.
double work_flop(const MachineTime& time, const Platform& machines);

/// "360 Tflop, at 2.5 Gflop/s". @throws as work_flop().
std::string machine_time_text(const MachineTime& time, const Platform& machines);

/// The key that may be told as a bare time, 10h: that of all the job's work.
inline constexpr const char* kWorkKey = "job.work";

/// A key's or flag's work [flop]: a quantity of work, or a machine time, of which a bare time only where those are
/// taken.
/// @throws InputError, no place.
double parse_work(const std::string& text, const Platform& machines, bool takes_bare_times);

}  // namespace nowsim

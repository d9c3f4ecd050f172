// It is text, and never depends on when it is read.
#include "experiments/driver/reading/run_start.hpp"

#include "sim/base/clock_text.hpp"

namespace nowsim {

std::optional<ClockMoment> read_run_start(Reading& reading) {
  Reader read(reading, {"run"});
  const std::string text = read.text("start", "");
  if (text.empty()) return std::nullopt;
  try {
    return lasting_moment(read_clock_text(text), text);
  } catch (const InputError& e) {
    read.problem("start", e.sentence());
    return std::nullopt;
  }
}

}  // namespace nowsim

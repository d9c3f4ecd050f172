// /proc/stat, and the load since the start.
#include "sim/owners/proc_stat.hpp"

#include <stdexcept>

#include "tests/fuzz/targets.hpp"

namespace nowsim::test {

void fuzz_proc_stat(std::string_view input) {
  const ProcStat stat = parse_proc_stat(std::string(input), "/proc/stat");
  const MachineLoad load = load_between(ProcStat{}, stat, stat.runnable);
  if (!(load.availability > 0 && load.availability <= 1)) throw std::logic_error("an availability that is no share");
}

}  // namespace nowsim::test

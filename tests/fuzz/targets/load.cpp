// Load traces in any format: what is read can be written as CSV and as a profile, and read again.
#include <stdexcept>

#include "experiments/driver/reading/load_formats.hpp"
#include "sim/base/error.hpp"
#include "tests/fuzz/input_file.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/fuzz/targets/trace_promises.hpp"

namespace nowsim::test {

void fuzz_load(std::string_view input) {
  const InputFile file(input);
  const LoadFile read = read_load(file.path(), {});
  check_promises(read.loads.front().trace);
  for (const auto format : {LoadFormat::csv, LoadFormat::profile}) {
    std::vector<std::string> assumptions;
    const InputFile written(write_load(read.loads.front().trace, format, assumptions));
    try {
      LoadReading reading{.format = format};
      if (format == LoadFormat::csv) reading.gaps = GapRule::hold;
      read_load(written.path(), reading);
    } catch (const InputError& e) {
      throw std::logic_error("what is written cannot be read: " + std::string(e.what()));
    }
  }
}

}  // namespace nowsim::test

// libFuzzer's entry for one of the targets, NOWSIM_FUZZ_TARGET: what must not be ends the process, and the input is
// kept.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "tests/fuzz/targets.hpp"
#include "tests/fuzz/verdict.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::string fault = nowsim::test::fault_of([&] { nowsim::test::NOWSIM_FUZZ_TARGET(input); }, input);
  if (fault.empty()) return 0;
  std::fprintf(stderr, "FAULT: %s\n", fault.c_str());
  std::abort();
}

// Memory limits: what a lowered limit leaves, and the sentence for what does not fit.
#include "sim/base/memory_limit.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cmath>

#include "sim/base/error.hpp"
#include "sim/platform/worker_process.hpp"
#include "tests/skips.hpp"

using namespace nowsim;

namespace {

/// What `available_memory_bytes` gives in a process with a limit of so many bytes.
double available_under(__rlimit_resource resource, rlim_t bytes) {
  return std::stod(in_child_process([&] {
    const rlimit limit{bytes, bytes};
    setrlimit(resource, &limit);
    return std::to_string(available_memory_bytes());
  }));
}

}  // namespace

TEST_CASE("the memory there is lies between nothing and what the machine has", "[reads][memory_limit]") {
  const double machine = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  const auto available = static_cast<double>(available_memory_bytes());
  CHECK(available > 1e6);
  CHECK(available <= machine);
}

TEST_CASE("limits of the process lower the memory there is by what it uses already", "[memory_limit]") {
  if (test::is_sanitized()) {
    test::skipped("sanitizers", "the address sanitizer takes terabytes of address space");
    return;
  }
  constexpr rlim_t kLimit = 4'000'000'000;
  for (const auto resource : {RLIMIT_AS, RLIMIT_DATA}) {
    const double available = available_under(resource, kLimit);
    CHECK(available > 0);
    CHECK(available < 4e9);
  }
  CHECK(available_under(RLIMIT_DATA, 1000) == 0);
}

TEST_CASE("what needs more memory than there is is refused with the estimate", "[memory_limit]") {
  CHECK_NOTHROW(require_memory(0, "nothing"));
  CHECK_NOTHROW(require_memory(1000, "a small platform"));
  CHECK_THROWS_WITH(require_memory(3.04e15, "a platform of 10^12 workstations"),
                    Catch::StartsWith("a platform of 10^12 workstations would need about 3.04 PB of memory; this ") &&
                        Catch::EndsWith("B free"));
  CHECK_THROWS_WITH(require_memory(2.5e30, "it"), Catch::Contains("2.5e+12 EB"));
  CHECK_THROWS_AS(require_memory(std::nan(""), "it"), InputError);
}

// Random programs on random networks: some of them on both engines, and what shrinking leaves of a failing one.
#include "tools/verify/random_case.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace nowsim;

namespace {

bool has(const RandomCase& one, RandomOperation::Kind kind) {
  return std::ranges::any_of(one.program, [kind](const RandomOperation& op) { return op.kind == kind; });
}

/// As if a program failed that takes from any rank, and computes after that.
bool is_suspicious(const RandomCase& one) {
  const auto collects = [](const RandomOperation& op) {
    return op.kind == RandomOperation::Kind::collect && op.pairs.size() > 1;
  };
  const auto from = std::ranges::find_if(one.program, collects);
  return std::find_if(from, one.program.end(), [](const RandomOperation& op) {
           return op.kind == RandomOperation::Kind::compute;
         }) != one.program.end();
}

}  // namespace

TEST_CASE("Random programs on random networks give the same on both engines", "[computes][reads][random-programs]") {
  for (std::uint64_t network = 0; network < 2 * random_network_kinds().size(); ++network) {
    const RandomComparison found = compare_engines_on(network);
    INFO(random_network_kinds()[network % random_network_kinds().size()] << ", network " << network << ", program "
                                                                        << found.failing.value_or(0));
    CHECK(!has_failed(found.agreement));
  }
}

TEST_CASE("Random programs are the same each time, and use every operation", "[random-programs]") {
  CHECK(case_text(random_case(7, 3)) == case_text(random_case(7, 3)));
  CHECK(case_text(random_case(7, 3)) != case_text(random_case(7, 4)));
  for (int kind = 0; kind <= static_cast<int>(RandomOperation::Kind::reduce); ++kind) {
    bool found = false;
    for (std::uint64_t program = 0; program < 100 && !found; ++program)
      found = has(random_case(2, program), static_cast<RandomOperation::Kind>(kind));
    CHECK(found);
  }
}

TEST_CASE("A failing program is made smaller as long as it fails", "[random-programs]") {
  std::uint64_t shrunk = 0;
  for (std::uint64_t program = 0; program < 40; ++program) {
    const RandomCase failing = random_case(4, program);
    if (!is_suspicious(failing)) continue;
    ++shrunk;
    const RandomCase smallest = smallest_failing(failing, is_suspicious);
    REQUIRE(smallest.program.size() == 2);
    CHECK(smallest.program[0].pairs.size() == 2);
    CHECK(smallest.program[0].patience_s == 0);
    CHECK(smallest.network.speeds_flops.size() <= 3);
    CHECK(smallest.network.links.size() == 1);
    CHECK(case_text(smallest).find(" takes from any: ") < case_text(smallest).find(" computes "));
    CHECK(compare_engines(smallest).kind != Agreement::Kind::failed);
  }
  CHECK(shrunk > 2);
}

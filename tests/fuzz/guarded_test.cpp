// What finds faults finds them: crashes, loops, memory, other exceptions and messages that are none for people.
#include "tests/fuzz/guarded.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <new>
#include <vector>

#include "sim/base/error.hpp"
#include "tests/fuzz/mutations.hpp"
#include "tests/fuzz/verdict.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

TEST_CASE("Inputs that crash, never end or take all memory are named, and the others are judged", "[reads][fuzz]") {
  const auto fault_of_input = [](std::size_t i) -> std::string {
    if (i == 1) std::abort();
    if (i == 2)
      for (volatile bool forever = true; forever;) {
      }
    if (i == 3)
      for (std::vector<std::vector<char>> kept;;) kept.emplace_back(std::size_t{1} << 20, 'x');
    return i == 5 ? "a fault" : "";
  };
  const auto faults = faults_among(7, fault_of_input, {0.5, std::uint64_t{1} << 30});
  REQUIRE(faults.size() == 4);
  CHECK(faults[0].input == 1);
  CHECK_THAT(faults[0].what, Contains("its process failed"));
  CHECK(faults[1].input == 2);
  CHECK_THAT(faults[1].what, Contains("not ended"));
  CHECK(faults[2].input == 3);
  CHECK_THAT(faults[2].what, Contains("memory") || Contains("not ended"));
  CHECK(faults[3].input == 5);
  CHECK(faults[3].what == "a fault");
}

TEST_CASE("Only sentences for people may be thrown", "[fuzz]") {
  CHECK(fault_of([] {}, "") == "");
  CHECK(fault_of([] { throw InputError("a number is wanted"); }, "") == "");
  CHECK(fault_of([] { throw RunError("a process ended"); }, "") == "");
  CHECK_THAT(fault_of([] { throw InputError(""); }, ""), Contains("without words"));
  CHECK_THAT(fault_of([] { throw InputError("stoi"); }, "x"), Contains("speaks of 'stoi'"));
  CHECK(fault_of([] { throw InputError("'stoi' is no number"); }, "speed: stoi") == "");
  CHECK_THAT(fault_of([] { throw InputError("at 0x55e0a1b2"); }, ""), Contains("address"));
  CHECK_THAT(fault_of([] { throw InputError(std::string(50'000, '9')); }, ""), Contains("50000 bytes"));
  CHECK_THAT(fault_of([] { throw std::bad_alloc(); }, ""), Contains("no InputError"));
}

TEST_CASE("A mutated input depends on its seed alone", "[fuzz]") {
  const std::vector<std::string> texts{"a: 1\nb: {c: 2, d: [3, 4]}\n", "<a b=\"1\"><c/></a>\n"};
  for (const auto dialect : {Dialect::words, Dialect::table, Dialect::yaml, Dialect::xml, Dialect::bytes})
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      Draw one(seed), other(seed);
      CHECK(mutated(texts, dialect, one) == mutated(texts, dialect, other));
    }
  Draw empty(1);
  for (int i = 0; i < 1000; ++i) mutated({""}, Dialect::yaml, empty);
}

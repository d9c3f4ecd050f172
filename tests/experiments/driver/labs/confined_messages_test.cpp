// What a process of a student's code may say: read, or found to make no sense, whatever bytes it writes.
#include "experiments/driver/labs/confined_messages.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "workloads/farm/self_scheduling.hpp"

using namespace nowsim;
using Catch::Contains;

namespace {

std::string bytes_of(double value) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

}  // namespace

TEST_CASE("A description says what a technique is called and which variables its functions have",
          "[reads][lab][confined]") {
  const auto found = described_technique("half\ntechnique mine (mine.py, line 3)\nK P mean\nits batch\nR");
  REQUIRE(found);
  CHECK(found->summary == "half");
  CHECK(found->chunk.by == "technique mine (mine.py, line 3)");
  CHECK(found->chunk.variables.size() == 3);
  REQUIRE(found->batch);
  CHECK(found->batch->variables == variables_by_name(std::vector<std::string>{"R"}));
  CHECK(described_technique("half\nmine\n")->chunk.variables.empty());
  CHECK(described_technique("half\nmine\nR\nbatch\n")->batch->variables.empty());
}

TEST_CASE("A description that the script does not write is none", "[lab][confined][error]") {
  std::string many;
  for (int k = 0; k < 100; ++k) many += "K ";
  for (const std::string& said :
       {std::string(), std::string("\n"), std::string("half"), "half\nmine\n" + many, "half\nmine\nK\nbatch\n" + many,
        std::string("half\nmine\nnosuch"), std::string("half\n \nR"), std::string("half\nmine\nR\nbatch\nR\nR"),
        std::string(8000, '\n'), std::string("half\nmine\nR\0", 12)})
    CHECK_FALSE(described_technique(said));
  CHECK(described_technique(std::string(8000, '\x1b') + "\nmine\nR")->summary.size() == 4000);  // of 1000, as \x1b
}

TEST_CASE("An answer is eight bytes", "[lab][confined]") {
  CHECK(answered_number(bytes_of(2.5)) == 2.5);
  CHECK(std::isnan(*answered_number(bytes_of(std::numeric_limits<double>::quiet_NaN()))));
  for (const std::string& said : {std::string(), std::string("1234567"), std::string("123456789")})
    CHECK_FALSE(answered_number(said));
}

TEST_CASE("Who asks for a parameter's value gets it, or a sentence", "[lab][confined]") {
  CHECK(value_message("time 1min") == "v" + bytes_of(60));
  CHECK(value_message("count 3") == "v" + bytes_of(3));
  for (const char* asked : {"", " ", "time", "time ", "speed 1Gf", "time 1 parsec", "number nan"})
    CHECK_THAT(value_message(asked), Catch::StartsWith("e") && !Catch::Equals("e"));
}

TEST_CASE("A request has a number of eight bytes for each variable", "[lab][confined]") {
  const LoopState state(100, std::vector<double>{1, 1}, {});
  const auto size = [&state](const std::vector<std::string>& names) {
    return request_message({true, false, 7}, variables_by_name(names), state, 0).size();
  };
  CHECK(size({}) == 8);
  CHECK(size({"R", "P", "mean"}) == 8 + 3 * 8);
  CHECK(request_message({true, true, 7}, {}, state, 0) == std::string("\3\0\0\0\7\0\0\0", 8));
  CHECK(request_message({}, variables_by_name(std::vector<std::string>{"R"}), state, 0) ==
        std::string(8, '\0') + std::string("\144\0\0\0\0\0\0\0", 8));
}

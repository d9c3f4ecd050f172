// Patterns of host names: what they stand for, and what cannot be one.
#include "sim/base/host_patterns.hpp"

#include <catch2/catch.hpp>

#include "sim/base/error.hpp"

using namespace nowsim;
using Names = std::vector<std::string>;

TEST_CASE("A pattern stands for names in its order, with leading zeros, the last brackets fastest", "[reads][hosts]") {
  const std::vector<std::pair<std::string, Names>> table{
      {"desk1", {"desk1"}}, {"a-b.example.org", {"a-b.example.org"}}, {"n[7]", {"n7"}}, {"n[007]", {"n007"}},
      {"fast-[0-3]", {"fast-0", "fast-1", "fast-2", "fast-3"}}, {"n[0-2,8]x", {"n0x", "n1x", "n2x", "n8x"}},
      {"n[8,0-1]", {"n8", "n0", "n1"}}, {"n[9-11]", {"n9", "n10", "n11"}}, {"[1-2]", {"1", "2"}},
      {"node[08-11]", {"node08", "node09", "node10", "node11"}}, {"n[00-02]", {"n00", "n01", "n02"}},
      {"n[099-101]", {"n099", "n100", "n101"}}, {"r[1-2]n[01-02]", {"r1n01", "r1n02", "r2n01", "r2n02"}},
      {"[1,2][3,4]", {"13", "14", "23", "24"}}};
  for (const auto& [word, names] : table) CHECK(expand_host_pattern(word) == names);
  CHECK(expand_host_pattern("n[09-100]").back() == "n100");
}

TEST_CASE("As many names as there may be, and no more", "[hosts]") {
  CHECK(expand_host_pattern("n[1-100000]").size() == kMostPatternNames);
  CHECK(expand_host_pattern("n[1-100,200-299][1-500]").size() == kMostPatternNames);
  for (const char* word : {"n[0-100000]", "n[0-1,5-100003]", "n[1-1000][1-101]", "n[0-999999999999999999]"})
    CHECK_THROWS_WITH(expand_host_pattern(word),
                      "'" + std::string(word) + "' stands for more than 100000 workstations");
}

TEST_CASE("Every wrong pattern is one sentence", "[hosts][error]") {
  const std::vector<std::pair<std::string, std::string>> table{
      {"n[]", "'n[]' has brackets with '' where a whole number belongs, as in [0-15] or [0-3,8]"},
      {"n[1-]", "has brackets with '' where a whole number belongs"},
      {"n[-1]", "has brackets with '' where a whole number belongs"},
      {"n[1,]", "has brackets with '' where a whole number belongs"},
      {"n[1-2-3]", "has brackets with '2-3' where a whole number belongs"},
      {"n[a-c]", "has brackets with 'a' where a whole number belongs"},
      {"n[ 1]", "has brackets with ' 1' where a whole number belongs"},
      {"n[5-3]", "'n[5-3]' has a range that runs backwards: 5-3"},
      {"n[1-016]", "has a range whose ends differ in their leading zeros: 1-016"},
      {"n[01-016]", "has a range whose ends differ in their leading zeros: 01-016"},
      {"n[0-3", "'n[0-3' has a [ without its ]"},
      {"n[0-[3]]", "has a [ without its ]"},
      {"n0-3]", "'n0-3]' has a ] without its ["},
      {"n[1]2]", "has a ] without its ["},
      {"n[1234567890123456789]", "has a number of more than 18 digits"},
  };
  for (const auto& [word, sentence] : table) CHECK_THROWS_WITH(expand_host_pattern(word), Catch::Contains(sentence));
}

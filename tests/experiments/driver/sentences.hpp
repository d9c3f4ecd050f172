// Tables of what is given and what is said of it.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

namespace nowsim::test {

using Sentences = std::vector<std::pair<std::string, std::string>>;

/// Of each one thing is said, in a line that begins so and has its sentence.
template <class SaidOf>
void check_said(const SaidOf& said_of, const std::string& beginning, const Sentences& table) {
  for (const auto& [given, sentence] : table) {
    INFO(given);
    const std::string said = said_of(given);
    CHECK_THAT(said, Catch::StartsWith(beginning) && Catch::Contains(sentence));
    CHECK(std::count(said.begin(), said.end(), '\n') == 1);
  }
}

}  // namespace nowsim::test

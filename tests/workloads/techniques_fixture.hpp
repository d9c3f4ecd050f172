// The built-in techniques, as tests name them.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "workloads/farm/self_scheduling.hpp"

namespace nowsim::test {

inline const Registry<Technique>& techniques() {
  static const Registry<Technique> all = builtin_techniques();
  return all;
}

inline const Technique& technique(const std::string& name) {
  const Technique* found = techniques().find(name);
  REQUIRE(found != nullptr);
  return *found;
}

/// Its place among the words of `technique`.
inline double position_of(const std::string& name) {
  const auto words = words_in(techniques());
  return static_cast<double>(std::ranges::find(words, name) - words.begin());
}

}  // namespace nowsim::test

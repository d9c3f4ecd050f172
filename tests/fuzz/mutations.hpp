// Structured mutations of input texts: keys, values, lines, elements and bytes that are not what a reader expects.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/statistics/random.hpp"

namespace nowsim::test {

/// What a text is made of, which decides what may happen to it besides what may happen to any text.
enum class Dialect { words, table, yaml, xml, bytes };

/// Draws that depend on one number alone, on every machine.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : stream_(StreamKey{seed}) {}
  /// From 0 to n - 1; 0 for n = 0.
  std::size_t below(std::size_t n);
  template <class T>
  const T& of(const std::vector<T>& items) {
    return items.at(below(items.size()));
  }

 private:
  Stream stream_;
};

/// One of the texts after one to four mutations.
std::string mutated(const std::vector<std::string>& texts, Dialect dialect, Draw& draw);

/// A value that nobody expects: huge, tiny, negative, empty, a formula, a deep nest, long, foreign or binary.
std::string awkward(Draw& draw);

}  // namespace nowsim::test

// Names in a sentence: all of a few, the first of many.
#pragma once

#include <string>
#include <vector>

namespace nowsim {

/// "a, b, c", or of more than ten the first ten and how many more.
inline std::string some_names(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 10;
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < kMost; ++i) text += (i > 0 ? ", " : "") + names[i];
  return names.size() <= kMost ? text : text + " and " + std::to_string(names.size() - kMost) + " more";
}

}  // namespace nowsim

// Lists of names in sentences: whether one is there, which is near, all in a row.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "sim/base/text.hpp"

namespace nowsim {

using Words = std::vector<std::string>;

inline bool contains(const Words& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// "; did you mean 'TH'?", or nothing where no name is near.
inline std::string did_you_mean(const std::string& name, const Words& known) {
  const std::string near = nearest_name(name, known);
  return near.empty() ? "" : "; did you mean '" + near + "'?";
}

/// "a, b, c".
inline std::string joined(const Words& words) {
  std::string out;
  for (const auto& word : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

}  // namespace nowsim

// Names and words in sentences and commands: which are near, all in a row, in quotes.
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

/// Which of the known names may be meant by one that is not known: the nearest, or up to three that are equally near.
/// Names may have parts, owner.TH or labs/lab-night. In this order: the same but for capitals, or few letters off; the
/// last part alone, or after wrong ones, likewise; what begins with the name; what holds it.
Words near_names(const std::string& name, const Words& known);

/// "; did you mean 'TH'?", "; did you mean 'owner.TH' or 'bandwidth.TH'?", or nothing where no name is near. What is
/// written before each name, such as its block, has no part in how near it is.
std::string did_you_mean(const std::string& name, const Words& known, const std::string& before = "");

/// "a, b, c".
inline std::string joined(const Words& words) {
  std::string out;
  for (const auto& word : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

/// A key without its block: "set" of platform.set.
inline std::string short_key(const std::string& key) { return key.substr(key.rfind('.') + 1); }

/// A word of a command as a shell reads it back: in quotes where it would take it apart.
std::string shell_word(const std::string& word);

}  // namespace nowsim

// What a command is carried out with: what it knows, and where it writes.
#pragma once

#include <iosfwd>
#include <map>
#include <string>

#include "experiments/driver/reading/yaml_tree.hpp"
#include "sim/base/clock_text.hpp"

namespace nowsim {

struct Registries;

/// Made by whoever carries out a line: the program of its streams, Python of texts that it takes.
struct Session {
  const Registries& known;
  std::ostream& out;                                  ///< answers
  std::ostream& error;                                ///< what there is to say besides
  std::map<std::string, YamlNode> descriptions = {};  ///< experiments that no file holds, by what stands for one
  double (*now_s)() = clock_now_s;                    ///< what time it is: UTC since 1970

  /// The description that a word means; null where it is a file's name.
  [[nodiscard]] const YamlNode* described(const std::string& word) const {
    const auto found = descriptions.find(word);
    return found == descriptions.end() ? nullptr : &found->second;
  }
};

}  // namespace nowsim

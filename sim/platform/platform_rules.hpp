// What a platform's file may say: each element, attribute and number that nowsim relies on is checked before SimGrid,
// which ends the process over some mistakes and passes over others, sees any of it. Part of the platform loader
// (read_platform.hpp).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/base/error.hpp"

namespace pugi {
class xml_document;
}

namespace nowsim {

/// A file's tree, and where its nodes stand.
struct PlatformText {
  const pugi::xml_document& tree;
  const std::string& text;
  const std::string& file;
  /// The line at an offset of the text, and what is spoken of.
  [[nodiscard]] Place place(std::ptrdiff_t offset, const std::string& key) const;
};

/// Allowed is what is in a list: elements, their attributes, settings (<config>), values in their ranges. Zones are
/// nested 256 deep at most, and the machine has memory for what elements such as <cluster> make.
/// @return remarks: settings that have no effect. @throws InputError for the first that is wrong, with file, line,
/// attribute, what was found and what is wanted.
std::vector<std::string> check_rules(const PlatformText& platform);

}  // namespace nowsim

// The text of a platform's file and its tree, while it is being checked. Part of the loader (read_platform.hpp).
#pragma once

#include <cstddef>
#include <string>

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

}  // namespace nowsim

// How wide a text is on a terminal, for columns that line up.
#pragma once

#include <algorithm>
#include <string>

namespace nowsim {

/// Characters of UTF-8 text; wide ones (Chinese, Japanese, Korean) count as one.
inline std::size_t shown_width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace nowsim

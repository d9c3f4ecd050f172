// How wide a text is on a terminal, for columns that line up.
#pragma once

#include <algorithm>
#include <string>

namespace nowsim {

/// Characters of UTF-8 text; wide ones (Chinese, Japanese, Korean) count as one.
inline std::size_t shown_width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

/// A long text's beginning, so many whole characters with the sign that it goes on.
inline std::string shortened(const std::string& text, std::size_t most) {
  if (shown_width(text) <= most) return text;
  std::size_t bytes = 0, shown = 0;
  for (; bytes < text.size(); ++bytes)
    if ((text[bytes] & 0xC0) != 0x80 && ++shown == most) break;
  return text.substr(0, bytes) + "…";
}

}  // namespace nowsim

// Filling lines word by word.
#include "experiments/driver/text/wrapped_text.hpp"

#include <algorithm>
#include <sstream>

#include "experiments/driver/text/text_table.hpp"

namespace nowsim {
namespace {

/// How many bytes its first characters have.
std::size_t bytes_of_first(const std::string& word, std::size_t characters) {
  std::size_t bytes = 0;
  for (std::size_t seen = 0; bytes < word.size(); ++bytes)
    if ((word[bytes] & 0xC0) != 0x80 && ++seen > characters) break;
  return bytes;
}

/// A word's beginning that fits: up to a mark in its second half, or all that there is room for.
std::string begin_that_fits(const std::string& word, std::size_t width) {
  const std::size_t most = bytes_of_first(word, width), mark = word.find_last_of("/._-,:=", most - 1);
  return word.substr(0, mark != word.npos && mark + 1 >= most / 2 ? mark + 1 : most);
}

}  // namespace

std::vector<std::string> broken_lines(const std::string& text, std::size_t width) {
  width = std::max<std::size_t>(width, 1);
  std::vector<std::string> lines(1);
  std::istringstream in(text);
  for (std::string word; in >> word;) {
    const std::size_t used = lines.back().empty() ? 0 : shown_width(lines.back()) + 1;
    if (used > 0 && used + shown_width(word) <= width) {
      lines.back() += " " + word;
      continue;
    }
    if (used > 0) lines.emplace_back();
    for (; shown_width(word) > width; lines.emplace_back()) {
      lines.back() = begin_that_fits(word, width);
      word.erase(0, lines.back().size());
    }
    lines.back() = word;
  }
  return lines;
}

std::size_t widest_word(const std::string& text) {
  std::size_t widest = 0;
  std::istringstream in(text);
  for (std::string word; in >> word;) widest = std::max(widest, shown_width(word));
  return widest;
}

}  // namespace nowsim

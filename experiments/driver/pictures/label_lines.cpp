// Word by word, each with its markup.
#include "experiments/driver/pictures/label_lines.hpp"

#include <algorithm>
#include <sstream>
#include <string>

#include "experiments/driver/text/text_table.hpp"

namespace nowsim {
namespace {

/// Words of a label, each with the parts that it consists of.
std::vector<Label> label_words(const Label& label) {
  std::vector<Label> words(1);
  for (const auto& [text, shift] : label.parts) {
    if (!shift.empty()) {
      words.back().parts.push_back({text, shift});
      continue;
    }
    std::istringstream pieces(text);
    bool is_first = true;
    for (std::string piece; std::getline(pieces, piece, ' '); is_first = false) {
      if (!is_first) words.emplace_back();
      if (!piece.empty()) words.back().parts.push_back({piece, ""});
    }
    if (text.ends_with(' ')) words.emplace_back();
  }
  std::erase_if(words, [](const Label& word) { return word.empty(); });
  return words;
}

}  // namespace

std::vector<Label> label_lines(const Label& label, std::size_t width) {
  if (label.width() <= width) return {label};
  std::vector<Label> lines(1);
  for (const auto& word : label_words(label)) {
    if (!lines.back().empty() && lines.back().width() + 1 + word.width() > width) lines.emplace_back();
    lines.back() += lines.back().empty() ? word : " " + word;
  }
  return lines;
}

Label shortened_label(const Label& label, std::size_t width) {
  if (label.width() <= width) return label;
  Label out;
  for (const auto& [text, shift] : label.parts) {
    const std::size_t left = width - std::min(width, out.width());
    if (left == 0) break;
    out.parts.push_back({shortened(text, left), shift});
  }
  return out;
}

}  // namespace nowsim

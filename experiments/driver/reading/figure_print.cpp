// Words and millimetres.
#include "experiments/driver/reading/figure_print.hpp"

#include "sim/base/text.hpp"

namespace nowsim {
namespace {

constexpr Bounds kLength_mm{30, 500}, kLetters_pt{4, 36};

/// "85" or "85mm"; nothing where it is neither.
std::optional<double> length_mm(std::string text) {
  if (text.ends_with("mm")) text = trimmed(text.substr(0, text.size() - 2));
  const auto value = to_number(text);
  return value && *value >= kLength_mm.least && *value <= kLength_mm.most ? value : std::nullopt;
}

/// A side of the page; words are widths.
std::optional<double> side_mm(const std::string& text, bool is_width) {
  if (is_width && text == "single") return kSingleColumn_mm;
  if (is_width && text == "double") return kDoubleColumn_mm;
  return length_mm(text);
}

void read_size(MapBlock& block, FigurePrint& out) {
  if (!block.has("size")) return;
  const auto sides = block.read().texts("size");
  if (sides.empty() || sides.size() > 2) return block.problem("size", kSizeWanted);
  const auto width = side_mm(sides.front(), true), height = side_mm(sides.back(), false);
  if (!width || (sides.size() == 2 && !height)) return block.problem("size", kSizeWanted);
  out.width_mm = *width;
  if (sides.size() == 2) out.height_mm = *height;
}

}  // namespace

KeyTable figure_print_keys() {
  return {{"title", KeyType::text, "", "above it; the experiment's where not given; none"},
          {"size", KeyType::text, "",
           "as printed: single, double (a paper's columns of 85 and 176 mm), or mm: width, height", {}, {}, true},
          {"font_size", KeyType::number, "", "of its letters as printed, in pt; 8 where a size is given, else 9",
           kLetters_pt},
          {"footer", KeyType::word, "true", "whether it says below how its results came about", {}, flag_words()}};
}

FigurePrint read_figure_print(MapBlock& block) {
  FigurePrint out;
  Reader& read = block.read();
  if (block.has("title")) {
    const std::string title = read.text("title");
    out.title = title == "none" ? "" : title;
  }
  read_size(block, out);
  if (block.has("font_size")) out.letters_pt = read.value("font_size");
  out.has_footer = read.flag("footer");
  return out;
}

}  // namespace nowsim

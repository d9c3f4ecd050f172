#include "experiments/driver/pictures/label.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <sstream>
#include <utility>

#include "experiments/driver/text/text_table.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_letter_or_digit(char c) { return is_letter(c) || is_digit(c); }

/// The letters' names, and the letters.
const std::map<std::string, std::string>& greek() {
  static const std::map<std::string, std::string> table{
      {"alpha", "α"},  {"beta", "β"},  {"gamma", "γ"}, {"delta", "δ"}, {"epsilon", "ε"},
      {"lambda", "λ"}, {"mu", "µ"},    {"rho", "ρ"},   {"sigma", "σ"}, {"tau", "τ"},
      {"phi", "φ"},    {"omega", "ω"}, {"Delta", "Δ"}, {"Sigma", "Σ"}};
  return table;
}

/// Reads a label, or what stands lowered or raised in one, from left to right.
class LabelReader {
 public:
  explicit LabelReader(const std::string& text, const std::string& shift = "") : text_(text), shift_(shift) {}

  Label read() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (is_letter(c))
        show(greek_or_same(take_while(is_letter)));
      else if ((c == '_' || c == '^') && at_ > 0 && text_[at_ - 1] != ' ')
        read_shifted(c);
      else
        show(std::string(1, text_[at_++]));
    }
    return std::move(out_);
  }

 private:
  void show(const std::string& text) {
    if (out_.parts.empty() || out_.parts.back().shift != shift_) out_.parts.push_back({"", shift_});
    out_.parts.back().text += text;
  }
  std::string take_while(bool (*fits)(char)) {
    const std::size_t begin = at_;
    while (at_ < text_.size() && fits(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }
  /// Letters and digits, or a decimal such as 99.9.
  std::string take_word() {
    std::string word = take_while(is_letter_or_digit);
    const bool is_number = !word.empty() && std::ranges::all_of(word, is_digit);
    if (!is_number || at_ + 1 >= text_.size() || text_[at_] != '.' || !is_digit(text_[at_ + 1])) return word;
    ++at_;
    return word + "." + take_while(is_digit);
  }
  static std::string greek_or_same(const std::string& word) {
    const auto found = greek().find(word);
    return found == greek().end() ? word : found->second;
  }
  void read_shifted(char how) {
    const std::size_t begin = at_++;
    std::string inner;
    if (const auto end = text_.find('}', at_); at_ < text_.size() && text_[at_] == '{' && end != std::string::npos) {
      inner = text_.substr(at_ + 1, end - at_ - 1);
      at_ = end + 1;
    } else {
      inner = take_word();
    }
    if (inner.empty()) return show(text_.substr(begin, at_ - begin));
    for (auto& part : LabelReader(inner, shift_ + how).read().parts) out_.parts.push_back(std::move(part));
  }

  const std::string text_, shift_;
  std::size_t at_ = 0;
  Label out_;
};

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

std::size_t shown_width_of(const std::string& text) { return shown_width(text); }
std::size_t shown_width_of(const Label& label) { return label.width(); }

/// Behind the last line where it has room there, else on a line of its own.
template <class Text>
void put_word(std::vector<Text>& lines, const Text& word, std::size_t width) {
  if (!lines.back().empty() && shown_width_of(lines.back()) + 1 + shown_width_of(word) > width) lines.emplace_back();
  lines.back() += lines.back().empty() ? word : " " + word;
}

}  // namespace

Label::Label(const std::string& text) {
  if (!text.empty()) parts.push_back({text, ""});
}

bool Label::is_plain() const {
  return std::ranges::all_of(parts, [](const LabelPart& part) { return part.shift.empty(); });
}

std::string Label::text() const {
  std::string out;
  for (const auto& part : parts) out += part.text;
  return out;
}

std::size_t Label::width() const { return shown_width(text()); }

Label& Label::operator+=(const Label& more) {
  parts.insert(parts.end(), more.parts.begin(), more.parts.end());
  return *this;
}

Label operator+(Label first, const Label& second) { return first += second; }

Label label_of(const std::string& text) { return LabelReader(shortened(text, kLongestLabel)).read(); }

Label with_unit(const Label& label, const std::string& unit) {
  return unit.empty() ? label : label + " [" + unit + "]";
}

std::string one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return std::string(trimmed(text));
}

std::string short_name(const std::string& name) { return shortened(one_line(name), kLongestLabel); }

std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
  std::vector<std::string> out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    out.emplace_back();
    for (std::string word; words >> word;) put_word(out, word, width);
  }
  return out;
}

std::vector<Label> label_lines(const Label& label, std::size_t width) {
  if (label.width() <= width) return {label};
  std::vector<Label> lines(1);
  for (const auto& word : label_words(label)) put_word(lines, word, width);
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

std::string label_html(const Label& label) {
  std::string out;
  for (const auto& [text, shift] : label.parts) {
    std::string closing;
    for (const char how : shift) {
      out += how == '_' ? "<sub>" : "<sup>";
      closing.insert(0, how == '_' ? "</sub>" : "</sup>");
    }
    for (const char c : text) out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
    out += closing;
  }
  return out;
}

}  // namespace nowsim

// Quoting for gnuplot, and a label's markup.
#include "experiments/label_text.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <sstream>
#include <utility>

#include "experiments/text_width.hpp"

namespace nowsim {
namespace {

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

/// The letters' names, and the letters.
const std::map<std::string, std::string>& greek() {
  static const std::map<std::string, std::string> table{
      {"alpha", "α"},  {"beta", "β"},  {"gamma", "γ"}, {"delta", "δ"}, {"epsilon", "ε"},
      {"lambda", "λ"}, {"mu", "µ"},    {"rho", "ρ"},   {"sigma", "σ"}, {"tau", "τ"},
      {"phi", "φ"},    {"omega", "ω"}, {"Delta", "Δ"}, {"Sigma", "Σ"}};
  return table;
}

/// Reads a label from left to right.
class LabelReader {
 public:
  explicit LabelReader(const std::string& text) : text_(text) {}

  std::string read() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (is_letter(c)) out_ += greek_or_same(take_while(is_letter));
      else if ((c == '_' || c == '^') && at_ > 0 && text_[at_ - 1] != ' ') shift(c);
      else out_ += literal_text(std::string(1, text_[at_++]));
    }
    return out_;
  }

 private:
  std::string take_while(bool (*fits)(char)) {
    const std::size_t begin = at_;
    while (at_ < text_.size() && fits(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }
  static std::string greek_or_same(const std::string& word) {
    const auto found = greek().find(word);
    return found == greek().end() ? word : found->second;
  }
  /// A lowered or raised part.
  void shift(char how) {
    const std::size_t begin = at_++;
    std::string inner;
    if (const auto end = text_.find('}', at_); at_ < text_.size() && text_[at_] == '{' && end != std::string::npos) {
      inner = text_.substr(at_ + 1, end - at_ - 1);
      at_ = end + 1;
    } else {
      inner = take_while(is_word);
    }
    out_ += inner.empty() ? literal_text(text_.substr(begin, at_ - begin))
                          : std::string(1, how) + "{" + LabelReader(inner).read() + "}";
  }

  const std::string text_;
  std::size_t at_ = 0;
  std::string out_;
};

}  // namespace

std::string script_string(const std::string& text) {
  std::string out = "'";
  bool may_double = false;  // gnuplot 5.4 reads a doubled quote only behind another character
  for (const char c : text) {
    if (c == '\'') out += may_double ? "''" : "'.\"'\".'";
    else if (c == '\n') out += "'.\"\\n\".'";
    else out += static_cast<unsigned char>(c) < 32 || c == 127 ? ' ' : c;
    may_double = c != '\'' && c != '\n';
  }
  return out + "'";
}

std::string literal_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (std::string("{}_^&~@\\").find(c) != std::string::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string label_text(const std::string& text) { return LabelReader(text).read(); }

std::size_t label_width(const std::string& enhanced) {
  std::string shown;
  for (std::size_t i = 0; i < enhanced.size(); ++i) {
    if (enhanced[i] == '\\' && i + 1 < enhanced.size()) shown += enhanced[++i];
    else if (std::string("{}_^").find(enhanced[i]) == std::string::npos) shown += enhanced[i];
  }
  return shown_width(shown);
}

std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
  std::vector<std::string> out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string current;
    for (std::string word; words >> word;) {
      if (!current.empty() && shown_width(current) + 1 + shown_width(word) > width)
        out.push_back(std::exchange(current, ""));
      current += (current.empty() ? "" : " ") + word;
    }
    out.push_back(current);
  }
  return out;
}

}  // namespace nowsim

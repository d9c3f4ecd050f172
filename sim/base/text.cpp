// Text files and numbers, without the locale.
#include "sim/base/text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <utility>
#include <version>
#ifndef __cpp_lib_to_chars
#include <fast_float/fast_float.h>
#endif

#include "sim/base/error.hpp"
#include "sim/base/user_file.hpp"
#include "sim/base/utf8.hpp"

namespace nowsim {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }

/// Bytes above 127 pass: they may be letters in a comment, in whatever encoding.
bool is_text(char c) { return static_cast<unsigned char>(c) >= 32 ? c != 127 : is_blank(c); }

/// As for_number_rows(), of numbers from `least` to `most`; any other word is `refused`.
void for_rows(const std::string& text, const std::string& file, std::string_view comments, double least, double most,
              const std::string& refused, const std::function<void(int, const std::vector<double>&)>& use) {
  int number = 0;
  std::vector<double> row;
  for (std::string_view line : TextLines(text, file)) {
    ++number;
    line = line.substr(0, line.find_first_of(comments));
    for (auto word = next_word(line); !word.empty(); word = next_word(line)) {
      const auto value = to_number(word);
      if (!value || *value < least || *value > most)
        throw InputError({file, number, ""}, quoted(word) + refused + foreign_character_hint(word));
      row.push_back(*value);
    }
    if (!row.empty()) use(number, row);
    row.clear();
  }
}

}  // namespace

TextLines::TextLines(const std::string& text, const std::string& file) : text_(text) {
  if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);
  if (std::ranges::all_of(text_, [](char c) { return is_text(c) || c == '\n' || c == '\r'; })) return;
  int number = 0;
  for (const std::string_view line : *this) {
    ++number;
    const auto bad = std::ranges::find_if_not(line, is_text);
    if (bad != line.end())
      throw InputError({file, number, ""},
                       "the byte " + std::to_string(static_cast<unsigned char>(*bad)) + " at position " +
                           std::to_string(bad - line.begin() + 1) +
                           " shows that this is not a text file; plain text in ASCII or UTF-8 is needed.");
  }
}

std::vector<double> read_numbers(const std::string& file, double most) {
  std::vector<double> numbers;
  const std::string wanted = most < kInfinity ? "from 0 to " + number_text(most) : "0 or more, such as 2.5e9";
  for_rows(read_user_file(file, kMostDataBytes), file, "#", 0, most, " is no number that is " + wanted,
           [&](int, const std::vector<double>& row) { numbers.insert(numbers.end(), row.begin(), row.end()); });
  if (numbers.empty()) throw InputError({file, 0, ""}, "there is no number in this file");
  return numbers;
}

void for_number_rows(const std::string& text, const std::string& file, std::string_view comments,
                     const std::function<void(int line, const std::vector<double>& numbers)>& use) {
  for_rows(text, file, comments, -kInfinity, kInfinity, " is no number", use);
}

std::from_chars_result number_from_chars(const char* first, const char* last, double& value) {
#ifdef __cpp_lib_to_chars
  return std::from_chars(first, last, value);
#else
  const auto [end, error] = fast_float::from_chars(first, last, value);
  return {end, error};
#endif
}

std::optional<double> to_number(std::string_view word) {
  if (word.starts_with('+') && !word.starts_with("+-")) word.remove_prefix(1);
  double x = 0;
  const auto [end, error] = number_from_chars(word.data(), word.data() + word.size(), x);
  if (error != std::errc{} || end != word.data() + word.size() || !std::isfinite(x)) return std::nullopt;
  return x;
}

std::string number_text(double x) {
  std::array<char, 32> buffer{};
  return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), x).ptr};
}

std::string short_number(double x) {
  std::array<char, 32> buffer{};
  return {buffer.data(), static_cast<std::size_t>(std::snprintf(buffer.data(), buffer.size(), "%.6g", x))};
}

std::string Quoted::operator()(std::string_view any) const {
  constexpr std::size_t kMost = 60;
  const std::string word = shown_line(any.substr(0, 8 * kMost));
  if (word.size() <= kMost) return "'" + word + "'";
  std::size_t cut = kMost;
  while (cut > 0 && (static_cast<unsigned char>(word[cut]) & 0xC0) == 0x80) --cut;  // not inside a UTF-8 character
  return "'" + word.substr(0, cut) + "...'";
}

int line_at(std::string_view text, std::size_t offset) {
  return 1 + static_cast<int>(std::ranges::count(text.substr(0, offset), '\n'));
}

std::string lower_case(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

std::string_view trimmed(std::string_view s) {
  while (!s.empty() && is_blank(s.front())) s.remove_prefix(1);
  while (!s.empty() && is_blank(s.back())) s.remove_suffix(1);
  return s;
}

std::string some_names(const std::vector<std::string>& names, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < most; ++i) text += (i > 0 ? ", " : "") + names[i];
  return names.size() <= most ? text : text + " and " + std::to_string(names.size() - most) + " more";
}

/// Damerau (1964), in the row by row form of Wagner & Fischer (1974); no part is edited twice.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last, last, row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last = std::exchange(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row.back();
}

std::size_t edits_allowed(std::string_view name) { return std::clamp<std::size_t>(name.size() / 3, 1, 3); }

std::string_view next_word(std::string_view& rest) {
  rest = trimmed(rest);
  const auto end = std::ranges::find_if(rest, is_blank);
  const std::string_view word = rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
  rest.remove_prefix(word.size());
  return word;
}

std::string nearest_name(const std::string& name, const std::vector<std::string>& known) {
  const auto is_same_letter = [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); };
  const auto is_same_word = [&](const std::string& word) { return std::ranges::equal(word, name, is_same_letter); };
  if (std::ranges::find(known, name) != known.end()) return name;
  if (const auto same = std::ranges::find_if(known, is_same_word); same != known.end()) return *same;
  const std::size_t allowed = edits_allowed(name);
  std::size_t best = allowed + 1;
  std::string out;
  for (const auto& candidate : known) {
    if (std::max(name.size(), candidate.size()) - std::min(name.size(), candidate.size()) > allowed) continue;
    const auto distance = edit_distance(name, candidate);
    if (distance < best) out = candidate;
    best = std::min(best, distance);
  }
  return out;
}

}  // namespace nowsim

// Expanding brackets one after the other.
#include "sim/base/host_patterns.hpp"

#include <algorithm>
#include <cstdint>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/base/utf8.hpp"

namespace nowsim {
namespace {

using Names = std::vector<std::string>;

[[noreturn]] void refuse_pattern(const std::string& word, const std::string& sentence) {
  throw InputError(quoted(word) + " " + sentence + lookalike_hint(word));
}
[[noreturn]] void refuse_so_many(const std::string& word) {
  refuse_pattern(word, "stands for more than " + std::to_string(kMostPatternNames) + " workstations");
}

std::uint64_t whole_number(const std::string& digits, const std::string& word) {
  constexpr std::size_t kMostDigits = 18;
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos)
    refuse_pattern(word,
                   "has brackets with " + quoted(digits) + " where a whole number belongs, as in [0-15] or [0-3,8]");
  if (digits.size() > kMostDigits) refuse_pattern(word, "has a number of more than 18 digits");
  return std::stoull(digits);
}

bool has_leading_zero(const std::string& digits) { return digits.size() > 1 && digits.front() == '0'; }

/// What stands between brackets, "0-3,8" or "01-16".
Names numbers_in(const std::string& ranges, const std::string& word) {
  Names numbers;
  for (std::size_t begin = 0; begin <= ranges.size();) {
    const std::string range = ranges.substr(begin, ranges.find(',', begin) - begin);
    begin += range.size() + 1;
    const auto dash = range.find('-');
    const std::string first = range.substr(0, dash), last = dash == std::string::npos ? first : range.substr(dash + 1);
    const std::uint64_t from = whole_number(first, word), to = whole_number(last, word);
    if (to < from) refuse_pattern(word, "has a range that runs backwards: " + range);
    if (has_leading_zero(last) && last.size() != first.size())
      refuse_pattern(word, "has a range whose ends differ in their leading zeros: " + range);
    if (to - from >= kMostPatternNames - std::min(kMostPatternNames, numbers.size())) refuse_so_many(word);
    const std::size_t digits = has_leading_zero(first) ? first.size() : 1;
    for (std::uint64_t number = from; number <= to; ++number) {
      const std::string text = std::to_string(number);
      numbers.push_back(std::string(digits - std::min(digits, text.size()), '0') + text);
    }
  }
  return numbers;
}

}  // namespace

Names expand_host_pattern(const std::string& word) {
  Names names{""};
  for (std::size_t begin = 0; begin < word.size();) {
    const std::size_t open = std::min(word.find_first_of("[]", begin), word.size());
    for (std::string& name : names) name += word.substr(begin, open - begin);
    if (open == word.size()) break;
    if (word[open] == ']') refuse_pattern(word, "has a ] without its [");
    const std::size_t close = word.find_first_of("[]", open + 1);
    if (close == std::string::npos || word[close] == '[') refuse_pattern(word, "has a [ without its ]");
    const Names numbers = numbers_in(word.substr(open + 1, close - open - 1), word), before = std::move(names);
    if (before.size() > kMostPatternNames / numbers.size()) refuse_so_many(word);
    names.clear();
    for (const std::string& name : before)
      for (const std::string& number : numbers) names.push_back(name + number);
    begin = close + 1;
  }
  return names;
}

}  // namespace nowsim

// Lines, numbers and words: reading, writing and quoting them the same way everywhere, whatever the locale.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/infinity.hpp"

namespace nowsim {

/// The lines without their ends (LF, CR LF, CR) and without a byte order mark, found while they are gone through: a
/// list of them would take many times what blank lines hold. They point into the text.
class TextLines {
 public:
  /// @throws InputError where a control character shows that this is not text.
  TextLines(const std::string& text, const std::string& file);

  class Iterator {
   public:
    explicit Iterator(std::string_view rest) : rest_(rest) { find_end(); }
    std::string_view operator*() const { return rest_.substr(0, size_); }
    Iterator& operator++() {
      const std::size_t past = rest_.substr(size_).starts_with("\r\n") ? size_ + 2 : size_ + 1;
      rest_.remove_prefix(past < rest_.size() ? past : rest_.size());
      find_end();
      return *this;
    }
    bool operator==(std::default_sentinel_t) const { return rest_.empty(); }

   private:
    void find_end() {
      size_ = 0;
      while (size_ < rest_.size() && rest_[size_] != '\n' && rest_[size_] != '\r') ++size_;
    }
    std::string_view rest_;
    std::size_t size_ = 0;
  };
  [[nodiscard]] Iterator begin() const { return Iterator(text_); }
  [[nodiscard]] static std::default_sentinel_t end() { return std::default_sentinel; }

 private:
  std::string_view text_;
};
/// As std::from_chars, which not every C++ library has for floating point; but of a number that is too large or too
/// small `value` says nothing.
std::from_chars_result number_from_chars(const char* first, const char* last, double& value);
/// The number that the whole word is, or nothing: a decimal, finite, in any locale; a leading '+' is allowed.
std::optional<double> to_number(std::string_view word);
/// The numbers of a text file, 0 to `most` each and one at least, between blanks and lines' ends; '#' begins a comment.
/// @throws InputError naming file and line.
std::vector<double> read_numbers(const std::string& file, double most = kInfinity);
/// Hands over the numbers of each line of a file's text that has any, with the line's number; what stands behind one of
/// the characters `comments` is left out. @throws InputError naming file and line where something is no number.
void for_number_rows(const std::string& text, const std::string& file, std::string_view comments,
                     const std::function<void(int line, const std::vector<double>& numbers)>& use);
/// The shortest decimal that gives x back.
std::string number_text(double x);
/// Six significant digits, for people.
std::string short_number(double x);
struct Quoted {
  std::string operator()(std::string_view word) const;
};
/// The word in quotes for an error message, long ones cut short. An object, since of functions by this name the call
/// with a std::string would mean std::quoted wherever a standard header has brought that along.
inline constexpr Quoted quoted{};
/// The line, counted from 1, that holds a position of the text.
int line_at(std::string_view text, std::size_t offset);
/// With small letters for A to Z.
std::string lower_case(std::string text);
/// Without blanks at both ends.
std::string_view trimmed(std::string_view s);
/// Takes the first word between blanks from what is left of a line; "" at its end.
std::string_view next_word(std::string_view& rest);
/// "a, b, c", or of more than `most` the first ones and how many more.
std::string some_names(const std::vector<std::string>& names, std::size_t most = 10);
/// Edits between two words: insert, delete, replace; neighbours swapped count as one (optimal string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b);
/// How many edits a misspelt name may be away: a third of its letters, at least 1, at most 3.
std::size_t edits_allowed(std::string_view name);
/// The name among `known` that differs from `name` in case alone, or the nearest by edit_distance(), or "" where
/// none is within edits_allowed().
std::string nearest_name(const std::string& name, const std::vector<std::string>& known);
/// FNV-1a: a number for a text, the same everywhere; of one text after another, from the number of those before.
constexpr std::uint64_t fnv1a(std::string_view text, std::uint64_t before = 0xcbf29ce484222325) {
  for (const char c : text) before = (before ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return before;
}

}  // namespace nowsim

// Lines, numbers and words: reading, writing and quoting them the same way everywhere, whatever the locale.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/infinity.hpp"

namespace nowsim {

/// The lines without their ends (LF, CR LF, CR) and without a byte order mark; they point into `text`.
/// @throws InputError where a control character shows that this is not text.
std::vector<std::string_view> text_lines(const std::string& text, const std::string& file);
/// The number that the whole word is, or nothing: a decimal, finite, in any locale; a leading '+' is allowed.
std::optional<double> to_number(std::string_view word);
/// The numbers of a text file, 0 to `most` each and one at least, between blanks and lines' ends; '#' begins a comment.
/// @throws InputError naming file and line.
std::vector<double> read_numbers(const std::string& file, double most = kInfinity);
/// Hands over the numbers of each line of a file's text that has any, with the line's number; what stands behind one of the
/// characters `comments` is left out. @throws InputError naming file and line where something is no number.
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
/// The name among `known` that differs from `name` in case alone, or the nearest by edit distance (insert, delete,
/// replace, swap neighbours), or "" where none is near enough (more than a third of its length, at least 1, at most 3
/// edits).
std::string nearest_name(const std::string& name, const std::vector<std::string>& known);
/// FNV-1a: a number for a text, the same everywhere; of one text after another, from the number of those before.
constexpr std::uint64_t fnv1a(std::string_view text, std::uint64_t before = 0xcbf29ce484222325) {
  for (const char c : text) before = (before ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return before;
}

}  // namespace nowsim

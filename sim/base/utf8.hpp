// Characters of a text that anybody may have written: which are whole, which a terminal or a page would obey.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace nowsim {

/// A character at the beginning of a text, or a byte that is no part of one.
struct Utf8Character {
  std::size_t bytes = 1;
  char32_t code = 0;      ///< of a byte that is no character its value
  bool is_whole = false;  ///< RFC 3629: neither cut nor written longer than it need be, no surrogate
};

/// The first character of a text that is not empty.
Utf8Character first_character(std::string_view text);
/// Whether a text may go on with the rest of a character that it ends with: how many bytes of that it has, or 0.
std::size_t begun_character(std::string_view text);

/// Whether a character acts where it is shown in place of being seen: control characters (line ends too), those that
/// turn the direction of writing, line and paragraph separators; and what is no character.
bool is_control(char32_t code);

/// For a terminal: what it would obey, but line ends and tabs, and bytes that are no character stand as \x1b, \u202e,
/// \xff. Anything else is as it was.
std::string shown_text(std::string_view text);
/// The same for what has to stay on one line: line ends and tabs stand as \n and \t.
std::string shown_line(std::string_view text);

}  // namespace nowsim

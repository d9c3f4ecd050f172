// Characters of a text that anybody may have written: which are whole, which a terminal or a page would obey, which
// look like others or like nothing, in numbers and formulas and in names that are to be told apart.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

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

/// The character beyond ASCII that a UTF-8 text begins with, and what belongs in its place where that is known:
/// "'−' (U+2212, a typographic minus, where '-' is wanted)". Of bytes that are no UTF-8 "the byte 0xff".
std::string foreign_character(std::string_view text);
/// ": it holds " and the text's first such character, or the comma in it that stands where a decimal point does; ""
/// where there is neither.
std::string foreign_character_hint(std::string_view text);
/// The same of a name or a word, which may hold letters of any script: of characters that stand in place of a plain one,
/// as a typographic dash does, and of bytes that are no UTF-8.
std::string lookalike_hint(std::string_view text);

/// Whether a character looks like nothing, or like a plain blank.
bool is_unseen(char32_t code);
/// Names as a table may show them, by name. What is not seen, marks upon letters that stand for themselves (as in NFD),
/// and Greek or Cyrillic letters in a word with Latin ones stand as \u200b, \u0301, \u0430; of different names that
/// look alike all that is beyond ASCII does.
std::map<std::string, std::string> names_told_apart(const std::vector<std::string>& names);

}  // namespace nowsim

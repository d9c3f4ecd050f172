// Characters that look like others, or like nothing: in numbers and formulas, and in names that are to be told apart.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace nowsim {

/// The character that begins at a byte of a UTF-8 text beyond ASCII, and what belongs in its place where that is known:
/// "'−' (U+2212, a typographic minus, where '-' is wanted)". Of bytes that are no UTF-8 "the byte 0xff".
std::string foreign_character(std::string_view text, std::size_t at = 0);
/// ": it holds " and the text's first such character, or the comma in it that stands where a decimal point does; ""
/// where there is neither.
std::string foreign_character_hint(std::string_view text);

/// Whether a character looks like nothing, or like a plain blank.
bool is_unseen(char32_t code);
/// Names as a table may show them, by name. What is not seen, marks upon letters that stand for themselves (as in NFD),
/// and Greek or Cyrillic letters in a word with Latin ones stand as \u200b, \u0301, \u0430; of different names that
/// look alike all that is beyond ASCII does.
std::map<std::string, std::string> names_told_apart(const std::vector<std::string>& names);

}  // namespace nowsim

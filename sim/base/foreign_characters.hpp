// Characters that look like those of numbers and formulas and are none: a typographic minus, other digits and blanks.
#pragma once

#include <string>
#include <string_view>

namespace nowsim {

/// The character that begins at a byte of a UTF-8 text beyond ASCII, and what belongs in its place where that is known:
/// "'−' (U+2212, a typographic minus, where '-' is wanted)". Of bytes that are no UTF-8 "the byte 0xff".
std::string foreign_character(std::string_view text, std::size_t at = 0);
/// ": it holds " and the text's first such character, or the comma in it that stands where a decimal point does; ""
/// where there is neither.
std::string foreign_character_hint(std::string_view text);

}  // namespace nowsim

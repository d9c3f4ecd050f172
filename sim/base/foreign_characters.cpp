// A table of foreign characters that are often met, and the words for them.
#include "sim/base/foreign_characters.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <iterator>

#include "sim/base/utf8.hpp"

namespace nowsim {
namespace {

/// Characters from first to last; `instead` is what belongs in their place, '0' the digit that each is.
struct Lookalike {
  char32_t first, last;
  const char* what;
  const char* instead;
};
constexpr Lookalike kLookalikes[] = {
    {0x00A0, 0x00A0, "a blank that does not break", " "},
    {0x00B2, 0x00B3, "a superscript", ""},
    {0x00B5, 0x00B5, "a micro sign", "u"},
    {0x00B7, 0x00B7, "a dot in the middle", "*"},
    {0x00D7, 0x00D7, "a multiplication sign", "*"},
    {0x00F7, 0x00F7, "a division sign", "/"},
    {0x03BC, 0x03BC, "a Greek mu", "u"},
    {0x0660, 0x0669, "an Arabic digit", "0"},
    {0x06F0, 0x06F9, "a Persian digit", "0"},
    {0x0966, 0x096F, "a Devanagari digit", "0"},
    {0x2000, 0x200A, "a typographic blank", " "},
    {0x200B, 0x200F, "an invisible mark", ""},
    {0x2010, 0x2015, "a typographic dash", "-"},
    {0x2018, 0x201F, "a typographic quotation mark", ""},
    {0x202F, 0x202F, "a narrow blank that does not break", " "},
    {0x2070, 0x2079, "a superscript", ""},
    {0x2212, 0x2212, "a typographic minus", "-"},
    {0x3000, 0x3000, "a wide blank", " "},
    {0xFEFF, 0xFEFF, "a byte order mark", ""},
    {0xFF0C, 0xFF0C, "a wide comma", ""},
    {0xFF0D, 0xFF0D, "a wide minus", "-"},
    {0xFF0E, 0xFF0E, "a wide point", "."},
    {0xFF10, 0xFF19, "a wide digit", "0"},
};

bool is_digit(char c) { return '0' <= c && c <= '9'; }

/// Of "1917,5 s".
bool has_decimal_comma(std::string_view text) {
  const std::size_t comma = text.find(',');
  if (comma == text.npos || comma == 0 || comma + 1 == text.size()) return false;
  const bool is_between = is_digit(text[comma - 1]) && is_digit(text[comma + 1]);
  return is_between && text.find_first_not_of("0123456789", text.find_first_not_of(" +-")) == comma &&
         text.find(',', comma + 1) == text.npos;
}

}  // namespace

std::string foreign_character(std::string_view text, std::size_t at) {
  char number[16];
  const Utf8Character c = first_character(text.substr(at));
  std::snprintf(number, sizeof number, c.is_whole ? "U+%04X" : "0x%02x", static_cast<unsigned>(c.code));
  if (!c.is_whole) return std::string("the byte ") + number;
  std::string out = "'" + std::string(text.substr(at, c.bytes)) + "' (" + number;
  const auto* const found = std::find_if(std::begin(kLookalikes), std::end(kLookalikes),
                                         [&c](const Lookalike& l) { return l.first <= c.code && c.code <= l.last; });
  if (found == std::end(kLookalikes)) return out + ")";
  out += std::string(", ") + found->what;
  if (const std::string instead = found->instead; instead == "0")
    out += std::string(", where '") + static_cast<char>('0' + (c.code - found->first)) + "' is wanted";
  else if (instead == " ")
    out += ", where a plain one or none is wanted";
  else if (!instead.empty())
    out += ", where '" + instead + "' is wanted";
  return out + ")";
}

std::string foreign_character_hint(std::string_view text) {
  const auto found =
      std::find_if(text.begin(), text.end(), [](char c) { return static_cast<std::uint8_t>(c) >= 0x80; });
  if (found == text.end()) return has_decimal_comma(text) ? ": it holds ',' where a decimal point is wanted" : "";
  return ": it holds " + foreign_character(text, static_cast<std::size_t>(found - text.begin()));
}

}  // namespace nowsim

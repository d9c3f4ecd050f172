// Decoding UTF-8 character by character (RFC 3629), and tables of characters that are often met in place of others.
#include "sim/base/utf8.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <iterator>

namespace nowsim {
namespace {

/// How many bytes a character has that begins with this one; 0: none does.
std::size_t length_of(unsigned char first) {
  const int ones = std::countl_one(first);
  if (ones == 0) return 1;
  return ones == 1 || ones > 4 ? 0 : static_cast<std::size_t>(ones);
}

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

std::string escape_of(const Utf8Character& c) {
  char text[16];
  std::snprintf(text, sizeof text, c.is_whole && c.code > 127 ? "\\u%04x" : "\\x%02x", static_cast<unsigned>(c.code));
  return text;
}

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

const Lookalike* lookalike_of(char32_t code) {
  const auto* const found = std::find_if(std::begin(kLookalikes), std::end(kLookalikes),
                                         [code](const Lookalike& l) { return l.first <= code && code <= l.last; });
  return found == std::end(kLookalikes) ? nullptr : found;
}

/// First and last of each.
struct Range {
  char32_t first, last;
};
constexpr Range kUnseen[] = {{0x00A0, 0x00A0}, {0x00AD, 0x00AD}, {0x034F, 0x034F},   {0x061C, 0x061C},
                             {0x115F, 0x1160}, {0x1680, 0x1680}, {0x17B4, 0x17B5},   {0x180B, 0x180F},
                             {0x2000, 0x200F}, {0x2028, 0x202F}, {0x205F, 0x206F},   {0x2800, 0x2800},
                             {0x3000, 0x3000}, {0x3164, 0x3164}, {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},
                             {0xFFA0, 0xFFA0}, {0xFFF9, 0xFFFB}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF}};
/// Marks upon letters, and parts of letters, for which there mostly is a letter as a whole; those of other scripts, as
/// of India's, are how one writes there.
constexpr Range kMarks[] = {{0x0300, 0x036F}, {0x1100, 0x11FF}, {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF},
                            {0x20D0, 0x20FF}, {0x3099, 0x309A}, {0xFE20, 0xFE2F}};
constexpr Range kLatin[] = {{'A', 'Z'}, {'a', 'z'}, {0x00C0, 0x024F}, {0x1E00, 0x1EFF}};
constexpr Range kGreekOrCyrillic[] = {
    {0x0370, 0x052F}, {0x1C80, 0x1C8F}, {0x1F00, 0x1FFF}, {0x2DE0, 0x2DFF}, {0xA640, 0xA69F}};

template <std::size_t kCount>
bool is_in(const Range (&ranges)[kCount], char32_t code) {
  return std::ranges::any_of(ranges, [code](const Range& r) { return r.first <= code && code <= r.last; });
}

/// Greek and Cyrillic letters, each above the Latin one that looks like it.
constexpr std::u32string_view kAlike =
    U"\u0391\u0392\u0395\u0396\u0397\u0399\u039A\u039C\u039D\u039F\u03A1\u03A4\u03A5\u03A7\u03B1\u03B9\u03BD\u03BF"
    U"\u03C1\u03C5\u03F2\u03F3"
    U"\u0405\u0406\u0408\u0410\u0412\u0415\u041A\u041C\u041D\u041E\u0420\u0421\u0422\u0423\u0425\u04AE\u050C\u051A"
    U"\u051C"
    U"\u0430\u0435\u043E\u0440\u0441\u0443\u0445\u0455\u0456\u0458\u04AF\u04BB\u04CF\u0501\u051B\u051D\u0407\u0457"
    U"\u0401\u0451\u0400\u0450";
constexpr std::u32string_view kLatinOfThem =
    U"ABEZHIKMNOPTYXaivopucj"
    U"SIJABEKMHOPCTYXYGQW"
    U"aeopcyxsijyhldqw\u00CF\u00EF\u00CB\u00EB\u00C8\u00E8";
static_assert(kAlike.size() == kLatinOfThem.size());

std::vector<Utf8Character> characters_of(std::string_view text) {
  std::vector<Utf8Character> out;
  for (; !text.empty(); text.remove_prefix(out.back().bytes)) out.push_back(first_character(text));
  return out;
}

/// By their codes stand what is not seen, marks, and Greek or Cyrillic letters in a word with Latin ones; in a name
/// that is spelt out all that is beyond ASCII.
std::string shown_name(std::string_view name, bool is_spelt_out) {
  const auto is_latin = [](const Utf8Character& c) { return is_in(kLatin, c.code); };
  const auto is_other = [](const Utf8Character& c) { return is_in(kGreekOrCyrillic, c.code); };
  const auto is_odd = [](const Utf8Character& c) { return is_in(kMarks, c.code) || is_unseen(c.code); };
  const auto is_in_word = [&](const Utf8Character& c) { return is_latin(c) || is_other(c) || is_odd(c); };
  const std::vector<Utf8Character> all = characters_of(name);
  std::string out;
  bool has_latin = false;
  for (auto c = all.begin(), word_end = c; c != all.end(); name.remove_prefix((c++)->bytes)) {
    if (c >= word_end) {
      word_end = std::find_if_not(c, all.end(), is_in_word);
      has_latin = std::any_of(c, word_end, is_latin);
    }
    const bool is_code = is_spelt_out ? c->code > 126 || c->code < ' ' || c->code == '\\'
                                      : is_control(c->code) || is_odd(*c) || (has_latin && is_other(*c));
    out += is_code || !c->is_whole ? escape_of(*c) : std::string(name.substr(0, c->bytes));
  }
  return out;
}

/// The same for names that look alike.
std::u32string look_of(std::string_view shown) {
  std::u32string out;
  for (const Utf8Character& c : characters_of(shown)) {
    const std::size_t at = kAlike.find(c.code);
    out += at == kAlike.npos ? c.code : kLatinOfThem[at];
  }
  return out;
}

/// Of "1917,5 s".
bool has_decimal_comma(std::string_view text) {
  constexpr std::string_view kDecimals = "0123456789";
  const std::size_t first = text.find_first_not_of(" +-"), comma = text.find_first_not_of(kDecimals, first);
  return first < comma && text.find(',') == comma && text.find_first_of(kDecimals, comma) == comma + 1 &&
         text.find(',', comma + 1) == text.npos;
}

}  // namespace

Utf8Character first_character(std::string_view text) {
  const auto byte = static_cast<unsigned char>(text.front());
  const std::size_t bytes = length_of(byte);
  const Utf8Character none{1, byte, false};
  if (bytes == 0 || text.size() < bytes) return none;
  if (bytes == 1) return {1, byte, true};
  char32_t code = byte & (0x7FU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if (!is_continuation(text[i])) return none;
    code = code << 6 | (static_cast<unsigned char>(text[i]) & 0x3FU);
  }
  constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};  // that is written with so many bytes
  const bool is_surrogate = code >= 0xD800 && code < 0xE000;
  if (code < kLeast[bytes] || is_surrogate || code > 0x10FFFF) return none;
  return {bytes, code, true};
}

std::size_t begun_character(std::string_view text) {
  for (std::size_t back = 1; back <= std::min<std::size_t>(3, text.size()); ++back) {
    const char c = text[text.size() - back];
    if (!is_continuation(c)) return length_of(static_cast<unsigned char>(c)) > back ? back : 0;
  }
  return 0;
}

bool is_control(char32_t code) {
  return code < 32 || (code >= 127 && code < 160) || code == 0x2028 || code == 0x2029 ||
         (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) || code == 0xFFFE || code == 0xFFFF;
}

std::string shown_text(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Utf8Character c = first_character(text);
    const bool is_seen = c.is_whole && (!is_control(c.code) || c.code == '\n' || c.code == '\t');
    out += is_seen ? std::string(text.substr(0, c.bytes)) : escape_of(c);
    text.remove_prefix(c.bytes);
  }
  return out;
}

std::string shown_line(std::string_view text) {
  std::string out;
  for (const char c : shown_text(text)) out += c == '\n' ? "\\n" : c == '\t' ? "\\t" : std::string(1, c);
  return out;
}

std::string foreign_character(std::string_view text) {
  char number[16];
  const Utf8Character c = first_character(text);
  std::snprintf(number, sizeof number, c.is_whole ? "U+%04X" : "0x%02x", static_cast<unsigned>(c.code));
  if (!c.is_whole) return std::string("the byte ") + number;
  std::string out = "'" + std::string(text.substr(0, c.bytes)) + "' (" + number;
  const Lookalike* const found = lookalike_of(c.code);
  if (found == nullptr) return out + ")";
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
  const auto found = std::ranges::find_if(text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
  if (found == text.end()) return has_decimal_comma(text) ? ": it holds ',' where a decimal point is wanted" : "";
  return ": it holds " + foreign_character(text.substr(static_cast<std::size_t>(found - text.begin())));
}

std::string lookalike_hint(std::string_view text) {
  for (; !text.empty(); text.remove_prefix(first_character(text).bytes))
    if (const Utf8Character c = first_character(text); !c.is_whole || lookalike_of(c.code) != nullptr)
      return ": it holds " + foreign_character(text);
  return "";
}

bool is_unseen(char32_t code) { return is_in(kUnseen, code); }

std::map<std::string, std::string> names_told_apart(const std::vector<std::string>& names) {
  std::map<std::string, std::string> shown;
  std::map<std::u32string, std::size_t> alike;
  for (const std::string& name : names)
    if (const auto [place, is_new] = shown.try_emplace(name, shown_name(name, false)); is_new)
      ++alike[look_of(place->second)];
  for (auto& [name, text] : shown)
    if (alike[look_of(text)] > 1) text = shown_name(name, true);
  return shown;
}

}  // namespace nowsim

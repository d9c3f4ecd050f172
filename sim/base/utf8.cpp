// Decoding UTF-8 character by character (RFC 3629), and showing what terminals would obey.
#include "sim/base/utf8.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>

namespace nowsim {
namespace {

/// A first byte's length in bytes, and the least code that is written with so many; {0, 0}: it begins no character.
struct Utf8Lead {
  std::size_t bytes;
  char32_t least;
};
Utf8Lead lead_of(unsigned char byte) {
  if (byte < 0x80) return {1, 0};
  if ((byte & 0xE0) == 0xC0) return {2, 0x80};
  if ((byte & 0xF0) == 0xE0) return {3, 0x800};
  if ((byte & 0xF8) == 0xF0) return {4, 0x10000};
  return {0, 0};
}

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

std::string escape_of(const Utf8Character& c) {
  char text[16];
  std::snprintf(text, sizeof text, c.is_whole && c.code > 127 ? "\\u%04x" : "\\x%02x", static_cast<unsigned>(c.code));
  return text;
}

}  // namespace

Utf8Character first_character(std::string_view text) {
  const auto byte = static_cast<unsigned char>(text.front());
  const Utf8Lead lead = lead_of(byte);
  const Utf8Character none{1, byte, false};
  if (lead.bytes == 0 || text.size() < lead.bytes) return none;
  if (lead.bytes == 1) return {1, byte, true};
  char32_t code = byte & (0x7FU >> lead.bytes);
  for (std::size_t i = 1; i < lead.bytes; ++i) {
    if (!is_continuation(text[i])) return none;
    code = code << 6 | (static_cast<unsigned char>(text[i]) & 0x3FU);
  }
  const bool is_surrogate = code >= 0xD800 && code < 0xE000;
  if (code < lead.least || is_surrogate || code > 0x10FFFF) return none;
  return {lead.bytes, code, true};
}

std::size_t begun_character(std::string_view text) {
  for (std::size_t back = 1; back <= std::min<std::size_t>(3, text.size()); ++back) {
    const char c = text[text.size() - back];
    if (!is_continuation(c)) return lead_of(static_cast<unsigned char>(c)).bytes > back ? back : 0;
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
    if (is_seen)
      out += text.substr(0, c.bytes);
    else
      out += escape_of(c);
    text.remove_prefix(c.bytes);
  }
  return out;
}

std::string shown_line(std::string_view text) {
  std::string out;
  for (const char c : shown_text(text)) out += c == '\n' ? "\\n" : c == '\t' ? "\\t" : std::string(1, c);
  return out;
}

}  // namespace nowsim

// A YAML text, its places, and what no parser is to see.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace nowsim {

/// A text being parsed and where it comes from, for the places in messages.
struct YamlSource {
  std::string text;
  std::string file;

  [[nodiscard]] int line_of(std::size_t index) const;
  /// The last line that has something in it, where yaml-cpp's marks may point behind it.
  [[nodiscard]] int last_line() const { return line_of(text.find_last_not_of(" \t\r\n") + 1); }
  [[nodiscard]] std::string_view from(std::size_t index) const;
  /// @throws InputError always.
  [[noreturn]] void fail(int line, const std::string& sentence) const;
};

/// The text without byte order mark and carriage returns at line ends, its last line ended like the others, and checked.
/// @throws InputError for bytes that are no characters of YAML, and for directives other than %YAML.
YamlSource yaml_source(const std::string& text, const std::string& file);

/// Index of the first byte that is no part of a character, or the size.
std::size_t first_bad_byte(std::string_view text);
/// "a NUL byte", "the byte 0x80, which is not UTF-8".
std::string name_of_byte(char c);

}  // namespace nowsim

// Characters and directives that a YAML text must not have.
#include "experiments/driver/reading/yaml_source.hpp"

#include <algorithm>

#include "sim/base/error.hpp"
#include "sim/base/utf8.hpp"

namespace nowsim {
namespace {

/// Control characters but tab and line feed are left out: they are no YAML (1.2.2, 5.1), and yaml-cpp takes 04 for the
/// end of the file.
bool is_yaml(const Utf8Character& c) {
  return c.is_whole && c.code != 0x7f && (c.code >= 0x20 || c.code == '\t' || c.code == '\n');
}

std::string normalized(std::string_view text) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  if (text.substr(0, mark.size()) == mark) text.remove_prefix(mark.size());
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text.substr(i, 2) != "\r\n") out += text[i];
  if (!out.empty() && out.back() != '\n') out += '\n';
  return out;
}

void check_characters(const YamlSource& source) {
  const auto bad = first_bad_byte(source.text);
  if (bad < source.text.size())
    source.fail(source.line_of(bad), "the file holds " + name_of_byte(source.text[bad]) + "; write plain UTF-8 text");
}

/// yaml-cpp ends the document at a '%' that begins a line and ignores the line if it knows no such directive.
void check_directives(const YamlSource& source) {
  const auto& text = source.text;
  for (auto i = text.find('%'); i != std::string::npos; i = text.find('%', i + 1))
    if ((i == 0 || text[i - 1] == '\n') && source.from(i).substr(0, 6) != "%YAML ")
      source.fail(source.line_of(i),
                  "a line that begins with '%' is a YAML directive, which is not supported; indent it");
}

}  // namespace

int YamlSource::line_of(std::size_t index) const {
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(index, text.size()));
  return 1 + static_cast<int>(std::count(text.begin(), end, '\n'));
}

std::string_view YamlSource::from(std::size_t index) const {
  return std::string_view(text).substr(std::min(index, text.size()));
}

void YamlSource::fail(int line, const std::string& sentence) const { throw InputError(Place{file, line, ""}, sentence); }

YamlSource yaml_source(const std::string& text, const std::string& file) {
  YamlSource source{normalized(text), file};
  check_characters(source);
  check_directives(source);
  return source;
}

std::size_t first_bad_byte(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size()) {
    const Utf8Character c = first_character(text.substr(i));
    if (!is_yaml(c)) break;
    i += c.bytes;
  }
  return i;
}

std::string name_of_byte(char c) {
  constexpr std::string_view digits = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  const auto text = std::string("the byte 0x") + digits[byte / 16] + digits[byte % 16];
  if (byte == 0) return "a NUL byte";
  if (byte == '\r') return "a carriage return inside a line";
  return text + (byte < 0x80 ? ", a control character" : ", which is not UTF-8");
}

}  // namespace nowsim

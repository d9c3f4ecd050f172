// Templates by kainjow's Mustache, strictly; escapes, percent-encoding and base64.
#include "experiments/driver/text/html.hpp"

#include <cctype>
#include <cstdint>
#include <sstream>
#include <stdexcept>

#include "sim/base/utf8.hpp"

namespace nowsim {
namespace {

/// A name without a value would be left out silently.
class GivenValues : public kainjow::mustache::context<std::string> {
 public:
  explicit GivenValues(const HtmlValue& values) : context(&values) {}
  const HtmlValue* get(const std::string& name) const override {
    if (const HtmlValue* const value = context::get(name)) return value;
    throw std::logic_error("a template asks for " + name + ", which has no value");
  }
};

/// Three bytes as four letters of six bits (RFC 4648, section 4).
std::string base64(std::string_view bytes) {
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k) out += i + k <= bytes.size() ? kLetters[group >> (18 - 6 * k) & 63U] : '=';
  }
  return out;
}

/// What stands for a character in HTML.
std::string_view html_character(std::string_view bytes, const Utf8Character& c) {
  if (c.code == '&') return "&amp;";
  if (c.code == '<') return "&lt;";
  if (c.code == '>') return "&gt;";
  if (c.code == '"') return "&quot;";
  if (c.code == '\r') return "";
  const bool is_allowed = c.is_whole && (!is_control(c.code) || c.code == '\n' || c.code == '\t');
  return is_allowed ? bytes : "\xEF\xBF\xBD";
}

}  // namespace

std::string filled_template(const char* text, const HtmlObject& values) {
  kainjow::mustache::mustache page(text);
  if (!page.is_valid()) throw std::logic_error("a template is none: " + page.error_message());
  page.set_custom_escape(html_text);
  const HtmlValue all(values);
  GivenValues given(all);
  std::ostringstream out;
  return page.render(given, out).str();
}

HtmlValue if_any(const std::string& text) { return text.empty() ? HtmlValue(false) : HtmlValue(text); }

// Verdicts are blue and vermilion (Okabe & Ito's, told apart by everybody), darker or lighter for contrast.
const char* page_style() {
  return
#include "experiments/driver/text/page.css"
      ;
}

std::string html_text(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Utf8Character c = first_character(text);
    out += html_character(text.substr(0, c.bytes), c);
    text.remove_prefix(c.bytes);
  }
  return out;
}

std::string html_address(std::string_view path) {
  constexpr std::string_view kDigits = "0123456789ABCDEF", kPlain = "-._~/";
  std::string out;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 128 && (std::isalnum(byte) != 0 || kPlain.find(c) != std::string_view::npos))
      out += c;
    else
      (out += '%') += {kDigits[byte >> 4U], kDigits[byte & 15U]};
  }
  return out;
}

std::string svg_address(std::string_view svg) { return "data:image/svg+xml;base64," + base64(svg); }
std::string png_address(std::string_view png) { return "data:image/png;base64," + base64(png); }

}  // namespace nowsim

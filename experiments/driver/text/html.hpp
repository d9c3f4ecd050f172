// Pages as HTML: templates filled, texts made safe in them and in addresses, pictures made part of them, one style.
#pragma once

#include <kainjow/mustache.hpp>
#include <string>
#include <string_view>

namespace nowsim {

/// What stands for a name of a template: a text, a list, an object, or whether something is so. Numbers are texts.
using HtmlValue = kainjow::mustache::data;
using HtmlObject = kainjow::mustache::object;
using HtmlList = kainjow::mustache::list;

/// A template (Mustache's variables and sections) with its names filled in: {{name}} by html_text(), {{{name}}} as it
/// is. A section that may be left out begins and ends on lines with something else, as its line stays.
/// @throws std::logic_error where it is none, or asks for a name that has no value.
std::string filled_template(const char* text, const HtmlObject& values);
/// A text, or false where it is empty: sections of it are left out then.
HtmlValue if_any(const std::string& text);
/// A list of texts, or of what else a value can be.
HtmlList html_list(const auto& values) { return HtmlList(values.begin(), values.end()); }

/// The style of all pages: light and dark, narrow and wide, on paper.
const char* page_style();

/// Text between tags or in an attribute's double quotes. Control characters and bytes that are no UTF-8 become
/// U+FFFD.
std::string html_text(std::string_view text);
/// A path below the page as an address: bytes other than letters, digits and -._~/ as %XX. It is also what an element
/// of that name has as id, since an id has no blanks.
std::string html_address(std::string_view path);
/// An SVG picture as an address that holds it whole (RFC 2397, base64).
std::string svg_address(std::string_view svg);
std::string png_address(std::string_view png);

}  // namespace nowsim

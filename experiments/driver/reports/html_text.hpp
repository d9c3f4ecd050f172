// Text made safe to stand in an HTML page, in its addresses, and pictures made part of it.
#pragma once

#include <string>
#include <string_view>

namespace nowsim {

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

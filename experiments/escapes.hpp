// Text made safe to stand in CSV and JSON.
#pragma once

#include <cstdio>
#include <string>

namespace nowsim {

/// A CSV field, in quotes where it has to be.
inline std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string out = "\"";
  for (char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

/// A JSON string with its quotes.
inline std::string json_text(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 32) {
      char buffer[8];
      std::snprintf(buffer, sizeof buffer, "\\u%04x", static_cast<unsigned>(byte));
      out += buffer;
    } else {
      out += c;
    }
  }
  return out + "\"";
}

}  // namespace nowsim

// A question's fields, read with their types.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace nowsim {

/// In the order in which it was made.
using PageJson = nlohmann::ordered_json;

/// An object; what is missing or of another type is an InputError that names the field.
class PageRequest {
 public:
  /// @throws InputError where it is no JSON, or no object.
  explicit PageRequest(const std::string& text);

  [[nodiscard]] bool has(const char* name) const;
  [[nodiscard]] std::string text(const char* name) const;
  [[nodiscard]] std::string text_or(const char* name, const std::string& fallback) const;
  /// None where it is missing.
  [[nodiscard]] std::vector<std::string> texts(const char* name) const;
  [[nodiscard]] std::optional<std::uint64_t> whole(const char* name) const;
  [[nodiscard]] double number(const char* name) const;
  /// An object.
  [[nodiscard]] const PageJson& object(const char* name) const;

 private:
  [[nodiscard]] const PageJson& field(const char* name) const;

  PageJson all_;
};

}  // namespace nowsim

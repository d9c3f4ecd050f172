// A name for contents that others may have written, who cannot make two of one name.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace nowsim {

/// SHA-256 of what has been added so far; in the core, which has no users but one, XXH3.
class TextHash {
 public:
  TextHash();
  ~TextHash();
  TextHash(const TextHash&) = delete;
  TextHash& operator=(const TextHash&) = delete;
  void add(std::string_view bytes);
  /// In hexadecimal. Nothing can be added any more.
  [[nodiscard]] std::string text();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace nowsim

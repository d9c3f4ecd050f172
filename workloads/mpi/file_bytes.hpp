// A file's bytes: in memory without reading them, and a name for what they are.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace nowsim {

/// All that an open file holds, read only, for as long as this lives: the system brings in the pages that are looked
/// at. Copies share them. A file that is replaced by another one (renamed over) stays as it was; one that is cut short
/// meanwhile ends the process.
class MappedFile {
 public:
  /// @throws std::system_error where the file cannot be mapped.
  explicit MappedFile(int file_descriptor);
  [[nodiscard]] std::string_view bytes() const { return {data_.get(), size_}; }
  /// A part that is not looked at for now: the system may have its memory, and brings it in again if need be.
  void forget(const void* part, std::size_t bytes) const;

 private:
  std::shared_ptr<const char[]> data_;
  std::size_t size_ = 0;
};

/// SHA-256 of what has been added so far: a name for contents that others may have written, who cannot make two of one
/// name. In the core, which has no users but one, XXH3.
class TextHash {
 public:
  TextHash();
  void add(std::string_view bytes);
  /// In hexadecimal. Nothing can be added any more.
  [[nodiscard]] std::string text();

 private:
  struct State;
  std::unique_ptr<State, void (*)(State*)> state_;
};

}  // namespace nowsim

// An input as a file, for readers that take its name: in memory, since a fuzzer writes so many.
#pragma once

#include <string>
#include <string_view>

namespace nowsim::test {

/// A file that is gone with the object.
class InputFile {
 public:
  /// @throws std::runtime_error where there is no memory for it.
  explicit InputFile(std::string_view bytes);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  [[nodiscard]] std::string path() const;

 private:
  int fd_;
};

}  // namespace nowsim::test

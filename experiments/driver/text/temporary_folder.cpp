// Made by mkdtemp, which two processes at a time cannot get alike.
#include "experiments/driver/text/temporary_folder.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include "sim/base/error.hpp"

namespace nowsim {
namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder() {
  std::error_code error;
  std::string pattern = (fs::temp_directory_path(error) / "nowsim-XXXXXX").string();
  if (error || mkdtemp(pattern.data()) == nullptr)
    throw RunError("no temporary folder can be made: " + (error ? error.message() : std::strerror(errno)));
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace nowsim

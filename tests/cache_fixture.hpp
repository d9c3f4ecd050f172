// A user's cache of a test's own.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

#include "tests/sim/scenario_fixture.hpp"

namespace nowsim::test {

/// XDG_CACHE_HOME, for this process and those it starts, until it goes.
class CacheFolder : public Folder {
 public:
  CacheFolder() {
    if (const char* before = std::getenv(kName)) before_ = before;
    setenv(kName, path().c_str(), 1);
  }
  ~CacheFolder() {
    if (before_)
      setenv(kName, before_->c_str(), 1);
    else
      unsetenv(kName);
  }
  CacheFolder(const CacheFolder&) = delete;
  CacheFolder& operator=(const CacheFolder&) = delete;

 private:
  static constexpr const char* kName = "XDG_CACHE_HOME";
  std::optional<std::string> before_;
};

}  // namespace nowsim::test

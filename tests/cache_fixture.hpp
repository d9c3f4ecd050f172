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
    ++count();
  }
  ~CacheFolder() {
    --count();
    if (before_)
      setenv(kName, before_->c_str(), 1);
    else
      unsetenv(kName);
  }
  CacheFolder(const CacheFolder&) = delete;
  CacheFolder& operator=(const CacheFolder&) = delete;

  /// Whether one lives.
  static bool is_there() { return count() > 0; }

 private:
  static int& count() {
    static int living = 0;
    return living;
  }
  static constexpr const char* kName = "XDG_CACHE_HOME";
  std::optional<std::string> before_;
};

}  // namespace nowsim::test

// Which skips are failures: none, until NOWSIM_NO_SKIPS is set; then all but those that are named.
#include "tests/skips.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <optional>

using namespace nowsim::test;

namespace {

/// A variable of the environment, for as long as this is there.
class Variable {
 public:
  Variable(const char* name, const char* text) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    setenv(name, text, 1);
  }
  ~Variable() {
    if (before_) setenv(name_, before_->c_str(), 1);
    else unsetenv(name_);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

}  // namespace

TEST_CASE("A skip fails where none is allowed, unless it is named or allowed anywhere", "[computes][skips]") {
  const Variable named("NOWSIM_MAY_SKIP", "r,zsh");
  for (const char* off : {"", "0"}) {
    const Variable none("NOWSIM_NO_SKIPS", off);
    CHECK(may_skip("fish"));
  }
  const Variable strict("NOWSIM_NO_SKIPS", "1");
  for (const char* allowed : {"r", "zsh", "traces", "sanitizers"}) CHECK(may_skip(allowed));
  for (const char* wanted : {"fish", "sh", "z", "python"}) CHECK_FALSE(may_skip(wanted));
}

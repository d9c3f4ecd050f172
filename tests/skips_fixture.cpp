// What is skipped, by two variables of the environment.
#include "tests/skips.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>

#include "tests/paths.hpp"

extern "C" [[gnu::weak]] void __asan_init();  // of their library

namespace fs = std::filesystem;

namespace nowsim::test {
namespace {

std::string set_to(const char* name) {
  const char* text = std::getenv(name);
  return text != nullptr ? text : "";
}

}  // namespace

bool is_sanitized() { return __asan_init != nullptr; }

bool may_skip(const std::string& missing) {
  const std::string strict = set_to("NOWSIM_NO_SKIPS");
  if (strict.empty() || strict == "0") return true;
  return (",sanitizers,traces," + set_to("NOWSIM_MAY_SKIP") + ",").find("," + missing + ",") != std::string::npos;
}

void skipped(const std::string& missing, const std::string& why) {
  if (!may_skip(missing)) FAIL("not skipped, by NOWSIM_NO_SKIPS: " << why << " (NOWSIM_MAY_SKIP=" << missing << ")");
  WARN("skipped: " << why);
}

std::string measured_traces() {
  const std::string named = set_to("NOWSIM_TRACES");
  const fs::path folder =
      fs::weakly_canonical(named.empty() ? source_folder() + "/../shared/traces" : named);
  if (!named.empty() || fs::exists(folder)) return folder.string();
  skipped("traces", "the measured traces are not at hand (set NOWSIM_TRACES to their folder)");
  return "";
}

}  // namespace nowsim::test

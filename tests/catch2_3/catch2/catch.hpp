// The one header of Catch2 2 with its names, for Catch2 3 (Debian 13): on the include path only there.
#pragma once

#include <catch2/catch_all.hpp>

namespace Catch {

using Matchers::EndsWith;
using Matchers::Equals;
using Matchers::Matches;
using Matchers::StartsWith;

inline auto Contains(const std::string& part, CaseSensitive how = CaseSensitive::Yes) {
  return Matchers::ContainsSubstring(part, how);
}

}  // namespace Catch

using Catch::Approx;

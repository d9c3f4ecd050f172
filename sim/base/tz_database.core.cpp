// The core has no tz database: times are UTC, or at offsets that are said.
#include "sim/base/tz_database.hpp"

#include <limits>

namespace nowsim {

const ZoneRules* find_zone(const std::string& /*name*/) { return nullptr; }
std::vector<std::string> zone_names() { return {}; }
std::string system_zone_name() { return ""; }
ZoneSpan span_at(const ZoneRules& /*zone*/, std::int64_t /*utc_s*/) {
  using Limits = std::numeric_limits<std::int64_t>;
  return {Limits::min(), Limits::max(), 0, "UTC"};
}

}  // namespace nowsim

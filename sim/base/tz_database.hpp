// The system's tz database, behind four questions; where there is none, as in a browser, it knows no zone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace nowsim {

/// A zone's rules, which last as long as the process.
struct ZoneRules;

/// Null where there is no zone of that name.
const ZoneRules* find_zone(const std::string& name);
/// Of all zones; none where there is no database.
std::vector<std::string> zone_names();
/// Of this system's own zone: "Europe/Berlin"; "" where that cannot be told.
std::string system_zone_name();

/// A stretch of time with one offset, around a moment.
struct ZoneSpan {
  std::int64_t begin_s, end_s;  ///< UTC since 1970
  int offset_s;                 ///< local time less UTC
  std::string letters;          ///< "CET"
};
ZoneSpan span_at(const ZoneRules& zone, std::int64_t utc_s);

}  // namespace nowsim

// By Howard Hinnant's library `date`, which reads the files of the package tzdata.
#include "sim/base/tz_database.hpp"

#include <date/tz.h>

#include <chrono>
#include <cstdlib>
#include <stdexcept>

namespace nowsim {
namespace {

const date::time_zone& zone_of(const ZoneRules& rules) { return reinterpret_cast<const date::time_zone&>(rules); }

}  // namespace

const ZoneRules* find_zone(const std::string& name) {
  try {
    return reinterpret_cast<const ZoneRules*>(date::locate_zone(name));
  } catch (const std::runtime_error&) {  // no such zone, or no database
    return nullptr;
  }
}

std::vector<std::string> zone_names() {
  std::vector<std::string> names;
  try {
    for (const auto& zone : date::get_tzdb().zones) names.push_back(zone.name());
  } catch (const std::runtime_error&) {
    names.clear();
  }
  return names;
}

std::string system_zone_name() {
  const char* said = std::getenv("TZ");
  if (said != nullptr && *said != '\0') {
    const std::string name = *said == ':' ? said + 1 : said;
    return find_zone(name) != nullptr ? name : "";  // or a rule that is spelt out: no zone of the database
  }
  try {
    return date::current_zone()->name();
  } catch (const std::runtime_error&) {
    return "";
  }
}

ZoneSpan span_at(const ZoneRules& zone, std::int64_t utc_s) {
  const auto info = zone_of(zone).get_info(date::sys_seconds{std::chrono::seconds{utc_s}});
  return {info.begin.time_since_epoch().count(), info.end.time_since_epoch().count(),
          static_cast<int>(info.offset.count()), info.abbrev};
}

}  // namespace nowsim

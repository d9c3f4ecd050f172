// The measures, and the names that monitors give their columns.
#include "sim/owners/trace_measure.hpp"

#include <algorithm>

#include "sim/base/keys.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

/// Columns are called idl by dstat, %idle by sar, mpstat and top, "% Idle Time" and "% Processor Time" by typeperf,
/// cpu_util_percent in Alibaba's traces, "CPU usage [%]" in Bitbrains'.
const std::vector<MeasureInfo>& measures() {
  static const std::vector<MeasureInfo> infos{
      {"utilisation-percent", "a utilisation in per cent", 100, true,
       {"utilisationpercent", "utilizationpercent", "cpuutilpercent", "utilisation", "utilization", "cpuutilisation",
        "cpuutilization", "cpupercent", "cpu%", "%cpu", "cpuusage[%]", "%processortime"}},
      {"utilisation", "a utilisation", 1, true, {}},
      {"availability", "an availability", 1, false, {"availability", "available"}},
      {"idle-percent", "idle time in per cent", 100, false,
       {"idle", "idl", "%idle", "idle%", "idlepercent", "percentidle", "cpuidle", "%idletime"}}};
  return infos;
}

}  // namespace

const MeasureInfo& info_of(TraceMeasure measure) { return measures()[static_cast<std::size_t>(measure)]; }

std::string plain_name(std::string_view name) {
  std::string plain = lower_case(std::string(name));
  std::erase_if(plain, [](char c) { return c == ' ' || c == '_' || c == '-'; });
  return plain;
}

std::optional<TraceMeasure> measure_of_column(std::string_view name) {
  const std::size_t before = name.find_last_of(":\\");
  const std::string plain = plain_name(before == name.npos ? name : name.substr(before + 1));
  for (std::size_t m = 0; m < measures().size(); ++m)
    if (std::ranges::count(measures()[m].columns, plain) > 0) return static_cast<TraceMeasure>(m);
  return std::nullopt;
}

std::string load_column(const std::vector<std::string>& names) {
  if (std::ranges::count(names, kUsualLoad) > 0) return kUsualLoad;
  for (const auto measure :
       {TraceMeasure::availability, TraceMeasure::utilisation_percent, TraceMeasure::idle_percent}) {
    const auto holds_it = [measure](const std::string& name) { return measure_of_column(name) == measure; };
    const auto found = std::ranges::find_if(names, holds_it);
    if (found == names.end()) continue;
    return std::any_of(found + 1, names.end(), holds_it) ? "" : *found;
  }
  return "";
}

std::string fractions_beside(TraceMeasure measure) {
  return measure == TraceMeasure::idle_percent ? "availability" : "utilisation, availability";
}

const std::vector<std::string>& trace_measure_names() {
  static const std::vector<std::string> names = words_in(measures());
  return names;
}

}  // namespace nowsim

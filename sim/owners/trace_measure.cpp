// The measures, and the names that monitors give their columns.
#include "sim/owners/trace_measure.hpp"

#include <algorithm>
#include <array>

#include "sim/base/keys.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

const std::array<MeasureInfo, 4>& measures() {
  static const std::array<MeasureInfo, 4> infos{
      MeasureInfo{"utilisation-percent", "a utilisation in per cent", 100, true},
      MeasureInfo{"utilisation", "a utilisation", 1, true}, MeasureInfo{"availability", "an availability", 1, false},
      MeasureInfo{"idle-percent", "idle time in per cent", 100, false}};
  return infos;
}

struct KnownName {
  std::string_view plain;
  TraceMeasure measure;
};
/// dstat calls it idl, sar, mpstat and top %idle, typeperf "% Idle Time" and "% Processor Time", Alibaba's traces
/// cpu_util_percent, Bitbrains' "CPU usage [%]".
constexpr KnownName kKnownNames[] = {
    {"availability", TraceMeasure::availability},
    {"available", TraceMeasure::availability},
    {"utilisationpercent", TraceMeasure::utilisation_percent},
    {"utilizationpercent", TraceMeasure::utilisation_percent},
    {"cpuutilpercent", TraceMeasure::utilisation_percent},
    {"utilisation", TraceMeasure::utilisation_percent},
    {"utilization", TraceMeasure::utilisation_percent},
    {"cpuutilisation", TraceMeasure::utilisation_percent},
    {"cpuutilization", TraceMeasure::utilisation_percent},
    {"cpupercent", TraceMeasure::utilisation_percent},
    {"cpu%", TraceMeasure::utilisation_percent},
    {"%cpu", TraceMeasure::utilisation_percent},
    {"cpuusage[%]", TraceMeasure::utilisation_percent},
    {"%processortime", TraceMeasure::utilisation_percent},
    {"idle", TraceMeasure::idle_percent},
    {"idl", TraceMeasure::idle_percent},
    {"%idle", TraceMeasure::idle_percent},
    {"idle%", TraceMeasure::idle_percent},
    {"idlepercent", TraceMeasure::idle_percent},
    {"percentidle", TraceMeasure::idle_percent},
    {"cpuidle", TraceMeasure::idle_percent},
    {"%idletime", TraceMeasure::idle_percent},
};

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
  const auto* const known = std::ranges::find(kKnownNames, plain, &KnownName::plain);
  if (known == std::end(kKnownNames)) return std::nullopt;
  return known->measure;
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

// Cutting the text into a time and what it is of; speeds of the machines.
#include "experiments/driver/reading/machine_time.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

/// Before '-' or a blank, and the unit.
constexpr std::string_view kWhose[] = {"machine", "core", "CPU", "cpu"};

constexpr const char* kSuchAs = "such as '40 machine-hours', '10h of NAME' or '10h at 2.5Gf'";

/// "40 machine-hours" as "40 hours"; nothing where the unit is none of these. @throws InputError for machine-fortnights.
std::optional<std::string> named_time(const std::string& text) {
  for (const auto whose : kWhose) {
    const std::size_t at = text.find(whose), end = at + whose.size();
    if (at == std::string::npos || at == 0 || end >= text.size() || (text[end] != '-' && text[end] != ' ')) continue;
    const std::string unit(trimmed(std::string_view(text).substr(end + 1)));
    if (!unit.empty() && quantity_in("1 " + unit, Dimension::time)) return text.substr(0, at) + unit;
    throw InputError(quoted(text) + " is no amount of work: " + std::string(whose) +
                     "-seconds, -minutes, -hours, -days or "
                     "-weeks are known, " +
                     kSuchAs);
  }
  return std::nullopt;
}

/// Whether no unit of time ends this: a bare number is flop, and all units of work hold an 'f', which those do not.
/// Told without parsing, which would be refused twice for each amount of work that there is.
bool ends_as_work(const std::string& text) {
  const std::size_t unit = text.find_last_of("0123456789.") + 1;
  return unit == text.size() || text.find('f', unit) != std::string::npos;
}

/// The time in front of `of` or `at`; nothing where there is none with a unit.
std::optional<double> time_in(const std::string& text) {
  const auto named = named_time(text);
  if (!named && ends_as_work(text)) return std::nullopt;
  const auto time_s = quantity_in(named.value_or(text), Dimension::time);
  if (named && !time_s)
    throw InputError(quoted(text) + " is no amount of work: a number is wanted before the unit, " + kSuchAs);
  return time_s;
}

/// "desk1 (2 Gflop/s) or node4 (3 Gflop/s)": the slowest and the fastest.
std::string extremes_text(const Platform& machines) {
  const auto [slowest, fastest] = std::ranges::minmax_element(machines.workstations, {}, &Workstation::speed_flops);
  const auto text = [](const Workstation& w) {
    return w.name + " (" + format_quantity(w.speed_flops, Dimension::speed) + ")";
  };
  return text(*slowest) + " to " + text(*fastest);
}

double speed_of_named(const std::string& name, const Platform& machines) {
  const auto found = std::ranges::find(machines.workstations, name, &Workstation::name);
  if (found != machines.workstations.end()) return found->speed_flops;
  Words names;
  for (const auto& w : machines.workstations) names.push_back(w.name);
  throw InputError("there is no machine " + quoted(name) + " among those of " + machines.source +
                   did_you_mean(name, names));
}

double reference_speed(const MachineTime& time, const Platform& machines) {
  if (time.speed_flops) return *time.speed_flops;
  if (!time.machine.empty()) return speed_of_named(time.machine, machines);
  const double first = machines.workstations.front().speed_flops;
  const auto is_same = [&](const Workstation& w) { return w.speed_flops == first; };
  if (std::ranges::all_of(machines.workstations, is_same)) return first;
  throw InputError("it takes more or less work to keep a machine busy for so long, since their speeds differ: " +
                   extremes_text(machines) + "; say of which, such as '" + time.text + " of " +
                   machines.workstations.front().name + "', or at what speed, such as '" + time.text + " at 2.5Gf'");
}

/// @throws InputError where it has no unit: nobody means 2 flop/s by '10h at 2'.
double speed_at(const std::string& reference, const std::string& time) {
  if (quantity_in(reference, Dimension::number))
    throw InputError("the speed " + quoted(reference) + " has no unit; write one, as in '" + time + " at 2.5Gf'");
  const double speed_flops = parse_quantity(reference, Dimension::speed);
  if (!(speed_flops > 0)) throw InputError("a speed of " + reference + " does no work");
  return speed_flops;
}

}  // namespace

std::optional<MachineTime> machine_time_of(const std::string& text) {
  const std::size_t of = text.find(" of "), at = text.find(" at "), end = std::min(of, at);
  const std::string time(trimmed(std::string_view(text).substr(0, end)));
  const auto time_s = time_in(time);
  if (!time_s) return std::nullopt;
  if (*time_s < 0) throw InputError(quoted(text) + " is no amount of work: it must be more than 0");
  MachineTime out{*time_s, time};
  if (end == std::string::npos) return out;
  const std::string reference(trimmed(std::string_view(text).substr(end + 4)));
  if (end == of)
    out.machine = reference;
  else
    out.speed_flops = speed_at(reference, time);
  return out;
}

bool is_named_machine_time(const std::string& text) {
  try {
    return named_time(std::string(trimmed(text.substr(0, std::min(text.find(" of "), text.find(" at ")))))).has_value();
  } catch (const InputError&) {
    return false;
  }
}

double work_flop(const MachineTime& time, const Platform& machines) {
  const double flop = time.time_s * reference_speed(time, machines);
  if (!std::isfinite(flop)) throw InputError("it comes to more work than numbers can tell");
  return flop;
}

std::string machine_time_text(const MachineTime& time, const Platform& machines) {
  return format_quantity(work_flop(time, machines), Dimension::work) + ", at " +
         format_quantity(reference_speed(time, machines), Dimension::speed);
}

double parse_work(const std::string& text, const Platform& machines, bool takes_bare_times) {
  const auto time = takes_bare_times || is_named_machine_time(text) ? machine_time_of(text) : std::nullopt;
  if (time) try {
      return work_flop(*time, machines);
    } catch (const InputError& e) {
      throw InputError(quoted(text) + ": " + e.what());
    }
  try {
    return parse_quantity(text, Dimension::work);
  } catch (const InputError& e) {
    throw InputError(std::string(e.what()) + ", or a time on a machine, such as '40 machine-hours'" +
                     (takes_bare_times ? " or 40h" : ""));
  }
}

}  // namespace nowsim

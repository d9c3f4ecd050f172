// The flags of a plan that are about the clock: when the job begins, or has begun, and when it has to be done.
#include <cmath>
#include <ostream>

#include "experiments/driver/studies/start_choice.hpp"
#include "experiments/driver/text/duration_text.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "tools/commands/plan_steps.hpp"

namespace nowsim {

namespace {

/// What is wrong with a flag's moment, said of the flag.
template <class Read>
auto said_of_flag(const std::string& flag, const std::string& text, const Read& read) {
  try {
    return read();
  } catch (const InputError& e) {
    const std::string own = quoted(text) + ": ";
    const std::string sentence = e.sentence().starts_with(own) ? e.sentence().substr(own.size()) : e.sentence();
    throw UsageError(flag_place(flag, text) + ": " + sentence);
  }
}

TimeZone zone_of(const Arguments& arguments, const Session& session) {
  const auto name = arguments.text_or_none("zone");
  if (name) return said_of_flag("zone", *name, [&] { return TimeZone::named(*name); });
  if (system_zone_name().empty())
    session.error << "remark: in which zone this system is cannot be told: moments are of UTC; '--zone Europe/Berlin' says it\n";
  return TimeZone::of_system();
}

/// A beginning by the clock: told in the zone that stands behind its moment, where one does.
WallClock beginning(const std::string& flag, const std::string& text, double now_s, const TimeZone& zone, bool is_over) {
  return said_of_flag(flag, text, [&] {
    const ClockText said = read_clock_text(text);
    const ClockContext context{now_s, zone, now_s};
    const double start_s = is_over ? moment_before(said, text, context) : moment_of(said, text, context);
    return WallClock{start_s, said.zone.empty() ? zone : TimeZone::named(said.zone)};
  });
}

constexpr const char* kAnyStart = "any";
constexpr const char* kRangeDots = "..";

/// The next quarter of an hour by the clock on the wall.
WallClock next_quarter(double now_s, const TimeZone& zone) {
  WallClock clock{now_s, zone};
  const double local_s = clock.local_s(0);
  clock.start_s += std::ceil(local_s / kStartStep_s) * kStartStep_s - local_s;
  return clock;
}

/// What stands before and behind the dots of a range. @throws UsageError where one is missing.
std::pair<std::string, std::string> ends_of_range(const std::string& text) {
  const auto dots = text.find(kRangeDots);
  const std::string from = text.substr(0, dots), to = text.substr(dots + 2);
  if (from.find_first_not_of(' ') == from.npos || to.find_first_not_of(' ') == to.npos)
    throw UsageError(flag_place("start", text) + ": a range has two moments, such as 'fri 12:00..sat 12:00', or 'now..18:00'");
  const auto zone_in = [](const std::string& moment) { return said_of_flag("start", moment, [&] { return read_clock_text(moment).zone; }); };
  const std::string zone = zone_in(from).empty() ? zone_in(to) : "";  // behind the whole it is of both
  return {zone.empty() ? from : from + " " + zone, to};
}

/// Of several the first.
WallClock first_start(const std::string& text, double now_s, const TimeZone& zone) {
  if (text == kAnyStart) return next_quarter(now_s, zone);
  const bool is_range = text.find(kRangeDots) != text.npos;
  return beginning("start", is_range ? ends_of_range(text).first : text, now_s, zone, false);
}

}  // namespace

void add_clock_flags(Flags& flags) {
  flags.add({{"deadline", taking(Kind::quantity).called("TIME"),
              "when it has to be done: 2h after it begins, or by the clock, 8:00, 'tomorrow 8:00', '2026-12-01 8:00'"},
             {"start", taking(Kind::text, {"now", "18:00", kAnyStart}).called("MOMENT"),
              "when it begins by the clock: 18:00, 'fri 20:00', '2026-12-01 18:00', now; owners by the clock go by it; 'any', "
              "or 'fri 12:00..sat 12:00', asks when it had best begin"},
             {"zone", taking(Kind::text).called("ZONE"),
              "whose clock that is, such as Europe/Berlin; by default this system's"}});
}

std::optional<WallClock> clock_of(const Arguments& arguments, const Session& session) {
  const auto start = arguments.text_or_none("start"), started = arguments.text_or_none("started");
  if (start && started) throw UsageError("--start and --started both say when the job begins: give one of them");
  if (start) return first_start(*start, session.now_s(), zone_of(arguments, session));
  if (started) return beginning("started", *started, session.now_s(), zone_of(arguments, session), true);
  if (arguments.has("zone"))
    throw UsageError("--zone says whose clock --start, --deadline and --started are by: when does the job begin, by "
                     "--start now?");
  return std::nullopt;
}

bool asks_for_start(const Arguments& arguments) {
  const std::string text = arguments.text("start");
  return text == kAnyStart || text.find(kRangeDots) != text.npos;
}

std::optional<double> last_start_of(const Arguments& arguments, const Session& session, const WallClock& first) {
  const std::string text = arguments.text("start"), place = flag_place("start", text) + ": ";
  if (text == kAnyStart) return std::nullopt;
  const std::string to = ends_of_range(text).second;
  const double last_s = said_of_flag("start", to, [&] {
    constexpr double kBehind_s = 1;
    return moment_of(read_clock_text(to), to, {session.now_s(), first.zone, first.start_s + kBehind_s});
  });
  const double until_s = last_s - first.start_s;
  if (until_s <= 0)
    throw UsageError(place + "it ends at " + first.full_text(until_s) + ", which is not after its beginning, " + first.full_text());
  if (until_s > kLongestWait_s)
    throw UsageError(place + "it is " + duration_text(until_s) + " long; owners' habits are of a week, so that " +
                     duration_text(kLongestWait_s) + " have all there is");
  return until_s;
}

std::optional<double> deadline_of(const Arguments& arguments, const Session& session, const std::optional<WallClock>& clock) {
  const auto text = arguments.text_or_none("deadline");
  if (!text) return std::nullopt;
  if (!is_about_clock(*text)) return quantity_of_flag("deadline", *text, Dimension::time, kPositive);
  const std::string place = flag_place("deadline", *text) + ": ";
  if (!clock) throw UsageError(place + "by the clock, and nobody says when the job begins: --start now, --start 18:00, or --start any");
  const double deadline_s = said_of_flag("deadline", *text, [&] {
    constexpr double kBehind_s = 1;
    return moment_of(read_clock_text(*text), *text, {session.now_s(), clock->zone, clock->start_s + kBehind_s});
  });
  const double after_s = deadline_s - clock->start_s;
  if (after_s <= 0)
    throw UsageError(place + clock->full_text(after_s) + " is not after the job's beginning, " + clock->full_text());
  return after_s;
}

std::optional<double> elapsed_of(const Arguments& arguments, const Session& session, const std::optional<WallClock>& clock) {
  const auto elapsed_s = arguments.quantity("elapsed");
  if (!arguments.has("started")) return elapsed_s;
  if (elapsed_s) throw UsageError("--elapsed and --started both say how long the job has been under way: give one of them");
  const double since_s = session.now_s() - clock->start_s;
  if (since_s <= 0)
    throw UsageError(flag_place("started", arguments.text("started")) + ": " + clock->full_text() +
                     " is still to come; a job that has not begun is planned with --start");
  return since_s;
}

}  // namespace nowsim

// The flags of a plan that are about the clock: when the job begins, or has begun, and when it has to be done.
#include <ostream>

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

}  // namespace

void add_clock_flags(Flags& flags) {
  flags.add({{"deadline", taking(Kind::quantity).called("TIME"),
              "when it has to be done: 2h after it begins, or by the clock, 8:00, 'tomorrow 8:00', '2026-12-01 8:00'"},
             {"start", taking(Kind::text, {"now", "18:00"}).called("MOMENT"),
              "when it begins by the clock: 18:00, 'fri 20:00', '2026-12-01 18:00', now; owners by the clock go by it"},
             {"zone", taking(Kind::text).called("ZONE"),
              "whose clock that is, such as Europe/Berlin; by default this system's"}});
}

std::optional<WallClock> clock_of(const Arguments& arguments, const Session& session) {
  const auto start = arguments.text_or_none("start"), started = arguments.text_or_none("started");
  if (start && started) throw UsageError("--start and --started both say when the job begins: give one of them");
  if (start) return beginning("start", *start, session.now_s(), zone_of(arguments, session), false);
  if (started) return beginning("started", *started, session.now_s(), zone_of(arguments, session), true);
  if (arguments.has("zone"))
    throw UsageError("--zone says whose clock --start, --deadline and --started are by: when does the job begin, by "
                     "--start now?");
  return std::nullopt;
}

std::optional<double> deadline_of(const Arguments& arguments, const Session& session, const std::optional<WallClock>& clock) {
  const auto text = arguments.text_or_none("deadline");
  if (!text) return std::nullopt;
  if (!is_about_clock(*text)) return quantity_of_flag("deadline", *text, Dimension::time, kPositive);
  const std::string place = flag_place("deadline", *text) + ": ";
  if (!clock) throw UsageError(place + "by the clock, and nobody says when the job begins: --start now, or --start 18:00");
  const double deadline_s = said_of_flag("deadline", *text, [&] {
    constexpr double kBehind_s = 1;
    return moment_of(read_clock_text(*text), *text, {session.now_s(), clock->zone, clock->start_s + kBehind_s});
  });
  const double after_s = deadline_s - clock->start_s;
  if (after_s <= 0)
    throw UsageError(place + clock->full_text(after_s) + " is not behind the job's beginning, " + clock->full_text());
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

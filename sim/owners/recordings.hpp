// Stamps of recordings, and what is known of one that an owner replays: when there are data, by which clock, and how its
// data are told apart.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/clock_moment.hpp"
#include "sim/base/time_zone.hpp"

namespace nowsim {

/// What a file's stamps are: seconds from whatever moment, or a date and time, said to be UTC or not.
enum class StampKind { seconds, civil, utc };

/// A moment in two parts, so that fractions of a second survive the 1.4e9 s since 1970.
struct Stamp {
  StampKind kind = StampKind::seconds;
  std::int64_t whole_s = 0;  ///< since 1970, or of plain seconds
  double rest_s = 0;
  std::optional<int> offset_s = {};  ///< of UTC: what local time is more than it, where that is known
};

/// "YYYY-MM-DD HH:MM[:SS[.fraction]]", with 'T' too, 'Z' or an offset ("+01:00", "-0530") at the end of UTC, or plain
/// seconds; nothing for what is none.
std::optional<Stamp> parse_stamp(std::string_view text);
/// From a to b [s].
double seconds_between(const Stamp& a, const Stamp& b);
/// In a sentence, "plain seconds".
const char* name_of(StampKind kind);
/// As parse_stamp reads it: "2014-02-14 14:30:00[.25]", "2014-02-14T14:30:00[.25]Z", with its offset in place of Z where
/// that is known, or seconds.
std::string stamp_text(const Stamp& stamp);

/// What the clock on the wall showed: that of a date and time without Z itself; of UTC, and of seconds since 1970, in the
/// zone where one is given, else at the stamp's offset, else UTC. Nothing for seconds that began somewhere else.
std::optional<ClockMoment> wall_clock(const Stamp& stamp, const TimeZone* zone = nullptr);

/// Dates and times without Z, row by row of one machine, as moments of UTC by a zone. In an hour over which clocks were
/// put back a stamp is of the first time, as long as that is later than the row before, else of the second.
class ZonedStamps {
 public:
  explicit ZonedStamps(TimeZone zone) : zone_(std::move(zone)) {}
  /// UTC with its offset; of seconds and of UTC the same, UTC with the zone's offset. @throws InputError, a sentence
  /// without a place, for a moment over which clocks were put forward: it has never been.
  Stamp next(const Stamp& stamp);

 private:
  TimeZone zone_;
  std::optional<double> last_s_;  ///< of UTC since 1970
};

/// Whether a date and time without Z is earlier than the one before as where clocks are put back: by an hour or less.
bool goes_back_by_an_hour(const Stamp& before, const Stamp& stamp);

/// From a moment to before another [s].
struct ClockSpan {
  double from_s, to_s;
};
/// In order, apart from each other.
using ClockSpans = std::vector<ClockSpan>;

/// What is in both.
ClockSpans in_both(const ClockSpans& a, const ClockSpans& b);
/// So much later.
ClockSpans shifted(ClockSpans spans, double seconds);
double length_s(const ClockSpans& spans);

/// Which clock a recording's stamps are by: times by one clock can be compared.
struct RecordingClock {
  enum class Kind { unknown, utc, civil, own };
  Kind kind = Kind::unknown;
  std::string file = {};  ///< of an own one, the file that it is of; "" where all files' seconds are by one
  auto operator<=>(const RecordingClock&) const = default;
};

/// By the first stamp of a recording. Dates without Z are by one clock; dates with Z, and seconds since 1970, by
/// another. Smaller seconds began somewhere: in a file that has a name, or all at one moment.
RecordingClock clock_of(const Stamp& first, const std::string& file = {}, bool is_one_for_all = false);

/// When something was recorded.
struct RecordedSeries {
  RecordingClock clock;
  Stamp first;       ///< its beginning
  ClockSpans spans;  ///< when there are data, since then
  std::shared_ptr<const void> data;
  bool is_asked_for;  ///< one moment for all (`common`), also for machines that replay the same
};

/// Recordings count as made together where all share at least this part of the time of the shortest one.
inline constexpr double kLeastShared = 0.2;

/// A hash of numbers.
std::uint64_t hash_of(const std::vector<double>& numbers, std::uint64_t before = 0);

}  // namespace nowsim

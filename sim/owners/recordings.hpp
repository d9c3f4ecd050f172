// Stamps of recordings, and what is known of one that an owner replays: when there are data, by which clock, and how its
// data are told apart.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nowsim {

/// What a file's stamps are: seconds from whatever moment, or a date and time, said to be UTC or not.
enum class StampKind { seconds, civil, utc };

/// A moment in two parts, so that fractions of a second survive the 1.4e9 s since 1970.
struct Stamp {
  StampKind kind = StampKind::seconds;
  std::int64_t whole_s = 0;  ///< since 1970, or of plain seconds
  double rest_s = 0;
};

/// "YYYY-MM-DD HH:MM[:SS[.fraction]]", with 'T' too, 'Z' at the end of UTC, or plain seconds; nothing for what is none.
std::optional<Stamp> parse_stamp(std::string_view text);
/// From a to b [s].
double seconds_between(const Stamp& a, const Stamp& b);
/// In a sentence, "plain seconds".
const char* name_of(StampKind kind);
/// As parse_stamp reads it: "2014-02-14 14:30:00[.25]", "2014-02-14T14:30:00[.25]Z", or seconds.
std::string stamp_text(const Stamp& stamp);

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

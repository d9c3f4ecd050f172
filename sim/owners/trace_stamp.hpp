// When a sample of a load trace was taken: a date and time, or seconds from whatever moment.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

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
/// A kind in a sentence, "plain seconds".
const char* name_of(StampKind kind);
/// As parse_stamp reads it: "2014-02-14 14:30:00[.25]", "2014-02-14T14:30:00[.25]Z", or seconds.
std::string stamp_text(const Stamp& stamp);

}  // namespace nowsim

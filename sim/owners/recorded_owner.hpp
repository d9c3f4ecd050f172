// Owners that replay what was recorded: when that was, and the part of it that other machines' recordings share.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/owners/clock_spans.hpp"
#include "sim/owners/load_series.hpp"
#include "sim/owners/owner_model.hpp"
#include "sim/owners/shared_parts.hpp"

namespace nowsim {

/// What a recording's stamps say, whose first one this is: the name of the clock that they are by. Dates are by one,
/// without and with Z, which seconds since 1970 are by as well. Smaller seconds are by `otherwise`: they began somewhere.
std::string clock_of(const Stamp& first, const std::string& otherwise);

/// When something was recorded.
struct RecordedSeries {
  std::string clock;  ///< which one tells the time; two times by one clock can be compared. "": none is known
  Stamp first;        ///< its beginning
  ClockSpans spans;   ///< when there are data, since then
  std::shared_ptr<const void> data;
  bool is_asked_for;  ///< one moment for all (`common`), also for machines that replay the same
};

/// What an owner model is besides, where its paths are a recording's.
class RecordedOwner {
 public:
  virtual ~RecordedOwner() = default;
  /// None where replications begin at moments of the machine's own, or at the recording's beginning.
  [[nodiscard]] virtual std::optional<RecordedSeries> recording() const = 0;
  /// A hash of the data.
  [[nodiscard]] virtual std::uint64_t content_hash() const = 0;
  /// The owner as a job meets it that begins at one moment with all others of the set of this number: these spans of the
  /// recording are replayed, one behind the other, and at their end all again. Null where that cannot be. @param shared
  /// keeps what is cut out, by the address of the recording, which must live as long.
  [[nodiscard]] virtual OwnerPtr replayed_together(const ClockSpans& kept, std::uint64_t set, SharedParts& shared) const = 0;
};

/// The recorded owner that a model is; null where it is none, or does not begin at a moment to be decided.
const RecordedOwner* recorded_owner(const OwnerModel& model);

/// A hash of numbers.
std::uint64_t hash_of(const std::vector<double>& numbers, std::uint64_t before = 0);

}  // namespace nowsim

// SimGrid's availability-profile grammar: reading, checking and writing it, and unrolling a profile into steps.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/owners/path.hpp"
#include "sim/statistics/laws.hpp"
#include "sim/statistics/random.hpp"

namespace nowsim {

/// One number of a profile line: fixed, or drawn at each use.
struct ProfileLaw {
  enum class Kind { fixed, normal, uniform, exponential };
  Kind kind = Kind::fixed;
  double a = 0;  ///< DET value | NORM mean | UNIF min | EXP rate (SimGrid's lambda: the mean is 1/a)
  double b = 0;  ///< NORM standard deviation | UNIF max
  bool operator==(const ProfileLaw&) const = default;
};

struct ProfileEvent {
  ProfileLaw date;   ///< deterministic profiles: absolute date [s]; stochastic ones: delay since the event before [s]
  ProfileLaw value;  ///< a fraction of the speed (speed profiles), [byte/s], [s], or 0/1 (state profiles)
  bool operator==(const ProfileEvent&) const = default;
};

/// A profile as written. Before the first event the resource has its nominal value (`initial` of a path). Dates of
/// a deterministic profile are fixed; its values may be drawn anew in each round, as in SimGrid.
struct Profile {
  bool stochastic = false;            ///< STOCHASTIC
  bool loop = false;                  ///< STOCHASTIC LOOP, LOOPAFTER or PERIODICITY
  std::optional<double> periodicity;  ///< PERIODICITY: from an event to the same event of the next round [s]
  /// LOOPAFTER: added to the first event's own date (or delay) for the pause between the last event of a round and the
  /// first of the next [s]; 0 where nothing is said.
  std::optional<double> loop_after;
  std::vector<ProfileEvent> events;
  bool operator==(const Profile&) const = default;
};

/// Reads SimGrid's grammar ('#' and '%' comments, PERIODICITY, LOOPAFTER, STOCHASTIC [LOOP], DET/NORM/UNIF/EXP with
/// their long names). `quantity` bounds the values. Stricter than SimGrid where that ignores what it does not expect
/// (trailing text, keywords given twice). @throws InputError naming file and line: see read_profile.
enum class ProfileQuantity { fraction, bandwidth, latency, state };
Profile parse_profile(const std::string& text, const std::string& file, ProfileQuantity quantity);
/// Reads a file. @throws InputError for a missing file, a malformed line, dates that are negative or not increasing
/// (equal ones included), NaN or infinite numbers, negative values, fractions above 1, a state other than 0 or 1 (a
/// law's bounds and means count as values, except for a drawn state), a law that does not exist (sd < 0, min > max, rate
/// <= 0), a loop without any positive length, PERIODICITY with STOCHASTIC or LOOPAFTER or shorter than the last date, no
/// event at all.
Profile read_profile(const std::string& file, ProfileQuantity quantity);
/// Writes a profile that parse_profile can give so that it gives it back exactly (shortest decimal that round-trips);
/// SimGrid reads the text as well.
std::string write_profile(const Profile& profile);

/// Long-run mean and standard deviation of a profile's value over time (time-weighted; for a profile that does not
/// loop, of its last value). Stochastic laws are taken unclamped where no clamping can occur, else by quadrature.
OwnerMoments profile_moments(const Profile& profile, ProfileQuantity quantity, double initial);

/// A path through a profile: each step the time a value lasts [s] (infinity for the last of a profile that does not
/// loop) and the value, at least `least`. Drawn values are clamped to what the quantity allows; drawn delays to >= 0.
/// Steps of length 0 are left out; next() throws InputError after a million of these in a row. @param initial the value
/// until the first event.
std::unique_ptr<Path> profile_path(std::shared_ptr<const Profile> profile, ProfileQuantity quantity, double initial,
                                   double least, const StreamKey& key);

}  // namespace nowsim

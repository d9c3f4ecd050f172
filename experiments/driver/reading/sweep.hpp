// Axes of a sweep and the points they span.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/driver/reading/settings.hpp"
#include "sim/base/keys.hpp"

namespace nowsim {

/// An axis: one key and its values, or several keys that go together (a zip), value by value.
struct Axis {
  std::vector<std::string> keys;
  std::vector<std::vector<std::string>> values;  ///< values[step][key]
  Place place;
};

/// The product of all axes; the last one runs fastest.
struct Sweep {
  std::vector<Axis> axes;
  std::vector<Setting> broken;  ///< of axes that could not be read, by the key of their place

  /// Number of points: 1 where there are no axes.
  [[nodiscard]] std::size_t size() const;
  /// All swept keys, in order.
  [[nodiscard]] std::vector<std::string> keys() const;
  /// The different values of a key, in order; none where it is not swept.
  [[nodiscard]] std::vector<std::string> values_of(const std::string& key) const;
  /// Whether this key's axis could not be read, which has been reported.
  [[nodiscard]] bool is_broken(const std::string& key) const;
  /// "'owner.HT' is not swept; did you mean 'owner.TH'?"
  [[nodiscard]] std::string not_swept(const std::string& key) const;
  /// The values of all swept keys at a point.
  [[nodiscard]] std::vector<std::string> at(std::size_t point) const;
  /// The point with the first value of this key's axis (of a zip: of all its keys) and the point's own values of the
  /// others. None where the key is not swept.
  [[nodiscard]] std::optional<std::size_t> first_along(const std::string& key, std::size_t point) const;
  /// Takes a key out of the sweep.
  void drop(const std::string& key);
  /// The same for a key that a flag has fixed to this value: of a zip that knows the value its steps stay, so that the
  /// keys that go together still do; but of `run:`, which only says how to run, all stay.
  void fix(const std::string& key, const std::string& value);
};

/// The keys of an axis that is a range.
const KeyTable& range_keys();

/// Reads the `sweep:` block: a map of key -> axis (or `zip` -> such a map), or a list of such maps; {} is no sweep. An
/// axis is a list of scalars, {from, to, count} or {from, to, step} with both ends, optionally `scale: log`; units may
/// be given, the same for all. Anything else is a problem, one sentence per axis with its place: empty or reversed
/// ranges, a step that does not meet the end, zips of different lengths, a key swept twice, more than a million points.
Sweep read_sweep(const YamlNode& node, const std::string& file, Problems& problems);

}  // namespace nowsim

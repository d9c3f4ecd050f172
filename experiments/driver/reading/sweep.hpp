// Axes of a sweep, the points they span, and their values: which are the same, and where they lie on a figure's axis; and
// what an experiment sweeps and measures, which names of figures and claims are held against.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "experiments/driver/reading/settings.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/keys.hpp"
#include "sim/metrics/metrics.hpp"

namespace nowsim {

/// An axis: one key and its values, or several keys that go together (a zip), value by value.
struct Axis {
  std::vector<std::string> keys;
  std::vector<std::vector<std::string>> values;  ///< values[step][key]
  Place place;

  [[nodiscard]] std::size_t column_of(const std::string& key) const {
    return static_cast<std::size_t>(std::ranges::find(keys, key) - keys.begin());
  }
  /// Where one of its keys stands.
  [[nodiscard]] Place place_of_key(const std::string& key) const { return {place.file, place.line, "sweep." + key}; }
};

/// The product of all axes; the last one runs fastest.
struct Sweep {
  std::vector<Axis> axes;
  std::vector<Setting> broken;  ///< of axes that could not be read, by the key of their place

  /// Number of points: 1 where there are no axes.
  [[nodiscard]] std::size_t size() const;
  /// All swept keys, in order.
  [[nodiscard]] std::vector<std::string> keys() const;
  /// The axis of a key; null where it is not swept.
  [[nodiscard]] const Axis* axis_of(const std::string& key) const;
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

// ---- values of axes ----

/// The number an axis's value is, whatever its unit, in SI: 10s, 25Mf, 28%; nothing for words and formulas.
std::optional<double> axis_number(const std::string& text);
/// Whether two values of an axis are the same: as written, or as numbers (0.28 and 28%).
bool same_axis_value(const std::string& a, const std::string& b);

/// An axis' values, to look others up by same_axis_value().
class AxisValues {
 public:
  explicit AxisValues(std::vector<std::string> values);
  [[nodiscard]] const std::vector<std::string>& in_order() const { return in_order_; }
  /// The same value as the axis has it; null where it has none.
  [[nodiscard]] const std::string* find(const std::string& value) const;

 private:
  std::vector<std::string> in_order_;
  std::set<std::string> texts_;
  std::map<double, std::string> numbers_;
};

/// The different values of a key and their positions.
struct AxisScale {
  std::vector<std::string> texts;  ///< as written, each once, in the order of the sweep
  std::vector<double> positions;   ///< in SI; 1, 2, ... of words
  bool words = false;              ///< not all values are quantities of one dimension
  Dimension dimension = Dimension::number;

  /// The position of a value, NaN for one that is not there.
  [[nodiscard]] double at(const std::string& text) const;
};

/// The scale of these values: of the first dimension in which all are quantities ("1s, 5min": times), else words.
AxisScale scale_of(const std::vector<std::string>& values);

// ---- names of figures and claims ----

/// "there is no metric 'tua'; did you mean 'tau'?", of these names.
std::string no_metric(const std::string& name, const Words& known);

/// What an experiment sweeps and measures, which outlive it: names of figures and claims are held against it.
struct SweptAndMeasured {
  SweptAndMeasured(const Sweep& of_experiment, const std::vector<const Metric*>& measured)
      : sweep(of_experiment), metrics(measured) {}
  const Sweep& sweep;
  const std::vector<const Metric*>& metrics;

  [[nodiscard]] bool is_swept(const std::string& key) const;
  /// The different values of a key; none where it is not swept.
  [[nodiscard]] const AxisValues& values(const std::string& key) const;
  /// Null where it is not measured.
  [[nodiscard]] const Metric* metric(const std::string& name) const;
  /// Of those that are measured, such as metrics of each workstation.
  [[nodiscard]] Words names_of(const std::function<bool(const Metric&)>& is_wanted) const;

 private:
  mutable std::map<std::string, AxisValues> values_;  ///< looked up once, however often they are named
};

}  // namespace nowsim

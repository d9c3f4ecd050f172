// Reading axes, and unrolling their product; their values as quantities.
#include "experiments/driver/reading/sweep.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "sim/base/text.hpp"
#include "sim/base/utf8.hpp"
#include "sim/statistics/portable.hpp"

namespace nowsim {
namespace {

using Kind = YamlNode::Kind;

/// A number and what is written behind it.
struct WithUnit {
  double number = 0;
  std::string unit;
};

/// Reads the parts of a {from, to, ...} range.
class RangeReader {
 public:
  /// `key` is the axis', from "sweep." on.
  RangeReader(const YamlNode& node, const std::string& file, const std::string& key)
      : node_(node), place_(place_of(node, file, key)) {
    const Words known = words_in(range_keys());
    for (const auto& [name, value] : node.entries)
      if (!contains(known, name))
        throw InputError(place_of(value, file, key), "a range has the keys from, to, count or step, scale; not '" + name + "'");
  }

  /// How many values there are, with everything checked that can be wrong.
  std::size_t size() {
    from_ = quantity("from");
    to_ = quantity("to");
    same_unit(to_);
    if (to_.number < from_.number)
      fail("the range is reversed: from " + number_text(from_.number) + " to " + number_text(to_.number));
    if (has("count") == has("step")) fail("a range has either a count or a step");
    const std::size_t count = has("count") ? counted() : stepped();
    const std::string scale = has("scale") ? text("scale") : "linear";
    is_log_ = scale == "log";
    if (!is_log_ && scale != "linear") fail("scale is linear or log");
    if (is_log_ && has("step")) fail("a log range has a count, not a step");
    if (is_log_ && from_.number <= 0) fail("a log range begins above 0");
    return count;
  }
  std::vector<std::string> values() {
    const std::size_t count = size();
    std::vector<std::string> out;
    for (std::size_t i = 0; i < count; ++i) {
      const double part = count == 1 ? 0 : static_cast<double>(i) / static_cast<double>(count - 1);
      double value = is_log_ ? from_.number * portable::pow(to_.number / from_.number, part)
                             : from_.number + (to_.number - from_.number) * part;
      if (i + 1 == count) value = to_.number;
      out.push_back(number_text(rounded(value)) + from_.unit);
    }
    return out;
  }

 private:
  [[noreturn]] void fail(const std::string& sentence) const { throw InputError(place_, sentence); }
  [[nodiscard]] bool has(const char* name) const { return node_.find(name) != nullptr; }
  /// "" of what is no plain value.
  [[nodiscard]] std::string text(const char* name) const { return has(name) ? node_.find(name)->text : ""; }
  [[nodiscard]] WithUnit quantity(const std::string& name) const {
    const std::string written = text(name.c_str());
    if (written.empty()) fail("the range has no '" + name + "'");
    WithUnit out;
    const auto [end, error] = number_from_chars(written.data(), written.data() + written.size(), out.number);
    if (error != std::errc() || !std::isfinite(out.number))
      fail(name + ": " + quoted(written) + " is not a number" + foreign_character_hint(written));
    out.unit.assign(end, written.data() + written.size());
    return out;
  }
  void same_unit(const WithUnit& other) const {
    if (from_.unit != other.unit)
      fail("the numbers of a range have the same unit; here " + quoted(from_.unit) + " and " + quoted(other.unit));
  }
  [[nodiscard]] std::size_t counted() const {
    const auto [count, unit] = quantity("count");
    if (!(count >= 1) || count != std::floor(count) || count > 1e6 || !unit.empty())
      fail("count is a whole number, from 1 to a million");
    if (count == 1 && from_.number != to_.number) fail("count 1 gives one value, but from and to differ");
    return static_cast<std::size_t>(count);
  }
  [[nodiscard]] std::size_t stepped() const {
    const WithUnit step = quantity("step");
    same_unit(step);
    if (!(step.number > 0)) fail("the step must be more than 0");
    const double steps = (to_.number - from_.number) / step.number;
    if (steps > 1e6) fail("the range has more than a million values");
    if (std::abs(steps - std::round(steps)) > 1e-9 * std::max(1.0, steps))
      fail("steps of " + number_text(step.number) + " from " + number_text(from_.number) + " do not meet " + number_text(to_.number));
    return static_cast<std::size_t>(std::llround(steps)) + 1;
  }
  /// 0.1·3 is 0.30000000000000004: twelve digits are enough for an axis, and for people.
  static double rounded(double value) {
    char buffer[40];
    const auto written = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific, 11);
    double out = value;
    number_from_chars(buffer, written.ptr, out);
    return out;
  }

  const YamlNode& node_;
  Place place_;
  WithUnit from_, to_;
  bool is_log_ = false;
};

/// How many values an axis has, which are not unrolled. `key` is the axis', from "sweep." on.
std::size_t axis_size(const YamlNode& node, const std::string& file, const std::string& key) {
  if (node.kind == Kind::map) return RangeReader(node, file, key).size();
  const auto fail = [&](const YamlNode& at, const char* sentence) { throw InputError(place_of(at, file, key), sentence); };
  if (node.kind != Kind::sequence) fail(node, "an axis is a list of values, or {from, to, count} or {from, to, step}");
  if (node.items.empty()) fail(node, "the list of values is empty");
  for (const auto& item : node.items)
    if (item.kind != Kind::scalar) fail(item, "an axis holds plain values, not lists or maps");
  return node.items.size();
}

/// The same value twice is the same point twice, which would be drawn and compared as two.
void refuse_doubles(const YamlNode& list, const std::string& file, const std::string& key) {
  std::set<std::string> before;
  for (const auto& item : list.items)
    if (!before.insert(item.text).second) throw InputError(place_of(item, file, key), quoted(item.text) + " is in the list twice");
}

/// Of an axis that has a size.
std::vector<std::string> axis_values(const YamlNode& node, const std::string& file, const std::string& key) {
  if (node.kind == Kind::map) return RangeReader(node, file, key).values();
  std::vector<std::string> out;
  for (const auto& item : node.items) out.push_back(item.text);
  return out;
}

/// An entry of the block: one axis, or the several of a zip. Its values are not unrolled before it is known how many
/// points there are.
struct SweepEntry {
  const std::string& key;
  const YamlNode& node;
  const std::string& file;

  [[nodiscard]] bool is_zip() const { return key == "zip"; }
  [[nodiscard]] Place place() const { return place_of(node, file, "sweep." + key); }
  /// Its axes by name.
  [[nodiscard]] std::vector<std::pair<std::string, const YamlNode*>> axes() const {
    if (!is_zip()) return {{key, &node}};
    std::vector<std::pair<std::string, const YamlNode*>> out;
    for (const auto& [name, values] : node.entries) out.emplace_back(name, &values);
    return out;
  }
  [[nodiscard]] std::string key_of(const std::string& axis) const {
    return is_zip() ? "sweep.zip." + axis : "sweep." + axis;
  }
  /// @throws InputError for all that can be wrong with it alone.
  [[nodiscard]] std::size_t size() const {
    if (is_zip() && (node.kind != Kind::map || node.entries.empty()))
      throw InputError(place(), "a zip holds keys and their lists of values");
    std::optional<std::size_t> first;
    for (const auto& [name, values] : axes()) {
      const std::size_t size = axis_size(*values, file, key_of(name));
      if (size != first.value_or(size))
        throw InputError(place_of(*values, file, key_of(name)),
                         "a zip's lists are equally long; this one holds " + std::to_string(size) + ", the first " +
                             std::to_string(*first));
      first = size;
    }
    if (!is_zip()) refuse_doubles(node, file, key_of(key));
    return *first;
  }
  [[nodiscard]] Axis unrolled() const {
    Axis axis{{}, {}, place()};
    for (const auto& [name, node_of] : axes()) {
      auto values = axis_values(*node_of, file, key_of(name));
      axis.values.resize(values.size());
      for (std::size_t i = 0; i < values.size(); ++i) axis.values[i].push_back(std::move(values[i]));
      axis.keys.push_back(name);
    }
    return axis;
  }
};

/// Gathers axes; one that cannot be read costs only itself.
class SweepReader {
 public:
  SweepReader(const std::string& file, Problems& problems) : file_(file), problems_(problems) {}

  void read(const YamlNode& map) {
    for (const auto& [key, node] : map.entries) {
      const SweepEntry entry{key, node, file_};
      try {
        add(entry);
      } catch (const InputError& e) {
        problems_.add(e);
        give_up(entry);
      }
    }
  }
  /// Of more points than there may be none is made: what else is wrong shows at one without axes.
  Sweep take() {
    for (const auto& entry : entries_)
      if (points_ > kMostPoints) give_up(entry);
      else sweep_.axes.push_back(entry.unrolled());
    return std::move(sweep_);
  }

 private:
  static constexpr double kMostPoints = 1e6;

  void add(const SweepEntry& entry) {
    const std::size_t size = entry.size();
    for (const auto& [name, node] : entry.axes())
      if (!seen_.insert(name).second) throw InputError(entry.place(), "'" + name + "' is swept twice");
    const bool is_last_straw = points_ <= kMostPoints;
    points_ *= static_cast<double>(size);
    entries_.push_back(entry);
    if (is_last_straw && points_ > kMostPoints)
      problems_.add(entry.place(), "with this axis the sweep has more than a million points: " + number_text(points_));
  }
  void give_up(const SweepEntry& entry) {
    for (const auto& [name, node] : entry.axes())
      sweep_.broken.push_back(broken_setting(place_of(*node, file_, name)));
  }

  const std::string& file_;
  Problems& problems_;
  std::vector<SweepEntry> entries_;
  double points_ = 1;
  Sweep sweep_;
  std::set<std::string> seen_;
};

std::optional<std::vector<double>> all_in(const std::vector<std::string>& texts, Dimension dimension) {
  std::vector<double> out;
  for (const auto& text : texts)
    if (const auto value = quantity_in(text, dimension)) out.push_back(*value);
    else return std::nullopt;
  return out;
}

}  // namespace

const KeyTable& range_keys() {
  static const KeyTable keys{
      {"from", KeyType::quantity, kMustBeGiven, "the first value; all with one unit, which the values have"},
      {"to", KeyType::quantity, kMustBeGiven, "the last"},
      {"count", KeyType::count, kMustBeGiven, "how many; or give step", {1}},
      {"step", KeyType::quantity, kMustBeGiven, "from one to the next; or give count", kPositive},
      {"scale", KeyType::word, "linear", "of the steps (log: with a count)", {}, {"linear", "log"}}};
  return keys;
}

std::size_t Sweep::size() const {
  std::size_t points = 1;
  for (const auto& axis : axes) points *= axis.values.size();
  return points;
}

std::vector<std::string> Sweep::keys() const {
  std::vector<std::string> out;
  for (const auto& axis : axes) out.insert(out.end(), axis.keys.begin(), axis.keys.end());
  return out;
}

const Axis* Sweep::axis_of(const std::string& key) const {
  const auto found = std::ranges::find_if(axes, [&](const Axis& axis) { return contains(axis.keys, key); });
  return found == axes.end() ? nullptr : &*found;
}

std::vector<std::string> Sweep::values_of(const std::string& key) const {
  const Axis* axis = axis_of(key);
  if (axis == nullptr) return {};
  std::vector<std::string> out;
  std::set<std::string> known;
  for (const auto& step : axis->values)
    if (const auto& value = step[axis->column_of(key)]; known.insert(value).second) out.push_back(value);
  return out;
}

bool Sweep::is_broken(const std::string& key) const {
  return std::ranges::any_of(broken, [&](const Setting& setting) { return setting.place.key == key; });
}

std::string Sweep::not_swept(const std::string& key) const {
  return "'" + key + "' is not swept" + did_you_mean(key, keys());
}

std::vector<std::string> Sweep::at(std::size_t point) const {
  std::vector<std::string> out;
  std::size_t block = size();
  for (const auto& axis : axes) {
    block /= axis.values.size();
    const auto& values = axis.values[point / block % axis.values.size()];
    out.insert(out.end(), values.begin(), values.end());
  }
  return out;
}

std::optional<std::size_t> Sweep::first_along(const std::string& key, std::size_t point) const {
  std::size_t block = size();
  for (const auto& axis : axes) {
    const std::size_t whole = block;  // points from one step of the axes before this one to the next
    block /= axis.values.size();
    if (contains(axis.keys, key)) return point - point % whole / block * block;
  }
  return std::nullopt;
}

void Sweep::drop(const std::string& key) {
  const auto axis = std::ranges::find_if(axes, [&](const Axis& a) { return contains(a.keys, key); });
  if (axis == axes.end()) return;
  const auto column = static_cast<std::ptrdiff_t>(axis->column_of(key));
  axis->keys.erase(axis->keys.begin() + column);
  for (auto& values : axis->values) values.erase(values.begin() + column);
  if (axis->keys.empty()) axes.erase(axis);
}

void Sweep::fix(const std::string& key, const std::string& value) {
  for (auto& axis : axes) {
    if (key.starts_with("run.") || axis.keys.size() == 1 || !contains(axis.keys, key)) continue;
    const auto is_other = [&, column = axis.column_of(key)](const auto& step) { return step[column] != value; };
    if (!std::ranges::all_of(axis.values, is_other)) std::erase_if(axis.values, is_other);
  }
  drop(key);
}

Sweep read_sweep(const YamlNode& node, const std::string& file, Problems& problems) {
  const auto note = [&](const YamlNode& at, const char* sentence) {
    problems.add(place_of(at, file, "sweep"), sentence);
  };
  SweepReader reader(file, problems);
  if (node.kind == Kind::map) reader.read(node);
  else if (node.kind != Kind::sequence || node.items.empty()) note(node, "a sweep holds keys and their lists of values");
  for (const auto& item : node.items) {
    if (item.kind == Kind::map) reader.read(item);
    else note(item, "each item of a sweep is key: values");
  }
  return reader.take();
}

std::optional<double> axis_number(const std::string& text) {
  const auto plain = to_number(text);
  return plain ? plain : any_quantity(text);
}

bool same_axis_value(const std::string& a, const std::string& b) {
  if (a == b) return true;
  const auto x = axis_number(a), y = axis_number(b);
  return x && y && std::abs(*x - *y) <= 1e-12 * std::max(std::abs(*x), std::abs(*y));
}

AxisValues::AxisValues(std::vector<std::string> values) : in_order_(std::move(values)), texts_(in_order_.begin(), in_order_.end()) {
  for (const auto& text : texts_)
    if (const auto number = axis_number(text)) numbers_.emplace(*number, text);
}

const std::string* AxisValues::find(const std::string& value) const {
  if (const auto known = texts_.find(value); known != texts_.end()) return &*known;
  const auto number = axis_number(value);
  if (!number) return nullptr;
  const auto next = numbers_.lower_bound(*number);
  if (next != numbers_.end() && same_axis_value(next->second, value)) return &next->second;
  if (next != numbers_.begin() && same_axis_value(std::prev(next)->second, value)) return &std::prev(next)->second;
  return nullptr;
}

double AxisScale::at(const std::string& text) const {
  const auto found = std::ranges::find(texts, text);
  if (found == texts.end()) return std::numeric_limits<double>::quiet_NaN();
  return positions[static_cast<std::size_t>(found - texts.begin())];
}

AxisScale scale_of(const std::vector<std::string>& values) {
  AxisScale out;
  for (const auto& value : values)
    if (std::ranges::count(out.texts, value) == 0) out.texts.push_back(value);
  for (const Dimension dimension : {Dimension::number, Dimension::count, Dimension::fraction, Dimension::time,
                                    Dimension::work, Dimension::bytes, Dimension::bandwidth}) {
    out.dimension = dimension;
    if (auto positions = all_in(out.texts, dimension)) {
      out.positions = std::move(*positions);
      return out;
    }
  }
  out.words = true;
  out.dimension = Dimension::number;
  for (std::size_t i = 0; i < out.texts.size(); ++i) out.positions.push_back(static_cast<double>(i + 1));
  return out;
}

std::string no_metric(const std::string& name, const Words& known) {
  if (const std::string why = quantile_name_problem(name); !why.empty())
    return "there is no metric " + quoted(name) + ": " + why;
  const std::string near = did_you_mean(name, known);
  return "there is no metric " + quoted(name) + (near.empty() ? "; 'nowsim list metrics' names them" : near);
}

bool SweptAndMeasured::is_swept(const std::string& key) const { return sweep.axis_of(key) != nullptr; }

const AxisValues& SweptAndMeasured::values(const std::string& key) const {
  const auto known = values_.find(key);
  return known != values_.end() ? known->second : values_.emplace(key, AxisValues(sweep.values_of(key))).first->second;
}

const Metric* SweptAndMeasured::metric(const std::string& name) const {
  const auto found = std::ranges::find(metrics, name, &Metric::name);
  return found == metrics.end() ? nullptr : *found;
}

Words SweptAndMeasured::names_of(const std::function<bool(const Metric&)>& is_wanted) const {
  Words names;
  for (const Metric* metric : metrics)
    if (is_wanted(*metric)) names.push_back(metric->name);
  return names;
}

}  // namespace nowsim

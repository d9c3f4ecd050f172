// Tilting laws to the hours' means, and paths of layers whose normals stay for a part of the day, and for less.
#include "sim/owners/habits.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "sim/base/text.hpp"
#include "sim/statistics/laws.hpp"
#include "sim/statistics/portable.hpp"

namespace nowsim {
namespace {

constexpr std::size_t kWorkingDays = 5;

std::size_t hour_of_week(double of_week_s) {
  return std::min(static_cast<std::size_t>(of_week_s / kHour_s), kHoursOfWeek - 1);
}

/// Weights in proportion to exp(t·value).
std::vector<double> weights_at(const std::vector<double>& values, double t) {
  const double top = t * (t > 0 ? values.back() : values.front());
  std::vector<double> weights;
  for (const double value : values) weights.push_back(portable::exp(t * value - top));
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) weight /= sum;
  return weights;
}

double mean_of(const std::vector<double>& values, const std::vector<double>& weights) {
  return std::inner_product(values.begin(), values.end(), weights.begin(), 0.0);
}

/// The weights that give this mean, by bisection: the mean rises with t.
std::vector<double> weights_of(const std::vector<double>& values, double mean) {
  const double least = values.front(), most = values.back();
  constexpr double kNear = 1e-9;  // of the ends: there the tilt has no end
  const auto alone = [&](double value) {
    const auto same = static_cast<double>(std::ranges::count(values, value));
    std::vector<double> weights;
    for (const double one : values) weights.push_back(one == value ? 1 / same : 0);
    return weights;
  };
  if (mean <= least + kNear * (most - least)) return alone(least);
  if (mean >= most - kNear * (most - least)) return alone(most);
  double low = -1, high = 1;
  while (mean_of(values, weights_at(values, low)) > mean) low *= 2;
  while (mean_of(values, weights_at(values, high)) < mean) high *= 2;
  constexpr int kHalvings = 60;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (low + high) / 2;
    (mean_of(values, weights_at(values, middle)) < mean ? low : high) = middle;
  }
  return weights_at(values, (low + high) / 2);
}

/// Four of each path and layer: fast and slow, of one's own and common.
Purpose purpose_of(Purpose path, std::size_t layer, std::size_t which) {
  const std::size_t of_path = path == Purpose::owner ? 0 : 1;
  return static_cast<Purpose>(static_cast<std::size_t>(Purpose::habits) + 16 * of_path + 4 * layer + which);
}

/// A standard normal that is drawn anew now and then.
class DrawnNormal {
 public:
  DrawnNormal(const StreamKey& key, std::uint64_t workstation, Purpose purpose)
      : stream_({key.seed, key.replication, workstation, purpose}) {}
  /// That stays until it is drawn again.
  void draw() { value_ = CommonFactor::normal(stream_.uniform()); }
  /// How long it stays, where the mean of that changes: exponential times forget how long they were.
  void draw_time(double mean_s) { left_s_ = time_s(mean_s); }
  [[nodiscard]] double value() const { return value_; }
  [[nodiscard]] double left_s() const { return left_s_; }
  /// At its own moments, whatever steps are taken: what machines have in common is the same on all. Whether it is drawn.
  bool pass(double seconds, double mean_s) {
    left_s_ -= seconds;
    const bool is_drawn = !(left_s_ > 0);
    for (; !(left_s_ > 0); left_s_ += time_s(mean_s)) draw();
    return is_drawn;
  }

 private:
  double time_s(double mean_s) { return -mean_s * portable::log(1 - stream_.uniform()); }

  Stream stream_;
  double value_ = 0, left_s_ = 0;
};

class LayerWalk {
 public:
  LayerWalk(const HabitsLayer& layer, HabitsLevel level, std::size_t index, double start_s, const StreamKey& key)
      : layer_(&layer), level_(std::move(level)), at_s_(start_s),
        fast_(key, key.workstation, purpose_of(key.purpose, index, 0)),
        slow_(key, key.workstation, purpose_of(key.purpose, index, 1)),
        fast_common_(key, kAllWorkstations, purpose_of(key.purpose, index, 2)),
        slow_common_(key, kAllWorkstations, purpose_of(key.purpose, index, 3)) {
    const auto& parts = layer.parts;
    uses_fast_ = std::ranges::any_of(parts, [](const HabitsPart& p) { return p.slow < 1 && p.common < 1; });
    uses_common_ = std::ranges::any_of(parts, [](const HabitsPart& p) { return p.slow < 1 && p.common > 0; });
    begin_part();
    fast_.draw();
    fast_common_.draw();
    find_next_change();
    find_value();
  }

  /// Anew what other machines do not share.
  void draw_own() {
    slow_.draw();
    fast_.draw();
    find_value();
  }
  [[nodiscard]] double left_s() const {
    double left_s = change_s_;
    if (part().slow < 1 && part().common < 1) left_s = std::min(left_s, fast_.left_s());
    if (part().slow < 1 && part().common > 0) left_s = std::min(left_s, fast_common_.left_s());
    return left_s;
  }
  [[nodiscard]] double value() const { return value_; }
  void pass(double seconds) {
    bool is_other = uses_fast_ && fast_.pass(seconds, part().interval_s);
    if (uses_common_ && fast_common_.pass(seconds, part().interval_s)) is_other = true;
    change_s_ -= seconds;
    at_s_ += seconds;
    if (change_s_ <= 0) {
      at_s_ = std::fmod(next_s_, kWeek_s);
      if (is_turn_) begin_part();
      find_next_change();
      is_other = true;
    }
    if (is_other) find_value();
  }

 private:
  [[nodiscard]] const HabitsPart& part() const { return layer_->parts[part_]; }
  void begin_part() {
    part_ = layer_->part_at(at_s_);
    const HabitsPart& p = part();
    slow_weight_ = std::sqrt(p.slow), fast_weight_ = std::sqrt(1 - p.slow);
    of_slow_ = {std::sqrt(p.slow_common), std::sqrt(1 - p.slow_common)};
    of_fast_ = {std::sqrt(p.common), std::sqrt(1 - p.common)};
    slow_.draw();
    slow_common_.draw();
    fast_.draw_time(part().interval_s);
    fast_common_.draw_time(part().interval_s);
  }
  /// By the hour, the part of the day and the normals.
  void find_value() {
    const std::size_t hour = hour_of_week(at_s_);
    double z = slow_weight_ * of_slow_.mixed(slow_common_.value(), slow_.value()) +
               fast_weight_ * of_fast_.mixed(fast_common_.value(), fast_.value());
    if (!level_.empty()) z += level_[part_ + (hour >= kWorkingDays * kHoursOfDay ? layer_->parts.size() : 0)];
    const auto& until = layer_->law_at(hour).until_z;
    const auto k = static_cast<std::size_t>(std::ranges::upper_bound(until, z) - until.begin());
    value_ = layer_->values[std::min(k, layer_->values.size() - 1)];
  }
  /// The next full hour, or turn of the day.
  void find_next_change() {
    const double day_s = std::floor(at_s_ / kDay_s) * kDay_s;
    next_s_ = (std::floor(at_s_ / kHour_s) + 1) * kHour_s;
    is_turn_ = false;
    for (const double turn_s : layer_->turns_s)
      for (const double next_s : {day_s + turn_s, day_s + kDay_s + turn_s})
        if (next_s > at_s_ && next_s <= next_s_) {
          next_s_ = next_s;
          is_turn_ = true;
        }
    change_s_ = next_s_ - at_s_;
  }

  /// Of what machines have in common, and of one's own.
  struct Weights {
    double common = 0, own = 0;
    [[nodiscard]] double mixed(double of_all, double of_one) const { return common * of_all + own * of_one; }
  };

  const HabitsLayer* layer_;
  HabitsLevel level_;
  bool uses_fast_ = true, uses_common_ = true;
  double slow_weight_ = 0, fast_weight_ = 1, value_ = 0;
  Weights of_slow_, of_fast_;
  double at_s_, next_s_ = 0, change_s_ = 0;  ///< where it stands in the week; when something changes; until then
  bool is_turn_ = false;
  std::size_t part_ = 0;
  DrawnNormal fast_, slow_, fast_common_, slow_common_;
};

double product_of(const std::vector<LayerWalk>& walks) {
  double product = 1;
  for (const auto& walk : walks) product *= walk.value();
  return product;
}

/// Until they leave about what is seen.
std::vector<LayerWalk> as_seen(std::vector<LayerWalk> walks, double seen) {
  std::vector<LayerWalk> nearest = walks;
  double off = std::abs(product_of(walks) - seen);
  for (int tries = 0; off > kSeenWithin && tries < kSeenTries; ++tries) {
    for (auto& walk : walks) walk.draw_own();
    if (const double now_off = std::abs(product_of(walks) - seen); now_off < off) {
      off = now_off;
      nearest = walks;
    }
  }
  return nearest;
}

}  // namespace

TiltedLaw tilted(const std::vector<double>& values, double mean) {
  TiltedLaw law{weights_of(values, mean), {}};
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    law.mean += law.weights[i] * values[i];
    law.mean_square += law.weights[i] * values[i] * values[i];
    sum += law.weights[i];
    constexpr double kAll = 1 - 1e-12;
    if (i + 1 == values.size() || sum >= kAll) law.until_z.push_back(kInfinity);
    else law.until_z.push_back(sum <= 1 - kAll ? -kInfinity : CommonFactor::normal(sum));
  }
  return law;
}

HabitsLayer::HabitsLayer(std::vector<double> values_, std::vector<double> mean_by_hour_, std::vector<double> turns_s_,
                         std::vector<HabitsPart> parts_)
    : values(std::move(values_)), mean_by_hour(std::move(mean_by_hour_)), turns_s(std::move(turns_s_)),
      parts(std::move(parts_)) {
  if (mean_by_hour.size() != kHoursOfWeek || parts.size() != std::max<std::size_t>(1, turns_s.size()) || values.empty())
    throw std::logic_error("habits: 168 hours, a part per turn, some values");
  std::map<double, std::size_t> known;
  for (const double mean : mean_by_hour) {
    const auto [found, is_new] = known.try_emplace(mean, laws.size());
    if (is_new) laws.push_back(tilted(values, mean));
    law_of_hour.push_back(found->second);
  }
}

std::size_t HabitsLayer::part_at(double of_week_s) const {
  if (turns_s.empty()) return 0;
  const double of_day_s = std::fmod(of_week_s, kDay_s);
  const auto begun = std::ranges::upper_bound(turns_s, of_day_s) - turns_s.begin();
  return static_cast<std::size_t>(begun == 0 ? std::ssize(turns_s) - 1 : begun - 1);  // before the first: since yesterday
}

std::string HabitsLayer::text() const {
  std::string text = "values";
  const auto add = [&text](const std::vector<double>& numbers) {
    for (const double x : numbers) text += " " + number_text(x);
  };
  add(values);
  text += " hours";
  add(mean_by_hour);
  text += " turns";
  add(turns_s);
  for (const HabitsPart& p : parts) {
    text += " part";
    add({p.slow, p.interval_s, p.common, p.slow_common});
  }
  return text;
}

std::vector<double> Habits::mean_by_hour() const {
  std::vector<double> means(kHoursOfWeek, 1.0);
  for (const auto& layer : layers)
    for (std::size_t h = 0; h < means.size(); ++h) means[h] *= layer.law_at(h).mean;
  return means;
}

OwnerMoments Habits::moments() const {
  const auto n = static_cast<double>(kHoursOfWeek);
  double mean = 0, square = 0;
  for (std::size_t h = 0; h < kHoursOfWeek; ++h) {
    double of_hour = 1, square_of_hour = 1;
    for (const auto& layer : layers) {
      of_hour *= layer.law_at(h).mean;
      square_of_hour *= layer.law_at(h).mean_square;
    }
    mean += of_hour / n;
    square += square_of_hour / n;
  }
  return {mean, std::sqrt(std::max(0.0, square - mean * mean))};
}

std::string Habits::text() const {
  std::string text = "habits start=" + (start_s ? number_text(*start_s) : "random");
  if (seen) text += " seen=" + number_text(*seen);
  for (const auto& layer : layers) text += " " + layer.text();
  return text;
}

std::unique_ptr<Path> habits_path(const std::shared_ptr<const Habits>& habits, std::vector<HabitsLevel> levels,
                                  const StreamKey& key) {
  const double start_s = diurnal_start_s({std::vector<double>(kHoursOfWeek), habits->start_s}, key);
  std::vector<LayerWalk> walks;
  for (std::size_t i = 0; i < habits->layers.size(); ++i)
    walks.emplace_back(habits->layers[i], levels.empty() ? HabitsLevel{} : std::move(levels[i]), i, start_s, key);
  if (habits->seen) walks = as_seen(std::move(walks), *habits->seen);
  return drawn_path([habits, walks = std::move(walks)]() mutable {
    Step step{kInfinity, product_of(walks)};
    for (const auto& walk : walks) step.duration_s = std::min(step.duration_s, walk.left_s());
    for (auto& walk : walks) walk.pass(step.duration_s);
    return step;
  });
}

}  // namespace nowsim

// The owner model `habits`: laws by hour of the week, with a part of a day that stays as it is and one that comes and goes.
#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/base/text.hpp"
#include "sim/owners/habits.hpp"
#include "sim/owners/measured_owner.hpp"
#include "sim/owners/owner_keys.hpp"

namespace nowsim {

std::unique_ptr<Path> HabitsOwner::path(const StreamKey& key) const {
  return remembered ? remembered->path(key) : habits_path(habits, levels, key);
}

OwnerMoments HabitsOwner::moments() const { return habits->moments(); }

Dependence HabitsOwner::dependence() const { return {Dependence::Kind::clock}; }

std::optional<HabitsOwner> HabitsOwner::under_way(const OwnerSight& sight) const {
  if (!habits->start_s) return std::nullopt;
  auto later = std::make_shared<Habits>(*habits);
  later->start_s = std::fmod(*habits->start_s + sight.elapsed_s, kWeek_s);
  later->seen = sight.availability;
  return HabitsOwner{{}, std::move(later), levels};
}

std::optional<double> HabitsOwner::expected_left_s(double seconds) const {
  if (!habits->start_s) return std::nullopt;
  if (habits->seen) return sampled_left_s([this](const StreamKey& key) { return path(key); }, seconds);
  return integral_by_hour(habits->mean_by_hour(), *habits->start_s, seconds);
}

std::string HabitsOwner::describe() const { return habits->label; }

std::string HabitsOwner::identity() const {
  std::string text = habits->text();
  for (const auto& level : levels) {
    text += " |";
    for (const double z : level) text += " " + number_text(z);
  }
  return text;
}

OwnerPtr habits_owner(std::shared_ptr<const Habits> habits) {
  return std::make_shared<const Owner>(Owner{HabitsOwner{{}, std::move(habits)}});
}

namespace {

std::string text_of(const std::vector<std::vector<double>>& errors) {
  std::string text;
  for (const auto& of_layer : errors) {
    text += " |";
    for (const double se : of_layer) text += " " + number_text(se);
  }
  return text;
}

}  // namespace

OwnerPtr measured_habits(const std::shared_ptr<const Habits>& habits, const std::vector<std::vector<double>>& level_se, double worth) {
  OwnerFit fit{{}, worth, nullptr, "worth=" + number_text(worth) + text_of(level_se)};
  for (std::size_t l = 0; l < level_se.size(); ++l)
    for (std::size_t k = 0; k < level_se[l].size(); ++k) {
      const std::string words = "habits " + std::to_string(l) + " level " + std::to_string(k) + " se=" +
                                number_text(level_se[l][k]) + " worth=" + number_text(worth);
      fit.parameters.push_back({MeasuredKind::mean, level_se[l][k], 1, words});
    }
  const OwnerPtr fitted = habits_owner(habits);
  if (fit.parameters.empty()) return fitted;
  fit.make = [habits, level_se](const std::vector<double>& off) {
    HabitsOwner owner{{}, habits};
    auto next = off.begin();
    for (const auto& of_layer : level_se) {
      owner.levels.emplace_back(next, next + std::ssize(of_layer));
      next += std::ssize(of_layer);
    }
    return std::make_shared<const Owner>(Owner{std::move(owner)});
  };
  return measured_owner(fitted, std::move(fit));
}

namespace {

const std::string kPresent = "present.", kComes = "comes.", kLeft = "left.";

/// 24 of a day; empty after a problem.
std::vector<double> read_day(KeyReader& read, const std::string& key) {
  auto hours = read.values(key);
  if (hours.size() == kHoursOfDay) return hours;
  read.problem(key, "there " + std::string(hours.size() == 1 ? "is 1 value" : "are " + std::to_string(hours.size()) + " values") +
                        "; one per hour is wanted, 24 from midnight");
  return {};
}

/// By hour of the week; empty after a problem.
std::vector<double> read_week(KeyReader& read, const std::string& of) {
  const std::vector<double> weekdays = read_day(read, of + "weekdays");
  std::vector<double> week;
  bool is_whole = !weekdays.empty();
  for (int day = 0; day < 5; ++day) week.insert(week.end(), weekdays.begin(), weekdays.end());
  for (const char* day : {"saturday", "sunday"}) {
    const std::vector<double> hours = read.has(of + day) ? read_day(read, of + day) : weekdays;
    is_whole &= !hours.empty();
    week.insert(week.end(), hours.begin(), hours.end());
  }
  return is_whole ? week : std::vector<double>{};
}

/// One for all parts, or one for each; `usual` where nothing is said. Empty after a problem.
std::vector<double> read_parts(KeyReader& read, const std::string& key, std::size_t parts, double usual) {
  std::vector<double> values = read.has(key) ? read.values(key) : std::vector<double>{usual};
  if (values.size() == 1) values.resize(parts, values.front());
  if (values.size() == parts) return values;
  read.problem(key, "there are " + std::to_string(values.size()) + " values for " + std::to_string(parts) +
                        (parts == 1 ? " part" : " parts") + " of the day: one for all is wanted, or one for each of 'turns'");
  return {};
}

std::optional<HabitsLayer> read_layer(KeyReader& read, const std::string& of, std::vector<double> values) {
  const std::vector<double> week = read_week(read, of);
  std::vector<double> turns = read.values(of + "turns");
  bool is_good = !week.empty() && !values.empty();
  if (!std::ranges::is_sorted(turns, std::less_equal<>())) {
    read.problem(of + "turns", "parts of the day begin one after the other: times in rising order, such as [7h, 18h]");
    is_good = false;
  }
  const std::size_t n = std::max<std::size_t>(1, turns.size());
  const auto slow = read_parts(read, of + "slow", n, 0), interval_s = read_parts(read, of + "interval", n, kHour_s),
             common = read_parts(read, of + "common", n, 0), slow_common = read_parts(read, of + "slow_common", n, 0);
  for (const auto* all : {&slow, &interval_s, &common, &slow_common}) is_good &= all->size() == n;
  if (turns.empty() && std::ranges::any_of(slow, [](double weight) { return weight > 0; })) {
    read.problem(of + "slow", "what stays is drawn anew where a part of the day begins: 'turns' is missing, such as [7h, 18h]");
    is_good = false;
  }
  if (!is_good) return std::nullopt;
  std::ranges::sort(values);
  std::vector<HabitsPart> parts;
  for (std::size_t k = 0; k < n; ++k) parts.push_back({slow[k], interval_s[k], common[k], slow_common[k]});
  return HabitsLayer(std::move(values), week, std::move(turns), std::move(parts));
}

/// How far off the levels may be, by layer: as many as parts on working days, and then on others. Empty where nothing is.
std::vector<double> read_errors(KeyReader& read, const std::string& of, const HabitsLayer& layer) {
  std::vector<double> errors = read.values(of + "level_se");
  if (errors.size() == 1) errors.resize(2 * layer.parts.size(), errors.front());
  if (errors.empty() || errors.size() == 2 * layer.parts.size()) return errors;
  read.problem(of + "level_se", "there are " + std::to_string(errors.size()) + " values; one for all is wanted, or " +
                                    std::to_string(2 * layer.parts.size()) +
                                    ": of each part of working days, and then of each part of Saturdays and Sundays");
  return {};
}

/// The moment of the week at which the job begins; none where nobody says, or after a problem.
std::optional<double> start_of(KeyReader& read, const OwnerContext& context) {
  if (!context.start) return std::nullopt;
  if (context.start->weekday) return *context.start->weekday * kDay_s + context.start->of_day_s;
  read.problem("weekdays", "these habits are of a week: run.start has to say on which day it begins, such as 'Mon 18:00'");
  return std::nullopt;
}

OwnerPtr make_habits(KeyReader& read, const OwnerContext& context) {
  Habits habits;
  auto layer = read_layer(read, "", read.values("values"));
  habits.start_s = start_of(read, context);
  bool is_whole = layer.has_value();
  std::vector<std::vector<double>> errors;
  const auto add = [&](const std::string& of, std::optional<HabitsLayer> one) {
    is_whole &= one.has_value();
    if (!one) return;
    errors.push_back(read_errors(read, of, *one));
    habits.layers.push_back(std::move(*one));
  };
  add("", std::move(layer));
  for (const auto& of : {kPresent, kComes})
    if (read.has(of + "weekdays")) add(of, read_layer(read, of, {0, 1}));
  if (read.has(kLeft + "weekdays")) add(kLeft, read_layer(read, kLeft, {read.value(kLeft + "value"), 1}));
  if (!is_whole) return dedicated_owner();
  const OwnerMoments moments = habits.moments();
  habits.label = "habits by the hour, mean=" + short_number(moments.mean) +
                 (habits.start_s ? "" : ", from a random moment of the week");
  if (context.by_hour) read.problem("model", "habits go by the clock themselves: no 'diurnal' lies over them");
  std::string exactly = habits.text();
  const auto kept = context.shared.get<Habits>(exactly, [&] { return std::make_shared<const Habits>(habits); });
  const auto fitted = context.shared.get<Owner>(exactly, [&] { return habits_owner(kept); });
  const double worth = read.value("worth");
  if (!(worth > 0)) return fitted;
  return context.shared.get<Owner>(exactly + " worth=" + number_text(worth) + text_of(errors),
                                   [&] { return measured_habits(kept, errors, worth); });
}

KeyTable layer_keys(const std::string& of, const std::string& mean) {
  const auto list = [&](const char* name, KeyType type, std::optional<std::string> fallback, std::string help, Bounds bounds) {
    return Key{of + name, type, std::move(fallback), std::move(help), bounds, {}, true};
  };
  static constexpr Bounds kShare{0, 1};
  return {list("weekdays", KeyType::share, of.empty() ? std::nullopt : std::optional<std::string>(""), mean + " by hour, 24 from midnight", kShare),
          list("saturday", KeyType::share, "", "24 of Saturday; as on weekdays where it is not given", kShare),
          list("sunday", KeyType::share, "", "24 of Sunday; likewise", kShare),
          list("turns", KeyType::time, "", "when parts of the day begin, such as [7h, 18h]: what stays is drawn anew", {0, kDay_s}),
          list("slow", KeyType::share, "", "by part: the weight of what stays for the whole of it (0)", kShare),
          list("interval", KeyType::time, "", "by part: how long the rest stays, in the mean (1h)", kPositive),
          list("common", KeyType::share, "", "by part: the weight of what the rest has in common with other machines' (0)", kShare),
          list("slow_common", KeyType::share, "", "by part: likewise of what stays (0)", kShare),
          list("level_se", KeyType::number, "", "with worth: standard errors of the level, in normals, by part on weekdays, then on weekends", {0, 3})};
}

}  // namespace

OwnerModelInfo habits_model() {
  KeyTable keys{{"values", KeyType::share, kMustBeGiven, "what is left, equally likely values; tilted to each hour's mean", {0, 1}, {}, true}};
  std::ranges::move(layer_keys("", "mean availability"), std::back_inserter(keys));
  std::ranges::move(layer_keys(kPresent, "of a machine that comes and goes: the share of time that it is there"), std::back_inserter(keys));
  std::ranges::move(layer_keys(kComes, "likewise: the share of days on which it comes at all"), std::back_inserter(keys));
  std::ranges::move(layer_keys(kLeft, "of a machine on which jobs are left: the mean of what they leave"), std::back_inserter(keys));
  keys.push_back({kLeft + "value", KeyType::share, "0", "what such a job leaves of what there were without it", {0, 1}});
  keys.push_back({"worth", KeyType::number, "0", "days by which the levels were measured; 0: they are known", {0, kInfinity}});
  return {"habits", "who goes by the clock: laws by hour of the week, days of their own, and what comes and goes", keys, make_habits};
}

}  // namespace nowsim

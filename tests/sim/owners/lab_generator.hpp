// Labs of which everything is known: machines in steps of five minutes, from Monday on, as owners of four kinds use them.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/owners/load_series.hpp"
#include "sim/statistics/laws.hpp"
#include "sim/statistics/random.hpp"

namespace nowsim::test {

inline constexpr std::size_t kStepsOfDay = 288;
inline constexpr double kLabStep_s = 300;

/// Draws of one stream.
class Draws {
 public:
  explicit Draws(std::uint64_t seed, std::uint64_t of = 0) : stream_({seed, of, 0, Purpose::workload}) {}
  double uniform(double low = 0, double high = 1) { return low + (high - low) * stream_.uniform(); }
  double normal(double mean, double sd) { return mean + sd * CommonFactor::normal(stream_.uniform()); }
  double exponential(double mean) { return -mean * std::log(1 - stream_.uniform()); }
  bool is(double probability) { return stream_.uniform() < probability; }

 private:
  Stream stream_;
};

enum class LabKind { overnight, staff, classroom, laptops };
inline constexpr std::array kLabKinds{LabKind::overnight, LabKind::staff, LabKind::classroom, LabKind::laptops};

/// By machine and step.
using LabWeeks = std::vector<std::vector<float>>;

/// A lab with habits of its own.
class Lab {
 public:
  Lab(LabKind kind, std::uint64_t seed) : kind_(kind) {
    Draws draws(seed, 1);
    machines_ = 6 + static_cast<std::size_t>(draws.uniform(0, 7));
    busy_ = draws.uniform(0.3, 0.8);
    // Rare nights are not at the promised quantile itself: on fewer than one night in ten, or on many more.
    night_ = draws.is(0.5) ? draws.uniform(0.2, 0.6) / 10 / static_cast<double>(machines_) : draws.uniform(0.06, 0.2);
    absent_ = draws.uniform(0.05, 0.3);
    there_ = draws.uniform(0.8, 0.95);
    stay_ = draws.uniform(0.02, 0.3);
    for (auto& p : lesson_) p = draws.uniform(0.2, 0.9);
    for (std::size_t m = 0; m < machines_; ++m)
      people_.push_back({draws.uniform(7, 10), draws.uniform(15.5, 19), draws.uniform(0.3, 0.9)});
  }

  [[nodiscard]] std::size_t machines() const { return machines_; }
  [[nodiscard]] LabWeeks weeks(std::size_t n, std::uint64_t seed) const {
    Draws draws(seed, 2);
    LabWeeks out(machines_, std::vector<float>(7 * n * kStepsOfDay, kind_ == LabKind::laptops ? 0.F : 1.F));
    if (kind_ == LabKind::overnight) use_overnight(out, draws);
    if (kind_ == LabKind::staff) use_as_staff(out, draws);
    if (kind_ == LabKind::classroom) hold_lessons(out, draws);
    if (kind_ == LabKind::laptops) carry_about(out, draws);
    return out;
  }

 private:
  struct Person {
    double comes_h, goes_h, use;
  };
  static std::size_t step(std::size_t day, double hour) {
    return day * kStepsOfDay + static_cast<std::size_t>(std::clamp(hour, 0.0, 47.9) * 12);
  }
  static void fill(std::vector<float>& machine, std::size_t from, std::size_t to, double value) {
    for (std::size_t i = from; i < std::min(to, machine.size()); ++i) machine[i] = static_cast<float>(value);
  }
  static bool is_free(std::size_t day) { return day % 7 >= 5; }
  static std::size_t days(const LabWeeks& lab) { return lab.front().size() / kStepsOfDay; }
  /// Sessions of so many minutes in the mean, each busy by the chance of its hour.
  template <class Chance, class Value>
  static void sessions(std::vector<float>& machine, std::size_t from, std::size_t to, double minutes, Draws& draws,
                       const Chance& chance, const Value& value) {
    for (std::size_t i = from; i < to;) {
      const auto length = std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(draws.exponential(minutes) / 5)));
      if (draws.is(chance(i))) fill(machine, i, std::min(i + length, to), value());
      i += length;
    }
  }
  static bool is_by_day(std::size_t i, double from_h, double to_h) {
    const double hour = static_cast<double>(i % kStepsOfDay) / 12;
    return !is_free(i / kStepsOfDay) && hour >= from_h && hour < to_h;
  }

  void use_overnight(LabWeeks& lab, Draws& draws) const {
    for (auto& machine : lab) {
      sessions(machine, 0, machine.size(), 45, draws, [&](std::size_t i) { return is_by_day(i, 8, 18) ? busy_ : 0.05; },
               [] { return 0.1; });
      for (std::size_t d = 0; d + 1 < days(lab); ++d)
        if (draws.is(is_free(d) ? 0.3 * night_ : night_))
          fill(machine, step(d, draws.uniform(17.5, 19.5)), step(d + 1, draws.uniform(7, 9)), 0.1);
    }
  }
  void use_as_staff(LabWeeks& lab, Draws& draws) const {
    for (std::size_t m = 0; m < lab.size(); ++m)
      for (std::size_t d = 0; d < days(lab); ++d) {
        if (is_free(d) || draws.is(absent_)) continue;
        const Person& p = people_[m];
        sessions(lab[m], step(d, draws.normal(p.comes_h, 0.5)), step(d, draws.normal(p.goes_h, 0.7)), 30, draws,
                 [&](std::size_t) { return p.use; }, [&] { return draws.uniform(0.05, 0.6); });
      }
  }
  void hold_lessons(LabWeeks& lab, Draws& draws) const {
    for (auto& machine : lab)
      sessions(machine, 0, machine.size(), 20, draws, [](std::size_t i) { return is_by_day(i, 8, 20) ? 0.15 : 0.02; },
               [&] { return draws.uniform(0.2, 0.7); });
    for (std::size_t d = 0; d < days(lab); ++d) {
      if (is_free(d)) continue;
      for (std::size_t k = 0; k < lesson_.size(); ++k) {
        if (!draws.is(lesson_[k])) continue;
        const double begin_h = 8 + 2 * static_cast<double>(k);
        for (auto& machine : lab)
          if (draws.is(0.9)) fill(machine, step(d, begin_h + draws.uniform(0, 0.25)), step(d, begin_h + 1.75), draws.uniform(0.1, 0.5));
      }
    }
  }
  void carry_about(LabWeeks& lab, Draws& draws) const {
    for (std::size_t m = 0; m < lab.size(); ++m)
      for (std::size_t d = 0; d < days(lab); ++d) {
        if (!draws.is(is_free(d) ? 0.15 : there_)) continue;
        const Person& p = people_[m];
        const std::size_t from = step(d, draws.normal(p.comes_h, 0.6));
        const bool is_left = !is_free(d) && draws.is(stay_);
        const std::size_t to = std::min(lab[m].size(), is_left ? step(d + 1, p.comes_h) : step(d, draws.normal(p.goes_h, 0.8)));
        fill(lab[m], from, to, 1);
        sessions(lab[m], from, std::min(to, step(d, 19)), 25, draws, [](std::size_t) { return 0.5; },
                 [&] { return draws.uniform(0.2, 0.8); });
      }
  }

  LabKind kind_;
  std::size_t machines_ = 0;
  double busy_ = 0, night_ = 0, absent_ = 0, there_ = 0, stay_ = 0;
  std::array<double, 5> lesson_{};
  std::vector<Person> people_;
};

/// A machine's steps as a series whose stamps are civil, from Monday, 2 November 2026, on.
inline LoadSeries series_of(const std::vector<float>& machine) {
  LoadSeries series;
  constexpr std::int64_t kMonday_s = 1793577600;
  series.first = {StampKind::civil, kMonday_s, 0};
  for (const float value : machine) series.add(kLabStep_s, value);
  return series;
}

/// When work of so many hours on each machine, begun at a step, is done on all [h]; infinite behind the end.
inline double lab_finish_h(const LabWeeks& lab, std::size_t begin, const std::vector<double>& hours) {
  double last_h = 0;
  for (std::size_t m = 0; m < lab.size(); ++m) {
    double left = hours[m] * 12;
    std::size_t i = begin;
    while (i < lab[m].size() && left > lab[m][i]) left -= lab[m][i++];
    if (i == lab[m].size()) return INFINITY;
    last_h = std::max(last_h, (static_cast<double>(i - begin) + left / std::max(1e-9, static_cast<double>(lab[m][i]))) / 12);
  }
  return last_h;
}

}  // namespace nowsim::test

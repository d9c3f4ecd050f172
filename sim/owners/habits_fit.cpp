// Cells of the clock, hours' means, covariances by hour and lag, and the parts of a day that come closest to them.
#include "sim/owners/habits_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <numbers>
#include <numeric>
#include <utility>

#include "sim/base/text.hpp"
#include "sim/statistics/portable.hpp"

namespace nowsim {
namespace {

constexpr std::size_t kDaysOfWeek = 7, kClasses = 3;  // of days: working ones, Saturdays, Sundays
constexpr std::size_t kOrders = 14;                   // of Hermite polynomials, 0 and on
constexpr std::size_t kValues = 20;
constexpr double kOff = 1e-9, kSomeAway = 0.01;

using Coefficients = std::array<double, kOrders>;

std::size_t class_of_day(std::size_t weekday) { return weekday < 5 ? 0 : weekday - 4; }

/// All machines' cells of the clock: what is left in the mean, and whether there are data.
struct Grid {
  double cell_s = 0;
  std::size_t per_hour = 0, days = 0, first_weekday = 0;
  std::int64_t first_day = 0;  ///< since Monday, 5 January 1970
  std::vector<std::vector<double>> value;  ///< by machine
  std::vector<std::vector<char>> known;

  /// As if nothing were known of a day, since Monday, 5 January 1970.
  void leave_out(std::int64_t day) {
    const std::int64_t at = day - first_day;
    if (at < 0 || at >= static_cast<std::int64_t>(days)) return;
    const auto of_day = static_cast<std::ptrdiff_t>(kHoursOfDay * per_hour);
    for (auto& machine : known) std::fill_n(machine.begin() + at * of_day, of_day, char{0});
  }
  [[nodiscard]] std::size_t cells() const { return days * kHoursOfDay * per_hour; }
  [[nodiscard]] std::size_t machines() const { return value.size(); }
  [[nodiscard]] std::size_t hours() const { return days * kHoursOfDay; }
  [[nodiscard]] std::size_t weekday(std::size_t day) const { return (first_weekday + day) % kDaysOfWeek; }
};

/// Cells that are no shorter than samples, of which an hour has a whole number.
double cell_length_s(const std::vector<ClockedSeries>& all) {
  double step_s = 0;
  for (const auto& one : all) step_s = std::max(step_s, median_step_s(*one.series));
  for (const double minutes : {5, 10, 15, 20, 30})
    if (step_s <= 60 * minutes * (1 + 1e-6)) return 60 * minutes;
  return kHour_s;
}

/// Adds what a step has of the cells that it lies in.
void spread_step(double from_s, double to_s, double cell_s, const auto& add) {
  for (double at_s = std::max(0.0, from_s); at_s < to_s;) {
    const auto cell = static_cast<std::size_t>(at_s / cell_s);
    const double end_s = std::min(to_s, static_cast<double>(cell + 1) * cell_s);
    if (!(end_s > at_s)) break;  // rounding
    add(cell, end_s - at_s);
    at_s = end_s;
  }
}

Grid grid_of(const std::vector<ClockedSeries>& all) {
  Grid grid;
  grid.cell_s = cell_length_s(all);
  grid.per_hour = static_cast<std::size_t>(std::llround(kHour_s / grid.cell_s));
  double first_s = kInfinity, last_s = -kInfinity;
  for (const auto& one : all) {
    first_s = std::min(first_s, one.first_s);
    last_s = std::max(last_s, one.wall_s(one.series->clock_end_s()));
  }
  const double origin_s = std::floor(first_s / kDay_s) * kDay_s;
  grid.days = static_cast<std::size_t>(std::ceil((last_s - origin_s) / kDay_s));
  grid.first_day = std::llround(origin_s / kDay_s);
  grid.first_weekday = static_cast<std::size_t>((grid.first_day % 7 + 7) % 7);
  for (const auto& one : all) {
    std::vector<double> seconds(grid.cells() + 1), sum(grid.cells() + 1);
    const auto clock_s = one.series->clock_s();
    for (std::size_t i = 0; i < clock_s.size(); ++i) {
      const double from_s = one.wall_s(clock_s[i]) - origin_s;
      spread_step(from_s, from_s + one.series->duration_s[i], grid.cell_s, [&](std::size_t cell, double s) {
        if (cell >= seconds.size()) return;
        seconds[cell] += s;
        sum[cell] += s * one.series->availability[i];
      });
    }
    std::vector<double> value(grid.cells());
    std::vector<char> known(grid.cells());
    for (std::size_t c = 0; c < grid.cells(); ++c) {
      known[c] = seconds[c] >= 0.5 * grid.cell_s;
      if (known[c]) value[c] = sum[c] / seconds[c];
    }
    grid.value.push_back(std::move(value));
    grid.known.push_back(std::move(known));
  }
  return grid;
}

// ---- hours' means ----------------------------------------------------------------------------------------------------

/// Sums over the cells of each hour of each day: [machine][hour].
struct HourSums {
  std::vector<std::vector<double>> sum, count;
};
HourSums hour_sums(const Grid& grid) {
  HourSums out;
  for (std::size_t m = 0; m < grid.machines(); ++m) {
    std::vector<double> sum(grid.hours()), count(grid.hours());
    for (std::size_t c = 0; c < grid.cells(); ++c)
      if (grid.known[m][c]) {
        sum[c / grid.per_hour] += grid.value[m][c];
        ++count[c / grid.per_hour];
      }
    out.sum.push_back(std::move(sum));
    out.count.push_back(std::move(count));
  }
  return out;
}

/// Which days count as of one kind.
std::size_t group_of(DayKinds kinds, std::size_t weekday) {
  const std::size_t of_day = class_of_day(weekday);
  if (kinds == DayKinds::three) return of_day;
  return kinds == DayKinds::working_and_free ? std::min<std::size_t>(of_day, 1) : 0;
}

/// The mean over all machines by hour of each day, and its weight.
struct LabHours {
  std::vector<double> mean, weight;
};
LabHours lab_hours(const HourSums& sums) {
  const std::size_t hours = sums.sum.front().size();
  LabHours lab{std::vector<double>(hours), std::vector<double>(hours)};
  for (std::size_t h = 0; h < hours; ++h) {
    for (std::size_t m = 0; m < sums.sum.size(); ++m) {
      lab.mean[h] += sums.sum[m][h];
      lab.weight[h] += sums.count[m][h];
    }
    if (lab.weight[h] > 0) lab.mean[h] /= lab.weight[h];
  }
  return lab;
}

/// The sum of squares by which each day's hours differ from what the other days foretell.
double held_out_error(const Grid& grid, const LabHours& lab, DayKinds kinds) {
  double error = 0;
  for (std::size_t d = 0; d < grid.days; ++d)
    for (std::size_t h = 0; h < kHoursOfDay; ++h) {
      const std::size_t at = d * kHoursOfDay + h;
      if (lab.weight[at] == 0) continue;
      double sum = 0, weight = 0, all_sum = 0, all_weight = 0;
      for (std::size_t other = 0; other < grid.days; ++other) {
        if (other == d) continue;
        const bool is_of_kind = group_of(kinds, grid.weekday(other)) == group_of(kinds, grid.weekday(d));
        for (std::size_t k = kinds == DayKinds::no_hours ? 0 : h; k < (kinds == DayKinds::no_hours ? kHoursOfDay : h + 1); ++k) {
          const std::size_t of = other * kHoursOfDay + k;
          all_sum += lab.weight[of] * lab.mean[of];
          all_weight += lab.weight[of];
          if (!is_of_kind) continue;
          sum += lab.weight[of] * lab.mean[of];
          weight += lab.weight[of];
        }
      }
      if (weight == 0) sum = all_sum, weight = all_weight;
      if (weight == 0) continue;
      const double off = lab.mean[at] - sum / weight;
      error += lab.weight[at] * off * off;
    }
  return error;
}

/// By machine, class of day and hour.
using Means = std::vector<std::array<std::array<double, kHoursOfDay>, kClasses>>;

/// A machine's own days in one hour of one kind: their mean, and the variance of that.
struct OwnDays {
  double mean = 0, variance = 0;
};
OwnDays own_days(const Grid& grid, const HourSums& sums, std::size_t machine, std::size_t hour, DayKinds kinds,
                 std::size_t group, double fallback) {
  std::vector<double> days;
  double sum = 0, count = 0;
  for (std::size_t d = 0; d < grid.days; ++d) {
    const std::size_t at = d * kHoursOfDay + hour;
    if (group_of(kinds, grid.weekday(d)) != group || sums.count[machine][at] == 0) continue;
    days.push_back(sums.sum[machine][at] / sums.count[machine][at]);
    sum += sums.sum[machine][at];
    count += sums.count[machine][at];
  }
  if (days.empty()) return {fallback, 0};
  const double mean = sum / count;
  double squares = 0;
  for (const double x : days) squares += (x - mean) * (x - mean);
  const auto n = static_cast<double>(days.size());
  return {mean, n > 1 ? squares / (n - 1) / n : kInfinity};  // of one day nobody knows: then machines are not told apart
}

Means hour_means(const Grid& grid, const HourSums& sums, DayKinds kinds) {
  constexpr double kDrawn = 0.5;  // days by which the mean of all counts
  double all_sum = 0, all_count = 0;
  for (std::size_t m = 0; m < grid.machines(); ++m) {
    all_sum += std::accumulate(sums.sum[m].begin(), sums.sum[m].end(), 0.0);
    all_count += std::accumulate(sums.count[m].begin(), sums.count[m].end(), 0.0);
  }
  const double overall = all_sum / all_count;
  const std::size_t n = grid.machines();
  std::vector<std::vector<std::array<OwnDays, kHoursOfDay>>> own(kClasses, std::vector<std::array<OwnDays, kHoursOfDay>>(n));
  Means means(n);
  for (std::size_t group = 0; group < kClasses; ++group) {
    std::array<double, kHoursOfDay> pool{}, sampled{}, spread{};
    for (std::size_t h = 0; h < kHoursOfDay; ++h) {
      double sum = 0, count = 0, days = 0;
      for (std::size_t d = 0; d < grid.days; ++d) {
        if (group_of(kinds, grid.weekday(d)) != group) continue;
        bool is_seen = false;
        for (std::size_t m = 0; m < n; ++m) {
          sum += sums.sum[m][d * kHoursOfDay + h];
          count += sums.count[m][d * kHoursOfDay + h];
          is_seen |= sums.count[m][d * kHoursOfDay + h] > 0;
        }
        days += is_seen ? 1 : 0;
      }
      pool[h] = count > 0 ? (days * sum / count + kDrawn * overall) / (days + kDrawn) : overall;
      for (std::size_t m = 0; m < n; ++m) {
        own[group][m][h] = own_days(grid, sums, m, h, kinds, group, pool[h]);
        sampled[h] += own[group][m][h].variance / static_cast<double>(n);
        const double off = own[group][m][h].mean - pool[h];
        if (n > 1) spread[h] += off * off / static_cast<double>(n - 1);
      }
    }
    for (std::size_t h = 0; h < kHoursOfDay; ++h) {
      double of_days = 0, of_machines = 0;  // of three hours: one's own is little to tell them apart by
      for (const std::size_t k : {h + kHoursOfDay - 1, h, h + 1}) {
        of_days += sampled[k % kHoursOfDay];
        of_machines += spread[k % kHoursOfDay];
      }
      const double share = of_machines > 0 ? std::clamp(1 - of_days / of_machines, 0.0, 1.0) : 0;
      for (std::size_t m = 0; m < n; ++m)
        for (std::size_t c = 0; c < kClasses; ++c)
          if (group_of(kinds, c == 0 ? 0 : c + 4) == group)
            means[m][c][h] = pool[h] + share * (own[group][m][h].mean - pool[h]);
    }
  }
  return means;
}

std::vector<double> pooled_values(const Grid& grid) {
  std::vector<double> all;
  for (std::size_t m = 0; m < grid.machines(); ++m)
    for (std::size_t c = 0; c < grid.cells(); ++c)
      if (grid.known[m][c]) all.push_back(grid.value[m][c]);
  std::ranges::sort(all);
  std::vector<double> values;
  for (std::size_t k = 0; k < kValues; ++k) {
    const std::size_t from = k * all.size() / kValues, to = std::max(from + 1, (k + 1) * all.size() / kValues);
    values.push_back(std::accumulate(&all[from], &all[from] + (to - from), 0.0) / static_cast<double>(to - from));
  }
  return values;
}

// ---- covariances by hour and lag -----------------------------------------------------------------------------------------

/// The law's quantiles of a normal in normalised Hermite polynomials; of a step of height v at z the coefficient is
/// v·he_(j-1)(z)·phi(z)/sqrt(j).
Coefficients hermite(const std::vector<double>& values, const TiltedLaw& law) {
  Coefficients c{law.mean};
  for (std::size_t i = 0; i + 1 < values.size(); ++i) {
    const double z = law.until_z[i], height = values[i + 1] - values[i];
    if (std::isinf(z) || height == 0) continue;
    const double density = portable::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
    double before = 0, he = 1;
    for (std::size_t j = 1; j < kOrders; ++j) {
      const auto order = static_cast<double>(j);
      c[j] += height * he * density / std::sqrt(order);
      const double next = (z * he - std::sqrt(order - 1) * before) / std::sqrt(order);
      before = std::exchange(he, next);
    }
  }
  return c;
}

/// By hour of the day and lag.
struct Lags {
  explicit Lags(const Grid& grid) {
    for (const std::size_t cells : {1U, 2U, 4U, 8U})
      if (cells < grid.per_hour) in_cells.push_back(cells);
    constexpr std::size_t kMostHours = 17;
    for (std::size_t h = 1; h <= kMostHours; ++h) in_cells.push_back(h * grid.per_hour);
    for (const std::size_t cells : in_cells) in_hours.push_back(static_cast<double>(cells) / static_cast<double>(grid.per_hour));
  }
  std::vector<std::size_t> in_cells;
  std::vector<double> in_hours;
  [[nodiscard]] std::size_t size() const { return in_cells.size(); }
};
using ByLag = std::vector<double>;  ///< [hour·lags + lag]

/// Sums of products of two moments' deviations, by day of the first.
struct Products {
  std::vector<ByLag> own, own_count, between, between_count;  ///< of one machine, of any two
};

struct Residuals {
  std::vector<std::vector<double>> of;  ///< by machine and cell; 0 where nothing is known
};

Products products_of(const Grid& grid, const Residuals& residuals, const Lags& lags) {
  const std::size_t entries = kHoursOfDay * lags.size(), cells = grid.cells();
  Products out;
  for (auto* all : {&out.own, &out.own_count, &out.between, &out.between_count}) all->assign(grid.days, ByLag(entries));
  std::vector<double> sum(cells), known(cells);
  for (std::size_t m = 0; m < grid.machines(); ++m)
    for (std::size_t c = 0; c < cells; ++c) {
      sum[c] += residuals.of[m][c];
      known[c] += grid.known[m][c] ? 1 : 0;
    }
  for (std::size_t l = 0; l < lags.size(); ++l)
    for (std::size_t c = 0; c + lags.in_cells[l] < cells; ++c) {
      const std::size_t later = c + lags.in_cells[l], hour = c / grid.per_hour, day = hour / kHoursOfDay,
                        at = hour % kHoursOfDay * lags.size() + l;
      double own = 0, count = 0;
      for (std::size_t m = 0; m < grid.machines(); ++m)
        if (grid.known[m][c] && grid.known[m][later]) {
          own += residuals.of[m][c] * residuals.of[m][later];
          ++count;
        }
      out.own[day][at] += own;
      out.own_count[day][at] += count;
      out.between[day][at] += sum[c] * sum[later] - own;
      out.between_count[day][at] += known[c] * known[later] - count;
    }
  return out;
}

/// Means, and how many products they are of, by which they weigh.
struct Covariances {
  ByLag mean, count;
};

/// Over the days that count.
template <class Counts>
Covariances mean_over(const std::vector<ByLag>& sums, const std::vector<ByLag>& counts, const Counts& does_count) {
  ByLag sum(sums.front().size()), count(sum.size());
  for (std::size_t d = 0; d < sums.size(); ++d)
    if (does_count(d))
      for (std::size_t i = 0; i < sum.size(); ++i) {
        sum[i] += sums[d][i];
        count[i] += counts[d][i];
      }
  double most = 0;
  for (std::size_t i = 0; i < sum.size(); ++i) {
    if (count[i] > 0) sum[i] /= count[i];
    most = std::max(most, count[i]);
  }
  if (most > 0)
    for (double& one : count) one /= most;
  return {std::move(sum), std::move(count)};
}

/// The covariances that the model gives for correlations of the normals, tabulated by these.
class CovarianceTable {
 public:
  CovarianceTable(const Grid& grid, const std::vector<HabitsLayer>& machines, const Lags& lags) : lags_(&lags) {
    std::vector<std::array<std::array<Coefficients, kHoursOfDay>, kDaysOfWeek>> of(machines.size());
    for (std::size_t m = 0; m < machines.size(); ++m)
      for (std::size_t h = 0; h < kHoursOfWeek; ++h)
        of[m][h / kHoursOfDay][h % kHoursOfDay] = hermite(machines[m].values, machines[m].law_at(h));
    table_.resize(kHoursOfDay * lags.size());
    for (std::size_t h = 0; h < kHoursOfDay; ++h)
      for (std::size_t l = 0; l < lags.size(); ++l) {
        Coefficients products{};
        double count = 0;
        const auto later = static_cast<std::size_t>(static_cast<double>(h) + 0.5 + lags.in_hours[l]);
        for (std::size_t d = 0; d < grid.days; ++d) {
          const std::size_t day = grid.weekday(d), next = grid.weekday(d + later / kHoursOfDay);
          for (const auto& machine : of) {
            for (std::size_t j = 1; j < kOrders; ++j) products[j] += machine[day][h][j] * machine[next][later % kHoursOfDay][j];
            ++count;
          }
        }
        for (std::size_t r = 0; r <= kParts; ++r) {
          double power = 1, sum = 0;
          for (std::size_t j = 1; j < kOrders; ++j) sum += products[j] / count * (power *= static_cast<double>(r) / kParts);
          table_[h * lags.size() + l][r] = sum;
        }
      }
  }
  [[nodiscard]] double at(std::size_t entry, double correlation) const {
    const double x = std::clamp(correlation, 0.0, 1.0) * kParts;
    const auto k = std::min(static_cast<std::size_t>(x), kParts - 1);
    const double w = x - static_cast<double>(k);
    return (1 - w) * table_[entry][k] + w * table_[entry][k + 1];
  }
  [[nodiscard]] const Lags& lags() const { return *lags_; }

 private:
  static constexpr std::size_t kParts = 40;
  const Lags* lags_;
  std::vector<std::array<double, kParts + 1>> table_;
};

// ---- parts of a day ----------------------------------------------------------------------------------------------------

using Turns = std::vector<std::size_t>;  ///< hours of the day

std::size_t part_of(const Turns& turns, std::size_t hour) {
  return turns.size() < 2 || (hour >= turns[0] && hour < turns[1]) ? 0 : 1;
}

/// By entry: whether both moments are in one part of one day.
std::vector<char> are_together(const Turns& turns, const Lags& lags) {
  std::vector<char> out(kHoursOfDay * lags.size());
  for (std::size_t h = 0; h < kHoursOfDay; ++h)
    for (std::size_t l = 0; l < lags.size(); ++l) {
      const double from = static_cast<double>(h) + 0.5, to = from + lags.in_hours[l];
      const auto is_between = [&](std::size_t turn) {
        const auto t = static_cast<double>(turn), next = t + kHoursOfDay;
        return (from < t && t <= to) || (from < next && next <= to);
      };
      out[h * lags.size() + l] = !turns.empty() && std::ranges::none_of(turns, is_between);
    }
  return out;
}

struct Structure {
  Turns turns;
  std::vector<HabitsPart> parts;
  double error = kInfinity;
};

constexpr double kShortest_s = 480, kLongest_s = 7200;  // what lasts longer is of the part of the day
constexpr std::size_t kTimes = 14, kWeights = 25;

double time_at(std::size_t k) {
  return kShortest_s * portable::exp(portable::log(kLongest_s / kShortest_s) * static_cast<double>(k) / (kTimes - 1));
}

/// What two moments have in common: the normals' correlation while what comes and goes is the same, and behind that.
struct InCommon {
  double meanwhile, after;
};
/// Of a machine with itself, or with another.
InCommon own_in_common(const HabitsPart& p, bool is_together) {
  return is_together ? InCommon{1, p.slow} : InCommon{1 - p.slow, 0};
}
InCommon shared_in_common(const HabitsPart& p, bool is_together) {
  const double stays = is_together ? p.slow * p.slow_common : 0;
  return {stays + (1 - p.slow) * p.common, stays};
}

/// The covariance of two moments, between which what comes and goes is the same with this chance.
double covariance_at(const CovarianceTable& table, std::size_t entry, double is_same, const InCommon& r) {
  return is_same * table.at(entry, r.meanwhile) + (1 - is_same) * table.at(entry, r.after);
}

/// The squares by which a part's covariances are off.
template <class Covariance>
double error_of_part(const CovarianceTable& table, const Covariances& measured, const Turns& turns, std::size_t part,
                     const Covariance& covariance) {
  double error = 0;
  const std::size_t lags = table.lags().size();
  for (std::size_t h = 0; h < kHoursOfDay; ++h) {
    if (part_of(turns, h) != part) continue;
    for (std::size_t l = 0; l < lags; ++l) {
      const std::size_t entry = h * lags + l;
      if (measured.count[entry] == 0) continue;
      const double off = measured.mean[entry] - covariance(entry, l);
      error += measured.count[entry] * off * off;
    }
  }
  return error;
}

/// The weight of what stays and the time of the rest that come closest, by part.
Structure closest(const CovarianceTable& table, const Covariances& measured, const Turns& turns) {
  Structure out{turns, {}, 0};
  const Lags& lags = table.lags();
  const std::vector<char> together = are_together(turns, lags);
  for (std::size_t part = 0; part < std::max<std::size_t>(1, turns.size()); ++part) {
    double least = kInfinity;
    HabitsPart best;
    for (std::size_t t = 0; t < kTimes; ++t) {
      std::vector<double> faded;
      for (const double hours : lags.in_hours) faded.push_back(portable::exp(-hours * kHour_s / time_at(t)));
      for (std::size_t w = 0; w <= (turns.empty() ? 0 : kWeights); ++w) {
        const HabitsPart tried{static_cast<double>(w) / kWeights, time_at(t), 0, 0};
        const double error = error_of_part(table, measured, turns, part, [&](std::size_t entry, std::size_t l) {
          return covariance_at(table, entry, faded[l], own_in_common(tried, together[entry] != 0));
        });
        if (error >= least) continue;
        least = error;
        best = tried;
      }
    }
    out.error += least;
    out.parts.push_back(best);
  }
  return out;
}

double error_on(const CovarianceTable& table, const Covariances& measured, const Structure& s) {
  const std::vector<char> together = are_together(s.turns, table.lags());
  double error = 0;
  for (std::size_t part = 0; part < s.parts.size(); ++part)
    error += error_of_part(table, measured, s.turns, part, [&](std::size_t entry, std::size_t l) {
      const double is_same = portable::exp(-table.lags().in_hours[l] * kHour_s / s.parts[part].interval_s);
      return covariance_at(table, entry, is_same, own_in_common(s.parts[part], together[entry] != 0));
    });
  return error;
}

/// The parts of a day that foretell days held out best: none that stays, one, or two.
Structure structure_of(const CovarianceTable& table, const Products& products) {
  const auto all = mean_over(products.own, products.own_count, [](std::size_t) { return true; });
  std::array<Structure, 3> best{closest(table, all, {})};
  const auto try_turns = [&](const Turns& turns) {
    Structure one = closest(table, all, turns);
    if (one.error < best[turns.size()].error) best[turns.size()] = std::move(one);
  };
  for (std::size_t a = 0; a <= 12; ++a) try_turns({a});
  for (std::size_t a = 4; a <= 12; ++a)
    for (std::size_t b = 14; b <= 22; ++b) try_turns({a, b});
  constexpr std::size_t kFolds = 5;
  std::array<double, 3> errors{};
  for (std::size_t fold = 0; fold < kFolds; ++fold) {
    const auto is_out = [&](std::size_t d) { return d % kFolds == fold; };
    const auto in = mean_over(products.own, products.own_count, [&](std::size_t d) { return !is_out(d); });
    const auto out = mean_over(products.own, products.own_count, is_out);
    for (std::size_t k = 0; k < best.size(); ++k) errors[k] += error_on(table, out, closest(table, in, best[k].turns));
  }
  return best[static_cast<std::size_t>(std::ranges::min_element(errors) - errors.begin())];
}

/// The weights of what machines have in common, by the covariances between them.
void find_common(const CovarianceTable& table, const Products& products, Structure& s) {
  const auto between = mean_over(products.between, products.between_count, [](std::size_t) { return true; });
  const std::vector<char> together = are_together(s.turns, table.lags());
  constexpr std::size_t kSteps = 20;
  for (std::size_t part = 0; part < s.parts.size(); ++part) {
    HabitsPart& p = s.parts[part];
    double least = kInfinity;
    HabitsPart best = p;
    for (std::size_t a = 0; a <= (p.slow > 0 ? kSteps : 0); ++a)
      for (std::size_t b = 0; b <= (p.slow < 1 ? kSteps : 0); ++b) {
        HabitsPart tried = p;
        tried.slow_common = static_cast<double>(a) / kSteps;
        tried.common = static_cast<double>(b) / kSteps;
        const double error = error_of_part(table, between, s.turns, part, [&](std::size_t entry, std::size_t l) {
          const double is_same = portable::exp(-table.lags().in_hours[l] * kHour_s / p.interval_s);
          return covariance_at(table, entry, is_same, shared_in_common(tried, together[entry] != 0));
        });
        if (error >= least * (1 - 1e-9)) continue;
        least = error;
        best = tried;
      }
    p = best;
  }
}

// ---- a layer ---------------------------------------------------------------------------------------------------------

std::vector<double> week_of(const std::array<std::array<double, kHoursOfDay>, kClasses>& means, const std::vector<double>& values) {
  std::vector<double> week;
  for (std::size_t day = 0; day < kDaysOfWeek; ++day)
    for (const double mean : means[class_of_day(day)]) week.push_back(std::clamp(mean, values.front(), values.back()));
  return week;
}

/// How the days of one hour differ: the standard error of their mean, in normals; none where too few days have data, or the
/// level makes no difference.
std::optional<double> level_error_of_hour(const Grid& grid, const Residuals& residuals, const std::vector<std::vector<double>>& slope,
                                          std::size_t hour, bool is_free) {
  std::vector<double> sums, counts;
  double slopes = 0, all = 0, sum_of_all = 0;
  for (std::size_t d = 0; d < grid.days; ++d) {
    const std::size_t weekday = grid.weekday(d), begin = (d * kHoursOfDay + hour) * grid.per_hour;
    if ((class_of_day(weekday) > 0) != is_free) continue;
    double sum = 0, count = 0;
    for (std::size_t m = 0; m < residuals.of.size(); ++m)
      for (std::size_t c = begin; c < begin + grid.per_hour; ++c) {
        if (!grid.known[m][c]) continue;
        sum += residuals.of[m][c];
        ++count;
        slopes += slope[m][weekday * kHoursOfDay + hour];
      }
    if (count == 0) continue;
    sums.push_back(sum);
    counts.push_back(count);
    all += count;
    sum_of_all += sum;
  }
  constexpr double kLeastSlope = 0.01;  // of the mean by the level
  if (sums.size() < 2 || slopes < kLeastSlope * all) return std::nullopt;
  double squares = 0;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const double off = sums[i] - sum_of_all / all * counts[i];
    squares += off * off;
  }
  const auto n = static_cast<double>(sums.size());
  return std::sqrt(squares * n / (n - 1)) / slopes;
}

/// Standard errors of the level, in normals, by part on working days and then on others: root mean squares of its hours',
/// so that of hours in which little happens, and little is known, the level may be off by as much.
std::vector<double> level_errors(const Grid& grid, const Residuals& residuals, const std::vector<HabitsLayer>& machines) {
  constexpr double kMost = 1;
  std::array<std::size_t, 2> days{};
  for (std::size_t d = 0; d < grid.days; ++d) {
    const std::size_t begin = d * kHoursOfDay * grid.per_hour, end = begin + kHoursOfDay * grid.per_hour;
    const bool is_seen = std::ranges::any_of(grid.known, [&](const auto& machine) {
      return std::any_of(machine.begin() + static_cast<std::ptrdiff_t>(begin), machine.begin() + static_cast<std::ptrdiff_t>(end), [](char c) { return c != 0; });
    });
    if (is_seen) ++days[class_of_day(grid.weekday(d)) > 0 ? 1 : 0];
  }
  std::vector<std::vector<double>> slope;  // by machine and hour of the week
  for (const auto& machine : machines) {
    slope.emplace_back();
    for (std::size_t h = 0; h < kHoursOfWeek; ++h) slope.back().push_back(hermite(machine.values, machine.law_at(h))[1]);
  }
  std::vector<double> out;
  for (const bool is_free : {false, true})
    for (std::size_t part = 0; part < machines.front().parts.size(); ++part) {
      double squares = 0, hours = 0;
      for (std::size_t h = 0; h < kHoursOfDay; ++h) {
        if (machines.front().part_at(static_cast<double>(h) * kHour_s) != part) continue;
        const auto se = level_error_of_hour(grid, residuals, slope, h, is_free);
        if (!se) continue;
        squares += *se * *se;
        ++hours;
      }
      out.push_back(hours > 0 ? std::min(kMost, std::sqrt(squares / hours)) : 0);
      const double of_working_days = is_free ? out[part] : 0;  // one day, or none, says nothing of how such days differ
      if (days[is_free ? 1 : 0] < 2) out.back() = std::max(kMost / 2, of_working_days);
    }
  return out;
}

std::vector<HabitsLayer> layers_of(const Means& means, const std::vector<double>& values, const Structure& s) {
  std::vector<double> turns_s;
  for (const std::size_t hour : s.turns) turns_s.push_back(static_cast<double>(hour) * kHour_s);
  std::vector<HabitsLayer> machines;
  for (const auto& of_machine : means) machines.emplace_back(values, week_of(of_machine, values), turns_s, s.parts);
  return machines;
}

FittedLayer fit_layer(const Grid& grid, DayKinds kinds, const std::vector<double>& values) {
  const Means means = hour_means(grid, hour_sums(grid), kinds);
  std::vector<HabitsLayer> machines = layers_of(means, values, {{}, {HabitsPart{}}});
  Residuals residuals;
  for (std::size_t m = 0; m < grid.machines(); ++m) {
    std::vector<double> of(grid.cells());
    for (std::size_t c = 0; c < grid.cells(); ++c) {
      const std::size_t hour = c / grid.per_hour, day = grid.weekday(hour / kHoursOfDay);
      if (grid.known[m][c]) of[c] = grid.value[m][c] - machines[m].law_at(day * kHoursOfDay + hour % kHoursOfDay).mean;
    }
    residuals.of.push_back(std::move(of));
  }
  const Lags lags(grid);
  const Products products = products_of(grid, residuals, lags);
  const CovarianceTable table(grid, machines, lags);
  Structure s = structure_of(table, products);
  if (grid.machines() > 1) find_common(table, products, s);
  machines = layers_of(means, values, s);
  std::vector<double> errors = level_errors(grid, residuals, machines);
  return {"", std::move(machines), std::move(errors)};
}

/// Whether machines are there; and what they leave while they are.
std::pair<Grid, Grid> presence_of(const Grid& grid) {
  Grid present = grid, active = grid;
  for (std::size_t m = 0; m < grid.machines(); ++m)
    for (std::size_t c = 0; c < grid.cells(); ++c) {
      const bool is_there = grid.value[m][c] > kOff;
      present.value[m][c] = is_there ? 1 : 0;
      active.known[m][c] = grid.known[m][c] && is_there;
    }
  return {std::move(present), std::move(active)};
}

// ---- days on which a machine does not come -------------------------------------------------------------------------------

constexpr std::size_t kNewDay = 4;  // hour at which days are told apart: nearly nobody comes or goes

/// By class of day and hour: whether machines are there at least half as often as at the hour when most are.
std::array<std::array<bool, kHoursOfDay>, kClasses> usual_hours(const Grid& present, DayKinds kinds) {
  const Means means = hour_means(present, hour_sums(present), kinds);
  std::array<std::array<bool, kHoursOfDay>, kClasses> out{};
  for (std::size_t c = 0; c < kClasses; ++c) {
    std::array<double, kHoursOfDay> all{};
    for (const auto& machine : means)
      for (std::size_t h = 0; h < kHoursOfDay; ++h) all[h] += machine[c][h];
    const double most = *std::ranges::max_element(all);
    for (std::size_t h = 0; h < kHoursOfDay; ++h) out[c][h] = all[h] >= most / 2;
  }
  return out;
}

/// Whether a machine is there on days on which it comes, and whether it does; nothing where it comes on all, or seldom, or
/// where the usual hours are not within one day.
std::optional<std::pair<FittedLayer, FittedLayer>> with_days_off(const Grid& present, DayKinds kinds) {
  const auto usual = usual_hours(present, kinds);
  for (std::size_t h = 0; h < kHoursOfDay; ++h)
    if (usual[0][h] && (h < kNewDay || std::ranges::count(usual[0], true) == std::ssize(usual[0]))) return std::nullopt;
  Grid there = present, comes = present;
  double off = 0, all = 0;
  const std::size_t of_day = kHoursOfDay * present.per_hour, shift = kNewDay * present.per_hour;
  for (std::size_t m = 0; m < present.machines(); ++m)
    for (std::size_t d = 0; d < present.days; ++d) {
      const std::size_t begin = d * of_day + shift, end = std::min(begin + of_day, present.cells());
      bool is_known = false, is_there = false;
      for (std::size_t c = d * of_day; c < (d + 1) * of_day; ++c) {
        if (!present.known[m][c] || !usual[class_of_day(present.weekday(d))][c / present.per_hour % kHoursOfDay]) continue;
        is_known = true;
        is_there |= present.value[m][c] > 0;
      }
      if (!is_known) continue;
      if (class_of_day(present.weekday(d)) == 0) {
        ++all;
        off += is_there ? 0 : 1;
      }
      for (std::size_t c = begin; c < end; ++c) {
        comes.value[m][c] = is_there ? 1 : 0;
        if (!is_there) there.known[m][c] = 0;
      }
    }
  constexpr double kMost = 0.5;
  if (off == 0 || off > kMost * all) return std::nullopt;
  for (auto& machine : comes.known) std::fill(machine.begin(), machine.begin() + static_cast<std::ptrdiff_t>(shift), char{0});
  auto both = std::pair(fit_layer(there, kinds, {0, 1}), fit_layer(comes, kinds, {0, 1}));
  both.first.block = "present";
  both.second.block = "comes";
  return both;
}

// ---- jobs that were left -------------------------------------------------------------------------------------------------

constexpr double kLongRun_s = 6 * kHour_s, kLonger_s = 9 * kHour_s;  // by the latter habits with and without are told apart

/// By cell: whether it is one of a run of so long in which no more than `most` is left.
std::vector<char> in_long_runs(const std::vector<double>& value, const std::vector<char>& known, double most, std::size_t length) {
  std::vector<char> out(value.size());
  for (std::size_t from = 0; from < value.size();) {
    std::size_t to = from;
    while (to < value.size() && known[to] && value[to] <= most) ++to;
    if (to - from >= length) std::fill(out.begin() + static_cast<std::ptrdiff_t>(from), out.begin() + static_cast<std::ptrdiff_t>(to), char{1});
    from = std::max(to, from + 1);
  }
  return out;
}

/// The share of known cells that are in such runs on paths of the fitted habits, over the same days.
double foretold_share(const Grid& grid, const FittedLayer& layer, double most, std::size_t length) {
  constexpr std::uint64_t kRounds = 4;
  double in_runs = 0, all = 0;
  for (std::size_t m = 0; m < grid.machines(); ++m) {
    auto habits = std::make_shared<Habits>();
    habits->layers.push_back(layer.machines[m]);
    habits->start_s = static_cast<double>(grid.first_weekday) * kDay_s;
    for (std::uint64_t round = 0; round < kRounds; ++round) {
      PathCursor at(habits_path(habits, {}, {1, round, m}));
      std::vector<double> value;
      for (std::size_t c = 0; c < grid.cells(); ++c) {
        at.go_to((static_cast<double>(c) + 0.5) * grid.cell_s);
        value.push_back(at.value());
      }
      const auto runs = in_long_runs(value, grid.known[m], most, length);
      in_runs += static_cast<double>(std::ranges::count(runs, char{1}));
      all += static_cast<double>(std::ranges::count(grid.known[m], char{1}));
    }
  }
  return in_runs / all;
}

/// What is left without jobs that were left, and these; nothing where there are no more long runs than habits without foretell.
std::optional<std::pair<FittedLayer, FittedLayer>> with_jobs_left(const Grid& grid, DayKinds kinds, const FittedLayer& layer) {
  const std::vector<double>& values = layer.machines.front().values;
  const double most = (values.front() + values.back()) / 2;
  const auto cells = [&](double seconds) { return static_cast<std::size_t>(seconds / grid.cell_s); };
  Grid base = grid, left = grid;
  double in_runs = 0, in_longer = 0, all = 0, sum = 0;
  for (std::size_t m = 0; m < grid.machines(); ++m) {
    auto runs = in_long_runs(grid.value[m], grid.known[m], most, cells(kLongRun_s));
    // A machine that never leaves more is slow, and not one on which jobs are left.
    if (2 * std::ranges::count(runs, char{1}) > std::ranges::count(grid.known[m], char{1})) std::ranges::fill(runs, char{0});
    else in_longer += static_cast<double>(std::ranges::count(in_long_runs(grid.value[m], grid.known[m], most, cells(kLonger_s)), char{1}));
    for (std::size_t c = 0; c < grid.cells(); ++c) {
      if (!grid.known[m][c]) continue;
      ++all;
      left.value[m][c] = runs[c] ? 0 : 1;
      if (!runs[c]) continue;
      ++in_runs;
      sum += grid.value[m][c];
      base.known[m][c] = 0;
    }
  }
  constexpr double kFew = 0.002, kMore = 1.5;
  if (in_longer < kFew * all || in_runs >= all / 2) return std::nullopt;
  if (in_longer < kMore * all * foretold_share(grid, layer, most, cells(kLonger_s))) return std::nullopt;
  FittedLayer without = fit_layer(base, kinds, pooled_values(base));
  double usual = 0;  // what there were in those cells without the jobs
  for (std::size_t m = 0; m < grid.machines(); ++m)
    for (std::size_t c = 0; c < grid.cells(); ++c) {
      if (!grid.known[m][c] || base.known[m][c]) continue;
      const std::size_t hour = c / grid.per_hour;
      usual += without.machines[m].law_at(grid.weekday(hour / kHoursOfDay) * kHoursOfDay + hour % kHoursOfDay).mean;
    }
  const double value = usual > 0 ? std::min(1.0, sum / usual) : 1;
  if (!(value < 1)) return std::nullopt;
  for (std::size_t m = 0; m < grid.machines(); ++m)
    for (double& x : left.value[m]) x = x > 0 ? 1 : value;
  FittedLayer jobs = fit_layer(left, kinds, {value, 1});
  jobs.block = "left";
  return std::pair(std::move(without), std::move(jobs));
}

void count_days(const Grid& grid, HabitsFit& fit) {
  for (std::size_t d = 0; d < grid.days; ++d) {
    std::size_t most = 0;
    for (std::size_t m = 0; m < grid.machines(); ++m) {
      const auto begin = grid.known[m].begin() + static_cast<std::ptrdiff_t>(d * kHoursOfDay * grid.per_hour);
      most = std::max(most, static_cast<std::size_t>(std::count(begin, begin + static_cast<std::ptrdiff_t>(kHoursOfDay * grid.per_hour), 1)));
    }
    if (2 * most < kHoursOfDay * grid.per_hour) continue;  // half a day tells little of a day
    const std::size_t of = class_of_day(grid.weekday(d));
    ++(of == 0 ? fit.working_days : of == 1 ? fit.saturdays : fit.sundays);
  }
}

}  // namespace

ClockHours clock_hours(const std::vector<ClockedSeries>& machines) {
  const Grid grid = grid_of(machines);
  const HourSums sums = hour_sums(grid);
  ClockHours out{grid.first_day, grid.days, {}};
  for (std::size_t m = 0; m < machines.size(); ++m) {
    out.mean.emplace_back();
    for (std::size_t h = 0; h < grid.hours(); ++h)
      out.mean.back().push_back(sums.count[m][h] > 0 ? sums.sum[m][h] / sums.count[m][h] : std::numeric_limits<double>::quiet_NaN());
  }
  return out;
}

HabitsAnswer fit_habits(const std::vector<ClockedSeries>& machines, const std::vector<std::int64_t>& held_out) {
  constexpr double kMostDays = 2000;
  double first_s = kInfinity, last_s = -kInfinity;
  for (const auto& one : machines) {
    first_s = std::min(first_s, one.first_s);
    last_s = std::max(last_s, one.first_s + one.series->clock_end_s());
  }
  if (machines.empty() || last_s - first_s > kMostDays * kDay_s)
    return {std::nullopt, "the recordings are of more than 2000 days from the first to the last, which are too many to be looked at"};
  constexpr double kMostCells = 2e7;  // of some 60 bytes
  if ((last_s - first_s) / cell_length_s(machines) * static_cast<double>(machines.size()) > kMostCells)
    return {std::nullopt, "there is more of it than can be looked at by the hour: give fewer machines, or fewer days, at a time"};
  Grid grid = grid_of(machines);
  for (const std::int64_t day : held_out) grid.leave_out(day);
  HabitsFit fit;
  count_days(grid, fit);
  const std::size_t days = fit.working_days + fit.saturdays + fit.sundays;
  if (days < kFewestDays)
    return {std::nullopt, std::to_string(days) + (days == 1 ? " day has" : " days have") + " data of twelve hours and more, too few for a pattern by the hour: it takes " +
                              std::to_string(kFewestDays) + ", and two weeks to tell working days from Saturdays and Sundays"};
  const std::vector<double> values = pooled_values(grid);
  if (!(values.back() > values.front())) return {std::nullopt, "what these machines leave does not vary"};
  const LabHours lab = lab_hours(hour_sums(grid));
  double least = kInfinity;
  const double flat = held_out_error(grid, lab, DayKinds::no_hours);
  for (const DayKinds kinds : {DayKinds::no_hours, DayKinds::one, DayKinds::working_and_free, DayKinds::three}) {
    constexpr double kLess = 0.98;  // more kinds are worth some
    if (const double error = held_out_error(grid, lab, kinds); error < kLess * least) {
      least = error;
      fit.kinds = kinds;
    }
  }
  if (fit.kinds == DayKinds::no_hours) return {std::nullopt, "days held out are foretold best without hours: there is no pattern by the day"};
  fit.explained = 1 - least / flat;
  fit.days_apart = days;
  fit.worth = static_cast<double>(std::max<std::size_t>(fit.working_days, 2));
  double away = 0, known = 0;
  for (std::size_t m = 0; m < grid.machines(); ++m)
    for (std::size_t c = 0; c < grid.cells(); ++c)
      if (grid.known[m][c]) {
        ++known;
        away += grid.value[m][c] <= kOff ? 1 : 0;
      }
  if (away > kSomeAway * known && away < (1 - kSomeAway) * known) {
    const auto [present, active] = presence_of(grid);
    fit.layers.push_back(fit_layer(active, fit.kinds, pooled_values(active)));
    if (auto both = with_days_off(present, fit.kinds)) {
      fit.layers.push_back(std::move(both->first));
      fit.layers.push_back(std::move(both->second));
    } else {
      fit.layers.push_back(fit_layer(present, fit.kinds, {0, 1}));
      fit.layers.back().block = "present";
    }
  } else {
    fit.layers.push_back(fit_layer(grid, fit.kinds, values));
    if (auto both = with_jobs_left(grid, fit.kinds, fit.layers.front())) {
      fit.layers = {std::move(both->first)};
      fit.layers.push_back(std::move(both->second));
    }
  }
  return {std::move(fit), ""};
}

}  // namespace nowsim

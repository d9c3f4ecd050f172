// Hours of the clock, measured and drawn from a fit: their means by day and week, and their memory; a page for many machines.
#include "experiments/driver/studies/trace_fit_habits.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "experiments/driver/pictures/clock_axis.hpp"
#include "experiments/driver/pictures/layers.hpp"
#include "experiments/driver/pictures/styles.hpp"
#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/studies/answer.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "sim/owners/path.hpp"

namespace nowsim {
namespace {

constexpr double kNoHour = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kDaysOfWeek = 7, kSaturday = 5, kSunday = 6;
constexpr std::uint64_t kDrawsSeed = 1;

/// In this order in the legend; behind them kinds of days, measured and fitted.
enum LabSeries : std::size_t { kSeen, kSeenWeeks, kOfFit, kOfDraws, kOfKinds };

/// A mean of what is known.
struct KnownMean {
  double sum = 0, count = 0;
  void add(double x) {
    if (std::isnan(x)) return;
    sum += x;
    ++count;
  }
  [[nodiscard]] double value() const { return count > 0 ? sum / count : kNoHour; }
};

using MachineHours = std::vector<std::vector<double>>;  ///< by machine and hour

/// Days that the fit does not tell apart.
struct KindOfDays {
  std::string name;
  std::array<bool, kDaysOfWeek> has{};
};

/// Measured and fitted hours of all machines.
struct ClockedLab {
  std::vector<std::shared_ptr<const Habits>> habits;  ///< from midnight before the first day on
  MachineHours measured, fitted;                             ///< of the days that were recorded; of a week
  std::size_t days = 0, first_weekday = 0;
  std::vector<KindOfDays> kinds;

  [[nodiscard]] std::size_t machines() const { return measured.size(); }
  [[nodiscard]] std::size_t hours() const { return days * kHoursOfDay; }
  [[nodiscard]] std::size_t weekday(std::size_t hour) const { return (first_weekday + hour / kHoursOfDay) % kDaysOfWeek; }
  [[nodiscard]] std::size_t hour_of_week(std::size_t hour) const { return weekday(hour) * kHoursOfDay + hour % kHoursOfDay; }
  [[nodiscard]] std::size_t kind(std::size_t weekday) const {
    std::size_t k = 0;
    while (k + 1 < kinds.size() && !kinds[k].has[weekday]) ++k;
    return k;
  }
  /// Of the machines that are known then.
  [[nodiscard]] double mean_at(std::size_t hour) const {
    KnownMean mean;
    for (const auto& machine : measured) mean.add(machine[hour]);
    return mean.value();
  }
};

std::vector<KindOfDays> kinds_of(const MachineHours& week) {
  const auto are_alike = [&](std::size_t a, std::size_t b) {
    return std::ranges::all_of(week, [&](const std::vector<double>& machine) {
      const auto begin = [&](std::size_t day) { return machine.begin() + static_cast<std::ptrdiff_t>(day * kHoursOfDay); };
      return std::equal(begin(a), begin(a + 1), begin(b));
    });
  };
  std::vector<KindOfDays> kinds{{"working days", {true, true, true, true, true}}};
  const auto add = [&](std::size_t day, const char* name) {
    if (are_alike(0, day)) kinds.front().has[day] = true;
    else kinds.push_back({name, {}}), kinds.back().has[day] = true;
  };
  add(kSaturday, "Saturdays");
  if (kinds.size() > 1 && are_alike(kSaturday, kSunday)) {
    kinds.back() = {"Saturdays and Sundays", {}};
    kinds.back().has[kSaturday] = kinds.back().has[kSunday] = true;
  } else {
    add(kSunday, "Sundays");
  }
  return kinds;
}

ClockedLab lab_of(const std::vector<FittedHost>& hosts, const TimeZone& zone) {
  std::vector<ClockedSeries> series;
  for (const auto& host : hosts) series.push_back(*clocked(host.trace, zone));
  ClockHours hours = clock_hours(series);
  ClockedLab lab;
  lab.days = hours.days;
  lab.first_weekday = static_cast<std::size_t>((hours.first_day % 7 + 7) % 7);
  lab.measured = std::move(hours.mean);
  for (const auto& host : hosts) {
    lab.habits.push_back(std::make_shared<const Habits>(
        Habits{host.habits->layers, static_cast<double>(lab.first_weekday) * kDay_s, ""}));
    lab.fitted.push_back(lab.habits.back()->mean_by_hour());
  }
  lab.kinds = kinds_of(lab.fitted);
  return lab;
}

// ---- means by the clock ----------------------------------------------------------------------------------------------

/// Points in the middle of hours, by hour from the axis' beginning.
std::vector<ResolvedPoint> by_hour(const std::vector<double>& values, double per_hour) {
  std::vector<ResolvedPoint> points;
  for (std::size_t h = 0; h < values.size(); ++h) points.push_back({(static_cast<double>(h) + 0.5) * per_hour, values[h]});
  return points;
}

ResolvedAxis availability_axis(bool is_named) {
  ResolvedAxis axis = axis_from(0, 1.02, is_named ? "availability" : "");
  for (const double at : {0.0, 0.5, 1.0}) axis.tics.push_back({at, fmt::format("{:g}", at)});
  return axis;
}

ResolvedPanel panel_of(const std::string& caption, ResolvedAxis x, ResolvedAxis value, std::vector<ResolvedCurve> curves) {
  ResolvedPanel panel;
  panel.caption = Label(caption);
  panel.x = std::move(x);
  panel.value = std::move(value);
  panel.content = std::move(curves);
  return panel;
}

/// ": the mean of 7 machines", or nothing of the only one.
std::string whose(const ClockedLab& lab) {
  return lab.machines() == 1 ? "" : ": the mean of " + std::to_string(lab.machines()) + " machines";
}

ResolvedPanel day_panel(const ClockedLab& lab) {
  std::vector<std::array<KnownMean, kHoursOfDay>> measured(lab.kinds.size()), fitted(lab.kinds.size());
  for (std::size_t h = 0; h < lab.hours(); ++h)
    for (const auto& machine : lab.measured) measured[lab.kind(lab.weekday(h))][h % kHoursOfDay].add(machine[h]);
  for (std::size_t h = 0; h < kHoursOfWeek; ++h)
    for (const auto& machine : lab.fitted) fitted[lab.kind(h / kHoursOfDay)][h % kHoursOfDay].add(machine[h]);
  std::vector<ResolvedCurve> curves;
  const auto add = [&](std::size_t series, const std::array<KnownMean, kHoursOfDay>& means) {
    std::vector<double> values;
    for (const KnownMean& mean : means) values.push_back(mean.value());
    add_stretches(curves, series, Shape::line, by_hour(values, 1));
  };
  for (std::size_t k = 0; k < lab.kinds.size(); ++k) {
    add(k == 0 ? kSeen : kOfKinds + 2 * (k - 1), measured[k]);
    add(k == 0 ? kOfFit : kOfKinds + 2 * (k - 1) + 1, fitted[k]);
  }
  ResolvedAxis x = axis_from(0, kHoursOfDay, "time of day");
  for (int hour = 0; hour <= 24; hour += 6) x.tics.push_back({static_cast<double>(hour), std::to_string(hour) + ":00"});
  return panel_of("hours of the day" + whose(lab), std::move(x), availability_axis(true), std::move(curves));
}

/// From Monday to Sunday, in days.
ResolvedAxis week_axis(bool is_named, std::size_t most_tics) {
  constexpr double kFirstMonday_s = 4 * kDay_s;  // 5 January 1970
  ResolvedAxis x = axis_from(0, kDaysOfWeek, is_named ? "time of the week" : "");
  x.tics = clock_tics({{kFirstMonday_s, {}}}, 0, kWeek_s, kDay_s, most_tics);
  return x;
}

/// KnownMean, least and greatest of the weeks' hours.
std::vector<ResolvedPoint> measured_week(const ClockedLab& lab, const std::vector<double>& hours) {
  std::array<KnownMean, kHoursOfWeek> means;
  std::array<ValueRange, kHoursOfWeek> ranges;
  for (std::size_t h = 0; h < hours.size(); ++h) {
    means[lab.hour_of_week(h)].add(hours[h]);
    ranges[lab.hour_of_week(h)].add(hours[h], false);
  }
  std::vector<ResolvedPoint> points;
  for (std::size_t h = 0; h < kHoursOfWeek; ++h)
    points.push_back({(static_cast<double>(h) + 0.5) / kHoursOfDay, means[h].value(), ranges[h].least, ranges[h].most});
  return points;
}

ResolvedPanel week_panel(const ClockedLab& lab) {
  std::vector<double> hours, fitted;
  for (std::size_t h = 0; h < lab.hours(); ++h) hours.push_back(lab.mean_at(h));
  for (std::size_t h = 0; h < kHoursOfWeek; ++h) {
    KnownMean mean;
    for (const auto& machine : lab.fitted) mean.add(machine[h]);
    fitted.push_back(mean.value());
  }
  const std::vector<ResolvedPoint> measured = measured_week(lab, hours);
  std::vector<ResolvedCurve> curves;
  add_stretches(curves, kSeenWeeks, Shape::band, measured);
  add_stretches(curves, kSeen, Shape::line, measured);
  add_stretches(curves, kOfFit, Shape::line, by_hour(fitted, 1.0 / kHoursOfDay));
  return panel_of("the week" + whose(lab), week_axis(true, kDaysOfWeek), availability_axis(true), std::move(curves));
}

ResolvedPanel machine_panel(const ClockedLab& lab, std::size_t m, const std::string& name, bool is_first_in_row, std::size_t most_tics) {
  std::vector<ResolvedCurve> curves;
  add_stretches(curves, kSeen, Shape::line, measured_week(lab, lab.measured[m]));
  add_stretches(curves, kOfFit, Shape::line, by_hour(lab.fitted[m], 1.0 / kHoursOfDay));
  return panel_of(name, week_axis(false, most_tics), availability_axis(is_first_in_row), std::move(curves));
}

// ---- memory ----------------------------------------------------------------------------------------------------------

/// Of hours' means less the mean of their hour on days of their kind, of all machines together.
struct HoursMemory {
  std::vector<double> correlation;  ///< by lag, in hours
  double between = kNoHour;        ///< of two machines at the same moment
};

HoursMemory memory_of(const ClockedLab& lab, MachineHours hours, std::size_t lags) {
  for (auto& machine : hours) {
    std::vector<std::array<KnownMean, kHoursOfDay>> means(lab.kinds.size());
    const auto mean_of = [&](std::size_t h) -> KnownMean& { return means[lab.kind(lab.weekday(h))][h % kHoursOfDay]; };
    for (std::size_t h = 0; h < machine.size(); ++h) mean_of(h).add(machine[h]);
    for (std::size_t h = 0; h < machine.size(); ++h) machine[h] -= mean_of(h).value();
  }
  HoursMemory out;
  double variance = 0;
  for (std::size_t lag = 0; lag <= lags; ++lag) {
    KnownMean product;
    for (const auto& machine : hours)
      for (std::size_t h = 0; h + lag < machine.size(); ++h) product.add(machine[h] * machine[h + lag]);
    if (lag == 0) variance = product.value();
    out.correlation.push_back(variance > 0 ? product.value() / variance : 0);
  }
  double products = 0, pairs = 0;
  for (std::size_t h = 0; h < lab.hours(); ++h) {
    double sum = 0, squares = 0, n = 0;
    for (const auto& machine : hours) {
      if (std::isnan(machine[h])) continue;
      sum += machine[h];
      squares += machine[h] * machine[h];
      ++n;
    }
    products += sum * sum - squares;
    pairs += n * (n - 1);
  }
  if (pairs > 0 && variance > 0) out.between = products / pairs / variance;
  return out;
}

/// What the fit leaves in the hours that were recorded.
MachineHours drawn_hours(const ClockedLab& lab, std::uint64_t draw) {
  MachineHours hours;
  for (std::size_t m = 0; m < lab.machines(); ++m) {
    const auto path = habits_path(lab.habits[m], {}, {kDrawsSeed, draw, m, Purpose::owner});
    std::vector<double> means(lab.hours());
    Step step = path->next();
    for (double& mean : means) {
      double left_s = kHour_s;
      for (; step.duration_s < left_s; step = path->next()) {
        mean += step.duration_s * step.value / kHour_s;
        left_s -= step.duration_s;
      }
      mean += left_s * step.value / kHour_s;
      step.duration_s -= left_s;
    }
    for (std::size_t h = 0; h < means.size(); ++h)
      if (std::isnan(lab.measured[m][h])) means[h] = kNoHour;
    hours.push_back(std::move(means));
  }
  return hours;
}

/// As many as make some fifty weeks; of very many machines fewer, which tell as much.
std::size_t draws_of(const ClockedLab& lab) {
  constexpr std::size_t kWeeks = 50, kMany = 200, kFewest = 10, kMost = 60;
  return std::clamp(kWeeks * kDaysOfWeek * kMany / lab.days / std::max(kMany, lab.machines()), kFewest, kMost);
}

ResolvedPanel memory_panel(const ClockedLab& lab) {
  constexpr double kBeyond = 0.05;  // of draws, at either end
  const std::size_t lags = std::min(kHoursOfWeek, lab.hours() / 2), draws = draws_of(lab);
  const HoursMemory measured = memory_of(lab, lab.measured, lags);
  std::vector<std::vector<double>> drawn(lags + 1);
  KnownMean between;
  for (std::size_t draw = 0; draw < draws; ++draw) {
    const HoursMemory one = memory_of(lab, drawn_hours(lab, draw), lags);
    between.add(one.between);
    for (std::size_t lag = 0; lag <= lags; ++lag) drawn[lag].push_back(one.correlation[lag]);
  }
  std::vector<ResolvedPoint> of_trace, of_fit;
  ValueRange range;
  for (std::size_t lag = 0; lag <= lags; ++lag) {
    const double at = static_cast<double>(lag) / kHoursOfDay;
    KnownMean mean;
    for (const double x : drawn[lag]) mean.add(x);
    std::ranges::sort(drawn[lag]);
    const auto end = [&](double part) { return drawn[lag][static_cast<std::size_t>(part * static_cast<double>(draws - 1) + 0.5)]; };
    of_trace.push_back({at, measured.correlation[lag]});
    of_fit.push_back({at, mean.value(), end(kBeyond), end(1 - kBeyond)});
    for (const double x : {of_trace.back().y, of_fit.back().low}) range.add(x, false);
  }
  std::vector<ResolvedCurve> curves;
  add_stretches(curves, kOfDraws, Shape::band, of_fit);
  add_stretches(curves, kSeen, Shape::line, of_trace);
  add_stretches(curves, kOfFit, Shape::line, of_fit);
  std::string caption = "memory";
  if (!std::isnan(measured.between))
    caption += fmt::format("; between machines: {:.2f}, fitted {:.2f}", measured.between, between.value());
  return panel_of(caption, axis_from(0, static_cast<double>(lags) / kHoursOfDay, "lag [d]"),
                  axis_from(std::min(-0.05, range.least - 0.05), 1.02, "autocorrelation"), std::move(curves));
}

// ---- the page --------------------------------------------------------------------------------------------------------

void add_series(const ClockedLab& lab, ResolvedFigure& out) {
  const std::string grey = "#505050", fitted = colour_at(0.2);
  out.series = {{"measured", "measured", false, {}, SeriesStyle{grey}},
                {"weeks", "range of the weeks", false, {}, SeriesStyle{"#d4d4d4"}},
                {"fitted", "fitted", false, {}, SeriesStyle{fitted}},
                {"draws", "nine of ten draws", false, {}, SeriesStyle{mixed_with_white(fitted, 0.25)}}};
  for (std::size_t k = 1; k < lab.kinds.size(); ++k) {
    const std::string& name = lab.kinds[k].name;
    out.series.push_back({name, name + ", measured", false, {}, SeriesStyle{grey, kDashTypes[k]}});
    out.series.push_back({name + ", fitted", name + ", fitted", false, {}, SeriesStyle{fitted, kDashTypes[k]}});
  }
}

/// As many columns as leave each panel room.
std::size_t columns_for(std::size_t machines) { return machines <= 3 ? 3 : machines <= 8 ? 4 : machines <= 24 ? 6 : 8; }

}  // namespace

std::string habits_script(const std::vector<FittedHost>& hosts, PictureFormat format, const TimeZone& zone) {
  constexpr double kPageWidth = 1440, kLeft = 70, kRight = 14, kRoomForDays = 270, kNameLetter = 8;  // pixels
  constexpr std::size_t kHeads = 3, kEveryOther = 4;
  const ClockedLab lab = lab_of(hosts, zone);
  const std::size_t shown = std::min(hosts.size(), kMostHabitsMachines), columns = columns_for(shown);
  ResolvedFigure out = picture_of(
      "fit", "Owners' habits, fitted to measured availability",
      fmt::format("memory: of hours' means less the mean of their hour; fitted: {} draws of {} days each, seed {}; nowsim {}{}",
                  draws_of(lab), lab.days, kDrawsSeed, version(),
                  hosts.size() > shown ? "; not drawn: the other " + std::to_string(hosts.size() - shown) + " machines" : ""),
      format);
  out.has_captions = true;
  add_series(lab, out);
  out.panels = {day_panel(lab), week_panel(lab), memory_panel(lab)};
  const double width = kPageWidth / static_cast<double>(columns) - kLeft - kRight;
  const auto letters = static_cast<std::size_t>((width + 2 * kRight) / kNameLetter);
  for (std::size_t m = 0; m < shown; ++m)
    out.panels.push_back(machine_panel(lab, m, shortened(short_name(hosts[m].name), letters), m % columns == 0,
                                       width < kRoomForDays ? kEveryOther : kDaysOfWeek));
  return layered_script(out, {.most_columns = columns,
                              .plot_width = width,
                              .plot_height = 30 + 0.45 * width,
                              .left = kLeft,
                              .right = kRight,
                              .under = 34,
                              .between = 58,
                              .has_legend_below = true,
                              .heads = kHeads,
                              .head_height = 210,
                              .head_between = 96,
                              .tic_size = columns > 6 ? 9 : 10});
}

}  // namespace nowsim

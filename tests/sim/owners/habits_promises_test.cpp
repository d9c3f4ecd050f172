// Promises from habits that were fitted to two weeks of labs of which everything is known: how many are kept on other
// days, and how much longer they are than those of one who knows the lab.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "sim/owners/habits_fit.hpp"
#include "sim/owners/measured_owner.hpp"
#include "sim/owners/owner_models.hpp"
#include "sim/statistics/series_estimates.hpp"
#include "tests/sim/owners/lab_generator.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

struct Question {
  int weekday;  ///< 0: any from Monday to Thursday
  double start_h, hours;
};
constexpr std::array kQuestions{Question{0, 9, 2},  Question{0, 9, 5},  Question{0, 13, 3}, Question{0, 18, 4}, Question{0, 18, 8},
                                Question{0, 20, 6}, Question{0, 22, 3}, Question{4, 18, 8}, Question{5, 10, 6}, Question{6, 20, 8}};

/// The owners that a reader of the fit's block makes, who begin then.
std::vector<OwnerPtr> owners_of(const HabitsFit& fit, int weekday, double start_h) {
  std::vector<OwnerPtr> owners;
  for (std::size_t m = 0; m < fit.layers.front().machines.size(); ++m) {
    auto habits = std::make_shared<Habits>();
    for (const auto& layer : fit.layers) habits->layers.push_back(layer.machines[m]);
    habits->start_s = weekday * kDay_s + start_h * kHour_s;
    std::vector<std::vector<double>> errors;
    for (const auto& layer : fit.layers) errors.push_back(layer.level_se);
    owners.push_back(measured_habits(habits, errors, fit.worth));
  }
  return owners;
}

/// The promise of a plan: the upper end of the quantile of its replications.
double promised_h(const std::vector<OwnerPtr>& owners, double hours, double risk) {
  constexpr std::uint64_t kReplications = 1000;
  std::vector<double> times_h;
  for (std::uint64_t r = 0; r < kReplications; ++r) {
    double last_s = 0;
    for (std::size_t m = 0; m < owners.size(); ++m) last_s = std::max(last_s, naive_finish(*owners[m], 1, r, m, hours * kHour_s, 1));
    times_h.push_back(last_s / kHour_s);
  }
  return quantile_estimate(times_h, 1 - risk, Confidence{0.95}, 1).high;
}

struct Kept {
  double share, length;  ///< of jobs; over that of one who knows
};

std::vector<double> times_on(const LabWeeks& lab, const Question& q, double hours, std::size_t most) {
  std::vector<double> times;
  const std::vector<double> each(lab.size(), hours);
  for (std::size_t week = 0; 7 * kStepsOfDay * (week + 1) < lab.front().size() && times.size() < most; ++week)
    for (int day = q.weekday == 0 ? 0 : q.weekday; day <= (q.weekday == 0 ? 3 : q.weekday); ++day)
      times.push_back(lab_finish_h(lab, (7 * week + static_cast<std::size_t>(day)) * kStepsOfDay + static_cast<std::size_t>(12 * q.start_h), each));
  return times;
}

double quantile(std::vector<double> x, double p) {
  std::ranges::sort(x);
  return x[std::min(x.size() - 1, static_cast<std::size_t>(p * static_cast<double>(x.size())))];
}

std::vector<Kept> promises(LabKind kind, std::uint64_t seed) {
  constexpr double kRisk = 0.1;
  const Lab lab(kind, seed);
  const LabWeeks seen = lab.weeks(2, 100 + seed), fresh = lab.weeks(210, 200 + seed);
  std::vector<LoadSeries> series;
  for (const auto& machine : seen) series.push_back(series_of(machine));
  std::vector<ClockedSeries> clocked;
  for (const auto& one : series) clocked.push_back({&one, 0, {}});
  const HabitsAnswer answer = fit_habits(clocked);
  REQUIRE(answer.fit);
  std::vector<Kept> out;
  for (const Question& q : kQuestions) {
    const double hours = kind == LabKind::laptops ? q.hours / 5 : q.hours;
    const int weekday = q.weekday == 0 ? 1 : q.weekday;
    const double promise_h = promised_h(owners_of(*answer.fit, weekday, q.start_h), hours, kRisk);
    const auto days = times_on(fresh, q, hours, 200), many = times_on(fresh, q, hours, 100000);
    const auto kept = std::ranges::count_if(days, [&](double t) { return t <= promise_h; });
    out.push_back({static_cast<double>(kept) / static_cast<double>(days.size()), promise_h / quantile(many, 1 - kRisk)});
  }
  return out;
}

}  // namespace

TEST_CASE("promises from two weeks of a lab are kept on other days", "[owners][habits][computes][.long]") {
  double all = 0, worst = 1;
  std::string told;
  std::size_t n = 0;
  std::vector<double> lengths;
  for (std::size_t k = 0; k < kLabKinds.size(); ++k) {
    double of_kind = 0;
    std::size_t of = 0;
    for (std::uint64_t lab = 0; lab < 5; ++lab)
      for (const Kept& one : promises(kLabKinds[k], 10 * k + lab)) {
        of_kind += one.share;
        ++of;
        lengths.push_back(one.length);
      }
    all += of_kind;
    n += of;
    worst = std::min(worst, of_kind / static_cast<double>(of));
    told += "kind " + std::to_string(k) + " kept " + std::to_string(of_kind / static_cast<double>(of)) + "\n";
  }
  INFO(told);
  CHECK(all / static_cast<double>(n) >= 0.87);
  CHECK(all / static_cast<double>(n) <= 0.95);
  CHECK(worst >= 0.80);
  CHECK(quantile(lengths, 0.5) <= 1.10);
}

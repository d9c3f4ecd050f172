// The lab `clock`: what it says of the week, and its answers, against a simulation of its own.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "experiments/driver/running/result_table.hpp"
#include "sim/base/text.hpp"
#include "sim/base/user_file.hpp"
#include "tests/experiments/driver/experiment_fixture.hpp"
#include "tests/paths.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

std::string lab_file(const std::string& name) { return source_folder() + "/experiments/labs/clock/" + name; }

/// The week as the lab tells it: five days from when it opens, and a weekend.
constexpr double kClasses[] = {0.4, 0.35, 0.3, 0.3, 0.45, 0.3, 0.3, 0.35, 0.4, 0.55, 0.6, 0.65, 0.7, 0.8};
constexpr double kFree = 0.95, kMean = 0.6, kTh = 0.35;
double left_on_average(int hour) {
  const int of_day = hour % 24;
  return hour < 5 * 24 && of_day < 14 ? kClasses[of_day] : kFree;
}

/// Hours that one machine takes for so many hours of work, from a moment of the week on: users do something else every so
/// many hours (exponential), and leave what the law of their mood says, uniform, in the proportion of the hour.
double hours_of(double work, double start, double pause, std::mt19937_64& random) {
  const double half = std::sqrt(3.0) * kMean * kTh;
  std::uniform_real_distribution<double> mood(kMean - half, kMean + half);
  std::exponential_distribution<double> lasts(1 / pause);
  auto hour = static_cast<int>(start);
  double now = start, left = work, value = mood(random), changes = start + lasts(random);
  for (;;) {
    const double d = left_on_average(hour % 168);
    const double a = d <= kMean ? value * d / kMean : 1 - (1 - value) * (1 - d) / (1 - kMean);
    const double until = std::min(changes, static_cast<double>(hour) + 1);
    if (a * (until - now) >= left) return now + left / a - start;
    left -= a * (until - now);
    now = until;
    if (until == changes) {
      value = mood(random);
      changes += lasts(random);
    } else {
      ++hour;
    }
  }
}

Experiment experiment_of(const std::string& name, const std::vector<std::string>& changes) {
  return load_experiment(lab_file(name), {changes}, Registries({}, builtin_checks(), builtin_figures()));
}

}  // namespace

TEST_CASE("The lab's independent owners have the mean and the TH of its week", "[computes][reads][lab]") {
  std::vector<double> means;
  for (int hour = 0; hour < 168; ++hour) means.push_back(left_on_average(hour));
  const double mean = std::accumulate(means.begin(), means.end(), 0.0) / 168;
  double variance = 0;
  for (const double d : means) {
    const double within = kMean * kTh * (d <= kMean ? d / kMean : (1 - d) / (1 - kMean));
    variance += (within * within + (d - mean) * (d - mean)) / 168;
  }
  const double th = std::sqrt(variance) / mean;
  const auto owner_of = [](const std::string& name) { return experiment_of(name, {}).points[0].scenario()->owners[0]; };
  for (const std::string name : {"anytime.yaml", "week.yaml", "independent.yaml"}) {
    INFO(name);
    CHECK(owner_of(name)->mean() == Approx(mean).margin(6e-5));
    CHECK(owner_of(name)->temporal_heterogeneity() == Approx(th).margin(6e-5));
  }
  const std::string handout = read_user_file(lab_file("handout.md"), kMostDescriptionBytes);
  CHECK(handout.find(" " + short_number(std::round(1e4 * mean) / 1e4) + " on average") != std::string::npos);
  CHECK(handout.find("deviation of " + short_number(std::round(1e4 * th) / 1e4) + " times") != std::string::npos);
}

TEST_CASE("The lab's answers for a job at any moment are those of another simulation", "[lab][statistical]") {
  constexpr int kReplications = 4000, kMachines = 4;
  constexpr double kWork = 6.5, kPause = 0.5;  // the example of teacher.md
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> start(0, 168);
  std::vector<double> times;
  for (int k = 0; k < kReplications; ++k) {
    const double at = start(random);
    double last = 0;
    for (int i = 0; i < kMachines; ++i) last = std::max(last, hours_of(kWork, at, kPause, random));
    times.push_back(last);
  }
  std::ranges::sort(times);
  const double late = static_cast<double>(std::ranges::count_if(times, [](double t) { return t > 1.75 * kWork; })) / kReplications;
  const double tau = std::accumulate(times.begin(), times.end(), 0.0) / kReplications;
  const Experiment e = experiment_of("anytime.yaml", {"let.work=6.5", "let.machines=4", "let.pause=30", "metrics=[tau, RF, T_95]",
                                                     "run.replications=4000"});
  const auto row = summarise(e, run_experiment(e, {2})).rows[0].estimates;
  CHECK(row[1][0].value == Approx(late).margin(4.5 * std::sqrt(2 * late * (1 - late) / kReplications)));
  CHECK(row[0][0].value / 3600 == Approx(tau).margin(4.5 * 3.2 * std::sqrt(2.0 / kReplications)));  // sd: some 3 h
  CHECK(row[2][0].value / 3600 == Approx(times[static_cast<std::size_t>(0.95 * kReplications)]).epsilon(0.02));
}

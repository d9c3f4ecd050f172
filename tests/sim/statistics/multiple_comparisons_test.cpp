// Intervals from contributions, alone and simultaneous: known values and joint coverage. Selection: what is told is right
// as often as stated, whatever the law, the spread, the correlation or ties.
#include "sim/statistics/multiple_comparisons.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "sim/base/infinity.hpp"
#include "sim/statistics/influence.hpp"
#include "sim/statistics/random.hpp"

using namespace nowsim;

namespace {

using Rows = std::vector<std::vector<double>>;

double normal_draw(Stream& stream) {
  return std::sqrt(-2 * std::log1p(-stream.uniform())) * std::cos(2 * M_PI * stream.uniform());
}

/// k estimates of n entries: a part in common of this correlation; spreads from 1 to `spread`; skewed are exponential.
struct Setting {
  std::size_t k, n;
  double correlation, spread;
  bool is_skewed = false;
};

struct Sampled {
  std::vector<double> means;
  Rows contributions;
};

/// Means 0, times.
Sampled draw(const Setting& s, std::uint64_t trial, const std::vector<double>& truth) {
  Stream stream({41, trial, s.k * 1000 + s.n, Purpose::workload});
  Sampled out{truth, Rows(s.k, std::vector<double>(s.n))};
  const auto one = [&] { return s.is_skewed ? -std::log1p(-stream.uniform()) - 1 : normal_draw(stream); };
  for (std::size_t r = 0; r < s.n; ++r) {
    const double common = std::sqrt(s.correlation) * one();
    for (std::size_t i = 0; i < s.k; ++i) {
      const double sd =
          1 + (s.spread - 1) * static_cast<double>(i) / static_cast<double>(std::max<std::size_t>(1, s.k - 1));
      out.contributions[i][r] = sd * (common + std::sqrt(1 - s.correlation) * one());
    }
  }
  const double n = static_cast<double>(s.n);
  for (std::size_t i = 0; i < s.k; ++i) {
    double mean = 0;
    for (const double x : out.contributions[i]) mean += x / n;
    for (double& x : out.contributions[i]) x = (x - mean) / n;
    out.means[i] += mean;
  }
  return out;
}

/// In which share of the trials all intervals hold.
template <class Intervals>
double joint_coverage(const Setting& s, const std::vector<double>& truth, const std::vector<double>& wanted, int trials,
                      Intervals intervals) {
  int held = 0;
  for (int trial = 0; trial < trials; ++trial) {
    const std::vector<Estimate> found = intervals(draw(s, static_cast<std::uint64_t>(trial), truth));
    bool all = true;
    for (std::size_t i = 0; i < found.size(); ++i) all = all && found[i].low <= wanted[i] && wanted[i] <= found[i].high;
    held += all ? 1 : 0;
  }
  return held / double(trials);
}

double coverage_of_all(const Setting& s, int trials) {
  const std::vector<double> zeros(s.k, 0.0);
  return joint_coverage(s, zeros, zeros, trials, [&](const Sampled& x) {
    const double each = confidence_of_each(x.contributions, 0.95), freedom = static_cast<double>(s.n) - 1;
    std::vector<Estimate> out;
    for (std::size_t i = 0; i < x.means.size(); ++i)
      out.push_back(contrast_interval(x.means[i], x.contributions[i], freedom, each));
    return out;
  });
}

/// Where the truth is steps·0, steps·1, ...: far apart, as intervals that end at 0 hold more often than they say.
double coverage_of_best(const Setting& s, double step, Best best, int trials) {
  std::vector<double> truth, wanted;
  for (std::size_t i = 0; i < s.k; ++i) truth.push_back(step * static_cast<double>(i));
  for (std::size_t i = 0; i < s.k; ++i) {
    double others = best == Best::smallest ? 1e300 : -1e300;
    for (std::size_t j = 0; j < s.k; ++j)
      if (j != i) others = best == Best::smallest ? std::min(others, truth[j]) : std::max(others, truth[j]);
    wanted.push_back(truth[i] - others);
  }
  return joint_coverage(s, truth, wanted, trials, [&](const Sampled& x) {
    return comparisons_with_best(x.means, x.contributions, static_cast<double>(s.n) - 1, best, 0.95);
  });
}

double noise(int trials) { return 3.5 * std::sqrt(0.0475 / trials); }

/// Of independent entries, one each.
Rows independent(std::size_t k) {
  Rows rows(k, std::vector<double>(k, 0.0));
  for (std::size_t i = 0; i < k; ++i) rows[i][i] = 1;
  return rows;
}

using Quantile = double (*)(double u, double z);  ///< at u, where the normal law has z

double as_normal(double, double z) { return z; }
double as_uniform(double u, double) { return u; }
double as_exponential(double u, double) { return -std::log(u); }  // decreasing, as good as increasing
double as_lognormal(double, double z) { return std::exp(0.3 * z); }

/// Two columns of a law, the second k times as spread; normals behind them have this correlation.
void draw(Stream& stream, Quantile law, double correlation, double times, std::vector<double>& a,
          std::vector<double>& b) {
  const auto share = [](double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); };
  for (std::size_t k = 0; k < a.size(); ++k) {
    const double radius = std::sqrt(-2 * std::log1p(-stream.uniform())), turn = 2 * M_PI * stream.uniform();
    const double x = radius * std::cos(turn);
    const double y = correlation * x + std::sqrt(1 - correlation * correlation) * radius * std::sin(turn);
    a[k] = 2 + law(share(x), x);
    b[k] = 2 + times * law(share(y), y);
  }
}

/// What a column's entries contribute to its mean or its standard deviation.
double contribution(const std::vector<double>& column, const Moments& m, std::size_t k, bool to_sd) {
  const double d = column[k] - m.mean(), n = static_cast<double>(column.size());
  return (to_sd ? (d * d - m.sd() * m.sd()) / (2 * m.sd()) : d) / n;
}

struct Law {
  const char* name;
  Quantile quantile;
  double mean, sd;
};
const Law kLaws[] = {{"normal", as_normal, 0, 1},
                     {"uniform", as_uniform, 0.5, std::sqrt(1.0 / 12)},
                     {"exponential", as_exponential, 1, 1},
                     {"lognormal", as_lognormal, std::exp(0.045), std::exp(0.045) * std::sqrt(std::expm1(0.09))}};

/// That of so many trials of n replications intervals of a difference and of a ratio hold the truth in these shares.
void check_coverage(const Law& law, double correlation, std::size_t n, bool of_sd, int trials, double least,
                    double most) {
  const double times = 1.5;
  const double true_a = of_sd ? law.sd : 2 + law.mean, true_b = of_sd ? times * law.sd : 2 + times * law.mean;
  std::vector<double> a(n), b(n), difference(n), log_ratio(n);
  QuantileMemo memo;
  const Confidence level(0.95, &memo);
  int held = 0, held_ratio = 0;
  for (int trial = 0; trial < trials; ++trial) {
    Stream stream({21, static_cast<std::uint64_t>(trial), n, Purpose::workload});
    draw(stream, law.quantile, correlation, times, a, b);
    const Moments x = Moments::of(a), y = Moments::of(b);
    const double value_x = of_sd ? x.sd() : x.mean(), value_y = of_sd ? y.sd() : y.mean();
    for (std::size_t k = 0; k < n; ++k) {
      const double of_x = contribution(a, x, k, of_sd), of_y = contribution(b, y, k, of_sd);
      difference[k] = of_x - of_y;
      log_ratio[k] = of_x / value_x - of_y / value_y;
    }
    const double freedom = static_cast<double>(n) - 1;
    const Estimate d = contrast_interval(value_x - value_y, difference, freedom, level);
    const Estimate r = ratio_interval(value_x / value_y, log_ratio, freedom, level);
    held += d.low <= true_a - true_b && true_a - true_b <= d.high ? 1 : 0;
    held_ratio += r.low <= true_a / true_b && true_a / true_b <= r.high ? 1 : 0;
  }
  INFO(law.name << ", correlation " << correlation << ", n = " << n << (of_sd ? ", sd" : ", mean"));
  const double noise = 3.5 * std::sqrt(0.0475 / trials);
  for (const double share : {held / double(trials), held_ratio / double(trials)}) {
    CHECK(share >= least - noise);
    CHECK(share <= most + noise);
  }
}

}  // namespace

TEST_CASE("Each of several intervals is surer than all together, and no surer than Bonferroni asks",
          "[computes][simultaneous]") {
  CHECK(confidence_of_each(independent(1), 0.95) == Approx(0.95));
  for (const std::size_t k : {2, 5, 20}) {
    // Of independent ones the exact confidence is the k-th root (Sidak).
    const double found = confidence_of_each(independent(k), 0.95), sidak = std::pow(0.95, 1.0 / static_cast<double>(k));
    CHECK(found <= 1 - 0.05 / static_cast<double>(k));
    CHECK(1 - found == Approx(1 - sidak).epsilon(0.08));
    // Of equal ones it is that of one.
    CHECK(confidence_of_each(Rows(k, {0.3, -0.1, -0.2}), 0.95) == Approx(0.95).margin(0.002));
  }
  CHECK(confidence_of_each(Rows(301, {0.3, -0.3}), 0.95) == Approx(1 - 0.05 / 301));
  CHECK(confidence_of_each(Rows(3, {0.0, 0.0}), 0.95) == Approx(0.95));  // without any error
}

TEST_CASE("Differences from one in common have Dunnett's critical values", "[simultaneous]") {
  // Dunnett (Biometrics 20, 1964), infinite degrees of freedom, correlation 1/2, two-sided 95 %: 2.21, 2.51, 2.72.
  const double dunnett[] = {2.21, 2.51, 2.72};
  const std::size_t compared[] = {2, 5, 9};
  for (std::size_t c = 0; c < 3; ++c) {
    Rows rows(compared[c], std::vector<double>(compared[c] + 1, 0.0));
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i][i] = 1, rows[i].back() = -1;
    CHECK(normal_quantile(confidence_of_each(rows, 0.95)) == Approx(dunnett[c]).margin(0.03));
  }
}

TEST_CASE("Comparisons with the best turn with the sign, contain what was found, and end at 0", "[simultaneous]") {
  const Sampled x = draw({4, 60, 0.5, 1}, 7, {0, 0.1, 0.2, 2});
  std::vector<double> negative;
  Rows turned = x.contributions;
  for (const double m : x.means) negative.push_back(-m);
  for (auto& row : turned)
    for (double& d : row) d = -d;
  const auto smallest = comparisons_with_best(x.means, x.contributions, 59, Best::smallest, 0.95);
  const auto largest = comparisons_with_best(negative, turned, 59, Best::largest, 0.95);
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(smallest[i].low <= smallest[i].value);
    CHECK(smallest[i].value <= smallest[i].high);
    CHECK(smallest[i].low <= 0);
    CHECK(smallest[i].high >= 0);
    CHECK(smallest[i].low == Approx(-largest[i].high));
    CHECK(smallest[i].high == Approx(-largest[i].low));
  }
  CHECK(smallest[3].low == 0);  // far from the best: it is not
  const auto sure = comparisons_with_best(std::vector<double>{0, 5, 6}, draw({3, 60, 0, 1}, 1, {0, 0, 0}).contributions,
                                          59, Best::smallest, 0.95);
  CHECK(sure[0].high == 0);  // this one is
  CHECK(sure[0].low < -4);
  CHECK(sure[1].low == 0);
}

TEST_CASE("Two alike in every replication are both the best", "[simultaneous]") {
  Sampled x = draw({3, 60, 0.5, 1}, 3, {0, 0, 1});
  x.means[1] = x.means[0];
  x.contributions[1] = x.contributions[0];
  const auto found = comparisons_with_best(x.means, x.contributions, 59, Best::smallest, 0.95);
  CHECK(found[0].value == 0);
  CHECK(found[0].low == 0);
  CHECK(found[0].high == 0);
  CHECK(found[2].low == 0);
  CHECK(found[2].high > 1);
}

TEST_CASE("Simultaneous intervals hold all together as often as they say", "[simultaneous][statistics]") {
  // Of 50 experiments each, as one costs some milliseconds; the full grid is below.
  CHECK(coverage_of_all({3, 50, 0.5, 1}, 50) >= 0.94 - noise(50));
  CHECK(coverage_of_best({3, 50, 0.5, 3}, 5, Best::smallest, 50) >= 0.94 - noise(50));
}

TEST_CASE("Simultaneous intervals hold all together as often as they say, everywhere",
          "[.long][simultaneous][statistics]") {
  for (const std::size_t k : {2, 5, 20})
    for (const double correlation : {0.0, 0.5, 0.95})
      for (const double spread : {1.0, 4.0})
        for (const bool is_skewed : {false, true}) {
          const Setting s{k, 100, correlation, spread, is_skewed};
          const int trials = k == 20 ? 400 : 1000;
          INFO(k << " of correlation " << correlation << ", spread " << spread << (is_skewed ? ", skewed" : ""));
          const double all = coverage_of_all(s, trials);
          const double best = coverage_of_best(s, 20, is_skewed ? Best::largest : Best::smallest, trials);
          CHECK(all >= 0.94 - noise(trials));
          CHECK(all <= 0.965 + noise(trials));
          CHECK(best >= 0.94 - noise(trials));
        }
}

TEST_CASE("Without degrees of freedom nobody is told to be the best", "[simultaneous]") {
  const std::vector<double> values{1, 2, 3};
  const std::vector<std::vector<double>> contributions{{0}, {0}, {0}};
  for (const Estimate& e : comparisons_with_best(values, contributions, 0, Best::smallest, 0.95)) {
    CHECK(std::isnan(e.low));
    CHECK(std::isnan(e.high));
  }
}

namespace {

class Normals {
 public:
  double operator()() {
    const auto uniform = [this] { return (static_cast<double>(engine_() >> 11) + 0.5) * 0x1p-53; };
    const double radius = std::sqrt(-2 * std::log(uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }

 private:
  std::mt19937_64 engine_{1};
};

double probability_below(double z) { return std::min(0.5 * std::erfc(-z / std::numbers::sqrt2), 1 - 1e-15); }

/// A standardised law, from a standard normal number.
struct SelectedLaw {
  const char* name;
  double (*of)(double z);
};

/// Gamma laws of shapes 1/2 and 1 (skewness 2.8 and 2), and the last of eight exponential times.
constexpr SelectedLaw kSelectedLaws[] = {
    {"normal", [](double z) { return z; }},
    {"gamma 1/2", [](double z) { return (z * z - 1) / std::numbers::sqrt2; }},
    {"gamma 1", [](double z) { return -std::log1p(-probability_below(z)) - 1; }},
    {"maximum",
     [](double z) { return (-std::log1p(-std::pow(probability_below(z), 0.125)) - 2.717857) / std::sqrt(1.527422); }}};

/// Systems of which the first `ties` are best and alike, and all others worse by the whole zone: the hardest there is.
struct SelectionCase {
  std::size_t systems, ties;
  double correlation, best_sd, other_sd;
};

constexpr std::size_t kInMean = 20;  // values of an observation, as experiments have it (point.hpp)
constexpr double kIndifferent = 0.1;

/// Runs one to its end; `value` makes a system's value of a normal number.
SelectionOfBest selected(const SelectionRule& rule, const SelectionCase& c, Normals& normal, const auto& value) {
  SelectionOfBest selection(c.systems, rule);
  std::vector<double> means(c.systems);
  while (!selection.is_decided()) {
    means.assign(c.systems, 0);
    for (std::size_t k = 0; k < kInMean; ++k) {
      const double common = std::sqrt(c.correlation) * normal();
      for (std::size_t i = 0; i < c.systems; ++i)
        if (selection.is_in(i)) means[i] += value(i, common + std::sqrt(1 - c.correlation) * normal()) / kInMean;
    }
    selection.add(means);
  }
  return selection;
}

/// The share of trials in which one of the best was told, of so many.
double share_right(const SelectionRule& rule, const SelectionCase& c, int trials, const auto& value) {
  Normals normal;
  int right = 0;
  for (int t = 0; t < trials; ++t) right += selected(rule, c, normal, value).leader() < c.ties ? 1 : 0;
  return static_cast<double>(right) / trials;
}

/// Of means of a law; 0.95 is stated.
double share_right(const SelectedLaw& law, const SelectionCase& c, int trials) {
  SelectionRule rule;
  rule.indifference = kIndifferent;
  return share_right(rule, c, trials, [&](std::size_t i, double z) {
    return i < c.ties ? c.best_sd * law.of(z) : kIndifferent + c.other_sd * law.of(z);
  });
}

/// Of proportions.
double share_right(double best, const SelectionCase& c, int trials) {
  constexpr double kRareZone = 0.01;
  SelectionRule rule;
  rule.indifference = kRareZone;
  rule.least_variance = 3.0 / (static_cast<double>(rule.first_stage) * kInMean) / kInMean;
  return share_right(rule, c, trials, [&](std::size_t i, double z) {
    return probability_below(z) > 1 - best - (i < c.ties ? 0 : kRareZone) ? 1.0 : 0.0;
  });
}

/// What so many trials may show of a share that is 0.95: three standard errors less.
double least_seen(int trials) { return 0.95 - 3 * std::sqrt(0.95 * 0.05 / trials); }

}  // namespace

TEST_CASE("The best is told as often as stated", "[selection][statistics]") {
  constexpr int kTrials = 100;
  constexpr SelectionCase kCases[] = {{2, 1, 0, 1, 1}, {2, 1, 0.9, 1, 2}, {5, 2, 0.5, 2, 1}, {5, 3, 0.9, 1, 2}};
  for (const auto& law : {kSelectedLaws[0], kSelectedLaws[2]})
    for (const auto& c : kCases) {
      INFO(law.name << " correlation " << c.correlation << " systems " << c.systems);
      CHECK(share_right(law, c, kTrials) >= least_seen(kTrials));
    }
  CHECK(share_right(0.005, {2, 1, 0, 1, 1}, kTrials) >= least_seen(kTrials));
}

TEST_CASE("The best is told as often as stated, everywhere", "[.long][selection][statistics]") {
  constexpr int kTrials = 2000;
  using Spreads = std::pair<double, double>;
  for (const double correlation : {0.0, 0.5, 0.9})
    for (const auto& [systems, ties] : std::vector<std::pair<std::size_t, std::size_t>>{{2, 1}, {8, 1}, {8, 3}}) {
      for (const auto& law : kSelectedLaws)
        for (const auto& [best_sd, other_sd] : {Spreads{1, 1}, Spreads{2, 1}, Spreads{1, 2}}) {
          const double share = share_right(law, {systems, ties, correlation, best_sd, other_sd}, kTrials);
          INFO(law.name << " correlation " << correlation << " systems " << systems << " ties " << ties << " spreads "
                        << best_sd << ", " << other_sd << ": " << share);
          CHECK(share >= least_seen(kTrials));
        }
      for (const double best : {0.0, 0.005, 0.05}) {
        INFO("proportion " << best << " correlation " << correlation << " systems " << systems << " ties " << ties);
        CHECK(share_right(best, {systems, ties, correlation, 1, 1}, kTrials / 4) >= least_seen(kTrials / 4));
      }
    }
}

TEST_CASE("Identical systems are told as equal after the first stage, the first of them as the best", "[selection]") {
  SelectionOfBest selection(3, {.indifference = 0.1});
  for (int k = 0; k < 10; ++k) {
    CHECK_FALSE(selection.is_decided());
    const double x = k % 3;
    selection.add(std::array{x, x, x + 1});
  }
  REQUIRE(selection.is_decided());
  CHECK(selection.leader() == 0);
  CHECK(selection.lead_over(1) == 0);
  CHECK(selection.lead_over(2) == Approx(1));
  CHECK(selection.observations_of(2) == 10);
}

TEST_CASE("Exact ties of varying systems come to an end", "[selection]") {
  Normals normal;
  const SelectionOfBest selection =
      selected({.indifference = 0.3}, {4, 4, 0, 1, 1}, normal, [](std::size_t, double z) { return z; });
  CHECK(selection.is_decided());
}

TEST_CASE("A system goes out when the lead over it leaves the triangle", "[selection]") {
  // Differences alternate between 0 and 2: variance 10/9 after ten, of which eta = (0.1^(-2/9) - 1)/2 makes h² = 6.0130;
  // W(r) = h²·variance/(2·delta) - r·delta/2, and the lead is r.
  SelectionOfBest selection(2, {.indifference = 0.1});
  std::uint64_t r = 0;
  while (!selection.is_decided() && r < 1000) {
    const double difference = r++ % 2 == 0 ? 0 : 2;
    selection.add(std::array{0.0, difference});
  }
  const double eta = (std::pow(0.1, -2.0 / 9) - 1) / 2, start = 2 * eta * 9 * (10.0 / 9) / 0.2;
  // The lead is r at even r, r - 1 at odd ones.
  std::uint64_t expected = 10;
  while (static_cast<double>(expected - expected % 2) <= start - 0.05 * static_cast<double>(expected)) ++expected;
  CHECK(r == expected);
  CHECK(selection.leader() == 0);
}

TEST_CASE("A relative indifference is fixed from the first stage", "[selection]") {
  SelectionOfBest selection(2, {.indifference = 0.01, .is_relative = true});
  for (int k = 0; k < 9; ++k) selection.add(std::array{200.0 + k % 2 * 100, 300.0 - k % 2 * 100});
  CHECK(selection.indifference() == 0);
  selection.add(std::array{300.0, 200.0});
  CHECK(selection.indifference() == Approx(2.5));
  selection.add(std::array{3000.0, 2000.0});
  CHECK(selection.indifference() == Approx(2.5));
}

TEST_CASE("The largest is best where it is asked for, and who is withdrawn is compared no more", "[selection]") {
  SelectionOfBest selection(3, {.indifference = 0.1, .least_is_best = false});
  selection.add(std::array{1.0, 2.0, 3.0});
  selection.withdraw(2);
  for (int k = 1; k < 10; ++k) selection.add(std::array{1.0, 2.0, 0.0});
  REQUIRE(selection.is_decided());
  CHECK(selection.leader() == 1);
  CHECK(selection.observations_of(2) == 1);
}

TEST_CASE("Without skewness and at a normal law's kurtosis an interval of contributions is nearly Student's",
          "[contrast]") {
  std::vector<double> d;
  for (int k = 1; k <= 1000; ++k) {
    const double z = normal_quantile(k / 1001.0);  // two-sided: half of a normal law's values
    d.insert(d.end(), {z / 2000, -z / 2000});
  }
  double squares = 0;
  for (const double x : d) squares += x * x;
  const Estimate e = contrast_interval(7, d, 1999, 0.95);
  CHECK(e.value == 7);
  CHECK(e.high - 7 == Approx(7 - e.low));
  CHECK(e.half_width() == Approx(student_quantile(2000, 0.95) * std::sqrt(squares)).epsilon(2e-3));
}

TEST_CASE("An interval of contributions turns with their sign, and is wider the surer it is to be", "[contrast]") {
  const std::vector<double> d{0.9, -0.1, -0.2, 0.1, -0.3, -0.15, -0.25};
  std::vector<double> negative;
  for (const double x : d) negative.push_back(-x);
  const Estimate e = contrast_interval(1, d, 6, 0.95), mirrored = contrast_interval(-1, negative, 6, 0.95);
  CHECK(e.low == Approx(-mirrored.high));
  CHECK(e.high == Approx(-mirrored.low));
  CHECK(e.high - 1 > 1 - e.low);  // the long tail is above
  const Estimate surer = contrast_interval(1, d, 6, 0.99);
  CHECK(surer.low < e.low);
  CHECK(surer.high > e.high);
  CHECK(ratio_interval(2, d, 6, 0.95).high == Approx(2 * std::exp(e.high - 1)));
  CHECK(ratio_interval(-2, d, 6, 0.95).low == Approx(-2 * std::exp(e.high - 1)));
}

TEST_CASE("One entry has no interval, and entries that contribute nothing have one of width 0", "[contrast]") {
  CHECK(std::isnan(contrast_interval(3, std::vector<double>{0.0}, 0, 0.95).high));
  const Estimate none = contrast_interval(3, std::vector<double>(10, 0.0), 9, 0.95);
  CHECK(none.low == 3);
  CHECK(none.high == 3);
}

TEST_CASE("Paired intervals of means and standard deviations hold the truth as often as they say",
          "[contrast][statistics]") {
  constexpr int kTrials = 3000;
  check_coverage(kLaws[0], 0.9, 20, false, kTrials, 0.94, 0.96);
  check_coverage(kLaws[2], 0.99, 20, false, kTrials, 0.935, 0.96);
  check_coverage(kLaws[3], -0.9, 50, true, kTrials, 0.94, 0.96);
  check_coverage(kLaws[2], 0.9, 100, true, kTrials, 0.94, 0.965);
}

TEST_CASE("Paired intervals hold the truth as often as they say, everywhere", "[.long][contrast][statistics]") {
  constexpr int kTrials = 20000;
  for (const Law& law : kLaws)
    for (const double correlation : {-0.9, 0.0, 0.9, 0.99}) {
      for (const std::size_t n : {20, 50, 100}) check_coverage(law, correlation, n, false, kTrials, 0.935, 0.965);
      for (const std::size_t n : {50, 100, 300})
        check_coverage(law, correlation, n, true, kTrials, n == 50 ? 0.92 : 0.94, n == 50 ? 0.97 : 0.965);
    }
}

TEST_CASE("Fieller's interval holds the ratios that a test does not refuse", "[contrast]") {
  const RatioParts p{10, 4, 1, 0.25, 0.2};
  const Estimate e = fieller_interval(p, 2);
  CHECK(e.value == 2.5);
  for (const double r : {e.low, e.high}) {
    const double variance = p.of_numerator - 2 * r * p.covariance + r * r * p.of_denominator;
    CHECK(std::pow(p.numerator - r * p.denominator, 2) == Approx(4 * variance));
  }
  CHECK(e.low < 2.5);
  CHECK(e.high > 2.5);
  CHECK(fieller_interval({10, 4, 0, 0, 0}, 2).half_width() == 0);
  // Over a denominator that may be 0 any ratio is possible, and what is not known has no interval.
  const Estimate any = fieller_interval({10, 1, 1, 0.3, 0}, 2);
  CHECK(any.low == -kInfinity);
  CHECK(any.high == kInfinity);
  CHECK(std::isnan(fieller_interval({10, 1, kNotKnown, 0.3, 0}, 2).low));
}

TEST_CASE("Fieller's interval holds the truth as often as it says where the delta method's does not",
          "[contrast][statistics]") {
  // 20000 pairs of normal means: the ratio is 2, the denominator 3 of its standard errors from 0.
  int fieller = 0, delta = 0, infinite = 0;
  Stream stream({22, 0, 0, Purpose::workload});
  for (int k = 0; k < 20000; ++k) {
    const double radius = std::sqrt(-2 * std::log1p(-stream.uniform())), turn = 2 * M_PI * stream.uniform();
    const double x = radius * std::cos(turn), y = 0.8 * x + 0.6 * radius * std::sin(turn);
    const Estimate e = fieller_interval({6 + x, 3 + y, 1, 1, 0.8}, 1.959964);
    const double h = 1.959964 * std::sqrt(1 - 1.6 * e.value + e.value * e.value) / (3 + y);
    fieller += e.low <= 2 && 2 <= e.high ? 1 : 0;
    delta += std::abs(e.value - 2) <= h ? 1 : 0;
    infinite += e.high == kInfinity ? 1 : 0;
  }
  CHECK(fieller / 20000.0 >= 0.945);
  CHECK(delta / 20000.0 < 0.945);
  CHECK(infinite / 20000.0 == Approx(0.15).margin(0.02));  // P[3 + y < 1.96]
}

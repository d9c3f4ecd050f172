// Tests of SimGrid's profiles: what every form unrolls to, what is refused and where, the round trip, the moments.
#include "sim/owners/profile.hpp"

#include <algorithm>
#include <boost/math/distributions/exponential.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/distributions/uniform.hpp>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>

#include "sim/base/error.hpp"
#include "sim/owners/owner_models.hpp"
#include "sim/statistics/statistics.hpp"

using namespace nowsim;
using Kind = ProfileLaw::Kind;

namespace {

constexpr double kEver = std::numeric_limits<double>::infinity();
const StreamKey kKey{20240229, 3, 7, Purpose::owner};

Profile parse(const std::string& text, ProfileQuantity quantity = ProfileQuantity::fraction) {
  return parse_profile(text, "p.txt", quantity);
}

using Steps = std::vector<std::pair<double, double>>;  // duration, value

Steps first_steps(const Profile& profile, std::size_t n, ProfileQuantity quantity = ProfileQuantity::fraction,
                  double initial = 1, const StreamKey& key = kKey) {
  const auto path = profile_path(std::make_shared<const Profile>(profile), quantity, initial, 0, key);
  Steps steps;
  for (std::size_t i = 0; i < n; ++i) {
    const auto [duration, value] = path->next();
    steps.emplace_back(duration, value);
  }
  return steps;
}

Steps unroll(const std::string& text, std::size_t n, ProfileQuantity quantity = ProfileQuantity::fraction) {
  return first_steps(parse(text, quantity), n, quantity);
}

struct Unrolled {
  const char* text;
  Steps steps;  ///< the first ones
};
void check_unrolled(const std::vector<Unrolled>& table) {
  for (const auto& [text, steps] : table) {
    CAPTURE(text);
    CHECK(unroll(text, steps.size()) == steps);
  }
}

struct Bad {
  std::string text;
  int line;
  std::string says;
};
void check_refused(const std::vector<Bad>& table, ProfileQuantity quantity = ProfileQuantity::fraction) {
  for (const auto& [text, line, says] : table) {
    CAPTURE(text.substr(0, 200));
    try {
      parse(text, quantity);
      FAIL_CHECK("it is read");
    } catch (const InputError& e) {
      CHECK(e.place().file == "p.txt");
      CHECK(e.place().line == line);
      CHECK_THAT(e.what(), Catch::Contains(says) && Catch::EndsWith("."));
      CHECK(std::string(e.what()).size() < 400);
    }
  }
}

/// The largest distance between the sample's distribution function and the law's (Kolmogorov and Smirnov).
template <class Law>
double distance(std::vector<double> x, const Law& law) {
  std::sort(x.begin(), x.end());
  const auto n = static_cast<double>(x.size());
  double most = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double p = cdf(law, x[i]), k = static_cast<double>(i);
    most = std::max({most, p - k / n, (k + 1) / n - p});
  }
  return most;
}

constexpr std::size_t kDraws = 20000;
/// What the distance exceeds with probability 1e-4 if the law is the right one: sqrt(-ln(1e-4/2)/2)/sqrt(n).
const double kFarthest = std::sqrt(-std::log(0.5e-4) / 2 / static_cast<double>(kDraws));

template <class Law>
void check_draws(const std::string& text, const Law& law) {
  CAPTURE(text);
  std::vector<double> values, delays;
  for (const auto& [duration, value] : unroll("STOCHASTIC LOOP\nDET 1 " + text, kDraws + 1, ProfileQuantity::bandwidth))
    values.push_back(value);
  values.erase(values.begin());  // the value before the first event
  for (const auto& [duration, value] :
       unroll("STOCHASTIC LOOP\n" + text + " DET 1", kDraws, ProfileQuantity::bandwidth))
    delays.push_back(duration);
  CHECK(distance(values, law) < kFarthest);
  CHECK(distance(delays, law) < kFarthest);
}

/// Whether batch values have this mean, by their t interval at a confidence of 99.9 %.
void check_mean(const Moments& batches, double expected) {
  const auto n = static_cast<double>(batches.count());
  const double half = quantile(boost::math::students_t(n - 1), 0.9995) * batches.sd() / std::sqrt(n);
  CHECK(std::abs(batches.mean() - expected) <= half + 1e-12 * std::abs(batches.mean()));
}

/// The time averages of value and of value squared, unrolled in 30 batches of 4000 steps, hold the stated moments at a
/// confidence of 99.9 % each.
void check_moments_by_unrolling(const std::string& text, ProfileQuantity quantity) {
  CAPTURE(text);
  const Profile profile = parse(text, quantity);
  const auto [mean, sd, are_exact] = profile_moments(profile, quantity, 1);
  const auto path = profile_path(std::make_shared<const Profile>(profile), quantity, 1, 0, kKey);
  path->next();
  Moments means, squares;
  for (int batch = 0; batch < 30; ++batch) {
    double time = 0, sum = 0, sum2 = 0;
    for (int i = 0; i < 4000; ++i) {
      const auto [duration, value] = path->next();
      time += duration;
      sum += duration * value;
      sum2 += duration * value * value;
    }
    means.add(sum / time);
    squares.add(sum2 / time);
  }
  check_mean(means, mean);
  check_mean(squares, mean * mean + sd * sd);
}

OwnerMoments moments_of(const std::string& text, ProfileQuantity quantity = ProfileQuantity::fraction) {
  return profile_moments(parse(text, quantity), quantity, 1);
}

/// A random profile that the grammar allows, with numbers of every size.
class RandomProfile {
 public:
  explicit RandomProfile(std::uint64_t seed) : stream_({seed, 0, 0, Purpose::workload}) {}

  Profile make() {
    Profile p;
    p.stochastic = one_of(2) == 0;
    double date = one_of(2) == 0 ? 0 : positive();
    for (std::size_t n = 1 + one_of(6); n > 0; --n) {
      p.events.push_back({p.stochastic ? law() : ProfileLaw{Kind::fixed, date, 0}, value(p.stochastic)});
      date += date * stream_.uniform() + positive();
    }
    add_loop(p);
    return p;
  }

 private:
  std::size_t one_of(std::size_t n) { return static_cast<std::size_t>(stream_.uniform() * static_cast<double>(n)); }
  double positive() { return std::exp(40 * stream_.uniform() - 20); }

  ProfileLaw law() {
    const double a = positive();
    switch (one_of(4)) {
      case 0:
        return {Kind::fixed, a, 0};
      case 1:
        return {Kind::normal, a, positive()};
      case 2:
        return {Kind::uniform, a, a + positive()};
      default:
        return {Kind::exponential, a, 0};
    }
  }
  ProfileLaw value(bool stochastic) {
    return stochastic || one_of(3) == 0 ? law() : ProfileLaw{Kind::fixed, positive(), 0};
  }
  void add_loop(Profile& p) {
    const std::size_t form = one_of(3);
    p.loop = form > 0;
    if (form == 1 && !p.stochastic) p.periodicity = p.events.back().date.a + positive();
    if (form == 2) p.loop_after = positive();
  }
  Stream stream_;
};

}  // namespace

TEST_CASE("A deterministic profile has its values from date to date", "[reads][profile]") {
  const double a = 0.1, b = 0.3, c = 0.7;
  check_unrolled({
      // The nominal value until the first date, and played once the last value for ever.
      {"3.0 0.5\n5.0 0.25\n9.0 0.75\n", {{3, 1}, {2, 0.5}, {4, 0.25}, {kEver, 0.75}, {kEver, 0.75}}},
      {"0 0.5\n5 0.25\n", {{5, 0.5}, {kEver, 0.25}}},
      {"0 0.5\n", {{kEver, 0.5}}},
      // Of values at one date the last counts.
      {"0 0.5\n10 1\n10 0.25\n40 1\n", {{10, 0.5}, {30, 0.25}, {kEver, 1}}},
      {"0 0.5\n0 1\n5 0.25\n5 0.75\nPERIODICITY 9\n", {{5, 1}, {4, 0.75}, {5, 1}, {4, 0.75}}},
      // PERIODICITY is from an event to the same event of the next round. Events at 2 and 5, then 12 and 15, then 22
      // and 25: the pause is 10 - 5 plus the first event's own 2.
      {"PERIODICITY 10\n2 0.5\n5 0.25\n", {{2, 1}, {3, 0.5}, {7, 0.25}, {3, 0.5}, {7, 0.25}, {3, 0.5}}},
      {"0 1\n4 0\nPERIODICITY 10\n", {{4, 1}, {6, 0}, {4, 1}, {6, 0}}},
      // Equal to the last date, it lets the next round's first event win where both fall together: at 0 and 10, and the
      // second round's first at 10 as well; or at 4 and 10, and the second round's first at 14.
      {"PERIODICITY 10\n0 0.5\n10 0.25\n", {{10, 0.5}, {10, 0.5}, {10, 0.5}}},
      {"PERIODICITY 10\n4 0.5\n10 0.25\n", {{4, 1}, {6, 0.5}, {4, 0.25}, {6, 0.5}}},
      // LOOPAFTER is added to the first event's own date. SimGrid's own test (Profile_test.cpp, "Two events, looping"):
      // 1, 3, then 6, 8, 11, 13; "Two events, looping, start at 0": 0, 5, 10, 15, 20.
      {"1.0 1.0\n3.0 0.3\nLOOPAFTER 2\n", {{1, 1}, {2, 1}, {3, 0.3}, {2, 1}, {3, 0.3}, {2, 1}}},
      {"0.0 1\n5.0 0.2\nLOOPAFTER 5\n", {{5, 1}, {5, 0.2}, {5, 1}, {5, 0.2}}},
      {"2 0.5\n3 0.25\nLOOPAFTER 0\n", {{2, 1}, {1, 0.5}, {2, 0.25}, {1, 0.5}}},
      // Dates are differences in floating point, as SimGrid forms them.
      {"0.1 0.5\n0.3 0.6\n0.7 0.7\nPERIODICITY 1.1\n", {{a, 1}, {b - a, 0.5}, {c - b, 0.6}, {a + (1.1 - c), 0.7}}},
  });
  CHECK(first_steps(parse("3 0.5\n"), 2, ProfileQuantity::fraction, 0.125) == Steps{{3, 0.125}, {kEver, 0.5}});
}

TEST_CASE("A deterministic profile draws its values anew in every round where they have a law", "[profile]") {
  const auto steps = unroll("0 UNIF 0.2 0.4\nPERIODICITY 5\n", 200);
  double low = 1, high = 0;
  for (const auto& [duration, value] : steps) {
    CHECK(duration == 5);
    low = std::min(low, value), high = std::max(high, value);
  }
  CHECK(low >= 0.2);
  CHECK(low < 0.22);  // misses this with probability 0.9^200 = 7e-10
  CHECK(high <= 0.4);
  CHECK(high > 0.38);
}

TEST_CASE("A stochastic profile's dates are delays since the event before", "[profile]") {
  const Steps with_pause{{3, 1}, {5, 0.5}, {10, 0.25}, {5, 0.5}, {10, 0.25}};
  check_unrolled({
      {"STOCHASTIC\nDET 3 DET 0.5\nDET 5 DET 0.25\nDET 2 DET 0\n",
       {{3, 1}, {5, 0.5}, {2, 0.25}, {kEver, 0}, {kEver, 0}}},
      // A loop waits for the first event's delay in every round.
      {"STOCHASTIC LOOP\nDET 3 DET 0.5\nDET 5 DET 0.25\n", {{3, 1}, {5, 0.5}, {3, 0.25}, {5, 0.5}, {3, 0.25}}},
      // LOOPAFTER makes it loop and adds to the first delay of later rounds.
      {"STOCHASTIC\nLOOPAFTER 7\nDET 3 DET 0.5\nDET 5 DET 0.25\n", with_pause},
      {"STOCHASTIC LOOP\nLOOPAFTER 7\nDET 3 DET 0.5\nDET 5 DET 0.25\n", with_pause},
      // A delay of 0 makes a step of length 0, which is left out: the later value wins.
      {"STOCHASTIC\nDET 0 DET 0.5\nDET 4 DET 0.25\nDET 0 DET 0.125\n", {{4, 0.5}, {kEver, 0.125}}},
      {"STOCHASTIC LOOP\nDET 0 DET 0.5\nDET 4 DET 0.25\n", {{4, 0.5}, {4, 0.5}, {4, 0.5}}},
  });
}

TEST_CASE("Every law is drawn as named, for values and for delays", "[profile]") {
  check_draws("UNIF 2 5", boost::math::uniform(2, 5));
  check_draws("EXP 0.25", boost::math::exponential(0.25));  // a rate: the mean is 4
  check_draws("NORM 100 5", boost::math::normal(100, 5));   // 20 sd above 0: never clamped
}

TEST_CASE("Values and delays of one profile are drawn in order from one stream", "[profile]") {
  // Date, value, date, value, as SimGrid does; one uniform each; a fixed number takes none.
  Stream stream(kKey);
  const auto next = [&stream](double low, double high) { return low + (high - low) * stream.uniform(); };
  const Steps steps = unroll("STOCHASTIC LOOP\nUNIF 1 2 UNIF 0.5 1\nDET 3 UNIF 0 0.5\n", 7);
  CHECK(steps[0].first == next(1, 2));
  for (std::size_t k = 1; k < steps.size(); k += 2) {
    CHECK(steps[k].first == 3);
    CHECK(steps[k].second == next(0.5, 1));
    CHECK(steps[k + 1].second == next(0, 0.5));
    CHECK(steps[k + 1].first == next(1, 2));
  }
}

TEST_CASE("The same key gives the same path, another key another", "[profile]") {
  const Profile p = parse("STOCHASTIC LOOP\nEXP 2 NORM 0.5 0.1\n");
  const auto steps = first_steps(p, 50);
  CHECK(steps == first_steps(p, 50));
  for (const StreamKey& other :
       {StreamKey{1, 3, 7, Purpose::owner}, StreamKey{20240229, 4, 7, Purpose::owner},
        StreamKey{20240229, 3, 8, Purpose::owner}, StreamKey{20240229, 3, 7, Purpose::bandwidth}})
    CHECK(steps != first_steps(p, 50, ProfileQuantity::fraction, 1, other));
}

TEST_CASE("Drawn values are clamped to what the quantity allows", "[profile]") {
  const auto shares = [](const std::string& law, ProfileQuantity quantity) {
    std::size_t low = 0, high = 0;
    for (const auto& [duration, value] : unroll("STOCHASTIC LOOP\nDET 1 " + law, kDraws, quantity)) {
      CHECK(value >= 0);
      low += value == 0, high += value == 1;
    }
    return std::pair(static_cast<double>(low) / kDraws, static_cast<double>(high) / kDraws);
  };
  // Five standard deviations of a share at most: 5·0.5/sqrt(20000) = 0.018.
  const double phi_1 = 0.158655;  // P[Z > 1]
  const auto [zero, one] = shares("NORM 0.5 0.5", ProfileQuantity::fraction);
  CHECK(zero == Approx(phi_1).margin(0.018));
  CHECK(one == Approx(phi_1).margin(0.018));
  CHECK(shares("EXP 1", ProfileQuantity::fraction).second == Approx(std::exp(-1)).margin(0.018));
  const auto [negative, exactly_one] = shares("NORM 0.5 0.5", ProfileQuantity::latency);
  CHECK(negative == Approx(phi_1).margin(0.018));
  CHECK(exactly_one < 2.0 / kDraws);  // only the initial value
}

TEST_CASE("Delays drawn negative are 0, so their steps are left out", "[profile]") {
  // The value 0.5 is skipped wherever the delay behind it is not positive: half the time.
  const auto steps = unroll("STOCHASTIC LOOP\nDET 1 DET 0.5\nNORM 0 1 DET 0.25\n", kDraws);
  const auto skipped = std::count_if(steps.begin(), steps.end(), [](const auto& s) { return s.second == 0.5; });
  CHECK(std::all_of(steps.begin(), steps.end(), [](const auto& s) { return s.first > 0; }));
  // In r rounds r steps of 0.25 and about r/2 of 0.5: a third. Five standard deviations are less than 0.02.
  CHECK(static_cast<double>(skipped) / kDraws == Approx(1.0 / 3).margin(0.02));
}

TEST_CASE("A state is on where the drawn value is above 0", "[profile]") {
  CHECK(unroll("0 0\n5 1\n9 0\n", 3, ProfileQuantity::state) == Steps{{5, 0}, {4, 1}, {kEver, 0}});
  const auto steps = unroll("STOCHASTIC LOOP\nDET 1 UNIF -1 3\n", kDraws, ProfileQuantity::state);
  const auto on = std::count_if(steps.begin(), steps.end(), [](const auto& s) { return s.second == 1; });
  const auto off = std::count_if(steps.begin(), steps.end(), [](const auto& s) { return s.second == 0; });
  CHECK(static_cast<std::size_t>(on + off) == kDraws);
  CHECK(static_cast<double>(on) / kDraws == Approx(0.75).margin(0.016));  // 5 sd
}

TEST_CASE("A path that never moves on ends with an error instead of hanging", "[profile]") {
  // Only a profile made by hand can be so: the parser refuses a mean below 0.
  const Profile never{true, true, {}, {}, {{{Kind::normal, -1e6, 1}, {Kind::fixed, 1, 0}}}};
  CHECK_THROWS_AS(first_steps(never, 1), InputError);
}

TEST_CASE("Every law has its long names", "[profile]") {
  const Profile p = parse(
      "STOCHASTIC\nDET 1 NORM 2 3\nNORMAL 2 3 GAUSS 2 3\nGAUSSIAN 2 3 UNIF 4 5\nUNIFORM 4 5 EXP 6\nEXPONENTIAL 6 DET "
      "1\n",
      ProfileQuantity::bandwidth);
  const ProfileLaw det{Kind::fixed, 1, 0}, norm{Kind::normal, 2, 3}, unif{Kind::uniform, 4, 5},
      exp{Kind::exponential, 6, 0};
  CHECK(p.events == std::vector<ProfileEvent>{{det, norm}, {norm, norm}, {norm, unif}, {unif, exp}, {exp, det}});
  CHECK(p.stochastic);
  CHECK_FALSE(p.loop);
}

TEST_CASE("Comments, blanks, line ends and keyword positions do not matter", "[profile]") {
  const Profile plain = parse("PERIODICITY 10\n1 0.5\n2 1\n");
  CHECK(plain.loop);
  CHECK(plain.periodicity == 10.0);
  for (const char* text :
       {"# comment\n% another\n\n  \t\n1 0.5\nPERIODICITY 10\n2 1", "1 0.5\r\n2 1\r\nPERIODICITY 10\r\n",
        "1 0.5\r2 1\rPERIODICITY 10\r", "  1\t0.5 \n2    1 # trailing\n PERIODICITY 10 % too\n",
        "\xEF\xBB\xBFPERIODICITY 1e1\n+1.0 5e-1\n2 1\n", "PERIODICITY 10\nDET 1 DET 0.5\n2 DET 1\n",
        "# caf\xC3\xA9, na\xEFve\nPERIODICITY 10\n1 0.5\n2 1\n"}) {
    CAPTURE(text);
    CHECK(parse(text) == plain);
  }
}

TEST_CASE("A file is read like its text", "[profile]") {
  const auto file =
      std::filesystem::temp_directory_path() / ("nowsim-profile-" + std::to_string(std::random_device{}()) + ".txt");
  std::ofstream(file) << "0 1\n5 0.5\nLOOPAFTER 5\n";
  CHECK(read_profile(file.string(), ProfileQuantity::fraction) == parse("0 1\n5 0.5\nLOOPAFTER 5\n"));
  std::filesystem::remove(file);
}

TEST_CASE("What is no profile is refused with its line", "[profile]") {
  check_refused({
      {"", 0, "no event"},
      {"# only\n% comments\n\n", 0, "no event"},
      {"PERIODICITY 10\n", 0, "no event"},
      {"STOCHASTIC LOOP\nLOOPAFTER 4\n", 0, "no event"},
      {"0 1\nhello\n", 2, "'hello' is neither a finite number nor DET"},
      {"0 1\n\n5\n", 3, "the value is missing"},
      {"0 1 2\n", 1, "'2' stands after the end"},
      {"0 1\n5,0 0.5\n", 2, "'5,0'"},
      {"0 1\n5 0,5\n", 2, "'0,5'"},
      {"0 1\n5 0.5x\n", 2, "'0.5x'"},
      {"0 0x1\n", 1, "'0x1'"},
      {"0 50%\n", 1, "'50%'"},
      {"+-5 1\n", 1, "'+-5'"},
      {std::string("0 1\n5 \0 1\n", 10), 2, "the byte 0 at position 3"},
      {"0 1\n\x7F"
       "ELF\x02\x01\n",
       2, "the byte 127 at position 1"},
      {"0 1\n5 " + std::string(1000000, '9') + "\n", 2, "'" + std::string(60, '9') + "...'"},
      {"0 1\n" + std::string(1000000, 'x') + " 1\n", 2, "..."},
      {std::string(59, 'x') + "\xC3\xA9\xC3\xA9 1\n", 1, "'" + std::string(59, 'x') + "...'"},
      // Numbers that are not finite.
      {"nan 1\n", 1, "'nan'"},
      {"0 NaN\n", 1, "'NaN'"},
      {"0 1\ninf 0.5\n", 2, "'inf'"},
      {"0 -infinity\n", 1, "'-infinity'"},
      {"0 1\n1e999 0.5\n", 2, "'1e999'"},
      {"STOCHASTIC\nEXP nan DET 1\n", 2, "first parameter of the date's law EXP 'nan' is not a finite number"},
      {"STOCHASTIC\nDET 1 UNIF 0 inf\n", 2, "second parameter of the value's law UNIF 'inf'"},
      {"PERIODICITY inf\n0 1\n", 1, "time of PERIODICITY 'inf'"},
      {"0 1\nLOOPAFTER nan\n", 2, "time of LOOPAFTER 'nan'"},
      // Dates that are negative or not increasing.
      {"-1 1\n", 1, "the date -1 is negative"},
      {"0 1\n5 0.5\n4 1\n", 3, "the date 4 does not come after the date before, 5"},
      {"0 1\nUNIF 1 2 0.5\n", 2, "put STOCHASTIC before"},
      {"STOCHASTIC\nDET -1 DET 1\n", 2, "a delay has to be at least 0 s"},
      {"STOCHASTIC\nUNIF -1 2 DET 1\n", 2, "the bound -1"},
      {"STOCHASTIC\nNORM -1 2 DET 1\n", 2, "the mean -1"},
      // Values that the quantity does not allow.
      {"0 -0.1\n", 1, "the number -0.1 is not allowed"},
      {"0 1\n1 1.01\n", 2, "a fraction has to be from 0 to 1"},
      {"0 1\n1 100\n", 2, "a fraction has to be from 0 to 1"},
      {"STOCHASTIC\nDET 1 UNIF 0.5 1.5\n", 2, "the bound 1.5"},
      {"STOCHASTIC\nDET 1 UNIF -0.5 0.5\n", 2, "the bound -0.5"},
      {"STOCHASTIC\nDET 1 NORM 1.5 0.1\n", 2, "the mean 1.5"},
      // Laws that do not exist.
      {"STOCHASTIC\nNORM 5 -1 DET 1\n", 2, "the standard deviation -1"},
      {"STOCHASTIC\nUNIF 5 4 DET 1\n", 2, "UNIF goes from 5 down to 4"},
      {"STOCHASTIC\nEXP 0 DET 1\n", 2, "EXP has the rate 0"},
      {"STOCHASTIC\nDET 1 EXPONENTIAL -2\n", 2, "EXPONENTIAL has the rate -2"},
      {"STOCHASTIC\nDET 1 NORM 0.5\n", 2, "second parameter of the value's law NORM is missing"},
      {"STOCHASTIC\nDET\n", 2, "first parameter of the date's law DET is missing"},
      {"STOCHASTIC\nPARETO 1 2 DET 1\n", 2, "'PARETO'"},
      {"STOCHASTIC\ndet 1 DET 1\n", 2, "'det'"},
      {"STOCHASTIC\n5 0.5\n", 2, "write DET 5 for a fixed number"},
      {"STOCHASTIC\nDET 5 0.5\n", 2, "write DET 0.5 for a fixed number"},
      // Keywords that contradict each other.
      {"PERIODICITY 4\n0 1\n5 0.5\n", 1, "PERIODICITY is 4 s, shorter than the last date, 5 s"},
      {"0 1\n5 0.5\nPERIODICITY 4\n", 3, "shorter than the last date"},
      {"0 1\nPERIODICITY 0\n", 2, "above 0 s"},
      {"0 1\nPERIODICITY -3\n", 2, "above 0 s"},
      {"0 1\n1 0\nLOOPAFTER -3\n", 3, "at least 0 s"},
      {"0 1\nPERIODICITY\n", 2, "time of PERIODICITY is missing"},
      {"PERIODICITY ten\n0 1\n", 1, "'ten'"},
      {"PERIODICITY 5 s\n0 1\n", 1, "'s' stands after the end"},
      {"STOCHASTIC\nPERIODICITY 5\nDET 1 DET 1\n", 2, "use LOOPAFTER"},
      {"LOOPAFTER 1\nPERIODICITY 5\n0 1\n", 2, "cannot stand in one profile"},
      {"PERIODICITY 5\nPERIODICITY 5\n0 1\n", 2, "second time"},
      {"LOOPAFTER 5\n0 1\nLOOPAFTER 5\n", 3, "second time"},
      {"STOCHASTIC\nSTOCHASTIC LOOP\nDET 1 DET 1\n", 2, "second time"},
      {"0 1\nSTOCHASTIC\n", 2, "before the first one"},
      {"STOCHASTIC LOPP\nDET 1 DET 1\n", 1, "'LOPP'"},
      // A loop that never takes any time, at its keyword.
      {"0 1\nLOOPAFTER 0\n", 2, "no time at all"},
      {"# x\nSTOCHASTIC LOOP\nDET 0 UNIF 0 1\n", 2, "no time at all"},
      {"STOCHASTIC LOOP\nDET 0 DET 1\nUNIF 0 0 DET 1\nNORM 0 0 DET 0\n", 1, "no time at all"},
  });
  check_refused({{"0 -1\n", 1, "a bandwidth has to be at least 0 byte/s"}}, ProfileQuantity::bandwidth);
  check_refused({{"0 -1e-9\n", 1, "a latency has to be at least 0 s"}}, ProfileQuantity::latency);
  check_refused({{"0 1\n1 0\n1 1\n", 3, "the date 1 does not come after the date before, 1"}}, ProfileQuantity::state);
  check_refused({{"0 \xE2\x88\x92" "1\n", 1, "it holds '\xE2\x88\x92' (U+2212, a typographic minus, where '-' is wanted)"}});
  check_refused({{"0 1\n1 0.5\n", 2, "a state has to be 0 (off) or 1 (on)"}, {"0 2\n", 1, "the value 2"}},
                ProfileQuantity::state);
  CHECK(parse("0 1e9\n", ProfileQuantity::bandwidth).events[0].value.a == 1e9);
  CHECK_THROWS_WITH(parse("0 1\n5 1.5\n"), "p.txt:2: the number 1.5 is not allowed; a fraction has to be from 0 to 1.");
  CHECK(parse("0 1\nPERIODICITY 1\n").loop);
  CHECK(parse("STOCHASTIC LOOP\nLOOPAFTER 1\nDET 0 DET 1\n").loop);
  CHECK(parse("STOCHASTIC LOOP\nNORM 0 1 DET 1\n").loop);
  CHECK_FALSE(parse("STOCHASTIC\nDET 0 DET 1\n").loop);  // played once: fine
}

TEST_CASE("A profile is written in SimGrid's words", "[profile]") {
  CHECK(write_profile(parse("% c\n0 1.0\n0.1 1e-12 # c\nPERIODICITY 10\n")) == "PERIODICITY 10\n0 1\n0.1 1e-12\n");
  CHECK(write_profile(parse("LOOPAFTER 2.50\n1 GAUSS 0.5 0.1\n")) == "LOOPAFTER 2.5\n1 NORM 0.5 0.1\n");
  CHECK(write_profile(parse("STOCHASTIC\nLOOPAFTER 3\nEXPONENTIAL 2 DET 0.5\n")) ==
        "STOCHASTIC LOOP\nLOOPAFTER 3\nEXP 2 DET 0.5\n");
  CHECK(write_profile(parse("STOCHASTIC\nUNIFORM 1 2 NORMAL 0.5 0.1\n")) == "STOCHASTIC\nUNIF 1 2 NORM 0.5 0.1\n");
}

TEST_CASE("What is written reads back exactly, whatever the profile", "[profile]") {
  RandomProfile random(42);
  for (int i = 0; i < 2000; ++i) {
    const Profile p = random.make();
    const std::string text = write_profile(p);
    CAPTURE(text);
    REQUIRE(parse(text, ProfileQuantity::bandwidth) == p);
  }
}

TEST_CASE("Whatever profile unrolls into positive durations and allowed values", "[profile]") {
  RandomProfile random(43);
  for (int i = 0; i < 500; ++i) {
    const Profile p = random.make();
    CAPTURE(write_profile(p));
    for (const auto& [duration, value] : first_steps(p, 20)) {
      REQUIRE(duration > 0);
      REQUIRE(value >= 0);
      REQUIRE(value <= 1);
    }
  }
}

TEST_CASE("The moments of a loop weigh each value by the time until the next event", "[profile]") {
  // 0.2 for 10 s, 0.8 for 30 s: mean 0.65, sd 0.6·sqrt(1/4·3/4).
  const double sd = 0.6 * std::sqrt(3.0) / 4;
  for (const char* text : {"0 0.2\n10 0.8\nPERIODICITY 40\n", "5 0.2\n15 0.8\nPERIODICITY 40\n",
                           "5 0.2\n15 0.8\nLOOPAFTER 25\n", "STOCHASTIC LOOP\nDET 30 DET 0.2\nEXP 0.1 DET 0.8\n",
                           "STOCHASTIC\nLOOPAFTER 10\nUNIF 10 30 DET 0.2\nNORM 10 0.5 DET 0.8\n"}) {
    CAPTURE(text);
    CHECK(moments_of(text).mean == Approx(0.65).epsilon(1e-10));
    CHECK(moments_of(text).sd == Approx(sd).epsilon(1e-10));
  }
}

TEST_CASE("A profile that does not loop has its last value's moments", "[profile]") {
  CHECK(moments_of("0 0.2\n10 0.8\n").mean == 0.8);
  CHECK(moments_of("0 0.2\n10 0.8\n").sd == 0);
  const auto drawn = moments_of("STOCHASTIC\nDET 1 DET 1\nEXP 3 UNIF 0.2 0.8\n");
  CHECK(drawn.mean == Approx(0.5));
  CHECK(drawn.sd == Approx(0.6 / std::sqrt(12.0)));
}

TEST_CASE("The moments of clamped laws agree with closed forms", "[profile]") {
  const auto once = [](const std::string& law, ProfileQuantity q = ProfileQuantity::fraction) {
    return moments_of("STOCHASTIC LOOP\nEXP 1 " + law, q);
  };
  // min(1, 1 + sZ): mean 1 - s·phi(0), variance s²(1/2 - 1/(2 pi)); 0 lies ten sd away.
  const double pi = std::acos(-1.0), s = 0.1;
  CHECK(once("NORM 1 0.1").mean == Approx(1 - s / std::sqrt(2 * pi)).epsilon(1e-11));
  CHECK(once("NORM 1 0.1").sd == Approx(s * std::sqrt(0.5 - 0.5 / pi)).epsilon(1e-10));
  // min(1, X), X of rate k: mean (1 - e^-k)/k, second moment 2(1 - e^-k(1 + k))/k².
  for (const double k : {0.01, 2.0, 1e4}) {
    const double e = std::exp(-k), m = (1 - e) / k, m2 = 2 * (1 - e * (1 + k)) / k / k;
    CAPTURE(k);
    CHECK(once("EXP " + std::to_string(k)).mean == Approx(m).epsilon(1e-10));
    CHECK(once("EXP " + std::to_string(k)).sd == Approx(std::sqrt(m2 - m * m)).epsilon(1e-8));
  }
  CHECK(once("EXP 2", ProfileQuantity::bandwidth).mean == Approx(0.5));  // nothing to clamp
  CHECK(once("EXP 2", ProfileQuantity::bandwidth).sd == Approx(0.5));
  CHECK(once("NORM 0.7 0").sd == 0);
  CHECK(once("UNIF 0.7 0.7").mean == 0.7);
}

TEST_CASE("The mean of a delay counts what is clamped to 0", "[profile]") {
  // 0.2 lasts 1 s, 0.8 lasts E[max(0, Z)] = 1/sqrt(2 pi).
  const double d = 1 / std::sqrt(2 * std::acos(-1.0));
  CHECK(moments_of("STOCHASTIC LOOP\nNORM 0 1 DET 0.2\nDET 1 DET 0.8\n").mean ==
        Approx((0.2 + 0.8 * d) / (1 + d)).epsilon(1e-10));
}

TEST_CASE("A state's moments are those of being on", "[profile]") {
  const auto on = [](const std::string& law) {
    return moments_of("STOCHASTIC LOOP\nDET 1 " + law, ProfileQuantity::state);
  };
  CHECK(on("UNIF -1 3").mean == Approx(0.75));
  CHECK(on("UNIF -1 3").sd == Approx(std::sqrt(0.1875)));
  CHECK(on("NORM 0 2").mean == Approx(0.5));
  CHECK(on("EXP 3").mean == 1);
  CHECK(on("DET 0").mean == 0);
  CHECK(on("UNIF -3 -1").mean == 0);
  CHECK(moments_of("0 1\n3 0\nPERIODICITY 4\n", ProfileQuantity::state).mean == Approx(0.75));
}

TEST_CASE("A small spread on a large mean keeps its digits", "[profile]") {
  const auto m = moments_of("STOCHASTIC LOOP\nDET 1 NORM 1e9 1e-3\n", ProfileQuantity::bandwidth);
  CHECK(m.mean == Approx(1e9).epsilon(1e-12));
  CHECK(m.sd == Approx(1e-3).epsilon(1e-3));
}

TEST_CASE("A long path has the stated moments", "[profile]") {
  for (const char* text :
       {"STOCHASTIC LOOP\nEXP 0.1 UNIF 0.2 1\n",
        "STOCHASTIC LOOP\nUNIF 0 20 NORM 0.7 0.4\nEXP 0.3 EXP 2\nNORM 2 3 DET 0.1\n",
        "STOCHASTIC\nLOOPAFTER 3\nDET 0 DET 1\nEXP 1 NORM 0.1 0.2\nNORM 5 1 UNIF 0 0.5\n",
        "1 NORM 0.5 0.3\n4 UNIF 0 1\nLOOPAFTER 2\n", "STOCHASTIC LOOP\nNORM 0 1 DET 0.2\nDET 1 DET 0.8\n"})
    check_moments_by_unrolling(text, ProfileQuantity::fraction);
  check_moments_by_unrolling("STOCHASTIC LOOP\nEXP 2 NORM 0.5 1\nUNIF 1 2 UNIF -1 2\n", ProfileQuantity::state);
  check_moments_by_unrolling("STOCHASTIC LOOP\nEXP 2 NORM 1e6 1e6\nUNIF 1 2 EXP 1e-6\n", ProfileQuantity::bandwidth);
}

TEST_CASE("A profile without chance is replayed after its round", "[profile]") {
  const auto after_s = [](const std::string& text) {
    return profile_owner(std::make_shared<const Profile>(parse(text)), "p")->replayed_after_s();
  };
  CHECK(after_s("PERIODICITY 10\n2 0.5\n5 0.25\n") == 10);
  CHECK(after_s("2 0.5\n5 0.25\nLOOPAFTER 3\n") == 8);
  CHECK(std::isinf(after_s("2 0.5\n5 0.25\n")));
  CHECK(std::isinf(after_s("PERIODICITY 10\n2 UNIF 0 1\n")));
  CHECK(std::isinf(after_s("STOCHASTIC LOOP\nDET 2 DET 0.5\n")));
}

TEST_CASE("A loop without length made by hand has no moments", "[profile]") {
  const Profile empty_round{false, true, {}, 0.0, {{{Kind::fixed, 0, 0}, {Kind::fixed, 1, 0}}}};
  CHECK_THROWS_AS(profile_moments(empty_round, ProfileQuantity::fraction, 1), InputError);
  CHECK(profile_moments(Profile{}, ProfileQuantity::fraction, 0.5).mean == 0.5);
}

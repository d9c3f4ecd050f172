// Searches for sizes on functions whose answers are known: nothing is simulated.
#include "experiments/driver/sweeps/size_search.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <limits>

using namespace nowsim;
using Catch::Contains;

namespace {

SizeTask task(double target, double from, double to, bool whole = true) {
  SizeTask task;
  task.key = "job.size";
  task.metric = find_metric("tau");
  task.target = target;
  task.from = from;
  task.to = to;
  task.whole = whole;
  return task;
}

struct Searched {
  SizeAnswer answer;
  std::size_t trials = 0;
  std::size_t rounds = 0;
};

/// `value` gives NaN where there is no such size; all intervals are ± `half_width`.
Searched searched(const SizeTask& task, const std::function<double(double)>& value, double half_width = 0,
                  double period = 0) {
  const auto search = search_for(task);
  Searched out;
  for (auto sizes = search->wanted(); !sizes.empty(); sizes = search->wanted()) {
    std::vector<SizeTrial> trials;
    for (const double size : sizes) {
      const double v = value(size);
      trials.push_back({size, {v, v - half_width, v + half_width}, std::isnan(v) ? "too odd" : "", false, period});
    }
    out.trials += sizes.size();
    ++out.rounds;
    search->learn(trials);
  }
  out.answer = search->answer();
  return out;
}

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// The efficiency of whole rows on so many equal machines: it falls where each gets one more.
std::function<double(double)> dealt_to(double machines) {
  return [machines](double n) { return n / (machines * std::ceil(n / machines) + 400); };
}

/// By trying all: the first size that has passed the target, and the first and last near it that are within the tolerance.
struct Band {
  double first = 0, low = 0, high = 0;
};
Band tried_all(const SizeTask& task, const std::function<double(double)>& value) {
  Band band{task.from};
  while (value(band.first) <= task.target) ++band.first;
  band.low = band.first - 1;
  band.high = band.first;
  for (double n = std::max(task.from, band.first - 40); n <= band.first + 40; ++n)
    if (std::abs(value(n) - task.target) <= task.tolerance * task.target) {
      band.low = std::min(band.low, n);
      band.high = std::max(band.high, n);
    }
  return band;
}

}  // namespace

TEST_CASE("A size is found at which a rising metric is within the tolerance of the target", "[reads][solve]") {
  const auto found = searched(task(0.3, 10, 1e7), [](double n) { return n / (n + 4321); });
  CHECK(std::abs(found.answer.size.value / (found.answer.size.value + 4321) - 0.3) <= 0.003);
  CHECK(found.answer.size.value == std::round(found.answer.size.value));
  CHECK(found.trials <= 15);
  // The tolerance is in the interval: the exact answer is 0.3/0.7·4321.
  CHECK(found.answer.size.low <= 1851);
  CHECK(found.answer.size.high >= 1852);
}

TEST_CASE("Where whole numbers step over the target it is the first beyond, its interval both neighbours", "[solve]") {
  SizeTask wanted = task(0.3, 10, 1e7);
  wanted.tolerance = 1e-9;
  for (const double rounding : {0.0, 3e-16}) {  // of engines, which is no interval
    const auto found = searched(wanted, [](double n) { return n / (n + 4321); }, rounding);
    CHECK(found.answer.size.value == 1852);
    CHECK(found.answer.size.low == 1851);
    CHECK(found.answer.size.high == 1852);
  }
}

TEST_CASE("A falling metric is followed down to the target", "[solve]") {
  SizeTask wanted = task(50, 1, 1000);
  wanted.tolerance = 1e-9;
  CHECK(searched(wanted, [](double n) { return 400 / n; }).answer.size.value == 8);
  wanted.target = 51;
  CHECK(searched(wanted, [](double n) { return 400 / n; }).answer.size.value == 8);
  wanted.whole = false;
  CHECK(searched(wanted, [](double n) { return 400 / n; }).answer.size.value == Approx(400 / 51.0).epsilon(1e-8));
}

TEST_CASE("Of several crossings it is the first", "[solve]") {
  SizeTask wanted = task(0.5, 1, 1e6);
  wanted.tolerance = 1e-3;
  const auto hump = [](double n) { return 2 * n * 1000 / (n * n + 1000 * 1000); };  // 1 at 1000, and falls again
  CHECK(searched(wanted, hump).answer.size.value == Approx(268).margin(1));
}

TEST_CASE("A peak or a dip between sizes that were tried is found, and the crossing before it", "[solve]") {
  const auto hump = [](double n) { return std::exp(-std::pow(std::log(n / 1000), 2)); };  // 1 at 1000
  const double crossing = 1000 * std::exp(-std::sqrt(-std::log(0.97)));
  for (const double from : {8.0, 12.0, 20.0, 33.0, 500.0, 700.0}) {
    SizeTask wanted = task(0.97, from, 1e7);
    wanted.tolerance = 1e-3;
    INFO(from);
    const auto found = searched(wanted, hump);
    CHECK(found.answer.size.value == Approx(crossing).epsilon(0.004));
    CHECK(found.trials <= 40);
    if (from > 100) continue;  // what rises from above the target has passed it already
    wanted.target = 1 - 0.97;
    wanted.tolerance = 0.01;
    CHECK(searched(wanted, [&](double n) { return 1 - hump(n); }).answer.size.value == Approx(crossing).epsilon(0.004));
  }
  // The slope is that before the peak, though the trial after it may be lower.
  SizeTask steep = task(0.97, 20, 1e7);
  steep.tolerance = 0.02;
  const auto size = searched(steep, hump).answer.size;
  CHECK(size.low <= 1.1 * crossing);
  CHECK(size.low <= size.value);
  // Beside an end of the range, and of the sizes that exist.
  CHECK(searched(task(0.999, 900, 1e7), hump).answer.none.empty());
  CHECK(searched(task(0.99, 20, 1200), hump).answer.none.empty());
  CHECK(searched(task(0.99, 20, 1e6), [&](double n) { return n > 1020 ? kNone : hump(n); }).answer.none.empty());
}

TEST_CASE("A peak that stays short of the target is said to be the most", "[solve]") {
  const auto hump = [](double n) { return 0.9 * std::exp(-std::pow(std::log(n / 1000), 2)); };
  const auto found = searched(task(0.97, 8, 1e7), hump);
  CHECK_THAT(found.answer.none, Contains("at most 0.9 s") || Contains("at most 0.8999"));
  CHECK(found.trials <= 30);
  const auto edge = searched(task(0.97, 2000, 1e7), hump);  // it falls from the first on
  CHECK_THAT(edge.answer.none, Contains("(at 2000)"));
  CHECK(edge.trials <= 9);
}

TEST_CASE("Where only a rise counts, a fall through the target is passed, however many sizes lie above it", "[solve]") {
  SizeTask wanted = task(27, 1, 1e6);
  wanted.rising = true;
  const auto found = searched(wanted, [](double n) { return 100 / n + n; });  // 101, 29, 22.25, 65.6
  CHECK(found.answer.size.value == 23);

  SECTION("what only falls has no such size") {
    const auto none = searched(wanted, [](double n) { return 1000 / n; });
    CHECK_THAT(none.answer.none, Contains("no job.size from 1 to 1e+06 has tau = 27 s"));
  }
  SECTION("nor has what falls and stays above") {
    const auto none = searched(wanted, [](double n) { return 30 + 100 / n; });
    CHECK_THAT(none.answer.none, Contains("tau does not rise through 27 s: it falls from 130 s at job.size = 1"));
  }
  SECTION("a fall that intervals do not show is none") {
    const auto noisy = searched(wanted, [](double n) { return n < 2 ? 27.05 : 26.9; }, 0.2);
    CHECK(noisy.answer.size.value == 1);
  }
}

TEST_CASE("Where only a rise counts, what is level before it falls has not begun to rise", "[solve]") {
  // The efficiency of a job that is one rank's up to 32, which is the target but for rounding, and then splits.
  const auto efficiency = [](double n) { return n <= 32 ? (n == 4 ? std::nextafter(0.5, 1) : 0.5) : n / (n + 3200); };
  SizeTask wanted = task(0.5, 1, 1e6);
  wanted.rising = true;
  const auto found = searched(wanted, efficiency);
  CHECK(found.answer.size.value == Approx(3200).epsilon(0.05));

  SECTION("also where it is level above the target") {
    wanted.target = 0.4;
    CHECK(searched(wanted, efficiency).answer.size.value == Approx(0.4 / 0.6 * 3200).epsilon(0.05));
  }
  SECTION("where it never rises so far, the best of what rises is told") {
    wanted.target = 0.9;
    wanted.to = 3200;
    CHECK_THAT(searched(wanted, efficiency).answer.none, Contains("(at 3200)"));
  }
  SECTION("what is level for ever has the target from the first size on") {
    const auto level = searched(wanted, [](double) { return 0.5; });
    CHECK(level.answer.size.value == 1);
  }
}

TEST_CASE("A metric that is level before it falls is followed on", "[solve]") {
  SizeTask wanted = task(5, 1, 200);
  const auto level = [](double n) { return n < 30 ? 100 : 100 * 30 / n; };
  const auto falls_late = searched(wanted, [&](double n) { return n < 40 ? 100.0 : 3.0; });
  CHECK(falls_late.answer.size.value == 40);
  wanted.target = 20;
  CHECK(searched(wanted, level).answer.size.value == Approx(150).epsilon(0.011));
  // The second trial is a bit above the first, which says nothing.
  const auto noisy = [&](double n) { return n == 4 ? 101 : level(n); };
  CHECK(searched(wanted, noisy, 2).answer.size.value == Approx(150).epsilon(0.011));
  CHECK_THAT(searched(wanted, [](double n) { return 100 + n; }, 2).answer.none, Contains("already 101 s"));
  CHECK(searched(wanted, [](double) { return 100.0; }).answer.none ==
        "no job.size from 1 to 200 has tau = 20 s: at least 100 s (at 1), where it begins; a smaller solve.from may be "
        "needed");
  // Where larger sizes end, the crossing may be before.
  CHECK(searched(wanted, [&](double n) { return n > 180 ? kNone : level(n); }).answer.size.value ==
        Approx(150).epsilon(0.011));
}

TEST_CASE("Intervals stay in the range that was asked for", "[solve]") {
  const auto level = [](double n) { return 99.5 + 0.1 * std::log(n); };
  const auto size = searched(task(100, 10, 1000), level, 30).answer.size;
  CHECK(size.low == 10);
  CHECK(size.high == 1000);
}

TEST_CASE("A bracket that trials do not narrow is no answer", "[solve]") {
  SizeTask wanted = task(1, 1e-300, 1e300, false);
  wanted.tolerance = 1e-9;
  const double peak = 570;  // between two sizes that are 58 apart in logarithms
  const auto hidden = [&](double n) {
    const double away = std::abs(std::log(n) - peak);
    return away < 0.02 ? 2.0 : 0.9 - away / 2000;
  };
  const auto found = searched(wanted, hidden);
  CHECK(found.trials <= kMostTrials);
  CHECK_THAT(found.answer.none,
             Contains("60 trials have not found where tau passes 1 s: somewhere from job.size = 3") &&
                 Contains("a narrower range from solve.from to solve.to is needed"));
}

TEST_CASE("Whole numbers too large to be told apart end a search", "[solve]") {
  SizeTask wanted = task(1, 1e17, 1e19);
  wanted.tolerance = 1e-12;
  const auto found = searched(wanted, [](double n) { return n < 3e18 ? 0.5 : 2.0; });
  CHECK(found.answer.size.value == Approx(3e18));
  CHECK(found.trials <= kMostTrials);
}

TEST_CASE("Sizes next to those that would take too long are not followed up closely", "[solve]") {
  const auto search = search_for(task(1, 10, 1e9));
  std::size_t trials = 0;
  for (auto sizes = search->wanted(); !sizes.empty(); sizes = search->wanted(), ++trials) {
    const double n = sizes.front();
    const double v = n / (n + 1e6);
    search->learn({{n, {v, v, v}, n > 50000 ? "too long" : "", n > 50000}});
  }
  CHECK(trials <= 8 + 1 + 1);
  CHECK_THAT(search->answer().none, Contains("at most 0.0") && Contains("cannot be realised: too long"));
}

TEST_CASE("Steps and roughness end a search in time, at a size that has passed", "[solve]") {
  for (const double at : {11.0, 4097.0, 1234567.0, 9999999.0}) {
    const auto found = searched(task(1, 10, 1e7), [at](double n) { return n < at ? 0.9 : 1.5; });
    CHECK(found.answer.size.value == at);
    CHECK(found.trials <= kMostTrials);
  }
  const auto rough = [](double n) { return std::log(n) + 0.3 * std::sin(n); };
  SizeTask wanted = task(7, 10, 1e7);
  wanted.tolerance = 1e-6;
  const auto found = searched(wanted, rough);
  CHECK(found.trials <= kMostTrials);
  CHECK(rough(found.answer.size.value) >= 7 * (1 - 1e-6));
  const auto wide = searched(task(1, 1, 1e300, false), [](double n) { return n < 1e200 ? 0.5 : 2.0; });
  CHECK(wide.trials <= kMostTrials);
  CHECK(wide.answer.none.empty());
}

TEST_CASE("Where whole parts make a metric rise and fall it is the first crossing, and the band around it", "[solve]") {
  for (const double machines : {2.0, 8.0, 13.0, 16.0})
    for (const double tolerance : {1e-6, 1e-3, 3e-3})
      for (double target = 0.3; target < 0.75; target += 0.0123) {
        SizeTask wanted = task(target, 1, 1e6);
        wanted.tolerance = tolerance;
        const auto value = dealt_to(machines);
        const auto found = searched(wanted, value, 0, machines);
        const Band band = tried_all(wanted, value);
        INFO(machines << " machines, " << target << " within " << tolerance);
        REQUIRE(found.trials <= kMostTrials);
        if (found.answer.remark.empty()) {  // it is monotone before the first crossing
          CHECK(found.answer.size.value <= band.high);
          continue;
        }
        const bool is_close = std::abs(value(found.answer.size.value) - target) <= tolerance * target;
        if (found.trials == kMostTrials) {
          CHECK_THAT(found.answer.detail, Contains("as far as 60 trials tell"));
          CHECK(found.answer.size.high <= band.high);
          continue;
        }
        CHECK((found.answer.size.value == band.first || is_close));
        CHECK(found.answer.size.low == band.low);
        CHECK(found.answer.size.high == band.high);
      }
}

TEST_CASE("The first of several crossings is told, and how far it is from monotone", "[solve]") {
  SizeTask wanted = task(0.5, 1, 1e6);
  wanted.tolerance = 1e-4;
  const auto found = searched(wanted, dealt_to(13), 0, 13);  // 402/803 and 403/803, 404/816 to 408/816, 409/816
  CHECK(found.answer.size.value == 408);
  CHECK(found.answer.size.low == 401);
  CHECK(found.answer.size.high == 408);
  CHECK(found.answer.remark == "tau is not monotone in job.size");
  CHECK_THAT(found.answer.detail, Contains("first at 402, last at ") && Contains("within 0.01 % of it at 408"));
}

TEST_CASE("A look around a crossing changes nothing where the metric is monotone, or known by chance only", "[solve]") {
  const auto is_same = [](const SizeAnswer& a, const SizeAnswer& b) {
    return a.size.value == b.size.value && a.size.low == b.size.low && a.size.high == b.size.high &&
           a.remark.empty() && b.remark.empty();
  };
  SizeTask wanted = task(0.3, 10, 1e7);
  for (const double tolerance : {1e-9, 1e-2}) {
    wanted.tolerance = tolerance;
    const auto rising = [](double n) { return n / (n + 4321); };
    const auto plain = searched(wanted, rising), looked = searched(wanted, rising, 0, 512);
    CHECK(is_same(plain.answer, looked.answer));
    CHECK(looked.trials <= plain.trials + 17);
    CHECK(is_same(searched(wanted, dealt_to(13), 0.01).answer, searched(wanted, dealt_to(13), 0.01, 13).answer));
  }
}

TEST_CASE("Of a long period some sizes are looked at, and the crossing told is one", "[solve]") {
  for (double target = 0.5; target < 0.65; target += 0.0077) {
    SizeTask wanted = task(target, 1, 1e6);
    wanted.tolerance = 1e-6;
    const auto value = dealt_to(200);
    const auto plain = searched(wanted, value).answer.size, first = searched(wanted, value, 0, 200).answer.size;
    INFO(target);
    CHECK(first.value <= plain.value);
    CHECK((value(first.value) > target || std::abs(value(first.value) - target) <= 1e-6 * target));
    CHECK(first.value <= tried_all(wanted, value).first + 13);
  }
}

TEST_CASE("Where only a rise counts, the look back ends where the metric has fallen to", "[solve]") {
  SizeTask wanted = task(0.5, 1, 1e6);
  wanted.rising = true;
  wanted.tolerance = 1e-6;
  const auto value = [](double n) { return n < 60 ? 1 - n / 100 : dealt_to(13)(n); };
  CHECK(searched(wanted, value, 0, 200).answer.size.value == 402);
}

TEST_CASE("What keeps a size from being found is said", "[solve]") {
  const auto saturating = [](double n) { return 100 * n / (n + 1000); };
  CHECK(searched(task(120, 10, 1e7), saturating).answer.none ==
        "no job.size from 10 to 1e+07 has tau = 120 s: at most 99.99 s (at 1e+07)");
  CHECK(searched(task(30, 1000, 1e7), saturating).answer.none ==
        "tau is already 50 s at job.size = 1000, not 30 s: a smaller solve.from is needed");
  CHECK_THAT(searched(task(0.1, 10, 1000), [](double n) { return 400 / n; }).answer.none,
             Contains("has tau = 0.1 s: at least 0.4 s (at 1000)"));
  CHECK(searched(task(1, 10, 1e7), [](double) { return kNone; }).answer.none ==
        "no job.size from 10 to 1e+07 can be realised: too odd");
  const auto ends = searched(task(90, 10, 1e7), [&](double n) { return n > 5000 ? kNone : saturating(n); });
  CHECK(ends.answer.none ==
        "no job.size from 10 to 1e+07 has tau = 90 s: at most 83.3333 s (at 5000); 5001 cannot be realised: too odd");
  CHECK_THAT(searched(task(1, 10, 1e7), [&](double n) { return n < 77 ? kNone : saturating(n); }).answer.none,
             Contains("already 7.14949 s at job.size = 77, not 1 s; 76 cannot be realised: too odd"));
}

TEST_CASE("Sizes that do not exist are passed over", "[solve]") {
  SizeTask wanted = task(50, 10, 1e7);
  const auto value = [](double n) { return n < 300 || n > 2000 ? kNone : 100 * n / (n + 1000); };
  CHECK(searched(wanted, value).answer.size.value == Approx(1000).epsilon(0.03));
}

TEST_CASE("A size's interval is that of the metric, along the slope over the logarithm of the size", "[solve]") {
  SizeTask wanted = task(100, 1, 1e6, false);
  wanted.tolerance = 1e-9;
  const Estimate size = searched(
                            wanted, [](double n) { return 20 * std::log(n); }, 2)
                            .answer.size;
  CHECK(size.value == Approx(std::exp(5)));
  CHECK(size.low == Approx(std::exp(5 - 0.1)));
  CHECK(size.high == Approx(std::exp(5 + 0.1)));
  const Estimate falling = searched(
                               wanted, [](double n) { return 200 - 20 * std::log(n); }, 2)
                               .answer.size;
  CHECK(falling.low == Approx(std::exp(5 - 0.1)));
  const Estimate at_once = searched(
                               task(100, 100, 1e6, false), [](double n) { return n; }, 10)
                               .answer.size;
  CHECK(at_once.value == 100);
  CHECK(at_once.low == 100);  // where the range begins
  CHECK(at_once.high > 102);
  CHECK(std::isnan(searched(
                       wanted, [](double n) { return 20 * std::log(n); }, kNone)
                       .answer.size.low));
}

TEST_CASE("The best of a range is the first of equals, and its interval all that cannot be told from it", "[solve]") {
  SizeTask wanted = task(0, 3, 20);
  wanted.goal = SizeTask::Goal::largest;
  const auto hill = [](double n) { return 100 - (n - 11) * (n - 11); };
  const auto sharp = searched(wanted, hill), blurred = searched(wanted, hill, 2);
  CHECK(sharp.answer.size.value == 11);
  CHECK(sharp.answer.size.low == 11);
  CHECK(sharp.answer.size.high == 11);
  CHECK(sharp.rounds == 1);
  CHECK(sharp.trials == 18);
  CHECK(blurred.answer.size.low == 9);
  CHECK(blurred.answer.size.high == 13);
  CHECK(searched(wanted, [](double n) { return n < 7 ? kNone : 5.0; }).answer.size.value == 7);
  CHECK_THAT(searched(wanted, [](double) { return kNone; }).answer.none,
             Contains("from 3 to 20 can be realised: too odd"));
  wanted.goal = SizeTask::Goal::smallest;
  CHECK(searched(wanted, hill).answer.size.value == 20);
}

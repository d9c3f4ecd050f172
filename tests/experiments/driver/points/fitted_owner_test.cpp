// Tests of what becomes of a fit: an owner block that nowsim reads back, profiles with the fit's moments and memory.
#include "experiments/driver/points/fitted_owner.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <sstream>

#include "experiments/driver/studies/trace_fit_output.hpp"
#include "sim/base/error.hpp"
#include "sim/owners/owner.hpp"
#include "sim/platform/read_platform.hpp"
#include "sim/statistics/statistics.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

FittedHost host(const std::string& name, double mean, double th, double interval_s, std::string_view length = "uniform",
                std::string_view value = "beta") {
  FittedHost h{name, name + ".csv", {}, {}};
  h.fit.mean = {mean, mean, mean};
  h.fit.th = {th, th, th};
  const double per_mean = length == "uniform" ? 4.0 / 3 : length == "exponential" ? 2 : 1;
  h.fit.memory_s = {interval_s * per_mean, 0, 0};
  h.fit.lengths = {{length, interval_s, 0}};
  h.fit.interval_s = {interval_s, interval_s, interval_s};
  h.fit.values = {{value, 0.01}};
  h.fit.value = 0;
  return h;
}

/// Mean and variance per second of the work that a profile lets a machine do, over stretches much longer than a round.
struct Work {
  double mean, variance;
};
Work work_of(const Profile& profile, double stretch_s) {
  Moments work;
  const auto path = profile_path(std::make_shared<const Profile>(profile), ProfileQuantity::fraction, 1, 0,
                                 {1, 0, 0, Purpose::owner});
  auto step = path->next();
  for (int i = 0; i < 2000; ++i) {
    double sum = 0, left = stretch_s;
    for (; step.duration_s < left; step = path->next()) {
      sum += step.duration_s * step.value;
      left -= step.duration_s;
    }
    sum += left * step.value;
    step.duration_s -= left;
    work.add(sum);
  }
  return {work.mean() / stretch_s, work.variance() / stretch_s};
}

}  // namespace

TEST_CASE("A profile has the fit's mean, and its variance of work, whatever its laws", "[reads][trace][fit]") {
  for (const FittedHost& h :
       {host("u", 0.5, 0.4, 30), host("e", 0.6, 0.3, 30, "exponential"), host("c", 0.5, 0.4, 30, "constant"),
        host("switch", 0.9, 0.3, 30), host("rare", 0.95, 0.2, 60, "exponential")}) {
    INFO(h.name);
    const FittedProfile fitted = fitted_profile(h.fit);
    const OwnerMoments moments = profile_moments(fitted.profile, ProfileQuantity::fraction, 1);
    CHECK(moments.mean == Approx(h.fit.mean.value));
    CHECK(moments.sd / moments.mean == Approx(h.fit.th.value));
    const Work work = work_of(fitted.profile, 3000);
    const double sd = h.fit.mean.value * h.fit.th.value;
    CHECK(work.mean == Approx(h.fit.mean.value).epsilon(0.02));
    CHECK(work.variance == Approx(sd * sd * h.fit.memory_s.value).epsilon(0.12));
    CHECK(parse_profile(write_profile(fitted.profile), "p", ProfileQuantity::fraction) == fitted.profile);
  }
}

TEST_CASE("A profile never falls to exactly 0, which SimGrid gets wrong", "[trace][fit]") {
  const Profile on_off = fitted_profile(host("a", 0.75, std::sqrt(1 / 3.0), 10).fit).profile;  // all or nothing
  REQUIRE(on_off.events.size() == 2);
  CHECK(on_off.events[0].value.a == Approx(0).margin(1e-9));
  CHECK(on_off.events[0].value.a >= kLeastAvailability);
}

TEST_CASE("A platform of fitted owners is read by SimGrid and by nowsim", "[trace][fit]") {
  const Folder folder;
  const std::vector<FittedHost> hosts{host("one", 0.5, 0.2, 10), host("53e38", 0.9, 0.3, 60, "exponential")};
  for (const auto& [name, text] : fitted_platform(hosts, folder.path() + "/now.xml", 2e9)) folder.file(name, text);
  const Platform platform = load_platform(folder.path() + "/now.xml");
  REQUIRE(platform.workstations.size() == 2);
  CHECK(platform.workstations[1].name == "53e38");
  CHECK(platform.workstations[1].speed_flops == 2e9);
  REQUIRE(platform.workstations[0].extras->speed_profile);
  CHECK(*platform.workstations[0].extras->speed_profile == fitted_profile(hosts[0].fit).profile);
  CHECK(platform.workstations[0].extras->properties.at("owner") ==
        "{model: intervals, value: beta, mean: 0.5, TH: 0.2, interval: 10s, length: uniform}");
}

TEST_CASE("An owner block is short for one machine and goes by name for several", "[trace][fit]") {
  const std::string one = owner_block({host("a", 0.5, 0.25, 10)});
  CHECK(one.substr(one.find('\n') + 1) ==
        "owner:\n  model: intervals\n  value: beta\n  mean: 0.5\n  TH: 0.25\n  interval: 10s\n  length: uniform\n");
  FittedHost far = host("b.c", 0.75, 0.577, 10);
  far.fit.own_values = {0, 0.9999999, 1};
  const std::string two = owner_block({host("53e38", 0.5, 0.25, 10), far});
  CHECK(two.substr(two.find('\n') + 1) ==
        "owner:\n  hosts:\n    \"53e38\": {model: intervals, value: beta, mean: 0.5, TH: 0.25, interval: 10s, length: "
        "uniform}\n"
        "    # no law is near the values: these are the trace's own, equally likely\n"
        "    \"b.c\": {model: intervals, value: histogram, values: [0, 1, 1], interval: 10s, length: uniform}\n");
}

TEST_CASE("An owner block says how sure the fit is", "[trace][fit][measured]") {
  FittedHost measured = host("a", 0.5, 0.25, 10);
  measured.fit.errors = {10.54, 0.01824, 0.1437, 0.5348};
  CHECK(owner_line(measured) ==
        "{model: intervals, value: beta, mean: 0.5, TH: 0.25, interval: 10s, length: uniform, worth: 10.5, "
        "mean_se: 0.0182, TH_se: 0.144, interval_se: 0.535}");
}

TEST_CASE("Numbers that a law holds only just are written in full", "[trace][fit]") {
  const double th = 1 / 3.0 + 0.0000004;  // two-point at a = 0.75 holds 1/3, a third in six digits is less
  const FittedHost h = host("a", 0.75, 1 / 3.0, 10, "uniform", "two-point");
  CHECK(owner_block({h}).find("TH: 0.333333\n") != std::string::npos);
  CHECK_THROWS_AS(make_value_law("two-point", 0.75, th), InfeasibleError);
  const FittedHost close = host("a", 0.6, 2 / 3.0, 10, "uniform", "two-point");  // 0.666667 is too much
  CHECK(owner_block({close}).find("TH: 0.6666666666666666\n") != std::string::npos);
}

TEST_CASE("Below the table stands what its numbers do not say", "[trace][fit]") {
  const auto said = [](const std::vector<double>& pattern, std::size_t times, double step_s) {
    FittedHost h = host("a", 0.5, 0.5, 10);
    for (std::size_t i = 0; i < pattern.size() * times; ++i) {
      h.trace.availability.push_back(pattern[i % pattern.size()]);
      h.trace.duration_s.push_back(step_s);
      h.trace.start_s.push_back(h.trace.total_s);
      h.trace.total_s += step_s;
    }
    h.fit = fit_load(h.trace, "a.csv", {});
    std::ostringstream out;
    write_answer(trace_fit_answer({h}, HabitsAnswer{std::nullopt, "of a test"}, 0.95), Format::table, out);
    const std::string text = out.str();
    return text.substr(std::min(text.size(), text.find("\na: ") + 1));
  };
  CHECK(said({1, 1, 1, 0}, 50, 10)
            .find("a: no law holds TH = 0.57735 at mean 0.75: the owner block has the trace's own values\n") !=
        std::string::npos);
  std::vector<double> day(24, 0.9);
  std::fill(day.begin() + 8, day.begin() + 18, 0.5);
  const std::string daily = said(day, 20, 3600);
  CHECK(
      daily.find("a: the hour of the day explains 100 % of the variance (parts of other periods, 17 to 32 h: up to ") !=
      std::string::npos);
  CHECK(daily.find(": a day pattern; the owner model's key 'diurnal' describes one\n") != std::string::npos);
  CHECK(said({0.2, 0.8}, 200, 10).find("a: the interval is hardly longer than the step: sample more often\n") !=
        std::string::npos);
}

TEST_CASE("A picture's script draws a row per trace, of at most eight, and says what is left out", "[trace][fit]") {
  std::vector<FittedHost> hosts;
  for (int i = 0; i < 10; ++i) {
    FittedHost h = host("it's " + std::to_string(i), 0.5, 0.4, 10, "uniform", "two-point");
    for (int k = 0; k < 100; ++k) {
      h.trace.availability.push_back(k / 3 % 2 == 0 ? 0.3 : 0.7);
      h.trace.duration_s.push_back(10);
      h.trace.start_s.push_back(h.trace.total_s);
      h.trace.total_s += 10;
    }
    h.fit = fit_load(h.trace, "a.csv", {});
    hosts.push_back(h);
  }
  const std::string script = trace_fit_script(hosts, PictureFormat::png);
  CHECK(script.find("$curve24_1 << ") != std::string::npos);
  CHECK(script.find("$curve25_1 << ") == std::string::npos);
  CHECK(script.find("not drawn: the other 2 traces") != std::string::npos);
  CHECK(script.find("'it'.\"\\047\".'s 0: a = ") != std::string::npos);
}

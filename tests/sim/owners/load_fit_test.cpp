// Fits find what a known model gives, their intervals cover, misfits are said; measured owners, whom engines follow.
#include "sim/owners/load_fit.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "sim/base/error.hpp"
#include "sim/engines/engine.hpp"
#include "sim/owners/diurnal.hpp"
#include "sim/owners/measured_owner.hpp"
#include "sim/owners/owner_models.hpp"
#include "sim/program/scenario.hpp"
#include "sim/program/variance_reduction.hpp"
#include "sim/statistics/statistics.hpp"
#include "sim/statistics/user_laws.hpp"
#include "tests/sim/owners/monitored_trace.hpp"
#include "tests/sim/scenario_fixture.hpp"
#include "tests/thrown.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

OwnerPtr owner(const std::string& value, double mean, double th, const std::string& length, double interval_s) {
  return intervals_owner(make_value_law(value, mean, th), make_length_law(length, interval_s, 3), "known");
}

LoadSeries trace_of(const std::vector<double>& values, double step_s = 10) {
  LoadSeries trace;
  for (const double x : values) trace.add(step_s, x);
  return trace;
}

std::vector<double> repeated(std::vector<double> pattern, std::size_t times) {
  std::vector<double> out;
  for (std::size_t i = 0; i < times; ++i) out.insert(out.end(), pattern.begin(), pattern.end());
  return out;
}

constexpr FittedParameters kAt{0.6, 0.3, 10};

OwnerPtr uniform_owner(const FittedParameters& p) {
  return intervals_owner(make_value_law("uniform", p.mean, std::min(p.th, 0.99 * (1 - p.mean) / p.mean / std::sqrt(3.0))),
                         make_length_law("uniform", p.interval_s, 3), "uniform");
}

OwnerPtr measured(const std::string& identity, const FitErrors& errors = {30, 0.02, 0.1, 0.3}) {
  return measured_owner(uniform_owner(kAt), kAt, errors, uniform_owner, identity);
}

}  // namespace

TEST_CASE("The mean, TH, interval and laws of a known owner are found again in its trace", "[reads][trace][fit]") {
  struct Known {
    const char* value;
    double mean, th;
    const char* length;
  };
  const Known known[] = {{"uniform", 0.5, 0.28, "uniform"},         {"uniform", 0.5, 0.5, "exponential"},
                         {"truncated-normal", 0.6, 0.2, "uniform"}, {"beta", 0.8, 0.3, "uniform"},
                         {"two-point", 0.5, 0.6, "constant"},       {"two-point", 0.4, 0.9, "exponential"}};
  for (const auto& k : known) {
    INFO(k.value << " " << k.mean << " " << k.th << " " << k.length);
    const auto model = owner(k.value, k.mean, k.th, k.length, 100);
    const LoadFit fit = fit_load(monitored(*model, 30000, 5, 0), "t.csv", {});
    CHECK(fit.mean.value == Approx(k.mean).epsilon(0.03));
    CHECK(fit.th.value == Approx(k.th).epsilon(0.06));
    CHECK(fit.length_fit().name == k.length);
    CHECK(fit.interval_s.value == Approx(100).epsilon(0.2));
    CHECK(fit.value_name() == k.value);
    CHECK(fit.is_resolved);
    CHECK(fit.gaps.count == 0);
  }
}

TEST_CASE("Intervals of the mean and of TH cover the truth about as often as they say", "[trace][fit]") {
  const auto model = owner("uniform", 0.5, 0.4, "uniform", 40);
  int mean = 0, th = 0, memory = 0;
  constexpr int kTraces = 300;
  for (int r = 0; r < kTraces; ++r) {
    const LoadFit fit = fit_load(monitored(*model, 1500, 4, static_cast<std::uint64_t>(r)), "t.csv", {"uniform", 0.95});
    mean += fit.mean.low <= 0.5 && 0.5 <= fit.mean.high ? 1 : 0;
    th += fit.th.low <= 0.4 && 0.4 <= fit.th.high ? 1 : 0;
    const double truth = 40 * 4.0 / 3;
    memory += fit.memory_s.low <= truth && truth <= fit.memory_s.high ? 1 : 0;
  }
  // 95 % give or take 1.3 %, and what correlation costs; TH of averages is 1.6 % less than that of instants.
  INFO(mean << " " << th << " " << memory);
  CHECK(mean >= 0.90 * kTraces);
  CHECK(mean <= 0.99 * kTraces);
  CHECK(th >= 0.88 * kTraces);
  CHECK(memory >= 0.90 * kTraces);
}

TEST_CASE("Averaging over longer steps changes E L squared over E L little", "[trace][fit]") {
  const auto model = owner("uniform", 0.5, 0.4, "uniform", 100);
  for (const double step_s : {1.0, 10.0, 50.0}) {
    INFO(step_s);
    const LoadFit fit =
        fit_load(monitored(*model, static_cast<std::size_t>(200'000 / step_s), step_s, 3), "t", {"uniform", 0.95});
    // What counts for Var T_i: sd² times memory.
    const double sd = fit.mean.value * fit.th.value;
    CHECK(sd * sd * fit.memory_s.value == Approx(0.04 * 400.0 / 3).epsilon(0.25));
  }
}

TEST_CASE("A fitted model's variance of work done is that of the trace", "[trace][fit]") {
  // An alternating owner, which is none of the model's laws: 30 s free, 10 s at a fifth, each exponential.
  LoadSeries trace = trace_of({});
  const auto lengths = exponential(1);
  Stream stream({1, 0, 0, Purpose::owner});
  for (int i = 0; i < 20000; ++i)
    trace.add(std::ceil(lengths->quantile(stream.uniform()) * (i % 2 == 0 ? 30 : 10)) + 1, i % 2 == 0 ? 1 : 0.2);
  std::vector<double> seconds;
  for (std::size_t i = 0; i < trace.duration_s.size(); ++i)
    seconds.insert(seconds.end(), static_cast<std::size_t>(trace.duration_s[i]), trace.availability[i]);
  const LoadFit fit = fit_load(trace_of(seconds, 1), "t", {});
  constexpr std::size_t kBlock = 2000;
  Moments work;
  for (std::size_t b = 0; b + kBlock <= seconds.size(); b += kBlock) {
    double sum = 0;
    for (std::size_t i = b; i < b + kBlock; ++i) sum += seconds[i];
    work.add(sum);
  }
  const double sd = fit.mean.value * fit.th.value;
  CHECK(sd * sd * fit.memory_s.value * kBlock == Approx(work.variance()).epsilon(0.2));
}

TEST_CASE("A series without spread is the law constant with TH 0, whatever rounding makes of its mean",
          "[trace][fit]") {
  for (const auto& [value, times] : {std::pair(0.7, 50), std::pair(0.3, 700)}) {
    const LoadFit fit = fit_load(trace_of(repeated({value}, static_cast<std::size_t>(times))), "t", {});
    CHECK(fit.is_near());
    CHECK(fit.value_name() == "constant");
    CHECK(fit.th.value == 0);
    CHECK(fit.mean.value == Approx(value));
    CHECK(fit.mean.half_width() == 0);
  }
}

TEST_CASE("Laws that cannot hold a TH have no distance, and where none can there is none", "[trace][fit]") {
  const LoadFit on_off = fit_load(trace_of(repeated({1, 1, 1, 0}, 50)), "t", {});
  CHECK(on_off.mean.value == Approx(0.75));
  CHECK_FALSE(on_off.value);
  CHECK(on_off.value_name() == "histogram");
  REQUIRE(on_off.own_values.size() == 20);
  for (std::size_t k = 0; k < 20; ++k) CHECK(on_off.own_values[k] == Approx(k < 5 ? 0 : 1).margin(1e-6));
  CHECK(on_off.value_distance() == Approx(0).margin(1e-6));
  const LoadFit rare = fit_load(trace_of(repeated({1, 1, 1, 0.02, 0.98, 0.9}, 50)), "t", {});
  for (const auto& value : rare.values) CHECK(value.distance.has_value() == (value.name == "beta"));
  CHECK(rare.values[*rare.value].name == "beta");
}

TEST_CASE("Where every law is far the values stand for themselves, and leave nothing that was always there", "[trace][fit]") {
  // Idle for most of the time and then built on: whatever law has that mean and TH leaves next to nothing at times.
  std::vector<double> series(300, 0.99);
  for (int k = 0; k < 200; ++k) series.push_back(0.30 + 0.0005 * k);
  const LoadFit fit = fit_load(trace_of(series), "t", {});
  CHECK(fit.value_name() == "histogram");
  REQUIRE(fit.own_values.size() == 20);
  CHECK(fit.own_values.front() == Approx(0.30).margin(0.01));
  CHECK(std::sqrt(empirical(fit.own_values)->variance()) == Approx(fit.mean.value * fit.th.value));
  CHECK(fit.value_distance() < 0.01);
  CHECK(*fit.values[*fit.value].distance > kFarLaw * fit.mean.value * fit.th.value);
}

TEST_CASE("The distance of a law is the mean difference of quantiles", "[trace][fit]") {
  // Half 0.2, half 0.8: the two-point law itself; uniform has sd/mean 0.6 on 0.5(1 ± 1.04), which it cannot hold.
  const LoadFit fit = fit_load(trace_of(repeated({0.2, 0.8}, 100)), "t", {});
  CHECK(fit.value_name() == "two-point");
  CHECK(*fit.values[*fit.value].distance == Approx(0).margin(1e-9));
}

TEST_CASE("A day pattern explains more than other periods do, long memory does not", "[trace][fit]") {
  std::vector<double> day;
  for (int hour = 0; hour < 24; ++hour) day.insert(day.end(), 12, hour >= 8 && hour < 18 ? 0.3 : 0.9);
  const LoadFit daily = fit_load(trace_of(repeated(day, 14), 300), "t", {});
  REQUIRE(daily.day);
  CHECK(daily.day->share == Approx(1));
  CHECK(daily.day->share_of_other_periods < 0.4);
  const LoadFit slow = fit_load(monitored(*owner("uniform", 0.5, 0.4, "exponential", 7200), 4032, 300, 0), "t", {});
  REQUIRE(slow.day);
  CHECK(slow.day->share < 2 * slow.day->share_of_other_periods);
  CHECK_FALSE(fit_load(trace_of(repeated({0.2, 0.8}, 100)), "t", {}).day);
}

namespace {

/// What is measured of a trace from 7 to 22 o'clock alone, its step a minute from midnight.
LoadSeries without_nights(const LoadSeries& whole, GapRule gaps) {
  std::vector<LoadSample> samples;
  for (std::size_t i = 0; i < whole.availability.size(); ++i)
    if (const std::size_t hour = i / 60 % 24; hour >= 7 && hour < 22)
      samples.push_back({0, false, {StampKind::civil, 86400 * 20000, 60.0 * static_cast<double>(i)}, whole.availability[i]});
  return series_of_samples(samples, gaps, "t.csv");
}

}  // namespace

TEST_CASE("Nights without data do not enter a fit, and hours of the day stay what they are", "[trace][fit]") {
  const auto model = owner("uniform", 0.71, 0.2, "exponential", 600);
  const LoadSeries whole = monitored(*model, 20 * 1440, 60, 0);
  const LoadSeries days = without_nights(whole, GapRule::left_out);
  const LoadFit fit = fit_load(days, "t.csv", {});
  CHECK(fit.samples == 20 * 900);
  CHECK(fit.gaps.count == 19);
  CHECK(fit.span_s == Approx((19 * 24 + 15) * 3600));
  CHECK(fit.gaps.missing_s == Approx(19 * 9 * 3600));
  CHECK(fit.taken_s == Approx(20 * 15 * 3600));
  CHECK(fit.mean.value == Approx(0.71).epsilon(0.02));
  CHECK(fit.th.value == Approx(0.2).epsilon(0.1));
  CHECK(fit.length_fit().name == "exponential");
  CHECK(fit.interval_s.value == Approx(600).epsilon(0.2));
  const LoadFit off = fit_load(without_nights(whole, GapRule::off), "t.csv", {});
  CHECK(off.samples == 20 * 900);
  CHECK(off.mean.value == Approx(fit.mean.value * 300 / (19 * 24 + 15)));
  std::vector<double> by_hour;
  for (int minute = 0; minute < 14 * 1440; ++minute) by_hour.push_back(minute / 60 % 24 < 13 ? 0.3 : 0.9);
  const LoadFit daily = fit_load(without_nights(trace_of(by_hour, 60), GapRule::left_out), "t.csv", {});
  REQUIRE(daily.day);
  CHECK(daily.day->share == Approx(1));
}

TEST_CASE("Traces that say nothing are refused in a sentence", "[trace][fit][error]") {
  const auto message = [](const LoadSeries& trace, const LoadFitOptions& options = {}) {
    return sentence_of([&] { fit_load(trace, "t.csv", options); });
  };
  CHECK(message(trace_of(repeated({0.5}, 19))) ==
        "t.csv: this trace has 19 samples; at least 20 are needed to say anything of it.");
  CHECK(message(trace_of(repeated({0}, 30))) ==
        "t.csv: nothing was available on this machine at any time; no job ends on it.");
  CHECK(message(trace_of(repeated({0.5}, 30)), {"pareto", 0.95}) ==
        "the law of lengths 'pareto' cannot be fitted; there are uniform, exponential and constant");
}

TEST_CASE("The integrated time of independent values is 1, of an autoregression (1+r)/(1-r)", "[trace][fit]") {
  Stream stream({1, 0, 0, Purpose::owner});
  const auto z = normal(0, 1);
  for (const double r : {0.0, 0.5, 0.9}) {
    std::vector<double> x{0};
    for (int i = 1; i < 100'000; ++i) x.push_back(r * x.back() + z->quantile(stream.uniform()));
    const IntegratedTime memory = integrated_time(x);
    INFO(r << ": " << memory.time);
    CHECK(memory.time == Approx((1 + r) / (1 - r)).epsilon(0.1));
    CHECK(memory.relative_se < 0.1);
    CHECK(memory.is_resolved);
  }
  CHECK(integrated_time(std::vector<double>(100, 0.3)).time == 1);
  CHECK(autocorrelation(std::vector<double>{1, 2, 3, 4}, 1)[1] == Approx(0.25));
}

TEST_CASE("Draws of measured parameters spread by their standard errors about what was fitted", "[owner][measured]") {
  const FitErrors errors{1e6, 0.02, 0.1, 0.3};
  Moments mean, log_th, log_interval;
  for (std::uint64_t draw = 0; draw < 20000; ++draw) {
    const FittedParameters p = drawn_parameters(kAt, errors, 1, draw);
    mean.add(p.mean);
    log_th.add(std::log(p.th / kAt.th));
    log_interval.add(std::log(p.interval_s / kAt.interval_s));
  }
  CHECK(mean.mean() == Approx(0.6).margin(0.0006));
  CHECK(mean.sd() == Approx(0.02).epsilon(0.02));
  CHECK(log_th.mean() == Approx(0).margin(0.003));
  CHECK(log_th.sd() == Approx(0.1).epsilon(0.02));
  CHECK(log_interval.sd() == Approx(0.3).epsilon(0.02));
}

TEST_CASE("Few observations spread draws as Student's law does, and never beyond what can be", "[owner][measured]") {
  const FitErrors errors{7, 0.02, 0.1, 0.3};
  Moments logit;
  for (std::uint64_t draw = 0; draw < 20000; ++draw) {
    const double a = drawn_parameters(kAt, errors, 1, draw).mean;
    CHECK((a > 0 && a < 1));
    logit.add(std::log(a / (1 - a)));
  }
  // Six degrees of freedom have the variance 6/4, cut at 0.0005 a little less.
  CHECK(logit.sd() == Approx(0.02 / 0.24 * std::sqrt(1.5)).epsilon(0.03));
  const FittedParameters nearly{0.9999, 0.001, 10};
  for (std::uint64_t draw = 0; draw < 1000; ++draw) CHECK(drawn_parameters(nearly, {2, 0.01, 1, 1}, 1, draw).mean <= 1);
}

TEST_CASE("Machines of one measurement see the same draws, those of another others", "[owner][measured]") {
  const FittedParameters steadier{kAt.mean, 0.1, 5};
  const FitErrors errors{30, 0.02, 0.1, 0.3}, longer{60, 0.02, 0.1, 0.3};
  for (const std::uint64_t draw : {0, 1, 7}) {
    const FittedParameters one = drawn_parameters(kAt, errors, 1, draw), same = drawn_parameters(steadier, errors, 1, draw);
    CHECK(one.mean == same.mean);  // whatever else differs
    CHECK(one.th / kAt.th == Approx(same.th / steadier.th));
    CHECK(one.interval_s / kAt.interval_s == Approx(same.interval_s / steadier.interval_s));
    CHECK(one.mean != drawn_parameters(kAt, longer, 1, draw).mean);
    CHECK(one.mean != drawn_parameters(kAt, errors, 2, draw).mean);
    CHECK(one.mean != drawn_parameters(kAt, errors, 1, draw + 1).mean);
  }
  const OwnerPtr one = measured("one");
  CHECK(one->mean() == Approx(0.6));
  CHECK(one->identity() != uniform_owner(kAt)->identity());
  CHECK(replications_per_draw(computing(machines(2, NetworkKind::none), 100, one)) == kReplicationsPerDraw);
  CHECK(replications_per_draw(computing(machines(2, NetworkKind::none), 100, uniform_owner(kAt))) == 0);
}

TEST_CASE("Draws stay where jobs end", "[owner][measured]") {
  const FitErrors wild{2, 0.05, 3, 3};
  for (std::uint64_t draw = 0; draw < 2000; ++draw) {
    const FittedParameters p = drawn_parameters({0.01, 0.3, 10}, wild, 1, draw);
    CHECK((p.mean >= 1e-5 && p.mean <= 1));
    CHECK((p.interval_s >= 0.5 && p.interval_s <= 200));
  }
}

TEST_CASE("Replications of a draw are those of its owner, to the bit, on both engines", "[owner][measured]") {
  const Scenario s = computing(machines(2, NetworkKind::none), 100, measured("one"));
  const Batch batch{10, 12};  // four draws, the first and the last in part
  const auto direct = run_batch_direct(s, batch);
  const auto simgrid = run_batch_simgrid(s, batch);
  for (std::size_t k = 0; k < batch.count; ++k) {
    const std::uint64_t replication = batch.first + k, draw = replication / kReplicationsPerDraw;
    const auto alone = run_batch_direct(computing(machines(2, NetworkKind::none), 100, drawn(*s.owners[0], 1, draw)),
                                        {replication, 1});
    CHECK(direct[k].makespan_s == alone.front().makespan_s);
    CHECK(simgrid[k].makespan_s == Approx(direct[k].makespan_s).epsilon(1e-9));
  }
}

TEST_CASE(
    "Replications are run again a step of measured parameters away, with the same random numbers, on both engines",
    "[owner][measured][fit-steps]") {
  const Scenario s = computing(machines(2, NetworkKind::none), 100, measured("one"));
  CHECK(measurements(s).size() == 3);  // what both machines have in common is there once
  BatchRunner runner;
  const BatchRecord record = runner.run(Engine::direct, s, {6, 20}), simgrid = runner.run(Engine::simgrid, s, {6, 20});
  REQUIRE(record.stepped.size() == 1);
  const auto& again = record.stepped.front().makespan_s;
  REQUIRE(again.size() == 20);
  CHECK(run_batch_direct(s, {6, 1}).front().makespan_s == record.makespan_s.front());
  for (std::uint64_t place = 6; place < 26; ++place) {
    INFO(place);
    const SteppedRun run = stepped_run(place);
    const FitDraw step(run.replication / kReplicationsPerDraw, run.block, run.is_up ? 1 : -1);
    CHECK(again[place - 6] == run_batch_direct(as_drawn(s, step), {run.replication, 1}).front().makespan_s);
    CHECK(again[place - 6] == Approx(simgrid.stepped.front().makespan_s[place - 6]).epsilon(1e-9));
  }
  CHECK(unpack_record(pack(record), {6, 20}, 2).stepped.front().makespan_s == again);
  CHECK(runner.run(Engine::direct, s, {kMostStepped, 4}).stepped.empty());
  CHECK(runner.run(Engine::direct, as_drawn(s, 0), {0, 4}).stepped.empty());  // of known parameters none
}

TEST_CASE("A step moves one kind of parameters, by standard errors on the scale of draws",
          "[owner][measured][fit-steps]") {
  const FitErrors errors{30, 0.02, 0.1, 0.3};
  const auto all = measurements(kAt, errors);
  REQUIRE(all.size() == 3);
  CHECK(all[0].step == Approx(0.4 / (0.02 / 0.24)));
  CHECK(all[1].step == 1);
  CHECK(all[2].step == Approx(0.7 / 0.3));
  CHECK(all[0].freedom == 29);
  const auto logit = [](double a) { return std::log(a / (1 - a)); };
  for (std::uint64_t block = 0; block < 8; ++block) {
    const FittedParameters middle = drawn_parameters(kAt, errors, 1, 2 * block),
                           up = drawn_parameters(kAt, errors, 1, {2 * block, block, 1}),
                           down = drawn_parameters(kAt, errors, 1, {2 * block, block, -1});
    CHECK(logit(up.mean) - logit(middle.mean) == Approx(0.4 * direction(all[0], block)).margin(1e-12));
    CHECK(logit(middle.mean) - logit(down.mean) == Approx(0.4 * direction(all[0], block)).margin(1e-12));
    CHECK(std::log(up.th / middle.th) == Approx(0.1 * direction(all[1], block)).margin(1e-12));
    CHECK(std::log(up.interval_s / middle.interval_s) == Approx(0.7 * direction(all[2], block)).margin(1e-12));
  }
}

TEST_CASE("Patterns by hour and common factors over measured owners are the same on both engines", "[owner][measured]") {
  const auto correlated = [](const FittedParameters& p) {
    return correlated_owner(make_value_law("uniform", p.mean, std::min(p.th, 0.9 * (1 - p.mean) / p.mean / std::sqrt(3.0))),
                            make_length_law("uniform", p.interval_s, 3), 0.5, "correlated");
  };
  const FitErrors errors{30, 0.02, 0.1, 0.3};
  const OwnerPtr together = measured_owner(correlated(kAt), kAt, errors, correlated, "one");
  for (const OwnerPtr& owner : {diurnal_owner(measured("one"), {std::vector<double>(24, 0.4), 0.0}), together}) {
    const Scenario s = computing(machines(2, NetworkKind::none), 100, owner);
    CHECK(replications_per_draw(s) == kReplicationsPerDraw);
    const auto direct = run_batch_direct(s, {2, 8}), simgrid = run_batch_simgrid(s, {2, 8});
    for (std::size_t k = 0; k < direct.size(); ++k)
      CHECK(simgrid[k].makespan_s == Approx(direct[k].makespan_s).epsilon(1e-9));
    CHECK(direct[0].makespan_s != Approx(direct[4].makespan_s).epsilon(1e-6));
  }
}

TEST_CASE("Measured owners have antithetic pairs within a draw, and no control variates", "[owner][measured]") {
  Scenario s = computing(machines(2, NetworkKind::none), 100, measured("one"));
  Scenario controlled = s;
  CHECK_THROWS_AS(reduce_variance(controlled, kVarianceReductions[2]), InputError);
  reduce_variance(s, kVarianceReductions[1]);
  CHECK(replications_per_draw(s) == kReplicationsPerDraw);
  const auto pair = run_batch_direct(s, {6, 2});
  const OwnerPtr one = drawn(*measured("one"), 1, 6 / kReplicationsPerDraw);
  Scenario alone = computing(machines(2, NetworkKind::none), 100, one);
  reduce_variance(alone, kVarianceReductions[1]);
  const auto pair_alone = run_batch_direct(alone, {6, 2});
  CHECK(pair[0].makespan_s == pair_alone[0].makespan_s);
  CHECK(pair[1].makespan_s == pair_alone[1].makespan_s);
}

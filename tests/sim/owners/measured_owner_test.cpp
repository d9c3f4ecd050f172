// Tests of measured owners: what draws are, who shares them, and that engines follow them to the bit.
#include "sim/owners/measured_owner.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "sim/base/error.hpp"
#include "sim/engines/engine.hpp"
#include "sim/owners/diurnal.hpp"
#include "sim/owners/owner_models.hpp"
#include "sim/program/scenario.hpp"
#include "sim/program/variance_reduction.hpp"
#include "sim/statistics/statistics.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

constexpr FittedParameters kAt{0.6, 0.3, 10};

OwnerPtr uniform_owner(const FittedParameters& p) {
  return intervals_owner(make_value_law("uniform", p.mean, std::min(p.th, 0.99 * (1 - p.mean) / p.mean / std::sqrt(3.0))),
                         make_length_law("uniform", p.interval_s, 3), "uniform");
}

OwnerPtr measured(const std::string& identity, const FitErrors& errors = {30, 0.02, 0.1, 0.3}) {
  return measured_owner(uniform_owner(kAt), kAt, errors, uniform_owner, identity);
}

}  // namespace

TEST_CASE("Draws of measured parameters spread by their standard errors about what was fitted",
          "[reads][owner][measured]") {
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
  for (std::uint64_t draw = 0; draw < 1000; ++draw)
    CHECK(drawn_parameters(nearly, {2, 0.01, 1, 1}, 1, draw).mean <= 1);
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

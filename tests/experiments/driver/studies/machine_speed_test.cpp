// Measuring a core's speed: on clocks that go as they are told, with and without others, and on this machine.

#include <catch2/catch.hpp>

#include "experiments/driver/running/runner.hpp"
#include "experiments/driver/studies/machine_measurement.hpp"
#include "experiments/driver/text/user_cache.hpp"
#include "tests/cache_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

/// A core on which every run takes so long, and others want it for a part of the time.
struct ToldCore : MeasuredCore {
  double run_s = 0.01, waited = 0;  ///< of a run, and the part of all time that others have the core
  std::uint64_t other_ticks_per_s = 0;
  std::size_t runs = 0, stops_after = 1'000'000;

  double run() {
    own += run_s;
    now += run_s / (1 - waited);
    ++runs;
    return 2e6;
  }
  double now_s() const override { return now; }
  double own_s() const override { return own; }
  ProcStat look() override {
    ProcStat stat;
    stat.cores = 4;
    stat.busy = static_cast<std::uint64_t>(100 * own + static_cast<double>(other_ticks_per_s) * now);
    stat.idle = static_cast<std::uint64_t>(400 * now) - stat.busy;
    stat.job["1"] = {own, now - own};
    return stat;
  }
  bool is_stopped() const override { return runs >= stops_after; }

  double now = 100, own = 0;
};

MachineSpeed measured(ToldCore& core, const SpeedPlan& plan = {5, 0.2}) {
  return measure_speed(core, plan, [&] { return core.run(); });
}

}  // namespace

TEST_CASE("A core's speed is what it computes per second that it computes", "[computes][machine_speed]") {
  ToldCore core;
  const MachineSpeed speed = measured(core);
  CHECK(speed.median_flops() == Approx(2e8));
  CHECK(speed.part_flops(0) == Approx(2e8));
  CHECK(speed.repeats_flops.size() == 25);
  CHECK(speed.passed_s == Approx(5).epsilon(0.05));
  CHECK(core.runs >= 26 * 20);  // with the repeat that is not counted
  CHECK(speed.other_cores == Approx(0).margin(0.02));
  CHECK(speed.disturbances().empty());
}

TEST_CASE("Others who want the core, or other cores, are told of", "[machine_speed]") {
  ToldCore shared;
  shared.waited = 0.25;
  const MachineSpeed turns = measured(shared);
  CHECK(turns.median_flops() == Approx(2e8));  // waiting is not counted
  CHECK(turns.waited == Approx(0.25));
  REQUIRE(turns.disturbances().size() == 1);
  CHECK_THAT(turns.disturbances().front(), Contains("others had its core for 25 % of the time"));
  ToldCore crowded;
  crowded.other_ticks_per_s = 150;
  const MachineSpeed beside = measured(crowded);
  CHECK(beside.other_cores == Approx(1.5).epsilon(0.02));
  REQUIRE(beside.disturbances().size() == 1);
  CHECK_THAT(beside.disturbances().front(), Contains("others kept 1.5 of 4 cores busy"));
}

TEST_CASE("There are five repeats at least, and a measurement can be stopped", "[machine_speed]") {
  ToldCore slow;
  slow.run_s = 3;
  CHECK(measured(slow, {1, 0.2}).repeats_flops.size() == 5);
  ToldCore stopped;
  stopped.stops_after = 30;
  CHECK_THROWS_AS(measured(stopped), Interrupted);
}

TEST_CASE("The median and parts lie between neighbours in proportion", "[machine_speed]") {
  MachineSpeed speed;
  speed.repeats_flops = {1, 2, 4, 8};
  CHECK(speed.median_flops() == 3);
  CHECK(speed.part_flops(0) == 1);
  CHECK(speed.part_flops(1) == 8);
  CHECK(speed.part_flops(0.25) == 1.75);
}

TEST_CASE("The product that is timed is a product", "[machine_speed]") {
  DenseProduct product;
  CHECK(product.run() == 2.0 * 128 * 128 * 128);
  CHECK(product.run() == DenseProduct::kFlop);
  double harmonic = 0;
  for (int k = 1; k <= 128; ++k) harmonic += 1.0 / k;
  CHECK(product.element(0, 0) == Approx(2 * harmonic));
  CHECK(product.element(3, 6) == Approx(2 * 4 * harmonic / 7));
}

TEST_CASE("Speeds are written as platforms have them", "[machine_speed]") {
  CHECK(speed_text(3.412e9) == "3.412Gf");
  CHECK(speed_text(250) == "250f");
  CHECK(speed_text(2e12) == "2Tf");
}

TEST_CASE("A measured speed is kept for plans", "[machine_speed]") {
  const CacheFolder cache;
  CHECK(!recorded_speed());
  CHECK(record_speed({3.5e9, "2026-11-26"}));
  REQUIRE(recorded_speed());
  CHECK(recorded_speed()->flops == 3.5e9);
  CHECK(recorded_speed()->day == "2026-11-26");
  const std::string file = speed_file();
  CHECK(write_cached(file, "another machine", "1 2026-01-01\n"));
  CHECK(!recorded_speed());
}

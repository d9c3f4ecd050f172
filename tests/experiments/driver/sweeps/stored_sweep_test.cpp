// What a store holds of a sweep's searches and of the files that it was read from: no clock is asked.
#include "experiments/driver/sweeps/stored_sweep.hpp"

#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <memory>

#include "experiments/driver/running/batch_store.hpp"
#include "experiments/driver/sweeps/prepare.hpp"
#include "experiments/driver/sweeps/stored_origin.hpp"
#include "tests/experiments/driver/experiment_fixture.hpp"
#include "tests/experiments/driver/store_fixture.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

/// The work that six machines with owners do in some time.
Experiment sought(const std::string& run, const std::string& more = "") {
  return loaded("nowsim: 1\nplatform: {workstations: 6, speed: 1f}\njob: {workload: base-task, work: 100f}\n"
                "owner: {model: intervals, TH: 0.28, interval: 10s}\nlet: {t: 500}\nrun: {" + run + "}\n"
                "solve: {key: job.work, metric: tau, equals: = let.t, from: 10, to: 1e7}\nmetrics: [solved]\n" + more);
}

}  // namespace

TEST_CASE("A rehearsal of searches for sizes tells how many trials they will take", "[reads][work_counts][solve]") {
  const Experiment e = sought("replications: 200", "sweep: {let.t: [200, 400, 800, 1600]}\n");
  const Folder folder;
  {
    BatchStore store(folder.path(), BatchStore::Access::write);
    static_cast<void>(solve_sizes(e, &store));
  }
  WorkCounter counter;
  const SizesWork expected = sizes_work(e, counter);
  CHECK(expected.rehearsed == 4);
  const auto simulated = static_cast<double>(sql_number(folder.path(), "SELECT sum(replications) FROM trial"));
  CHECK(expected.work[Cost::replication] > simulated / 2);
  CHECK(expected.work[Cost::replication] < simulated * 2);
}

TEST_CASE("Of many searches some are rehearsed, and stand for the others", "[work_counts][solve]") {
  const Experiment e = sought("replications: 200", "sweep: {let.t: {from: 200, to: 2000, step: 200}}\n");
  WorkCounter counter;
  const SizesWork few = sizes_work(e, counter, 5), all = sizes_work(e, counter);
  CHECK(few.rehearsed <= 5);
  CHECK(few.trials < all.trials);
  CHECK(few.work[Cost::replication] > all.work[Cost::replication] / 2);
  CHECK(few.work[Cost::replication] < all.work[Cost::replication] * 2);
}

TEST_CASE("The forecast of a sweep has its searches, and nothing of what is stored", "[work_counts][solve]") {
  const Experiment e = sought("replications: 200");
  const SweepForecast forecast = forecast_sweep(nullptr, e);
  CHECK(forecast.work[Cost::replication] > 4 * 200);  // a trial at 10, 40, 160, 640 at least
  CHECK(forecast_sweep(nullptr, loaded("nowsim: 1\njob: {workload: base-task, work: 1}\n")).work[Cost::batch] == 10);
}

TEST_CASE("Costs here are the shipped ones by one factor", "[costs]") {
  const Registries registries({}, builtin_checks(), builtin_figures());
  const CostTable costs = machine_costs(registries);
  const double factor = costs[Cost::interval] / shipped_costs()[Cost::interval];
  CHECK(factor > 0.01);
  CHECK(factor < 1000);
  for (std::size_t k = 0; k < kCosts; ++k) CHECK(costs.at(k) == Approx(factor * shipped_costs().at(k)));
}

TEST_CASE("A platform that came through a pipe is not read again", "[stored_origin]") {
  const Folder folder;
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  close(ends[1]);  // all has been read
  const std::string piped = "/dev/fd/" + std::to_string(ends[0]);
  FilesNoted noted;
  noted.platforms.insert(piped);
  Experiment experiment;
  experiment.file = folder.file("e.yaml", "nowsim: 1\n");
  experiment.origin.is_of_file = true;
  experiment.origin.files = std::make_shared<const FilesNoted>(noted);
  const StoredOrigin stored = origin_to_store(experiment);
  REQUIRE(stored.files.size() == 2);
  CHECK(stored.files[1].path == piped);
  CHECK_FALSE(stored.files[1].checksum);
  close(ends[0]);
}

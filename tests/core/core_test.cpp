// What the core does in its own way: batches in this process, platform files without SimGrid, refusals of the rest.
#include <catch2/catch.hpp>

#include "experiments/driver/claims/verdicts.hpp"
#include "experiments/driver/pictures/resolved_figure.hpp"
#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/running/result_table.hpp"
#include "experiments/driver/running/runner.hpp"
#include "sim/base/error.hpp"
#include "sim/engines/timeline.hpp"
#include "sim/platform/read_platform.hpp"
#include "sim/platform/routes.hpp"
#include "tests/paths.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

Experiment shipped(const std::string& name, std::vector<std::string> set) {
  static const Registries registries(Additions{}, builtin_checks(), builtin_figures());
  return load_experiment(source_folder() + "/experiments/" + name, {std::move(set)}, registries);
}

ResultTable run_here(const Experiment& experiment, const ProgressListener& on_progress = nullptr) {
  return summarise(experiment, run_experiment(experiment, {1, on_progress}));
}

}  // namespace

TEST_CASE("The core runs an experiment in its own process, with the numbers that the manual shows", "[core]") {
  std::uint64_t told = 0;
  const ResultTable summary = run_here(shipped("huang-lee-2007/fig05.yaml", {"owner.SH=0"}),
                                   [&](const Progress& p) { told = p.replications_done; });
  REQUIRE(summary.rows.size() >= 3);
  CHECK(summary.rows[0].estimates[0][0].value == Approx(200));
  CHECK(summary.rows[1].estimates[0][0].value == Approx(205.12).margin(0.005));
  CHECK(summary.rows[2].estimates[0][0].value == Approx(210.39).margin(0.005));
  CHECK(told >= 1000 * (summary.rows.size() - 1));
}

TEST_CASE("The core reads a platform file without SimGrid, and has the routes that SimGrid has", "[core]") {
  const Platform platform = load_platform(source_folder() + "/platforms/sparc-now.xml");
  CHECK(platform.workstations.size() == 13);
  const auto routes = find_routes(platform, {{0, 1}, {12, 3}});
  CHECK(routes[0].links == std::vector<std::string>{"ethernet"});
  CHECK(routes[1].bandwidth_Bps == Approx(1e6));
  const Platform star = load_platform(source_folder() + "/platforms/fast-slow-myrinet.xml");
  CHECK(star.workstations.size() == 1024);
  CHECK(find_routes(star, {{1023, 0}})[0].links.size() >= 2);
}

TEST_CASE("The core simulates programs with messages on platforms from files", "[core]") {
  const ResultTable summary = run_here(shipped("zhang-yan-1995/one-run.yaml", {}));
  CHECK_FALSE(summary.has_failures());
}

TEST_CASE("What the core cannot do is said in a sentence", "[core]") {
  const Experiment on_simgrid = shipped("huang-lee-2007/fig05.yaml", {"owner.SH=0", "run.engine=simgrid", "run.replications=10",
                                                                      "sweep={owner.TH: [0.07, 0.14]}"});
  const ResultTable summary = run_here(on_simgrid);
  CHECK(summary.has_failures());
  CHECK_THAT(summary.rows.front().reason, Contains("this needs SimGrid"));
}

// run.variance_reduction: read, planned in whole pairs, stored under keys of its own, and said in every output.
#include <catch2/catch.hpp>
#include <set>

#include "experiments/driver/pictures/resolved_figure.hpp"
#include "experiments/driver/running/result_output.hpp"
#include "experiments/driver/running/runner.hpp"
#include "sim/program/scenario.hpp"
#include "tests/experiments/driver/store_fixture.hpp"
#include "tests/tools/program_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

const std::string kPlain =
    "nowsim: 1\n"
    "title: a test\n"
    "platform: {workstations: 3, speed: 1f}\n"
    "job: {workload: base-task, work: 90f}\n"
    "owner: {model: intervals, TH: 0.4}\n"
    "metrics: [tau, sigma_T, speedup, T_i, P_deg]\n";
const std::string kRun = kPlain + "run: {replications: 250, variance_reduction: both}\n";

ResultTable summary_of(const Experiment& experiment, int jobs = 2) {
  return summarise(experiment, run_experiment(experiment, {jobs}));
}

std::string text_of(const ResultTable& summary, Format format) {
  std::ostringstream out;
  write_summary(summary, format, out);
  return out.str();
}

}  // namespace

TEST_CASE("variance_reduction is none unless said otherwise, and can be swept", "[reads][variance_reduction]") {
  const Experiment e = loaded(kPlain + "sweep: {run.variance_reduction: [none, antithetic, control-variates, both]}\n");
  REQUIRE(e.points.size() == 4);
  std::set<std::string> keys;
  ScenarioKeys make;
  for (std::size_t p = 0; p < 4; ++p) {
    CHECK(e.points[p].scenario()->variance_reduction == &kVarianceReductions[p]);
    CHECK(e.points[p].simulated()->baseline->variance_reduction == &kVarianceReductions[p]);
    CHECK(bool(e.points[p].scenario()->controls) == kVarianceReductions[p].controls);
    keys.insert(make.key(*e.points[p].scenario(), "direct"));
  }
  CHECK(keys.size() == 4);
  const Experiment plain = loaded(kPlain);
  CHECK(plain.points[0].scenario()->variance_reduction == &kNoVarianceReduction);
  CHECK(keys.contains(make.key(*plain.points[0].scenario(), "direct")));
}

TEST_CASE("What variance_reduction cannot be is said, with file, line and key", "[variance_reduction][error]") {
  CHECK_THAT(problems_of(kPlain + "run: {variance_reduction: antithetical}\n"),
             Contains("e.yaml:7: run.variance_reduction") && Contains("antithetic"));
  CHECK_THAT(problems_of(kPlain + "run: {variance_reduction: antithetic, replications: 101}\n"),
             Contains("run.replications") && Contains("even") && Contains("101"));
  CHECK(problems_of(kPlain + "run: {variance_reduction: control-variates, replications: 101}\n").empty());
  CHECK_THAT(problems_of(kPlain + "run: {variance_reduction: both}\n", {"owner={model: jobs, u: 30%, demand: 2s}"}),
             Contains("run.variance_reduction") && Contains("ws1") && Contains("jobs"));
  CHECK_THAT(
      problems_of(kPlain + "run: {variance_reduction: control-variates}\n", {"owner={model: duty-cycle, u: 30%}"}),
      Contains("duty-cycle"));
}

TEST_CASE("Batches hold whole pairs, however large the results are", "[variance_reduction]") {
  const auto size = [](const char* how, std::size_t workstations) {
    return batch_size(*loaded(kRun, {std::string("run.variance_reduction=") + how,
                                     "platform.workstations=" + std::to_string(workstations)})
                           .points[0]
                           .scenario());
  };
  CHECK(size("antithetic", 3) == 100);
  CHECK(size("none", 2100) == 95);
  CHECK(size("antithetic", 2100) == 94);
  CHECK(size("none", 150000) == 1);
  CHECK(size("both", 150000) == 2);
}

TEST_CASE("Results with variance reduction are the same bytes for any number of jobs", "[variance_reduction]") {
  const Experiment e = loaded(kRun, {"sweep.owner.TH=[0.1, 0.3]"});
  const std::string one = csv(summary_of(e, 1));
  CHECK(csv(summary_of(e, 3)) == one);
  CHECK_THAT(one, Contains(",250,1,direct," + std::string(nowsim::version()) + ",ok,,both\n"));
}

TEST_CASE("Every output says how the variance was reduced, and nothing where it was not", "[variance_reduction]") {
  const ResultTable both = summary_of(loaded(kRun)), plain = summary_of(loaded(kPlain, {"run.replications=100"}));
  CHECK_THAT(text_of(both, Format::table), Contains("variance reduction: both"));
  CHECK_THAT(text_of(both, Format::json), Contains("\"variance_reduction\": \"both\""));
  CHECK_THAT(text_of(both, Format::csv), Contains("reason,variance_reduction\n"));
  CHECK_THAT(provenance_of(both).origin(), Contains("variance reduction: both"));
  for (const auto format : {Format::table, Format::json, Format::csv})
    CHECK(text_of(plain, format).find("variance") == std::string::npos);
  CHECK(both.rows[0].observations() == 125);
  CHECK(plain.rows[0].observations() == 100);
}

TEST_CASE("A stored sweep shows the CSV that it wrote, of points that cannot be realised too", "[variance_reduction]") {
  for (const char* values : {"[0.9, 0.4]", "[0.9, 0.95]"}) {
    const Folder folder;
    const Experiment e = loaded(kPlain + "run: {replications: 100, variance_reduction: both, infeasible: skip}\n" +
                                "sweep: {owner.TH: " + values + "}\n");
    const ResultTable summary = swept(folder.path(), e).summary;
    CHECK(summary.rows[0].status == PointStatus::infeasible);
    CHECK(summary.rows[0].variance_reduction == &kNoVarianceReduction);
    CHECK(csv(stored_summary(folder.path())) == csv(summary));
    CHECK(csv(summarise(e, run_experiment(e, {2}))) == csv(summary));
  }
}

TEST_CASE("A precision is reached with fewer replications where the variance is reduced", "[variance_reduction]") {
  const auto replications = [](const std::string& how) {
    return summary_of(
               loaded(kPlain + "run: {replications: 20000, precision: 0.25%, variance_reduction: " + how + "}\n"))
        .rows[0]
        .replications;
  };
  const auto plain = replications("none"), both = replications("both");
  CHECK(plain < 20000);
  CHECK(both < plain / 2);
  CHECK(both % 2 == 0);
}

TEST_CASE("A store keeps reduced and plain results apart, and shows which is which", "[variance_reduction]") {
  const Folder folder;
  folder.file("e.yaml", kRun);
  folder.file("p.yaml", kPlain + "run: {replications: 100}\n");
  const auto nowsim_says = [&](std::vector<std::string> words) { return run_program(words, folder.path()); };
  CHECK_THAT(nowsim_says({"sweep", "p.yaml", "--out", "s"}).error, Contains("200 replications simulated"));
  CHECK_THAT(nowsim_says({"sweep", "e.yaml", "--out", "s", "-r", "100"}).error,
             Contains("200 replications simulated, 0 taken"));
  const ProgramRun more = nowsim_says({"sweep", "e.yaml", "--out", "s"});
  CHECK_THAT(more.error, Contains("300 replications simulated, 200 taken"));
  const ProgramRun run = nowsim_says({"run", "e.yaml"}),
                   flag = nowsim_says({"run", "p.yaml", "--variance-reduction", "both", "-r", "250"});
  CHECK(run.status == 0);
  CHECK(more.out == run.out);
  CHECK(flag.out == run.out);
  CHECK(content_of(folder.path() + "/s/e.csv") == nowsim_says({"run", "e.yaml", "-f", "csv"}).out);
  CHECK(nowsim_says({"show", "s", "-e", "e", "-f", "csv"}).out == content_of(folder.path() + "/s/e.csv"));
  CHECK(nowsim_says({"show", "s", "-e", "p", "-f", "csv"}).out == content_of(folder.path() + "/s/p.csv"));
}

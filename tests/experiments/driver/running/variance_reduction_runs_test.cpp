// Runs with reduced variance, and points that decide together: read, planned, stored, the same for any number of jobs,
// and said in every output.
#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <sstream>

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

/// Three splits of the same work, the last of which is the first one written otherwise.
const std::string kDecide =
    "nowsim: 1\n"
    "platform: {workstations: 3, speed: 1f}\n"
    "job: {workload: base-task, work: 90f}\n"
    "split: {policy: linear-slope, slope: 0f}\n"
    "owner: {model: intervals, TH: 0.4}\n"
    "run: {replications: 3000, decide: split.slope, indifference: 0.1%}\n"
    "metrics: [tau]\n"
    "sweep: {owner.TH: [0.1, 0.4], split.slope: [0f, 0.2f, 20f, 0]}\n";

ResultTable decided_summary(const Experiment& experiment, int jobs = 2) {
  return summarise(experiment, run_experiment(experiment, {jobs}));
}

std::vector<std::string> standings(const ResultTable& summary) {
  std::vector<std::string> all;
  for (const auto& row : summary.rows) all.emplace_back(row.decided ? standing_name(row.decided->standing) : "-");
  return all;
}

std::uint64_t most_replications(const ResultTable& summary) {
  return std::ranges::max(summary.rows, {}, &ResultRow::replications).replications;
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

TEST_CASE("Who is clearly worse gets no more replications than the first stage", "[decide][runner]") {
  const ResultTable summary = decided_summary(loaded(kDecide));
  CHECK(standings(summary)[2] == "worse");
  CHECK(summary.rows[2].replications == 200);
  CHECK(most_replications(summary) > 200);
  CHECK(most_replications(summary) < 3000);
  for (std::size_t cell = 0; cell < 2; ++cell) {
    const auto all = standings(summary);
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(4 * cell);
    CHECK(std::count(begin, begin + 4, "best") == 1);
  }
}

TEST_CASE("Points of one scenario are run once, and told as equal", "[decide][runner]") {
  const ResultTable summary = decided_summary(loaded(kDecide));
  CHECK(plan_execution(loaded(kDecide)).cells.at(0).series.size() == 3);
  for (const std::size_t first : {0u, 4u}) {
    CHECK(summary.rows[first].replications == summary.rows[first + 3].replications);
    CHECK(standings(summary)[first + 3] == "equal");
  }
}

TEST_CASE("A decision is the same bytes for any number of jobs, and out of a store", "[decide][runner][store]") {
  const Experiment experiment = loaded(kDecide);
  const std::string alone = csv(decided_summary(experiment, 1));
  CHECK(csv(decided_summary(experiment, 3)) == alone);
  CHECK_THAT(alone, Contains("decided,decided_by,indifference,intervals") && Contains(",best,tau,"));
  const Folder folder;
  RunOptions options;
  int asked = 0;
  options.interrupted = [&asked] { return ++asked > 8; };
  try {
    BatchStore store(folder.path(), BatchStore::Access::write);
    sweep_into(store, "e", experiment, options);
    FAIL("not interrupted");
  } catch (const Interrupted&) {
  }
  CHECK(csv(swept(folder.path(), experiment, 3).summary) == alone);
  CHECK(swept(folder.path(), experiment).progress.replications_done == 0);
  CHECK(csv(stored_summary(folder.path())) == alone);
}

TEST_CASE("What is not told after the most replications stays open", "[decide][runner]") {
  const auto all = standings(decided_summary(loaded(kDecide, {"run.replications=220", "run.indifference=0.2%"})));
  CHECK(std::vector(all.begin() + 4, all.begin() + 8) == std::vector<std::string>{"open", "equal", "open", "open"});
  const ResultTable few = decided_summary(loaded(kDecide, {"run.replications=4"}));
  CHECK(standings(few) == std::vector<std::string>(8, "open"));
  CHECK(few.rows[0].replications == 4);
}

TEST_CASE("A single system is the best after the first stage, and infeasible ones are none", "[decide][runner]") {
  const ResultTable summary = decided_summary(loaded(kDecide, {"run.infeasible=skip", "sweep.split.slope=[0f, 40f]"}));
  CHECK(standings(summary) == std::vector<std::string>{"best", "-", "best", "-"});
  CHECK(summary.rows[0].replications == 200);
}

TEST_CASE("Risks are decided by how much less they are", "[decide][runner]") {
  const ResultTable summary = decided_summary(
      loaded(kDecide, {"run.decide_by=RF", "run.deadline=70s", "run.indifference=5%", "metrics=[RF]"}));
  for (const auto& row : summary.rows) CHECK(row.decided->indifference == 0.05);
  CHECK(standings(summary)[6] == "worse");
}

TEST_CASE("People are told what was decided, cell by cell, and what it saved", "[decide][output]") {
  std::ostringstream out;
  const ResultTable summary = decided_summary(loaded(kDecide));
  write_summary(summary, Format::table, out);
  CHECK_THAT(out.str(), Contains("owner.TH  best") && Contains("decided by tau: with 95 % confidence") &&
                            Contains("0.1 % of the least tau, as the first 200 replications had it") &&
                            Contains(" saved\n") &&
                            Contains("intervals are of replications that also decided when to stop"));
  std::ostringstream json;
  write_summary(summary, Format::json, json);
  CHECK_THAT(json.str(), Contains("\"decisions\"") && Contains("\"intervals\": \"after stopping\""));
}

TEST_CASE("What cannot be decided is refused with a sentence", "[decide][error]") {
  const auto problem = [](const std::vector<std::string>& flags) { return problems_of(kDecide, flags); };
  CHECK_THAT(problem({"run.decide=split.slop"}), Contains("'split.slop' is not swept; did you mean 'split.slope'?"));
  CHECK_THAT(problem({"sweep.split.slope=[0f]"}), Contains("'split.slope' has one value only"));
  CHECK_THAT(problem({"run.indifference=0"}), Contains("it must be more than 0"));
  CHECK_THAT(problem({"run.indifference=-1%"}), Contains("it must be more than 0"));
  CHECK_THAT(problem({"run.decide_by=sigma_T"}), Contains("'sigma_T' is no mean of replications"));
  CHECK_THAT(problem({"run.decide_by=tua"}), Contains("there is no metric 'tua'; did you mean 'tau'?"));
  CHECK_THAT(problem({"run.decide_by=RF"}), Contains("needs a deadline"));
  CHECK_THAT(problem({"run.precision=1%"}), Contains("by its precision or by what is decided, not by both"));
  CHECK_THAT(problem({"sweep.run.decide_by=[tau, RF]"}), Contains("holds for the whole experiment"));
  const Experiment fixed = loaded(kDecide, {"split.slope=0f"});
  CHECK_THAT(fixed.remarks.at(0), Contains("'split.slope' is not swept any more: nothing is decided"));
  CHECK_FALSE(fixed.points.front().plan.may_stop());
}

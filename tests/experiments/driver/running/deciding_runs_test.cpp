// Points that decide together: the same for any number of jobs and any interruption, and no more than is needed.
#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>

#include "experiments/driver/running/result_output.hpp"
#include "tests/experiments/driver/store_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

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

TEST_CASE("Who is clearly worse gets no more replications than the first stage", "[reads][decide][runner]") {
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

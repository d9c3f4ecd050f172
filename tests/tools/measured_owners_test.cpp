// Owners that were measured, from a user's chair: what is read of a log or a trace, and what is said of the rest.
#include <catch2/catch.hpp>
#include <string>

#include "tests/tools/program_fixture.hpp"

using namespace nowsim::test;
using Catch::Contains;

namespace {

std::string experiment_with(const std::string& owner) {
  return "nowsim: 1\nplatform: {workstations: 1, speed: 1f}\njob: {workload: base-task, work: 400f}\n"
         "owner: " + owner + "\nrun: {replications: 1}\nmetrics: [tau]\n";
}

/// The first number of the second line.
double first_number(const ProgramRun& run) { return std::stod(run.out.substr(run.out.find('\n') + 1)); }

}  // namespace

TEST_CASE("A log with lines of partial executions is the log without them, and that is said", "[reads][cli][owner_jobs]") {
  const Folder folder;
  const std::string first = "1 0 5 300 1 -1 -1 1 -1 -1 1 1 1 -1 1 -1 -1 -1\n", part = "1 0 5 300 1 -1 -1 1 -1 -1 3 1 1 -1 1 -1 -1 -1\n",
                    rest = "2 100 0 200 1 -1 -1 1 -1 -1 1 1 1 -1 1 -1 -1 -1\n3 900 0 50 1 -1 -1 1 -1 -1 1 1 1 -1 1 -1 -1 -1\n";
  folder.file("whole.swf", "; Version: 2.2\n" + first + rest);
  folder.file("parts.swf", "; Version: 2.2\n" + first + part + rest);
  folder.file("alone.swf", "; Version: 2.2\n" + part + rest);
  folder.file("e.yaml", experiment_with("{model: jobs, log: whole.swf, u: 0.4, start: beginning}"));
  const ProgramRun whole = run_program({"run", "e.yaml", "-f", "csv"}, folder.path());
  REQUIRE(whole.status == 0);
  // By hand: a round lasts 900·3/2 s and asks for 550 s, so u makes demands 0.4·1350/550 = 54/55 of what they are. Until 100
  // the task and the first job have a half each, then three a third until the second is done, at 100 + 3·200·54/55; the
  // first has another 48.2 s, at a half; the last 105.5 s are the task's own: 890.909.
  CHECK(first_number(whole) == Approx(9800.0 / 11));
  for (const auto& [log, said] : {std::pair{"parts.swf", "1 line of a partial execution is left out (status 2, 3, 4): the jobs have lines of their own"},
                                  std::pair{"alone.swf", "1 job has lines of partial executions alone, which are added up"}}) {
    const ProgramRun run = run_program({"run", "e.yaml", "-f", "csv", "--set", std::string("owner.log=") + log}, folder.path());
    INFO(run.error);
    CHECK(run.out == whole.out);
    CHECK_THAT(run.error, Contains(std::string(log) + ": " + said));
  }
  CHECK_THAT(whole.error, !Contains("partial"));
}

TEST_CASE("Which part of a trace's span has no data is said where nobody has said what to make of it", "[cli][trace]") {
  const Folder folder;
  folder.file("night.csv", "t,value\n0,20\n10,40\n20,60\n120,80\n130,100\n");
  const std::string said = "64.3 % of the span has no data (1 gap): left out; gaps: off, left-out or hold says";
  folder.file("e.yaml", experiment_with("{model: trace, file: night.csv, start: beginning}"));
  const auto run_with = [&](const std::string& gaps) {
    std::vector<std::string> words{"run", "e.yaml", "-f", "csv", "--set", "job.work=300f"};
    if (!gaps.empty()) words.insert(words.end(), {"--set", "owner.gaps=" + gaps});
    return run_program(words, folder.path());
  };
  const ProgramRun run = run_with("");
  INFO(run.error);
  // 20 s of work a round of 50 s, without the gap: 300 s take 15 rounds less the last 10 s, in which nothing is left.
  CHECK(first_number(run) == Approx(740));
  CHECK_THAT(run.error, Contains("night.csv: " + said));
  const ProgramRun check = run_program({"check", "e.yaml"}, folder.path());
  CHECK_THAT(check.out + check.error, Contains(said));
  // Held at 0.4 for 90 s more, a round of 140 s has 56 s of work: five rounds, and 20 s of work in 35 s.
  const ProgramRun held = run_with("hold");
  CHECK(first_number(held) == Approx(735));
  CHECK_THAT(held.error, !Contains("no data"));
  CHECK(first_number(run_with("off")) == Approx(2090));  // 20 s of work a round of 140 s
}

TEST_CASE("A plan on a recording that is short claims no more of its split than that holds", "[cli][trace][plan]") {
  const Folder folder;
  std::string rows = "t,value\n";
  for (int k = 0; k < 60; ++k) rows += std::to_string(10 * k) + "," + std::to_string((37 * k) % 90) + "\n";
  folder.file("short.csv", rows);
  folder.file("o.yaml", "owner: {model: trace, file: short.csv, measures: utilisation-percent}\n");
  const ProgramRun plan = run_program({"plan", "--machines", "2", "--speed", "1f", "--owner", "o.yaml", "--work", "100f",
                                       "--deadline", "95s", "--policies", "equal,optimal"},
                                      folder.path());
  INFO(plan.out << plan.error);
  CHECK_THAT(plan.out, Contains("How far it is from the best, what was recorded is too short to tell."));
  CHECK_THAT(plan.out, !Contains("Of no split at all"));
}

// Replications one by one, for others' tools: from run and from a store alike, and what the manual does with them.
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "experiments/driver/running/replication_rows.hpp"
#include "experiments/driver/text/formats.hpp"
#include "experiments/driver/text/run_program.hpp"
#include "sim/base/text.hpp"
#include "sim/statistics/statistics.hpp"
#include "tests/paths.hpp"
#include "tests/skips.hpp"
#include "tests/tools/program_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;
using nowsim::test::run_program;
using Catch::Contains;

namespace {

const char* const kExperiment =
    "nowsim: 1\ntitle: a test\nplatform: {workstations: 3, speed: 1f}\njob: {workload: base-task, work: 90f}\n"
    "owner: {model: intervals, TH: 0.4}\nrun: {replications: 150, infeasible: skip}\n"
    "metrics: [tau, sigma_T, T_i, owner]\nsweep: {owner.TH: [0.1, 0.20, 0.9], platform.workstations: [2, 3]}\n";

/// A folder with an experiment, e.yaml.
struct Recorded : Folder {
  explicit Recorded(const std::string& experiment = kExperiment) { file("e.yaml", experiment); }
  [[nodiscard]] ProgramRun nowsim(const std::vector<std::string>& words) const { return run_program(words, path()); }
  /// The file that a run writes.
  [[nodiscard]] std::string run(const std::vector<std::string>& more = {}) const {
    std::filesystem::remove(path() + "/runs.csv");
    std::vector<std::string> words{"run", "e.yaml", "-q", "--replications-csv", "runs.csv"};
    words.insert(words.end(), more.begin(), more.end());
    const ProgramRun done = nowsim(words);
    INFO(done.error);
    REQUIRE(done.status == 0);
    CHECK(done.error.empty());
    return content_of(path() + "/runs.csv");
  }
  [[nodiscard]] std::string swept(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words{"sweep", "e.yaml", "-q", "--out", "store"};
    words.insert(words.end(), more.begin(), more.end());
    REQUIRE(nowsim(words).status == 0);
    return nowsim({"show", "store", "--replications"}).out;
  }
};

/// Rows as maps from their columns.
std::vector<std::map<std::string, std::string>> rows_of(const std::string& csv) {
  const CsvRows table = parse_csv(csv, "runs.csv");
  std::vector<std::map<std::string, std::string>> rows;
  for (const auto& row : table.rows) {
    auto& named = rows.emplace_back();
    for (std::size_t c = 0; c < row.size(); ++c) named[table.head[c]] = row[c];
  }
  return rows;
}

double number(const std::string& text) { return to_number(text).value(); }

}  // namespace

TEST_CASE("run and a store write the same rows, whose means are the estimates", "[computes][replications]") {
  const Recorded r;
  const std::string csv = r.run();
  CHECK(csv == r.run({"--jobs", "1"}));
  CHECK(csv == r.swept());
  CHECK_THAT(csv, Catch::StartsWith("owner.TH,platform.workstations,replication,seed,T,effective,owner,messages,sent_bytes,"
                                    "finish_1,finish_2,finish_3,work_1,"));
  CHECK_THAT(csv.substr(0, csv.find('\n')), Catch::EndsWith("sent_bytes_3,engine,version"));

  const auto rows = rows_of(csv), points = rows_of(r.nowsim({"run", "e.yaml", "-q", "-f", "csv"}).out);
  CHECK(rows.size() == 4 * 150);
  for (std::size_t p = 0; p < 4; ++p) {
    Moments t, finish, owner;
    const std::string workstations = points[p].at("platform.workstations");
    for (std::size_t k = 0; k < 150; ++k) {
      const auto& row = rows[150 * p + k];
      REQUIRE(row.at("owner.TH") == points[p].at("owner.TH"));
      REQUIRE(row.at("platform.workstations") == workstations);
      REQUIRE(row.at("replication") == std::to_string(k));
      REQUIRE(row.at("finish_3").empty() == (workstations == "2"));
      CHECK(number(row.at("effective")) == Approx(90));
      CHECK(number(row.at("owner")) ==
            Approx(number(row.at("owner_1")) + number(row.at("owner_2")) +
                   (workstations == "2" ? 0 : number(row.at("owner_3")))));
      t.add(number(row.at("T")));
      finish.add(number(row.at("finish_2")));
      owner.add(number(row.at("owner")) / number(workstations) / number(row.at("T")));
    }
    CHECK(t.mean() == Approx(number(points[p].at("tau"))).epsilon(1e-12));
    CHECK(t.sd() == Approx(number(points[p].at("sigma_T"))).epsilon(1e-12));
    CHECK(finish.mean() == Approx(number(points[p].at("T_i_2"))).epsilon(1e-12));
    CHECK(owner.mean() == Approx(number(points[p].at("owner"))).epsilon(1e-12));
  }
}

TEST_CASE("Rows are those behind the estimates, whatever else the store holds", "[replications]") {
  const Recorded r;
  const std::string csv = r.run();
  CHECK(r.swept({"--replications", "400"}) != csv);
  CHECK(r.swept() == csv);  // of 400 that are there, in batches of other sizes
  const std::vector<std::string> rule{"--precision", "1%", "--replications", "2000", "--jobs", "3"};
  const std::string stopped = r.run(rule);
  CHECK(r.swept(rule) == stopped);
  std::map<std::string, double> counts;
  for (const auto& row : rows_of(stopped)) ++counts[row.at("owner.TH") + " " + row.at("platform.workstations")];
  for (const auto& point : rows_of(r.nowsim({"show", "store", "-f", "csv"}).out))
    if (point.at("status") == "ok")
      CHECK(counts.at(point.at("owner.TH") + " " + point.at("platform.workstations")) ==
            number(point.at("replications")));
}

TEST_CASE("Batches of one start, of many sizes: those that are enough, and the one that is missing",
          "[replications]") {
  const auto taken = [](std::set<std::pair<std::uint64_t, std::uint64_t>> there, std::uint64_t replications) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> batches;
    for (const Batch& b : batches_of_first({1, 2, std::move(there)}, replications)) batches.emplace_back(b.first, b.count);
    return batches;
  };
  using Batches = decltype(taken({}, 0));
  const std::set<std::pair<std::uint64_t, std::uint64_t>> there{{0, 30}, {0, 100}, {100, 20}, {100, 50}, {100, 100}};
  CHECK(taken(there, 30) == Batches{{0, 30}});
  CHECK(taken(there, 31) == Batches{{0, 100}});
  CHECK(taken(there, 100) == Batches{{0, 100}});
  CHECK(taken(there, 120) == Batches{{0, 100}, {100, 20}});
  CHECK(taken(there, 130) == Batches{{0, 100}, {100, 50}});
  CHECK(taken(there, 200) == Batches{{0, 100}, {100, 100}});
  CHECK(taken(there, 201) == Batches{{0, 100}, {100, 100}, {200, 1}});
  CHECK(taken({}, 5) == Batches{{0, 5}});
  CHECK(taken({{100, 10}}, 5) == Batches{{0, 5}});
}

TEST_CASE("What some points have alone is blank in the others' rows", "[replications]") {
  const std::string machines = "nowsim: 1\nplatform: {workstations: 2, speed: 1f}\njob: {workload: base-task, work: 90f}\n";
  const Recorded jobs(machines + "owner: {model: jobs, u: 20%, demand: 1s}\nrun: {replications: 4}\nmetrics: [tau]\n"
                                 "sweep: {platform.workstations: [2, 33]}\n");
  const auto rows = rows_of(jobs.run());
  REQUIRE(rows.size() == 8);
  CHECK_FALSE(rows[0].at("owner_jobs").empty());
  CHECK_FALSE(rows[0].at("finish_2").empty());
  CHECK(rows[4].at("finish_2").empty());  // of 33 workers none has values
  CHECK_FALSE(rows[0].contains("finish_3"));
  CHECK_FALSE(rows[4].at("owner").empty());
  CHECK_FALSE(rows[0].contains("variance_reduction"));

  const Recorded pairs(machines + "owner: {model: intervals, TH: 0.4}\nrun: {replications: 4}\nmetrics: [tau]\n"
                                  "sweep: {run.variance_reduction: [none, antithetic]}\n");
  const auto paired = rows_of(pairs.run());
  REQUIRE(paired.size() == 8);
  CHECK(paired[0].at("variance_reduction") == "none");
  CHECK(paired[4].at("variance_reduction") == "antithetic");
  CHECK_FALSE(paired[0].contains("owner_jobs"));
}

namespace {

/// The manual's page of this.
std::string page() { return content_of(source_folder() + "/experiments/driver/running/replications.md"); }

/// The page's block of code in a language.
std::string snippet(const std::string& language) {
  const std::string text = page(), fence = "```" + language + "\n";
  const auto begin = text.find(fence) + fence.size();
  return text.substr(begin, text.find("```", begin) - begin);
}

/// The page's first command, as words.
std::vector<std::string> first_command() {
  const std::string text = page();
  const auto begin = text.find("    nowsim ") + 11;
  std::istringstream line(text.substr(begin, text.find('\n', begin) - begin));
  std::vector<std::string> words;
  for (std::string word; line >> word;) words.push_back(word);
  return words;
}

/// What a program says in a folder; nothing where it does not run.
std::string said_by(const std::string& folder, const std::vector<std::string>& words) {
  const ProgramEnd end = nowsim::run_program(folder, words, "", {});
  return end.status == 0 ? end.said : "";
}

/// Student's statistic of the differences in T between the policies.
double paired_t(const std::string& csv) {
  std::map<std::string, double> differences;
  for (const auto& row : rows_of(csv))
    differences[row.at("replication")] += (row.at("split.policy") == "equal" ? 1 : -1) * number(row.at("T"));
  Moments d;
  for (const auto& [replication, difference] : differences) d.add(difference);
  return d.mean() / (d.sd() / std::sqrt(static_cast<double>(d.count())));
}

/// The number behind "t = ".
double told_t(const std::string& said) {
  std::smatch match;
  REQUIRE(std::regex_search(said, match, std::regex(R"(\bt = (-?[0-9.]+))")));
  return number(match[1]);
}

}  // namespace

TEST_CASE("The manual's snippets for R and pandas find what the rows say", "[replications][manual]") {
  const Folder folder;
  const ProgramRun run = run_program(first_command(), folder.path());
  INFO(run.error);
  REQUIRE(run.status == 0);
  const double t = paired_t(content_of(folder.path() + "/runs.csv"));

  folder.file("snippet.R", snippet("r"));
  if (!is_program("Rscript")) {
    skipped("r", "the snippet for R, as there is no Rscript (Debian: r-base-core)");
  } else {
    const std::string said = said_by(folder.path(), {"Rscript", "snippet.R"});
    CHECK_THAT(said, Contains("Paired t-test") && Contains("df = 199"));
    CHECK(told_t(said) == Approx(t).epsilon(1e-3));
    CHECK(std::filesystem::file_size(folder.path() + "/Rplots.pdf") > 2000);
  }

  folder.file("snippet.py", snippet("python"));
  std::string python;
  for (const char* candidate : {"python3", "/usr/bin/python3"})
    if (is_program("python3") && python.empty() &&
        !said_by(folder.path(), {candidate, "-c", "import pandas, scipy; print('there')"}).empty())
      python = candidate;
  if (python.empty()) {
    skipped("scipy", "the snippet for pandas, as there is none or no SciPy (Debian: python3-pandas, python3-scipy)");
  } else {
    const std::string said = said_by(folder.path(), {python, "snippet.py"});
    CHECK_THAT(said, Contains("proportional") && Contains("\n0.50 ") && Contains("ConfidenceInterval(low="));
    CHECK(told_t(said) == Approx(t).epsilon(1e-5));
  }
}

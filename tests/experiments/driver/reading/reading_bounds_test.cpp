// Reading ends: whatever numbers an experiment has, it is read or refused at once, and reading can be stopped.
#include <catch2/catch.hpp>
#include <filesystem>

#include "experiments/driver/pictures/resolved_figure.hpp"
#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/reading/owner_config.hpp"
#include "experiments/driver/running/runner.hpp"
#include "tests/experiments/driver/experiment_fixture.hpp"
#include "tests/experiments/driver/reading_fixture.hpp"
#include "tests/paths.hpp"
#include "workloads/built_in.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

std::string on(const std::string& platform, const std::string& more = "") {
  return "nowsim: 1\nplatform: " + platform + "\njob: {workload: base-task, work: 400f}\nrun: {replications: 2}\n" +
         more;
}

}  // namespace

TEST_CASE("More workstations than fit the memory are refused with the estimate, before any is made",
          "[reads][reading_bounds][memory][error]") {
  for (const char* count : {"1e12", "9e15"}) {
    INFO(count);
    CHECK_THAT(problems_of(on(std::string("{workstations: ") + count + ", speed: 1f}")),
               Contains("e.yaml:2: platform.workstations: a platform of ") && Contains("would need about "));
  }
}

TEST_CASE("A split on more replications than fit the memory is refused", "[reading_bounds][memory][error]") {
  CHECK_THAT(problems_of(on("{workstations: 4, speed: 1f}",
                            "owner: {model: intervals, TH: 0.2}\nsplit: {policy: optimal, replications: 1e12}\n")),
             Contains("e.yaml:6: split.replications: a split found on 1000000000000 replications would need about "
                      "100 TB"));
}

TEST_CASE("What is wrong with all of many workstations is not found for each of them", "[reading_bounds]") {
  ReadingOf r("owner: {model: intervals, TH: 0.28, SH: \xE2\x88\x92" "5}");  // a typographic minus
  OwnerCache cache;
  CHECK(read_owners(r.reading, *machines(5000, NetworkKind::none), cache).size() == 5000);
  CHECK(r.problems.list().size() == 1);
  CHECK(r.problems.found() < 1000);
}

TEST_CASE("Many variables, keys, axes and labels are read or refused, not each held against all", "[reading_bounds]") {
  const auto lines = [](int count, const auto& line) {
    std::string text;
    for (int i = 0; i < count; ++i) text += line(std::to_string(i), std::to_string(i + 1));
    return text;
  };
  const std::string four = "{workstations: 4, speed: 1f}";
  const auto one = [](const auto& i, const auto&) { return "  v" + i + ": 1\n"; };
  const std::string chain =
      "let:\n" + lines(5000, [](const auto& i, const auto& next) { return "  v" + i + ": = v" + next + " + 1\n"; }) +
      "  v5000: 1\n";
  SECTION("a chain that nothing uses") {
    CHECK(loaded(on(four, chain)).remarks.size() == 1);  // the first: each of the others is named by another
  }
  SECTION("a chain that is too deep") {
    std::string yaml = on(four, chain);
    yaml.replace(yaml.find("400f"), 4, "= v0");
    CHECK_THAT(problems_of(yaml), Contains("job.work: the formula depends on one that depends on another"));
  }
  SECTION("formulas that nothing uses") {
    const std::string let = lines(5000, [](const auto& i, const auto&) { return "  v" + i + ": = 1 + " + i + "\n"; });
    CHECK(loaded(on(four, "let:\n" + let)).remarks.size() == 5000);
  }
  SECTION("unknown keys") {
    const std::string problems = problems_of(on(four, "let:\n" + lines(20'000, one) + "job2:\n" + lines(20'000, one)));
    CHECK_THAT(problems, Contains("job2: this key is not known") && Contains("more problems"));
  }
  SECTION("axes and a zip of unused variables") {
    const auto axis = [](const auto& i, const auto&) { return "    let.v" + i + ": [1, 2]\n"; };
    CHECK_THAT(problems_of(on(four, "let: {x: = v1}\nsweep:\n  zip:\n" + lines(20'000, axis))),
               Contains("sweep.let.v0: no formula uses this variable"));
  }
  SECTION("values and labels of an axis") {
    std::string values;
    for (int i = 0; i < 6000; ++i) values += (i > 0 ? ", " : "") + std::to_string(i);
    const std::string labels = lines(6000, [](const auto& i, const auto&) { return i + "x: a, "; });
    CHECK_THAT(
        problems_of(
            on(four, "metrics: [tau]\nsweep: {platform.workstations: [2, 4], run.seed: [" + values +
                         "]}\nfigure: {x: platform.workstations, series: run.seed, panels: [{metric: tau}], labels: {" +
                         labels + "}}\n")),
        Contains("never takes the value"));
    CHECK_THAT(problems_of(on(four, "metrics: [tau]\nsweep: {run.seed: [" + values +
                                        "]}\nclaims:\n  - {id: a, says: b, source: c, check: increasing, metric: tau, "
                                        "along: run.seed, where: {run.seed: [" +
                                        values + ", 0.5]}}\n")),
               Contains("does not take the value '0.5'; its values: 0, 1, ") && Contains("9 and 5990 more"));
  }
  SECTION("a block with keys that it does not have") {
    const std::string keys = lines(40'000, [](const auto& i, const auto&) { return ", k" + i + ": 1"; });
    CHECK_THAT(problems_of(on(four, "metrics: [tau]\nfigure: {x: run.seed, panels: [{metric: tau}]" + keys + "}\n")),
               Contains("figure.k0: this key is not known"));
  }
  SECTION("sets with the same problem each") {
    const std::string sets =
        lines(30'000, [](const auto& i, const auto&) { return (i == "0" ? "s" : ", s") + i + ": [nobody]"; });
    CHECK_THAT(problems_of(on("{file: " + source_folder() + "/platforms/lab-now.xml, set: s1, sets: {" + sets + "}}")),
               Contains("platform.sets.s0: there is no workstation 'nobody'"));
  }
}

TEST_CASE("A sweep of more values than fit the memory is refused", "[reading_bounds][memory][error]") {
  std::string zip, axes;
  for (int i = 0; i < 40'000; ++i) zip += "      let.z" + std::to_string(i) + ": [1, 2]\n";
  for (int i = 0; i < 18; ++i) axes += "  - let.a" + std::to_string(i) + ": [1, 2]\n";
  CHECK_THAT(problems_of(on("{workstations: 4, speed: 1f}", "sweep:\n" + axes + "  - zip:\n" + zip)),
             Contains("a sweep of 524288 points would need about "));
}

TEST_CASE("Blocks by name are read however many problems there are", "[reading_bounds]") {
  OwnerCache cache;
  const auto platform = machines(5000, NetworkKind::none);
  const std::string last = platform->workstations.back().name;
  ReadingOf named("owner: {model: intervals, TH: 0.28, SH: x, hosts: {" + last + ": {model: dedicatedd}}}");
  read_owners(named.reading, *platform, cache);
  CHECK_THAT(named.found(), Contains("dedicatedd"));
}

TEST_CASE("Reading tells how far it is, and can be ended", "[reading_bounds][interruption]") {
  const Folder folder;
  const std::string file =
      folder.file("e.yaml", on("{workstations: 2, speed: 1f}", "sweep: {run.seed: [1, 2, 3]}\n"));
  std::vector<std::size_t> told;
  const auto watched = [&](const LoadProgress& watch) {
    return load_experiment(file, {}, Registries({}, builtin_checks(), builtin_figures()), watch);
  };
  watched([&](std::size_t read, std::size_t all) {
    CHECK(all == 3);
    told.push_back(read);
  });
  CHECK(told == std::vector<std::size_t>{0, 1, 2});
  const auto stop = [](std::size_t read, std::size_t) {
    if (read == 2) throw Interrupted();
  };
  CHECK_THROWS_AS(watched(stop), Interrupted);
}

TEST_CASE("A job that needs more machines than there are is the only thing said of its shares",
          "[reading_bounds][error]") {
  const std::string table1 =
      "nowsim: 1\nplatform: {workstations: 1, speed: 1f}\n"
      "job: {workload: stochastic-time, law: gamma, work: 200f, sd_first: 10s, sd_last: 30s, sd_at: 100s}\n"
      "split: {policy: equalize, guard: false}\nowner: {model: dedicated, TH: 1}\nmetrics: [tau]\n";
  const std::string problems = problems_of(table1);
  CHECK_THAT(problems, Contains("'stochastic-time' needs at least 2 workstations; there are 1"));
  CHECK_THAT(problems, Contains("owner.TH"));  // and the others are not hidden
  CHECK_THAT(problems, !Contains("Error in function"));
}

TEST_CASE("Numbers that are hard to compute with are read, or refused in a sentence", "[reading_bounds][error]") {
  const auto job = [](const std::string& sd) {
    return "nowsim: 1\nplatform: {workstations: 2, speed: 1f}\n"
           "job: {workload: stochastic-time, law: gamma, work: 200f, sd_first: 10s, sd_last: " + sd +
           ", sd_at: 100s}\nsplit: {policy: equalize, guard: false}\nowner: {model: dedicated}\nmetrics: [tau]\n";
  };
  CHECK(problems_of(job("30s")).empty());
  for (const char* sd : {"1e200s", "1e300s", "1e308s"}) {
    INFO(sd);
    const std::string problems = problems_of(job(sd));
    CHECK_THAT(problems, !Contains("Error in function") && !Contains("boost") && !Contains("nan"));
  }
}

TEST_CASE("A trace that does not fit the memory is refused by its size", "[reading_bounds][memory][error]") {
  const Folder folder;
  const std::string trace = folder.file("t.csv", "timestamp,value\n0,1\n");
  std::filesystem::resize_file(trace, 1'000'000'000'000);  // a hole takes no space
  ReadingOf r("owner: {model: trace, file: " + trace + "}");
  OwnerCache cache;
  read_owners(r.reading, *machines(2, NetworkKind::none), cache);
  CHECK_THAT(r.found(), Contains("t.csv would need about 2 TB of memory"));
}

TEST_CASE("Genomes that do not fit the memory are refused", "[reading_bounds][memory][error]") {
  CHECK_THAT(problems_of("nowsim: 1\nplatform: {workstations: 3, speed: 1Gf, network: switch, bandwidth: 1GBps}\n"
                         "job: {workload: genetic-algorithm, population: 1e6, genes: 2e4, bits: 52}\n"
                         "owner: {model: dedicated}\nmetrics: [tau]\n"),
             Contains("e.yaml:3: job.workload: a population of 1000000 genomes would need about 390 GB of memory"));
}

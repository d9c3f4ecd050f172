// Owners of every kind under every modifier have the identities, moments, first steps and makespans that are recorded
// beside this test: stored results are found by the first, and the rest may change with kModelVersion alone. After such a
// change record them anew: nowsim_tests '[.record]'.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/text.hpp"
#include "sim/engines/direct/engine.hpp"
#include "sim/owners/owner.hpp"
#include "sim/owners/owner_models.hpp"
#include "sim/program/scenario.hpp"
#include "tests/experiments/driver/experiment_fixture.hpp"
#include "tests/paths.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

using Words = std::vector<std::string>;

struct Named {
  const char* name;
  std::string text;
};

/// What owners are; FOLDER stands for that of the files below.
const std::vector<Named> kKinds{
    {"dedicated", "model: dedicated"},
    {"intervals", "model: intervals, TH: 0.4"},
    {"intervals, SH", "model: intervals, TH: 0.4, SH: 0.1, interval: 7s"},
    {"intervals, two-point on constant", "model: intervals, TH: 0.8, value: two-point, length: constant"},
    {"intervals, beta on exponential", "model: intervals, TH: 0.6, value: beta, length: exponential"},
    {"intervals, normal on Pareto", "model: intervals, TH: 0.3, value: truncated-normal, length: pareto, shape: 2.5"},
    {"intervals, constant on Weibull", "model: intervals, TH: 0, value: constant, length: weibull, length_cv: 2"},
    {"intervals, lognormal lengths", "model: intervals, TH: 0.4, length: lognormal, length_cv: 2"},
    {"intervals, values of data", "model: intervals, value: histogram, values: [0.2, 0.5, 1], weights: [1, 2, 1]"},
    {"intervals, values of a file", "model: intervals, value: file, value_file: FOLDER/values.txt, interval: 3s"},
    {"intervals, a formula", "model: intervals, value: formula, value_formula: \"u < 0.3 ? 0.2 : 1 - u/10\""},
    {"intervals, lengths of a formula", "model: intervals, TH: 0.3, length: formula, length_formula: \"1 + 9*u\""},
    {"intervals, correlated", "model: intervals, TH: 0.4, correlation: 0.6"},
    {"intervals, all in common", "model: intervals, TH: 0.4, length: exponential, correlation: 1"},
    {"intervals, measured", "model: intervals, TH: 0.4, worth: 30, mean_se: 0.05, TH_se: 0.2, interval_se: 0.1"},
    {"intervals, measured and correlated",
     "model: intervals, TH: 0.4, worth: 5, mean_se: 0.05, interval_se: 0.3, correlation: 0.4, length: exponential"},
    {"duty-cycle", "model: duty-cycle, u: 0.25"},
    {"duty-cycle, aligned", "model: duty-cycle, u: 0.25, period: 7s, phase: aligned"},
    {"duty-cycle, correlated", "model: duty-cycle, u: 0.25, correlation: 0.5"},
    {"duty-cycle, always busy", "model: duty-cycle, u: 1"},
    {"jobs", "model: jobs, u: 0.25, demand: 2s"},
    {"jobs, priority", "model: jobs, u: 0.25, demand: 2s, discipline: preemptive-priority"},
    {"jobs, Weibull", "model: jobs, u: 0.4, demand: 20s, demand_law: weibull, demand_cv: 2"},
    {"jobs, arrivals", "model: jobs, interarrival: 8s, demand: 2s, arrivals: lognormal, arrival_cv: 2"},
    {"jobs, how often by the hour", "model: jobs, demand: 2s"},
    {"jobs, a log", "model: jobs, log: FOLDER/jobs.log"},
    {"profile", "model: profile, file: FOLDER/speed.profile"},
    {"profile, once", "model: profile, file: FOLDER/once.profile"},
    {"profile, stochastic", "model: profile, file: FOLDER/stochastic.profile"},
    {"trace", "model: trace, measures: utilisation, file: FOLDER/t.csv"},
    {"trace, correlated", "model: trace, measures: utilisation, file: FOLDER/t.csv, correlation: 0.3"},
    {"traces of one time", "model: trace, measures: utilisation, folder: FOLDER, file: '{host}.csv'"},
};

const std::vector<Named> kStarts{{"", ""},
                                 {"fresh", ", start: fresh"},
                                 {"independent", ", start: independent"},
                                 {"common", ", start: common"},
                                 {"beginning", ", start: beginning"}};

const std::string kHours = "1, 0.9, 0.8, 0.7, 0.9, 1, 0.5, 0.4, 0.3, 0.6, 0.7, 0.8, 1, 1, 0.2, 0.3, 0.4, 0.5, 0.9, 1, 1, 1, 1, 1";
const std::vector<Named> kPatterns{{"", ""},
                                   {"by the hour", ", diurnal: {hours: [" + kHours + "]}"},
                                   {"from 8:30", ", diurnal: {hours: [" + kHours + "], start: '8:30'}"}};

/// What is done to the owners that an experiment has.
struct Seen {
  const char* name;
  std::optional<OwnerSight> sight;
};
const std::vector<Seen> kSights{{"", std::nullopt},
                                {"after 1000 s", OwnerSight{1000, std::nullopt}},
                                {"found at 0.3", OwnerSight{1000, 0.3}}};

std::string hex(const std::string& text) {
  char out[17];
  std::snprintf(out, sizeof out, "%016llx", static_cast<unsigned long long>(fnv1a(text)));
  return out;
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at; (at = text.find(what)) != std::string::npos;) text.replace(at, what.size(), by);
  return text;
}

/// The recorded files.
void write_files(const Folder& folder) {
  folder.file("values.txt", "0.1\n0.9\n0.4\n0.6\n");
  folder.file("jobs.log", "0 5\n10 3\n25 20\n60 1\n");
  folder.file("speed.profile", "PERIODICITY 20\n0 1\n5 0.5\n12 0\n15 0.8\n");
  folder.file("once.profile", "0 1\n5 0.5\n30 0.9\n");
  folder.file("stochastic.profile", "STOCHASTIC LOOP\nUNIF 1 9 UNIF 0.2 0.8\n");
  folder.file("t.csv", "time,value\n0,0.1\n10,0.5\n20,0.25\n30,0.9\n");
  const std::string day = "2026-11-26T10:";
  folder.file("ws1.csv", "time,value\n" + day + "00:00Z,0.1\n" + day + "00:30Z,0.9\n" + day + "01:00Z,0.2\n");
  folder.file("ws2.csv", "time,value\n" + day + "00:10Z,0.6\n" + day + "00:40Z,0.0\n" + day + "01:10Z,0.3\n");
}

void see(std::vector<OwnerPtr>& owners, const OwnerSight& sight) {
  const auto before = owners;
  for (auto& owner : owners) owner = owner_under_way(owner, sight);
  see_together(owners, before, std::vector<OwnerSight>(owners.size(), sight));
}

/// The first steps of the owners' paths, and their moments.
std::string steps(const Scenario& s) {
  std::string text;
  for (std::size_t i = 0; i < s.size(); ++i) {
    const Owner& owner = *s.owners[i];
    text += number_text(owner.mean()) + " " + number_text(owner.sd()) + " " + (owner.moments().are_exact ? "" : "about") +
            number_text(owner.replayed_after_s()) + " " + (owner.begins_at_random() ? "random" : "") + "\n";
    for (std::uint64_t replication = 0; owner.jobs() == nullptr && replication < 6; ++replication) {
      const auto path = owner.path({s.seed, replication, i});
      for (int n = 0; n < 9; ++n) {
        const Step step = path->next();
        text += number_text(step.duration_s) + ":" + number_text(step.value) + " ";
        if (!(step.duration_s < 1e300)) break;
      }
      text += "\n";
    }
  }
  return text;
}

std::string makespans(const Scenario& s) {
  std::string text;
  for (const Batch& batch : {Batch{0, 9}, Batch{6, 20}})
    for (const RunResult& result : run_batch_direct(s, batch)) text += number_text(result.makespan_s) + " ";
  return text;
}

/// Hashes of identities, the scenario's key, paths and makespans; none of what is refused.
Words hashes_of(const std::string& owner, const std::string& reduction, const std::optional<OwnerSight>& sight,
                const Folder& folder) {
  try {
    const Experiment e = loaded("nowsim: 1\nplatform: {workstations: 2, speed: 1f}\njob: {workload: base-task, work: 100f}\n"
                                "owner: {" + owner + "}\nrun: {seed: 42, replications: 4}\n",
                                {"run.variance_reduction=" + reduction});
    Scenario s = *e.points.at(0).scenario();
    if (sight) see(s.owners, *sight);
    std::string who;
    for (const auto& one : s.owners)
      who += one->identity() + "\n" + replaced(one->describe(), folder.path(), "FOLDER") + "\n";
    return {hex(who), hex(ScenarioKeys().key(s, "direct")), hex(steps(s)), hex(makespans(s))};
  } catch (const std::exception&) {  // which keys there are is for the reader's tests to say
    return {};
  }
}

/// All that can be had: KIND / START / PATTERN = hashes, each of those of all sights, plain and antithetic.
Words all_lines() {
  const Folder folder;
  write_files(folder);
  Words out;
  for (const auto& [kind, text] : kKinds)
    for (const auto& [start, start_text] : kStarts)
      for (const auto& [pattern, pattern_text] : kPatterns) {
        const std::string owner = replaced(text + start_text + pattern_text, "FOLDER", folder.path());
        Words all(4);
        for (const auto& [seen, sight] : kSights)
          for (const std::string reduction : {"none", "antithetic"}) {
            const Words hashes = hashes_of(owner, reduction, sight, folder);
            for (std::size_t i = 0; i < all.size() && !hashes.empty(); ++i)
              all[i] += std::string(seen) + "/" + reduction + "=" + hashes[i] + " ";
          }
        if (all.front().empty()) continue;
        std::string line = std::string(kind) + " / " + start + " / " + pattern + " =";
        for (const std::string& hashes : all) line += " " + hex(hashes);
        out.push_back(line);
      }
  return out;
}

std::string recorded_file() { return source_folder() + std::string("/tests/sim/owners/owner_guard.txt"); }

}  // namespace

TEST_CASE("Owners of every kind under every modifier are what they were", "[computes][identity][golden]") {
  std::ifstream in(recorded_file());
  Words recorded;
  for (std::string line; std::getline(in, line);)
    if (!line.starts_with("#")) recorded.push_back(line);
  REQUIRE(recorded.size() > 200);
  const Words now = all_lines();
  CHECK(now.size() == recorded.size());  // what is refused has no line
  for (const std::string& line : now) {
    INFO(line);
    CHECK(std::ranges::find(recorded, line) != recorded.end());
  }
}

TEST_CASE("Owners of every kind are recorded", "[.record]") {
  std::ofstream out(recorded_file());
  out << "# kind / start / pattern = hashes, over all that is seen and both variance reductions, of identities and\n"
         "# descriptions, of the scenario's key, of moments and first steps, of makespans on the direct engine\n";
  for (const std::string& line : all_lines()) out << line << "\n";
  REQUIRE(out.good());
}

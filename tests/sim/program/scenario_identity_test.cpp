// A scenario's key: it tells apart what gives other results, and nothing else; and figures that hold the model's version.
#include "sim/program/scenario.hpp"

#include <catch2/catch.hpp>
#include <map>

#include "sim/base/text.hpp"
#include "sim/engines/batch_record.hpp"
#include "tests/experiments/driver/experiment_fixture.hpp"
#include "tests/paths.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

const std::string kBase =
    "nowsim: 1\n"
    "title: one\n"
    "platform: {workstations: 2, speeds: [2Gf, 3Gf], network: switch, bandwidth: 1MBps, latency: 1ms}\n"
    "job: {workload: augmented-task, work: 600Gf, phases: 3}\n"
    "owner: {model: intervals, TH: 0.28, interval: 10s}\n"
    "run: {replications: 10}\n";

std::string key_of(const Scenario& scenario, const std::string& engine = "simgrid") { return ScenarioKeys().key(scenario, engine); }

std::string key_of(const std::string& yaml, const std::vector<std::string>& flags = {}) {
  const Experiment e = loaded(yaml, flags);
  REQUIRE(e.points.size() == 1);
  REQUIRE(e.points[0].scenario());
  return key_of(*e.points[0].scenario());
}

/// Checks that all texts have keys of their own.
void check_all_differ(const std::string& yaml, const std::vector<std::vector<std::string>>& variants) {
  std::map<std::string, std::string> seen;
  for (const auto& flags : variants) {
    std::string name;
    for (const auto& flag : flags) name += flag + " ";
    INFO(name);
    const auto [known, is_new] = seen.try_emplace(key_of(yaml, flags), name);
    INFO("has the key of: " << known->second);
    CHECK(is_new);
  }
}

const char* const kPlatform =
    "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
    "<platform version=\"4.1\"><zone id=\"z\" routing=\"Full\">"
    "<host id=\"a\" speed=\"1Gf\" state_file=\"state.profile\"/><host id=\"b\" speed=\"1Gf\" speed_file=\"speed.profile\"/>"
    "<link id=\"l\" bandwidth=\"1MBps\" latency=\"1ms\" bandwidth_file=\"link.profile\"/>"
    "<route src=\"a\" dst=\"b\"><link_ctn id=\"l\"/></route></zone></platform>\n";

/// The key of a platform in files of its own folder.
std::string key_of_files(const std::map<std::string, std::string>& changed, const std::string& name = "p.xml") {
  std::map<std::string, std::string> files{{name, kPlatform},
                                           {"state.profile", "PERIODICITY 100\n0 1\n50 0\n60 1\n"},
                                           {"speed.profile", "PERIODICITY 10\n0 1\n5 0.5\n"},
                                           {"link.profile", "0 1e6\n30 2e6\n"}};
  for (const auto& [file, text] : changed) files[file] = text;
  const Folder folder;
  for (const auto& [file, text] : files) folder.file(file, text);
  return key_of("nowsim: 1\njob: {workload: all-to-all, work: 8Gf, rounds: 1, bytes: 1kB}\n", {"platform.file=" + folder.path() + "/" + name});
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("A scenario's key changes with everything that its results depend on", "[reads][identity]") {
  check_all_differ(kBase, {
      {},
      {"run.seed=2"},
      {"job.work=600.0000001Gf"},
      {"job.phases=4"},
      {"job.synchronise=both"},
      {"job.barrier_cost=1us"},
      {"job.bytes=1B"},
      {"job.bytes=2B"},
      {"bandwidth={model: intervals, TH: 0.28, interval: 10s}"},
      {"bandwidth={model: intervals, TH: 0.28, interval: 11s}"},
      {"bandwidth={model: intervals, TH: 0.28, SH: 0.1, interval: 10s}"},
      {"bandwidth.hosts.ws1={model: intervals, TH: 0.28, interval: 10s}"},
      {"job={workload: base-task, work: 600Gf}"},
      {"platform.speeds=[3Gf, 2Gf]"},
      {"platform.speeds=[2Gf, 3.0000001Gf]"},
      {"platform.workstations=1"},
      {"platform.names=[a, b]"},
      {"platform.names=[b, a]"},
      {"platform.cores=2"},
      {"platform.bandwidth=1.0000001MBps"},
      {"platform.latency=1.0000001ms"},
      {"platform.network=bus"},
      {"platform.network=links"},
      {"platform.network=none"},
      {"split.policy=proportional"},
      {"split={policy: linear-slope, slope: 1}"},
      {"split={policy: linear-slope, slope: 2}"},
      {"owner.TH=0.2800000000001"},
      {"owner.interval=10.000000001s"},
      {"owner.mean=0.500000001"},
      {"owner.SH=0.1"},
      {"owner.value=beta"},
      {"owner.value=two-point"},
      {"owner.value=truncated-normal"},
      {"owner={model: intervals, TH: 0, value: constant}"},
      {"owner.length=exponential"},
      {"owner.length=constant"},
      {"owner={model: intervals, TH: 0.28, interval: 10s, length: pareto, shape: 3}"},
      {"owner={model: intervals, TH: 0.28, interval: 10s, length: pareto, shape: 3.000000001}"},
      {"owner.hosts.ws2.TH=0.1"},
      {"owner.hosts.ws1.TH=0.1"},
      {"owner={model: dedicated}"},
      {"owner={model: duty-cycle, u: 0.25, period: 10s}"},
      {"owner={model: duty-cycle, u: 0.2500000001, period: 10s}"},
      {"owner={model: duty-cycle, u: 0.25, period: 10.00000001s}"},
      {"owner={model: duty-cycle, u: 0.25, period: 10s, phase: aligned}"},
      {"owner={model: jobs, u: 0.25, demand: 2s}"},
      {"owner={model: jobs, u: 0.2500000001, demand: 2s}"},
      {"owner={model: jobs, u: 0.25, demand: 2.00000001s}"},
      {"owner={model: jobs, interarrival: 2.00000001s, demand: 0.5s}"},
      {"owner={model: jobs, interarrival: 2s, demand: 0.5s}"},
      {"owner={model: jobs, u: 0.25, demand: 2s, discipline: preemptive-priority}"},
      {"owner={model: jobs, u: 0.25, demand: 2s, demand_law: constant}"},
      {"owner={model: jobs, u: 0.25, demand: 2s, demand_law: uniform}"},
      {"owner={model: jobs, u: 0.25, demand: 2s, demand_law: pareto, shape: 3}"},
      {"owner={model: jobs, u: 0.25, demand: 2s, demand_law: pareto, shape: 3.0000001}"},
      {"owner={model: jobs, u: 0.25, demand: 2s}", "platform.cores=2"},
  });
}

TEST_CASE("A scenario's key does not change with what its results do not depend on", "[identity]") {
  const std::string base = key_of(kBase);
  const std::vector<std::vector<std::string>> same{
      {"title=two"},
      {"description=words"},
      {"run.replications=999"},
      {"run.precision=1%", "run.min_replications=50", "run.precision_of=sigma_T"},
      {"run.confidence=99%"},
      {"run.deadline=3min"},
      {"run.timeout=1h"},
      {"run.infeasible=skip"},
      {"run.baseline=one"},
      {"run.engine=simgrid"},
      {"metrics=[tau, sigma_T/tau, speedup, T_i]"},
      {"owner.interval=10"},
      {"owner.interval=10000ms"},
      {"owner.interval== 2 * 5"},
      {"owner.TH=28%"},
      {"owner.TH=0.280"},
      {"owner.TH== 0.14 * N"},
      {"owner.mean=50%"},
      {"owner.value=uniform", "owner.length=uniform", "owner.SH=0"},
      {"job.work=0.6Tf"},
      {"job.work=6e11"},
      {"let.each=300Gf", "job.work== N * let.each"},
      {"job.synchronise=after"},
      {"job.barrier_cost=0"},
      {"job.bytes=0"},
      {"bandwidth={model: dedicated}"},
      {"bandwidth.hosts.ws2.model=dedicated"},
      {"platform.speeds=[2e9, 3000Mf]"},
      {"platform.bandwidth=8Mbps"},
      {"platform.latency=1000us"},
      {"platform.names=[ws1, ws2]"},
      {"platform.cores=1"},
      {"split.policy=equal"},
      {"split={policy: linear-slope, slope: 0}"},
      {"sweep={owner.TH: [0.28]}"},
  };
  for (const auto& flags : same) {
    INFO(flags.front());
    CHECK(key_of(kBase, flags) == base);
  }
  const std::string jobs = key_of(kBase, {"owner={model: jobs, u: 0.25, demand: 2s}"});
  CHECK(key_of(kBase, {"owner={model: jobs, interarrival: 8s, demand: 2000ms}"}) == jobs);
  CHECK(key_of(kBase, {"owner={model: jobs, u: 25%, demand: 2, demand_law: exponential}"}) == jobs);
  CHECK(key_of("# a comment\n" + replaced(kBase, "TH: 0.28,", "TH: 0.28 ,  # another\n  mean:   0.5,")) == base);
}

TEST_CASE("A scenario's key is what it was when the version of the model was raised last", "[identity][golden]") {
  CHECK(key_of(kBase) == "84e55056-1403-551a-b0ff-73570a231f79");
}

TEST_CASE("A scenario's key follows what is in profiles and traces, not their names or comments", "[identity]") {
  const std::string base = key_of_files({});
  CHECK(key_of_files({}) == base);  // another folder
  CHECK(key_of_files({}, "other.xml") == base);
  CHECK(key_of_files({{"speed.profile", "# a comment\nPERIODICITY 10\n0 1\n5 0.5\n"}}) == base);
  std::map<std::string, std::string> seen{{base, "base"}};
  const std::vector<std::map<std::string, std::string>> others{
      {{"state.profile", "PERIODICITY 100\n0 1\n50 0\n60.0000001 1\n"}},
      {{"state.profile", "PERIODICITY 101\n0 1\n50 0\n60 1\n"}},
      {{"state.profile", "0 1\n50 0\n60 1\n"}},
      {{"speed.profile", "PERIODICITY 10\n0 1\n5 0.500000000001\n"}},
      {{"speed.profile", "PERIODICITY 11\n0 1\n5 0.5\n"}},
      {{"speed.profile", "STOCHASTIC LOOP\nDET 5 UNIF 0.4 0.6\n"}},
      {{"speed.profile", "STOCHASTIC LOOP\nDET 5 UNIF 0.4 0.60000001\n"}},
      {{"speed.profile", "STOCHASTIC LOOP\nDET 5.0000001 UNIF 0.4 0.6\n"}},
      {{"link.profile", "0 1e6\n30 2.000001e6\n"}},
      {{"link.profile", "0 1e6\n31 2e6\n"}},
      {{"p.xml", replaced(kPlatform, "bandwidth_file", "latency_file")}},
      {{"p.xml", replaced(kPlatform, "latency=\"1ms\"", "latency=\"2ms\"")}},
      {{"p.xml", replaced(kPlatform, "id=\"b\" speed=\"1Gf\"", "id=\"b\" speed=\"1.0000001Gf\"")}},
      {{"p.xml", replaced(kPlatform, "id=\"b\" speed=\"1Gf\"", "id=\"b\" core=\"2\" speed=\"1Gf\"")}},
  };
  for (const auto& changed : others) {
    INFO(changed.begin()->first << ": " << changed.begin()->second);
    const auto [known, is_new] = seen.try_emplace(key_of_files(changed), changed.begin()->second);
    INFO("has the key of: " << known->second);
    CHECK(is_new);
  }
}

TEST_CASE("A scenario's key follows a trace's numbers and how it is started", "[identity]") {
  const auto key = [](const std::string& rows, const std::string& more = "", const std::string& name = "t.csv") {
    const Folder folder;
    const std::string file = folder.file(name, "time,value\n" + rows);
    return key_of(kBase, {"owner={model: trace, measures: utilisation, file: " + file + more + "}"});
  };
  const std::string base = key("0,0.1\n10,0.5\n20,0.3\n");
  CHECK(key("0,0.1\n10,0.5\n20,0.3\n", "", "other.csv") == base);
  CHECK(key("0,0.10\n10.0,5e-1\n20,0.3\n") == base);
  CHECK(key("0,0.1\n10,0.5\n20,0.3\n", ", start: random, gaps: hold") == base);
  CHECK(key("0,0.1\n10,0.500000001\n20,0.3\n") != base);
  CHECK(key("0,0.1\n10.00001,0.5\n20,0.3\n") != base);
  CHECK(key("0,0.1\n10,0.5\n20,0.3\n", ", start: common") != base);
  CHECK(key("0,0.1\n10,0.5\n20,0.3\n", ", start: beginning") != base);
  CHECK(key("0,0.1\n10,0.5\n20,0.3\n", ", start: common") != key("0,0.1\n10,0.5\n20,0.3\n", ", start: beginning"));
}

TEST_CASE("A scenario's key depends on the order of a file's machines, and on those that are chosen", "[identity]") {
  const std::string lab = source_folder() + "/platforms/lab-now.xml";
  const auto key = [&](const std::string& hosts) {
    return key_of("nowsim: 1\njob: {workload: base-task, work: 1Gf}\nowner: {model: dedicated}\n",
                  {"platform={file: " + lab + ", hosts: [" + hosts + "]}"});
  };
  CHECK(key("desk1, desk2") != key("desk2, desk1"));
  CHECK(key("desk1, desk2") != key("desk1, desk3"));
  CHECK(key("desk1, desk2") != key("desk1"));
  CHECK(key("desk1, desk2") == key_of("nowsim: 1\njob: {workload: base-task, work: 1Gf}\nowner: {model: dedicated}\n",
                                      {"platform={file: " + lab + ", workstations: 2}"}));
}

TEST_CASE("Power weights and links' figures are part of the key, what chose the machines is not", "[identity]") {
  const std::string file = "platform={file: " + source_folder() + "/platforms/sparc-now.xml";
  const std::string job = "nowsim: 1\njob: {workload: all-to-all, work: 1Gf, bytes: 1kB}\n";
  const std::string two = file + ", workstations: 2";
  check_all_differ(job, {{two + "}"},
                         {two + ", weights: ep, speed: 1Mf}"},
                         {two + ", weights: ep, speed: 2Mf}"},
                         {two + ", weights: merge-sort, speed: 1Mf}"},
                         {two + ", links: {ethernet: {bandwidth: 500kBps}}}"},
                         {two + ", links: {ethernet: {latency: 1ms}}}"}});
  CHECK(key_of(job, {two + "}"}) == key_of(job, {file + ", sets: {a: [sparc10-1, sparc10-2]}, set: a}"}));
  CHECK(key_of(job, {two + ", weights: ep, speed: 1Mf}"}) == key_of(job, {two + ", weights: cholesky, speed: 1000000f}"}));
}

TEST_CASE("Coordinates that stand for a network are part of the key", "[identity]") {
  const auto key = [](const std::string& where) {
    return key_of_files({{"p.xml", "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                                   "<platform version=\"4.1\"><zone id=\"z\" routing=\"Vivaldi\">"
                                   "<host id=\"a\" speed=\"1Gf\" coordinates=\"0 0 0\"/>"
                                   "<host id=\"b\" speed=\"1Gf\" coordinates=\"" + where + "\"/></zone></platform>\n"}});
  };
  CHECK(key("100 0 0") != key("200 0 0"));
}

TEST_CASE("A workload's version and its parameters as read are part of the key", "[identity]") {
  const auto key = [](int version, double fallback, const std::string& yaml, const std::string& code = "") {
    Additions additions;
    additions.workloads.push_back({"mine", "a test",
                  {{"size", KeyType::bytes, std::to_string(fallback), "whatever"},
                   {"rounds", KeyType::count, "2", "whatever"},
                   {"kind", KeyType::word, "a", "whatever", {}, {"a", "b"}}},
                  [code](KeyReader& read) {
                    read.value("size");
                    read.whole("rounds");
                    read.word("kind");
                    return std::make_shared<const LambdaWorkload>(compute_share, ProgramDescription{.user_code = {.identity = code}});
                  },
                  version});
    return key_of(*loaded("nowsim: 1\njob: {workload: mine" + yaml + "}\n", {}, additions).points[0].scenario());
  };
  const std::string base = key(1, 100, "");
  CHECK(key(1, 100, ", size: 0.1kB, rounds: 2, kind: a") == base);
  CHECK(key(2, 100, "") != base);
  CHECK(key(1, 101, "") != base);  // another default
  CHECK(key(1, 100, ", size: 101B") != base);
  CHECK(key(1, 100, ", rounds: 3") != base);
  CHECK(key(1, 100, ", kind: b") != base);
  CHECK(key(1, 100, "", "5f2e") != base);
  CHECK(key(1, 100, "", "5f2e") != key(1, 100, "", "5f2f"));
}

TEST_CASE("The engine is part of the key, not whether equal owners are one object, or the key known", "[identity]") {
  const Experiment e = loaded(kBase);
  Scenario s = *e.points[0].scenario();
  CHECK(key_of(s, "simgrid") != key_of(s, "other"));
  ScenarioKeys keys;
  CHECK(keys.key(s, "simgrid") == keys.key(s, "simgrid"));
  CHECK(keys.key(s, "simgrid") == key_of(s));
  const std::string key = key_of(s);
  CHECK(key.size() == 36);
  for (auto& owner : s.owners) owner = loaded(kBase, {}).points[0].scenario()->owners[0];
  REQUIRE(s.owners[0] != s.owners[1]);
  CHECK(key_of(s) == key);
}

// If this fails because the model changed on purpose (an engine, an owner model, the streams, rank operations, clocks),
// raise kModelVersion and renew the figures: results stored before must not be taken for those of the new model. Draws
// need no function of a C library (sim/statistics/portable.hpp), so that the figures hold on any machine.
TEST_CASE("The model's answers are those of its version", "[identity][golden]") {
  const Folder folder;
  const std::string trace = folder.file("t.csv", "time,value\n0,0.1\n10,0.5\n20,0.25\n");
  const std::string day = "2026-11-26T10:0";
  folder.file("ws1.csv", "time,value\n" + day + "0:00Z,0.1\n" + day + "0:30Z,0.9\n" + day + "1:00Z,0.2\n");
  folder.file("ws2.csv", "time,value\n" + day + "0:10Z,0.6\n" + day + "0:40Z,0.0\n" + day + "1:10Z,0.3\n");
  folder.file("off.profile", "PERIODICITY 100\n0 1\n37 0\n49 1\n");
  folder.file("speed.profile", "STOCHASTIC LOOP\nUNIF 1 9 UNIF 0.2 0.8\n");
  const std::string platform = folder.file("p.xml",
      "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
      "<platform version=\"4.1\"><zone id=\"z\" routing=\"Full\"><host id=\"a\" speed=\"1Gf\" state_file=\"off.profile\"/>"
      "<host id=\"b\" speed=\"2Gf\" speed_file=\"speed.profile\"/></zone></platform>\n");
  struct Case {
    const char* name;
    std::string yaml, makespans;
  };
  const std::vector<Case> cases{
      {"uniform intervals",
       "platform: {workstations: 3, speed: 1f}\njob: {workload: base-task, work: 300f}\n"
       "owner: {model: intervals, start: fresh, TH: 0.4, SH: 0.1}\n",
       "226.53836929352408 214.49120836493026 197.06141315588485 243.1274651383652 "},
      {"two-point intervals of constant length, phases with barriers",
       "platform: {speeds: [1f, 2f]}\njob: {workload: augmented-task, work: 300f, phases: 4, barrier_cost: 1s}\n"
       "owner: {model: intervals, start: fresh, TH: 0.8, value: two-point, length: constant}\nsplit: {policy: proportional}\n",
       "238.66666666666669 186.22222222222223 212 227.99999999999955 "},
      {"beta values on exponential lengths",
       "platform: {workstations: 2, speed: 1f}\njob: {workload: base-task, work: 200f}\n"
       "owner: {model: intervals, start: fresh, TH: 0.6, value: beta, length: exponential}\n",
       "238.03735730688314 226.476628574424 193.9636769047121 216.60118007158428 "},
      {"truncated normals on Pareto lengths, correlated",
       "platform: {workstations: 2, speed: 1f}\njob: {workload: base-task, work: 200f}\n"
       "owner: {model: intervals, start: fresh, TH: 0.3, value: truncated-normal, length: pareto, shape: 2.5, correlation: 0.5}\n",
       "224.90993062938446 174.50040006392987 202.79541014663704 192.68355240093433 "},
      {"intervals that are found",
       "platform: {workstations: 3, speed: 1f}\njob: {workload: base-task, work: 300f}\n"
       "owner: {model: intervals, TH: 0.4, SH: 0.1, length: lognormal, length_cv: 2}\n",
       "217.25305431590277 293.9604566921195 202.19522777479585 247.19296837162756 "},
      {"owner jobs that are found",
       "platform: {workstations: 2, speed: 1f}\njob: {workload: base-task, work: 200f}\n"
       "owner: {model: jobs, u: 0.4, demand: 20s, demand_law: weibull, demand_cv: 2}\n",
       "191.72573999180804 135.849120777988 140.74698071760753 189.01505412518424 "},
      {"gamma times",
       "platform: {workstations: 2, speed: 1f}\njob: {workload: stochastic-time, work: 200f, sd_first: 10s, sd_last: 60s, "
       "sd_at: 100s}\n",
       "119.43538776849294 95.75077156372103 88.07740770690864 110.58538749168167 "},
      {"duty cycles and messages",
       "platform: {workstations: 3, speed: 1f, network: switch, bandwidth: 1kBps, latency: 1ms}\n"
       "job: {workload: all-to-all, work: 90f, rounds: 3, bytes: 500}\nowner: {model: duty-cycle, u: 0.25}\n",
       "44.67385312500277 46.66391414598249 47.2792031656718 45.490827451076655 "},
      {"a trace",
       "platform: {workstations: 2}\njob: {workload: base-task, work: 100f}\n"
       "owner: {model: trace, measures: utilisation, file: " + trace + "}\n",
       "68.93667103986834 70.60283210310266 71.88185625716432 68.77269150331759 "},
      {"traces of one time",
       "platform: {workstations: 2}\njob: {workload: base-task, work: 100f}\n"
       "owner: {model: trace, measures: utilisation, folder: " + folder.path() + ", file: '{host}.csv'}\n",
       "96.43332393066918 93.72293284075596 112.3395002760351 86.69049635918094 "},
      {"a machine that switches off, and a stochastic profile",
       "platform: {file: " + platform + "}\njob: {workload: base-task, work: 60Gf}\n",
       "30 30 31.32661786009679 31.461903256079268 "},
  };
  for (const auto& c : cases) {
    INFO(c.name);
    std::string makespans;
    for (const auto& result : run(*loaded("nowsim: 1\n" + c.yaml + "run: {seed: 42}\n").points[0].scenario(), 4))
      makespans += number_text(result.makespan_s) + " ";
    CHECK(makespans == c.makespans);
  }
  CHECK(kModelVersion == 6);  // of the figures above
}

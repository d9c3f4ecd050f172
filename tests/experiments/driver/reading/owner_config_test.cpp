// The blocks `owner:`, with correlation and diurnal, and `bandwidth:`: which model each machine and link gets, and what
// is said of wrong ones.
#include "experiments/driver/reading/owner_config.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "sim/owners/habits.hpp"
#include "sim/owners/owner_jobs.hpp"
#include "sim/platform/generate_platform.hpp"
#include "sim/platform/read_platform.hpp"
#include "sim/platform/worker_process.hpp"
#include "tests/experiments/driver/experiment_fixture.hpp"
#include "tests/experiments/driver/reading_fixture.hpp"
#include "tests/experiments/driver/sentences.hpp"
#include "tests/gzipped.hpp"
#include "tests/sim/scenario_fixture.hpp"
#include "tests/skips.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;
using Catch::EndsWith;

namespace {

using Owners = std::vector<OwnerPtr>;

Owners owners(const std::string& yaml, const Platform& platform) {
  ReadingOf r(yaml);
  OwnerCache cache;
  const Owners out = read_owners(r.reading, platform, cache);
  INFO(r.found());
  CHECK(r.found().empty());
  return out;
}

/// Of n machines of the same kind.
Owners owners(const std::string& yaml, std::size_t n) { return owners(yaml, *machines(n, NetworkKind::none)); }

std::string complaint(const std::string& yaml, const Platform& platform) {
  ReadingOf r(yaml);
  OwnerCache cache;
  read_owners(r.reading, platform, cache);
  return r.found();
}
std::string complaint(const std::string& yaml) { return complaint(yaml, *machines(2, NetworkKind::none)); }

std::vector<double> th_of(const Owners& all) {
  std::vector<double> out;
  for (const auto& owner : all) out.push_back(owner->temporal_heterogeneity());
  return out;
}

Platform named(const std::vector<std::string>& names) {
  GeneratedPlatform d;
  d.names = names;
  d.speed_flops.assign(names.size(), 1.0);
  return generate_platform(d);
}

/// Two machines, of which the file says: a has an owner block, b a profile.
Platform with_owners_of_its_own(const Folder& folder, const std::string& property) {
  folder.file("half.profile", "0 0.5\n");
  return load_platform(folder.file("p.xml",
                                   "<?xml version='1.0'?>\n"
                                   "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                                   "<platform version=\"4.1\"><zone id=\"z\" routing=\"Full\">\n"
                                   "<host id=\"a\" speed=\"1f\"><prop id=\"owner\" value=\"" +
                                       property +
                                       "\"/></host>\n"
                                       "<host id=\"b\" speed=\"1f\" speed_file=\"half.profile\"/>\n"
                                       "</zone></platform>\n"));
}

std::string list(int count, const std::string& value) {
  std::string out = "[" + value;
  for (int i = 1; i < count; ++i) out += ", " + value;
  return out + "]";
}
std::string hours(const std::string& value = "0.5") { return "hours: " + list(24, value); }
std::string dedicated(const std::string& pattern) { return "owner: {model: dedicated, diurnal: {" + pattern + "}}\n"; }

const std::string kBase =
    "nowsim: 1\n"
    "platform: {workstations: 3, network: links, bandwidth: 1kBps}\n"
    "job: {workload: augmented-task, work: 600f, phases: 3, bytes: 1kB}\n";

Owners bandwidth(const std::string& block) {
  return loaded(kBase, {"bandwidth=" + block}).points[0].scenario()->bandwidth;
}

}  // namespace

TEST_CASE("Without a block machines are dedicated", "[reads][owners]") {
  for (const char* yaml : {"a: 1\n", "owner: {}\n", "owner: {model: dedicated}\n"})
    for (const auto& owner : owners(yaml, 2)) CHECK(owner->is_dedicated());
}

TEST_CASE("A block without machines by name is the same owner for all", "[owners]") {
  const Owners all = owners("owner: {model: intervals, TH: 0.2, mean: 0.4, interval: 5s, length: exponential}\n", 3);
  CHECK(all[0] == all[2]);
  CHECK(all[0]->mean() == Approx(0.4));
  CHECK(all[0]->temporal_heterogeneity() == Approx(0.2));
  const auto model = all[0]->renewal();
  REQUIRE(model);
  CHECK(model->mean_length_s == Approx(5));
}

TEST_CASE("SH spreads TH linearly over the machines", "[owners]") {
  const auto th = th_of(owners("owner: {model: intervals, TH: 0.3, SH: 0.2}\n", 5));
  const double expected[] = {0.1, 0.2, 0.3, 0.4, 0.5};
  for (std::size_t i = 0; i < 5; ++i) CHECK(th[i] == Approx(expected[i]));
}

TEST_CASE("Every law of values and lengths can be named", "[owners]") {
  for (const char* value : {"uniform", "truncated-normal", "beta", "two-point"})
    for (const char* length : {"uniform", "exponential", "constant", "pareto"}) {
      const std::string shape = std::string(length) == "pareto" ? ", shape: 2.5" : "";
      const Owners all = owners(
          std::string("owner: {model: intervals, TH: 0.25, value: ") + value + ", length: " + length + shape + "}\n",
          1);
      CHECK(all[0]->temporal_heterogeneity() == Approx(0.25));
      CHECK_THAT(all[0]->describe(), Contains(value) && Contains(length));
    }
}

TEST_CASE("A duty cycle leaves what the owner does not hold", "[owners]") {
  CHECK(owners("owner: {model: duty-cycle, u: 30%}\n", 1)[0]->mean() == Approx(0.7));
  CHECK(owners("owner: {model: duty-cycle, u: 1, phase: aligned, period: 1min}\n", 1)[0]->mean() == Approx(0));
}

TEST_CASE("Owner jobs are read with their laws, discipline and the machine's cores", "[owners]") {
  const Owners all = owners("owner: {model: jobs, u: 30%, demand: 2s}\n", 3);
  CHECK(all[0] == all[2]);
  const OwnerJobs* jobs = all[0]->jobs();
  REQUIRE(jobs != nullptr);
  CHECK(jobs->utilisation() == Approx(0.3));
  CHECK(jobs->source().mean_demand_s() == 2);
  CHECK(jobs->source().mean_interval_s() == Approx(2 / 0.3));
  CHECK(jobs->source().is_poisson());
  CHECK(jobs->discipline() == Discipline::processor_sharing);
  const Owners priority = owners(
      "owner: {model: jobs, interarrival: 10s, demand: 2s, demand_law: constant, discipline: preemptive-priority}\n",
      1);
  CHECK(priority[0]->identity() ==
        "jobs preemptive-priority interarrival=10s demand=2s demand_law=constant cores=1 start=stationary");
  CHECK(priority[0]->jobs()->discipline() == Discipline::preemptive_priority);
  CHECK(owners("owner: {model: jobs, u: 0, demand: 2s}\n", 1)[0]->is_dedicated());
}

TEST_CASE("The utilisation by owner jobs is one of all the machine's cores", "[owners]") {
  Platform p = named({"a", "b"});
  p.workstations[1].cores = 4;
  const Owners by_u = owners("owner: {model: jobs, u: 0.5, demand: 2s}\n", p);
  CHECK(by_u[0]->jobs()->source().mean_interval_s() == Approx(4));
  CHECK(by_u[1]->jobs()->source().mean_interval_s() == Approx(1));
  CHECK(by_u[1]->jobs()->cores() == 4);
  const Owners by_interval = owners("owner: {model: jobs, interarrival: 8s, demand: 2s}\n", p);
  CHECK(by_interval[0]->jobs()->utilisation() == Approx(0.25));
  CHECK(by_interval[1]->jobs()->utilisation() == Approx(0.0625));
}

TEST_CASE("A machine by name has other owner jobs than the rest, or none", "[owners]") {
  const Owners all = owners(
      "owner: {model: jobs, u: 0.3, demand: 2s, hosts: {ws2: {u: 0.1}, ws3: {model: dedicated}, "
      "ws4: {discipline: preemptive-priority}}}\n", 4);
  CHECK(all[0]->jobs()->utilisation() == Approx(0.3));
  CHECK(all[1]->jobs()->utilisation() == Approx(0.1));
  CHECK(all[2]->is_dedicated());
  CHECK(all[3]->jobs()->discipline() == Discipline::preemptive_priority);
  CHECK(all[3]->jobs()->utilisation() == Approx(0.3));
}

TEST_CASE("A machine by name changes keys of the general block, or has a model of its own", "[owners]") {
  const std::string yaml =
      "owner:\n"
      "  model: intervals\n"
      "  TH: 0.3\n"
      "  mean: 0.4\n"
      "  hosts: {ws2: {TH: 0.1}, ws3: {model: duty-cycle, u: 0.2}, ws4: {mean: 0.6}}\n";
  const Owners all = owners(yaml, 4);
  CHECK(all[0]->temporal_heterogeneity() == Approx(0.3));
  CHECK(all[1]->temporal_heterogeneity() == Approx(0.1));
  CHECK(all[1]->mean() == Approx(0.4));
  CHECK(all[2]->mean() == Approx(0.8));
  CHECK(all[3]->mean() == Approx(0.6));
  CHECK(all[3]->temporal_heterogeneity() == Approx(0.3));
}

TEST_CASE("SH spares a machine that has a TH of its own, but not one with another mean", "[owners]") {
  const auto th =
      th_of(owners("owner: {model: intervals, TH: 0.3, SH: 0.1, hosts: {ws1: {TH: 0.25}, ws3: {mean: 0.4}}}\n", 3));
  CHECK(th[0] == Approx(0.25));
  CHECK(th[1] == Approx(0.3));
  CHECK(th[2] == Approx(0.4));
}

TEST_CASE("Names with dots are told apart", "[owners]") {
  const std::string yaml = "owner: {hosts: {a.b: {model: intervals, TH: 0.1}, a: {model: intervals, TH: 0.2}}}\n";
  const auto th = th_of(owners(yaml, named({"a", "a.b", "c"})));
  CHECK(th == std::vector<double>{0.2, 0.1, 0});
  CHECK(th_of(owners("owner: {hosts: {a.b: {model: intervals, TH: 0.1}}}\n", named({"a", "a.b"}))) ==
        std::vector<double>{0, 0.1});
}

TEST_CASE("A name with a domain is one name, whose host without it is meant at most", "[owners][error]") {
  const std::string fit = "owner: {hosts: {web01.x.org: {model: intervals, TH: 0.1}}}\n";
  CHECK_THAT(complaint(fit, named({"web01", "web02"})),
             Contains("owner.hosts.web01.x.org.TH: there is no workstation 'web01.x.org' on this platform; "
                      "did you mean 'web01'?") && !Contains("missing"));
  CHECK(th_of(owners(fit, named({"web01", "web01.x.org"}))) == std::vector<double>{0, 0.1});
  const std::string short_name = "owner: {hosts: {web01: {model: intervals, TH: 0.1}}}\n";
  CHECK_THAT(complaint(short_name, named({"db.x.org", "web01.x.org"})), Contains("did you mean 'web01.x.org'?"));
}

TEST_CASE("Blocks of hosts that the platform has elsewhere are no problem", "[owners]") {
  const Platform whole = named({"a", "a.b", "c"}), part = whole.with({0, 2});
  const auto found = [&](const std::string& hosts) {
    ReadingOf r("owner: {hosts: {" + hosts + "}}\n");
    OwnerCache cache;
    const Owners all = read_owners(r.reading, part, cache, &whole);
    CHECK(th_of(all) == std::vector<double>{0, 0.3});
    return r.found();
  };
  CHECK(found("a.b: {model: intervals, TH: 0.1}, c: {model: intervals, TH: 0.3}").empty());
  CHECK_THAT(found("c: {model: intervals, TH: 0.3}, d: {model: dedicated}"), Contains("there is no workstation 'd'"));
}

TEST_CASE("What the experiment says goes before the platform's property, and that before nothing", "[owners]") {
  const Folder folder;
  const Platform p = with_owners_of_its_own(folder, "{model: intervals, TH: 0.2}");
  const Owners own = owners("x: 1\n", p);
  CHECK(own[0]->temporal_heterogeneity() == Approx(0.2));
  CHECK(own[1]->mean() == Approx(0.5));
  const Owners general = owners("owner: {model: dedicated}\n", p);
  CHECK(general[0]->is_dedicated());
  CHECK(general[1]->is_dedicated());
  const Owners by_name = owners("owner: {hosts: {b: {model: duty-cycle, u: 0.1}}}\n", p);
  CHECK(by_name[0]->temporal_heterogeneity() == Approx(0.2));
  CHECK(by_name[1]->mean() == Approx(0.9));
}

TEST_CASE("A trace is read packed, unless it breaks off", "[owners]") {
  const Folder folder;
  const std::string text = "t,value\n0,10\n1,20\n", packed = gzipped(text);
  for (const auto& file : {folder.file("a.csv.gz", packed), folder.file("a.csv.zst", zstd_stored(text))})
    CHECK(owners("owner: {model: trace, file: " + file + "}\n", 1)[0]->mean() == Approx(0.85));
  CHECK_THAT(complaint("owner: {model: trace, file: " + folder.file("b.csv.gz", packed.substr(0, 12)) + "}\n"),
             Contains("compressed by gzip, and it breaks off before its end"));
}

TEST_CASE("Files of hosts that are missing are named in one sentence", "[owners][error]") {
  const Folder folder;
  folder.file("load-ws2.csv", "t,value\n0,20\n1,30\n");
  folder.file("all.csv", "time,host,value\n0,ws2,20\n1,ws2,30\n0,x,1\n1,x,1\n");
  const auto platform = machines(4, NetworkKind::none);
  const auto said = [&](const std::string& block) { return complaint("owner: {" + block + "}\n", *platform); };
  const std::string in = folder.path();
  CHECK_THAT(said("model: trace, folder: " + in + ", file: 'load-{host}.csv', start: common"),
             EndsWith("owner.file: there is no " + in + "/load-{host}.csv for ws1, ws3, ws4\n"));
  CHECK_THAT(said("model: trace, folder: " + in + "/none, file: '{host}.csv'"),
             EndsWith("owner.file: there is no folder " + in + "/none, where a file of each workstation is looked for\n"));
  CHECK_THAT(said("model: trace, file: '" + in + "/{host}/load.csv'"),
             EndsWith("owner.file: there is no " + in + "/{host}/load.csv for ws1, ws2, ws3, ws4\n"));
  CHECK_THAT(said("model: jobs, u: 0.3, log: '" + in + "/{host}.swf'"),
             EndsWith("owner.log: there is no " + in + "/{host}.swf for ws1, ws2, ws3, ws4\n"));
  CHECK_THAT(said("model: trace, file: " + in + "/all.csv, machine: '{host}'"),
             EndsWith("owner.machine: " + in + "/all.csv holds no rows of ws1, ws3, ws4; it holds those of ws2, x\n"));
  CHECK_THAT(said("model: trace, file: " + in + "/all.csv, machine: ws9"),
             EndsWith("owner.machine: " + in + "/all.csv holds no rows of ws9; it holds those of ws2, x\n"));
  const auto many = machines(200, NetworkKind::none);
  const std::string all = complaint("owner: {model: trace, folder: " + in + ", file: '{host}'}\n", *many);
  CHECK_THAT(all, EndsWith(" for ws1, ws2, ws3, ws4, ws5, ws6, ws7, ws8, ws9, ws10 and 190 more\n"));
}

TEST_CASE("A trace without samples is no dedicated machine", "[owners][error]") {
  const Folder folder;
  const std::string file = folder.file("empty.csv", "timestamp,value\n");
  CHECK_THAT(complaint("owner: {model: trace, file: " + file + ", measures: utilisation-percent}\n"),
             Contains("empty.csv: this file holds a header and no sample; at least two samples are needed"));
}

TEST_CASE("The memory that a trace needs goes by its rows, however short they are", "[owners][error]") {
  if (is_sanitized()) {
    skipped("sanitizers", "the address sanitizer takes memory of its own");
    return;
  }
  const Folder folder;
  std::string rows;
  for (int i = 0; i < 1'000'000; ++i) rows += "5\n";
  const std::string file = folder.file("many", rows);
  const std::string said = in_child_process([&] {
    std::ifstream status("/proc/self/status");
    std::string word;
    while (status >> word && word != "VmData:") continue;
    rlim_t kib = 0;
    status >> kib;
    const rlimit limit{1024 * kib + 100'000'000, RLIM_INFINITY};
    setrlimit(RLIMIT_DATA, &limit);
    return complaint("owner: {model: trace, file: " + file + ", step: 1s}\n");
  });
  CHECK_THAT(said, Contains("many would need about 115 MB of memory"));
}

TEST_CASE("A trace's owner reads columns by their names, and says what has no data", "[owners]") {
  const Folder folder;
  const std::string of = "owner: {model: trace, file: ";
  CHECK(owners(of + folder.file("idle.csv", "time,usr,idle\n0,20,80\n10,40,60\n") + "}\n", 1)[0]->mean() == Approx(0.7));
  CHECK(owners(of + folder.file("rest.csv", "time,value\n0,80\n10,60\n") + ", measures: idle-percent}\n", 1)[0]->mean() ==
        Approx(0.7));
  CHECK_THAT(complaint(of + folder.file("few.csv", "time,idle\n0,0.5\n10,0.6\n") + "}\n"),
             Contains("owner.measures: the column 'idle' is taken for idle time in per cent, but no value in ") &&
                 Contains("few.csv is above 1: say whether they are per cent (measures: idle-percent) or fractions (availability)"));
  const std::string night = folder.file("night.csv", "t,value\n0,20\n10,40\n20,60\n120,80\n130,100\n");
  const auto remarks = [&](const std::string& keys) {
    ReadingOf r(of + night + keys + "}\n");
    OwnerCache cache;
    const Owners read = read_owners(r.reading, *machines(3, NetworkKind::none), cache);
    CHECK(r.found().empty());
    return std::pair(cache.shared.notes(), read[2]);
  };
  const auto [said, left_out] = remarks("");
  CHECK(said == std::vector<std::string>{night + ": 64.3 % of the span has no data (1 gap): left out; gaps: off, left-out or "
                                                 "hold says what the machine was doing then"});
  CHECK(left_out->mean() == Approx(0.4));
  CHECK(left_out->replayed_after_s() == 50);
  CHECK(remarks(", gaps: left-out").first.empty());
  CHECK(remarks(", gaps: off").second->mean() == Approx(0.4 * 50 / 140));
  CHECK(remarks(", gaps: hold").second->mean() == Approx((0.4 * 50 + 0.4 * 90) / 140));
  const auto path = remarks(", start: beginning").second->path({1, 0, 0, Purpose::owner});
  for (const double value : {0.8, 0.6, 0.4, 0.2}) {  // closed up where the gap was
    const Step step = path->next();
    CHECK(step.duration_s == 10);
    CHECK(step.value == Approx(value));
  }
}

TEST_CASE("A trace's owner may be one machine of many in a file", "[owners]") {
  const Folder folder;
  folder.file("all.csv", "time,host,value\n0,ws2,20\n0,ws1,60\n10,ws1,80\n10,ws2,30\n");
  folder.file("bare", "ws1,60\nws2,20\nws1,80\nws2,30\n");
  const std::string trace = "owner: {model: trace, folder: " + folder.path() + ", ";
  const Owners own = owners(trace + "file: all.csv, machine: '{host}'}\n", 2);
  CHECK(own[0]->mean() == Approx(0.3));
  CHECK(own[1]->mean() == Approx(0.75));
  CHECK(owners(trace + "file: all.csv, machine: ws2}\n", 2)[0]->mean() == Approx(0.75));
  const Owners bare = owners(trace + "file: bare, columns: 'host,value', step: 5min, machine: '{host}'}\n", 2);
  CHECK(bare[0]->mean() == Approx(0.3));
  CHECK(bare[0]->replayed_after_s() == 600);
  CHECK_THAT(complaint(trace + "file: all.csv, machine: '{host}', step: 5min}\n"),
             Contains("all.csv:1: the column 'time' holds stamps; an interval is for files without"));
  CHECK_THAT(complaint(trace + "file: all.csv}\n"),
             Contains("owner.machine: " + folder.path() + "/all.csv holds rows of 2 machines (ws2, ws1): name one, or say "
                      "machine: \"{host}\" for the workstation's own"));
}

TEST_CASE("A wrong property is named with its file and machine", "[owners][error]") {
  const std::vector<std::pair<std::string, std::string>> table{
      {"dedicated", "owner: an owner is a block such as {model: dedicated}, not one value"},
      {"{TH: 0.1}", "owner.model: this key is missing"},
      {"{model: intervals, TX: 0.1}", "owner.TX: this key is not known here"},
      {"{model: intervals, TH: [0.1]}", "owner.TH: one value is wanted here, not a list"},
      {"{model: intervals, TH: }", "owner.TH: there is no value behind this key"},
      {"{model: trace, file: none.csv}", "none.csv: there is no such file"},
      {"{model: intervals", "is not closed"},
  };
  for (const auto& [property, sentence] : table) {
    const Folder folder;
    const Platform p = with_owners_of_its_own(folder, property);
    const std::string found = complaint("x: 1\n", p);
    INFO(property << ": " << found);
    CHECK_THAT(found, Contains(sentence) && Contains("p.xml (property owner of a)"));
  }
}

TEST_CASE("Files are found in a folder, by the machine's name, and read once", "[owners]") {
  const Folder folder;
  folder.file("load-a.csv", "t,value\n0,20\n10,20\n20,20\n");
  folder.file("load-b.csv", "t,value\n0,40\n10,40\n20,40\n");
  folder.file("a.profile", "0 0.25\n");
  const Platform p = named({"a", "b"});
  const Owners traces = owners("owner: {model: trace, folder: " + folder.path() + ", file: 'load-{host}.csv'}\n", p);
  CHECK(traces[0]->mean() == Approx(0.8));
  CHECK(traces[1]->mean() == Approx(0.6));
  CHECK(owners("owner: {model: profile, file: " + folder.path() + "/a.profile}\n", p)[1]->mean() == Approx(0.25));
  OwnerCache cache;
  ReadingOf r("owner: {model: trace, file: " + folder.path() + "/load-a.csv}\n");
  for (int point = 0; point < 3; ++point) {
    CHECK(read_owners(r.reading, p, cache)[1]->mean() == Approx(0.8));
    std::filesystem::remove(folder.path() + "/load-a.csv");
  }
  CHECK(r.found().empty());
}

TEST_CASE("Laws of data and formulas are read, and all of them is the owner's identity", "[owners]") {
  const Folder folder;
  folder.file("loads.txt", "0.2 0.4 # two\n0.9\n");
  folder.file("bins.txt", "0 0.5 1\n0.6 0.8 2\n");
  folder.file("times.txt", "5 15\n");
  const auto one = [&](const std::string& keys) { return owners("owner: {model: intervals, " + keys + "}\n", 2)[1]; };
  const std::string file = "value: file, value_file: " + folder.path() + "/loads.txt";
  const OwnerPtr of_file = one(file);
  CHECK(of_file->mean() == Approx(0.5));
  CHECK(of_file->sd() == Approx(std::sqrt(0.26 / 3)));
  CHECK(of_file->identity() == "intervals file 0.2 0.4 0.9 length=uniform interval=10s start=stationary");
  CHECK(of_file->describe() == "intervals file " + folder.path() + "/loads.txt length=uniform interval=10s start=stationary");
  REQUIRE(of_file->renewal());
  CHECK(of_file->renewal()->th == Approx(of_file->sd() / 0.5));
  folder.file("loads.txt", "0.2 0.4 0.8");
  CHECK(one(file)->identity() != of_file->identity());
  const OwnerPtr bins = one("value: histogram, value_file: " + folder.path() + "/bins.txt");
  CHECK(bins->mean() == Approx((0.25 + 2 * 0.7) / 3));
  CHECK(bins->identity() == "intervals histogram 0..0.5:1 0.6..0.8:2 length=uniform interval=10s start=stationary");
  CHECK(one("value: histogram, values: [20%, 0.5], weights: [1, 2]")->mean() == Approx(0.4));
  const OwnerPtr formula = one("value: formula, value_formula: 1-u^2, length: weibull, length_cv: 2, correlation: 0.5");
  CHECK(formula->mean() == Approx(2. / 3));
  CHECK(formula->identity() ==
        "intervals formula '1-u^2' length=weibull interval=10s length_cv=2 correlation=0.5 start=stationary");
  const OwnerPtr times = one("TH: 0.3, length: file, length_file: " + folder.path() + "/times.txt");
  CHECK(times->renewal()->mean_length_s == 10);
  CHECK(times->identity() == "intervals uniform mean=0.5 TH=0.3 length=file 5 15 start=stationary");
}

TEST_CASE("Owner jobs have any law of arrivals and of demands, or a log", "[owners]") {
  const Folder folder;
  folder.file("log.txt", "0 1\n10 2\n20 3\n");
  const auto one = [&](const std::string& keys) { return owners("owner: {model: jobs, " + keys + "}\n", 1)[0]; };
  const OwnerPtr drawn = one("u: 0.4, demand: 2s, demand_law: lognormal, demand_cv: 3, arrivals: pareto, arrival_shape: 2.5");
  CHECK(drawn->identity() == "jobs processor-sharing interarrival=5s demand=2s demand_law=lognormal cores=1 demand_cv=3 "
                             "arrivals=pareto arrival_shape=2.5 start=stationary");
  CHECK_FALSE(drawn->jobs()->source().is_poisson());
  const OwnerPtr formulas = one("arrivals: formula, arrival_formula: 10*u, demand_law: formula, demand_formula: 2*u");
  CHECK(formulas->jobs()->utilisation() == Approx(0.2));
  const OwnerPtr logged = one("log: " + folder.path() + "/log.txt, start: beginning");
  CHECK(logged->jobs()->utilisation() == Approx(0.2));
  CHECK(logged->replayed_after_s() == 30);
  CHECK(logged->identity() == "jobs processor-sharing log cores=1 start=beginning 0:1 10:2 20:3");
  CHECK(one("u: 60%, log: " + folder.path() + "/log.txt")->jobs()->utilisation() == Approx(0.6));
  std::string hours = "diurnal: {hours: [";
  for (int hour = 0; hour < 24; ++hour) hours += hour < 12 ? "0.9, " : "0.5, ";
  const OwnerPtr hourly = one("demand: 2s, " + hours + "], start: '06:00'}");
  CHECK(hourly->jobs()->utilisation() == Approx(0.3));
  CHECK(hourly->mean() == Approx(0.7));
}

TEST_CASE("Every wrong owner is one sentence with its line and key", "[owners][error]") {
  check_said([](const std::string& block) { return complaint("\nowner: " + block + "\n"); }, "e.yaml:2: ", {
      {"{TH: 0.1}", "owner.model: this key is missing; it is one of: dedicated, intervals"},
      {"{model: interval, TH: 0.1}",
       "owner.model: 'interval' is not one of: dedicated, intervals, duty-cycle, habits, jobs, profile, trace; did you mean "
       "'intervals'?"},
      {"{model: intervals}", "owner.TH: this key is missing"},
      {"{model: intervals, TH: -0.1}", "owner.TH: -0.1 is out of range"},
      {"{model: intervals, TH: 0.1, mean: 0}", "owner.mean: 0 is out of range: it must be more than 0 and at most 1"},
      {"{model: intervals, TH: 0.1, mean: 150%}", "owner.mean: 150% (1.5) is out of range"},
      {"{model: intervals, TH: 0.1, interval: 0s}", "owner.interval: 0 is out of range: it must be more than 0"},
      {"{model: intervals, TH: 0.1, value: normal}", "owner.value: 'normal' is not one of: uniform, truncated-normal"},
      {"{model: intervals, TH: 0.1, length: weibul}", "owner.length: 'weibul' is not one of"},
      {"{model: intervals, TH: 0.1, length: weibull}", "owner.length_cv: this key is missing"},
      {"{model: intervals, TH: 0.1, length: weibull, length_cv: 30}", "owner.length_cv: 30 is out of range: it must be at "
       "least 0.01 and at most 20"},
      {"{model: intervals, TH: 0.1, value: histogram, values: [0.5]}", "owner.TH: with value: histogram mean and TH follow from"},
      {"{model: intervals, value: file}", "owner.value_file: this key is missing"},
      {"{model: intervals, value: file, value_file: none.txt}", "owner.value_file: none.txt: there is no such file"},
      {"{model: intervals, value: histogram, values: [0.1, 0.2], weights: [1]}",
       "owner.weights: there are 1 weights and 2 values"},
      {"{model: intervals, value: histogram, values: []}", "owner.values: a histogram needs a bin"},
      {"{model: intervals, value: histogram, values: [0.5], weights: []}", "owner.weights: there are 0 weights and 1 values"},
      {"{model: intervals, value: histogram, values: [0, 0%]}", "owner.values: all of these values are 0"},
      {"{model: intervals, value: formula, value_formula: 2*u}",
       "owner.value_formula: the formula '2*u' gives 1.00048828125 at u = 0.500244140625: an availability must be from 0 to 1"},
      {"{model: intervals, value: formula, value_formula: u+x}", "owner.value_formula: the formula 'u+x' needs 'x'"},
      {"{model: intervals, TH: 0.1, length: formula, length_formula: -u}", "owner.length_formula: the formula '-u' gives "},
      {"{model: intervals, TH: 0.1, interval: 3s, length: formula, length_formula: u}",
       "owner.interval: with length: formula the mean length follows"},
      {"{model: jobs, demand: 2s, arrivals: formula, arrival_formula: 9*u, u: 0.3}",
       "owner.u: with arrivals: formula the mean interval follows"},
      {"{model: jobs, u: 0.3, demand: 2s, demand_law: formula, demand_formula: u}",
       "owner.demand: with demand_law: formula the mean demand follows"},
      {"{model: jobs, arrivals: formula, arrival_formula: u, demand: 2s}", "owner.model: owner jobs ask for 400 %"},
      {"{model: jobs, log: none.swf}", "owner.log: none.swf: there is no such file"},
      {"{model: intervals, TH: 0.1, length: pareto}", "owner.shape: this key is missing"},
      {"{model: intervals, TH: 0.1, length: pareto, shape: 2}",
       "owner.shape: 2 is out of range: it must be more than 2"},
      {"{model: duty-cycle}", "owner.u: this key is missing"},
      {"{model: duty-cycle, u: 101%}", "owner.u: 101% (1.01) is out of range: it must be at least 0 and at most 1"},
      {"{model: duty-cycle, u: 0.1, period: 0}", "owner.period: 0 is out of range"},
      {"{model: duty-cycle, u: 0.1, phase: late}", "owner.phase: 'late' is not one of: random, aligned"},
      {"{model: jobs, u: 0.3}", "owner.demand: this key is missing"},
      {"{model: jobs, demand: 2s}",
       "owner.u: this key is missing, or in its place interarrival, the mean time between owner jobs"},
      {"{model: jobs, demand: 2s, u: 0.3, interarrival: 10s}",
       "owner.u: u and interarrival say the same in two ways: give one of them"},
      {"{model: jobs, demand: 2s, u: 100%}",
       "owner.u: 1 is out of range: it must be less than 1, or owner jobs would pile up without end"},
      {"{model: jobs, demand: 3s, interarrival: 2s}",
       "owner.interarrival: owner jobs would pile up without end: one that asks for 3 s comes every 2 s, on 1 core; it "
       "must be more than 3 s"},
      {"{model: jobs, demand: 0s, u: 0.1}", "owner.demand: 0 is out of range: it must be more than 0"},
      {"{model: jobs, demand: 2s, interarrival: 0}", "owner.interarrival: 0 is out of range: it must be more than 0"},
      {"{model: jobs, demand: 2s, interarrival: 5f}", "owner.interarrival: '5f' is not a time"},
      {"{model: jobs, demand: 2f, u: 0.1}", "owner.demand: "},
      {"{model: jobs, demand: 2s, u: 0.1, demand_law: normal}", "owner.demand_law: 'normal' is not one of: uniform"},
      {"{model: jobs, demand: 2s, u: 0.1, demand_law: pareto}", "owner.shape: this key is missing"},
      {"{model: jobs, demand: 2s, u: 0.1, discipline: fifo}",
       "owner.discipline: 'fifo' is not one of: processor-sharing, preemptive-priority"},
      {"{model: trace}", "owner.file: this key is missing"},
      {"{model: trace, file: none.csv}", "owner.file: none.csv: there is no such file"},
      {"{model: profile, file: none.profile}", "owner.file: none.profile: there is no such file"},
      {"{model: dedicated, hosts: {ws3: {model: dedicated}}}",
       "owner.hosts.ws3.model: there is no workstation 'ws3' on this platform; did you mean 'ws1' or 'ws2'?"},
      {"{model: dedicated, hosts: {ws1: dedicated}}",
       "owner.hosts.ws1: an owner is a block such as {model: dedicated}"},
      {"{model: dedicated, hosts: {nobody: dedicated}}",
       "owner.hosts.nobody: there is no workstation 'nobody' on this platform\n"},
      {"{hosts: {ws1: {TH: 0.1}}}", "owner.hosts.ws1.model: this key is missing"},
  });
  CHECK_THAT(complaint("owner: {model: trace, file: x, start: now}"),
             Contains("owner.start: 'now' depends on when it is read"));
}

TEST_CASE("What a law cannot hold is infeasible, with its place and the limit", "[owners][error]") {
  const std::vector<std::pair<std::string, std::string>> table{
      {"{model: intervals, TH: 0.6}",
       "e.yaml:1: owner.TH: TH = 0.6 is more than the law 'uniform' can hold at mean 0.5: at most 0.57735"},
      {"{model: intervals, TH: 0.3, SH: 0.29}",
       "e.yaml:1: owner.TH: workstation ws2: TH 0.3 + SH 0.29: TH = 0.59 is more"},
      {"{model: intervals, TH: = 2 * let.x}\nlet: {x: 0.4}",
       "e.yaml:1: owner.TH: TH = 0.8 is more than the law 'uniform' can hold at mean 0.5: at most 0.57735; TH is "
       "'= 2 * let.x' with let.x = 0.4"},
      {"{model: intervals, TH: = x, SH: = x - 0.01, mean: = 1 - x}\nlet: {x: 0.5}",
       "e.yaml:1: owner.TH: workstation ws2: TH 0.5 + SH 0.49: TH = 0.99 is more than the law 'uniform' can hold at "
       "mean 0.5: at most 0.57735; TH is '= x' with x = 0.5; SH is '= x - 0.01' with x = 0.5; mean is '= 1 - x' with "
       "x = 0.5"},
      {"{model: intervals, TH: 0.1, SH: 0.2}", "e.yaml:1: owner.SH: "},
      {"{model: dedicated, hosts: {ws2: {model: intervals, TH: 2}}}", "e.yaml:1: owner.hosts.ws2.TH: "},
  };
  for (const auto& [block, sentence] : table) {
    ReadingOf r("owner: " + block + "\n");
    OwnerCache cache;
    CHECK_THROWS_AS(read_owners(r.reading, *machines(2, NetworkKind::none), cache), InfeasibleError);
    CHECK_THROWS_WITH(read_owners(r.reading, *machines(2, NetworkKind::none), cache), Catch::StartsWith(sentence));
  }
  ReadingOf alone("owner: {model: intervals, TH: 0.2, SH: 0.1}\n");
  OwnerCache cache;
  CHECK_THROWS_WITH(read_owners(alone.reading, *machines(1, NetworkKind::none), cache),
                    Contains("owner.SH: ") && Contains("two workstations"));
}

TEST_CASE("A pattern is read by day, by week and by kinds of days, with a start by the clock", "[diurnal]") {
  const std::pair<std::string, std::string> table[] = {
      {hours(), "diurnal by 24 hours mean=0.5 start=random"},
      {hours("50%") + ", start: random", "diurnal by 24 hours mean=0.5 start=random"},
      {hours() + ", start: '18:00'", "diurnal by 24 hours mean=0.5 start=18:00"},
      {hours() + ", start: 'Tue 8:05'", "diurnal by 24 hours mean=0.5 start=08:05"},
      {hours() + ", start: 18h", "diurnal by 24 hours mean=0.5 start=18:00"},
      {hours() + ", start: = 3600 * 9", "diurnal by 24 hours mean=0.5 start=09:00"},
      {"hours: " + list(168, "0.25") + ", start: 'Mon 00:00'", "diurnal by 168 hours mean=0.25 start=Mon 00:00"},
      {"weekdays: " + list(24, "0.5") + ", start: 'sunday 23:59'", "diurnal by 168 hours mean=0.5 start=Sun 23:59"},
      {"weekdays: " + list(24, "0.5") + ", saturday: " + list(24, "1") + ", sunday: " + list(24, "0.5"),
       "diurnal by 168 hours mean=0.571429 start=random"},
  };
  for (const auto& [pattern, description] : table) {
    const Owners both = owners(dedicated(pattern), 2);
    CHECK(both[0]->describe() == "dedicated, " + description);
    CHECK(both[0] == both[1]);
  }
}

TEST_CASE("Patterns without a start of their own begin when the run does", "[diurnal][clock]") {
  const std::string week = "weekdays: " + list(24, "0.5");
  const auto with = [](const std::string& pattern, const std::string& start) {
    return owners(dedicated(pattern) + "run: {start: '" + start + "'}\n", 2)[0];
  };
  CHECK_THAT(with(hours(), "18:00")->describe(), EndsWith("start=18:00"));
  CHECK_THAT(with(hours(), "2026-12-01T18:30+01:00")->describe(), EndsWith("start=18:30"));
  CHECK_THAT(with(week, "friday 20:00")->describe(), EndsWith("start=Fri 20:00"));
  CHECK_THAT(with(week, "2026-12-01 18:00")->describe(), EndsWith("start=Tue 18:00"));
  CHECK(with(week, "Tue 18:00")->identity() == owners(dedicated(week + ", start: 'Tue 18:00'"), 2)[0]->identity());
  CHECK(with(week + ", start: 'Tue 18:00'", "2026-12-01 18:00")->identity() == with(week, "Tue 18:00")->identity());
  const auto complaint_at = [](const std::string& pattern, const std::string& start) {
    return complaint(dedicated(pattern) + "run: {start: '" + start + "'}\n");
  };
  CHECK_THAT(complaint_at(week, "18:00"), Contains("run.start, '18:00', leaves open which day"));
  CHECK_THAT(complaint_at(week + ", start: 'Mon 18:00'", "Tue 18:00"),
             Contains("owner.diurnal.start: 'Mon 18:00' is another moment than run.start, 'Tue 18:00',"));
  CHECK_THAT(complaint_at(hours() + ", start: random", "18:00"), Contains("'random' is another moment than run.start"));
  CHECK_THAT(complaint_at(hours(), "now"), Contains("run.start: 'now' depends on when it is read"));
  CHECK_THAT(complaint_at(hours(), "25:00"), Contains("run.start: '25:00' is no moment by the clock"));
}

TEST_CASE("A run's start reaches blocks of the platform's file, at each point of a sweep its own", "[diurnal][clock]") {
  const Folder folder;
  const Platform platform = with_owners_of_its_own(folder, "{model: dedicated, diurnal: {" + hours() + "}}");
  OwnerCache cache;
  for (const std::string start : {"08:00", "18:00"}) {
    ReadingOf r("run: {start: '" + start + "'}\n");
    CHECK_THAT(read_owners(r.reading, platform, cache)[0]->describe(), EndsWith("start=" + start));
  }
  const Experiment e = loaded(kBase + dedicated(hours()) + "sweep: {run.start: ['08:00', 'fri 20:00']}\n");
  REQUIRE(e.points.size() == 2);
  CHECK(e.points[0].values[0] == "08:00");
  CHECK_THAT(e.points[1].scenario()->owners[0]->describe(), EndsWith("start=20:00"));
  CHECK(e.points[1].plan.start == ClockMoment{20 * 3600.0, 4, {}});
  CHECK(e.remarks.empty());
}

TEST_CASE("A start that nobody goes by is remarked on, and changes nothing", "[diurnal][clock][remark]") {
  const std::string plain = kBase + "owner: {model: intervals, TH: 0.2}\n";
  const Experiment e = loaded(plain, {"run.start='18:00'"});
  REQUIRE(e.remarks.size() == 1);
  CHECK_THAT(e.remarks[0], Contains("nobody here goes by the clock"));
  ScenarioKeys keys;
  CHECK(keys.key(*e.points[0].scenario(), "direct") == keys.key(*loaded(plain).points[0].scenario(), "direct"));
  CHECK(loaded(kBase, {"run.start='18:00'", "bandwidth={model: dedicated, diurnal: {" + hours() + "}}"}).remarks.empty());
}

TEST_CASE("One day of a weekend without the other is remarked on", "[diurnal][remark]") {
  const auto remarks = [](const std::string& days) {
    ReadingOf r(dedicated("weekdays: " + list(24, "0.5") + days));
    OwnerCache cache;
    read_owners(r.reading, *machines(2, NetworkKind::none), cache);
    return cache.shared.notes();
  };
  const std::string saturday = ", saturday: " + list(24, "1"), sunday = ", sunday: " + list(24, "0.9");
  REQUIRE(remarks(saturday).size() == 1);
  CHECK_THAT(remarks(saturday)[0], Contains("owner.diurnal.saturday: there is no 'sunday' beside it: that day then is as a weekday"));
  REQUIRE(remarks(sunday).size() == 1);
  CHECK_THAT(remarks(sunday)[0], Contains("owner.diurnal.sunday: there is no 'saturday' beside it"));
  CHECK(remarks(saturday + sunday).empty());
  CHECK(remarks("").empty());
}

TEST_CASE("A pattern lies over the models of machines by name too", "[diurnal]") {
  const Owners all = owners(
      "owner: {model: intervals, TH: 0.2, correlation: 0.3, diurnal: {" + hours() +
          ", start: '18:00'}, hosts: {ws2: {correlation: 0.5, diurnal: {start: '19:00'}}, ws3: {model: dedicated}}}\n",
      3);
  CHECK_THAT(all[0]->describe(), Contains("correlation=0.3") && Contains("start=18:00"));
  CHECK_THAT(all[1]->describe(), Contains("correlation=0.5") && Contains("start=19:00"));
  CHECK(all[2]->is_dedicated());
}

TEST_CASE("A pattern for all lies over whatever models machines have, of a file of fits too", "[diurnal]") {
  const Owners all = owners("owner: {diurnal: {" + hours() + ", start: '18:00'}, hosts: {ws1: {model: intervals, TH: 0.2}, ws2: "
                            "{model: dedicated, diurnal: {" + hours("0.3") + ", start: '19:00'}}}}\n", 3);
  CHECK_THAT(all[0]->describe(), Contains("intervals") && Contains("start=18:00"));
  CHECK_THAT(all[1]->describe(), Contains("start=19:00"));
  CHECK_THAT(all[2]->describe(), Contains("dedicated") && Contains("start=18:00"));
  const Folder folder;
  const Platform platform = with_owners_of_its_own(folder, "{model: intervals, TH: 0.3, interval: 45min}");
  const Owners of_file = owners("owner: {diurnal: {" + hours() + "}}\n", platform);
  CHECK_THAT(of_file[0]->describe(), Contains("TH=0.3") && Contains("diurnal"));
}

TEST_CASE("Habits are read by day and part of the day, and begin when the run does", "[habits]") {
  const std::string days = "weekdays: " + list(24, "0.5") + ", saturday: " + list(24, "0.9");
  const auto block = [&](const std::string& more) { return "owner: {model: habits, values: [1, 0.1, 0.5], " + days + more + "}\n"; };
  const OwnerPtr with_turns = owners(block(", turns: [7h, 18h], slow: [0.1, 0.9], interval: 45min"), 2)[0];
  const auto& one = std::get<HabitsOwner>(with_turns->kind);
  REQUIRE(one.habits->layers.size() == 1);
  const HabitsLayer& layer = one.habits->layers.front();
  CHECK(layer.values == std::vector{0.1, 0.5, 1.0});
  CHECK(layer.parts == std::vector<HabitsPart>{{0.1, 2700, 0, 0}, {0.9, 2700, 0, 0}});
  CHECK(layer.mean_by_hour[6 * 24] == 0.5);
  CHECK_FALSE(one.habits->start_s);
  const auto begun = owners(block("") + "run: {start: 'Sat 18:00'}\n", 2)[0];
  CHECK(std::get<HabitsOwner>(begun->kind).habits->start_s == 5 * 86400.0 + 18 * 3600);
  const Owners both = owners(block(""), 2);
  CHECK(both[0] == both[1]);
  const auto present = owners(block(", present: {weekdays: " + list(24, "0.25") + ", turns: [9h], slow: 1}"), 2)[0];
  CHECK(present->mean() < 0.3);
  CHECK(owners(block(", worth: 10, level_se: 0.2"), 2)[0]->is_measured());
  const Folder folder;
  const Platform platform = named({"a.b"});
  CHECK(owners("owner: {hosts: {a.b: {model: habits, values: [0, 1], weekdays: " + list(24, "0.5") + ", present: {weekdays: " + list(24, "1") + "}}}}\n",
               platform)[0]->mean() == Approx(0.5));
  const std::pair<std::string, std::string> wrong[] = {
      {block(", slow: 0.5"), "owner.slow: what stays is drawn anew where a part of the day begins: 'turns' is missing"},
      {block(", turns: [18h, 7h]"), "owner.turns: parts of the day begin one after the other"},
      {block(", turns: [7h, 18h], slow: [0.1, 0.2, 0.3]"), "owner.slow: there are 3 values for 2 parts of the day"},
      {block(", sunday: " + list(23, "1")), "owner.sunday: there are 23 values; one per hour is wanted"},
      {block(", worth: 10, level_se: [0.1, 0.2, 0.3]"), "owner.level_se: there are 3 values; one for all is wanted, or 2"},
      {block(", diurnal: {" + hours() + "}"), "habits go by the clock themselves"},
      {block("") + "run: {start: '18:00'}\n", "run.start has to say on which day"},
      {"owner: {model: habits, values: [1]}\n", "owner.weekdays"}};
  for (const auto& [yaml, sentence] : wrong) {
    INFO(yaml);
    CHECK_THAT(complaint(yaml), Contains(sentence));
  }
}

TEST_CASE("A trace begins by the clock where it or the run says so", "[owners][clock]") {
  const Folder folder;
  std::string rows = "timestamp,availability\n";
  for (int day = 2; day < 9; ++day)
    for (int hour = 0; hour < 24; ++hour)
      rows += "2026-11-0" + std::to_string(day) + " " + (hour < 10 ? "0" : "") + std::to_string(hour) + ":00," + (hour < 12 ? "0.25" : "0.75") + "\n";
  const std::string file = folder.file("week.csv", rows), block = "owner: {model: trace, file: " + file;
  const auto at = [&](const std::string& more) { return owners(block + more, 2)[0]->describe(); };
  CHECK_THAT(at(", start: '18:00'}\n"), Contains("from a day's 18:00 on"));
  CHECK_THAT(at("}\nrun: {start: 'Fri 18:00'}\n"), Contains("from a day's Fri 18:00 on"));
  CHECK(owners(block + ", start: '18:00'}\n", 1)[0]->moments_to_begin() == 7);
  CHECK_THAT(complaint(block + ", start: noon}\n"), Contains("owner.start: 'noon' is neither one of random, independent, common, beginning"));
  CHECK_THAT(complaint(block + ", start: '18:00'}\nrun: {start: '19:00'}\n"), Contains("another moment than run.start"));
  CHECK_THAT(complaint(block + ", start: '18:00', zone: Europe/Berln}\n"), Contains("owner.zone"));
}

TEST_CASE("A recording of UTC is replayed by the clock of the run, if its own key names no other", "[owners][clock]") {
  const Folder folder;
  std::string rows = "timestamp,availability\n";
  for (int day = 2; day < 9; ++day)
    for (int hour = 0; hour < 24; ++hour)
      rows += "2026-11-0" + std::to_string(day) + "T" + (hour < 10 ? "0" : "") + std::to_string(hour) + ":00Z," + (hour < 12 ? "0.25" : "0.75") + "\n";
  const std::string block = "owner: {model: trace, file: " + folder.file("week.csv", rows);
  const auto at = [&](const std::string& more) { return owners(block + more, 1)[0]->path({1, 0, 0})->next().value; };
  CHECK(at("}\nrun: {start: '12:00'}\n") == 0.75);
  CHECK(at("}\nrun: {start: '12:00 Asia/Tokyo'}\n") == 0.25);  // 3:00 of UTC
  CHECK(at(", zone: Asia/Tokyo}\nrun: {start: '12:00'}\n") == 0.25);
  CHECK(at(", zone: UTC}\nrun: {start: '12:00 Asia/Tokyo'}\n") == 0.75);
  CHECK(at(", start: '12:00 +09:00'}\n") == 0.25);
  // Seconds since 1970 are of UTC as well.
  std::string seconds = "timestamp,availability\n";
  for (int hour = 0; hour < 7 * 24; ++hour)
    seconds += std::to_string(1793577600 + 3600 * hour) + "," + (hour % 24 < 12 ? "0.25" : "0.75") + "\n";
  const std::string of_seconds = "owner: {model: trace, file: " + folder.file("seconds.csv", seconds);
  CHECK(owners(of_seconds + "}\nrun: {start: '12:00 Asia/Tokyo'}\n", 1)[0]->path({1, 0, 0})->next().value == 0.25);
  CHECK_THAT(complaint(block + ", start: '12:00 Asia/Tokyo'}\nrun: {start: '12:00 UTC'}\n"), Contains("another moment than run.start"));
}

TEST_CASE("A correlation of 0 leaves an owner what it is, its name in the store included", "[owners]") {
  const auto one = [](const std::string& yaml) { return owners(yaml, 2)[0]; };
  const OwnerPtr plain = one("owner: {model: intervals, TH: 0.2}\n"),
                 zero = one("owner: {model: intervals, TH: 0.2, correlation: 0}\n");
  CHECK(plain->identity() == zero->identity());
  CHECK(plain->renewal());
  CHECK(std::holds_alternative<RenewalDraws>(lane_form(*zero, {})));
  CHECK(one("owner: {model: intervals, TH: 0.2, correlation: 0.5}\n")->identity() != plain->identity());
  CHECK(one("owner: {model: duty-cycle, u: 0.2, correlation: 50%}\n")->identity() !=
        one("owner: {model: duty-cycle, u: 0.2}\n")->identity());
  CHECK(one("owner: {model: duty-cycle, u: 0.2, correlation: 0}\n")->identity() ==
        one("owner: {model: duty-cycle, u: 0.2}\n")->identity());
}

TEST_CASE("What is wrong with a pattern or a correlation is said", "[diurnal][error]") {
  const std::pair<std::string, std::string> table[] = {
      {dedicated("hours: " + list(25, "0.5")), "owner.diurnal.hours: there are 25 values"},
      {dedicated("weekdays: " + list(168, "0.5")), "owner.diurnal.weekdays: there are 168 values"},
      {dedicated("hours: 0.5"), "owner.diurnal.hours: there is 1 value"},
      {dedicated(hours("1.5")), "1.5 is out of range"},
      {dedicated(hours("-0.1")), "-0.1 is out of range"},
      {dedicated(hours() + ", weekdays: " + list(24, "0.5")), "say the same in two ways"},
      {dedicated("saturday: " + list(24, "0.5")), "there are 0 values"},
      {dedicated("start: '18:00'"), "owner.diurnal.hours: this key is missing"},
      {dedicated(hours() + ", start: '25:00'"), "'25:00' is no moment by the clock"},
      {dedicated(hours() + ", start: '18:60'"), "'18:60' is no moment by the clock"},
      {dedicated(hours() + ", start: 'Foo 18:00'"), "'Foo 18:00' is no moment by the clock"},
      {dedicated(hours() + ", start: 24h"), "a job starts before the end of the pattern"},
      {dedicated(hours() + ", start: -1h"), "out of range"},
      {dedicated(hours() + ", start: 18"), "is that 18:00, 18h, or seconds?"},
      {dedicated(hours() + ", start: noon"), "owner.diurnal.start"},
      {dedicated("weekdays: " + list(24, "0.5") + ", start: '18:00'"), "leaves open which day"},
      {dedicated(hours() + ", start: 'today 18:00'"), "depends on when it is read"},
      {"owner: {model: jobs, u: 0.2, demand: 1s, diurnal: {" + hours() + "}}\n",
       "owner.u: the hours of diurnal say how often owner jobs come: this key is not wanted"},
      {"owner: {model: jobs, arrivals: formula, arrival_formula: 9*u, demand: 1s, diurnal: {" + hours() + "}}\n",
       "owner.arrivals: the hours of diurnal say how often owner jobs come, and so does 'formula'"},
      {"owner: {model: intervals, TH: 0.2, correlation: 1.1}\n", "1.1 is out of range"},
      {"owner: {model: duty-cycle, u: 0.2, phase: aligned, correlation: 0.5}\n", "it needs 'phase: random'"},
      {"owner: {model: intervals, TH: 0.2, correlation: 0.5, hosts: {ws2: {interval: 20s}}}\n",
       "workstations ws1 and ws2 are correlated, but their intervals have lengths of two laws"},
  };
  for (const auto& [yaml, sentence] : table) {
    INFO(yaml);
    CHECK_THAT(complaint(yaml), Contains(sentence));
  }
}

TEST_CASE("Without a block, and where it lets nothing vary, no link varies", "[bandwidth]") {
  CHECK(loaded(kBase).points[0].scenario()->bandwidth.empty());
  CHECK(bandwidth("{model: dedicated}").empty());
  CHECK(bandwidth("{hosts: {ws2: {model: dedicated}}}").empty());
}

TEST_CASE("SH_comm spreads TH_comm linearly over the links, apart from the owners", "[bandwidth]") {
  const Experiment e =
      loaded(kBase, {"owner={model: intervals, TH: 0.4}", "bandwidth={model: intervals, TH: 0.3, SH: 0.1}"});
  const Scenario& s = *e.points[0].scenario();
  const double expected[] = {0.2, 0.3, 0.4};
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(th_of(s.bandwidth)[i] == Approx(expected[i]));
    CHECK(th_of(s.owners)[i] == Approx(0.4));
  }
}

TEST_CASE("Links have every model of owners but jobs, and can be named", "[bandwidth]") {
  const Folder folder;
  const std::string trace = folder.file("t.csv", "time,value\n0,10\n10,50\n20,30\n");
  const std::string profile = folder.file("p", "PERIODICITY 10\n0 1\n5 0.5\n");
  CHECK(bandwidth("{model: duty-cycle, u: 30%}")[2]->mean() == Approx(0.7));
  CHECK(bandwidth("{model: trace, file: " + trace + "}")[0]->mean() == Approx(0.7));
  CHECK(bandwidth("{model: profile, file: " + profile + "}")[0]->mean() == Approx(0.75));
  const auto named = bandwidth("{model: intervals, TH: 0.1, hosts: {ws2: {TH: 0.2}, ws3: {model: dedicated}}}");
  CHECK(th_of(named) == std::vector<double>{0.1, 0.2, 0});
  CHECK(named[2]->is_dedicated());
}

TEST_CASE("The baseline keeps the link of the workstation that it takes", "[bandwidth]") {
  const Experiment e = loaded(
      kBase, {"platform.speeds=[1f, 3f, 2f]", "metrics=[speedup]", "bandwidth={model: intervals, TH: 0.3, SH: 0.1}"});
  REQUIRE(e.points[0].simulated()->baseline);
  REQUIRE(e.points[0].simulated()->baseline->bandwidth.size() == 1);
  CHECK(e.points[0].simulated()->baseline->bandwidth[0] == e.points[0].scenario()->bandwidth[1]);
}

TEST_CASE("Every wrong bandwidth is one sentence with its line and key", "[bandwidth][error]") {
  const std::string base = kBase + "bandwidth: {model: intervals, TH: 0.2}\n";
  CHECK(problems_of(base).empty());
  check_said([&](const std::string& flag) { return problems_of(base, {flag}); }, "", {
      {"bandwidth.model=jobs",
       "bandwidth.model: 'jobs' is not one of: dedicated, intervals, duty-cycle, habits, profile, trace"},
      {"bandwidth.u=0.1", "bandwidth.u: this key has no effect here: it belongs to duty-cycle\n"},
      {"bandwith.TH=0.1", "bandwith.TH: this key is not known; did you mean 'bandwidth.TH'?"},
      {"bandwidth.SH=0.3", "bandwidth.SH: SH = 0.3 is more than TH = 0.2"},
      {"bandwidth=3", "bandwidth: this section is a map of keys and values, such as {model: dedicated}"},
      {"bandwidth.hosts.ws4.TH=0.1", "bandwidth.hosts.ws4.TH: there is no workstation 'ws4'"},
      {"bandwidth.hosts.ws2=half", "bandwidth.hosts.ws2: a link's bandwidth is a block such as {model: dedicated"},
      {"bandwidth={model: duty-cycle, u: 1}",
       "bandwidth.model: nothing is ever left of the link of workstation ws1"},
      {"platform.network=bus",
       "e.yaml:4: bandwidth.model: the bandwidth cannot vary: the workstations 'ws1' and 'ws2' have the link 'bus' in "
       "common"},
      {"job.bytes=-1B", "job.bytes: "},
  });
  CHECK_THAT(problems_of(base, {"platform={workstations: 3}"}),
             Contains("bandwidth.model: the bandwidth cannot vary: this platform has no network"));
}

// `nowsim plan`, of jobs to come and under way: answers that are known by hand, and answers that have to agree with one
// another.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/cache_fixture.hpp"
#include "tests/tools/program_fixture.hpp"

using namespace nowsim::test;
using Catch::Contains;

namespace {

using Words = std::vector<std::string>;
using Row = std::map<std::string, std::string>;
using Json = nlohmann::json;

Words with(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

Words fields(const std::string& line) {
  Words out;
  std::istringstream in(line);
  for (std::string field; std::getline(in, field, ',');) out.push_back(field);
  if (line.ends_with(',')) out.emplace_back();
  return out;
}

/// A plan's rows by policy; each has as many fields as the head.
std::map<std::string, Row> plan_rows(const std::string& csv) {
  std::map<std::string, Row> out;
  std::istringstream in(csv);
  std::string line;
  std::getline(in, line);
  const Words head = fields(line);
  while (std::getline(in, line)) {
    const Words row = fields(line);
    REQUIRE(row.size() == head.size());
    for (std::size_t c = 0; c < head.size(); ++c) out[row.front()][head[c]] = row[c];
  }
  return out;
}

double number(const Row& row, const std::string& column) {
  INFO(column);
  return std::stod(row.at(column));
}

std::string host(const std::string& name, const std::string& speed, const std::string& owner = "") {
  const std::string prop = owner.empty() ? "" : "<prop id=\"owner\" value=\"" + owner + "\"/>";
  return "    <host id=\"" + name + "\" speed=\"" + speed + "\">" + prop + "</host>\n";
}

/// A folder with platforms: `three` dedicated machines of 1, 2 and 3 flop/s; `eight` alike with
/// owners, and four, `owned`, whose owners come for long.
struct Lab : Folder {
  Lab() {
    const std::string owner = "{model: intervals, TH: 0.4, interval: 10s}";
    platform("three", host("a", "1f") + host("b", "2f") + host("c", "3f"));
    std::string eight;
    for (int i = 1; i <= 8; ++i) eight += host("ws" + std::to_string(i), "1f", owner);
    platform("eight", eight);
    std::string owned;
    for (const char* name : {"w1", "w2", "w3", "w4"})
      owned += host(name, "1f",
                    "{model: intervals, value: two-point, mean: 50%, TH: 0.8, interval: 100s, length: exponential}");
    platform("owned", owned);
  }
  void platform(const std::string& name, const std::string& hosts) const {
    (void)file(name + ".xml",
               "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
               "<platform version=\"4.1\">\n  <zone id=\"z\" routing=\"None\">\n" +
                   hosts + "  </zone>\n</platform>\n");
  }
  [[nodiscard]] ProgramRun plan(const Words& words) const { return run_program(with({"plan"}, words), path()); }
  /// Of a plan that has to succeed.
  [[nodiscard]] std::map<std::string, Row> rows(const Words& words) const {
    const ProgramRun r = plan(with(words, {"--format", "csv", "--quiet"}));
    INFO(r.error);
    REQUIRE(r.status == 0);
    return plan_rows(r.out);
  }
  /// The same as JSON.
  [[nodiscard]] Json answer(const Words& words) const {
    const ProgramRun r = plan(with(words, {"--format", "json", "--quiet"}));
    INFO(r.error);
    REQUIRE(r.status == 0);
    return Json::parse(r.out);
  }
};

/// The way of this name. Fails where there is none.
Json way(const Json& answer, const std::string& name) {
  for (const auto& one : answer["ways"])
    if (one["way"] == name) return one;
  FAIL("there is no way '" + name + "'");
  return {};
}

double tau(const Json& of) { return of["tau"]["value"]; }

const Words kTwelve{"three.xml", "--work", "12", "--policies", "proportional", "-r", "20"};

}  // namespace

TEST_CASE("Dedicated machines have times known by hand, and deadlines that hold or not", "[computes][plan]") {
  const Lab lab;
  const auto rows =
      lab.rows({"three.xml", "--work", "12", "--deadline", "3s", "--policies", "equal,proportional", "--risk", "5%"});
  const Row &equal = rows.at("equal"), &proportional = rows.at("proportional");
  CHECK(number(equal, "tau") == Approx(4));  // 4 flop each, on the slowest
  CHECK(number(equal, "RF") == 1);
  CHECK(number(equal, "T_99_high") == Approx(4));
  CHECK(number(proportional, "tau") == Approx(2));  // 12 flop at 6 flop/s
  CHECK(number(proportional, "RF") == 0);
  CHECK(number(proportional, "safe_deadline") == Approx(2));
  CHECK(number(proportional, "most_work") == Approx(18).epsilon(2e-4));
  CHECK(number(equal, "most_work_high") == Approx(9).epsilon(2e-4));
  CHECK(number(proportional, "X_b") == Approx(4));
  CHECK(equal.at("recommended") == "0");
  CHECK(proportional.at("recommended") == "1");
}

TEST_CASE("Work is told as time on a machine, of which where they differ", "[plan][machine_time]") {
  const Lab lab;
  // 12 s of the machine of 3 flop/s: 36 flop, at 6 flop/s together.
  for (const char* work : {"12s of c", "12 machine-seconds at 3f", "0.2 machine-minutes of c"}) {
    INFO(work);
    const auto rows = lab.rows({"three.xml", "--work", work, "--policies", "proportional", "-r", "2"});
    CHECK(number(rows.at("proportional"), "tau") == Approx(6));
  }
}

TEST_CASE("Equal machines need no platform's file", "[plan][machine_time]") {
  const CacheFolder cache;  // nothing is known of this machine
  const Lab lab;
  const auto rows = lab.rows({"--machines", "4", "--speed", "2f", "--work", "80", "--policies", "equal", "-r", "2"});
  CHECK(number(rows.at("equal"), "tau") == Approx(10));
  // Of work that is a time, no speed is needed.
  const Words timed{"--machines", "4", "--work", "4h", "--policies", "equal", "-r", "2"};
  CHECK(number(lab.rows(timed).at("equal"), "tau") == Approx(3600));
  const auto owned = lab.rows({"--machines", "4", "--work", "4h", "--policies", "equal", "-r", "20", "--set",
                               "owner.model=intervals", "--set", "owner.TH=0.3", "--set", "owner.mean=50%"});
  CHECK(number(owned.at("equal"), "tau_low") > 7200);
  CHECK(number(lab.rows({"--machines", "4", "--work", "4 machine hours", "--policies", "equal", "-r", "2"}).at("equal"),
               "tau") == Approx(3600));
}

TEST_CASE("One machine is a plan, too: every policy gives it all", "[plan]") {
  const Lab lab;
  lab.platform("one", host("a", "2f"));
  lab.platform("owned", host("a", "2f", "{model: intervals, TH: 0.4, interval: 10s}"));
  for (const char* file : {"one.xml", "owned.xml"})
    for (const Words& more : {Words{"--deadline", "500s"}, Words{"--risk", "5%", "--subset"}}) {
      const ProgramRun run = lab.plan(with({file, "--work", "100", "-r", "20", "--quiet"}, more));
      INFO(file << ": " << run.error);
      CHECK(run.status == 0);
      CHECK_THAT(run.error, !Catch::Contains("boost", Catch::CaseSensitive::No));
    }
  for (const auto& [policy, row] : lab.rows({"one.xml", "--work", "100", "-r", "20"})) {
    INFO(policy);
    CHECK(number(row, "tau") == 50);
  }
}

TEST_CASE("A job in phases waits for the slowest in each", "[plan]") {
  const Lab lab;
  const auto one = lab.rows({"eight.xml", "--work", "1600", "--policies", "equal", "-r", "200"});
  const auto ten = lab.rows({"eight.xml", "--work", "1600", "--phases", "10", "--policies", "equal", "-r", "200"});
  CHECK(number(ten.at("equal"), "tau_low") > number(one.at("equal"), "tau_high"));
  CHECK(one.at("equal").at("RF").empty());  // there is no deadline
}

TEST_CASE("Bytes of each phase take their time on every machine's own path", "[plan]") {
  const Lab lab;
  (void)lab.file("cluster.xml",
                 "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                 "<platform version=\"4.1\">\n  <zone id=\"z\" routing=\"Full\">\n    <cluster id=\"c\" prefix=\"n\" "
                 "suffix=\"\" radical=\"1-4\" speed=\"1f\" bw=\"1kBps\" lat=\"0us\" "
                 "sharing_policy=\"SPLITDUPLEX\"/>\n  </zone>\n</platform>\n");
  const auto rows = lab.rows(
      {"cluster.xml", "--work", "400", "--phases", "5", "--bytes", "2kB", "--policies", "equal", "-r", "2"});
  CHECK(number(rows.at("equal"), "tau") == Approx(110));  // 100 flop at 1 flop/s, and 5 times 2 s
}

TEST_CASE("The risk of the earliest deadline is the one that was asked for", "[plan][statistics]") {
  const Lab lab;
  const Words job{"eight.xml", "--work", "1600", "--policies", "equal", "--replications", "4000"};
  const std::string deadline = lab.rows(with(job, {"--risk", "10%"})).at("equal").at("safe_deadline");
  const double late = number(lab.rows(with(job, {"--deadline", deadline, "--seed", "77"})).at("equal"), "RF");
  CHECK(late > 0.08);  // 10 % by two samples of 4000: give or take 0.7 %
  CHECK(late < 0.12);
}

TEST_CASE("The most work takes until the deadline at the risk", "[plan]") {
  const Lab lab;
  const Words job{"eight.xml", "--deadline", "300s", "--risk", "5%", "--policies", "equal", "--replications", "500"};
  const Row row = lab.rows(with(job, {"--work", "1000"})).at("equal");
  CHECK(number(row, "most_work_low") < number(row, "most_work"));
  CHECK(number(row, "most_work") < number(row, "most_work_high"));
  CHECK(number(row, "most_work_RF_low") < 0.05);
  CHECK(number(lab.rows(with(job, {"--work", row.at("most_work")})).at("equal"), "safe_deadline") ==
        Approx(300).epsilon(1e-3));
}

TEST_CASE("Tasks on dedicated machines are done when a list schedule is, and splits are whole", "[plan][tasks]") {
  const Lab lab;
  // Seven tasks of 1 flop, each begun in 0.1 s: on the machine of 1 flop/s they take 1.1 s, of 2 0.6, of 3 0.4333. After
  // the first three who is free takes one at 0.4333 (c), 0.6 (b), 0.8667 (c) and 1.1 (a), who has the last until 2.2.
  const auto rows = lab.rows({"three.xml", "--work", "7", "--tasks", "7", "--dispatch", "100ms", "--policies",
                              "equal,proportional", "--technique", "SS", "--deadline", "1.5s", "--risk", "5%"});
  const Row &equal = rows.at("equal"), &proportional = rows.at("proportional"), &queue = rows.at("SS");
  CHECK(queue.at("kind") == "queue");
  CHECK(equal.at("kind") == "split");
  CHECK(number(equal, "X_a") == Approx(3));  // the first of equal remainders
  CHECK(number(equal, "tau") == Approx(3.1));
  CHECK(number(proportional, "X_a") + number(proportional, "X_b") + number(proportional, "X_c") == Approx(7));
  CHECK(number(proportional, "X_b") == Approx(2));  // 1.17, 2.33 and 3.5
  CHECK(number(proportional, "X_c") == Approx(4));
  CHECK(number(proportional, "tau") == Approx(0.1 + 4.0 / 3));
  CHECK(number(queue, "tau") == Approx(2.2));
  CHECK(number(queue, "X_a") == Approx(2));
  CHECK(number(queue, "X_c") == Approx(3));
  CHECK(number(queue, "RF") == 1);
  CHECK(number(queue, "safe_deadline") == Approx(number(queue, "tau")));
  CHECK(number(proportional, "RF") == 0);
  CHECK(proportional.at("recommended") == "1");
}

TEST_CASE("A queue and splits meet the same owners, and the queue follows them", "[plan][tasks]") {
  const Lab lab;
  const Words asked{"owned.xml", "--work", "2000", "--tasks", "200", "--policies", "equal", "-r", "200", "--dispatch", "0s"};
  const auto rows = lab.rows(with(asked, {"--technique", "SS,GSS"}));
  CHECK(number(rows.at("SS"), "tau") < number(rows.at("equal"), "tau"));
  // One chunk of a quarter for each of four is the split: on the same owners' paths to the last digit.
  const auto whole = lab.rows(with(asked, {"--technique", "CSS", "--set", "job.chunk=50"}));
  CHECK(number(whole.at("CSS"), "tau") == Approx(number(whole.at("equal"), "tau")).epsilon(1e-12));
  CHECK(number(whole.at("CSS"), "sigma_T") == Approx(number(whole.at("equal"), "sigma_T")).epsilon(1e-12));
}

TEST_CASE("A promise is by the policy that is recommended", "[plan]") {
  const Lab lab;
  for (const Words& asked :
       {Words{"--deadline", "250s", "--risk", "5%"}, Words{"--risk", "5%"}, Words{"--risk", "5%", "--phases", "3"}}) {
    const ProgramRun r = lab.plan(with({"eight.xml", "--work", "1600", "-r", "200", "--set",
                                        "owner={model: intervals, TH: 0.4, SH: 0.1, interval: 60s}", "--policies",
                                        "equal,proportional,equalize,equalize-linear", "--format", "json"},
                                       asked));
    INFO(r.error);
    REQUIRE(r.status == 0);
    CHECK_THAT(r.out, Contains(" promise ") && Contains(": the job is done within "));
    CHECK_THAT(r.out,
               !Contains("by 'equal' the job is done") && !Contains("fit by 4 min 10 s at a risk of 5 %, split by"));
  }
}

namespace {

/// Owners by the hour of the day, that differ: "20:00" has the first 12 hours from 20:00 on free or taken, then the
/// other way round.
std::string by_day(const std::string& at_first, const std::string& then) {
  std::string hours;
  for (int h = 0; h < 24; ++h) hours += (h > 0 ? ", " : "") + (h < 8 || h >= 20 ? at_first : then);
  return "{model: intervals, mean: 0.5, TH: 0.2, value: beta, interval: 20min, diurnal: {start: '20:00', hours: [" +
         hours + "]}}";
}

}  // namespace

TEST_CASE("Machines free at opposite hours get work as they will leave it, and the deadline holds", "[plan][clock]") {
  const Lab lab;
  lab.platform("ab", host("nightbird", "1Gf") + host("daybird", "1Gf"));
  (void)lab.file("ab.yaml", "owner:\n  hosts:\n    nightbird: " + by_day("0.1", "0.95") +
                                "\n    daybird: " + by_day("0.95", "0.1") + "\n");
  const Words asked{"ab.xml", "--owner", "ab.yaml", "--work", "8 machine-hours", "--deadline", "10h", "--risk", "5%"};
  const auto rows = lab.rows(asked);  // `optimal` is one of the usual policies
  // 1.05 machines are left all the time: 8 hours take 7.62 h, and some more for what chance makes of it; 9.5 to 90.5 %
  // takes 7.76 h.
  const double hour_s = 3600;
  CHECK(number(rows.at("proportional"), "tau") / hour_s == Approx(7.76).margin(0.02));
  CHECK(number(rows.at("proportional"), "X_nightbird") / number(rows.at("proportional"), "work") ==
        Approx(0.1 / 1.05).epsilon(1e-3));
  CHECK(number(rows.at("equalize"), "tau") / hour_s < 7.85);
  CHECK(number(rows.at("equal"), "tau") / hour_s > 14);
  CHECK(number(rows.at("optimal"), "RF") == 0);
  CHECK(number(rows.at("optimal"), "tau") / hour_s < 7.85);
  const ProgramRun r = lab.plan(with(asked, {"--subset"}));
  REQUIRE(r.status == 0);
  CHECK_THAT(r.out, Contains("Use both machines and split the work by '") &&
                        Contains("the deadline of 10 h holds with probability 100.00"));
  CHECK_THAT(r.out, !Contains("does not hold") && Contains("above the best by at most "));
  CHECK_THAT(r.out,
             Contains("(a machine-hour: what one core does in an hour in which its owner leaves it alone, 3.6 Tflop)"));
  CHECK_THAT(r.out, Contains("most work [machine-hours]") && Contains(" machine-hours fit by 10 h"));
}

TEST_CASE("Six machines free by night and six by day are split by what each leaves from the job's start on",
          "[plan][clock]") {
  const Lab lab;
  std::string hosts;
  for (int i = 1; i <= 6; ++i) hosts += host("lab" + std::to_string(i), "1Gf", by_day("0.9", "0.2"));
  for (int i = 1; i <= 6; ++i) hosts += host("server" + std::to_string(i), "1Gf", by_day("0.2", "0.9"));
  lab.platform("twelve", hosts);
  // 6.6 machines are left: 70 machine-hours take 10.6 h on average. By the mean of the week each would have as much,
  // and the servers take far beyond 12 h.
  const auto rows = lab.rows({"twelve.xml", "--work", "70 machine-hours", "--deadline", "12h", "--policies",
                              "equal,proportional,equalize-linear,optimal"});
  CHECK(number(rows.at("equal"), "RF") == 1);
  for (const char* policy : {"proportional", "equalize-linear", "optimal"}) {
    INFO(policy);
    CHECK(number(rows.at(policy), "RF") < 0.01);
    CHECK(number(rows.at(policy), "tau") / 3600 == Approx(10.9).margin(0.3));
  }
}

TEST_CASE("Owners by the clock go by the plan's start, and answers are told by the clock", "[plan][clock]") {
  const Lab lab;
  std::string owner = by_day("0.2", "0.9");
  owner.replace(owner.find("start: '20:00', "), 16, "");
  lab.platform("birds", host("b1", "1Gf", owner) + host("b2", "1Gf", owner));
  const auto asked = [&](const std::string& start, const Words& more) {
    return with({"birds.xml", "--work", "8 machine-hours", "--policies", "equal", "--risk", "5%", "--zone", "Europe/Berlin",
                 "--start", start}, more);
  };
  const auto night = lab.rows(asked("2026-12-04 20:00", {"--deadline", "2026-12-05 8:00"})),
             day = lab.rows(asked("2026-12-04 8:00", {"--deadline", "12h"}));
  CHECK(number(night.at("equal"), "RF") == 1);
  CHECK(number(day.at("equal"), "RF") == 0);
  CHECK(day.at("equal").at("start") == "2026-12-04T08:00:00+01:00");
  CHECK(night.at("equal").at("deadline_at") == "2026-12-05T08:00:00+01:00");
  const Json json = lab.answer(asked("2026-12-04 8:00", {"--deadline", "20:00"}));
  CHECK(json["start"] == "2026-12-04T08:00:00+01:00");
  CHECK(json["deadline_at"] == "2026-12-04T20:00:00+01:00");
  CHECK(json["zone"] == "Europe/Berlin");
  CHECK_THAT(json["policies"][0]["promised_at"].get<std::string>(), Catch::StartsWith("2026-12-04T12:"));
  const ProgramRun r = lab.plan(asked("2026-10-24 20:00", {"--deadline", "8:00"}));
  INFO(r.error);
  REQUIRE(r.status == 0);
  CHECK_THAT(r.out, Contains(", from Sat 2026-10-24 20:00 to Sun 08:00 at the latest (13 h)"));
  CHECK_THAT(r.out, Contains("promise Sun ") && Contains(" after the start): the job is done within "));
  CHECK_THAT(r.out, Contains("Within that time clocks are put back by 1 h at Sun 2026-10-25 03:00 in Europe/Berlin"));
  const ProgramRun elapsed = lab.plan(asked("2026-12-04 8:00", {"--deadline", "20:00", "--elapsed", "1h", "--done", "20%"}));
  INFO(elapsed.error);
  REQUIRE(elapsed.status == 0);
  CHECK_THAT(elapsed.out, Contains("1 h after it began, Fri 09:00") && Contains("the deadline of Fri 20:00 (12 h after the start)"));
  const ProgramRun twice = lab.plan(asked("8:00", {"--set", "run.start='9:00'"}));
  CHECK(twice.status == 2);
  CHECK_THAT(twice.error, Contains("that is said by --start here"));
  const ProgramRun nobody = lab.plan({"three.xml", "--work", "100f", "--policies", "equal", "--start", "18:00"});
  CHECK(nobody.status == 0);
  CHECK_THAT(nobody.error, Contains("nobody here goes by the clock"));
}

TEST_CASE("A plan is the same bytes for any number of jobs", "[plan]") {
  const Lab lab;
  for (const char* format : {"table", "csv", "json"}) {
    const Words words{"eight.xml", "--work",   "1600",  "--deadline", "250s",       "--risk",
                      "5%",        "--subset", "-r",    "200",        "--policies", "equal,proportional",
                      "--format",  format,     "--jobs"};
    const ProgramRun first = lab.plan(with(words, {"1"})), second = lab.plan(with(words, {"2"}));
    REQUIRE(first.status == 0);
    CHECK(first.out == second.out);
  }
}

TEST_CASE("Promises and comparisons hold together for all policies", "[plan][statistics]") {
  const Lab lab;
  const Json three = lab.answer(
      {"eight.xml", "--work", "1600", "--deadline", "250s", "--policies", "equal,proportional,equalize", "-r", "100"});
  const double of_each = three["confidence_of_rivals"];
  CHECK(of_each > 0.9749);  // RF and tau by half of it each, ...
  CHECK(of_each < 0.99167);  // ... of three pairs never more than Bonferroni's
  CHECK(three["confidence_of_limits"] == Approx(0.98333).epsilon(1e-5));
}

TEST_CASE("Owners can be given in a file of their own", "[plan]") {
  const Lab lab;
  (void)lab.file("block.yaml", "{model: intervals, mean: 0.5, TH: 0, value: constant}\n");
  (void)lab.file("owner.yaml", "owner:\n  model: intervals\n  mean: 0.5\n  TH: 0\n  value: constant\n");
  for (const char* file : {"block.yaml", "owner.yaml"}) {
    const auto rows = lab.rows({"three.xml", "--work", "12", "--policies", "proportional", "--owner", file, "-r", "2"});
    CHECK(number(rows.at("proportional"), "tau") == Approx(4));
  }
}

TEST_CASE("A plan counts how little was measured, and says so", "[plan][measured]") {
  const Lab lab;
  const std::string fit = "owner: {model: intervals, TH: 0.2, mean: 0.5, interval: 2s";
  (void)lab.file("known.yaml", fit + "}\n");
  (void)lab.file("measured.yaml", fit + ", worth: 8, mean_se: 0.03, TH_se: 0.2, interval_se: 50%}\n");
  const Words words{"three.xml", "--work", "3600", "--deadline", "1300s", "--risk", "10%", "--policies", "proportional"};
  const auto of = [&](const char* file) { return lab.rows(with(words, {"--owner", file})).at("proportional"); };
  const Row known = of("known.yaml"), measured = of("measured.yaml");
  CHECK(number(known, "RF") == 0);
  CHECK(number(measured, "RF") > 0.02);
  CHECK(number(measured, "RF") < 0.4);
  CHECK(number(measured, "tau") == Approx(number(known, "tau")).epsilon(0.02));
  // The mean is known to 6 %, by Student's law with 7 degrees of freedom.
  CHECK(number(measured, "tau_high") / number(measured, "tau") == Approx(std::exp(0.12 * 1.18)).epsilon(0.03));
  CHECK(number(known, "tau_high") / number(known, "tau") < 1.002);
  CHECK(number(measured, "safe_deadline") > 1.05 * number(known, "safe_deadline"));
  CHECK(number(measured, "most_work") < 0.95 * number(known, "most_work"));
  const ProgramRun run = lab.plan(with(words, {"--owner", "measured.yaml"}));
  CHECK_THAT(run.out, Contains("owners were measured") && Contains("% of its variance comes from that"));
}

TEST_CASE("A job a billion times too long for its deadline has an answer: it does not hold, and what fits is told", "[plan][limits]") {
  const Lab lab;
  const ProgramRun run = lab.plan({"eight.xml", "--work", "1e12", "--policies", "equal", "--deadline", "1h", "--risk", "5%"});
  CHECK(run.status == 0);
  CHECK_THAT(run.out, Contains("The deadline of 1 h does not hold"));
  const double most = number(lab.rows({"eight.xml", "--work", "1e12", "--policies", "equal", "--deadline", "1h", "--risk",
                                       "5%"}).at("equal"), "most_work");
  // Eight machines of which half is left do 4 flop/s, the slowest of them a little less: not what owners of years leave.
  CHECK(most == Approx(4 * 3600).epsilon(0.1));
  CHECK(most < 4 * 3600);
}

TEST_CASE("A plan that cannot be found in time is refused with its estimate, or takes fewer replications", "[plan][limits]") {
  const Lab lab;
  const auto plan = [&](const char* work, const Words& more) {
    return lab.plan(with({"eight.xml", "--work", work, "--policies", "equal", "--exact"}, more));
  };
  const ProgramRun absurd = plan("1e18", {"--deadline", "1h"});
  CHECK(absurd.status == 2);
  CHECK_THAT(absurd.error, Contains("would take about") && Contains("of a job that is expected to take") &&
                               Contains("years") && Contains("--at-most"));
  const ProgramRun fewer = plan("1e8", {"--at-most", "3s"});
  CHECK_THAT(fewer.error, Catch::StartsWith("remark: ") &&
                              Contains("0 replications, not 1000, with which the plan would take about"));
  // On a slow machine the three seconds are over first; with more time as many replications have the answer.
  const bool is_over = Contains("the time that --at-most gives is over").match(fewer.error);
  CHECK(fewer.status == (is_over ? 1 : 0));
  const std::string fit = fewer.error.substr(8, fewer.error.find(" replications") - 8);
  const ProgramRun enough = plan("1e8", {"--at-most", "10min", "-r", fit});
  CHECK(enough.status == 0);
  if (!is_over) CHECK(enough.out == fewer.out);
  const ProgramRun asked = plan("1e8", {"--at-most", "3s", "-r", "1000"});
  CHECK(asked.status == 2);
  CHECK_THAT(asked.error, Contains("there is time for"));
  const ProgramRun phases = plan("1e6", {"--phases", "1e9"});
  CHECK(phases.status == 2);
  CHECK_THAT(phases.error, Contains("would take about"));
  CHECK(plan("1e-9", {"--deadline", "1h", "--risk", "5%"}).status == 0);
}

TEST_CASE("A job far longer than owners' intervals meets fewer, which is said, and all of them where that is asked for",
          "[plan]") {
  const Lab lab;
  const std::string owner = "{model: intervals, value: beta, mean: 0.5, TH: 0.4, interval: 1s, length: exponential}";
  lab.platform("short", host("a", "1f", owner) + host("b", "2f", owner));
  const Words job{"short.xml", "--work", "9000", "--policies", "proportional", "-r", "400"};
  const Words exactly = with(job, {"--exact"});
  const ProgramRun said = lab.plan(job), all = lab.plan(exactly);
  CHECK_THAT(said.error, Contains("owners' intervals are far shorter than the job"));
  CHECK_THAT(all.error, !Contains("far shorter"));
  const Row few = lab.rows(job).at("proportional"), many = lab.rows(exactly).at("proportional");
  CHECK(number(few, "tau") != number(many, "tau"));
  for (const char* column : {"tau", "T_50", "T_90"}) CHECK(number(few, column) == Approx(number(many, column)).epsilon(0.003));
  CHECK(number(few, "sigma_T") == Approx(number(many, "sigma_T")).epsilon(0.2));
}

TEST_CASE("Dedicated machines that are behind: going on, moving, giving up and adding have times known by hand",
          "[plan][under-way]") {
  const Lab lab;
  (void)lab.file("done.csv", "machine,done\na,0\nb,2f\nc,3f\n");  // after 1 s; planned 2, 4 and 6 flop
  Json r = lab.answer(with(kTwelve, {"--elapsed", "1s", "--done-file", "done.csv", "--deadline", "2.5s"}));
  CHECK(tau(r["planned"]) == Approx(2));
  CHECK(tau(way(r, "go on")) == Approx(3));  // a has 2 flop left
  CHECK(tau(way(r, "move work")) == Approx(1 + 7.0 / 6).epsilon(1e-3));
  CHECK(tau(way(r, "give up a")) == Approx(1 + 7.0 / 5).epsilon(1e-3));
  CHECK(tau(way(r, "give up c")) == Approx(1 + 7.0 / 3).epsilon(1e-3));
  CHECK(way(r, "go on")["RF"]["value"] == 1);
  CHECK(way(r, "move work")["RF"]["value"] == 0);
  CHECK(way(r, "move work")["RF_less"]["value"] == 1);
  CHECK(way(r, "move work")["tau_less"]["value"] == Approx(3 - 1 - 7.0 / 6).epsilon(1e-3));
  CHECK(r["advised"] == "move work");
  CHECK(r["done_share"] == Approx(5.0 / 12));
  CHECK(r["machines"][0]["expected_done"]["mean"] == Approx(0.5));
  // Moving takes half a second, in which nobody computes.
  r = lab.answer(
      with(kTwelve, {"--elapsed", "1s", "--done-file", "done.csv", "--deadline", "2.5s", "--moving", "500ms"}));
  CHECK(tau(way(r, "go on")) == Approx(3));
  CHECK(tau(way(r, "move work")) == Approx(1.5 + 7.0 / 6).epsilon(1e-3));
  CHECK(way(r, "move work")["RF"]["value"] == 1);
  // A machine without a part can be added.
  (void)lab.file("two.csv", "machine,part,done\na,4f,1f\nb,8f,2f\n");
  r = lab.answer(with(kTwelve, {"--elapsed", "1s", "--done-file", "two.csv"}));
  CHECK(tau(way(r, "go on")) == Approx(4));
  CHECK(tau(way(r, "add c")) == Approx(1 + 9.0 / 6).epsilon(1e-3));
  CHECK(r["advised"] == "add c");
}

TEST_CASE("A job that is as far as planned goes on, and its promise is what it was", "[plan][under-way]") {
  const Lab lab;
  const Json r = lab.answer(with(kTwelve, {"--elapsed", "1s", "--done", "50%", "--deadline", "2s"}));
  CHECK(tau(way(r, "go on")) == Approx(2));
  CHECK(r["advised"] == "go on");
}

TEST_CASE("What is seen of owners tells which machine to relieve", "[plan][under-way]") {
  const Lab lab;
  const Words job{"owned.xml", "--work", "400", "--policies", "equal", "--elapsed", "50s", "-r", "400"};
  (void)lab.file("blind.csv", "machine,done\nw1,25f\nw2,25f\nw3,25f\nw4,25f\n");
  (void)lab.file("seen.csv", "machine,done,seen\nw1,25f,0.1\nw2,25f,0.9\nw3,25f,0.9\nw4,25f,0.9\n");
  const Json blind = lab.answer(with(job, {"--done-file", "blind.csv"})),
             seen = lab.answer(with(job, {"--done-file", "seen.csv"}));
  const auto left = [](const Json& r, std::size_t machine) {
    return way(r, "move work")["split"][machine]["work_flop"].get<double>();
  };
  CHECK(left(seen, 0) < 0.8 * left(seen, 1));
  CHECK(left(blind, 0) == Approx(left(blind, 1)).epsilon(0.25));  // tau is flat there
  CHECK(way(seen, "move work")["tau_less"]["low"].get<double>() > 0);
  CHECK(seen["advised"] == "move work");
  // The owner that is there is expected to stay for 100 s, with 0.1; those that are not, likewise with 0.9.
  CHECK(tau(way(seen, "move work")) < tau(way(blind, "move work")));
  // Alike machines are told once.
  CHECK(std::ranges::count_if(seen["ways"], [](const Json& w) { return w["kind"] == "give_up"; }) == 2);
}

TEST_CASE("Jobs in phases and with messages are asked as they are", "[plan][under-way]") {
  const Lab lab;
  const Json r = lab.answer(with(kTwelve, {"--elapsed", "1s", "--done", "50%", "--phases", "4"}));
  CHECK(tau(way(r, "go on")) == Approx(2));
  CHECK(r["expected_share"].is_null());
}

TEST_CASE("One machine goes on, one that is done waits, and time for moving that is beyond the deadline is late",
          "[plan][under-way]") {
  const Lab lab;
  lab.platform("one", host("a", "2f"));
  const Json alone = lab.answer({"one.xml", "--work", "12", "--elapsed", "1s", "--done", "10%", "-r", "20"});
  CHECK(alone["ways"].size() == 1);
  CHECK(tau(way(alone, "go on")) == Approx(1 + 10.8 / 2));
  CHECK(alone["advised"] == "go on");
  (void)lab.file("done.csv", "machine,done\na,100%\nb,2f\nc,3f\n");
  const Json r =
      lab.answer(with(kTwelve, {"--elapsed", "2s", "--done-file", "done.csv", "--deadline", "4s", "--moving", "3s"}));
  CHECK(tau(way(r, "go on")) == Approx(3));
  CHECK(way(r, "go on")["RF"]["value"] == 0);
  CHECK(way(r, "move work")["RF"]["value"] == 1);
  CHECK(std::ranges::none_of(r["ways"], [](const Json& w) { return w["way"] == "give up a"; }));  // it is done
  CHECK(r["advised"] == "go on");
}

TEST_CASE("What does better by tau alone is advised where RF does not tell", "[plan][under-way]") {
  const Lab lab;
  (void)lab.file("done.csv", "machine,done\na,0\nb,2f\nc,3f\n");
  const Json r = lab.answer(with(kTwelve, {"--elapsed", "1s", "--done-file", "done.csv", "--deadline", "9s"}));
  CHECK(way(r, "move work")["RF_less"]["value"] == 0);
  CHECK(r["advised"] == "move work");
}

TEST_CASE("A job under way that was cut to its time is not refused for replications that nobody asked for",
          "[plan][under-way]") {
  const Lab lab;
  const std::string owner = "{model: intervals, value: beta, mean: 0.5, TH: 0.4, interval: 50ms, length: exponential}";
  lab.platform("busy", host("a", "1f", owner) + host("b", "1f", owner) + host("c", "1f", owner));
  const Words job{"busy.xml",  "--work", "9000",   "--exact", "--policies", "equal",
                  "--elapsed", "1000s",  "--done", "20%",     "--at-most",  "3s"};
  const ProgramRun cut = lab.plan(job);
  CHECK_THAT(cut.error, !Contains("there is time for"));
  // Fewer replications, or what the time was too short for on a slow machine.
  CHECK_THAT(cut.error, Contains("replications, not 1000") || Contains("--at-most"));
}

TEST_CASE("CSV has a row per way, and the picture is drawn", "[plan][under-way]") {
  const Lab lab;
  const ProgramRun r = lab.plan(
      with(kTwelve, {"--elapsed", "1s", "--done", "40%", "--deadline", "3s", "--format", "csv", "--picture", "p.svg"}));
  REQUIRE(r.status == 0);
  CHECK_THAT(r.out, Catch::StartsWith("way,kind,machine,work,deadline,risk,elapsed,done,tau,tau_low,tau_high,"));
  CHECK(std::ranges::count(r.out, '\n') == 6);  // head, go on, move, three machines
  CHECK_THAT(content_of(lab.path() + "/p.svg"), Contains("as planned") && Contains("go on"));
}

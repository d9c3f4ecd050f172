// `nowsim plan`: answers that are known by hand, answers that have to agree with one another, and bad input.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <map>
#include <sstream>

#include "tests/cache_fixture.hpp"
#include "tests/tools/program_fixture.hpp"

using namespace nowsim::test;
using Catch::Contains;

namespace {

using Words = std::vector<std::string>;
using Row = std::map<std::string, std::string>;

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

/// A folder with platforms: `three` dedicated machines of 1, 2 and 3 flop/s; `eight` alike with owners; `lame`: three
/// of 1 flop/s and a hundred times slower one; `taken`: one whose owner never leaves.
struct Lab : Folder {
  Lab() {
    const std::string owner = "{model: intervals, TH: 0.4, interval: 10s}";
    platform("three", host("a", "1f") + host("b", "2f") + host("c", "3f"));
    std::string eight;
    for (int i = 1; i <= 8; ++i) eight += host("ws" + std::to_string(i), "1f", owner);
    platform("eight", eight);
    platform("lame", host("a", "1f") + host("b", "1f") + host("c", "1f") + host("snail", "0.01f"));
    platform("taken", host("a", "1f") + host("b", "1f", "{model: duty-cycle, u: 100%}"));
  }
  void platform(const std::string& name, const std::string& hosts) const {
    (void)file(name + ".xml",
               "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
               "<platform version=\"4.1\">\n  <zone id=\"z\" routing=\"None\">\n" +
                   hosts + "  </zone>\n</platform>\n");
  }
  [[nodiscard]] ProgramRun plan(const Words& words) const {
    Words all{"plan"};
    all.insert(all.end(), words.begin(), words.end());
    return run_program(all, path());
  }
  /// Of a plan that has to succeed.
  [[nodiscard]] std::map<std::string, Row> rows(Words words) const {
    words.insert(words.end(), {"--format", "csv", "--quiet"});
    const ProgramRun r = plan(words);
    INFO(r.error);
    REQUIRE(r.status == 0);
    return plan_rows(r.out);
  }
};

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
  const ProgramRun told = lab.plan({"eight.xml", "--work", "1h", "-r", "20"});
  INFO(told.error);
  CHECK(told.status == 0);
  CHECK_THAT(told.out, Catch::StartsWith("3.6 kflop (1h) on eight.xml, 8 machines"));
  const ProgramRun untold = lab.plan({"three.xml", "--work", "12s"});
  CHECK(untold.status == 2);
  CHECK_THAT(untold.error,
             Contains("--work: '12s'") && Contains("a (1 flop/s) to c (3 flop/s)") && Contains("'12s of a'"));
  CHECK_THAT(lab.plan({"three.xml", "--work", "12s of z"}).error, Contains("there is no machine 'z' among those of"));
  CHECK_THAT(lab.plan({"three.xml", "--work", "12 parsec"}).error,
             Contains("--work 12 parsec") && Contains("machine-hours"));
  CHECK_THAT(lab.plan({"three.xml", "--work", "0h of a"}).error, Contains("it must be more than 0"));
}

TEST_CASE("Where no policy can be had, work that is told as time says why", "[plan][machine_time][error]") {
  const Lab lab;
  const ProgramRun run =
      lab.plan({"--machines", "4", "--work", "40 machine-hours", "--set", "owner={model: intervals, TH: 3, mean: 0.9}",
                "--set", "run.infeasible=skip"});
  CHECK(run.status == 2);
  CHECK_THAT(run.error, Contains("TH = 3 is more than the law 'uniform' can hold at mean 0.9"));
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
  const ProgramRun text = lab.plan({"--machines", "2", "--speed", "2.5Gf", "--work", "2h", "-r", "2"});
  CHECK_THAT(text.out, Catch::StartsWith("18 Tflop (2h) on 2 machines of 2.5 Gflop/s\n"));
  CHECK_THAT(text.error, Contains("they are all the job's"));
  const auto refused = [&](const Words& words) {
    const ProgramRun r = lab.plan(words);
    CHECK(r.status == 2);
    return r.error;
  };
  CHECK_THAT(refused({"--machines", "4", "--work", "3Tf"}), Contains("how fast they are, by --speed"));
  for (const char* work : {"nonsense", "10 bananas", ""})  // whatever else is missing
    CHECK_THAT(refused({"--machines", "4", "--work", work}),
               Contains("is not an amount of work") && !Contains("--speed"));
  CHECK_THAT(refused({"--machines", "4", "--work=-3Tf"}), Contains("--work -3Tf: it must be more than 0"));
  CHECK_THAT(refused({"--machines", "4", "--work=-5h"}), Contains("'-5h' is no amount of work: it must be more"));
  CHECK_THAT(refused({"--machines", "4", "--work", "10h at 2"}), Contains("the speed '2' has no unit"));
  CHECK(number(lab.rows({"--machines", "4", "--work", "4 machine hours", "--policies", "equal", "-r", "2"}).at("equal"),
               "tau") == Approx(3600));
  CHECK_THAT(refused({"--machines", "4", "three.xml", "--work", "3Tf"}), Contains("not both"));
  CHECK_THAT(refused({"--work", "3Tf"}), Contains("--machines 4"));
  CHECK_THAT(refused({"three.xml", "--speed", "2f", "--work", "3"}), Contains("--speed is for --machines"));
  CHECK_THAT(refused({"--machines", "0", "--work", "3"}), Contains("--machines 0: it must be more than 0"));
  CHECK_THAT(refused({"--machines", "2.5", "--work", "3"}), Contains("--machines"));
  CHECK_THAT(refused({"--machines", "4", "--speed", "2f", "--work", "3", "--set", "platform.speed=3f"}),
             Contains("that is said by --speed here"));
}

TEST_CASE("One machine is a plan, too: every policy gives it all", "[plan]") {
  const Lab lab;
  lab.platform("one", host("a", "2f"));
  lab.platform("owned", host("a", "2f", "{model: intervals, TH: 0.4, interval: 10s}"));
  for (const char* file : {"one.xml", "owned.xml"})
    for (const Words& more : {Words{"--deadline", "500s"}, Words{"--risk", "5%", "--subset"}}) {
      Words words{file, "--work", "100", "-r", "20", "--quiet"};
      words.insert(words.end(), more.begin(), more.end());
      const ProgramRun run = lab.plan(words);
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
  Words asked = job, again = job;
  asked.insert(asked.end(), {"--risk", "10%"});
  const std::string deadline = lab.rows(asked).at("equal").at("safe_deadline");
  again.insert(again.end(), {"--deadline", deadline, "--seed", "77"});
  const double late = number(lab.rows(again).at("equal"), "RF");
  CHECK(late > 0.08);  // 10 % by two samples of 4000: give or take 0.7 %
  CHECK(late < 0.12);
}

TEST_CASE("The most work takes until the deadline at the risk", "[plan]") {
  const Lab lab;
  const Words job{"eight.xml", "--deadline", "300s", "--risk", "5%", "--policies", "equal", "--replications", "500"};
  Words asked = job, again = job;
  asked.insert(asked.end(), {"--work", "1000"});
  const Row row = lab.rows(asked).at("equal");
  CHECK(number(row, "most_work_low") < number(row, "most_work"));
  CHECK(number(row, "most_work") < number(row, "most_work_high"));
  CHECK(number(row, "most_work_RF_low") < 0.05);
  again.insert(again.end(), {"--work", row.at("most_work")});
  CHECK(number(lab.rows(again).at("equal"), "safe_deadline") == Approx(300).epsilon(1e-3));
}

TEST_CASE("A machine that holds up all the others is left out", "[plan]") {
  const Lab lab;
  const ProgramRun r = lab.plan({"lame.xml", "--work", "300", "--deadline", "200s", "--policies", "equal", "--subset"});
  REQUIRE(r.status == 0);
  CHECK_THAT(
      r.out,
      Contains("Use 3 of the 4 machines (all but snail) and split the work by 'equal': the deadline of 3 min 20 s "
               "holds with probability"));
  CHECK_THAT(r.out,
             Contains("taking 3 of the 4 machines (all but snail) lowers RF by 100.00 [") && Contains("] points"));
  CHECK_THAT(r.out, Contains("7 sets of machines tried (all that differ)"));  // 1, 2 or 3 of a kind, the snail or not
  const ProgramRun all =
      lab.plan({"lame.xml", "--work", "300", "--policies", "proportional", "--subset", "--replications", "10"});
  CHECK_THAT(all.out, Contains("Use all 4 machines and split the work by 'proportional'"));
}

TEST_CASE("A fit may name machines that do not take part, and those that it forgets are told once", "[plan]") {
  const Lab lab;
  lab.file("fit.yaml", "owner: {hosts: {c: {model: intervals, mean: 0.5, TH: 0.1, interval: 1s}}}\n");
  Words words{"three.xml", "--work", "60", "--policies", "equal,proportional", "-r", "20", "--owner", "fit.yaml"};
  const ProgramRun all = lab.plan(words);
  CHECK(all.status == 0);
  const std::string remark = "fit.yaml:1: owner.hosts: nothing is said of a, b, which count as dedicated";
  CHECK_THAT(all.error, Contains(remark));
  CHECK(all.error.find(remark) == all.error.rfind(remark));
  words.insert(words.end(), {"--set", "platform.hosts=[a, b]"});
  const ProgramRun some = lab.plan(words);
  INFO(some.error);
  CHECK(some.status == 0);
}

TEST_CASE("A policy that nobody asked for and that cannot be had is left out with a remark", "[plan]") {
  const Lab lab;
  const ProgramRun r = lab.plan({"taken.xml", "--work", "100", "--deadline", "200s", "-r", "10"});
  CHECK(r.status == 0);
  CHECK_THAT(r.error, Contains("remark: without the policy 'equal': ") && Contains("workstation b gets work but has no"));
  CHECK_THAT(r.out, Contains("proportional"));
  CHECK(lab.plan({"taken.xml", "--work", "100", "--deadline", "200s", "--policies", "equal"}).status == 2);
}

TEST_CASE("A machine whose owner never leaves is no set of its own, and the others are chosen from", "[plan]") {
  const Lab lab;
  const std::string owner = "{model: intervals, TH: 0.3, interval: 10s}";
  lab.platform("two-and-taken",
               host("a", "1f", owner) + host("b", "1f", owner) + host("c", "1f", "{model: duty-cycle, u: 100%}"));
  const ProgramRun r = lab.plan({"two-and-taken.xml", "--work", "600", "--deadline", "400s", "--policies",
                                 "proportional", "-r", "100", "--subset"});
  INFO(r.error);
  CHECK(r.status == 0);
  CHECK_THAT(r.out, Contains("all but c") && Contains(", split by 'proportional'"));
  CHECK_THAT(r.out, Contains("2 of the 3 machines (all but c)"));
}

TEST_CASE("A set that never misses the deadline is chosen though others are faster on average", "[plan]") {
  const Lab lab;
  lab.platform("wild", host("a", "1Gf", "{model: intervals, TH: 0.9, interval: 300s, value: two-point}") +
                           host("b", "1Gf"));
  const ProgramRun r = lab.plan({"wild.xml", "--work", "1Tf", "--deadline", "1010s", "--policies", "proportional",
                                 "--subset", "-r", "500"});
  INFO(r.error);
  REQUIRE(r.status == 0);
  CHECK_THAT(
      r.out,
      Contains("Use 1 of the 2 machines (b) and split the work by 'proportional': the deadline of 16 min 50 s holds"));
  CHECK_THAT(r.out, Contains("* 1") && Contains("judged by RF"));
}

TEST_CASE("A set of machines that is advised comes with its policy and its promise, and there is no other", "[plan]") {
  const Lab lab;
  const ProgramRun r =
      lab.plan({"lame.xml", "--work", "300", "--deadline", "200s", "--risk", "5%", "--policies", "equal", "--subset"});
  REQUIRE(r.status == 0);
  // 100 s on three machines; on all four the snail takes 7500 s, which nobody is to promise.
  CHECK_THAT(r.out, Contains("At a risk of 5 % promise 1 min 40 s: the job is done"));
  CHECK_THAT(r.out, Contains(" flop fit by 3 min 20 s") && !Contains("\n8 flop fit") &&
                        !Contains("\n7."));  // 600 on three, 8 on all
  CHECK(r.out.find("promise ") == r.out.rfind("promise "));
  CHECK_THAT(r.out, !Contains("does not hold") && !Contains("is exceeded"));
}

TEST_CASE("A promise is by the policy that is recommended", "[plan]") {
  const Lab lab;
  for (const Words& asked :
       {Words{"--deadline", "250s", "--risk", "5%"}, Words{"--risk", "5%"}, Words{"--risk", "5%", "--phases", "3"}}) {
    Words words{"eight.xml",
                "--work",
                "1600",
                "-r",
                "200",
                "--set",
                "owner={model: intervals, TH: 0.4, SH: 0.1, interval: 60s}",
                "--policies",
                "equal,proportional,equalize,equalize-linear",
                "--format",
                "json"};
    words.insert(words.end(), asked.begin(), asked.end());
    const ProgramRun r = lab.plan(words);
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
  Words all = asked;
  all.emplace_back("--subset");
  const ProgramRun r = lab.plan(all);
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

TEST_CASE("What is suggested of owners is what people do, and how much hangs on it is said", "[plan]") {
  const Lab lab;
  const Words job{"--machines", "4",  "--work", "40 machine-hours", "--deadline", "24h", "--policies",
                  "equal",      "-r", "200"};
  CHECK_THAT(lab.plan(job).error, Contains("--set owner.TH=0.3 --set owner.interval=45min"));
  const auto with = [&](const Words& more) {
    Words all = job;
    all.insert(all.end(), more.begin(), more.end());
    const ProgramRun r = lab.plan(all);
    REQUIRE(r.status == 0);
    return r.out;
  };
  const Words owner{"--set", "owner.model=intervals", "--set", "owner.TH=0.3", "--set", "owner.mean=0.45"};
  // 22.2 h on average: by intervals of 10 s next to nothing is late, of 45 min some are.
  CHECK_THAT(with(owner), Contains("holds with probability 100.00") &&
                              Contains("The answer hangs on how long owners leave a machine as it is, 10 s on average here: the "
                                       "deadline holds with probability ") &&
                              Contains(" % where it is 45 min, a guess at people's sessions."));
  Words longer = owner;
  longer.insert(longer.end(), {"--set", "owner.interval=1h"});
  CHECK_THAT(with(longer), Contains("1 h on average here: the deadline holds with") && Contains(" % where it is 15 min, and ") &&
                               Contains(" % where it is 4 h."));
  CHECK_THAT(with({}), !Contains("The answer hangs"));
}

TEST_CASE("Cores that a plan leaves idle are told", "[plan]") {
  const Lab lab;
  lab.platform("pcs", "    <host id=\"a\" speed=\"1f\" core=\"4\"/>\n    <host id=\"b\" speed=\"1f\" core=\"4\"/>\n");
  const ProgramRun r = lab.plan({"pcs.xml", "--work", "4 machine-hours", "--policies", "equal", "-r", "2"});
  REQUIRE(r.status == 0);
  CHECK_THAT(
      r.error,
      Contains("one core of each machine: 6 of the 8 cores idle for it, and a machine-hour is an hour of one core"));
  CHECK_THAT(lab.plan({"three.xml", "--work", "12", "--policies", "equal", "-r", "2"}).error, !Contains("idle"));
}

TEST_CASE("A plan is the same bytes for any number of jobs", "[plan]") {
  const Lab lab;
  for (const char* format : {"table", "csv", "json"}) {
    const Words words{"eight.xml", "--work",   "1600",  "--deadline", "250s",       "--risk",
                      "5%",        "--subset", "-r",    "200",        "--policies", "equal,proportional",
                      "--format",  format,     "--jobs"};
    Words one = words, two = words;
    one.emplace_back("1");
    two.emplace_back("2");
    const ProgramRun first = lab.plan(one), second = lab.plan(two);
    REQUIRE(first.status == 0);
    CHECK(first.out == second.out);
  }
}

TEST_CASE("Policies that split alike are not told apart", "[plan]") {
  const Lab lab;
  const ProgramRun r =
      lab.plan({"eight.xml", "--work", "1600", "--deadline", "250s", "--policies", "equal,proportional", "-r", "100"});
  CHECK(r.status == 0);
  CHECK_THAT(r.out, Contains("are the same here") || Contains("is the same here"));
}

TEST_CASE("A deadline that does not hold is said, and is no error", "[plan]") {
  const Lab lab;
  const ProgramRun r =
      lab.plan({"three.xml", "--work", "12", "--deadline", "1s", "--policies", "equal,proportional", "--risk", "1%"});
  CHECK(r.status == 0);
  CHECK_THAT(r.out, Contains("The deadline of 1 s does not hold"));
  CHECK_THAT(r.out, Contains("The risk of 1 % is exceeded"));
}

TEST_CASE("What too few replications cannot promise is not promised", "[plan]") {
  const Lab lab;
  const ProgramRun r =
      lab.plan({"eight.xml", "--work", "1600", "--risk", "1%", "--policies", "equal", "--replications", "100"});
  CHECK(r.status == 0);
  CHECK_THAT(r.out, Contains("No time can be promised at a risk of 1 %") && Contains("it takes 368"));
}

TEST_CASE("Promises and comparisons hold together for all policies", "[plan][statistics]") {
  const Lab lab;
  const ProgramRun two = lab.plan(
      {"eight.xml", "--work", "1600", "--risk", "1%", "--policies", "equal,proportional", "--replications", "400"});
  REQUIRE(two.status == 0);
  CHECK_THAT(two.out, Contains("it takes 437"));  // 0.99^437 < 0.025/2 < 0.99^436, where one policy takes 368
  CHECK_THAT(two.out, Contains("intervals of 97.5 % each"));
  const ProgramRun three = lab.plan({"eight.xml", "--work", "1600", "--deadline", "250s", "--policies",
                                     "equal,proportional,equalize", "-r", "100", "--format", "json"});
  REQUIRE(three.status == 0);
  const std::string level = "\"confidence_of_rivals\": ";
  const auto at = three.out.find(level);
  REQUIRE(at != std::string::npos);
  const double of_each = std::stod(three.out.substr(at + level.size()));
  CHECK(of_each > 0.9749);  // RF and tau by half of it each, ...
  CHECK(of_each < 0.99167);  // ... of three pairs never more than Bonferroni's
  CHECK_THAT(three.out, Contains("\"confidence_of_limits\": 0.98333"));
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
  const auto of = [&](const char* file) {
    Words all = words;
    all.insert(all.end(), {"--owner", file});
    return lab.rows(all).at("proportional");
  };
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
  Words all = words;
  all.insert(all.end(), {"--owner", "measured.yaml"});
  const ProgramRun run = lab.plan(all);
  CHECK_THAT(run.out, Contains("owners were measured") && Contains("% of its variance comes from that"));
}

TEST_CASE("Keys of a measurement that do not fit together are told", "[plan][measured][error]") {
  const Lab lab;
  const auto said = [&](const std::string& keys) {
    (void)lab.file("owner.yaml", "owner: {model: intervals, " + keys + "}\n");
    const ProgramRun run = lab.plan({"three.xml", "--work", "36", "--owner", "owner.yaml"});
    CHECK(run.status == 2);
    return run.error;
  };
  CHECK_THAT(said("TH: 0.2, mean_se: 0.1"), Contains("mean_se") && Contains("'worth' is missing"));
  CHECK_THAT(said("value: formula, value_formula: u, worth: 7, mean_se: 0.1"),
             Contains("worth") && Contains("a formula is not measured"));
  CHECK_THAT(said("TH: 0.2, length: formula, length_formula: 1+u, worth: 7, interval_se: 0.1"),
             Contains("interval_se") && Contains("lengths of one's own"));
  CHECK_THAT(said("TH: 0.2, worth: -1"), Contains("worth"));
  CHECK_THAT(said("TH: 0.2, mean: 0.5, worth: 9, mean_se: 0.6"), Contains("mean_se") && Contains("cannot be off by that"));
  CHECK_THAT(said("TH: 0.2, worth: 9, interval_se: 1e9"), Contains("interval_se"));
  (void)lab.file("owner.yaml", "owner: {model: intervals, TH: 0.2, worth: 9, mean_se: 0.1}\n");
  CHECK(lab.plan({"three.xml", "--work", "36", "--owner", "owner.yaml", "--set", "owner.worth=0"}).status == 0);
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
  const auto plan = [&](const char* work, Words more) {
    Words all{"eight.xml", "--work", work, "--policies", "equal", "--exact"};
    all.insert(all.end(), more.begin(), more.end());
    return lab.plan(all);
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

TEST_CASE("A plan's picture is drawn, and an older one kept", "[plan]") {
  const Lab lab;
  const Words words{"eight.xml", "--work",     "1600",  "--deadline", "250s", "--risk",
                    "5%",        "--policies", "equal", "-r",         "50"};
  for (const std::string name : {"plan.svg", "plan.png", "plan.pdf"}) {
    (void)lab.file(name, "mine");
    Words all = words;
    all.insert(all.end(), {"--picture", name});
    const ProgramRun r = lab.plan(all);
    INFO(r.error);
    REQUIRE(r.status == 0);
    CHECK_THAT(r.error, Contains("picture: " + name) && Contains("it is now"));
    CHECK(content_of(lab.path() + "/" + name + ".~1~") == "mine");
  }
  CHECK_THAT(content_of(lab.path() + "/plan.svg"), Contains("deadline 4 min 10 s") && Contains("risk 5 %"));
  CHECK(content_of(lab.path() + "/plan.png").starts_with("\x89PNG"));
  CHECK(content_of(lab.path() + "/plan.pdf").starts_with("%PDF"));
}

TEST_CASE("Whatever is wrong with a plan is said of its flag, with exit status 2", "[plan][error]") {
  const Lab lab;
  struct Bad {
    Words words;
    Words expected;
  };
  const auto with = [](const Words& more, const std::string& platform = "three.xml") {
    Words all{platform, "--work", "12"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  const std::vector<Bad> table{
      {{"three.xml"}, {"--work is missing"}},
      {{"three.xml", "--work", "0"}, {"--work 0", "more than 0"}},
      {{"three.xml", "--work", "nan"}, {"--work nan"}},
      {{"three.xml", "--work=-5"}, {"--work -5", "more than 0"}},
      {{"three.xml", "--work", "12s"}, {"--work: '12s'", "12s of a"}},
      {with({"--deadline", "0"}), {"--deadline 0", "more than 0"}},
      {with({"--deadline=-2h"}), {"--deadline -2h", "more than 0"}},
      {with({"--deadline", "inf"}), {"--deadline inf"}},
      {with({"--deadline", "nan"}), {"--deadline nan"}},
      {with({"--risk", "0"}), {"--risk 0", "more than 0"}},
      {with({"--risk", "1"}), {"--risk 1", "less than 1"}},
      {with({"--risk", "200%"}), {"--risk 200%", "less than 1"}},
      {with({"--risk=-5%"}), {"--risk -5%", "more than 0"}},
      {with({"--policies", "equl"}), {"--policies equl", "did you mean 'equal'"}},
      {with({"--policies", ""}), {"--policies"}},
      {with({"--policies", "equal,equal"}), {"named twice"}},
      {with({"--policies", "formula"}), {"split.weight"}},
      {with({"--phases", "0"}), {"--phases 0"}},
      {with({"--phases", "2.5"}), {"--phases 2.5"}},
      {with({"--bytes", "4s"}), {"--bytes 4s"}},
      {with({"--bytes", "4MB"}), {"--bytes", "three.xml", "no network"}},
      {with({"--format", "xml"}), {"--format xml", "table, csv and json"}},
      {with({"--picture", "p.eps"}), {"--picture 'p.eps'", "ends in .svg, .png, .pdf"}},
      {with({"--picture", "none/p.svg"}), {"none"}},
      {with({"--owner", "none.yaml"}), {"none.yaml"}},
      {with({"--set", "job.work=5"}), {"job.work", "--work"}},
      {with({"--set", "split={policy: equal}"}), {"split.policy", "--policies"}},
      {with({"--set", "metrics=[tau]"}), {"metrics"}},
      {with({"--set", "run.replicatons=5"}), {"run.replicatons", "did you mean"}},
      {with({"--set", "platform.hosts=[d]"}), {"platform.hosts", "'d'"}},
      {with({"--set", "platform.workstations=0"}), {"platform.workstations"}},
      {with({"--subset", "--policies", "optimal"}), {"--subset", "proportional"}},
      {with({}, "none.xml"), {"none.xml"}},
      {with({"--policies", "equal"}, "taken.xml"), {"workstation b", "owner never leaves"}},
  };
  for (const auto& [words, expected] : table) {
    const ProgramRun r = lab.plan(words);
    std::string line;
    for (const auto& word : words) line += " " + word;
    INFO(line << "\n" << r.error);
    CHECK(r.status == 2);
    CHECK(r.out.empty());
    for (const auto& part : expected) CHECK_THAT(r.error, Contains(part));
  }
}

TEST_CASE("A job far longer than owners' intervals meets fewer, which is said, and all of them where that is asked for",
          "[plan]") {
  const Lab lab;
  const std::string owner = "{model: intervals, value: beta, mean: 0.5, TH: 0.4, interval: 1s, length: exponential}";
  lab.platform("short", host("a", "1f", owner) + host("b", "2f", owner));
  const Words job{"short.xml", "--work", "9000", "--policies", "proportional", "-r", "400"};
  Words exactly = job;
  exactly.emplace_back("--exact");
  const ProgramRun said = lab.plan(job), all = lab.plan(exactly);
  CHECK_THAT(said.error, Contains("owners' intervals are far shorter than the job"));
  CHECK_THAT(all.error, !Contains("far shorter"));
  const Row few = lab.rows(job).at("proportional"), many = lab.rows(exactly).at("proportional");
  CHECK(number(few, "tau") != number(many, "tau"));
  for (const char* column : {"tau", "T_50", "T_90"}) CHECK(number(few, column) == Approx(number(many, column)).epsilon(0.003));
  CHECK(number(few, "sigma_T") == Approx(number(many, "sigma_T")).epsilon(0.2));
}

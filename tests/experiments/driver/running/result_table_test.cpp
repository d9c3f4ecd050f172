// Rows of estimates as a table for people, as CSV and JSON; read back and compared, by the largest difference.
#include "experiments/driver/running/result_table.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <regex>
#include <sstream>

#include "experiments/driver/running/result_comparison.hpp"
#include "experiments/driver/running/result_output.hpp"
#include "experiments/driver/text/formats.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "tests/experiments/driver/experiment_fixture.hpp"
#include "tests/experiments/driver/store_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

Estimate around(double value, double half_width) { return {value, value - half_width, value + half_width}; }

std::string written(const ResultTable& summary, Format format) {
  std::ostringstream out;
  write_summary(summary, format, out);
  return out.str();
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

/// Rows that differ in one axis, each with tau.
ResultTable taus(const std::vector<Estimate>& estimates) {
  ResultTable s{"a title", "e.yaml", {"x"}, {find_metric("tau")}, {}};
  for (std::size_t i = 0; i < estimates.size(); ++i)
    s.rows.push_back({{std::to_string(i)}, {{estimates[i]}}, {"ws1"}, 100, 1, 0.95, "simgrid", PointStatus::ok, ""});
  return s;
}

/// How the table shows an estimate: the last cell of its row.
std::string shown(const Estimate& e) {
  ResultTable s = taus({e});
  s.metrics = {find_metric("speedup")};  // which has no unit that could change
  const std::string row = lines(written(s, Format::table)).at(4);
  const std::string cell = row.substr(row.find('0') + 1);
  return cell.substr(cell.find_first_not_of(' '));
}

ResultRow without_results(PointStatus status, const std::string& reason) {
  return {{"9"}, {}, {}, 0, 1, 0.95, status == PointStatus::failed ? "simgrid" : "", status, reason};
}

const std::string kHead = "N,tau,tau_hw,tau_low,tau_high,replications,seed,engine,version,status,reason\n";

std::string row(const std::string& n, const std::string& tau, const std::string& engine) {
  return n + "," + tau + ",1,8,10,100,1," + engine + ",0.1,ok,\n";
}

/// Two folders of results, a and b.
struct TwoResults : Folder {
  void write(const std::string& name, const std::string& text) const {
    const std::filesystem::path file = path() + "/" + name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  [[nodiscard]] std::vector<ResultDifference> compare() const { return compare_results(path() + "/a", path() + "/b"); }
};

std::string table_of(const std::vector<ResultDifference>& all) {
  std::ostringstream table;
  write_comparison(all, Format::table, table);
  return table.str();
}

}  // namespace

TEST_CASE("Estimates have the digits that their intervals support", "[reads][summary]") {
  CHECK(shown(around(216.04, 5.27)) == "216.0 ± 5.3");
  CHECK(shown(around(216.04, 0.0527)) == "216.040 ± 0.053");
  CHECK(shown(around(216.04, 52.7)) == "216 ± 53");
  CHECK(shown(around(21604, 527)) == "21600 ± 530");
  CHECK(shown(around(216.04, 9.96)) == "216 ± 10");
  CHECK(shown(around(216.04, 0.0997)) == "216.04 ± 0.10");
  CHECK(shown(around(0.00123456, 0.0000012)) == "0.0012346 ± 0.0000012");
  CHECK(shown(around(-3.14159, 0.21)) == "-3.14 ± 0.21");
  CHECK(shown(around(100, 0)) == "100");
  CHECK(shown(around(100, 1e-12)) == "100");
  CHECK(shown(around(0, 0)) == "0");
  CHECK(shown(around(1.5e12, 2e9)) == "1.5e+12 ± 2e+09");
  CHECK(shown(around(1e-12, 1e-13)) == "1e-12 ± 1e-13");
  CHECK(shown({kNone, kNone, kNone}) == "-");
  CHECK(shown({199.329, kNone, kNone}) == "199.329 ± ?");
}

TEST_CASE("Whole numbers between whole numbers have no decimal places", "[summary]") {
  CHECK(shown({200, 199, 200}) == "200 [199, 200]");
  CHECK(shown({12, 10, 14}) == "12 ± 2");
  CHECK(shown({22, 20, 25}) == "22 [20, 25]");
  CHECK(shown({27, 23, 32}) == "27 [23, 32]");
  CHECK(shown({12, 10, 14.5}) == "12.0 ± 2.2");
  CHECK(shown({216040, 210041, 222039}) == "216000 ± 6000");
}

TEST_CASE("Lopsided intervals are shown by their ends", "[summary]") {
  CHECK(shown({0, 0, 0.0184}) == "0.0000 [0.0000, 0.0184]");
  CHECK(shown({3, 2, std::numeric_limits<double>::infinity()}) == "3 [2, inf]");
  CHECK(shown({0.4, 0.01, 1.01}) == "0.40 [0.01, 1.01]");  // 0.40 ± 0.50 would have 0 in it
  CHECK(shown({-0.4, -1.01, -0.01}) == "-0.40 [-1.01, -0.01]");
  CHECK(shown({0.4, -0.1, 0.9}) == "0.40 ± 0.50");
}

TEST_CASE("A value is not rounded to nothing where its interval is wide but apart from 0", "[summary]") {
  CHECK(shown({18, 3, 20000}) == "20 [3, 20000]");
  CHECK(shown({0.03, 0.004, 40}) == "0.03 [0.004, 40]");
  CHECK(shown({-18, -20000, -3}) == "-20 [-20000, -3]");
  CHECK(shown({0.001, -5, 5.002}) == "0.0 ± 5.0");  // it may be 0
}

TEST_CASE("The table is aligned by what a terminal shows", "[summary]") {
  ResultTable s = taus({around(216.04, 5.27), around(2, 0.01), {kNone, kNone, kNone}});
  s.axes = {"größe"};
  s.rows[1].values = {"ähnlich"};
  const auto all = lines(written(s, Format::table));
  CHECK(all[0] == "a title");
  CHECK(all[1].empty());
  for (std::size_t i = 3; i <= 6; ++i) CHECK(shown_width(all[i]) == shown_width(all[2]));
  CHECK(all[2] == "    größe        tau [s]");
  CHECK(all[3] == "  -------  -------------");
  CHECK(all[4] == "        0    216.0 ± 5.3");
  CHECK(all[5] == "  ähnlich  2.000 ± 0.010");
  CHECK(all[6] == "        2              -");
}

TEST_CASE("A table that is too wide goes on below with the axes repeated", "[summary]") {
  ResultTable s = taus({around(1, 0.1)});
  s.metrics.clear();
  s.rows[0].estimates.clear();
  for (const auto& metric : builtin_metrics()) {
    if (metric.per_workstation) continue;
    s.metrics.push_back(&metric);
    s.rows[0].estimates.push_back({around(123.456, 0.0123)});
  }
  const auto all = lines(written(s, Format::table));
  std::size_t heads = 0, cells = 0;
  for (const auto& line : all) {
    CHECK(shown_width(line) <= 100);
    if (line.rfind("  x  ", 0) == 0) ++heads;
    for (auto at = line.find("123.456 ± 0.012"); at != std::string::npos; at = line.find("123.456 ± 0.012", at + 1))
      ++cells;
  }
  CHECK(heads >= 2);
  CHECK(cells == s.metrics.size());
}

TEST_CASE("A column wider than the page stands alone", "[summary]") {
  ResultTable s = taus({around(1, 0.1)});
  s.rows[0].values = {std::string(150, 'v')};
  s.metrics = {find_metric("tau"), find_metric("sigma_T")};
  s.rows[0].estimates.push_back({around(2, 0.1)});
  const std::string text = written(s, Format::table);
  CHECK_THAT(text, Contains("1.00 ± 0.10") && Contains("2.00 ± 0.10"));
}

TEST_CASE("Workstations have a table of their own", "[summary]") {
  ResultTable s = taus({around(1, 0.1)});
  s.metrics.push_back(find_metric("T_i"));
  s.rows[0].workstations = {"a", "longer"};
  s.rows[0].estimates.push_back({around(10, 1), around(20, 1)});
  const auto all = lines(written(s, Format::table));
  CHECK(all[6] == "  x  workstation  T_i [s]");
  CHECK(all[8] == "  0            a   10 ± 1");
  CHECK(all[9] == "  0       longer   20 ± 1");
}

TEST_CASE("The last line says how the results came about, and where points differ", "[summary]") {
  ResultTable s = taus({around(1, 0.1), around(2, 0.1)});
  CHECK_THAT(written(s, Format::table),
             Contains("\n100 replications, ± 95 % confidence, seed 1, engine simgrid, nowsim "));
  s.rows[1].seed = 2;
  s.rows[1].replications = 300;
  s.rows[1].confidence = 0.99;
  CHECK_THAT(written(s, Format::table),
             Contains("\n100 to 300 replications, ± at several confidences, seed several, engine simgrid"));
  s.rows.resize(1);
  s.rows[0].replications = 1;
  CHECK_THAT(written(s, Format::table), Contains("\n1 replication, ±"));
}

TEST_CASE("Below a table it is said why estimates have no intervals", "[summary]") {
  ResultTable s = taus({around(1, 0.1), {199.329, kNone, kNone}});
  CHECK_THAT(written(s, Format::table),
             Contains("\n± ?: tau has no interval here, since none is known of what it is computed from\n"));
  s.rows[1].workstations.resize(33, "w");
  CHECK_THAT(written(s, Format::table), Contains("\n± ?: on more than 32 workstations tau has no intervals\n"));
  s.rows[1].replications = 1;
  CHECK_THAT(written(s, Format::table), !Contains("\n± ?:") && Contains("(± ?: one replication, or a pair, has no interval)"));
  s.rows.erase(s.rows.begin());
  CHECK_THAT(written(s, Format::table), Contains("\n1 replication (± ?: one has no interval), seed 1"));
  s.rows[0].estimates[0][0] = around(1, 0);
  CHECK_THAT(written(s, Format::table), !Contains("?"));
}

TEST_CASE("Points without results are listed, the first few with their reasons", "[summary]") {
  ResultTable s = taus({around(1, 0.1)});
  s.rows.push_back(without_results(PointStatus::infeasible, "TH is too high"));
  for (int i = 0; i < 5; ++i) s.rows.push_back(without_results(PointStatus::failed, "it broke"));
  const std::string text = written(s, Format::table);
  CHECK_THAT(text, Contains("infeasible: x=9: TH is too high\n") && Contains("failed: x=9: it broke\n"));
  CHECK_THAT(text, Contains("failed: and 2 more points (--format csv gives every reason)\n"));
  CHECK(s.has_failures());
  s.rows.resize(2);
  CHECK_FALSE(s.has_failures());
}

TEST_CASE("Where nothing has results the table says so", "[summary]") {
  ResultTable s = taus({});
  s.metrics.push_back(find_metric("T_i"));
  s.rows.push_back(without_results(PointStatus::failed, "it broke"));
  const std::string text = written(s, Format::table);
  CHECK_THAT(text, Contains("\nno results, nowsim ") && Contains("failed: x=9: it broke"));
  CHECK(text.find("workstation") == std::string::npos);
}

TEST_CASE("CSV quotes what needs it and leaves out what is not known", "[summary]") {
  ResultTable s = taus({around(1.25, 0.5), {kNone, kNone, kNone}});
  s.axes = {"a, b"};
  s.rows[0].values = {"say \"x\""};
  s.rows.push_back(without_results(PointStatus::failed, "it broke, twice\nover"));
  const std::string text = written(s, Format::csv);
  const std::string v = version();
  CHECK(text ==
        "\"a, b\",tau,tau_hw,tau_low,tau_high,replications,seed,engine,version,status,reason\n"
        "\"say \"\"x\"\"\",1.25,0.5,0.75,1.75,100,1,simgrid," +
            v +
            ",ok,\n"
            "1,,,,,100,1,simgrid," +
            v +
            ",ok,\n"
            "9,,,,,0,1,simgrid," +
            v + ",failed,\"it broke, twice\nover\"\n");
}

TEST_CASE("CSV has as many columns as the largest point has workstations", "[summary]") {
  ResultTable s = taus({around(1, 0.5), around(2, 0.5)});
  s.metrics = {find_metric("X_i")};
  s.rows[0].estimates = {{around(1, 0)}};
  s.rows[1].workstations = {"a", "b"};
  s.rows[1].estimates = {{around(2, 0), around(3, 0)}};
  const auto all = lines(written(s, Format::csv));
  CHECK_THAT(all[0], Catch::StartsWith(
                         "x,X_i_1,X_i_1_hw,X_i_1_low,X_i_1_high,X_i_2,X_i_2_hw,X_i_2_low,X_i_2_high,replications"));
  CHECK_THAT(all[1], Catch::StartsWith("0,1,0,1,1,,,,,100,"));
  CHECK_THAT(all[2], Catch::StartsWith("1,2,0,2,2,3,0,3,3,100,"));
}

TEST_CASE("JSON escapes texts, tells numbers from words, and has null for what is not known", "[summary]") {
  ResultTable s = taus({around(1.25, 0.5), {kNone, kNone, kNone}});
  s.title = "a \"b\" \\ \n ± \x01";
  s.rows[1].values = {"10s"};
  s.rows.push_back(without_results(PointStatus::failed, "it \"broke\""));
  const std::string text = std::regex_replace(written(s, Format::json), std::regex("\n *"), " ");
  CHECK_THAT(text, Contains(R"("title": "a \"b\" \\ \u000a ± \u0001")"));
  for (const char* const part :
       {R"({ "axes": {"x": 0}, "metrics": {"tau": {"value": 1.25, "low": 0.75, "high": 1.75, "half_width": 0.5}},)",
        R"("axes": {"x": "10s"}, "metrics": {"tau": {"value": null, "low": null, "high": null, "half_width": null}},)",
        R"("metrics": {}, "replications": 0,)", R"("status": "failed", "reason": "it \"broke\"")"})
    CHECK_THAT(text, Contains(part));
  CHECK_THAT(text, Contains(R"("seed": 1, "confidence": 0.95, "engine": "simgrid", "version": ")" +
                            std::string(nowsim::version()) + R"(", "status": "ok" })"));
}

TEST_CASE("A summary takes each point's own estimates, seed and names", "[summary]") {
  const Experiment e = loaded(
      "nowsim: 1\nplatform: {workstations: 2}\njob: {workload: base-task, work: 2}\n"
      "owner: {model: intervals, TH: 0.1}\nrun: {replications: 5, infeasible: skip}\n"
      "metrics: [tau, T_i]\nsweep: {zip: {run.seed: [3, 4], owner.TH: [0.1, 0.9]}}\n");
  const ResultTable s = summarise(e, run_experiment(e, {1}));
  REQUIRE(s.rows.size() == 2);
  CHECK(s.rows[0].values == std::vector<std::string>{"3", "0.1"});
  CHECK(s.rows[0].workstations == std::vector<std::string>{"ws1", "ws2"});
  CHECK(s.rows[0].replications == 5);
  CHECK(s.rows[0].seed == 3);
  REQUIRE(s.rows[0].estimates.size() == 2);
  CHECK(s.rows[0].estimates[1].size() == 2);
  CHECK(s.rows[1].status == PointStatus::infeasible);
  CHECK(s.rows[1].seed == 4);
  CHECK_FALSE(s.has_failures());
}

TEST_CASE("A point that is precise enough with fewer replications than a rule's least is not called imprecise", "[summary]") {
  const Experiment e = loaded(
      "nowsim: 1\n"
      "platform: {workstations: 2, speed: 1f}\n"
      "job: {workload: base-task, work: 20f}\n"
      "owner: {model: intervals, TH: 0.5}\n"
      "run: {replications: 20, precision: 90%}\n");
  const ResultTable s = summarise(e, run_experiment(e, {1}));
  CHECK(s.rows.at(0).replications == 20);
  CHECK(s.rows.at(0).reason.empty());
}

TEST_CASE("A precision that the most replications do not reach is remarked in every format", "[summary]") {
  const char* const yaml =
      "nowsim: 1\n"
      "platform: {workstations: 2, speed: 1f}\n"
      "job: {workload: base-task, work: 20f}\n"
      "owner: {model: intervals, TH: 0.5}\n"
      "run: {replications: 200, precision: 0.01%}\n"
      "sweep: {owner.TH: [0, 0.5]}\n";
  const auto written = [&](Format format) {
    const Experiment e = loaded(yaml);
    std::ostringstream out;
    write_summary(summarise(e, run_experiment(e, {1})), format, out);
    return out.str();
  };
  const std::string remark = " %, not ± 0.01 %, after the most replications";
  CHECK_THAT(written(Format::table), Contains("imprecise: owner.TH=0.5: the interval of tau is ± ") && Contains(remark) &&
                                         !Contains("owner.TH=0:"));
  CHECK_THAT(written(Format::csv), Contains(",ok,the interval of tau is ± ") || Contains(",ok,\"the interval of tau is ± "));
  CHECK_THAT(written(Format::json), Contains("\"status\": \"ok\",\n      \"reason\": \"the interval of tau is ± "));
  CHECK_THAT(written(Format::csv), Contains(",ok,\n"));
}

TEST_CASE("CSV is read with quotes, and says where it is none", "[compare]") {
  const CsvRows csv = parse_csv("a,b\n\"x, \"\"y\"\"\nz\",2\r\n,\n", "f.csv");
  CHECK(csv.head == std::vector<std::string>{"a", "b"});
  REQUIRE(csv.rows.size() == 2);
  CHECK(csv.rows[0] == std::vector<std::string>{"x, \"y\"\nz", "2"});
  CHECK(csv.rows[1] == std::vector<std::string>{"", ""});
  const auto sentence = [](const std::string& text) {
    return sentence_of<InputError>([&] { parse_csv(text, "f.csv"); });
  };
  CHECK(sentence("a,b\n1,2\n3\n") == "f.csv:3: the row has 1 fields, and the head has 2");
  CHECK(sentence("a,b\n\"1,2\n") == "f.csv:2: a quote is not closed");
  CHECK_THAT(sentence(""), Contains("it is empty"));
}

TEST_CASE("The largest difference is that of the same metric at the same point", "[compare]") {
  const TwoResults both;
  both.write("a/p/e.csv", kHead + row("1", "100", "direct") + row("2", "10", "direct") + row("3", "5", "direct"));
  // Points in another order, one that is not there, and one of its own: 99/100 and 10/8.
  both.write("b/p/e.csv", kHead + row("2", "8", "simgrid") + row("1", "99", "simgrid") + row("4", "5", "simgrid"));
  both.write("a/p/e-claims.csv", "id,verdict\nx,reproduced\ny,undecided\nz,reproduced\n");
  both.write("b/p/e-claims.csv", "id,verdict\nx,reproduced\ny,reproduced\n");
  for (const char* name : {"a/p/e-splits.csv", "a/p/e-isoefficiency-fits.csv"}) both.write(name, "whatever\n");
  both.write("a/q.csv", kHead);
  const auto all = both.compare();
  REQUIRE(all.size() == 2);
  CHECK(all[0].name == "p/e");
  CHECK(all[0].points == 2);
  CHECK(all[0].unmatched == 2);  // 3 and 4
  CHECK(all[0].numbers == 2);
  REQUIRE(all[0].estimates.relative);
  CHECK(*all[0].estimates.relative == Approx(0.2));
  CHECK(all[0].estimates.metric == "tau");
  CHECK(all[0].estimates.point == "N=2");
  CHECK(all[0].claims == 2);
  CHECK(all[0].other_verdicts == std::vector<std::string>{"y"});
  CHECK(all[0].claims_in_one == std::vector<std::string>{"z"});
  CHECK_THAT(all[1].gap, Contains("only in ") && Contains("/a"));
}

TEST_CASE("A point that has results in one only is told apart, equal results differ by 0", "[compare]") {
  const TwoResults both;
  both.write("a/e.csv", kHead + row("1", "100", "direct") + "2,,,,,0,1,,,infeasible,\"no, never\"\n");
  both.write("b/e.csv", kHead + row("1", "100", "simgrid") + row("2", "7", "simgrid"));
  const auto all = both.compare();
  CHECK(all[0].points == 2);
  CHECK(all[0].unmatched == 1);
  CHECK(all[0].numbers == 1);
  CHECK(all[0].estimates.relative == 0.0);
  CHECK(all[0].estimates.metric.empty());
  CHECK_THAT(table_of(all), Contains("largest relative difference of 1 estimate: 0\n") &&
                              Contains("points that have results or intervals in one only: 1\n") &&
                              Contains("claims whose verdicts differ: 0 of 0\n"));
}

TEST_CASE("Metrics and claims in one only are told, whichever it is", "[compare]") {
  const TwoResults both;
  both.write("a/e.csv", "N,tau,tau_hw,T_0,T_0_hw,status\n1,5,1,6,1,ok\n");
  both.write("b/e.csv", "N,tau,tau_hw,E,E_hw,status\n1,5,1,6,1,ok\n");
  both.write("a/e-claims.csv", "id,verdict\nx,reproduced\ny,reproduced\n");
  both.write("b/e-claims.csv", "id,verdict\ny,reproduced\nz,reproduced\n");
  const auto all = both.compare();
  CHECK(all[0].numbers == 1);
  CHECK(all[0].metrics_in_one == std::vector<std::string>{"E", "T_0"});
  CHECK(all[0].claims_in_one == std::vector<std::string>{"x", "z"});
  CHECK_THAT(table_of(all), Contains("metrics in one only: 2: E of e, T_0 of e\n") &&
                                Contains("claims in one only: 2: x, z\n") && Contains("2 metrics, 2 claims"));
}

TEST_CASE("Results of which nothing can be compared are not equal ones", "[compare]") {
  const TwoResults both;
  both.write("a/e.csv", "N,tau,tau_hw,status\n1,5,1,ok\n");
  both.write("b/e.csv", "N,E,E_hw,status\n1,5,1,ok\n");
  const auto all = both.compare();
  CHECK_FALSE(all[0].estimates.relative);
  CHECK_FALSE(all[0].ends.relative);
  CHECK(compared_numbers(all) == 0);
  CHECK_THAT(table_of(all), Contains("of 0 estimates: - (nothing was compared)\n") && Contains("nothing compared"));
  std::ostringstream csv, json;
  write_comparison(all, Format::csv, csv);
  write_comparison(all, Format::json, json);
  CHECK_THAT(csv.str(), Contains("e,,1,0,0,,,,"));
  CHECK_THAT(json.str(), Contains("\"largest\": null"));
}

TEST_CASE("An experiment in one only is counted with its points and claims", "[compare]") {
  const TwoResults both;
  both.write("a/e.csv", kHead + row("1", "100", "direct"));
  both.write("b/e.csv", kHead + row("1", "100", "direct"));
  both.write("b/f.csv", kHead + row("1", "100", "direct") + row("2", "100", "direct"));
  both.write("b/f-claims.csv", "id,verdict\nx,reproduced\n");
  const auto all = both.compare();
  REQUIRE(all.size() == 2);
  CHECK(all[1].unmatched == 2);
  CHECK(all[1].claims_in_one == std::vector<std::string>{"x"});
  CHECK_THAT(table_of(all), Contains("points that have results or intervals in one only: 2\n") &&
                                Contains("claims in one only: 1: x\n") &&
                                Contains("experiments in one only: 1 of 2: f only in "));
}

TEST_CASE("Estimates that have an interval and no half-width are compared too", "[compare]") {
  const TwoResults both;
  const std::string head = "metric,p,size,size_low,size_high,work,status\n";
  both.write("a/e.csv", head + "E,2,100,90,110,7,ok\n");
  both.write("b/e.csv", head + "E,2,80,70,90,7,ok\n");
  const auto all = both.compare();
  CHECK(all[0].points == 1);
  CHECK(all[0].numbers == 1);
  REQUIRE(all[0].estimates.relative);
  CHECK(*all[0].estimates.relative == Approx(0.2));
  CHECK(all[0].estimates.point == "metric=E p=2");
}

TEST_CASE("Intervals are compared beside their estimates, by their ends or else their half-widths", "[compare]") {
  const TwoResults both;
  const std::string head = "N,size,size_low,size_high,tau,tau_hw,status\n";
  both.write("a/e.csv", head + "2,100,99,100,7,1,ok\n4,100,90,110,7,3.5,ok\n");
  both.write("b/e.csv", head + "2,100,99,150,7,0,ok\n4,100,90,110,7,0,ok\n");
  const auto all = both.compare();
  CHECK(all[0].estimates.relative == 0.0);
  REQUIRE(all[0].ends.relative);
  CHECK(*all[0].ends.relative == Approx(0.5));  // 3.5 of 7
  CHECK(all[0].ends.metric == "tau");
  CHECK(all[0].ends.point == "N=4");
  CHECK_THAT(table_of(all), Contains("4 estimates: 0\n") &&
                                Contains("largest of their intervals' ends: 0.5 (tau of e at N=4: 3.5 and 0)\n"));
  std::ostringstream csv, json;
  write_comparison(all, Format::csv, csv);
  write_comparison(all, Format::json, json);
  CHECK_THAT(csv.str(), Contains("e,,2,0,4,0,,,0,0,0.5,tau,N=4,3.5,0,0,"));
  CHECK_THAT(json.str(), Contains("\"largest\": 0, ") && Contains("\"largest_end\": 0.5, \"end_metric\": \"tau\""));
}

TEST_CASE("An interval's end is not compared with another's half-width", "[compare]") {
  const TwoResults both;
  both.write("a/e.csv", "N,tau,tau_hw,tau_low,tau_high,status\n1,100,1,99,101,ok\n");
  both.write("b/e.csv", "N,tau,tau_hw,status\n1,100,1,ok\n");
  CHECK(both.compare()[0].ends.relative == 0.0);
  both.write("b/e.csv", "N,tau,tau_low,tau_high,status\n1,100,98,101,ok\n");
  CHECK(*both.compare()[0].ends.relative == Approx(0.01));
}

TEST_CASE("An interval without end is not one with an end", "[compare]") {
  const TwoResults both;
  const std::string head = "N,size,size_low,size_high,status\n";
  both.write("a/e.csv", head + "2,100,99,,ok\n");
  both.write("b/e.csv", head + "2,100,99,150,ok\n");
  CHECK(both.compare()[0].ends.relative == 0.0);
  CHECK(both.compare()[0].unmatched == 1);
}

TEST_CASE("Folders without results are refused", "[compare][error]") {
  const TwoResults both;
  both.write("a/e.csv", kHead);
  CHECK_THAT(sentence_of<InputError>([&] { (void)both.compare(); }), Contains("there is no folder "));
  both.write("b/notes.txt", "");
  CHECK_THAT(sentence_of<InputError>([&] { (void)both.compare(); }), Contains("there are no results in "));
}

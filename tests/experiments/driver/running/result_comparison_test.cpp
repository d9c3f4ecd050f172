// Comparing results: CSV read back, the largest difference, points and verdicts that differ.
#include "experiments/driver/running/result_comparison.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "experiments/driver/text/formats.hpp"
#include "tests/experiments/driver/store_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

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

TEST_CASE("CSV is read with quotes, and says where it is none", "[reads][compare]") {
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

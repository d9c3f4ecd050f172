// Comparing the values of a key: with one, with the best, cell by cell; how often the intervals hold.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <optional>
#include <random>
#include <sstream>

#include "experiments/driver/studies/contrast.hpp"
#include "experiments/driver/text/formats.hpp"
#include "sim/base/error.hpp"
#include "sim/statistics/influence.hpp"
#include "tests/experiments/driver/claim_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

using Is = RowStanding;

/// The mean of observations, with what each contributes.
Estimate mean_of(const std::vector<double>& x) {
  Moments moments;
  for (const double value : x) moments.add(value);
  return with_influence(mean_estimate(moments, 0.95), Influence{std::make_shared<const std::vector<double>>(x), 1,
                                                                x.size(), moments.mean()});
}

/// Means of n correlated normals each, about `truths`.
struct CorrelatedMeans {
  std::mt19937_64 random{1};
  std::normal_distribution<double> normal;

  std::vector<ResultRow> rows(const std::vector<double>& truths, const std::vector<double>& own, std::size_t n) {
    std::vector<std::vector<double>> x(truths.size());
    for (std::size_t k = 0; k < n; ++k) {
      const double shared = normal(random);
      for (std::size_t i = 0; i < truths.size(); ++i) x[i].push_back(truths[i] + shared + own[i] * normal(random));
    }
    std::vector<ResultRow> out;
    for (std::size_t i = 0; i < truths.size(); ++i) {
      out.push_back(row({std::string(1, static_cast<char>('a' + i))}, mean_of(x[i])));
      out.back().replications = n;
    }
    return out;
  }
};

std::vector<MeasuredPoint> points_of(const std::vector<ResultRow>& rows) {
  std::vector<MeasuredPoint> out;
  for (const auto& r : rows) out.push_back({0, r.values[0], r.values[0], r.estimates[0][0], &r});
  return out;
}

ContrastRequest asked(const std::string& key, const std::string& against = "", Better best = Better::unknown) {
  return {{key, against, {}, best}, "e.yaml", {}};
}

std::vector<Is> standings(const ComparedCell& cell) {
  std::vector<Is> out;
  for (const auto& row : cell.rows) out.push_back(row.standing);
  return out;
}
std::vector<std::string> names(const ComparedCell& cell) {
  std::vector<std::string> out;
  for (const auto& row : cell.rows) out.push_back(row.value);
  return out;
}

std::string written(const ContrastReport& report, Format format) {
  std::ostringstream out;
  write_answer(contrast_answer(report), format, out);
  return out.str();
}

/// Three values; b is the least, c near it, a far away.
ResultTable three() {
  return summary({"k"}, {row({"a"}, around(9, 0.1)), row({"b"}, around(5, 0.1)), row({"c"}, around(5.1, 0.1))});
}

}  // namespace

TEST_CASE("Values are sorted best first, and compared with the best", "[computes][contrast]") {
  const ContrastReport report = contrast_report(asked("k"), three());
  const ComparedCell& cell = report.metrics.at(0).cells.at(0);
  CHECK(names(cell) == std::vector<std::string>{"b", "c", "a"});
  CHECK(standings(cell) == std::vector{Is::may_be_best, Is::may_be_best, Is::worse});
  for (const auto& value : cell.rows) {
    CHECK(value.difference.low >= 0);
    CHECK(value.difference.low <= value.difference.value);
    CHECK(value.difference.value <= value.difference.high);
  }
  CHECK(cell.rows[0].difference.value == 0);
  CHECK(cell.rows[2].percent.value == Approx(80));
  const ContrastReport highest = contrast_report(asked("k", "", Better::higher), three());
  CHECK(names(highest.metrics[0].cells[0]) == std::vector<std::string>{"a", "c", "b"});
  CHECK(standings(highest.metrics[0].cells[0]) == std::vector{Is::best, Is::worse, Is::worse});
  CHECK(highest.metrics[0].cells[0].rows[2].difference.high < 0);
}

TEST_CASE("Values are compared with one of them", "[contrast]") {
  const ContrastReport report = contrast_report(asked("k", "c"), three());
  const ComparedCell& cell = report.metrics.at(0).cells.at(0);
  CHECK(standings(cell) == std::vector{Is::not_told, Is::compared_with, Is::worse});
  CHECK(cell.rows[2].difference.value == Approx(3.9));
  CHECK_THAT(written(report, Format::table), Contains("Beside c: 1 worse, 1 not told apart."));
}

TEST_CASE("Of several comparisons each has the level that all need together", "[contrast]") {
  const ContrastReport report = contrast_report(asked("k", "c"), three());
  const double each = 0.1 * student_quantile(1000, 0.975) / student_quantile(1000, 0.95);  // Bonferroni of two
  CHECK(report.metrics[0].cells[0].rows[0].difference.half_width() == Approx(std::hypot(each, each)));
}

TEST_CASE("Of all pairs each has a level that is Bonferroni's at most", "[contrast]") {
  CorrelatedMeans means;
  auto rows = means.rows({1, 1.1, 2, 3}, {0.1, 0.1, 0.1, 0.1}, 200);
  const double bonferroni = 1 - 0.05 / 6;
  std::vector<MeasuredPoint> points = points_of(rows);
  const double each = level_of_pairs(points, 0.95);
  CHECK(each > 0.98);  // Tukey's of four is 0.9898
  CHECK(each < bonferroni);
  points.resize(2);
  CHECK(level_of_pairs(points, 0.95) == Approx(0.95));
  rows[0].estimates[0][0].influence = nullptr;
  CHECK(level_of_pairs(points_of(rows), 0.95) == Approx(bonferroni));
}

TEST_CASE("What replications contribute makes comparisons narrower", "[contrast]") {
  CorrelatedMeans means;
  const auto rows = means.rows({1, 1.1, 2}, {0.1, 0.1, 0.1}, 200);
  const Differences paired = differences_from_best(points_of(rows), Better::lower, 0.95);
  CHECK(paired.of[1].low > 0);  // though its own interval is wider than its distance
  CHECK(rows[0].estimates[0][0].half_width() > 0.1);
  const ContrastReport report = contrast_report(asked("k"), summary({"k"}, rows));
  CHECK(report.metrics[0].cells[0].pairing.by == Pairing::By::replications);
  CHECK_THAT(written(report, Format::table), Contains("replication by replication on the same random numbers"));
}

TEST_CASE("Distances from the best hold all together as often as stated", "[contrast]") {
  CorrelatedMeans means;
  const std::vector<std::vector<double>> truths{{1, 1, 1, 1}, {1, 1.5, 2.5, 9}};
  for (const auto& truth : truths) {
    constexpr int kTrials = 300;
    int held = 0;
    for (int trial = 0; trial < kTrials; ++trial) {
      auto rows = means.rows(truth, {3, 2, 4, 5}, 40);
      for (auto& r : rows) r.estimates[0][0].influence = nullptr;  // at Bonferroni's level, which takes no drawing
      const Differences d = differences_from_best(points_of(rows), Better::lower, 0.9);
      bool all = true;
      for (std::size_t i = 0; i < truth.size(); ++i)
        all = all && d.of[i].low <= truth[i] - 1 + 1e-12 && truth[i] - 1 <= d.of[i].high;
      held += all ? 1 : 0;
    }
    CHECK(held >= 0.9 * kTrials - 3 * std::sqrt(0.09 * kTrials));
  }
}

TEST_CASE("Values that are the same are all the best", "[contrast]") {
  CorrelatedMeans means;
  auto rows = means.rows({1, 2}, {0.1, 0.1}, 50);
  rows.push_back(rows[0]);
  rows.back().values = {"z"};
  const ComparedCell cell = contrast_report(asked("k"), summary({"k"}, rows)).metrics[0].cells[0];
  CHECK(standings(cell) == std::vector{Is::best, Is::best, Is::worse});
  const ComparedCell other = contrast_report(asked("k", "a"), summary({"k"}, rows)).metrics[0].cells[0];
  CHECK(standings(other) == std::vector{Is::compared_with, Is::same, Is::worse});
}

TEST_CASE("Cells are told apart by the axes that do not follow the key", "[contrast]") {
  std::vector<ResultRow> rows;
  for (const char* x : {"1", "2"})
    for (const auto& [k, label] : {std::pair{"a", "first"}, std::pair{"b", "second"}})
      rows.push_back(row({x, std::string("x") + x, k, label}, around(*x == '1' ? 1 : 2, 0.1)));
  const ContrastReport report = contrast_report(asked("k"), summary({"x", "of x", "k", "of k"}, rows));
  REQUIRE(report.metrics[0].cells.size() == 2);
  CHECK(report.metrics[0].cells[1].at == decltype(ComparedCell::at){{"x", "2"}});
  CHECK(report.metrics[0].cells[1].rows.size() == 2);
}

TEST_CASE("Points without results are named, and the others compared", "[contrast]") {
  ResultTable s = three();
  s.rows.push_back(row_without({"d"}, PointStatus::infeasible));
  s.rows.push_back(row({"e"}, exactly(kNotKnown)));
  const ContrastReport report = contrast_report(asked("k"), s);
  CHECK(report.metrics[0].cells[0].rows.size() == 3);
  CHECK_THAT(written(report, Format::table),
             Contains("infeasible: k=d: a reason") && Contains("left out: k=e: its tau is not known"));
  CHECK_THAT(written(report, Format::csv), Contains(",infeasible,a reason"));
  const ContrastReport none = contrast_report(asked("k", "d"), s);
  CHECK_THAT(written(none, Format::table), Contains("d has no results") && Contains("Nothing can be compared."));
  CHECK_THROWS_WITH(contrast_script(none, PictureFormat::svg), Contains("there is nothing to draw"));
}

TEST_CASE("One replication tells nothing", "[contrast]") {
  const ResultTable s = summary({"k"}, {row({"a"}, without_interval(9)), row({"b"}, without_interval(5))});
  const ComparedCell best = contrast_report(asked("k"), s).metrics[0].cells[0];
  CHECK(standings(best) == std::vector{Is::may_be_best, Is::may_be_best});
  CHECK(standings(contrast_report(asked("k", "a"), s).metrics[0].cells[0]).front() == Is::not_told);
}

TEST_CASE("The CSV of comparisons has a row per value", "[contrast]") {
  const CsvRows csv = parse_csv(written(contrast_report(asked("k", "a"), three()), Format::csv), "c.csv");
  REQUIRE(csv.rows.size() == 3);
  CHECK(csv.head[2] == "k");
  CHECK(csv.rows[0][0] == "tau");
  CHECK(csv.rows[0][2] == "b");
  CHECK_THAT(written(contrast_report(asked("k"), three()), Format::json), Contains("\"told\": \"may be best\""));
}

TEST_CASE("The best row has the least tau of those whose RF cannot be told from the least", "[contrast]") {
  ResultTable s = three();
  s.metrics.push_back(find_metric("RF"));
  const std::vector<Estimate> late{around(0.1, 0.02), around(0.5, 0.01), around(0.11, 0.02)};
  for (std::size_t r = 0; r < late.size(); ++r) s.rows[r].estimates.push_back({late[r]});
  const RowComparisons both = compare_rows(s, {.key = "k"});
  CHECK(safest_rows(both) == std::vector<std::size_t>{2, 0});
  CHECK(best_row(both) == std::optional<std::size_t>(2));
  REQUIRE(both.row("RF", 1) != nullptr);
  CHECK(both.row("RF", 1)->standing == Is::worse);
  CHECK(both.by("sigma_T") == nullptr);
  CHECK(both.row("tau", 3) == nullptr);
  CHECK(best_row(compare_rows(s, {.key = "k", .metrics = {"tau"}})) == std::optional<std::size_t>(1));
  CHECK(compare_rows(s, {.key = "k", .metrics = {"RF", "tau"}}).metrics.front().metric->name == "RF");
  CHECK_FALSE(best_row(compare_rows(summary({"k"}, {row_without({"a"}, PointStatus::failed)}), {.key = "k"})));
}

TEST_CASE("Paragraphs of an answer stand apart, and what is empty is none", "[contrast]") {
  Answer answer;
  answer.say({"one", "two"});
  answer.say({});
  answer.show(TextTable({}), 0);
  TextTable table({"x"});
  table.add({"1"});
  answer.show(table, 1, {"below"});
  answer.tables.push_back({".csv", {{"x", 1.0}}, {}});
  answer.whole = Object{{{"x", 1.0}}};
  std::ostringstream people, csv, json;
  write_answer(answer, Format::table, people);
  write_answer(answer, Format::csv, csv);
  write_answer(answer, Format::json, json);
  CHECK(answer.paragraphs.size() == 2);
  CHECK(people.str().starts_with("one\ntwo\n\n"));
  CHECK(people.str().ends_with("\nbelow\n"));
  CHECK(csv.str() == "x\n");
  CHECK(json.str() == "{\"x\": 1}\n");
}

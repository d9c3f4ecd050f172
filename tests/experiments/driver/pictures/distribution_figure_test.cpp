// Figures of distributions and spreads: what their blocks may say, what their curves tell, and that gnuplot draws them.
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <memory>

#include "experiments/driver/pictures/draw_picture.hpp"
#include "experiments/driver/pictures/resolved_figure.hpp"
#include "sim/base/error.hpp"
#include "tests/experiments/driver/figure_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

/// Two policies of four and two replications.
ResultTable times_summary() {
  ResultTable s{"Times", "e.yaml", {"split.policy"}, {find_metric("tau")}, {}};
  const auto add = [&](const char* policy, std::vector<double> times_s) {
    ResultRow row;
    row.values = {policy};
    row.replications = times_s.size();
    row.engine = "direct";
    row.estimates = {{exactly(3)}};
    row.makespans_s = std::make_shared<const std::vector<double>>(std::move(times_s));
    row.deadline_s = 2;
    s.rows.push_back(row);
  };
  add("equal", {3, 1, 2, 4});
  add("proportional", {1, 1});
  return s;
}

const std::string kTimes = "{kind: distribution, series: split.policy}";

std::vector<std::pair<double, double>> points_of(const ResolvedFigure& figure, std::size_t c) {
  std::vector<std::pair<double, double>> points;
  for (const auto& point : std::get<std::vector<ResolvedCurve>>(figure.panels[0].content)[c].points)
    points.emplace_back(point.x, point.y);
  return points;
}
ResolvedFigure resolved(const std::string& figure, const ResultTable& summary = times_summary()) {
  return resolved_figure(figure_of(figure), summary, "fig");
}

/// tau of draws 1 to 5 at two numbers of machines, in no order; at the second one draw has no results.
ResultTable draws_summary() {
  ResultTable s{"Draws", "e.yaml", {"platform.workstations", "let.draw"}, {find_metric("tau")}, {}};
  const double first[] = {30, 10, 50, 20, 40}, second[] = {7, 5, 9, 8};
  for (int k = 0; k < 5; ++k) s.rows.push_back(row_of({"10", std::to_string(k + 1)}, {{first[k], first[k], first[k]}}));
  for (int k = 0; k < 4; ++k) s.rows.push_back(row_of({"20", std::to_string(k + 1)}, {{second[k], 0, 10}}));
  s.rows.push_back(blank_row({"20", "5"}, "it cannot be"));
  return s;
}

std::string spread(const std::string& panel) {
  return "{kind: spread, x: platform.workstations, series: let.draw, panels: [{metric: tau" + panel + "}]}";
}

std::vector<double> heights(const ResolvedFigure& figure, const std::string& series) {
  std::vector<double> out;
  for (const auto& curve : std::get<std::vector<ResolvedCurve>>(figure.panels[0].content))
    if (figure.series[curve.series].value == series)
      for (const auto& point : curve.points) out.push_back(point.y);
  return out;
}

/// Draws 1 to n at one number of machines.
ResultTable one_x(const std::vector<double>& values) {
  ResultTable s{"Draws", "e.yaml", {"platform.workstations", "let.draw"}, {find_metric("tau")}, {}};
  for (std::size_t k = 0; k < values.size(); ++k)
    s.rows.push_back(row_of({"10", std::to_string(k + 1)}, {{values[k], values[k], values[k]}}));
  return s;
}

ResolvedFigure resolved_of(const std::string& panel, const ResultTable& summary = draws_summary()) {
  return resolved_figure(figure_of(spread(panel)), summary, "fig");
}

}  // namespace

TEST_CASE("Steps are all of few times, and of many those that can be seen", "[reads][figure]") {
  CHECK(survival_steps({}).empty());
  const auto few = survival_steps({3, 1, 2});
  REQUIRE(few.size() == 3);
  CHECK(few[0].t_s == 1);
  CHECK(few[0].longer == 2);
  CHECK(few[2].longer == 0);
  std::vector<double> many;
  for (int k = 100'000; k > 0; --k) many.push_back(k);
  const auto steps = survival_steps(many);
  CHECK(steps.size() < 5000);
  CHECK(steps.size() > 2000);
  CHECK(steps[0].t_s == 1);
  CHECK(steps.back().longer == 0);
  CHECK(steps[steps.size() - 2].longer == 1);  // a tail's steps are all there
  for (std::size_t i = 0; i < steps.size(); ++i) {
    CHECK(steps[i].t_s + static_cast<double>(steps[i].longer) == 100'000);
    if (i > 0) CHECK(steps[i].t_s - steps[i - 1].t_s <= 51);
  }
}

TEST_CASE("A distribution has a curve of steps per value of the series, and the deadline", "[figure]") {
  using Points = std::vector<std::pair<double, double>>;
  const ResolvedFigure survival = resolved(kTimes);
  CHECK(points_of(survival, 0) == Points{{1, 1}, {1, 0.75}, {2, 0.5}, {3, 0.25}, {4, 0}});
  CHECK(points_of(survival, 1) == Points{{1, 1}, {1, 0.5}, {1, 0}});
  CHECK(survival.panels[0].deadline_s == 2);
  CHECK(survival.has_legend);
  CHECK_THAT(survival.footer, Contains("bands: 95 % confidence at each t"));
  const auto& at_two = std::get<std::vector<ResolvedCurve>>(survival.panels[0].content)[0].points[2];
  const Estimate half = proportion_estimate(2, 4, 0.95);
  CHECK(at_two.low == Approx(half.low));
  CHECK(at_two.high == Approx(half.high));

  const ResolvedFigure rising = resolved("{kind: distribution, series: split.policy, shows: distribution}");
  CHECK(points_of(rising, 0) == Points{{1, 0}, {1, 0.25}, {2, 0.5}, {3, 0.75}, {4, 1}});
  const ResolvedFigure log = resolved("{kind: distribution, series: split.policy, panels: [{scale: log}]}");
  CHECK(points_of(log, 0) == Points{{1, 0.75}, {2, 0.5}, {3, 0.25}, {4, 0.25}});
  CHECK_THAT(figure_json(survival), Contains("\"deadline_s\": 2.0") && Contains("P[T &gt; t]"));

  ResultTable differing = times_summary();
  differing.rows[1].deadline_s = 3;
  CHECK_FALSE(resolved(kTimes, differing).panels[0].deadline_s);
  for (auto& row : differing.rows) row.makespans_s = nullptr;
  CHECK_THROWS_WITH(resolved(kTimes, differing), Contains("no point has replications"));
}

TEST_CASE("gnuplot draws distributions, and the script marks the deadline", "[figure]") {
  const ResultTable summary = times_summary();
  const std::string script = figure_script(figure_of(kTimes), summary, "fig");
  CHECK_THAT(script, Contains("'deadline 2 s'") && Contains("with filledcurves") && Contains("with lines"));
  const Folder folder;
  folder.file("fig.csv", "");
  const FigureFiles files = draw_figure(figure_of("{kind: distribution, series: split.policy, x_scale: log, panels: "
                                                  "[{scale: log}, {title: b}]}"), summary, folder.path(), "fig");
  CHECK_THAT(content_of(files.svg.string()), Contains("proportional"));
}

TEST_CASE("A spread has the largest and smallest value, the median and the outer tenths at each x", "[figure]") {
  const ResolvedFigure figure = resolved_of("");
  CHECK(figure.series.size() == 5);
  CHECK(heights(figure, "largest") == std::vector<double>{50, 9});
  CHECK(heights(figure, "smallest") == std::vector<double>{10, 5});
  CHECK(heights(figure, "50") == std::vector<double>{30, 7.5});
  CHECK(heights(figure, "90")[0] == Approx(46));
  CHECK(heights(figure, "10")[0] == Approx(14));
  CHECK(figure.has_legend);
  CHECK_FALSE(figure.is_in_csv);
}

TEST_CASE("A level is a line across, called by its text or its number", "[figure]") {
  const ResolvedFigure named = resolved_of(", level: 25, level_label: 'printed: 25'");
  CHECK(heights(named, "printed: 25") == std::vector<double>{25, 25});
  CHECK(named.series.back().is_theory);
  CHECK(heights(resolved_of(", level: -2.5"), "-2.5") == std::vector<double>{-2.5, -2.5});
  CHECK_THAT(figure_json(named), Contains("\"printed: 25\""));
  CHECK_THAT(read_problems(spread(", level_label: printed")), Contains("there is no level that it is the text of"));
  CHECK_THAT(read_problems("{x: a, panels: [{metric: tau, level: 3}]}"), Contains("this key belongs to kind: spread"));
  CHECK_THAT(read_problems("{kind: spread, x: a, panels: [{metric: tau}]}"), Contains("a spread needs the swept key"));
}

TEST_CASE("On a log scale the parts are of all values, and points at 0 or below are left out", "[figure]") {
  // Half of five values are below the third, whatever a log scale can show.
  const ResolvedFigure figure = resolved_of(", scale: log", one_x({0, 40, 0, 30, 20}));
  CHECK(heights(figure, "largest") == std::vector<double>{40});
  CHECK(heights(figure, "50") == std::vector<double>{20});
  CHECK(heights(figure, "10").empty());
  CHECK(heights(figure, "smallest").empty());
  CHECK(figure.remark == "2 points at 0 cannot be shown on a log scale");
  CHECK_THAT(resolved_of(", scale: log", one_x({-1, 40})).remark, Contains("1 point at 0 or below cannot"));
  CHECK(heights(resolved_of("", one_x({0, 40, 0, 30, 20})), "smallest") == std::vector<double>{0});
  CHECK_THAT(read_problems(spread(", scale: log, level: 0")), Contains("level: a log scale cannot show a level of 0"));
  CHECK_THAT(read_problems(spread(", level: -2, scale: log")), Contains("such as -2"));
  CHECK(read_problems(spread(", scale: log, level: 3")).empty());
}

TEST_CASE("Draws without a finite value are left out, and the figure says how many", "[figure]") {
  const double infinite = std::numeric_limits<double>::infinity();
  CHECK(resolved_of("").remark == "1 draw is missing, without a finite value");
  const ResolvedFigure figure =
      resolved_of(", scale: log", one_x({infinite, 1, 3, std::numeric_limits<double>::quiet_NaN(), 0}));
  CHECK(figure.remark ==
        "1 point at 0 cannot be shown on a log scale; 2 draws are missing, without a finite value");
  CHECK(heights(figure, "50") == std::vector<double>{1});
  // In two panels it is one draw.
  const std::string twice =
      "{kind: spread, x: platform.workstations, series: let.draw, panels: [{metric: tau}, {metric: tau, scale: log}]}";
  CHECK(resolved(twice, draws_summary()).remark == "1 draw is missing, without a finite value");
  CHECK(resolved_of("", one_x({1, 2})).remark.empty());
}

TEST_CASE("A level without a text is called by its number in the unit of its axis", "[figure]") {
  ResultTable s = draws_summary();
  for (auto& row : s.rows)
    for (auto& metric : row.estimates)
      for (auto& e : metric) e = {3600 * e.value, 3600 * e.low, 3600 * e.high};
  const auto level = [&](const std::string& panels) {
    const std::string yaml = "{kind: spread, x: platform.workstations, series: let.draw, panels: [" + panels + "]}";
    return resolved_figure(figure_of(yaml), s, "fig").series.back().label.text();
  };
  CHECK(level("{metric: tau, level: 90000}") == "25");
  CHECK(level("{metric: tau, level: 5000}") == "1.38889");
  CHECK(level("{metric: tau, level: 90000}, {metric: tau, level: 90000, unit: min}") == "25 h = 1500 min");
}

TEST_CASE("A level is a line across where there is one x alone as well", "[figure]") {
  const ResolvedFigure figure = resolved_of(", level: 25", one_x({10, 20, 30}));
  CHECK(heights(figure, "50") == std::vector<double>{20});
  CHECK(heights(figure, "25") == std::vector<double>{25, 25});
  const auto& line = std::get<std::vector<ResolvedCurve>>(figure.panels[0].content).front();
  CHECK(line.points[0].x < 10);
  CHECK(line.points[1].x > 10);
}

TEST_CASE("gnuplot draws spreads", "[figure]") {
  const Folder folder;
  folder.file("fig.csv", "");
  const FigureFiles files = draw_figure(figure_of(spread(", level: 25")), draws_summary(), folder.path(), "fig");
  CHECK_THAT(content_of(files.svg.string()), Contains("half are below"));
}

// Figures of kind distribution: what the block may say, the steps and bands of a curve, and that gnuplot draws them.
#include <catch2/catch.hpp>
#include <cmath>
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

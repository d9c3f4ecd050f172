// Axes of long times: the unit that they take by themselves or that a figure asks for, in data, labels and scripts.
#include "experiments/driver/pictures/axes.hpp"

#include <catch2/catch.hpp>

#include "experiments/driver/pictures/draw_picture.hpp"
#include "experiments/driver/pictures/resolved_figure.hpp"
#include "experiments/driver/running/result_output.hpp"
#include "tests/experiments/driver/figure_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

/// tau and sigma_T along an interval, `factor` times 100, 200, 300 s and a tenth of them.
ResultTable long_summary(double factor, const std::vector<std::string>& intervals = {"10s", "20s", "30s"}) {
  ResultTable s{
      "Long", "e.yaml", {"owner.interval"}, {find_metric("tau"), find_metric("sigma_T"), find_metric("speedup")}, {}};
  for (std::size_t i = 0; i < intervals.size(); ++i) {
    const double t = factor * 100 * static_cast<double>(i + 1);
    s.rows.push_back(row_of({intervals[i]}, {{t, t - 1, t + 1}, {t / 10, t / 10, t / 10}, {2, 2, 2}}));
  }
  return s;
}

ResolvedFigure resolved_of(const std::string& yaml, const ResultTable& s) {
  return resolved_figure(figure_of(yaml), s, "fig");
}

std::vector<double> ys(const ResolvedFigure& figure, std::size_t panel) {
  std::vector<double> out;
  for (const auto& point : std::get<std::vector<ResolvedCurve>>(figure.panels[panel].content)[0].points)
    out.push_back(point.y);
  return out;
}

std::string label(const ResolvedAxis& axis) { return axis.label.text(); }

const std::string kTwo = "{x: owner.interval, panels: [{metric: tau}, {metric: sigma_T, label: 'spread [s]'}]}";

std::string figure_problems(const std::string& figure) {
  return problems_of(
      "nowsim: 1\nplatform: {workstations: 4}\njob: {workload: base-task, work: 400f}\n"
      "owner: {model: intervals, TH: 0.2}\nrun: {replications: 2}\nmetrics: [tau, speedup]\n"
      "sweep: {owner.interval: [1s, 10s], owner.SH: [0, 0.1]}\nfigure: " +
      figure + "\n");
}

}  // namespace

TEST_CASE("A figure of times of ten minutes and more is drawn in minutes, its CSV stays in seconds",
          "[reads][figure]") {
  const ResultTable s = long_summary(6);
  const ResolvedFigure figure = resolved_of(kTwo, s);
  CHECK(ys(figure, 0) == std::vector<double>{10, 20, 30});
  CHECK(ys(figure, 1) == std::vector<double>{1, 2, 3});  // beside tau, though by itself it would be in seconds
  CHECK(label(figure.panels[0].value) == "τ [min]");
  CHECK(label(figure.panels[1].value) == "spread [min]");
  CHECK(figure.panels[0].value.unit == 60);
  const std::string script = figure_script(figure_of(kTwo), s, "fig");
  CHECK_THAT(script, Contains("(column('tau')/60):(end_of(column('tau_low')/60, column('tau')/60))"));
  CHECK_THAT(script, Contains("label_1 = 'τ [min]'\n"));
  CHECK_THAT(csv(s), Contains("10s,600,"));
  CHECK_THAT(figure_json(figure), Contains("\"unit\": 60"));
}

TEST_CASE("Shorter times, and labels that tell no unit, stay in seconds", "[figure]") {
  const ResolvedFigure shorter = resolved_of(kTwo, long_summary(5.9));
  CHECK(ys(shorter, 0)[0] == Approx(590));
  CHECK(label(shorter.panels[0].value) == "τ [s]");
  const std::string untold = "{x: owner.interval, panels: [{metric: tau, label: time}, {metric: speedup}]}";
  const ResolvedFigure figure = resolved_of(untold, long_summary(6));
  CHECK(ys(figure, 0)[0] == 600);
  CHECK(label(figure.panels[0].value) == "time");
  CHECK(ys(figure, 1)[0] == 2);
}

TEST_CASE("A figure may ask for a unit of its axes", "[figure]") {
  const std::string hours = "{x: owner.interval, x_unit: min, panels: [{metric: tau, label: time, unit: h}]}";
  const ResolvedFigure figure = resolved_of(hours, long_summary(1));
  CHECK(ys(figure, 0)[2] == Approx(300.0 / 3600));
  CHECK(label(figure.panels[0].value) == "time [h]");
  CHECK(label(figure.x) == "owner.interval [min]");
  CHECK(std::get<std::vector<ResolvedCurve>>(figure.panels[0].content)[0].points[1].x == Approx(20.0 / 60));
  const std::string seconds = "{x: owner.interval, panels: [{metric: tau, unit: s}]}";
  CHECK(label(resolved_of(seconds, long_summary(60)).panels[0].value) == "τ [s]");
  // What is along x by itself: intervals of hours.
  const auto by_hours =
      resolved_of("{x: owner.interval, panels: [{metric: tau}]}", long_summary(1, {"13h", "14h", "15h"}));
  CHECK(label(by_hours.x) == "owner.interval [h]");
  CHECK(by_hours.x.values[0].at == 13);
}

TEST_CASE("A unit of time is refused where there are none", "[figure]") {
  const std::string x = "x: owner.interval, series: owner.SH, ";
  CHECK(figure_problems("{" + x + "x_unit: min, panels: [{metric: tau, unit: h}]}").empty());
  CHECK_THAT(figure_problems("{" + x + "panels: [{metric: speedup, unit: h}]}"),
             Contains("'speedup' is no time: it has no unit"));
  CHECK_THAT(figure_problems("{x: owner.SH, series: owner.interval, x_unit: h, panels: [{metric: tau}]}"),
             Contains("'owner.SH' takes no times; it takes 0, 0.1"));
  CHECK_THAT(figure_problems("{" + x + "panels: [{metric: tau, unit: weeks}]}"),
             Contains("'weeks' is not one of: fitting, us, ms, s, min, h, d"));
}

TEST_CASE("A label tells its unit in place of seconds, or behind it", "[figure]") {
  const ColumnUnit hours{"h", 3600}, seconds{"s", 1};
  CHECK(in_unit(std::string("time [s]"), hours) == "time [h]");
  CHECK(in_unit(std::string("time"), hours) == "time [h]");
  CHECK(in_unit(std::string("time [h]"), hours) == "time [h]");
  CHECK(in_unit(std::string("time"), seconds) == "time");
  CHECK(in_unit(label_of("sigma_T [s]"), hours).text() == "σT [h]");
  CHECK(tells_seconds(label_of("tau [s]")));
  CHECK(tells_seconds(with_unit(label_of("sigma_T"), "s")));
  CHECK(!tells_seconds(label_of("tau")));
}

TEST_CASE("gnuplot draws a figure in hours", "[figure][gnuplot]") {
  const Folder folder;
  const ResultTable s = long_summary(1000);
  (void)folder.file("fig.csv", csv(s));
  (void)folder.file("fig.gp", figure_script(figure_of(kTwo), s, "fig"));
  REQUIRE_NOTHROW(run_gnuplot(folder.path(), "./fig.gp"));
  CHECK_THAT(content_of(folder.path() + "/fig.svg"), Contains("[h]"));
}

TEST_CASE("Tables tell long times in the units that suit their columns, programs get seconds", "[summary]") {
  const ResultTable s = long_summary(6);
  std::ostringstream table;
  write_summary(s, Format::table, table);
  CHECK_THAT(table.str(),
             Contains("tau [min]") && Contains("sigma_T [min]") && Contains("speedup") && Contains("20.000 ± 0.017"));
  std::ostringstream json;
  write_summary(s, Format::json, json);
  CHECK_THAT(json.str(), Contains("\"tau\": \"s\"") && Contains("1200"));
}

TEST_CASE("A panel whose x axis has another unit than the figure's reads the same positions", "[figure]") {
  const ResultTable s = long_summary(1, {"13h", "14h", "15h"});
  const std::string yaml =
      "{x: owner.interval, panels: [{metric: tau, x_label: 'time between arrivals'}, {metric: sigma_T}]}";
  const ResolvedFigure figure = resolved_of(yaml, s);
  CHECK(figure.x.unit == 3600);
  REQUIRE(figure.panels[0].x);
  CHECK(figure.panels[0].x->unit == 1);
  const std::string script = figure_script(figure_of(yaml), s, "fig");
  const std::string position = "using (position(strcol('owner.interval'))";
  CHECK_THAT(script, Contains(position + "*3600/1):(column('tau'))") && Contains(position + "):(column('sigma_T'))"));
}

TEST_CASE("On a log axis, whose values have a tic each, times are in a unit in which all are short", "[figure]") {
  const std::string yaml = "{x: owner.interval, x_scale: log, panels: [{metric: tau}]}";
  const ResolvedFigure odd = resolved_of(yaml, long_summary(1, {"1000s", "2000s", "7000s"}));
  CHECK(label(odd.x) == "owner.interval [s]");
  CHECK(odd.x.tics.at(0).label.text() == "1000");
  const ResolvedFigure round = resolved_of(yaml, long_summary(1, {"20min", "45min", "90min"}));
  CHECK(label(round.x) == "owner.interval [min]");
  CHECK(round.x.tics.at(2).label.text() == "90");
  const std::string asked = "{x: owner.interval, x_scale: log, x_unit: min, panels: [{metric: tau}]}";
  CHECK(label(resolved_of(asked, long_summary(1, {"1000s", "2000s", "7000s"})).x) == "owner.interval [min]");
}

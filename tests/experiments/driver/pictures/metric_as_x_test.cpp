// What lies along x: metrics, where points lie in which order, and long times in a unit of their own or one asked for.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "experiments/driver/pictures/axes.hpp"
#include "experiments/driver/pictures/draw_picture.hpp"
#include "experiments/driver/pictures/resolved_figure.hpp"
#include "experiments/driver/pictures/script.hpp"
#include "experiments/driver/running/result_output.hpp"
#include "tests/experiments/driver/figure_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// tau and sigma_T, which is x, of two mixes along N, in this order.
ResultTable mixes(const std::vector<std::string>& counts, double unit = 1) {
  ResultTable s{"Mixes", "e.yaml", {"platform.set", "platform.workstations"}, {find_metric("tau"), find_metric("sigma_T")}, {}};
  for (const std::string set : {"fast", "slow"})
    for (const auto& n : counts) {
      const double count = std::stod(n);
      s.rows.push_back(row_of({set, n}, {exactly(10 * count), exactly((set == "fast" ? 5 : 2) * count * unit)}));
    }
  return s;
}

const std::string kFigure =
    "{x: platform.workstations, x_metric: sigma_T, x_unit: s, series: platform.set, panels: [{metric: tau}]}";

std::string line_with(const std::string& script, const std::string& begin, std::size_t from = 0) {
  const std::size_t at = script.find("\n" + begin, from);
  return at == std::string::npos ? "" : script.substr(at + 1, script.find('\n', at + 1) - at - 1);
}

std::string experiment(const std::string& figure) {
  return "nowsim: 1\nplatform: {workstations: 4}\njob: {workload: base-task, work: 400f}\n"
         "owner: {model: intervals, SH: 0}\nrun: {replications: 2}\nmetrics: [tau, sigma_T, T_i]\n"
         "sweep: {owner.TH: [0, 0.28], owner.interval: [1s, 10s]}\nfigure: " + figure + "\n";
}

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

TEST_CASE("Where a metric is x, the script takes x from its column", "[reads][figure]") {
  const std::string script = figure_script(figure_of(kFigure), mixes({"2", "4"}), "fig");
  CHECK_THAT(script, Contains("'./fig.csv' using (strcol('platform.set') eq 'fast' ? column('sigma_T') : NaN):"
                              "(column('tau')) with linespoints"));
  CHECK_THAT(script, Contains("x_label = 'σ_{T} [s]'\n") && !Contains("position("));
  // From 4 to 20 s, and 4 % more at both ends.
  CHECK(line_with(script, "set xrange") == "set xrange [3.36:20.64]");
  CHECK(line_with(script, "set xtics") == "set xtics autofreq");
}

TEST_CASE("A metric's axis leaves out a power of ten, which stands in its label, made or given", "[figure]") {
  const ResultTable large = mixes({"2", "4"}, 1e11);
  const std::string script = figure_script(figure_of(kFigure), large, "fig");
  CHECK_THAT(script, Contains("x_label = 'σ_{T} [10^{12} s]'\n") && Contains("? column('sigma_T')/1e12 : NaN"));
  CHECK(line_with(script, "set xrange") == "set xrange [0.336:2.064]");
  const Metric& metric = *find_metric("sigma_T");
  CHECK(enhanced(metric_label("p_T·log_2 p [flop/s]", metric, 12)) == "p_{T}·log_{2} p [10^{12} flop/s]");
  CHECK(enhanced(metric_label("p^2", metric, 6)) == "p^{2} [10^{6}]");
  CHECK(enhanced(metric_label("p^2", metric, 0)) == "p^{2}");
  CHECK(enhanced(metric_label("", *find_metric("p_T_log_p"), 9)) == "p_{T}·log2 p [10^{9} flop/s]");
  CHECK(enhanced(metric_label("", *find_metric("p_T"), 0)) == "p_{T} [flop/s]");
}

TEST_CASE("Axes of both directions call a metric by its formula where its name is one", "[figure]") {
  ResultTable s = mixes({"2", "4"});
  s.metrics[1] = find_metric("p_T_log_p");
  const std::string figure =
      "{x: platform.workstations, x_metric: p_T_log_p, series: platform.set, panels: [{metric: p_T_log_p}]}";
  const std::string script = figure_script(figure_of(figure), s, "fig");
  CHECK_THAT(script, Contains("x_label = 'p_{T}·log2 p [flop/s]'\n") &&
                         Contains("label_1 = 'p_{T}·log2 p [flop/s]'\n"));
}

TEST_CASE("Powers of ten are left out from a million on and below a thousandth", "[figure]") {
  const auto power = [](double least, double most) {
    ValueRange range;
    range.add(least, false);
    range.add(most, false);
    return range.power_of_ten();
  };
  CHECK(power(0, 2.4e12) == 12);
  CHECK(power(0, 2.4e13) == 12);
  CHECK(power(-3e7, 5) == 6);
  CHECK(power(0, 999999) == 0);
  CHECK(power(0, 1e-3) == 0);
  CHECK(power(0, 5e-4) == -6);
  CHECK(power(0, 0) == 0);
  CHECK(ValueRange().power_of_ten() == 0);
}

TEST_CASE("A metric's log axis is written in powers of ten over decades, and the next panel's is not", "[figure]") {
  const std::string yaml =
      "{x: platform.workstations, x_scale: log, x_unit: s, series: platform.set, panels: [{metric: tau, x_metric: "
      "sigma_T}, {metric: tau}]}";
  const std::string script = figure_script(figure_of(yaml), mixes({"2", "2000"}, 1e6), "fig");
  const std::size_t second = script.find("# panel 2");
  CHECK_THAT(script.substr(0, second), Contains("\nset format x '10^{%T}'\n") && Contains("? column('sigma_T') : NaN"));
  CHECK(line_with(script, "set format x", second) == "set format x '%g'");
  CHECK_THAT(script, Contains("x_label_1 = 'σ_{T} [s]'\n") && Contains("x_label = 'platform.workstations'\n"));
  CHECK_THAT(script.substr(second), Contains("position(strcol('platform.workstations'))"));
}

TEST_CASE("A log axis over less than two decades has tics at round numbers", "[figure]") {
  CHECK(log_tics(0.9, 60) == std::vector<double>{1, 2, 5, 10, 20, 50});
  CHECK(log_tics(1.2, 6) == std::vector<double>{2, 3, 4, 5, 6});
  CHECK(log_tics(1.2, 1.9) == std::vector<double>{1.2, 1.9});
  const std::string yaml =
      "{x: platform.workstations, x_metric: sigma_T, x_scale: log, series: platform.set, panels: [{metric: tau}]}";
  CHECK(line_with(figure_script(figure_of(yaml), mixes({"2", "4"}), "fig"), "set xtics") ==
        "set xtics noenhanced ('5' 5, '10' 10, '20' 20)");
}

TEST_CASE("Each panel may have a metric of its own for x; the others share the figure's and its range", "[figure]") {
  const std::string yaml =
      "{x: platform.workstations, x_metric: sigma_T, x_label: 'all [s]', panels: "
      "[{metric: tau, where: {platform.set: fast}}, {metric: tau, where: {platform.set: slow}}, "
      "{metric: sigma_T, x_metric: tau, x_label: 'own [s]', where: {platform.set: slow}}]}";
  const std::string script = figure_script(figure_of(yaml), mixes({"2", "4"}), "fig");
  CHECK_THAT(script, Contains("x_label = 'all [s]'\n") && Contains("x_label_3 = 'own [s]'\n"));
  CHECK(line_with(script, "set xrange") == "set xrange [3.36:20.64]");
  const std::size_t second = script.find("# panel 2"), third = script.find("# panel 3");
  CHECK(line_with(script, "set xrange", second) == "set xrange [3.36:20.64]");
  CHECK(line_with(script, "set xrange", third) == "set xrange [19.2:40.8]");
  CHECK(line_with(script, "set xlabel", third) == "set xlabel x_label_3 enhanced");
  CHECK_THAT(script.substr(third), Contains("(strcol('platform.set') eq 'slow' ? column('tau') : NaN)"));
}

TEST_CASE("Points over a metric are joined in the order of the key", "[figure]") {
  CHECK_THAT(figure_script(figure_of(kFigure), mixes({"8", "4", "2"}), "fig"), !Contains("$curve"));
  const std::string script = figure_script(figure_of(kFigure), mixes({"4", "2", "8"}), "fig");
  CHECK_THAT(script, Contains("$curve1_1 << END_OF_DATA\n10,20,20,20\n20,40,40,40\n40,80,80,80\nEND_OF_DATA\n"));
  CHECK_THAT(script, Contains("$curve1_2 using 1:2 with linespoints") && !Contains("fig.csv"));
}

TEST_CASE("Points without a value of x, and those that a log scale cannot show, are left out and counted", "[figure]") {
  ResultTable s = mixes({"1", "2", "4"});
  s.rows[0].estimates[1] = {{kNone, kNone, kNone}};
  s.rows[1].estimates[1] = {exactly(0)};
  const std::string linear = figure_script(figure_of(kFigure), s, "fig");
  CHECK(line_with(linear, "set xrange") == "set xrange [-0.8:20.8]");
  CHECK_THAT(linear, !Contains("log scale"));
  const std::string log_x = "{x: platform.workstations, x_metric: sigma_T, x_scale: log, series: platform.set, panels: ";
  CHECK_THAT(line_with(figure_script(figure_of(log_x + "[{metric: tau}]}"), s, "fig"), "set label 6"),
             Contains("set label 6 '1 point at 0 cannot be shown on a log scale' at screen"));
  s.rows[2].estimates[0] = {exactly(-1)};
  CHECK_THAT(line_with(figure_script(figure_of(log_x + "[{metric: tau, scale: log}]}"), s, "fig"), "set label 6"),
             Contains("'2 points at 0 or below cannot be shown on a log scale'"));
  for (auto& row : s.rows) row.estimates[1] = {exactly(0)};
  CHECK_THROWS_WITH(figure_script(figure_of(log_x + "[{metric: tau}]}"), s, "fig"), Contains("there is nothing to draw"));
}

TEST_CASE("What is plotted over a metric is what the CSV holds", "[figure][gnuplot]") {
  const Folder folder;
  ResultTable s = mixes({"4", "2", "8"}, 1e11);
  s.rows[2].estimates[1] = {{kNone, kNone, kNone}};
  folder.file("fig.csv", csv(s));
  const std::string script = figure_script(figure_of(kFigure), s, "fig");
  const auto definitions = script.substr(0, script.find("do for [kind"));
  const auto plot = script.substr(script.find("plot NaN"), script.find("keyentry") - script.find("plot NaN"));
  folder.file("table.gp", definitions + "set table 'table'\n" + plot.substr(0, plot.rfind(',')) + "\n");
  REQUIRE(std::system(("cd '" + folder.path() + "' && gnuplot table.gp > said 2>&1").c_str()) == 0);
  const std::string table = content_of(folder.path() + "/table");
  CHECK_THAT(table, Contains("\n 1  20  i\n 2  40  i\n\n"));
  CHECK_THAT(table, Contains("\n 0.4  20  i\n 0.8  40  i\n 1.6  80  i\n\n"));
}

TEST_CASE("Curves over metrics are drawn, on linear and log axes, with theory, half-widths and a panel without results",
          "[figure][gnuplot]") {
  const Folder folder;
  ResultTable s = mixes({"1", "2", "4"}, 1e11);
  s.metrics.push_back(find_metric("tau_HL"));
  for (auto& row : s.rows) row.estimates.push_back({exactly(9)});
  for (std::size_t k = 0; k < 3; ++k) s.rows[k].estimates[0] = {{10, 9.5 - static_cast<double>(k), 11}};
  for (auto& row : s.rows)
    if (row.values[0] == "slow") row.estimates[0] = {{kNone, kNone, kNone}};
  folder.file("fig.csv", csv(s));
  for (const std::string scale : {"linear", "log"}) {
    const Figure figure = figure_of("{x: platform.workstations, x_metric: sigma_T, x_scale: " + scale +
                                    ", panels: [{metric: tau, theory: tau_HL, where: {platform.set: fast}}, "
                                    "{metric: tau, shows: half-width, where: {platform.set: fast}}, "
                                    "{metric: tau, x_metric: tau_HL, where: {platform.set: slow}}]}");
    const FigureFiles files = draw_figure(figure, s, folder.path(), "fig");
    CHECK_THAT(content_of(files.svg.string()), Contains("no results"));
    REQUIRE(std::system(("cd '" + folder.path() + "' && gnuplot fig.gp > said 2>&1").c_str()) == 0);
    CHECK(content_of(folder.path() + "/said") == "");
  }
}

TEST_CASE("A metric for x is one of the experiment's, of the whole run, and for curves", "[figure]") {
  const auto with = [](const std::string& keys, const std::string& panel = "") {
    return problems_of(experiment("{x: owner.TH, series: owner.interval, " + keys + "panels: [{metric: tau" + panel + "}]}"));
  };
  CHECK(with("x_metric: sigma_T, ").empty());
  CHECK(with("x_metric: sigma_T, x_scale: log, ").empty());  // TH = 0 is not on the axis
  CHECK(with("x_scale: log, ", ", x_metric: sigma_T").empty());
  CHECK_THAT(with("x_scale: log, "), Contains("figure.x: a log scale needs numbers above 0"));
  CHECK(with("x_metric: sigma_t, ") ==
        "e.yaml:8: figure.x_metric: 'sigma_t' is not among the experiment's metrics; did you mean 'sigma_T'?\n");
  CHECK(with("", ", x_metric: speedup") ==
        "e.yaml:8: figure.panels.x_metric: 'speedup' is not among the experiment's metrics; they are: tau, sigma_T\n");
  CHECK_THAT(with("x_metric: T_i, "), Contains("e.yaml:8: figure.x_metric: 'T_i' is a metric per workstation"));
  CHECK_THAT(with("x_metric: [tau], "), Contains("figure.x_metric: a text is wanted here, not a list or map"));
  CHECK_THAT(with("", ", x_metric: "), Contains("figure.panels.x_metric: there is no value behind this key"));
  CHECK(problems_of(experiment("{kind: surface, x: owner.TH, y: owner.interval, x_metric: tau, panels: [{metric: tau}]}")) ==
        "e.yaml:8: figure.x_metric: this key belongs to kind: curves\n");
  CHECK(problems_of(experiment("{kind: surface, x: owner.TH, y: owner.interval, panels: [{metric: tau, x_metric: tau}]}")) ==
        "e.yaml:8: figure.panels.x_metric: this key belongs to kind: curves\n");
}

TEST_CASE("Flags that take a metric or a key away leave the panels that need neither", "[figure]") {
  const std::string yaml = experiment("{x: owner.TH, series: owner.interval, panels: [{metric: tau, x_metric: sigma_T}, "
                                      "{metric: tau}]}");
  CHECK(loaded(yaml, {"owner.interval=1s"}).figure->panels.size() == 2);
  const auto without = loaded(yaml, {"metrics=[tau]"}).figure;
  REQUIRE(without);
  REQUIRE(without->panels.size() == 1);
  CHECK(without->panels[0].x_metric.empty());
  const Experiment none = loaded(experiment("{x: owner.TH, x_metric: sigma_T, series: owner.interval, panels: "
                                            "[{metric: tau}]}"), {"metrics=[tau]"});
  CHECK_FALSE(none.figure);
  CHECK_THAT(none.no_figure, Contains("'sigma_T' is not among the experiment's metrics"));
  CHECK_THAT(loaded(yaml, {"owner.TH=0.1"}).no_figure, Contains("'owner.TH' is not swept"));
}

TEST_CASE("A figure of times of ten minutes and more is drawn in minutes, its CSV stays in seconds",
          "[figure]") {
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

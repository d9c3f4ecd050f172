// Figures of kind workstations: what the block may say, which workstations stand where, and that gnuplot draws them.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>

#include "experiments/driver/pictures/draw_picture.hpp"
#include "experiments/driver/pictures/resolved_figure.hpp"
#include "experiments/driver/reading/figure.hpp"
#include "sim/base/error.hpp"
#include "tests/experiments/driver/figure_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// An experiment over two keys with this figure.
std::string experiment(const std::string& figure) {
  return "nowsim: 1\nplatform: {workstations: 4}\njob: {workload: base-task, work: = 400 * let.a}\n"
         "owner: {model: intervals, TH: 0.1, SH: 0, interval: 1s}\nlet: {a: 1}\nrun: {replications: 2}\n"
         "metrics: [tau, v_i/sum, p_i, T_busy_i]\nsweep: {split.policy: [equal, proportional], let.a: [1, 2]}\n"
         "figure: " + figure + "\n";
}

const std::string kGood =
    "{kind: workstations, sort: v_i/sum, where: {let.a: 1}, panels: ["
    "{metrics: [v_i/sum, p_i], title: equal parts, where: {split.policy: equal}}, "
    "{metrics: p_i, where: {split.policy: proportional}}]}";

/// A server and three workers of speeds 1, 3, 2; their parts with bars of 0.02, unknown for the last.
ResultTable shares_summary() {
  ResultTable s{"Parts", "e.yaml", {"split.policy"}, {find_metric("tau"), find_metric("v_i/sum"), find_metric("p_i")}, {}};
  const auto share = [](double x) { return Estimate{x, x - 0.02, x + 0.02}; };
  for (const char* policy : {"equal", "proportional"}) {
    ResultRow row{{policy}, {}, {"boss", "slow", "fast", "mid"}, 100, 1, 0.95, "direct", PointStatus::ok, ""};
    row.estimates = {{exactly(3)},
                     {exactly(kNone), exactly(1 / 6.), exactly(0.5), exactly(1 / 3.)},
                     {exactly(0), share(0.25), share(0.4375), {0.3125, kNone, kNone}}};
    s.rows.push_back(row);
  }
  s.rows[1].estimates = {};
  s.rows[1].status = PointStatus::infeasible;
  return s;
}

const std::string kShares = "{kind: workstations, sort: v_i/sum, panels: [{metrics: [v_i/sum, p_i], "
                            "where: {split.policy: equal}}]}";

std::string script_of(const std::string& figure) {
  return figure_script(figure_of(figure), shares_summary(), "fig");
}

}  // namespace

TEST_CASE("A figure of workstations is read with all its keys", "[reads][figure]") {
  const Figure figure = figure_of(
      "{kind: workstations, sort: v_i, x_label: clients, labels: {p_i: part}, same_scale: true, where: {let.a: 1}, "
      "panels: [{metrics: [v_i/sum, p_i], label: of the whole, scale: log, title: one}, {metrics: T_busy_i}]}");
  REQUIRE(figure.kind->name == "workstations");
  CHECK(figure.sort == "v_i");
  CHECK(figure.x.label == "clients");
  CHECK(figure.series.labels.at("p_i") == "part");
  CHECK(figure.same_scale);
  REQUIRE(figure.panels.size() == 2);
  CHECK(figure.panels[0].metrics == std::vector<std::string>{"v_i/sum", "p_i"});
  CHECK(figure.panels[0].log);
  CHECK(figure.panels[1].metrics == std::vector<std::string>{"T_busy_i"});
  CHECK(figure.panels[1].where.front().key == "let.a");
}

TEST_CASE("A figure of workstations that fits its experiment is accepted, without any sweep too", "[figure]") {
  CHECK(problems_of(experiment(kGood)) == "");
  const std::string one = "nowsim: 1\nplatform: {workstations: 4}\njob: {workload: base-task, work: 400}\n"
                          "run: {replications: 2}\nmetrics: [p_i]\n";
  CHECK(problems_of(one + "figure: {kind: workstations, panels: [{metrics: p_i}]}\n") == "");
}

TEST_CASE("What is wrong with a figure of workstations is said", "[figure]") {
  const auto said = [](const std::string& figure) { return problems_of(experiment(figure)); };
  const std::string fixed = ", where: {let.a: 1, split.policy: equal}}";
  const auto panels = [&](const std::string& list) {
    return said("{kind: workstations, panels: [" + list + "]" + fixed);
  };
  CHECK_THAT(panels("{metrics: tau}"), Contains("'tau' is a metric of the whole run") && Contains("p_i"));
  CHECK_THAT(panels("{metrics: [p_i, v_i/sun]}"), Contains("did you mean 'v_i/sum'"));
  CHECK_THAT(panels("{metrics: [p_i, T_busy_i]}"), Contains("'p_i' has no unit, 'T_busy_i' has s"));
  CHECK_THAT(panels("{metrics: [p_i, p_i]}"), Contains("given twice"));
  CHECK_THAT(panels("{metrics: []}"), Contains("a list of up to three"));
  CHECK_THAT(panels("{metric: tau}"), Contains("belongs to kind: curves"));
  CHECK_THAT(panels("{title: empty}"), Contains("a panel needs a metric"));
  CHECK_THAT(panels("{metrics: p_i}, {metrics: p_i}, {metrics: p_i}, {metrics: p_i}"), Contains("up to three panels"));
  CHECK_THAT(said("{kind: workstations, panels: [{metrics: p_i}]}"),
             Contains("'split.policy' is open: fix its value in 'where'"));
  CHECK_THAT(said("{kind: workstations, x: let.a, panels: [{metrics: p_i}]" + fixed),
             Contains("figure.x") && Contains("belongs to kind: curves"));
  CHECK_THAT(said("{kind: workstations, sort: tau, panels: [{metrics: p_i}]" + fixed),
             Contains("figure.sort") && Contains("whole run"));
  CHECK_THAT(said("{kind: workstations, labels: {T_busy_i: busy}, panels: [{metrics: p_i}]" + fixed),
             Contains("no panel shows 'T_busy_i'"));
  CHECK_THAT(said("{kind: workstations}"), Contains("panels: [{metrics: [v_i/sum, p_i]}]"));
  CHECK_THAT(said("{x: let.a, panels: [{metrics: p_i}], where: {split.policy: equal}}"),
             Contains("belongs to kind: workstations"));
}

TEST_CASE("Metrics that flags leave out go from a figure of workstations", "[figure]") {
  const Figure figure = figure_of(
      "{kind: workstations, sort: v_i/sum, labels: {v_i/sum: speed}, panels: [{metrics: [v_i/sum, p_i]}, "
      "{metrics: v_i/sum}]}");
  const Figure left = reduced_figure(figure, {}, {find_metric("p_i")}, builtin_figures());
  CHECK(left.sort.empty());
  CHECK(left.series.labels.empty());
  REQUIRE(left.panels.size() == 1);
  CHECK(left.panels.front().metrics == std::vector<std::string>{"p_i"});
}

TEST_CASE("Workstations stand by falling value of the metric that a figure sorts by, without the server", "[figure]") {
  const std::string script = script_of(kShares);
  CHECK_THAT(script, Contains("('fast' 1, 'mid' 2, 'slow' 3)"));
  CHECK_THAT(script, Contains("$panel1 << END_OF_PANEL\n1,0.5,NaN,NaN,0.4375,0.4175,0.4575\n"));
  CHECK_THAT(script, Contains("\n2,0.3333333333333333,NaN,NaN,0.3125,NaN,NaN\n"));
  CHECK_THAT(script, !Contains("boss"));
}

TEST_CASE("Without a metric to sort by workstations stand as in the platform", "[figure]") {
  const std::string script = script_of("{kind: workstations, panels: [{metrics: p_i, where: {split.policy: equal}}]}");
  CHECK_THAT(script, Contains("('boss' 1, 'slow' 2, 'fast' 3, 'mid' 4)"));
}

TEST_CASE("Panels of the same metrics can share one range, and one without results says so", "[figure]") {
  const std::string script = script_of(
      "{kind: workstations, same_scale: true, panels: [{metrics: p_i, where: {split.policy: equal}}, "
      "{metrics: p_i, where: {split.policy: proportional}}]}");
  CHECK_THAT(script, Contains("no results"));
  CHECK_THROWS_WITH(
      script_of("{kind: workstations, panels: [{metrics: p_i, where: {split.policy: proportional}}]}"),
      Contains("nothing to draw"));
}

TEST_CASE("A figure of workstations is drawn with names, labels, legend and footer", "[figure][gnuplot]") {
  const Folder folder;
  folder.file("fig.csv", csv(shares_summary()));
  const FigureFiles files = draw_figure(figure_of(kShares), shares_summary(), folder.path(), "fig");
  const std::string svg = content_of(files.svg.string());
  for (const char* text : {">Parts<", ">fast<", ">slow<", "workstation, by falling", "100 replications, bars: 95 %"})
    CHECK_THAT(svg, Contains(text));
  CHECK(content_of(files.png.string()).size() > 5000);
  REQUIRE(std::system(("cd '" + folder.path() + "' && gnuplot fig.gp > said 2>&1").c_str()) == 0);
  CHECK(content_of(folder.path() + "/said").empty());
}

TEST_CASE("Workstations that a log scale cannot show are counted in the footer", "[figure]") {
  const std::string panels = "{kind: workstations, panels: [{metrics: p_i, where: {split.policy: equal}, scale: ";
  CHECK_THAT(script_of(panels + "log}]}"), Contains("set label 6 '1 point at 0 cannot be shown on a log scale'") &&
                                               Contains("\nunset label 1; unset label 2; unset label 6\n"));
  CHECK_THAT(script_of(panels + "linear}]}"), !Contains("label 6"));
}

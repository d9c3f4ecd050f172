// The figure block: what it may say, every way in which it can be wrong, and what flags leave of it.
#include "experiments/driver/reading/figure.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "experiments/driver/reading/sweep.hpp"
#include "tests/experiments/driver/figure_fixture.hpp"
#include "tests/experiments/driver/sentences.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

/// An experiment over TH, SH and two variables, with this figure.
std::string experiment(const std::string& figure) {
  return "nowsim: 1\nplatform: {workstations: 4}\njob: {workload: base-task, work: = 400 * let.a}\n"
         "owner: {model: intervals, SH: 0}\nlet: {a: 1}\nrun: {replications: 2}\nmetrics: [tau, sigma_T, T_i]\n"
         "sweep: {owner.TH: [0, 0.28], owner.interval: [1s, 10s], let.a: [1, 2]}\nfigure: " +
         figure + "\n";
}

const std::string kGood = "{x: owner.TH, series: owner.interval, where: {let.a: 1}, panels: [{metric: tau}]}";

}  // namespace

TEST_CASE("A figure of curves is read with all its keys", "[reads][figure]") {
  Problems problems;
  const auto figure = read_figure(parse_yaml(R"(
kind: curves
x: owner.interval
x_label: the interval
x_scale: log
series: owner.TH
series_label: TH
labels: {0.28: much}
same_scale: true
where: {let: {a: 1}, let.b: 2}
panels:
  - {metric: tau, label: time, title: first, scale: log, theory: [tau_HL, tau_renewal]}
  - {metric: sigma_T/tau, where: {let.a: 3}, theory: TH}
)", "e.yaml"), "e.yaml", builtin_figures(), problems);
  REQUIRE(problems.empty());
  CHECK(figure->kind->name == "curves");
  CHECK(figure->x.key == "owner.interval");
  CHECK(figure->x.label == "the interval");
  CHECK(figure->x.log);
  CHECK(figure->series.key == "owner.TH");
  CHECK(figure->series.labels.at("0.28") == "much");
  REQUIRE(figure->panels.size() == 2);
  CHECK(figure->same_scale);
  CHECK(figure->panels[0].title == "first");
  CHECK(figure->panels[0].log);
  CHECK(figure->panels[0].theory == std::vector<std::string>{"tau_HL", "tau_renewal"});
  CHECK(figure->panels[1].theory == std::vector<std::string>{"TH"});
  REQUIRE(figure->panels[0].where.size() == 2);
  CHECK(figure->panels[0].where[0].key == "let.a");
  REQUIRE(figure->panels[1].where.size() == 2);
  CHECK(figure->panels[1].where[0].value == "3");
  CHECK(figure->panels[1].where[1].key == "let.b");
}

TEST_CASE("Every bad key or value of a figure is a sentence with file, line and key", "[figure]") {
  const std::string panels = "panels: [{metric: tau}]";
  check_said(read_problems, "e.yaml:", {
      {"5",
       "e.yaml:1: figure: a map of keys and values is wanted here, such as {x: owner.TH, panels: [{metric: tau}]}\n"},
      {"{x: a, xlabel: b, " + panels + "}",
       "e.yaml:1: figure.xlabel: this key is not known; did you mean 'figure.x_label'?\n"},
      {"{kind: curve, x: a, " + panels + "}", "e.yaml:1: figure.kind: 'curve' is not one of: curves, surface, winners"},
      {"{kind: winner, x: a, " + panels + "}", "; did you mean 'winners'?"},
      {"{x: a, x_scale: lin, " + panels + "}", "figure.x_scale: 'lin' is not one of: linear, log"},
      {"{x: [a], " + panels + "}", "figure.x: a text is wanted here, not a list or map"},
      {"{x: {a: b}, " + panels + "}",
       "figure.x: a text is wanted here, not a list or map; one that holds ': ' stands in quotes\n"},
      {"{x: , " + panels + "}", "figure.x: there is no value behind this key"},
      {"{" + panels + "}", "figure.x: a figure needs the swept key of its x axis"},
      {"{x: a}", "figure.panels: a figure needs its panels"},
      {"{x: a, panels: []}", "figure.panels: a list of panels is wanted here"},
      {"{x: a, panels: [tau]}", "figure.panels: a map of keys and values is wanted here, such as {metric: tau}"},
      {"{x: a, panels: [{label: b}]}", "figure.panels: a panel needs a metric"},
      {"{kind: surface, x: a, " + panels + "}", "figure.y: a surface needs a second swept key"},
      {"{kind: surface, x: a, y: b, series: c, " + panels + "}", "figure.series: this key belongs to kind: curves"},
      {"{kind: surface, x: a, y: b, same_scale: true, " + panels + "}",
       "figure.same_scale: this key belongs to kind: curves"},
      {"{x: a, same_scale: maybe, " + panels + "}", "figure.same_scale: 'maybe' is not one of: false, true"},
      {"{x: a, y: b, " + panels + "}", "figure.y: this key belongs to kind: surface"},
      {"{x: a, labels: {1: b}, " + panels + "}", "figure.labels: there is no series to label"},
      {"{x: a, series: b, labels: [c], " + panels + "}", "figure.labels: a map of values and their texts"},
      {"{x: a, where: b, " + panels + "}", "figure.where: a map of swept keys and one value each"},
      {"{x: a, where: {b: [1, 2]}, " + panels + "}", "figure.where.b: one value is wanted here, not a list"},
  });
  CHECK_THAT(read_problems("\nx: a\npanels:\n  - {metric: tau}\n  - {metrik: tau}"),
             Contains("e.yaml:5: figure.panels.metrik: this key is not known; did you mean 'figure.panels.metric'?"));
}

TEST_CASE("Theory that cannot be read is a sentence with file, line and key", "[figure]") {
  const auto with = [](const std::string& theory) {
    return read_problems("{x: a, panels: [{metric: tau, theory: " + theory + "}]}");
  };
  check_said(with, "e.yaml:1: figure.panels.theory: ", {
      {"[]", "a metric or a list of up to three is wanted here, such as tau_renewal\n"},
      {"[a, b, c, d]", "a metric or a list of up to three"},
      {"[a, b, a]", "'a' is given twice\n"},
      {"{a: b}", "a metric or a list of up to three is wanted here"},
      {"[[a]]", "a list here holds plain values, not lists or maps"},
      {"", "there is no value behind this key"},
  });
  CHECK(with("[a, b, c]").empty());
  CHECK(read_problems("{x: a, panels: [{metric: tau, shows: half-width, theory: tau_HL}]}") ==
        "e.yaml:1: figure.panels.theory: theory has no interval to show the half-width of\n");
  CHECK_THAT(read_problems("{x: a, panels: [{metric: tau, shows: width}]}"),
             Contains("figure.panels.shows: 'width' is not one of: value, half-width"));
  CHECK(read_problems("kind: surface\nx: a\ny: b\npanels:\n  - {metric: tau}\n  - {metric: tau, theory: tau_HL}") ==
        "e.yaml:6: figure.panels.theory: this key belongs to kind: curves\n");
}

TEST_CASE("Theory in a figure is an exact metric of the experiment", "[figure]") {
  const auto with = [](const std::string& theory, const std::string& metrics) {
    std::string text = experiment("{x: owner.TH, series: owner.interval, where: {let.a: 1}, panels: [{metric: tau, "
                                  "theory: " + theory + "}]}");
    const std::string from = "[tau, sigma_T, T_i]";
    return text.replace(text.find(from), from.size(), metrics);
  };
  const std::string measured = "[tau, tau_HL, tau_renewal, T_i_renewal]", key = "e.yaml:9: figure.panels.theory: ";
  CHECK(problems_of(with("[tau_renewal, tau_HL]", measured)).empty());
  CHECK(problems_of(with("tau_HL", "[tau]")) == key + "'tau_HL' is not among the experiment's metrics\n");
  CHECK(problems_of(with("tau_hl", measured)) ==
        key + "'tau_hl' is not among the experiment's metrics; did you mean 'tau_HL'?\n");
  CHECK(problems_of(with("tau", measured)) == key + "'tau' is simulated, not theory; theory is: tau_HL, tau_renewal\n");
  CHECK(problems_of(with("T_i_renewal", measured)) ==
        key + "'T_i_renewal' is a metric per workstation, which such a figure cannot show; kind: workstations shows "
              "it\n");
  const auto left = loaded(with("[tau_HL, tau_renewal]", measured), {"metrics=[tau, tau_renewal]"}).figure;
  REQUIRE(left);
  CHECK(left->panels.at(0).theory == std::vector<std::string>{"tau_renewal"});
}

TEST_CASE("Points of a zip that would fall on one place of a figure are a problem", "[figure]") {
  const auto with = [](const std::string& figure) {
    return problems_of("nowsim: 1\nplatform: {workstations: 2, speed: 1f}\njob: {workload: base-task, work: 100f}\n"
                       "metrics: [tau, X_i]\nsweep:\n"
                       "  zip: {split.policy: [equal, equal, proportional], job.work: [1f, 2f, 1f], "
                       "run.seed: [1, 2, 3]}\n"
                       "figure: " + figure + "\n");
  };
  CHECK(with("{x: run.seed, panels: [{metric: tau}]}").empty());
  CHECK(with("{x: job.work, panels: [{metric: tau, where: {split.policy: equal}}]}").empty());
  CHECK_THAT(with("{x: split.policy, panels: [{metric: tau}]}"),
             Contains("split.policy = equal stands for several points, which differ in 'job.work' (1f, 2f)"));
  CHECK_THAT(with("{kind: workstations, panels: [{metrics: [X_i], where: {split.policy: equal}}]}"),
             Contains("split.policy = equal stands for several points, which differ in 'job.work' (1f, 2f)"));
  CHECK(with("{kind: workstations, panels: [{metrics: [X_i], where: {run.seed: 2}}]}").empty());
}

TEST_CASE("A figure has to fit its experiment", "[figure]") {
  CHECK(problems_of(experiment(kGood)).empty());
  CHECK(loaded(experiment(kGood)).figure.has_value());
  const auto with = [](const std::string& from, const std::string& to) {
    std::string text = kGood;
    text.replace(text.find(from), from.size(), to);
    return problems_of(experiment(text));
  };
  CHECK(with("owner.TH", "owner.HT") ==
        "e.yaml:9: figure.x: 'owner.HT' is not swept; did you mean 'owner.TH'?\n"
        "e.yaml:9: figure: the swept key 'owner.TH' is open: make it an axis or the series, or fix its value in "
        "'where'\n");
  CHECK_THAT(with("owner.TH", "job.work"),
             Contains("figure.x: 'job.work' is not swept; swept are: owner.TH, owner.interval, let.a"));
  CHECK_THAT(with("series: owner.interval", "series: owner.TH"),
             Contains("figure.series: 'owner.TH' is an axis of this figure already"));
  CHECK_THAT(with("where: {let.a: 1}, ", ""), Contains("figure: the swept key 'let.a' is open"));
  CHECK_THAT(with("let.a: 1", "let.a: 3"),
             Contains("figure.where.let.a: 'let.a' never takes the value '3'; its values are: 1, 2"));
  CHECK_THAT(with("let.a: 1", "let.b: 1"), Contains("figure.where.let.b: 'let.b' is not swept"));
  CHECK_THAT(
      with("metric: tau", "metric: sigma_t"),
      Contains("figure.panels.metric: 'sigma_t' is not among the experiment's metrics; did you mean 'sigma_T'?"));
  CHECK_THAT(with("metric: tau", "metric: speedup"),
             Contains("'speedup' is not among the experiment's metrics; they are: tau, sigma_T"));
  CHECK_THAT(with("metric: tau", "metric: T_i"), Contains("figure.panels.metric: 'T_i' is a metric per workstation"));
  CHECK_THAT(with("x: owner.TH", "x: owner.TH, x_scale: log"),
             Contains("figure.x: a log scale needs numbers above 0; 'owner.TH' takes 0, 0.28"));
  CHECK_THAT(with("where:", "labels: {20: b}, where:"),
             Contains("figure.labels: 'owner.interval' never takes the value '20'; its values are: 1s, 10s"));
}

TEST_CASE("A figure may write a swept value in another unit", "[figure]") {
  std::string text = kGood;
  text.replace(text.find("where: {let.a: 1}"), 17, "labels: {1000ms: short}, where: {let.a: 200%}");
  const Figure figure = loaded(experiment(text)).figure.value();
  CHECK(figure.panels[0].where[0].value == "2");
  CHECK(figure.series.labels == std::map<std::string, std::string>{{"1s", "short"}});
  text.replace(text.find("{1000ms: short}"), 15, "{1000ms: short, 1s: long}");
  CHECK_THAT(problems_of(experiment(text)), Contains("figure.labels: '1000ms' is '1s', which has a label already"));
}

TEST_CASE("Keys that go together in a zip need only one of them in a figure", "[figure]") {
  const std::string yaml =
      "nowsim: 1\nplatform: {workstations: 4}\njob: {workload: base-task, work: 4f}\nmetrics: [tau]\n"
      "owner: {model: intervals}\nsweep: {zip: {owner.TH: [0, 0.28], owner.interval: [1s, 2s]}}\n";
  CHECK(problems_of(yaml + "figure: {x: owner.TH, panels: [{metric: tau}]}\n").empty());
}

TEST_CASE("Flags reach the figure, and what they fix is taken out of it", "[figure]") {
  const auto figure = [](const std::vector<std::string>& flags) { return loaded(experiment(kGood), flags).figure; };
  CHECK(figure({"figure.x_label=a label"})->x.label == "a label");
  CHECK(figure({"figure.where.let.a=2"})->panels[0].where[0].value == "2");
  CHECK(figure({"figure.panels=[{metric: tau}, {metric: sigma_T}]"})->panels.size() == 2);
  CHECK(figure({"figure.labels={1s: fast}", "sweep.owner.interval=[2s, 3s]"})->series.labels.empty());
  CHECK(figure({"owner.interval=5s"})->series.key.empty());
  CHECK_THAT(problems_of(experiment(kGood), {"figure.x=owner.interval"}),
             Contains("--set: figure.x: ") || Contains("axis of this figure already"));
  CHECK_THAT(problems_of(experiment(kGood), {"figur.x=owner.TH"}),
             Contains("--set: figur.x: this key is not known; did you mean 'figure.x'?"));
  const Experiment without = loaded(experiment(kGood), {"owner.TH=0.1"});
  CHECK_FALSE(without.figure);
  CHECK_THAT(without.no_figure, Contains("'owner.TH' is not swept"));
  CHECK_FALSE(loaded(experiment(kGood), {"metrics=[sigma_T]"}).figure);
  CHECK_FALSE(loaded(experiment(kGood), {"sweep.run.seed=[1, 2]"}).figure);
}

TEST_CASE("A surface whose second axis a flag fixes is drawn as a curve", "[figure]") {
  const std::string surface = experiment(
      "{kind: surface, x: owner.TH, y: owner.interval, where: {let.a: 1}, panels: [{metric: tau}, {metric: sigma_T}]}");
  CHECK(loaded(surface).figure->kind->name == "surface");
  const auto curves = loaded(surface, {"owner.TH=0.1", "metrics=[tau]"}).figure;
  REQUIRE(curves);
  CHECK(curves->kind->name == "curves");
  CHECK(curves->x.key == "owner.interval");
  CHECK_FALSE(curves->y.has_value());
  CHECK(curves->panels.size() == 1);
}

TEST_CASE("Axis values are numbers in SI where they have one dimension, else words side by side", "[figure]") {
  const AxisScale times = scale_of({"10s", "1min", "10s", "500ms"});
  CHECK(times.texts == std::vector<std::string>{"10s", "1min", "500ms"});
  CHECK(times.positions == std::vector<double>{10, 60, 0.5});
  CHECK(times.dimension == Dimension::time);
  CHECK(scale_of({"0", "28%"}).positions == std::vector<double>{0, 0.28});
  CHECK(scale_of({"1e3", "-2"}).positions == std::vector<double>{1000, -2});
  CHECK(scale_of({"2k", "1"}).positions == std::vector<double>{2000, 1});
  CHECK(scale_of({"1Gf"}).positions == std::vector<double>{1e9});
  CHECK(scale_of({"1KiB", "1kB"}).positions == std::vector<double>{1024, 1000});
  const AxisScale words = scale_of({"equal", "10s"});
  CHECK(words.words);
  CHECK(words.positions == std::vector<double>{1, 2});
  CHECK(words.at("10s") == 2);
  CHECK(std::isnan(words.at("x")));
}

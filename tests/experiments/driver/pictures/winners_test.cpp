// Figures of winners: who wins a cell, from whom it is told apart, what is read, and what is drawn.
#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "experiments/driver/pictures/draw_picture.hpp"
#include "experiments/driver/pictures/resolved_figure.hpp"
#include "experiments/driver/pictures/styles.hpp"
#include "tests/experiments/driver/figure_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

const std::string kWinners =
    "{kind: winners, x: owner.interval, y: owner.TH, series: split.policy, panels: [{metric: tau}]}";

/// tau +- 1 of policies at one interval and TH, in this order; NaN for a point without results.
ResultTable cell_of(const std::vector<std::pair<std::string, double>>& taus, double half_width = 1) {
  ResultTable s{"A title", "e.yaml", {"owner.interval", "owner.TH", "split.policy"}, {find_metric("tau")}, {}};
  for (const auto& [policy, tau] : taus) {
    if (std::isnan(tau)) s.rows.push_back(blank_row({"10s", "0.5", policy}, "it cannot be"));
    else s.rows.push_back(row_of({"10s", "0.5", policy}, {{tau, tau - half_width, tau + half_width}}));
  }
  return s;
}

/// The winner of the only cell, by names.
struct Winner {
  std::string best;
  std::vector<std::string> ties;
  std::string compared;  ///< "" where alone
  double excess;
  bool is_among_fewer;
};

Winner winner_of(const ResultTable& s, const std::string& figure = kWinners) {
  const ResolvedFigure resolved = resolved_figure(figure_of(figure), s, "fig");
  const auto& cells = std::get<std::vector<WinnerCell>>(resolved.panels[0].content);
  REQUIRE(cells.size() == 1);
  const WinnerCell& cell = cells[0];
  const auto name = [&](std::size_t series) { return resolved.series[series].value; };
  Winner out{name(cell.best), {}, cell.compared ? name(*cell.compared) : "", cell.excess, cell.is_among_fewer};
  for (const std::size_t tie : cell.ties) out.ties.push_back(name(tie));
  return out;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

std::string experiment(const std::string& figure) {
  return "nowsim: 1\nplatform: {workstations: 4}\njob: {workload: base-task, work: 400f}\n"
         "owner: {model: intervals}\nrun: {replications: 2}\nmetrics: [tau, sigma_T]\n"
         "sweep: {owner.TH: [0, 0.28], owner.interval: [1s, 10s], split.policy: [equal, proportional]}\nfigure: " +
         figure + "\n";
}

}  // namespace

TEST_CASE("The lowest mean wins, or the highest where that is best, and is compared with the second",
          "[reads][winners]") {
  const ResultTable s = cell_of({{"a", 130}, {"b", 100}, {"c", 110}});
  const Winner lowest = winner_of(s);
  CHECK(lowest.best == "b");
  CHECK(lowest.compared == "c");
  CHECK(lowest.excess == Approx(0.1));
  CHECK(lowest.ties.empty());
  CHECK_FALSE(lowest.is_among_fewer);
  const Winner highest = winner_of(s, replaced(kWinners, "metric: tau", "metric: tau, best: highest"));
  CHECK(highest.best == "a");
  CHECK(highest.compared == "c");
  CHECK(highest.excess == Approx(110.0 / 130 - 1));
}

TEST_CASE("A winner is compared with the value that is asked for, unless that wins itself", "[winners]") {
  const auto against = [](const std::string& value) {
    return replaced(kWinners, "panels", "against: " + value + ", panels");
  };
  const ResultTable s = cell_of({{"a", 130}, {"b", 100}, {"c", 110}});
  CHECK(winner_of(s, against("a")).compared == "a");
  CHECK(winner_of(s, against("a")).excess == Approx(0.3));
  CHECK(winner_of(s, against("b")).compared == "c");
  CHECK(winner_of(cell_of({{"a", std::nan("")}, {"b", 100}, {"c", 110}}), against("a")).compared.empty());
}

TEST_CASE("Means whose difference may be 0 are not told apart, all differences of a cell together", "[winners]") {
  // A difference of two means +- 1 is known to +- 1.41, of three policies (two differences at 97.5 %) to +- 1.62.
  CHECK(winner_of(cell_of({{"a", 100}, {"b", 101.5}})).ties.empty());
  CHECK(winner_of(cell_of({{"a", 100}, {"b", 101.3}})).ties == std::vector<std::string>{"b"});
  CHECK(winner_of(cell_of({{"a", 100}, {"b", 101.5}, {"c", 120}})).ties == std::vector<std::string>{"b"});
  CHECK(winner_of(cell_of({{"a", 101}, {"b", 100}, {"c", 100.5}})).ties == std::vector<std::string>{"c", "a"});
}

TEST_CASE("Exact means are told apart unless they are the same, and single runs never are", "[winners]") {
  CHECK(winner_of(cell_of({{"a", 100}, {"b", 100.001}}, 0)).ties.empty());
  CHECK(winner_of(cell_of({{"a", 100}, {"b", 100}}, 0)).ties == std::vector<std::string>{"b"});
  ResultTable s = cell_of({{"a", 100}, {"b", 200}});
  for (auto& row : s.rows) row.replications = 1;
  CHECK(winner_of(s).ties == std::vector<std::string>{"b"});
}

TEST_CASE("A winner among fewer says so, one alone is compared with nobody, and no results have no winner",
          "[winners]") {
  const double none = std::nan("");
  const Winner alone = winner_of(cell_of({{"a", none}, {"b", 100}}));
  CHECK(alone.best == "b");
  CHECK(alone.is_among_fewer);
  CHECK(alone.compared.empty());
  CHECK(alone.ties.empty());
  CHECK_THROWS_WITH(figure_script(figure_of(kWinners), cell_of({{"a", none}, {"b", none}}), "fig"),
                    "there is nothing to draw in the figure fig: no row has a value of tau");
}

TEST_CASE("A best mean of 0 has no ratio to it", "[winners]") {
  CHECK(std::isnan(winner_of(cell_of({{"a", 0}, {"b", 100}})).excess));
}

TEST_CASE("Every bad key of a figure of winners is a sentence with file, line and key", "[winners]") {
  CHECK(read_problems(kWinners).empty());
  CHECK(read_problems("{kind: winners, x: a, panels: [{metric: tau}]}") ==
        "e.yaml:1: figure.y: a figure of winners needs a second swept key, such as y: owner.TH\n"
        "e.yaml:1: figure.series: a figure of winners needs the swept key whose values compete, such as series: "
        "split.policy\n");
  const auto with = [](const std::string& key) {
    return read_problems(replaced(kWinners, "panels", key + ", panels"));
  };
  CHECK(with("x_scale: log") ==
        "e.yaml:1: figure.x_scale: this key belongs to kind: curves or surface or distribution or spread\n");
  CHECK(with("y_scale: log") == "e.yaml:1: figure.y_scale: this key belongs to kind: surface\n");
  CHECK(with("same_scale: true") ==
        "e.yaml:1: figure.same_scale: this key belongs to kind: curves or workstations or distribution\n");
  CHECK_THAT(with("x_labels: [a]"), Contains("figure.x_labels: a map of values and their texts is wanted here"));
  CHECK(read_problems("{x: a, against: b, panels: [{metric: tau, best: lowest}]}") ==
        "e.yaml:1: figure.against: this key belongs to kind: winners\n"
        "e.yaml:1: figure.panels.best: this key belongs to kind: winners\n");
  CHECK(read_problems(replaced(kWinners, "metric: tau", "metric: tau, best: least")) ==
        "e.yaml:1: figure.panels.best: 'least' is not one of: lowest, highest\n");
  CHECK(read_problems(replaced(kWinners, "metric: tau", "metric: tau, theory: tau_HL")) ==
        "e.yaml:1: figure.panels.theory: this key belongs to kind: curves\n");
  const std::string four = "{metric: tau}, {metric: tau}, {metric: tau}, {metric: tau}";
  CHECK(read_problems(replaced(kWinners, "{metric: tau}", four)) ==
        "e.yaml:1: figure.panels: a figure of winners has up to three panels\n");
}

TEST_CASE("A figure of winners has to fit its experiment", "[winners]") {
  const auto problems = [](const std::string& from, const std::string& to) {
    return problems_of(experiment(replaced(kWinners, from, to)));
  };
  CHECK(problems("panels", "against: equal, panels").empty());
  CHECK_THAT(problems("panels", "against: even, panels"),
             Contains("figure.against: 'split.policy' never takes the value 'even'; its values are: equal, "
                      "proportional"));
  CHECK_THAT(problems("panels", "y_labels: {0.5: half}, panels"),
             Contains("figure.y_labels: 'owner.TH' never takes the value '0.5'; its values are: 0, 0.28"));
  CHECK_THAT(problems("series: split.policy", "series: owner.TH"),
             Contains("figure.series: 'owner.TH' is an axis of this figure already"));
}

TEST_CASE("Of winners flags leave curves where an axis is fixed, and a surface where nobody competes", "[winners]") {
  const std::string text = experiment(replaced(kWinners, "panels", "against: equal, panels"));
  const auto figure = [&](const std::vector<std::string>& flags) { return loaded(text, flags).figure.value(); };
  CHECK(figure({}).kind->name == "winners");
  CHECK(figure({"owner.TH=0.1"}).kind->name == "curves");
  CHECK(figure({"owner.interval=2s"}).x.key == "owner.TH");
  CHECK(figure({"owner.TH=0.1"}).series.key == "split.policy");
  CHECK(figure({"split.policy=equal"}).kind->name == "surface");
  const Figure other = figure({"sweep.split.policy=[proportional, equalize]"});
  CHECK(other.against.empty());
}

TEST_CASE("Cells of winners are drawn with names, ties and differences, lighter where there are ties",
          "[winners][gnuplot]") {
  ResultTable s{"A title", "e.yaml", {"owner.interval", "owner.TH", "split.policy"}, {find_metric("tau")}, {}};
  const auto add = [&](const char* interval, const char* TH, double equal, double other) {
    s.rows.push_back(row_of({interval, TH, "equal"}, {{equal, equal - 1, equal + 1}}));
    s.rows.push_back(row_of({interval, TH, "proportional"}, {{other, other - 1, other + 1}}));
  };
  add("10s", "0.25", 100, 135);
  add("1min", "0.25", 100, 100.5);
  add("10s", "0.5", 102, 100);
  s.rows.push_back(blank_row({"1min", "0.5", "equal"}, "it cannot be"));
  s.rows.push_back(blank_row({"1min", "0.5", "proportional"}, "it cannot be"));
  const Figure figure = figure_of(
      "{kind: winners, x: owner.interval, x_label: interval, x_labels: {1min: a minute}, y: owner.TH, "
      "series: split.policy, labels: {proportional: prop}, panels: [{metric: tau, title: one}]}");
  const std::string script = figure_script(figure, s, "fig");
  CHECK_THAT(script, Contains("excess_1_1 = 'prop +35 %'\n") && Contains("excess_1_2 = 'equal +2.0 %'\n") &&
                         Contains("ties_1_3 = '≈ prop'\n") && Contains("excess_1_3 = 'prop +0.5 %'\n"));
  const auto value = [](const std::string& colour) {
    return std::to_string(std::stoul(colour.substr(1), nullptr, 16));
  };
  const auto plain = area_colours(resolved_figure(figure, s, "fig"));  // of policies
  CHECK_THAT(script, Contains("\n1,1," + value(plain[0]) + "\n1,2," + value(plain[1]) + "\n2,1,"));
  CHECK_THAT(script, !Contains("2,1," + value(plain[0])) && !Contains("\n2,2,"));
  const Folder folder;
  folder.file("fig.csv", csv(s));
  const std::string svg = content_of(draw_figure(figure, s, folder.path(), "fig").svg.string());
  for (const char* text : {">A title<", "interval", "a minute", "owner.TH", "equal", "prop", "one", "Lighter:",
                           "100 replications, seed 1, engine simgrid"})
    CHECK_THAT(svg, Contains(text));
}

TEST_CASE("Distinct colours are distinct, and the text on each can be read", "[winners]") {
  for (const std::size_t n : {1u, 2u, 10u, 14u}) {
    const auto all = distinct_colours(n);
    CHECK(std::set<std::string>(all.begin(), all.end()).size() == n);
  }
  CHECK(mixed_with_white("#000000", 0.5) == "#808080");
  CHECK(mixed_with_white("#332288", 1) == "#332288");
  CHECK(text_colour_on("#332288") == "#ffffff");
  CHECK(text_colour_on("#ddcc77") == "#000000");
}

// Figures of kinds distribution, spread, winners and workstations: what blocks may say, what is shown, and that gnuplot
// draws it.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <memory>
#include <set>

#include "experiments/driver/pictures/draw_picture.hpp"
#include "experiments/driver/pictures/resolved_figure.hpp"
#include "experiments/driver/pictures/styles.hpp"
#include "experiments/driver/reading/figure.hpp"
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

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// An experiment over two keys with this figure.
std::string experiment_over_a(const std::string& figure) {
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

std::string script_of(const std::string& figure) { return figure_script(figure_of(figure), shares_summary(), "fig"); }

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
  CHECK(figure.remark == "1 point at 0 cannot be shown on a log scale; 2 draws are missing, without a finite value");
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

TEST_CASE("The lowest mean wins, or the highest where that is best, and is compared with the second", "[winners]") {
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

TEST_CASE("A figure of workstations is read with all its keys", "[figure]") {
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
  CHECK(problems_of(experiment_over_a(kGood)) == "");
  const std::string one = "nowsim: 1\nplatform: {workstations: 4}\njob: {workload: base-task, work: 400}\n"
                          "run: {replications: 2}\nmetrics: [p_i]\n";
  CHECK(problems_of(one + "figure: {kind: workstations, panels: [{metrics: p_i}]}\n") == "");
}

TEST_CASE("What is wrong with a figure of workstations is said", "[figure]") {
  const auto said = [](const std::string& figure) { return problems_of(experiment_over_a(figure)); };
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
  CHECK_THROWS_WITH(script_of("{kind: workstations, panels: [{metrics: p_i, where: {split.policy: proportional}}]}"),
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

// Every kind of picture with awkward texts in all its fields: gnuplot ends well, the picture is whole, and there is no
// other file.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "experiments/driver/pictures/draw_picture.hpp"
#include "experiments/driver/pictures/gantt.hpp"
#include "experiments/driver/pictures/page.hpp"
#include "experiments/driver/pictures/resolved_figure.hpp"
#include "experiments/driver/points/fitted_owner.hpp"
#include "experiments/driver/running/runner.hpp"
#include "experiments/driver/studies/contrast.hpp"
#include "experiments/driver/studies/isoefficiency.hpp"
#include "experiments/driver/studies/plan_report.hpp"
#include "experiments/driver/studies/trace_fit_output.hpp"
#include "experiments/driver/sweeps/prepare.hpp"
#include "tests/awkward_texts.hpp"
#include "tests/experiments/driver/figure_fixture.hpp"
#include "workloads/built_in.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

using Texts = std::vector<std::string>;

/// A folder for one picture; what texts would make is outside of it.
struct Easel : Folder {
  Folder outside;
  Texts texts = awkward_texts(outside.path() + "/made");
  [[nodiscard]] std::string text(std::size_t i) const { return texts[i % texts.size()]; }

  [[nodiscard]] Texts files() const {
    Texts out;
    for (const auto& entry : fs::directory_iterator(path())) out.push_back(entry.path().filename().string());
    std::ranges::sort(out);
    return out;
  }
  void check_picture(const std::string& name) const {
    INFO(name);
    const std::string bytes = content_of(path() + "/" + name);
    CHECK(is_whole_picture(bytes));
    if (!bytes.starts_with("<?xml")) return;
    CHECK(obeyed_in(bytes).empty());
    CHECK_THAT(bytes, !Contains("<script"));
  }
  void check_nothing_else(Texts expected) const {
    std::ranges::sort(expected);
    CHECK(files() == expected);
    CHECK(fs::is_empty(outside.path()));
  }
  /// Of a picture that is a file of its own.
  void draw(const std::string& script) const {
    file("p.gp", "output = 'picture'\n" + script);
    REQUIRE_NOTHROW(run_gnuplot(path(), "./p.gp"));
    check_picture("picture");
    check_nothing_else({"p.gp", "picture"});
  }
  /// Of a figure; where it has an awkward name by its script alone too.
  void draw(const Figure& figure, const ResultTable& summary, const std::string& name = "fig") const {
    std::ofstream(path() + "/" + name + ".csv") << csv(summary);
    REQUIRE_NOTHROW(draw_figure(figure, summary, path(), name));
    Texts expected{name + ".csv", name + ".gp"};
    for (const auto& [format, ending] : picture_endings()) {
      expected.push_back(name + ending);
      check_picture(name + ending);
    }
    check_nothing_else(expected);
    if (name == "fig") return;
    const std::string before = content_of(path() + "/" + name + ".svg");
    for (const auto& [format, ending] : picture_endings()) fs::remove(path() + "/" + name + ending);
    REQUIRE_NOTHROW(run_gnuplot(path(), "./" + name + ".gp"));
    CHECK(content_of(path() + "/" + name + ".svg") == before);
    check_nothing_else(expected);
  }
};

std::string joined_texts(const Texts& texts) {
  std::string out;
  for (const auto& text : texts) out += text + " ";
  return out;
}

/// Labels and titles of a figure and its panels.
void label(Figure& figure, const Easel& easel, std::size_t from) {
  std::size_t i = from;
  figure.x.label = easel.text(i++);
  if (figure.y) figure.y->label = easel.text(i);
  ++i;
  figure.series.label = easel.text(i++);
  for (auto& panel : figure.panels) {
    panel.label = easel.text(i++);
    panel.title = easel.text(i++);
  }
}

}  // namespace

TEST_CASE("A text is one string of a script, whatever it holds, and drawn in every format",
          "[reads][awkward][gnuplot]") {
  const Easel easel;
  std::string script = "set print 'out'\n";
  for (const auto& text : easel.texts) script += "print '[' . " + file_string(text) + " . ']'\n";
  script += "unset print\n";
  for (const auto& [format, ending] : picture_endings()) {
    script += script_head("p") + "kinds = '" + (ending + 1) + "'; output = '" + ending + "'; footer = 'footer'\n" +
              "title = " + script_string(joined_lines(title_lines(joined_texts(easel.texts), 900))) + "\n" +
              begin_pages({900, 1400}, "", 1, format) + "set xtics noenhanced\n";
    for (std::size_t i = 0; i < easel.texts.size(); ++i) {
      const std::string at = " at screen 0.1, screen " + std::to_string(0.02 + 0.016 * static_cast<double>(i));
      script += "set label " + std::to_string(i + 10) + " " + script_string(easel.text(i)) + at + " noenhanced\n";
      script += "set label " + std::to_string(i + 100) + " " + script_string(enhanced(label_of(easel.text(i)))) + at + "\n";
      script += "set xtics add (" + tic_string(short_name(easel.text(i))) + " " + std::to_string(i) + ")\n";
    }
    script += "plot x title " + script_string(enhanced(short_name(easel.text(8)))) + "\n" + end_pages();
  }
  easel.file("p.gp", script);
  REQUIRE_NOTHROW(run_gnuplot(easel.path(), "./p.gp"));
  easel.check_nothing_else({".pdf", ".png", ".svg", "out", "p.gp"});
  for (const char* name : {".pdf", ".png", ".svg"}) easel.check_picture(name);
  std::string expected;
  for (const auto& text : easel.texts) expected += "[" + text + "]\n";
  CHECK(content_of(easel.path() + "/out") == expected);
  CHECK_THAT(content_of(easel.path() + "/.svg"),
             Contains(">50 %<") && Contains(">é ü 漢字 😀<") && Contains(">END_OF_RESULTS<"));
}

TEST_CASE("Curves with awkward texts are drawn", "[awkward][gnuplot]") {
  const Easel easel;
  ResultTable s{joined_texts(easel.texts), "e.yaml", {"owner.interval", "platform.set"}, {find_metric("tau")}, {}};
  for (std::size_t i = 0; i < easel.texts.size(); ++i)
    for (const char* x : {"1min", "10s"}) {
      s.rows.push_back(row_of({x, easel.text(i)}, {{1.0 + static_cast<double>(i), 1, 60}}));
      s.rows.back().reason = easel.text(i);
    }
  Figure figure = figure_of("{x: owner.interval, series: platform.set, panels: [{metric: tau}, {metric: tau}]}");
  label(figure, easel, 20);
  for (std::size_t i = 0; i < easel.texts.size(); i += 2) figure.series.labels[easel.text(i)] = easel.text(i + 1);
  easel.draw(figure, s);
  const Easel words;
  Figure other = figure_of("{x: platform.set, series: owner.interval, panels: [{metric: tau, scale: log}]}");
  words.draw(other, s, "<touch made #&'%d|`@x`\" é");
}

TEST_CASE("A text in a title is no command where another one names a variable of the script", "[awkward][gnuplot]") {
  const Easel easel;
  ResultTable s{"'.system('touch " + easel.outside.path() + "/made').'", "e.yaml", {"platform.set"}, {find_metric("tau")}, {}};
  for (const char* set : {"'a", "@title", "''b", "@title c"}) s.rows.push_back(row_of({set}, {{1, 1, 1}}));
  Figure figure = figure_of("{x: platform.set, panels: [{metric: tau}]}");
  figure.x.label = figure.panels[0].label = s.title;
  easel.draw(figure, s);
}

TEST_CASE("Values that are alike but for quotes and line ends are curves of their own", "[awkward][gnuplot]") {
  const Easel easel;
  ResultTable s{"", "e.yaml", {"owner.TH", "platform.set"}, {find_metric("tau")}, {}};
  double tau = 0;
  for (const char* set : {"a b", "a\nb", " a b", "'a b'", "\"a b\"", "END_OF_RESULTS", ""})
    s.rows.push_back(row_of({"0.5", set}, {{++tau, tau, tau}}));
  const std::string script =
      figure_script(figure_of("{x: owner.TH, series: platform.set, panels: [{metric: tau}]}"), s, "fig");
  const auto plot = script.substr(script.find("plot NaN"), script.find("keyentry") - script.find("plot NaN"));
  easel.file("table.gp", script.substr(0, script.find("do for [kind")) + "set table 'table'\n" +
                             plot.substr(0, plot.rfind(',')) + "\n");
  REQUIRE_NOTHROW(run_gnuplot(easel.path(), "./table.gp"));
  const std::string table = content_of(easel.path() + "/table");
  for (int k = 1; k <= 7; ++k) {
    const std::string point = "\n 0.5  " + std::to_string(k) + "  i\n";
    CHECK_THAT(table, Contains(point));
    CHECK(table.find(point) == table.rfind(point));
  }
}

TEST_CASE("Surfaces and winners with awkward texts are drawn", "[awkward][gnuplot]") {
  const Easel easel, second;
  ResultTable s{
      joined_texts(easel.texts), "e.yaml", {"platform.set", "job.workload", "split.policy"}, {find_metric("tau")}, {}};
  for (std::size_t i = 0; i < easel.texts.size(); ++i)
    s.rows.push_back(
        row_of({easel.text(i % 3), easel.text(i / 3 + 3), easel.text(i)}, {{1.0 + static_cast<double>(i % 7), 1, 9}}));
  Figure winners =
      figure_of("{kind: winners, x: platform.set, y: job.workload, series: split.policy, panels: [{metric: tau}]}");
  label(winners, easel, 26);
  easel.draw(winners, s, "it's & 50 %");
  Figure surface = figure_of("{kind: surface, x: platform.set, y: job.workload, panels: [{metric: tau}]}");
  label(surface, easel, 30);
  second.draw(surface, s);
}

TEST_CASE("Workstations with awkward names are drawn", "[awkward][gnuplot]") {
  const Easel easel;
  for (const std::size_t from : {std::size_t{0}, std::size_t{20}}) {
    ResultTable s{joined_texts(easel.texts), "e.yaml", {}, {find_metric("p_i")}, {}};
    ResultRow row{{}, {}, {}, 100, 1, 0.95, "direct", PointStatus::ok, ""};
    row.estimates = {{}};
    for (std::size_t i = 0; i < 35; ++i) {
      row.workstations.push_back(easel.text(from + i));
      row.estimates[0].push_back({0.1, 0.05, 0.2});
    }
    s.rows = {row};
    Figure figure = figure_of("{kind: workstations, panels: [{metrics: [p_i]}]}");
    label(figure, easel, from + 7);
    const Easel own;
    own.draw(figure, s);
  }
}

TEST_CASE("Gantt charts with awkward names are drawn", "[awkward][gnuplot]") {
  for (const std::size_t from : {std::size_t{0}, std::size_t{22}}) {
    const Easel easel;
    Timeline t;
    t.makespan_s = 10;
    for (std::size_t i = 0; i < kMostGanttWorkstations; ++i) {
      WorkstationTimeline w;
      w.name = easel.text(from + i);
      w.activities = {{Activity::compute, 0, 10, -1, 5e6}};
      w.availability = {{0, 10, 0.25}};
      t.workstations.push_back(std::move(w));
    }
    easel.draw(gantt_script(t, LinkUse{easel.text(from + 7), {{0, 5}}}, joined_texts(easel.texts), PictureFormat::svg));
  }
}

TEST_CASE("Quotes, commands and markup of a user's are shown as they are", "[awkward][gnuplot]") {
  const Easel easel;
  const std::string made = easel.outside.path() + "/made", touch = "touch " + made, shown = "it's \"quoted\" @x %s";
  const std::string nasty = shown + " `" + touch + "` $(" + touch + ") {a_b^c} \\ & ~ <b> ' ; system '" + touch +
                            "'\n'; set output '" + made + "'";
  const auto check_shown = [&](const Easel& own, const std::string& name) {
    CHECK_THAT(content_of(own.path() + "/" + name), Contains(">" + shown) && Contains(">'; set output '"));
  };
  for (const char* yaml :
       {"{x: platform.set, series: split.policy, panels: [{metric: tau}, {metric: tau}]}",
        "{kind: winners, x: platform.set, y: job.workload, series: split.policy, panels: [{metric: tau}]}"}) {
    INFO(yaml);
    const Easel own;
    ResultTable s{nasty, "e.yaml", {"platform.set", "job.workload", "split.policy"}, {find_metric("tau")}, {}};
    for (const std::string& set : {nasty, std::string("plain")})
      for (const std::string& policy : {nasty, std::string("plain")})
        s.rows.push_back(row_of({set, "w", policy}, {{policy == nasty ? 1.0 : 2.0, 0.5, 3}}));
    Figure figure = figure_of(yaml);
    if (figure.y) figure.y->label = nasty;
    figure.x.label = figure.series.label = nasty;
    for (auto& panel : figure.panels) panel.label = panel.title = nasty;
    figure.series.labels = {{nasty, nasty}, {"plain", nasty}};
    own.draw(figure, s);
    check_shown(own, "fig.svg");
  }
  const Easel own;
  Timeline t;
  t.makespan_s = 10;
  for (const std::string& name : {nasty, "'; system('" + touch + "')"}) {
    WorkstationTimeline w;
    w.name = name;
    w.activities = {{Activity::compute, 0, 10, -1, 5e6}};
    w.availability = {{0, 10, 0.25}};
    t.workstations.push_back(std::move(w));
  }
  own.draw(gantt_script(t, LinkUse{nasty, {{0, 5}}}, nasty, PictureFormat::svg));
  check_shown(own, "picture");
  CHECK(fs::is_empty(easel.outside.path()));
}

TEST_CASE("Plans with awkward texts are drawn", "[awkward][gnuplot]") {
  const Easel easel;
  PlanReport report;
  report.summary.title = joined_texts(easel.texts);
  for (const auto& text : easel.texts) {
    Alternative plan;
    plan.scenario =
        std::make_shared<const Scenario>(computing(machines(1, NetworkKind::none), 1e12, dedicated_owner()));
    auto statistics = std::make_shared<PointStatistics>(*plan.scenario, 100);
    statistics->makespans_s = {90, 95, 105};
    plan.statistics = statistics;
    plan.row.values = {text};
    plan.row.estimates.assign(plan_metrics(true).size(), {Estimate{0.1, 0, 0.2}});
    report.plans.push_back(plan);
  }
  report.request.deadline_s = 100;
  report.request.risk = 0.05;
  Alternative& advised = report.plans.front();
  const auto drawn = [&](const Alternative& one) { return risk_script(report.request, report.summary, report.plans, PictureFormat::svg, &one); };
  CHECK_THAT(drawn(advised), !Contains("promise: "));  // after so few replications nothing is promised
  advised.safe_deadline = {100, 95, 112};
  CHECK_THAT(drawn(advised), Contains("set arrow 21 from first 112, graph 0 to first 112, graph 1") && Contains("'promise: 1 min 52 s'"));
  Alternative of_fewer = advised;
  of_fewer.row.values = {"on two machines"};
  CHECK_THAT(drawn(of_fewer), Contains("'promise: 1 min 52 s, on two machines'"));
  of_fewer.row.values = {joined_texts(easel.texts)};
  easel.draw(drawn(of_fewer));
}

TEST_CASE("Contrasts with awkward texts are drawn", "[awkward][gnuplot]") {
  const Easel easel;
  ResultTable s{joined_texts(easel.texts), "e.yaml", {"platform.set", "job.workload"}, {find_metric("tau")}, {}};
  for (const std::size_t cell : {18, 36})
    for (std::size_t i = 0; i < easel.texts.size(); ++i) {
      const double tau = 10 + static_cast<double>(i);
      s.rows.push_back(row_of({easel.text(i), easel.text(cell)}, {{tau, tau - 1, tau + 1}}));
    }
  for (const std::string& against : {std::string(), easel.text(4)}) {
    const Easel own;
    own.draw(contrast_script(contrast_report({{"platform.set", against, {}, Better::unknown}, "e.yaml", {}}, s),
                             PictureFormat::svg));
  }
  CHECK(fs::is_empty(easel.outside.path()));
}

TEST_CASE("Isoefficiency with awkward texts is drawn", "[awkward][gnuplot]") {
  const Easel easel;
  const std::string yaml =
      "nowsim: 1\nplatform: {workstations: 2, speed: 1f}\n"
      "job: {workload: augmented-task, work: 1f, phases: 10, barrier_cost: 0.1s}\n"
      "split: {policy: proportional}\nrun: {replications: 2}\nsweep: {platform.workstations: [2, 4, 8]}\n";
  const Folder folder;
  const Experiment described = isoefficiency_experiment(
      {folder.file("e.yaml", yaml), {"0.5"}, {}, {}, {}, {}, "1e-6", {}, {{}}},
      Registries({}, builtin_checks(), builtin_figures()));
  const Experiment solved = solve_sizes(described);
  IsoefficiencyReport report = isoefficiency_report(family_of(described, {}), described, solved,
                                                    summarise(solved, run_experiment(solved, {1})));
  report.summary.title = joined_texts(easel.texts);
  const IsoefficiencyCurve curve = report.family.curves.at(0);
  report.family.curves.clear();
  for (const auto& text : easel.texts) {
    report.family.curves.push_back(curve);
    report.family.curves.back().target = text;
    report.family.curves.back().others = {{"platform." + text, text}};
  }
  for (const std::size_t i : {8, 13}) {
    report.key = report.metric = easel.text(i);
    const Easel own;
    own.draw(isoefficiency_script(report, PictureFormat::svg));
  }
  CHECK(fs::is_empty(easel.outside.path()));
}

TEST_CASE("Fits of traces with awkward names are drawn", "[awkward][gnuplot]") {
  const Easel easel;
  LoadSeries trace;
  for (int k = 0; k < 100; ++k) {
    trace.availability.push_back(k / 3 % 2 == 0 ? 0.3 : 0.7);
    trace.duration_s.push_back(10);
    trace.start_s.push_back(trace.total_s);
    trace.total_s += 10;
  }
  const LoadFit fit = fit_load(trace, "a.csv", {});
  for (std::size_t from = 0; from < easel.texts.size(); from += kMostFitRows) {
    std::vector<FittedHost> hosts;
    for (std::size_t i = from; i < std::min(from + kMostFitRows, easel.texts.size()); ++i)
      hosts.push_back({easel.text(i), "a.csv", trace, fit});
    const Easel own;
    own.draw(trace_fit_script(hosts, PictureFormat::svg));
  }
  CHECK(fs::is_empty(easel.outside.path()));
}

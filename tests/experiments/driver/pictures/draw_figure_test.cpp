// Figures really drawn and as JSON: they hold what the CSV says, and nothing that a user writes breaks out.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>

#include "experiments/driver/pictures/draw_picture.hpp"
#include "experiments/driver/pictures/resolved_figure.hpp"
#include "experiments/driver/text/reproducible_pdf.hpp"
#include "tests/experiments/driver/figure_fixture.hpp"
#include "tests/thrown.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

const std::string kCurves =
    "{x: owner.interval, x_label: 'the interval [s]', series: owner.TH, panels: [{metric: tau}]}";

/// A folder with the results, and the figure drawn from them.
struct Drawn {
  Drawn(const Figure& figure, const ResultTable& summary, const std::string& name = "fig") {
    folder.file(name + ".csv", csv(summary));
    files = draw_figure(figure, summary, folder.path(), name);
    svg = content_of(files.svg.string());
    png = content_of(files.png.string());
    pdf = content_of(files.pdf.string());
  }
  Folder folder;
  FigureFiles files;
  std::string svg;
  std::string png;
  std::string pdf;
};

/// Runs a script in a folder, with a word before it, as a user would.
int run_script(const std::string& folder, const std::string& script) {
  return std::system(("cd '" + folder + "' && gnuplot " + script + " > said 2>&1").c_str());
}

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> out;
  for (const auto& entry : fs::directory_iterator(folder)) out.push_back(entry.path().filename().string());
  std::sort(out.begin(), out.end());
  return out;
}

/// Has the environment variable PATH lead nowhere, or to a folder.
class PathOf {
 public:
  explicit PathOf(const std::string& path) : before_(std::getenv("PATH")) { setenv("PATH", path.c_str(), 1); }
  ~PathOf() { setenv("PATH", before_.c_str(), 1); }

 private:
  std::string before_;
};

}  // namespace

TEST_CASE("Curves are drawn with title, labels, legend and footer", "[reads][figure][gnuplot]") {
  const Drawn d(figure_of(kCurves), time_summary());
  for (const char* text : {">A title<", "the interval [s]", "τ [s]", "TH = 0.25", "TH = 0.5",
                           "95 % confidence, seed 1, engine simgrid, nowsim"})
    CHECK_THAT(d.svg, Contains(text));
  CHECK(d.png.substr(1, 3) == "PNG");
  CHECK(d.png.size() > 5000);
  CHECK(names_in(d.folder.path()) == std::vector<std::string>{"fig.csv", "fig.gp", "fig.pdf", "fig.png", "fig.svg"});
}

TEST_CASE("Theory is drawn beside one curve and beside several, with gaps and on a log axis", "[figure][gnuplot]") {
  const std::string panel = "{metric: tau, scale: log, theory: [tau_HL, tau_renewal]}";
  const Drawn several(figure_of("{x: owner.interval, series: owner.TH, panels: [" + panel + ", {metric: tau}]}"),
                      theory_summary());
  for (const char* text : {"TH = 0.25", "theory τ", ">HL<", ">renewal<"}) CHECK_THAT(several.svg, Contains(text));
  const Drawn one(figure_of("{x: owner.interval, where: {owner.TH: 0.25}, panels: [" + panel + "]}"), theory_summary());
  for (const char* text : {"simulated", "theory τ", ">HL<", ">renewal<"}) CHECK_THAT(one.svg, Contains(text));
  CHECK(one.png.size() > 5000);
  REQUIRE(run_script(one.folder.path(), "fig.gp") == 0);
  CHECK(content_of(one.folder.path() + "/said").empty());
}

TEST_CASE("A surface with blank cells is drawn, and one without any height too", "[figure][gnuplot]") {
  const Figure figure = figure_of(
      "{kind: surface, x: owner.interval, y: owner.TH, y_label: TH of all, panels: [{metric: tau, title: first}, "
      "{metric: tau}]}");
  const Drawn d(figure, time_summary());
  for (const char* text : {">A title<", "owner.interval [s]", "TH of all", "τ [s]", "(a) first"})
    CHECK_THAT(d.svg, Contains(text));
  ResultTable flat = time_summary();
  for (auto& row : flat.rows) row.estimates = {{{200, 200, 200}}};
  CHECK(Drawn(figure, flat).png.size() > 5000);
  flat.rows.resize(1);
  CHECK(Drawn(figure, flat).png.size() > 5000);
}

TEST_CASE("The script draws the same pictures by itself", "[figure][gnuplot]") {
  const Drawn d(figure_of(kCurves), time_summary());
  fs::remove(d.files.svg);
  fs::remove(d.files.png);
  fs::remove(d.files.pdf);
  REQUIRE(run_script(d.folder.path(), "fig.gp") == 0);
  CHECK(content_of(d.files.png.string()) == d.png);
  CHECK(content_of(d.files.svg.string()) == d.svg);
  CHECK(content_of(d.folder.path() + "/said").empty());
  CHECK(without_date(content_of(d.files.pdf.string())) == d.pdf);
}

TEST_CASE("A PDF is one page of the SVG's proportions with its letters in it, and bears no date", "[figure][gnuplot]") {
  const Drawn d(figure_of(kCurves), time_summary());
  CHECK(d.pdf.starts_with("%PDF-1."));
  CHECK_THAT(d.pdf, Contains("/FontFile2") && Contains("DejaVuSans") && !Contains("/CreationDate"));
  CHECK_THAT(d.pdf, Contains("/Count 1"));
  double width = 0, height = 0, page_width = 0, page_height = 0;
  REQUIRE(std::sscanf(d.svg.c_str() + d.svg.find("viewBox"), "viewBox=\"0 0 %lf %lf\"", &width, &height) == 2);
  REQUIRE(std::sscanf(d.pdf.c_str() + d.pdf.find("/MediaBox"), "/MediaBox [ 0 0 %lf %lf ]", &page_width,
                      &page_height) == 2);
  CHECK(page_width == Approx(0.75 * width).margin(1));  // a pixel is 1/96 inch, a point 1/72; in whole points
  CHECK(page_height == Approx(0.75 * height).margin(1));
}

TEST_CASE("What is no whole PDF keeps its bytes, and so does what was written behind one's end", "[figure][gnuplot]") {
  const Drawn d(figure_of(kCurves), time_summary());
  for (const std::string& bytes : {d.pdf + "% mine", d.pdf.substr(0, d.pdf.size() / 2), std::string("%PDF-1.5\nxref"),
                                   std::string("%PDF-1.5\n%%EOF\n"), std::string("/CreationDate (D:2026)"), std::string()})
    CHECK(without_date(bytes) == bytes);
}

TEST_CASE("What is plotted is what the CSV holds", "[figure][gnuplot]") {
  const Folder folder;
  const ResultTable s = time_summary();
  folder.file("fig.csv", csv(s));
  // The plot command and what it needs, with a table in place of a picture.
  const std::string script = figure_script(figure_of(kCurves), s, "fig");
  const auto definitions = script.substr(0, script.find("do for [kind"));
  const auto plot = script.substr(script.find("plot NaN"), script.find("keyentry") - script.find("plot NaN"));
  folder.file("table.gp", definitions + "set table 'table'\n" + plot.substr(0, plot.rfind(',')) + "\n");
  REQUIRE(run_script(folder.path(), "table.gp") == 0);
  const std::string table = content_of(folder.path() + "/table");
  CHECK_THAT(table, Contains("\n 10  201.5  200.5  202.5  i\n 60  207.25  205  209.5  i\n"));
  CHECK_THAT(table, Contains("\n 10  201.5  i\n 60  207.25  i\n"));
  CHECK_THAT(table, Contains("\n 10  211.125  i\n\n"));
}

TEST_CASE("Infinite and unknown bars leave the points", "[figure][gnuplot]") {
  ResultTable s = time_summary();
  const double none = std::numeric_limits<double>::quiet_NaN();
  s.rows[0].estimates = {{{201, none, none}}};
  s.rows[1].estimates = {{{207, 200, std::numeric_limits<double>::infinity()}}};
  CHECK(Drawn(figure_of(kCurves), s).png.size() > 5000);
}

TEST_CASE("Words, one series, one point, many series and many values are drawn", "[figure][gnuplot]") {
  ResultTable s{"Words", "e.yaml", {"split.policy", "run.seed"}, {find_metric("tau")}, {}};
  s.rows = {row_of({"equal", "1"}, {{3, 2, 4}})};
  const Figure figure = figure_of("{x: split.policy, series: run.seed, panels: [{metric: tau}]}");
  CHECK(Drawn(figure, s).png.size() > 3000);
  for (int seed = 2; seed <= 20; ++seed)
    for (const char* policy : {"equal", "proportional"})
      s.rows.push_back(row_of({policy, std::to_string(seed)}, {{3.0 * seed, 2.0 * seed, 4.0 * seed}}));
  CHECK_THAT(Drawn(figure, s).svg, Contains("proportional") && Contains("seed = 20"));
  ResultTable many{"Many", "e.yaml", {"owner.interval"}, {find_metric("tau")}, {}};
  for (int i = 1; i <= 500; ++i) many.rows.push_back(row_of({std::to_string(i) + "s"}, {{1.0 * i, 0.9 * i, 1.1 * i}}));
  CHECK(Drawn(figure_of("{x: owner.interval, panels: [{metric: tau, scale: log}]}"), many).png.size() > 5000);
}

TEST_CASE("Where drawing fails, a sentence says why, and script and CSV stay", "[figure][gnuplot]") {
  const Figure figure = figure_of(kCurves);
  const ResultTable s = time_summary();
  const Folder folder;
  CHECK_THROWS_WITH(draw_figure(figure, s, folder.path(), "fig"), Contains("fig.csv are not there"));
  folder.file("fig.csv", csv(s));
  const auto failure = [&](const std::string& path) {
    const PathOf changed(path);
    return sentence_of<RunError>([&] { draw_figure(figure, s, folder.path(), "fig"); });
  };
  CHECK_THAT(failure("/nowhere"), Contains("fig.png was not drawn: there is no gnuplot here") &&
                                      Contains("apt-get install gnuplot-nox") &&
                                      Contains("fig.gp and its CSV are kept"));
  const Folder fake;
  const auto pretend = [&](const std::string& what) {
    fs::permissions(fake.file("gnuplot", "#!/bin/sh\n" + what + "\n"), fs::perms::owner_all);
    return failure(fake.path());
  };
  CHECK_THAT(pretend("echo 'line 3: bad terminal' >&2; exit 2"),
             Contains("gnuplot failed with status 2: line 3: bad terminal;"));
  CHECK_THAT(pretend("exit 0"), Contains("gnuplot made no fig.svg"));
  CHECK_THAT(pretend("printf '<?xml version=\"1.0\"?><svg><g>' > fig.svg"),
             Contains("gnuplot left fig.svg incomplete (29 bytes); is there room in "));
  CHECK_THAT(pretend("kill -9 $$"), Contains("gnuplot was ended by a signal: Killed"));
  CHECK(names_in(folder.path()) == std::vector<std::string>{"fig.csv", "fig.gp"});
  CHECK_THROWS_WITH(draw_figure(figure, s, folder.path(), "../fig"), Contains("cannot be a figure's file name"));
  CHECK_THROWS_AS(draw_figure(figure, s, folder.path() + "/none", "fig"), RunError);
}

TEST_CASE("A panel without results says so beside one that has them", "[figure][gnuplot]") {
  ResultTable s = time_summary();
  for (auto& row : s.rows)
    if (row.values[0] == "0.5") row.estimates.clear();
  const std::string panels = "panels: [{metric: tau, where: {owner.TH: 0.5}}, {metric: tau, where: {owner.TH: 0.25}}]}";
  CHECK_THAT(Drawn(figure_of("{x: owner.interval, " + panels), s).svg, Contains("no results"));
  const std::string surface = "{kind: surface, x: owner.interval, y: owner.TH, panels: [{metric: sigma_T}, {metric: tau}]}";
  s.metrics.push_back(find_metric("sigma_T"));
  const double none = std::numeric_limits<double>::quiet_NaN();
  for (auto& row : s.rows)
    if (!row.estimates.empty()) row.estimates.push_back({{none, none, none}});
  CHECK_THAT(Drawn(figure_of(surface), s).svg, Contains("no results"));
}

using Json = nlohmann::ordered_json;

namespace {

Json json_of(const std::string& figure, const ResultTable& summary) {
  return Json::parse(figure_json(resolved_figure(figure_of(figure), summary, "fig")));
}

}  // namespace

TEST_CASE("Curves' JSON has points with intervals, axes in the labels' units, and where the CSV has them",
          "[figure]") {
  const Json fig = json_of(
      "{x: owner.interval, x_scale: log, series: owner.TH, panels: [{metric: tau, theory: [tau_HL, tau_renewal]}]}",
      theory_summary());
  CHECK(fig["kind"] == "curves");
  CHECK(fig["title"] == "A title");
  CHECK(fig["provenance"]["seed"] == "1");
  CHECK(fig["x"]["label"] == "owner.interval [s]");
  CHECK(fig["x"]["scale"] == "log");
  CHECK(fig["x"]["tics"][1] == Json({{"at", 60.0}, {"label", "60"}}));
  CHECK(fig["x"]["values"][1] == Json({{"text", "1min"}, {"at", 60.0}}));
  CHECK(fig["x"]["range"][0].get<double>() == Approx(10 * std::pow(6, -0.03)));
  REQUIRE(fig["series"].size() == 4);
  CHECK(fig["series"][1] == Json({{"value", "0.5"}, {"label", "TH = 0.5"}, {"theory", false}}));
  CHECK(fig["series"][2]["label"] == "theory τ<sub>HL</sub>");
  const Json& curves = fig["panels"][0]["curves"];
  REQUIRE(curves.size() == 6);  // for each TH theory first
  CHECK(curves[2]["points"][1] == Json({{"x", 60.0}, {"y", 207.25}, {"low", 205.0}, {"high", 209.5}}));
  CHECK(curves[2]["where"] == Json({{"owner.TH", "0.25"}}));
  CHECK(curves[3]["beside"] == 1);
  CHECK(curves[3]["points"] == Json::parse(R"([{"x": 10.0, "y": 200.5, "low": null, "high": null}])"));
  CHECK_FALSE(fig.contains("y"));
}

TEST_CASE("A surface's JSON has its values row by row, null where there are none", "[figure]") {
  const Json fig = json_of("{kind: surface, x: owner.interval, y: owner.TH, panels: [{metric: tau}]}", time_summary());
  CHECK(fig["y"]["shows"] == "owner.TH");
  CHECK(fig["panels"][0]["value"]["label"] == "τ [s]");
  const Json& points = fig["panels"][0]["surface"];
  REQUIRE(points.size() == 4);
  CHECK(points[1] == Json({{"x", 60.0}, {"y", 0.25}, {"value", 207.25}}));
  CHECK(points[3]["value"].is_null());
}

TEST_CASE("A map's JSON names winners by their number, and those that they cannot be told from", "[figure]") {
  ResultTable s{"<b>", "e.yaml", {"owner.interval", "owner.TH", "split.policy"}, {find_metric("tau")}, {}};
  s.rows = {row_of({"10s", "0.1", "equal"}, {{10, 9, 11}}), row_of({"10s", "0.1", "grain"}, {{20, 19, 21}}),
            row_of({"10s", "0.1", "a & b"}, {{10.5, 9.5, 11.5}})};
  const Json fig = json_of(
      "{kind: winners, x: owner.interval, y: owner.TH, series: split.policy, against: grain, "
      "panels: [{metric: tau}]}",
      s);
  CHECK(fig["series"][2] == Json({{"value", "a & b"}, {"label", "a &amp; b"}, {"theory", false}}));
  CHECK(fig["panels"][0]["cells"] == Json::parse(R"([{"column": 0, "row": 0, "best": 0, "ties": [2], "compared": 1,
      "excess": 1.0, "among_fewer": false}])"));
  CHECK(fig["note"].get<std::string>().find("lowest τ") != std::string::npos);
  CHECK(figure_json(resolved_figure(figure_of("{kind: winners, x: owner.interval, y: owner.TH, series: split.policy, "
                                              "panels: [{metric: tau}]}"),
                                    s, "f"))
            .find("τ") == std::string::npos);
}

TEST_CASE("Positions over a metric are in the unit that the axis' label tells", "[figure]") {
  ResultTable s{"N", "e.yaml", {"platform.workstations"}, {find_metric("tau"), find_metric("sigma_T")}, {}};
  for (const char* n : {"4", "2"}) s.rows.push_back(row_of({n}, {exactly(1), exactly(std::stod(n) * 1e6)}));
  const Json fig = json_of("{x: platform.workstations, x_metric: sigma_T, x_unit: s, panels: [{metric: tau}]}", s);
  CHECK(fig["x"]["label"] == "σ<sub>T</sub> [10<sup>6</sup> s]");
  CHECK(fig["x"]["power"] == 6);
  CHECK(fig["x"]["unit"] == 1e6);
  CHECK(fig["panels"][0]["curves"][0]["points"][0]["x"] == 4.0);
  CHECK(fig["legend"] == false);
}

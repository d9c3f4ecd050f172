// Figures as papers print them: true sizes, texts that fit, one look per technique, and titles that tell flags.
#include <algorithm>
#include <catch2/catch.hpp>
#include <memory>
#include <regex>
#include <set>

#include "experiments/driver/pictures/draw_picture.hpp"
#include "experiments/driver/pictures/label.hpp"
#include "experiments/driver/pictures/page.hpp"
#include "experiments/driver/pictures/resolved_figure.hpp"
#include "experiments/driver/pictures/styles.hpp"
#include "experiments/driver/points/experiment_document.hpp"
#include "experiments/driver/reading/figure.hpp"
#include "tests/experiments/driver/figure_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

const std::vector<std::string> kEleven{"SS", "CSS", "GSS", "TSS", "FAC", "FAC2", "WF", "AWF-B", "AWF-C", "AF", "static"};

std::string curves(const std::string& more) {
  return "{x: owner.interval, series: owner.TH, panels: [{metric: tau}, {metric: tau}], " + more + "}";
}

std::string script_of(const std::string& yaml) { return figure_script(figure_of(yaml), time_summary(), "fig"); }

/// What a key of a figure's block is refused with.
std::string refusal(const std::string& more) { return read_problems(curves(more)); }

ResolvedFigure series_figure(const std::string& key, const std::vector<std::string>& values) {
  ResolvedFigure out;
  out.series_key = key;
  for (const auto& value : values) out.series.push_back({value, value});
  return out;
}

std::string look(const SeriesStyle& style) {
  return style.colour + " " + style.dash + " " + std::to_string(style.point);
}

std::vector<std::string> looks_of(const std::string& key, const std::vector<std::string>& values) {
  std::vector<std::string> out;
  for (const auto& style : series_styles(series_figure(key, values))) out.push_back(look(style));
  return out;
}

/// tau over a time, TH and two policies, of which the second one wins; parts of two machines, and times.
ResultTable summary_of_all_kinds() {
  ResultTable s{"A title", "e.yaml", {"owner.TH", "owner.interval", "split.policy"}, {find_metric("tau"), find_metric("p_i")}, {}};
  for (const char* TH : {"0.25", "0.5"})
    for (const char* interval : {"10s", "1min"})
      for (const double tau : {211.0, 201.0}) {
        ResultRow row = row_of({TH, interval, tau > 205 ? "equal" : "optimal"}, {{tau, tau - 1, tau + 1}});
        row.workstations = {"slow", "fast"};
        row.estimates.push_back({{0.25, 0.2, 0.3}, {0.75, 0.7, 0.8}});
        row.makespans_s = std::make_shared<const std::vector<double>>(std::vector{tau - 9, tau, tau + 5});
        s.rows.push_back(row);
      }
  return s;
}

/// The two numbers behind a word.
std::pair<double, double> numbers_behind(const std::string& text, const std::string& word) {
  const std::regex pattern(word + "([0-9.]+)[^0-9]+([0-9.]+)");
  std::smatch found;
  REQUIRE(std::regex_search(text, found, pattern));
  return {std::stod(found[1]), std::stod(found[2])};
}

}  // namespace

TEST_CASE("A figure's size is a column's, a width, or width and height in mm", "[reads][figures_for_papers_test]") {
  const auto print = [](const std::string& more) { return figure_of(curves(more)).print; };
  CHECK(print("size: single").width_mm == 85);
  CHECK(print("size: double").width_mm == 176);
  CHECK(print("size: 120").width_mm == 120);
  CHECK(print("size: [85mm, 60]").width_mm == 85);
  CHECK(print("size: [double, 60]").height_mm == 60);
  CHECK_FALSE(print("title: A").is_sized());
  for (const char* wrong : {"size: triple", "size: [85, 60, 1]", "size: 5", "size: [60, single]", "size: 1e9", "size: []"})
    CHECK_THAT(refusal(wrong), Contains("figure.size"));
  CHECK_THAT(refusal("font_size: 1"), Contains("figure.font_size"));
}

TEST_CASE("Pictures have the size in print that was asked for, and their letters too", "[figures_for_papers_test][gnuplot]") {
  const Folder folder;
  folder.file("fig.csv", csv(time_summary()));
  const FigureFiles files =
      draw_figure(figure_of(curves("size: [85, 120], font_size: 8")), time_summary(), folder.path(), "fig");
  const std::string svg = content_of(files.svg.string()), pdf = content_of(files.pdf.string());
  CHECK_THAT(svg, Contains("width=\"321\" height=\"453\""));  // 85 x 120 mm of 96 pixels per inch
  CHECK_THAT(svg, Contains("font-size=\"10.67\""));           // 8 pt
  const auto [right, top] = numbers_behind(pdf, "MediaBox \\[ 0 0 ");
  CHECK(std::abs(right - 85 / 25.4 * 72) < 1.5);
  CHECK(std::abs(top - 120 / 25.4 * 72) < 1.5);  // whole points of whole pixels
  const std::string png = content_of(files.png.string());
  const auto big_endian = [&](std::size_t at) {
    return (static_cast<unsigned char>(png[at]) << 8) + static_cast<unsigned char>(png[at + 1]);
  };
  CHECK(std::abs(big_endian(18) - 85 / 25.4 * 300) < 3);  // 300 dots per inch
  CHECK(std::abs(big_endian(22) - 120 / 25.4 * 300) < 3);
}

TEST_CASE("On a page of a column plots stand one below the other, and the legend below them", "[figures_for_papers_test]") {
  const auto layout = [](const std::string& more) {
    const ResolvedFigure figure = resolved_figure(figure_of(curves(more)), time_summary(), "fig");
    const FigureLayout out(figure, {});
    for (std::size_t p = 0; p < 2; ++p) {  // within the page
      CHECK(out.grid.left_of(p) + out.grid.panel_width < out.page.width);
      CHECK(out.grid.top_of(p) + out.grid.panel_height < out.page.height);
    }
    return std::tuple(out.grid.columns, out.key());
  };
  CHECK(std::get<0>(layout("footer: true")) == 2);
  CHECK(std::get<0>(layout("size: double")) == 2);
  CHECK(std::get<0>(layout("size: single")) == 1);
  CHECK_THAT(std::get<1>(layout("size: single")), Contains("set key at screen 0.02"));  // at its left edge
  CHECK_THAT(std::get<1>(layout("size: double")), Contains("set key at screen 0.01"));
  CHECK_THROWS_WITH(layout("size: [85, 60]"), Contains("needs a height of"));
  CHECK_THROWS_WITH(layout("size: [40, 300], font_size: 12"), Contains("needs a width of"));
}

TEST_CASE("All kinds of figures are drawn at a column's width", "[figures_for_papers_test][gnuplot]") {
  std::set<std::string> drawn, kinds;
  for (const std::string yaml :
       {"{x: owner.interval, series: owner.TH, panels: [{metric: tau}], size: single}",
        "{kind: surface, x: owner.interval, y: owner.TH, panels: [{metric: tau}], size: single}",
        "{kind: spread, x: owner.interval, series: owner.TH, panels: [{metric: tau}], size: single}",
        "{kind: winners, x: owner.interval, y: owner.TH, series: split.policy, panels: [{metric: tau}], size: single}",
        "{kind: workstations, where: {owner.interval: 10s}, panels: [{metrics: [p_i]}], size: single}",
        "{kind: distribution, series: owner.TH, where: {owner.interval: 10s}, size: single}"}) {
    INFO(yaml);
    const Folder folder;
    const ResultTable summary = summary_of_all_kinds();
    folder.file("fig.csv", csv(summary));
    const Figure figure = figure_of(yaml);
    CHECK_THAT(content_of(draw_figure(figure, summary, folder.path(), "fig").svg.string()), Contains("width=\"321\""));
    drawn.insert(figure.kind->name);
  }
  for (const FigureKind& kind : builtin_figures()) kinds.insert(kind.name);
  CHECK(drawn == kinds);
}

TEST_CASE("Letters of another size have their own room in an SVG, and marks grow with them in all formats alike",
          "[figures_for_papers_test]") {
  const std::string usual = script_of(curves("title: T")), large = script_of(curves("font_size: 12"));
  CHECK_THAT(usual, Contains("font ',13'"));
  CHECK_THAT(large, Contains("fixed enhanced background rgb 'white' font 'DejaVu Sans,16' linewidth 1.3333}") &&
                        Contains("font ',17.3333'"));
  for (const std::string& script : {usual, large}) CHECK_THAT(script, Contains("pointsize 0.8") && !Contains("pointsize 1"));
  CHECK_THAT(large, Contains("pointscale 1.86667}"));       // 1.4 in a PDF, a third more
  CHECK_THAT(large, Contains("pointscale 5.8333*scale}"));  // in a PNG of 300 dots per inch
}

TEST_CASE("A name beside an axis has two lines at most, and the room that they take", "[figures_for_papers_test]") {
  const std::string word(17, 'm');
  std::string label = word;
  for (int k = 0; k < 4; ++k) label += " " + word;
  const ResolvedFigure figure = resolved_figure(
      figure_of("{x: owner.interval, series: owner.TH, panels: [{metric: tau, label: '" + label + "'}], size: single}"),
      time_summary(), "fig");
  const FigureLayout layout(figure, {});
  CHECK(std::ranges::count(layout.y_label(figure.panels[0].value.label), '\n') == 1);
  CHECK_THAT(layout.y_label(figure.panels[0].value.label), Contains("…"));
  CHECK(layout.grid.left == 90 + 17);
}

TEST_CASE("Lists of a map of winners are broken between words, not within markup", "[figures_for_papers_test]") {
  const std::string yaml =
      "{kind: winners, x: owner.interval, y: owner.TH, series: split.policy, panels: [{metric: tau}], "
      "labels: {equal: 'mine_{the first one of all of them}'}}";
  CHECK_THAT(figure_script(figure_of(yaml), summary_of_all_kinds(), "fig"),
             Contains("losers = 'nowhere best:'.\"\\012\".'mine_{the first one of all of them}'\n"));
}

TEST_CASE("A title may be another or none, and a footer too", "[figures_for_papers_test]") {
  CHECK_THAT(script_of(curves("title: none")), Contains("title = ''\n"));
  CHECK_THAT(script_of(curves("title: Mine")), Contains("title = 'Mine'\n") && Contains("footer = '100 "));
  CHECK_THAT(script_of(curves("footer: false")), Contains("title = 'A title'\n") && Contains("footer = ''\n"));
}

TEST_CASE("What flags changed stands below the title, or in the footer where there is none", "[figures_for_papers_test]") {
  Figure figure = figure_of(curves("title: T"));
  figure.changes = {"job.size = 4", "owner.model = jobs"};
  const auto script = [&] { return figure_script(figure, time_summary(), "fig"); };
  CHECK_THAT(script(), Contains("with job.size = 4, owner.model = jobs"));
  figure.print.title = "";
  CHECK_THAT(script(), Contains("title = ''\n") && Contains("nowsim " + std::string(version()) +
                                                              ", with job.size = 4, owner.model = jobs'"));
  LoadOptions options;
  options.overrides = {"owner.TH=0.3", "run.seed=4", "figure.size=single", " job.size = [1, 2]", "owner.TH=0.4", "broken"};
  CHECK(flag_changes(options) == std::vector<std::string>{"job.size = [1, 2]", "owner.TH = 0.4"});
}

TEST_CASE("A panel without a title is captioned with its own conditions", "[figures_for_papers_test]") {
  const std::string script = script_of(
      "{x: owner.interval, panels: [{metric: tau, where: {owner.TH: 0.25}}, {metric: tau, title: T, where: {owner.TH: 0.5}}]}");
  CHECK_THAT(script, Contains("caption_1 = '(a) TH = 0.25'\n") && Contains("caption_2 = '(b) T'\n"));
  CHECK_THAT(script_of("{x: owner.interval, panels: [{metric: tau, where: {owner.TH: 0.25}}]}"),
             Contains("caption_1 = 'TH = 0.25'\n") && Contains("set label 3 caption_1"));
  CHECK_THAT(script_of("{x: owner.interval, where: {owner.TH: 0.25}, panels: [{metric: tau}]}"),
             Contains("caption_1 = ''\n"));  // of the whole figure
}

TEST_CASE("A technique looks the same in all figures, and eleven are told apart by marks alone", "[figures_for_papers_test]") {
  const auto all = looks_of("job.technique", kEleven);
  std::vector<std::string> backwards(kEleven.rbegin(), kEleven.rend());
  auto turned = looks_of("job.technique", backwards);
  std::ranges::reverse(turned);
  CHECK(turned == all);
  CHECK(looks_of("job.technique", {"AF"}) == std::vector{all[9]});
  CHECK(looks_of("let.by", {"FAC2", "equalize", "SS"})[2] == all[0]);  // most of them are techniques
  std::set<int> marks;
  for (const auto& style : series_styles(series_figure("job.technique", kEleven))) marks.insert(style.point);
  CHECK(marks.size() == kEleven.size());
}

TEST_CASE("No two techniques look alike in mark and dash, yours neither", "[figures_for_papers_test]") {
  auto names = kEleven;
  for (const char* more : {"FSC", "mFSC", "TAP", "TFSS", "BOLD", "AWF-D", "AWF-E", "formula", "mine", "hers", "theirs"})
    names.emplace_back(more);
  std::set<std::string> looks;
  for (const auto& style : series_styles(series_figure("job.technique", names)))
    looks.insert(style.dash + " " + std::to_string(style.point));
  CHECK(looks.size() == names.size());
  CHECK(looks_of("job.technique", {"mine", "SS", "hers"})[0] == looks_of("job.technique", {"hers", "mine"})[1]);
}

TEST_CASE("Curves of other keys keep the colours of the ramp", "[figures_for_papers_test]") {
  CHECK(looks_of("owner.TH", {"0.1", "0.2"}) != looks_of("job.technique", {"SS", "GSS"}));
  CHECK(series_styles(series_figure("owner.TH", {"0.1", "0.2"}))[1].point == 5);
}

TEST_CASE("Labels are broken at blanks, and markup stays whole", "[figures_for_papers_test]") {
  const auto lines = label_lines(label_of("mean time tau_{of all} [s]"), 10);
  REQUIRE(lines.size() == 3);
  CHECK(lines[0].text() == "mean time");
  CHECK(lines[1].text() == "τof all");
  CHECK(shortened_label(Label("a long one"), 6).width() == 6);
}

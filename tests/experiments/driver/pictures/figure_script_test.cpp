// The gnuplot script of a figure: its texts, its data and its colours; pictures that are cut short or have a hole.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <limits>
#include <utility>

#include "experiments/driver/pictures/draw_picture.hpp"
#include "experiments/driver/pictures/label.hpp"
#include "experiments/driver/pictures/page.hpp"
#include "experiments/driver/pictures/resolved_figure.hpp"
#include "experiments/driver/pictures/script.hpp"
#include "experiments/driver/pictures/styles.hpp"
#include "experiments/driver/text/reproducible_pdf.hpp"
#include "tests/experiments/driver/figure_fixture.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

const std::string kCurves = "{x: owner.interval, x_scale: log, series: owner.TH, panels: [{metric: tau}]}";
const std::string kSurface = "{kind: surface, x: owner.interval, y: owner.TH, panels: [{metric: tau}]}";

/// Luminance as on a grey print, 0 to 255.
double luminance(const std::string& colour) {
  const auto part = [&](std::size_t at) { return static_cast<double>(std::stoi(colour.substr(at, 2), nullptr, 16)); };
  return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
}

std::string small_picture(PictureFormat format) {
  return draw_picture("title = 'A & B > c'\nfooter = 'footer'\n" + begin_pages({300, 200}, "", 1, format) +
                      "plot x title 'it''s'\n" + end_pages());
}

/// Has the environment variable TZ name a zone.
class ZoneOf {
 public:
  explicit ZoneOf(const char* zone) { setenv("TZ", zone, 1); }
  ~ZoneOf() { unsetenv("TZ"); }
};

std::string script_of(const std::string& figure, const ResultTable& summary = time_summary()) {
  return figure_script(figure_of(figure), summary, "fig");
}

}  // namespace

TEST_CASE("Curves are read from the CSV by names, with units turned into numbers", "[reads][figure]") {
  const std::string script = script_of(kCurves);
  CHECK_THAT(script, Contains("position(text) = text eq '10s' ? 10 : text eq '1min' ? 60 : NaN\n"));
  CHECK_THAT(script, Contains("'./fig.csv' using (strcol('owner.TH') eq '0.25' ? position(strcol('owner.interval')) : "
                              "NaN):(column('tau'))"));
  CHECK_THAT(
      script,
      Contains(
          "(end_of(column('tau_low'), column('tau'))):(end_of(column('tau_high'), column('tau'))) with yerrorbars"));
  CHECK_THAT(script, Contains("set logscale x\n"));
  CHECK_THAT(script, Contains("x_label = 'owner.interval [s]'\n") && Contains("label_1 = 'τ [s]'\n"));
  CHECK_THAT(script, Contains("series_1 = 'TH = 0.25'\n") && Contains("series_2 = 'TH = 0.5'\n"));
  CHECK_THAT(script, Contains("footer = '100 replications, bars: 95 % confidence, seed 1, engine simgrid, nowsim " +
                              std::string(version()) + "'\n"));
}

TEST_CASE("A surface is data in the script, written as in the CSV, and blank where there are no results", "[figure]") {
  const std::string script = script_of(kSurface);
  CHECK_THAT(
      script,
      Contains(
          "$panel1 << END_OF_PANEL\n10,0.25,201.5\n60,0.25,207.25\n\n10,0.5,211.125\n60,0.5,NaN\n\nEND_OF_PANEL\n"));
  CHECK(script.find("fig.csv") == std::string::npos);
}

TEST_CASE("A panel shows only the rows it asks for", "[figure]") {
  const std::string script = script_of(
      "{x: owner.interval, panels: [{metric: tau, where: {owner.TH: 0.5}}, {metric: tau, title: b, where: {owner.TH: "
      "0.25}}]}");
  CHECK_THAT(script, Contains("(strcol('owner.TH') eq '0.5' ? position(") &&
                         Contains("(strcol('owner.TH') eq '0.25' ? position("));
  CHECK_THAT(script, Contains("caption_1 = '(a) TH = 0.5'\n") && Contains("caption_2 = '(b) b'\n"));
}

TEST_CASE("A panel can show how wide the intervals are, without bars, and not of theory", "[figure]") {
  const std::string script =
      script_of("{x: owner.interval, series: owner.TH, panels: [{metric: tau}, {metric: tau, shows: half-width}]}");
  CHECK_THAT(script, Contains("label_1 = 'τ [s]'\n") && Contains("label_2 = 'half-width of τ [s]'\n"));
  const std::string second = script.substr(script.find("# panel 2"));
  CHECK_THAT(second, Contains(":(column('tau_hw')) with linespoints") && !Contains("yerrorbars"));
  CHECK_THAT(script_of("{kind: surface, x: owner.interval, y: owner.TH, panels: [{metric: tau, shows: half-width}]}"),
             Contains("\n10,0.25,1\n60,0.25,2.25\n"));
}

TEST_CASE("Theory is a thin line in the curve's colour, with one legend entry for all curves", "[figure]") {
  const std::string yaml =
      "{x: owner.interval, series: owner.TH, panels: [{metric: tau, theory: [tau_HL, tau_renewal]}, {metric: tau, "
      "theory: tau_renewal}]}";
  const std::string script = script_of(yaml, theory_summary());
  for (const auto& [value, colour] : {std::pair{"0.25", colours(2)[0]}, std::pair{"0.5", colours(2)[1]}})
    CHECK_THAT(script, Contains("using (strcol('owner.TH') eq '" + std::string(value) +
                                "' ? position(strcol('owner.interval')) : NaN):(column('tau_HL')) with lines "
                                "linecolor rgb '" + colour + "' linewidth 1.3 dashtype (24,9) notitle"));
  CHECK_THAT(script, Contains("(column('tau_renewal')) with lines linecolor rgb '" + colours(2)[0] +
                              "' linewidth 1.3 dashtype (5,7) notitle"));
  CHECK(script.find("tau_HL_low") == std::string::npos);
  CHECK_THAT(script, Contains("series_2 = 'TH = 0.5'\nseries_3 = 'theory τ_{HL}'\nseries_4 = 'theory τ_{renewal}'\n"));
  CHECK(script.find("series_5") == std::string::npos);
  CHECK_THAT(script, Contains("with lines linecolor rgb '#000000' linewidth 1.3 dashtype (24,9) title series_3") &&
                         Contains("linewidth 1.3 dashtype (5,7) title series_4"));
}

TEST_CASE("Theory beside a single curve is dashed in black and grey", "[figure]") {
  const std::string script =
      script_of("{x: owner.interval, panels: [{metric: tau, where: {owner.TH: 0.25}, theory: [tau_HL, tau_renewal]}]}",
                theory_summary());
  CHECK_THAT(script,
             Contains("(column('tau_HL')) with lines linecolor rgb '#000000' linewidth 1.3 dashtype (24,9) notitle"));
  CHECK_THAT(script, Contains("column('tau_renewal')) with lines linecolor rgb '#606060' linewidth 1.3 "
                              "dashtype (5,7) notitle"));
  CHECK_THAT(script, Contains("series_1 = 'simulated'\nseries_2 = 'theory τ_{HL}'\nseries_3 = 'theory τ_{renewal}'\n"));
}

TEST_CASE("Long powers of ten on a log axis are written as powers", "[figure]") {
  const auto tics = [](const std::vector<std::string>& counts) {
    ResultTable s{"N", "e.yaml", {"platform.workstations"}, {find_metric("tau")}, {}};
    for (const auto& n : counts) s.rows.push_back(row_of({n}, {{3, 2, 4}}));
    const std::string script = script_of("{x: platform.workstations, x_scale: log, panels: [{metric: tau}]}", s);
    const std::size_t begin = script.find("set xtics");
    return script.substr(begin, script.find('\n', begin) - begin);
  };
  CHECK(tics({"1", "1000", "1000000"}) == "set xtics enhanced ('10^{0}' 1, '10^{3}' 1000, '10^{6}' 1e+06)");
  CHECK(tics({"1", "1000"}) == "set xtics noenhanced ('1' 1, '1000' 1000)");
  CHECK(tics({"1", "200000"}) == "set xtics noenhanced ('1' 1, '200000' 2e+05)");
}

TEST_CASE("Panels of the same metric share a range of y beyond all points and bars, if asked to", "[figure]") {
  const std::string panels = "x: owner.interval, panels: [{metric: tau, where: {owner.TH: 0.25}}, "
                             "{metric: tau, where: {owner.TH: 0.5}}]}";
  // Bars from 200.5 to 212.25; the second panel by itself begins at 210.
  const std::string same = script_of("{same_scale: true, " + panels);
  const std::string range = "set yrange [200.03:212.72]";
  CHECK(same.find(range) != same.rfind(range));
  CHECK_THAT(same, !Contains("autoscale y"));
  CHECK_THAT(script_of("{" + panels), !Contains("set yrange"));
}

TEST_CASE("A single value shares the range of the panels beside it, and has one of its own if alone", "[figure]") {
  ResultTable s{"N", "e.yaml", {"platform.workstations"}, {find_metric("tau")}, {row_of({"1"}, {{50, 50, 50}})}};
  const auto range = [&](const std::string& scale) {
    const std::string script =
        script_of("{x: platform.workstations, same_scale: true, panels: [{metric: tau, scale: " + scale + "}]}", s);
    const std::size_t begin = script.find("set yrange");
    return script.substr(begin, script.find(';', begin) - begin);
  };
  CHECK(range("linear") == "set yrange [48:52]");
  CHECK(range("log") == "set yrange [25:100]");
}

TEST_CASE("A log axis of small or large values is written in powers of ten, and the next panel's is not", "[figure]") {
  ResultTable s{"N", "e.yaml", {"platform.workstations"}, {find_metric("tau"), find_metric("sigma_T")}, {}};
  for (const auto& [n, tau] : std::vector<std::pair<std::string, double>>{{"1", 1e-5}, {"2", 1}})
    s.rows.push_back(row_of({n}, {{tau, tau, tau}, {3, 2, 4}}));
  const std::string script =
      script_of("{x: platform.workstations, panels: [{metric: tau, scale: log}, {metric: sigma_T, scale: log}]}", s);
  CHECK(script.find("set format y '10^{%T}'") < script.find("set format y '%g'"));
  CHECK(script.find("set format y '%g'") < script.rfind("\nplot"));
}

TEST_CASE("Theory without a value has no line and no legend entry", "[figure]") {
  ResultTable s = theory_summary();
  for (auto& row : s.rows)
    if (!row.estimates.empty()) row.estimates[2] = {{std::numeric_limits<double>::quiet_NaN(), 0, 0}};
  const std::string script =
      script_of("{x: owner.interval, series: owner.TH, panels: [{metric: tau, theory: tau_renewal}]}", s);
  CHECK(script.find("renewal") == std::string::npos);
}

TEST_CASE("A figure without a value to draw is a sentence", "[figure]") {
  ResultTable s = time_summary();
  for (auto& row : s.rows) row.estimates.clear();
  CHECK_THROWS_WITH(script_of(kCurves, s), "there is nothing to draw in the figure fig: no row has a value of tau");
  s.rows.clear();
  CHECK_THROWS_AS(script_of(kSurface, s), RunError);
  ResultTable nan = time_summary();
  for (auto& row : nan.rows) row.estimates = {{{std::numeric_limits<double>::quiet_NaN(), 0, 0}}};
  CHECK_THROWS_AS(script_of(kCurves, nan), RunError);
}

TEST_CASE("Texts that gnuplot's CSV reader does not know make the script bring its own data", "[figure]") {
  ResultTable s = time_summary();
  s.rows[3].reason = "broken,\n\"twice\"";
  const std::string script = script_of(kCurves, s);
  CHECK_THAT(script, Contains("$curve1_1 << END_OF_DATA\n10,201.5,200.5,202.5\n60,207.25,205,209.5\nEND_OF_DATA\n"));
  CHECK_THAT(script, Contains("$curve1_2 << END_OF_DATA\n10,211.125,210,212.25\nEND_OF_DATA\n"));
  CHECK_THAT(script, Contains("$curve1_1 using 1:2:3:4 with yerrorbars") && !Contains("strcol") && !Contains("twice"));
  for (const char* plain : {"owner.TH = 'x'", "it's", "-0.5", "50 %"}) CHECK(is_read_back(plain));
  for (const char* not_plain : {"", "a\nb", "\"a\"", "#a", " a", "NaN", "END_OF_RESULTS", "=1", "]]>", "\xff", "\x1b"})
    CHECK_FALSE(is_read_back(not_plain));
}

TEST_CASE("Colours differ in grey: each is lighter than the one before", "[figure]") {
  for (const std::size_t n : {2u, 3u, 6u, 12u}) {
    const auto all = colours(n);
    REQUIRE(all.size() == n);
    for (std::size_t i = 1; i < n; ++i)
      CHECK(luminance(all[i]) > luminance(all[i - 1]) + 90.0 / static_cast<double>(n));
  }
  CHECK(colours(1).size() == 1);
}

TEST_CASE("Texts become gnuplot strings that hold nothing but the text", "[figure]") {
  CHECK(script_string("it's \\ 50 %") == "'it'.\"\\047\".'s \\ 50 %'");
  CHECK(script_string("`a` @x \"q\" #") ==
        "''.\"\\140\".'a'.\"\\140\".' '.\"\\100\".'x '.\"\\042\".'q'.\"\\042\".' '.\"\\043\".''");
  CHECK(script_string("a\nb\tc") == "'a'.\"\\012\".'b c'");
  // What gnuplot's SVG would take for XML, or enhanced mode for a character's number, has a blank of no width within.
  CHECK(script_string("]]> &#1; &lt; \\U+41 \xff") == "']]\u200B> &\u200B'.\"\\043\".'1; &\u200Blt; \\\u200BU+41 \uFFFD'");
  CHECK(script_string("A & B > c] > &1") == "'A & B > c] > &1'");
  CHECK(file_string("]]>\x1b\xff") == "']]>'.\"\\033\".'\xff'");
  CHECK(tic_string("50 %") == "'50 %%'");
  CHECK(enhanced("a_b^{c}&~@\\") == "a\\_b\\^\\{c\\}\\&\\~\\@{}\\\\");
  CHECK(enhanced(label_of("x_1_2")) == "x_{1}_{2}");
  CHECK(enhanced(label_of("p_{T_a}^2 q")) == "p_{T_{a}}^{2} q");
}

TEST_CASE("Labels have Greek letters, subscripts and superscripts; the rest is shown as it is", "[figure]") {
  CHECK(enhanced(label_of("mean time tau [s]")) == "mean time τ [s]");
  CHECK(enhanced(label_of("sigma_T/tau")) == "σ_{T}/τ");
  CHECK(enhanced(label_of("tau_HL")) == "τ_{HL}");
  CHECK(enhanced(label_of("SH ~ N^{0.5}")) == "SH \\~ N^{0.5}");
  CHECK(enhanced(label_of("N^2")) == "N^{2}");
  CHECK(enhanced(label_of("T_99.9 and x_1. x_a.1")) == "T_{99.9} and x_{1}. x_{a}.1");
  CHECK(enhanced(label_of("tautology")) == "tautology");
  CHECK(enhanced(label_of("_x a _b c_ d^")) == "\\_x a \\_b c\\_ d\\^");
  CHECK(enhanced(label_of("a_{b {c")) == "a\\_\\{b \\{c");
  CHECK(enhanced(label_of("N_{a_{b}}")) == "N_{a\\_\\{b}\\}");
  CHECK(label_of("sigma_T/tau ~").width() == 6);
}

TEST_CASE("Long titles are wrapped at blanks", "[figure]") {
  CHECK(wrapped("one two three", 7) == std::vector<std::string>{"one two", "three"});
  CHECK(wrapped("one\ntwo", 70) == std::vector<std::string>{"one", "two"});
  CHECK(wrapped("unbreakable x", 4) == std::vector<std::string>{"unbreakable", "x"});
  CHECK(wrapped("", 4).empty());
}

TEST_CASE("A picture is whole, and nothing that was cut from it or has a hole is", "[picture][gnuplot]") {
  for (const auto& [format, ending] : picture_endings()) {
    INFO(ending);
    const std::string picture = small_picture(format);
    CHECK(is_whole_picture(picture));
    const std::size_t step = picture.size() / 200 + 1, last = picture.size() - 2;  // an SVG ends in empty lines
    for (std::size_t size = 0; size < last; size += step) CHECK_FALSE(is_whole_picture(picture.substr(0, size)));
    for (std::size_t size = last - 30; size < last - 2; ++size) CHECK_FALSE(is_whole_picture(picture.substr(0, size)));
    std::string hole = picture;
    CHECK_FALSE(is_whole_picture(hole.erase(picture.size() / 3, picture.size() / 2)));
  }
  CHECK_FALSE(is_whole_picture(""));
  CHECK_FALSE(is_whole_picture("text"));
}

TEST_CASE("An SVG is whole only as well-formed XML", "[picture]") {
  const auto svg = [](const std::string& text) {
    return "<?xml version=\"1.0\"?>\n<svg a='>'><t>" + text + "</t></svg>\n";
  };
  for (const char* text : {"a &amp; b &lt; > ]]", "&#xe9; é", "<tspan/>"}) CHECK(is_whole_picture(svg(text)));
  for (const char* text : {"]]>", "a & b", "&bogus;", "&#27;", "<b>", "</t><t/>", "\x1b", "\xff", "\xEF\xBF\xBE"})
    CHECK_FALSE(is_whole_picture(svg(text)));
}

TEST_CASE("A PDF whose table of objects is a stream is whole where the table is and ends as the file says", "[picture]") {
  const auto pdf = [](const std::string& object, const std::string& table) {
    return "%PDF-1.5\n4 0 obj\nendobj\n" + object + "startxref\n" + table + "\n%%EOF\n";
  };
  const std::string begin = "19 0 obj\n<< /Type /XRef\n   /Length 2\n>>\nstream\n", end = "\nendstream\nendobj\n";
  const std::string whole = pdf(begin + "x\x9c" + end, "24");
  CHECK(is_whole_picture(whole));
  for (std::size_t size = 0; size < whole.size(); ++size) CHECK_FALSE(is_whole_picture(whole.substr(0, size)));
  for (std::size_t at = 9; at < 24; ++at) CHECK_FALSE(is_whole_picture(std::string(whole).erase(at, 1)));
  for (const char* table : {"9", "23", "25", "90", "9000", ""}) CHECK_FALSE(is_whole_picture(pdf(begin + "x\x9c" + end, table)));
  CHECK_FALSE(is_whole_picture(pdf("19 0 obj\n<< /Type /ObjStm\n>>\nstream\n/Type /XRef" + end, "24")));
  CHECK_FALSE(is_whole_picture(pdf(begin + "x\x9c", "24")));
  CHECK_FALSE(is_whole_picture(pdf("19 0 obj\n<< /Type /XRef >>" + end, "24")));
}

TEST_CASE("A PDF is the same file in every time zone, drawn by nowsim or by its script alone", "[picture][gnuplot]") {
  std::vector<std::string> drawn;
  for (const char* zone : {"UTC0", "JST-9", "NST3:30"}) {
    const ZoneOf set(zone);
    drawn.push_back(small_picture(PictureFormat::pdf));
    CHECK(is_whole_picture(drawn.back()));
    CHECK(drawn.back() == drawn.front());
    CHECK(without_date(drawn.back()) == drawn.back());
  }
}

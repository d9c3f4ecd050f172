// Pages of labs: only what is open, safe, whole by themselves, and the same when they are made again.
#include "experiments/driver/labs/handout.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "experiments/driver/labs/lab_reading.hpp"
#include "experiments/driver/labs/markdown.hpp"
#include "experiments/driver/labs/score_bars.hpp"
#include "tests/experiments/driver/labs/tiny_lab.hpp"
#include "tools/command_line.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

TEST_CASE("A handout has the steps that are open, with the student's numbers and questions", "[labs]") {
  const TinyLabs labs;
  const Registries registries = registries_with({});
  StudentLab student(read_lab(labs.lab()), {.course = "", .id = "<i>", .seed = 0}, registries);
  const std::string page = handout_page(student, {{}});
  const std::string work = std::to_string(static_cast<int>(student.problem.numbers.at("work")));
  CHECK_THAT(page, Contains("Two machines, " + work + " Gflop") && Contains("How long does it take?"));
  CHECK_THAT(page, Contains("<html lang=\"en\">") && Contains("class=\"skip\"") && Contains("<main id=\"main\">"));
  CHECK_THAT(page, Contains("<th scope=\"col\">a</th>") && Contains("<td><code>x</code></td>"));
  CHECK_THAT(page, Contains("&lt;i&gt;") && !Contains("<script") && !Contains("alert(1)</script>"));
  CHECK_THAT(page, !Contains("nowsim run equal.yaml") && !Contains("<h2>Run</h2>"));
  CHECK_THAT(page, !Contains("src=\"http") && !Contains("href=\"http"));
  CHECK(handout_page(student, {{}}) == page);
  const std::string next = handout_page(student, {{}, charts_of(student, 1)});
  CHECK_THAT(next, Contains("<h2>Run</h2>") && Contains("alt=\"Gantt chart: Your run") &&
                       Contains("<caption>The job ends at"));
  CHECK_THAT(next, Contains("data:image/svg+xml;base64,") && !Contains("<h2>Try</h2>"));
  CHECK(handout_page(student, {{}, charts_of(student, 1)}) == next);
  write_text(labs.lab() + "/handout.md", "## Predict\n");
  CHECK_THROWS_WITH(handout_page(student, {{}, {}}), Contains("handout.md: the heading '## Run' is missing"));
}

TEST_CASE("Markdown is cut at its headings, and HTML in it is left out", "[labs]") {
  const auto sections =
      markdown_sections("before\n\n## One `two`\n\n### Sub\n\n* a\n\n```\n## no heading\n| a |\n|---|\n```\n## Last\n");
  REQUIRE(sections.size() == 3);
  CHECK(sections[0].html == "<p>before</p>\n");
  CHECK(sections[1].name == "One two");
  CHECK_THAT(sections[1].html, Contains("<h3>Sub</h3>") && Contains("## no heading\n| a |"));
  CHECK_THAT(markdown_html("a <b onclick=x>b</b> [c](javascript:alert(1))"),
             !Contains("onclick") && !Contains("javascript"));
}

TEST_CASE("Tables of Markdown have a head, rows, and bars of their own in cells", "[labs]") {
  const std::string html = markdown_html("| a | b |\n|---|---:|\n| 1 | c \\| d |\n");
  CHECK_THAT(html, Contains("<table>") && Contains("<th scope=\"col\">a</th>") && Contains(">c | d</td>"));
}

TEST_CASE("A score's bars say in words and in a table what they show", "[labs]") {
  const std::string html =
      score_bars_html({{"yours", {5, 4, 6}}, {"none", kUnknownEstimate}, {"best", exactly(8)}}, "Score", "s");
  CHECK_THAT(html, Contains("role=\"img\"") && Contains("aria-label=\"Score; yours: 5 ± 1; best: 8\""));
  CHECK_THAT(html, Contains("<th scope=\"row\">best</th><td>8</td>") && !Contains("none"));
  CHECK(score_bars_html({}, "Score", "s").empty());
}

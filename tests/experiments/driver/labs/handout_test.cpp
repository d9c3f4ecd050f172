// Pages of labs: only what is open, safe, whole by themselves, and the same when they are made again.
#include "experiments/driver/labs/lab_pages.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "experiments/driver/labs/answers.hpp"
#include "experiments/driver/labs/lab.hpp"
#include "experiments/driver/labs/lab_folder.hpp"
#include "experiments/driver/labs/texts.hpp"
#include "tests/experiments/driver/labs/tiny_lab.hpp"
#include "tools/line/command_line.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

TEST_CASE("A handout has the steps that are open, with the student's numbers and questions", "[reads][labs]") {
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
  CHECK_THAT(page, Contains("<h2>Contents</h2>\n<ul>\n<li><a href=\"#step-1\">"));
  CHECK(handout_page(student, {{}}) == page);
  CHECK_THAT(page, Contains("nowsim lab check .' in this folder") && !Contains("--labs"));
  student.lab.by_flag = true;
  CHECK_THAT(handout_page(student, {{}}), Contains("lab check . --labs DIR' in this folder") && Contains("'tiny'"));
  CHECK_THAT(answers_head(student.lab, student.problem, student.texts), Contains("--labs DIR'"));
  student.lab.by_flag = false;
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
  CHECK(sections[0].html() == "<p>before</p>\n");
  CHECK(sections[1].name == "One two");
  CHECK_THAT(sections[1].html(), Contains("<h3>Sub</h3>") && Contains("## no heading\n| a |"));
  REQUIRE(sections[1].blocks.size() == 3);
  CHECK(sections[1].blocks[2].lines == std::vector<std::string>{"## no heading", "| a |", "|---|"});
  CHECK_THAT(markdown_html("a <b onclick=x>b</b> [c](javascript:alert(1))"),
             !Contains("onclick") && !Contains("javascript"));
}

TEST_CASE("What somebody wrote is shown as it is", "[labs]") {
  const std::string written = "![x](http://evil/a.png) <b> **b** `c` &amp; | a\n\n    1. [d](e) _f_ ~g~ \\";
  const std::string html = markdown_html("You wrote " + markdown_literal(written) + ".");
  CHECK_THAT(html, !Contains("<img") && !Contains("<a ") && !Contains("<strong>") && !Contains("<code>"));
  CHECK_THAT(html,
             Contains("![x](http://evil/a.png) &lt;b&gt; **b** `c` &amp;amp; | a") && Contains("[d](e) _f_ ~g~ \\."));
  const auto lines = markdown_lines("It is **" + markdown_literal("a*b*c") + "** with `nowsim run`.\n\n* one\n* two");
  REQUIRE(lines.size() == 3);
  CHECK(lines[0] == "It is a*b*c with nowsim run.");
  CHECK_THAT(lines[1], Contains("one") && !Contains("*"));
}

TEST_CASE("An answer in what is said of it is shown as it is", "[labs]") {
  const TinyLabs labs;
  const Registries registries = registries_with({});
  StudentLab student(read_lab(labs.lab()), {.course = "", .id = "a", .seed = 0}, registries);
  Question question = student.lab.steps[1].questions[1];
  question.told = "You say {answer}.";
  question.options.emplace_back("*none*", "");
  const std::string picture = "![x](http://evil/a.png)";
  const auto told = judge_answer(student.facts, question, {"*none*"}, true, student.texts);
  CHECK_THAT(markdown_html(told.says.back()), Contains("You say *none*."));
  const auto refused = judge_answer(student.facts, question, {picture}, true, student.texts);
  CHECK(refused.standing == AnswerStanding::unreadable);
  CHECK_THAT(markdown_html(refused.says.front()), Contains(picture) && !Contains("<img"));
}

TEST_CASE("A hidden prediction that cannot be read keeps its sign; nothing of the others is shown", "[labs]") {
  const TinyLabs labs;
  const Registries registries = registries_with({});
  StudentLab student(read_lab(labs.lab()), {.course = "", .id = "a", .seed = 0}, registries);
  AnsweredStep answered;
  answered.written = {{"soon"}};
  CheckedLab check;
  check.charts.resize(1);  // that step has none
  check.steps = {judge_step(student, labs.path(), 0, answered, false)};
  CHECK_THAT(feedback_page(student, check), Contains(">? " + student.texts.say("standing.unreadable")));
  answered.written = {{"12"}};
  check.steps = {judge_step(student, labs.path(), 0, answered, false)};
  CHECK(check.steps[0].judgements[0].says.empty());
  CHECK_THAT(feedback_page(student, check), Contains(student.texts.say("standing.noted")));
}

TEST_CASE("Tables of Markdown have a head, rows, and bars of their own in cells", "[labs]") {
  const std::string html = markdown_html("| a | b |\n|---|---:|\n| 1 | c \\| d |\n");
  CHECK_THAT(html, Contains("<table>") && Contains("<th scope=\"col\">a</th>") && Contains(">c | d</td>"));
}

TEST_CASE("A score's bars say in words and in a table what they show", "[labs]") {
  const std::string html =
      score_bars_html({{"yours", {5, 4, 6}}, {"none", kUnknownEstimate}, {"best", exactly(8)}},
                      "Score", {"whose", "score"}, "s");
  CHECK_THAT(html, Contains("role=\"img\"") && Contains("aria-label=\"Score; yours: 5 ± 1 s; best: 8 s\""));
  CHECK_THAT(html, Contains("<th scope=\"row\">best</th><td>8 s</td>") && !Contains("none"));
  CHECK_THAT(html, !Contains("\"></th>") && Contains("tabindex=\"0\" role=\"region\" aria-label=\"Score\""));
  CHECK(score_bars_html({}, "", {}, "").empty());
}

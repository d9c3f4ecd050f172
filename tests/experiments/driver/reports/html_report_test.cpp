// The page of a report: what it says, that it is well-formed and needs nothing else, whose file it replaces or keeps.
#include <catch2/catch.hpp>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "experiments/driver/reports/papers.hpp"
#include "experiments/driver/reports/report.hpp"
#include "experiments/driver/text/html.hpp"
#include "tests/awkward_texts.hpp"
#include "tests/experiments/driver/claim_fixture.hpp"
#include "tests/experiments/driver/store_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

ClaimResult claim_result(const std::string& id, const std::string& source, Verdict verdict) {
  ClaimResult r;
  r.claim.id = id;
  r.claim.says = "tau < 9 & more";
  r.claim.source = source;
  r.verdict = verdict;
  r.measured = "tau is 7.297 ± 0.026 s, all of it";
  return r;
}

/// An experiment of Huang & Lee's with a picture.
ReportedExperiment pictured() {
  ReportedExperiment e;
  e.folder = "huang-lee-2007";
  e.name = "fig05";
  e.described = {
      "Fig. 5: \"tau\" <of> TH & SH", "Grows.", {{"platform.speed", "1f"}, {"owner.TH", "0"}}, "title: <t>\n"};
  e.summary = summary({"owner.TH"}, {row({"0.1"}, around(7, 0.5)), row({"0.2"}, around(9, 0.5))});
  e.svg = "<svg xmlns=\"http://www.w3.org/2000/svg\"/>";
  e.files = {"huang-lee-2007/fig05.csv", "huang-lee-2007/fig05.svg"};
  e.claims = {claim_result("HL-5-a", "HL Fig. 5a", Verdict::reproduced),
              claim_result("HL-5-b", "HL Fig. 5b", Verdict::not_reproduced),
              claim_result("own-5", "nowsim, of HL 5.2.6", Verdict::undecided)};
  e.claims[1].claim.paper = "13.8 s";
  e.claims[1].figure = "tau: 7.297 ± 0.026 s";
  e.claims[1].differs = "The machines <differ>.";
  return e;
}

/// A table, which has no picture, with a point that cannot be and one that failed.
ReportedExperiment table() {
  ReportedExperiment e;
  e.folder = "zhang-yan-1995";
  e.name = "table1";
  e.described.title = "A table";
  e.summary = summary(
      {"job.size"}, {row({"128"}, around(3, 0.1)), row_without({"256"}, PointStatus::infeasible),
                     row_without({"512"}, PointStatus::failed)});
  return e;
}

Report report(const std::vector<ReportedExperiment>& experiments) {
  Report report{"1.2.3", {}, {}};
  for (const auto& e : experiments) report.experiments.push_back(article_of(e));
  return report;
}

/// The first tag that does not close what is open, or what stays open at the end; "" where all is balanced.
std::string first_imbalance(const std::string& page) {
  static const std::set<std::string> void_tags{"meta", "img", "br", "input"};
  std::vector<std::string> open;
  for (std::size_t at = page.find('<'); at != std::string::npos; at = page.find('<', at + 1)) {
    if (page[at + 1] == '!') continue;
    const bool closes = page[at + 1] == '/';
    const std::size_t begin = at + (closes ? 2 : 1);
    const std::string tag = page.substr(begin, page.find_first_of(" >\n", begin) - begin);
    if (void_tags.contains(tag)) continue;
    if (!closes)
      open.push_back(tag);
    else if (open.empty() || open.back() != tag)
      return "</" + tag + "> at " + page.substr(at, 60);
    else
      open.pop_back();
  }
  return open.empty() ? "" : "<" + open.back() + ">";
}

std::size_t count_of(const std::string& page, const std::string& text) {
  std::size_t count = 0;
  for (auto at = page.find(text); at != std::string::npos; at = page.find(text, at + text.size())) ++count;
  return count;
}

std::string page_of(const std::string& articles, const std::string& words = "") {
  std::string page = "<html>" + words;
  for (const char c : articles) page += std::string("<article id=\"") + c + "\">\n";
  return page + "</html>\n";
}

struct PageFolder : Folder {
  std::string write(const std::string& page) const { return write_report(path(), page); }
  [[nodiscard]] std::string content(const std::string& name = "index.html") const {
    return content_of(path() + "/" + name);
  }
};

}  // namespace

TEST_CASE("A claim of a changed experiment is on no paper's board", "[computes][html]") {
  ReportedExperiment e = pictured();
  e.claims = {claim_result("HL-5-a", "HL Fig. 5a", Verdict::reproduced)};
  CHECK_THAT(html_report(report({e})), Contains("<section class=\"HL\">") && !Contains("changed experiment"));
  e.claims[0].changed = "owner.TH = 0.3";
  const std::string page = html_report(report({e}));
  CHECK_THAT(page, Contains("<section class=\"changed\">") && !Contains("<section class=\"HL\">") &&
                       Contains("of a changed experiment: owner.TH = 0.3"));
  CHECK(first_imbalance(page).empty());
}

TEST_CASE("A claim is a paper's where its source begins with the paper's letters", "[html]") {
  CHECK(paper_of_source("HL Fig. 4, 5.2.1")->folder == "huang-lee-2007");
  CHECK(paper_of_source("BO (6)")->folder == "bosque-2011");
  CHECK(paper_of_source("nowsim, of HL 5.2.6") == nullptr);
  CHECK(paper_of_source("HLX Fig. 4") == nullptr);
  CHECK(paper_of_source("the pattern") == nullptr);
  CHECK(paper_of_folder("zhang-yan-1995")->letters == "ZY");
  CHECK(paper_of_folder("labs") == nullptr);
}

TEST_CASE("A report's page is well-formed, and needs no script, no network and no place", "[html]") {
  const std::string page = html_report(report({pictured(), table()}));
  CHECK(page.starts_with("<!DOCTYPE html>\n<html lang=\"en\">"));
  CHECK(first_imbalance(page).empty());
  for (const char* foreign : {"<script", "http:", "https:", "url(", "@import", "=\"/", "file:", "onclick"}) {
    INFO(foreign);
    CHECK(count_of(page, foreign) == 0);
  }
  CHECK(page == html_report(report({pictured(), table()})));
}

TEST_CASE("A page has no markup and no control character of a user's", "[html][awkward]") {
  for (const auto& text : awkward_texts("made")) {
    INFO(shown_line(text));
    ReportedExperiment e = pictured(), t = table();
    e.described = {text, text, {{text, text}}, text};
    e.files = {text + ".csv"};
    e.no_picture = t.failure = text;
    t.name = t.folder = text;
    for (auto* changed : {&e, &t}) {
      changed->summary.axes[0] = text;
      for (auto& row : changed->summary.rows) row.values[0] = row.reason = row.engine = text;
    }
    for (auto& result : e.claims) {
      result.figure = result.measured = result.differs = text;
      result.claim.id = result.claim.says = result.claim.source = result.claim.paper = text;
    }
    const std::string page = html_report({text, {text}, {article_of(e), article_of(t)}});
    CHECK(first_imbalance(page).empty());
    CHECK(obeyed_in(page).empty());
    for (const char* foreign : {"<script", "javascript:", "]]><", "<touch"}) CHECK(count_of(page, foreign) == 0);
  }
}

TEST_CASE("The scoreboard tells reproduced claims whose number was put in apart", "[html]") {
  ReportedExperiment e = pictured();
  e.claims[0].claim.calibrated = e.claims[1].claim.calibrated = true;  // the second is not reproduced
  const std::string page = html_report(report({e}));
  CHECK_THAT(page, Contains("<tr><th scope=\"row\">Huang &amp; Lee 2007</th><td>0</td><td>0</td><td>0</td><td>0</td>"
                            "<td>2<br><small>1 reproduced, 1 not reproduced</small></td><td>0</td></tr>"));
  CHECK_THAT(page, Contains("<br><small>read back</small>"));
  CHECK(first_imbalance(page).empty());
}

TEST_CASE("The scoreboard counts the papers' claims apart from nowsim's own", "[html]") {
  const std::string page = html_report(report({pictured()}));
  CHECK_THAT(page, Contains("<tr><th scope=\"row\">Huang &amp; Lee "
                            "2007</th><td>1</td><td>1</td><td>0</td><td>2</td><td>0</td><td>0</td></tr>"));
  CHECK_THAT(page, Contains("<tr><th scope=\"row\">the papers "
                            "together</th><td>1</td><td>1</td><td>0</td><td>2</td><td>0</td><td>0</td></tr>"));
  CHECK_THAT(
      page,
      Contains(
          "<tr><th scope=\"row\">nowsim's own</th><td>0</td><td>0</td><td>1</td><td>1</td><td>0</td><td>0</td></tr>"));
  CHECK_THAT(page, Contains("<h3>nowsim's own</h3>"));
  CHECK_THAT(page, !Contains("Bosque et al. 2011</label>") && !Contains("others</label>"));  // there are no such claims
  ReportedExperiment mine = pictured();
  mine.claims = {claim_result("mine", "my notes", Verdict::reproduced)};
  CHECK_THAT(html_report(report({mine})), Contains("<tr><th scope=\"row\">others</th><td>1</td>"));
}

TEST_CASE("The gallery tells what is counted apart apart, and what was fitted is not called chosen", "[html]") {
  ReportedExperiment e = pictured();
  e.claims[0].claim.calibrated = true;
  e.claims[0].claim.chosen = "The speed.";
  const std::string page = html_report(report({e}));
  CHECK_THAT(page, Contains("<small>apart: <span title=\"reproduced\">") && Contains("Put in or fitted: The speed.") &&
                       !Contains("<small>read back; chosen after looking</small>"));
}

TEST_CASE("A claim stands with its statement, the paper's number, the measured one, its verdict and what differs",
          "[html]") {
  const std::string page = html_report(report({pictured()}));
  CHECK_THAT(page,
             Contains("<tr class=\"entry HL no plain\" id=\"claim-huang-lee-2007/fig05-HL-5-b\"><th scope=\"row\"><a "
                      "href=\"#huang-lee-2007/fig05\">HL-5-b</a></th>"
                      "<td data-of=\"statement\">tau &lt; 9 &amp; more <span class=\"quiet\">HL Fig. 5b</span>"
                      "<p class=\"why\">The machines &lt;differ&gt;.</p></td><td data-of=\"the paper\">13.8 s</td>"
                      "<td data-of=\"the number that decides\">tau: 7.297 ± 0.026 s<details><summary>in full</summary>"
                      "tau is 7.297 ± 0.026 s, all of it.</details></td><td data-of=\"verdict\">"
                      "<span class=\"verdict is-no\">✗ not reproduced</span></td></tr>"));
  CHECK_THAT(
      page,
      Contains("<td data-of=\"the number that decides\">tau is 7.297 ± 0.026 s, all of it</td>"));  // no short form
  CHECK_THAT(page, Contains("<span class=\"verdict is-yes\">✓ reproduced</span>") &&
                       Contains("<span class=\"verdict is-open\">? undecided</span>"));
}

TEST_CASE("Other readings stand behind the claim that they read, wherever they were measured, and are counted apart",
          "[html]") {
  ReportedExperiment first = pictured(), second = pictured();
  second.name = "fig05-other";
  second.claims = {claim_result("HL-5-a-other", "HL Fig. 5a, as truncated normals", Verdict::not_reproduced)};
  second.claims[0].claim.variant_of = "HL-5-a";
  const std::string page = html_report(report({first, second}));
  const auto at = [&](const std::string& id) { return page.find("id=\"claim-huang-lee-2007/" + id + "\""); };
  CHECK(at("fig05-HL-5-a") < at("fig05-other-HL-5-a-other"));
  CHECK(at("fig05-other-HL-5-a-other") < at("fig05-HL-5-b"));
  CHECK_THAT(page, Contains("another reading of HL-5-a"));
  CHECK_THAT(
      page,
      Contains("<td>1</td><td>1</td><td>0</td><td>2</td><td>0</td><td>1<br><small>1 not reproduced</small></td></tr>"));
  CHECK(first_imbalance(page).empty());
}

TEST_CASE("Every claim has a row of its own, whatever it reads otherwise and whoever reads it", "[html]") {
  ReportedExperiment first = pictured(), second = pictured();
  second.name = "again";  // the same ids, of another experiment
  const auto add = [&](const std::string& id, const std::string& variant_of, const std::string& source) {
    second.claims.push_back(claim_result(id, source, Verdict::reproduced));
    second.claims.back().claim.variant_of = variant_of;
  };
  add("self", "self", "HL Fig. 5");
  add("of-nothing", "nothing", "HL Fig. 5");
  add("of-a", "HL-5-a", "nowsim, of HL 5");
  add("of-of-a", "of-a", "HL Fig. 5");
  const std::string page = html_report(report({first, second}));
  std::set<std::string> ids;
  for (auto at = page.find("<tr class=\"entry"); at != std::string::npos; at = page.find("<tr class=\"entry", at + 1)) {
    const auto begin = page.find(" id=\"", at) + 5;
    CHECK(ids.insert(page.substr(begin, page.find('"', begin) - begin)).second);
  }
  CHECK(ids.size() == first.claims.size() + second.claims.size());
  CHECK(page.find("again-of-a\"") < page.find("claim-huang-lee-2007/fig05-HL-5-b\""));  // behind the first HL-5-a
}

TEST_CASE("What was chosen after looking stands with its claim, and is counted", "[html]") {
  ReportedExperiment e = pictured();
  e.claims[0].claim.chosen = "The window <begins> at 5.";
  e.claims[0].claim.words = "almost & nearly";
  const std::string page = html_report(report({e}));
  CHECK_THAT(page, Contains("Chosen: The window &lt;begins&gt; at 5.") && Contains("<q>almost &amp; nearly</q>") &&
                       Contains("<small>chosen after looking</small>") &&
                       Contains("<td>1<br><small>of these chosen later: 1</small></td>"));
}

TEST_CASE("The contents show every experiment's small picture, its title and its verdicts", "[html]") {
  ReportedExperiment e = pictured();
  e.thumbnail = "PNG";
  const std::string page = html_report(report({e, table()}));
  CHECK_THAT(page, Contains("<a href=\"#huang-lee-2007/fig05\"><img src=\"data:image/png;base64,UE5H\" alt=\"\">"));
  CHECK_THAT(page, Contains("<span class=\"blank\">a table</span>"));
  CHECK(count_of(page, "<span title=\"reproduced\">") == 1);
}

TEST_CASE("An experiment's article has its picture, its files, what it was made with and its own text", "[html]") {
  const std::string page = html_report(report({pictured()}));
  CHECK_THAT(page, Contains("<article id=\"huang-lee-2007/fig05\">"));
  CHECK_THAT(page, Contains("<img src=\"" + svg_address(pictured().svg) +
                            "\" alt=\"Fig. 5: &quot;tau&quot; &lt;of&gt; TH &amp; SH\">"));
  CHECK_THAT(page, Contains("<a href=\"huang-lee-2007/fig05.csv\">fig05.csv</a>"));
  const auto fact = [](const std::string& name, const std::string& value) {
    return Contains("<tr><th scope=\"row\">" + name + "</th><td>" + value + "</td></tr>");
  };
  CHECK_THAT(page, fact("engine", "simgrid") && fact("replications", "1000") && fact("seed", "1") &&
                       fact("confidence", "95 %") && fact("points", "2") && fact("swept: owner.TH", "0.1, 0.2") &&
                       fact("platform.speed", "1f") && !fact("owner.TH", "0"));  // which is swept
  CHECK_THAT(page, Contains("<pre>title: &lt;t&gt;\n</pre>"));
  CHECK_THAT(page, Contains("Jun Huang, Soo-Young Lee: <cite>"));
  CHECK(count_of(page, "class=\"results\"") == 0);  // the picture shows them
}

TEST_CASE("An experiment without a picture shows its numbers, and what has none says why", "[html]") {
  const std::string page = html_report(report({table()}));
  CHECK_THAT(page, Contains("<tr><th>job.size</th><th>tau [s]</th></tr>") &&
                       Contains("<tr><td>128</td><td>3.00 ± 0.10</td></tr>"));
  CHECK_THAT(page, Contains("<li>failed: job.size=512: a reason</li>") &&
                       Contains("<li>infeasible: job.size=256: a reason</li>"));
  CHECK_THAT(page, Contains("<td>3, 1 infeasible, 1 failed</td>"));
  CHECK_THAT(page, Contains("<h2>What is missing</h2>") &&
                       Contains("<a href=\"#zhang-yan-1995/table1\">zhang-yan-1995/table1</a>: 1 point failed"));
  ReportedExperiment long_one = table();
  for (int k = 0; k < 30; ++k) long_one.summary.rows.push_back(row({std::to_string(k)}, around(3, 0.1)));
  CHECK_THAT(html_report(report({long_one})), Contains("<details><summary>results: 31 rows</summary>"));
}

TEST_CASE("What could not be run is missing, with its reason", "[html]") {
  ReportedExperiment broken = table();
  broken.summary = {};
  broken.failure = "no such <key>";
  const std::string page = html_report(report({broken}));
  CHECK(first_imbalance(page).empty());
  CHECK_THAT(page, Contains("no results: no such &lt;key&gt;</li>") &&
                       Contains("There are no results: no such &lt;key&gt;</p>"));
  CHECK(count_of(html_report(report({pictured()})), "What is missing") == 0);
}

TEST_CASE("A report's page replaces an older one of the same experiments, or of fewer", "[report_file]") {
  const PageFolder folder;
  CHECK(folder.write(page_of("ab", "old")).empty());
  CHECK(folder.content().starts_with(page_of("ab", "old")));
  CHECK(folder.write(page_of("ab", "new")).empty());
  CHECK(folder.content().starts_with(page_of("ab", "new")));
  CHECK(folder.write(page_of("abc")).empty());
  const std::string first = folder.content();
  CHECK(folder.write(page_of("abc")).empty());
  CHECK(folder.content() == first);
}

TEST_CASE("A page of more experiments is kept where one of fewer comes", "[report_file]") {
  const PageFolder folder;
  folder.write(page_of("abc"));
  CHECK(folder.write(page_of("b")) == folder.path() + "/index.html.~1~");
  CHECK(folder.content("index.html.~1~").starts_with(page_of("abc")));
  CHECK(folder.content().starts_with(page_of("b")));
}

TEST_CASE("A page that is a user's, or that a user has changed, is kept", "[report_file]") {
  const PageFolder folder;
  std::ofstream(folder.path() + "/index.html") << "mine";
  CHECK(folder.write(page_of("a")) == folder.path() + "/index.html.~1~");
  CHECK(folder.content("index.html.~1~") == "mine");
  std::string changed = folder.content();
  changed.insert(6, "a remark");
  std::ofstream(folder.path() + "/index.html") << changed;
  CHECK(folder.write(page_of("a")) == folder.path() + "/index.html.~2~");
  CHECK(folder.content("index.html.~2~") == changed);
}

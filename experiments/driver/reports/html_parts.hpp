// What the parts of a report's page share: verdicts, links, and each part itself.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "experiments/driver/reports/papers.hpp"
#include "experiments/driver/reports/report.hpp"

namespace nowsim::html {

/// The page's style sheet.
const char* style();
/// A verdict in words, with a sign and a colour that differ for everybody.
std::string verdict_mark(Verdict verdict);
/// The sign alone, in its colour.
std::string verdict_sign(Verdict verdict);
/// A link to a claim's or another experiment's article.
std::string article_link(const ReportedExperiment& e, const std::string& text);
/// A claim with the experiment that it is about.
struct BoardEntry {
  const ReportedExperiment* experiment;
  const ClaimResult* claim;
};
/// Claims of one origin: a paper's, nowsim's own, others, or whosever of experiments that were changed; each before its
/// other readings, whoever reads it so.
struct Board {
  std::string name;  ///< a class in the page: the paper's letters, "own", "others" or "changed"
  std::string heading;
  std::vector<BoardEntry> entries;
  bool is_papers = false;
};
/// Those that have claims: papers first, in their order.
std::vector<Board> boards_of(const Report& report);
/// The id of a claim's row, as an address.
std::string claim_address(const ReportedExperiment& e, const ClaimResult& claim);
/// "✓ 3 ✗ 1 apart: ✓ 1": how many claims of an experiment's have which verdict, those alone that there are.
std::string tally(const std::vector<ClaimResult>& claims);
/// What is said of a claim beside its verdict: read back, chosen after results had been seen, another reading.
std::string mark_text(const ClaimResult& claim);
/// Whether something in it was chosen after results had been seen, rather than fitted to them.
bool is_chosen(const ClaimResult& claim);
/// Its `chosen`, with what that is; "" where it has none.
std::string chosen_text(const ClaimResult& claim);
/// How many claims are reproduced, not reproduced and undecided, paper by paper, and nowsim's own; those that are read
/// back, and other readings, apart.
void write_totals(const Report& report, std::ostream& out);
/// The style's rules by which what is checked in the scoreboard chooses its claims, without scripts.
std::string choice_style(const Report& report);
/// All claims: those of each paper, then nowsim's own; by paper, verdict and mark as is checked above them.
void write_scoreboard(const Report& report, std::ostream& out);
/// Every experiment's picture, small, with its title and verdicts, folder by folder.
void write_gallery(const Report& report, const std::vector<std::string>& folders, std::ostream& out);
/// What a folder's experiments are called together: its paper's name, or its own.
std::string heading_of(const std::string& folder);
/// An experiment.
void write_article(const ReportedExperiment& e, std::ostream& out);
/// The estimates of all points but for metrics per workstation, which have a table of their own.
void write_results_table(const ResultTable& summary, std::ostream& out);
/// Points of which there is something to say, by reason: infeasible, failed, imprecise.
void write_exceptions(const ResultTable& summary, std::ostream& out);

}  // namespace nowsim::html

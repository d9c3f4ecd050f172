// What the parts of a report's page share: verdicts, links, and each part itself.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "experiments/driver/reports/report.hpp"

namespace nowsim::html {

/// The page's style sheet.
const char* style();
/// A verdict in words, with a sign and a colour that differ for everybody.
std::string verdict_mark(Verdict verdict);
/// A link to a claim's or another experiment's article.
std::string article_link(const ReportedExperiment& e, const std::string& text);
/// A claim with the experiment that it is about.
struct BoardEntry {
  const ReportedExperiment* experiment;
  const ClaimResult* claim;
};
/// How many claims are reproduced, not reproduced and undecided, paper by paper, and nowsim's own.
void write_totals(const Report& report, std::ostream& out);
/// All claims: those of each paper, then nowsim's own.
void write_scoreboard(const Report& report, std::ostream& out);
/// An experiment.
void write_article(const ReportedExperiment& e, std::ostream& out);
/// The estimates of all points but for metrics per workstation, which have a table of their own.
void write_results_table(const Summary& summary, std::ostream& out);
/// Points of which there is something to say, by reason: infeasible, failed, imprecise.
void write_exceptions(const Summary& summary, std::ostream& out);

}  // namespace nowsim::html

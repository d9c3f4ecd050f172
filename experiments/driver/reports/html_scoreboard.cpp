// The scoreboard: claims counted, and one by one.
#include <algorithm>
#include <array>
#include <ostream>

#include "experiments/driver/reports/html_parts.hpp"
#include "experiments/driver/reports/html_text.hpp"
#include "experiments/driver/reports/papers.hpp"

namespace nowsim::html {
namespace {

constexpr std::array kVerdicts{Verdict::reproduced, Verdict::not_reproduced, Verdict::undecided};

/// The claims that a paper makes; null: nowsim's own.
std::vector<BoardEntry> entries_of(const Report& report, const Paper* paper) {
  std::vector<BoardEntry> entries;
  for (const auto& e : report.experiments)
    for (const auto& claim : e.claims)
      if (paper_of_source(claim.source) == paper) entries.push_back({&e, &claim});
  return entries;
}

/// "12", or with those apart whose number was put in and is reproduced for that reason.
std::string count_cell(const std::vector<BoardEntry>& entries, Verdict verdict) {
  std::size_t count = 0, calibrated = 0;
  for (const auto& e : entries) {
    if (e.claim->verdict != verdict) continue;
    ++count;
    calibrated += e.claim->calibrated ? 1 : 0;
  }
  const std::string text = std::to_string(count);
  if (verdict != Verdict::reproduced || calibrated == 0) return "<td>" + text + "</td>";
  return "<td>" + text + "<br><small>of these " + std::to_string(calibrated) +
         (calibrated == 1 ? " reads" : " read") + " back what was put in</small></td>";
}

void write_counts(const std::string& whose, const std::vector<BoardEntry>& entries, std::ostream& out) {
  out << "<tr><th scope=\"row\">" << html_text(whose) << "</th>";
  for (const Verdict verdict : kVerdicts) out << count_cell(entries, verdict);
  out << "<td>" << entries.size() << "</td></tr>\n";
}

/// A cell whose heading stands beside it on narrow screens.
std::string cell(const std::string& heading, const std::string& content) {
  return "<td data-of=\"" + heading + "\">" + content + "</td>";
}

void write_entry(const BoardEntry& entry, std::ostream& out) {
  const ClaimResult& c = *entry.claim;
  const std::string why = c.differs.empty() ? "" : "<p class=\"why\">" + html_text(c.differs) + "</p>";
  const std::string measured = html_text(c.figure.empty() ? c.measured : c.figure);
  out << "<tr><th scope=\"row\">" << article_link(*entry.experiment, c.id) << "</th>"
      << cell("statement", html_text(c.says) + " <span class=\"quiet\">" + html_text(c.source) + "</span>" + why)
      << cell("paper", html_text(c.paper))
      << cell("nowsim", c.figure.empty() ? "<small>" + measured + "</small>" : measured)
      << cell("verdict", verdict_mark(c.verdict) + (c.calibrated ? "<br><small>read back</small>" : "")) << "</tr>\n";
}

void write_board(const std::string& heading, const std::vector<BoardEntry>& entries, std::ostream& out) {
  if (entries.empty()) return;
  out << "<h3>" << html_text(heading) << "</h3>\n<table class=\"board\">\n<thead><tr>";
  for (const char* name : {"claim", "statement", "paper", "nowsim", "verdict"})
    out << "<th scope=\"col\">" << name << "</th>";
  out << "</tr></thead>\n<tbody>\n";
  for (const auto& entry : entries) write_entry(entry, out);
  out << "</tbody>\n</table>\n";
}

}  // namespace

void write_totals(const Report& report, std::ostream& out) {
  out << "<table class=\"totals\">\n<thead><tr><th scope=\"col\">claims of</th>";
  for (const Verdict verdict : kVerdicts) out << "<th scope=\"col\">" << verdict_mark(verdict) << "</th>";
  out << "<th scope=\"col\">total</th></tr></thead>\n<tbody>\n";
  std::vector<BoardEntry> all;
  for (const Paper& paper : kPapers) {
    const auto entries = entries_of(report, &paper);
    all.insert(all.end(), entries.begin(), entries.end());
    if (!entries.empty()) write_counts(std::string(paper.name), entries, out);
  }
  if (!all.empty()) write_counts("the papers together", all, out);
  if (const auto own = entries_of(report, nullptr); !own.empty()) write_counts("nowsim's own", own, out);
  out << "</tbody>\n</table>\n";
}

void write_scoreboard(const Report& report, std::ostream& out) {
  for (const Paper& paper : kPapers) write_board(std::string(paper.name), entries_of(report, &paper), out);
  write_board("nowsim's own claims", entries_of(report, nullptr), out);
}

}  // namespace nowsim::html

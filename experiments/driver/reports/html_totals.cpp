// Claims counted: each paper's, nowsim's own, and apart from them those that are read back and other readings.
#include <map>
#include <ostream>

#include "experiments/driver/reports/html_parts.hpp"
#include "experiments/driver/reports/html_text.hpp"

namespace nowsim::html {
namespace {

using Entries = std::vector<BoardEntry>;

std::string small(const std::string& text) { return "<br><small>" + text + "</small>"; }

std::string apart_text(VerdictCounts counts) {
  counts.chosen = 0;
  return counts_text(counts, true);
}

void write_counts(const std::string& whose, const Entries& entries, std::ostream& out) {
  std::map<ClaimKind, VerdictCounts> kinds;
  for (const auto& e : entries) kinds[e.claim->kind()].add(*e.claim);
  const VerdictCounts& plain = kinds[ClaimKind::plain];
  out << "<tr><th scope=\"row\">" << html_text(whose) << "</th>";
  for (std::size_t v = 0; v < plain.of.size(); ++v)
    out << "<td>" << plain.of[v]
        << (v == 0 && plain.chosen > 0 ? small("of these chosen later: " + std::to_string(plain.chosen)) : "")
        << "</td>";
  out << "<td>" << plain.total() << "</td>";
  for (const ClaimKind kind : {ClaimKind::calibrated, ClaimKind::variant}) {
    const VerdictCounts& apart = kinds[kind];
    out << "<td>" << apart.total() << (apart.total() > 0 ? small(apart_text(apart)) : "") << "</td>";
  }
  out << "</tr>\n";
}

}  // namespace

void write_totals(const Report& report, std::ostream& out) {
  out << "<div class=\"wide\"><table class=\"totals\">\n<thead><tr><th scope=\"col\">claims of</th>";
  for (const Verdict verdict : {Verdict::reproduced, Verdict::not_reproduced, Verdict::undecided})
    out << "<th scope=\"col\">" << verdict_mark(verdict) << "</th>";
  for (const char* heading : {"total", "apart: read back", "apart: other readings"})
    out << "<th scope=\"col\">" << heading << "</th>";
  out << "</tr></thead>\n<tbody>\n";
  const std::vector<Board> boards = boards_of(report);
  Entries papers;
  for (std::size_t k = 0; k < boards.size(); ++k) {
    write_counts(boards[k].heading, boards[k].entries, out);
    if (boards[k].is_papers) papers.insert(papers.end(), boards[k].entries.begin(), boards[k].entries.end());
    const bool is_last_paper = boards[k].is_papers && (k + 1 == boards.size() || !boards[k + 1].is_papers);
    if (is_last_paper) write_counts("the papers together", papers, out);
  }
  out << "</tbody>\n</table></div>\n<p class=\"quiet\">Read back: the number was put into the experiment, or something "
         "was fitted to it. "
         "Other readings stand beside a claim, and leave its verdict as it is. Chosen later: something in the claim or "
         "its experiment, after results had been seen.</p>\n";
}

}  // namespace nowsim::html

// Results as tables of a page, and the points that have none.
#include <algorithm>
#include <map>
#include <ostream>

#include "experiments/driver/reports/html_parts.hpp"
#include "experiments/driver/reports/html_text.hpp"
#include "experiments/driver/running/result_output.hpp"

namespace nowsim::html {
namespace {

constexpr std::size_t kMostRowsOpen = 20;  // more are folded away
constexpr std::size_t kMostReasons = 5;    // the CSV has all

using Cells = std::vector<std::string>;

void write_row(const char* tag, const Cells& cells, std::ostream& out) {
  out << "<tr>";
  for (const auto& cell : cells) out << '<' << tag << '>' << html_text(cell) << "</" << tag << '>';
  out << "</tr>\n";
}

/// The first row is the head; nothing where there is no other.
void write_table(const std::string& what, const std::vector<Cells>& rows, std::ostream& out) {
  if (rows.size() < 2) return;
  const bool folded = rows.size() - 1 > kMostRowsOpen;
  if (folded) out << "<details><summary>" << what << ": " << rows.size() - 1 << " rows</summary>\n";
  out << "<div class=\"wide\"><table class=\"results\">\n<thead>";
  write_row("th", rows.front(), out);
  out << "</thead>\n<tbody>\n";
  for (std::size_t r = 1; r < rows.size(); ++r) write_row("td", rows[r], out);
  out << "</tbody>\n</table></div>\n" << (folded ? "</details>\n" : "");
}

/// Points of one status that share a reason.
struct Reason {
  std::string text, first;
  std::size_t points = 0;
};

std::vector<Reason> reasons_of(const ResultTable& s, PointStatus status) {
  std::vector<Reason> reasons;
  for (const auto& row : s.rows) {
    if (row.told_status() != status || row.reason.empty()) continue;
    auto known = std::ranges::find(reasons, row.reason, &Reason::text);
    if (known == reasons.end()) known = reasons.insert(known, {row.reason, point_text(s, row)});
    ++known->points;
  }
  return reasons;
}

void write_reasons(const std::string& word, const std::vector<Reason>& reasons, std::ostream& out) {
  for (std::size_t k = 0; k < std::min(kMostReasons, reasons.size()); ++k) {
    const Reason& r = reasons[k];
    const std::string where = r.points == 1 ? r.first : std::to_string(r.points) + " points, the first " + r.first;
    out << "<li>" << word << ": " << html_text(where) << (r.first.empty() ? "" : ": ") << html_text(r.text)
        << "</li>\n";
  }
  if (reasons.size() > kMostReasons)
    out << "<li>" << word << ": and " << reasons.size() - kMostReasons << " more reasons, all in the CSV</li>\n";
}

}  // namespace

void write_results_table(const ResultTable& summary, std::ostream& out) {
  write_table("results", point_table(summary, false).rows(), out);
  write_table("results per workstation", workstation_table(summary).rows(), out);
}

void write_exceptions(const ResultTable& summary, std::ostream& out) {
  constexpr std::pair<PointStatus, const char*> kinds[] = {
      {PointStatus::failed, "failed"}, {PointStatus::infeasible, "infeasible"}, {PointStatus::ok, "imprecise"}};
  bool any = false;
  for (const auto& [status, word] : kinds) {
    const auto reasons = reasons_of(summary, status);
    if (!reasons.empty() && !any) out << "<ul class=\"quiet\">\n";
    any = any || !reasons.empty();
    write_reasons(word, reasons, out);
  }
  if (any) out << "</ul>\n";
}

}  // namespace nowsim::html

// The page's contents: every experiment's picture, small, with its title and verdicts.
#include <algorithm>
#include <ostream>

#include "experiments/driver/reports/html_parts.hpp"
#include "experiments/driver/reports/html_text.hpp"

namespace nowsim::html {
namespace {

void write_card(const ReportedExperiment& e, std::ostream& out) {
  const std::string blank = e.failure.empty() ? "a table" : "no results";
  const std::string picture = e.thumbnail.empty() ? "<span class=\"blank\">" + blank + "</span>"
                                                  : "<img src=\"" + png_address(e.thumbnail) + "\" alt=\"\">";
  out << "<li><a href=\"#" << html_address(e.path()) << "\">" << picture << "<span>" << html_text(e.described.title)
      << "</span></a> " << tally(e.claims) << "</li>\n";
}

}  // namespace

std::string heading_of(const std::string& folder) {
  if (const Paper* paper = paper_of_folder(folder)) return std::string(paper->name);
  return folder.empty() ? "Experiments" : folder;
}

void write_gallery(const Report& report, const std::vector<std::string>& folders, std::ostream& out) {
  out << "<nav>\n<h2>Contents</h2>\n<p><a href=\"#scoreboard\">Scoreboard</a></p>\n";
  for (const auto& folder : folders) {
    out << "<h3>" << html_text(heading_of(folder)) << "</h3>\n<ul class=\"gallery\">\n";
    for (const auto& e : report.experiments)
      if (e.folder == folder) write_card(e, out);
    out << "</ul>\n";
  }
  out << "</nav>\n";
}

}  // namespace nowsim::html

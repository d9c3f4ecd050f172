// The page: head, totals, contents, scoreboard, and the experiments paper by paper.
#include "experiments/driver/reports/html_report.hpp"

#include <algorithm>
#include <sstream>

#include "experiments/driver/reports/html_parts.hpp"
#include "experiments/driver/reports/html_text.hpp"
#include "experiments/driver/reports/papers.hpp"
#include "experiments/driver/running/result_output.hpp"
#include "experiments/driver/text/name_lists.hpp"

namespace nowsim {
namespace {

using html::article_link;

/// The folders of the experiments: papers first, in their order.
Words folders_of(const Report& report) {
  Words folders;
  const auto add = [&](const std::string& folder) {
    const auto is_there = [&](const ReportedExperiment& e) { return e.folder == folder; };
    if (std::ranges::any_of(report.experiments, is_there) && !contains(folders, folder)) folders.push_back(folder);
  };
  for (const Paper& paper : kPapers) add(std::string(paper.folder));
  for (const auto& e : report.experiments) add(e.folder);
  return folders;
}

/// What is missing of an experiment, or "".
std::string gap_of(const ReportedExperiment& e) {
  if (!e.failure.empty()) return "no results: " + e.failure;
  const auto failed = e.summary.count(PointStatus::failed);
  std::string gap = failed > 0 ? std::to_string(failed) + (failed == 1 ? " point" : " points") + " failed" : "";
  if (!e.no_picture.empty()) gap += (gap.empty() ? "no picture: " : "; no picture: ") + e.no_picture;
  return gap;
}

void write_gaps(const Report& report, std::ostream& out) {
  std::ostringstream items;
  for (const auto& e : report.experiments)
    if (const std::string gap = gap_of(e); !gap.empty())
      items << "<li>" << article_link(e, e.path()) << ": " << html_text(gap) << "</li>\n";
  if (!items.str().empty())
    out << "<section class=\"gaps\" id=\"missing\">\n<h2>What is missing</h2>\n<ul>\n"
        << items.str() << "</ul>\n</section>\n";
}

/// All values that a provenance has, each once; "-" stands for none.
std::string all_of(const Report& report, std::string Provenance::*what) {
  Words found;
  for (const auto& e : report.experiments)
    if (const std::string text = provenance_of(e.summary).*what; text != "-" && !contains(found, text))
      found.push_back(text);
  return found.empty() ? "-" : joined(found);
}

std::string engines_of(const Report& report) {
  Words found;
  for (const auto& e : report.experiments)
    for (const auto& row : e.summary.rows)
      if (!row.estimates.empty() && !contains(found, row.engine)) found.push_back(row.engine);
  std::ranges::sort(found);
  return found.empty() ? "-" : joined(found);
}

void write_origin(const Report& report, std::ostream& out) {
  out << "<p>Made by nowsim " << html_text(report.version) << " of " << report.experiments.size()
      << (report.experiments.size() == 1 ? " experiment" : " experiments")
      << "; engines that ran: " << html_text(engines_of(report))
      << "; seeds: " << html_text(all_of(report, &Provenance::seed))
      << "; flags: " << (report.flags.empty() ? "none" : html_text(joined(report.flags)))
      << ". Numbers behind ± are half-widths of confidence intervals; that of a number that contradicts a claim allows "
         "for all the comparisons that the claim makes, and is a little wider. "
         "The same results make the same page: it has no date.</p>\n";
}

void write_section(const Report& report, const std::string& folder, std::ostream& out) {
  out << "<section>\n<h2>" << html_text(html::heading_of(folder)) << "</h2>\n";
  if (const Paper* paper = paper_of_folder(folder))
    out << "<p>" << html_text(paper->authors) << ": <cite>" << html_text(paper->title) << "</cite>. "
        << html_text(paper->appeared) << ".</p>\n";
  for (const auto& e : report.experiments)
    if (e.folder == folder) html::write_article(e, out);
  out << "</section>\n";
}

}  // namespace

std::string html_report(const Report& report) {
  std::ostringstream out;
  out << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<title>What nowsim reproduces</title>\n<style>"
      << html::style() << html::choice_style(report)
      << "</style>\n</head>\n<body>\n<header>\n<h1>What nowsim reproduces</h1>\n";
  write_origin(report, out);
  html::write_totals(report, out);
  out << "</header>\n";
  write_gaps(report, out);
  html::write_gallery(report, folders_of(report), out);
  out << "<main>\n<section id=\"scoreboard\">\n<h2>Scoreboard</h2>\n";
  html::write_scoreboard(report, out);
  out << "</section>\n";
  for (const auto& folder : folders_of(report)) write_section(report, folder, out);
  out << "</main>\n</body>\n</html>\n";
  return out.str();
}

}  // namespace nowsim

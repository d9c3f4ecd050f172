// An experiment's article: what it is, its picture beside its parameters, what ran, and the verdicts.
#include <algorithm>
#include <ostream>

#include "experiments/driver/reports/html_parts.hpp"
#include "experiments/driver/reports/html_text.hpp"
#include "experiments/driver/running/result_output.hpp"
#include "experiments/driver/text/name_lists.hpp"

namespace nowsim::html {
namespace {

constexpr std::size_t kMostValues = 12;  // of an axis; more are told by their ends

/// An axis's values as a list, each once.
std::string values_text(const ResultTable& s, std::size_t axis) {
  Words values;
  for (const auto& row : s.rows)
    if (!contains(values, row.values[axis])) values.push_back(row.values[axis]);
  if (values.size() <= kMostValues) return joined(values);
  return values[0] + ", " + values[1] + ", ..., " + values.back() + " (" + std::to_string(values.size()) + " values)";
}

/// The engines that ran, with the points that each ran where they are several.
std::string engines_text(const ResultTable& s) {
  std::vector<std::pair<std::string, std::size_t>> engines;
  for (const auto& row : s.rows) {
    if (row.estimates.empty()) continue;
    auto known = std::ranges::find(engines, row.engine, &std::pair<std::string, std::size_t>::first);
    if (known == engines.end()) known = engines.insert(known, {row.engine, 0});
    ++known->second;
  }
  if (engines.size() == 1) return engines.front().first;
  std::string text;
  for (const auto& [engine, points] : engines)
    text +=
        (text.empty() ? "" : ", ") + engine + " (" + std::to_string(points) + (points == 1 ? " point)" : " points)");
  return text.empty() ? "-" : text;
}

std::string points_text(const ResultTable& s) {
  std::string text = std::to_string(s.rows.size());
  for (const PointStatus status : {PointStatus::infeasible, PointStatus::failed, PointStatus::pending})
    if (const std::size_t count = s.count(status); count > 0)
      text += ", " + std::to_string(count) + " " + status_name(status);
  return text;
}

void write_fact(const std::string& name, const std::string& value, std::ostream& out) {
  if (!value.empty())
    out << "<tr><th scope=\"row\">" << html_text(name) << "</th><td>" << html_text(value) << "</td></tr>\n";
}

/// How the results came about.
void write_facts(const ReportedExperiment& e, std::ostream& out) {
  const Provenance p = provenance_of(e.summary);
  Words metrics;
  for (const Metric* metric : e.summary.metrics) metrics.push_back(metric->name);
  out << "<table>\n";
  write_fact("engine", engines_text(e.summary), out);
  write_fact("replications", p.replications, out);
  write_fact("seed", p.seed, out);
  write_fact("confidence", p.confidence, out);
  write_fact("variance reduction", p.variance_reduction, out);
  write_fact("simulated by", p.version == "-" ? "" : "nowsim " + p.version, out);
  write_fact("points", points_text(e.summary), out);
  for (std::size_t a = 0; a < e.summary.axes.size(); ++a)
    write_fact("swept: " + e.summary.axes[a], values_text(e.summary, a), out);
  write_fact("metrics", joined(metrics), out);
  for (const auto& [key, value] : e.described.parameters)
    if (!contains(e.summary.axes, key)) write_fact(key, value, out);
  out << "</table>\n";
}

void write_files(const ReportedExperiment& e, std::ostream& out) {
  if (e.files.empty()) return;
  out << "<p class=\"quiet\">files:";
  for (const auto& file : e.files)
    out << " <a href=\"" << html_address(file) << "\">" << html_text(file.substr(file.find_last_of('/') + 1)) << "</a>";
  out << "</p>\n";
}

void write_picture(const ReportedExperiment& e, std::ostream& out) {
  if (!e.svg.empty())
    out << "<figure><img src=\"" << svg_address(e.svg) << "\" alt=\"" << html_text(e.described.title)
        << "\"></figure>\n";
  if (!e.no_picture.empty()) out << "<p class=\"gaps\">No picture: " << html_text(e.no_picture) << "</p>\n";
  if (e.svg.empty()) write_results_table(e.summary, out);
}

void write_claim(const ReportedExperiment& e, const ClaimResult& c, std::ostream& out) {
  out << "<li>" << verdict_mark(c.verdict) << " <a href=\"#" << claim_address(e, c) << "\"><b>" << html_text(c.id)
      << "</b></a>: " << html_text(c.says)
      << " <span class=\"quiet\">" << html_text(c.source) << "</span><br>";
  if (!c.paper.empty()) out << "The paper: " << html_text(c.paper) << ". ";
  if (!c.words.empty()) out << "Its words: <q>" << html_text(c.words) << "</q>. ";
  out << "Measured: " << html_text(c.measured) << '.';
  if (const std::string marks = mark_text(c); !marks.empty())
    out << " <span class=\"quiet\">(" << html_text(marks) << ")</span>";
  if (!c.chosen.empty()) out << "<p class=\"why\">" << html_text(chosen_text(c)) << "</p>";
  if (!c.differs.empty()) out << "<p class=\"why\">" << html_text(c.differs) << "</p>";
  out << "</li>\n";
}

void write_claims(const ReportedExperiment& e, std::ostream& out) {
  if (e.claims.empty()) return;
  out << "<h4>Claims</h4>\n<ul class=\"claims\">\n";
  for (const auto& claim : e.claims) write_claim(e, claim, out);
  out << "</ul>\n";
}

std::string marked(Verdict verdict, const std::string& text) {
  constexpr std::pair<const char*, const char*> kMarks[] = {{"is-yes", "✓"}, {"is-no", "✗"}, {"is-open", "?"}};
  const auto& [kind, sign] = kMarks[static_cast<std::size_t>(verdict)];
  return std::string("<span class=\"verdict ") + kind + "\">" + sign + text + "</span>";
}

}  // namespace

std::string verdict_mark(Verdict verdict) { return marked(verdict, std::string(" ") + verdict_name(verdict)); }
std::string verdict_sign(Verdict verdict) { return marked(verdict, ""); }

std::string article_link(const ReportedExperiment& e, const std::string& text) {
  return "<a href=\"#" + html_address(e.path()) + "\">" + html_text(text) + "</a>";
}

void write_article(const ReportedExperiment& e, std::ostream& out) {
  out << "<article id=\"" << html_address(e.path()) << "\">\n<h3>" << html_text(e.described.title)
      << "</h3>\n<p class=\"quiet\">" << article_link(e, e.path()) << "</p>\n";
  if (!e.described.description.empty()) out << "<p>" << html_text(e.described.description) << "</p>\n";
  if (e.failure.empty()) {
    out << "<div class=\"beside\">\n<div>\n";
    write_picture(e, out);
    out << "</div>\n<div>\n";
    write_facts(e, out);
    out << "</div>\n</div>\n";
    write_files(e, out);
    write_exceptions(e.summary, out);
    write_claims(e, out);
  } else {
    out << "<p class=\"gaps\">There are no results: " << html_text(e.failure) << "</p>\n";
  }
  out << "<details><summary>the experiment's file</summary>\n<pre>" << html_text(e.described.text)
      << "</pre>\n</details>\n</article>\n";
}

}  // namespace nowsim::html

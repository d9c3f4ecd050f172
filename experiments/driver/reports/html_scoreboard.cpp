// The scoreboard: claims one by one, and what chooses among them without a script.
#include <array>
#include <ostream>

#include "experiments/driver/reports/html_parts.hpp"
#include "experiments/driver/reports/html_text.hpp"

namespace nowsim::html {
namespace {

/// What can be checked: it shows the claims that have its name among their classes; "all" shows all.
struct Choice {
  std::string name, label;
};
/// One of a group's is checked.
struct ChoiceGroup {
  std::string name, label;
  std::vector<Choice> choices;
};

std::vector<ChoiceGroup> choice_groups(const Report& report) {
  ChoiceGroup origins{"paper", "claims of", {}};
  for (const auto& board : boards_of(report)) origins.choices.push_back({board.name, board.heading});
  return {origins,
          {"verdict", "verdict", {{"yes", "✓ reproduced"}, {"no", "✗ not reproduced"}, {"open", "? undecided"}}},
          {"mark",
           "mark",
           {{"plain", "claims proper"},
            {"calibrated", "read back"},
            {"variant", "other readings"},
            {"chosen", "chosen after looking"}}}};
}

std::string id_of(const ChoiceGroup& group, const std::string& choice) { return "show-" + group.name + "-" + choice; }

/// Inputs stand before all that they choose from, as a style's rule wants it; their labels may stand anywhere, so that
/// each has a name with its group's for those who hear it.
void write_choices(const Report& report, std::ostream& out) {
  const auto groups = choice_groups(report);
  for (const auto& group : groups) {
    const auto write_input = [&](const Choice& choice, const char* state) {
      out << "<input type=\"radio\" name=\"" << group.name << "\" id=\"" << id_of(group, choice.name)
          << "\" aria-label=\"" << html_text(group.label + ": " + choice.label) << "\"" << state << ">";
    };
    write_input({"all", "all"}, " checked");
    for (const auto& choice : group.choices) write_input(choice, "");
    out << '\n';
  }
  out << "<div class=\"choices\">\n";
  for (const auto& group : groups) {
    out << "<p><span class=\"quiet\">" << group.label << "</span> <label for=\"" << id_of(group, "all")
        << "\">all</label>";
    for (const auto& choice : group.choices)
      out << " <label for=\"" << id_of(group, choice.name) << "\">" << html_text(choice.label) << "</label>";
    out << "</p>\n";
  }
  out << "</div>\n";
}

/// By what the choices know it.
std::string classes_of(const ClaimResult& c, const std::string& whose) {
  constexpr const char* kVerdicts[] = {"yes", "no", "open"};
  constexpr const char* kKinds[] = {"plain", "calibrated", "variant"};
  return "entry " + whose + " " + kVerdicts[static_cast<std::size_t>(c.verdict)] + " " +
         kKinds[static_cast<std::size_t>(c.kind())] + (is_chosen(c) ? " chosen" : "");
}

constexpr std::array<const char*, 5> kHeadings{"claim", "statement", "the paper", "the number that decides", "verdict"};

/// A cell whose heading stands beside it on narrow screens.
std::string cell(std::size_t column, const std::string& content) {
  return std::string("<td data-of=\"") + kHeadings[column] + "\">" + content + "</td>";
}

std::string why(const std::string& text) { return text.empty() ? "" : "<p class=\"why\">" + html_text(text) + "</p>"; }

std::string printed(const ClaimResult& c) {
  const std::string words = c.words.empty() ? "" : "<q>" + html_text(c.words) + "</q>";
  return html_text(c.paper) + (c.paper.empty() || words.empty() ? "" : "<br>") + words;
}

void write_entry(const BoardEntry& entry, const std::string& whose, std::ostream& out) {
  const ClaimResult& c = *entry.claim;
  const std::string number = c.figure.empty() ? c.measured : c.figure;
  const std::string whole =
      number == c.measured ? "" : "<details><summary>in full</summary>" + html_text(c.measured) + ".</details>";
  const std::string marks = mark_text(c);
  out << "<tr class=\"" << classes_of(c, whose) << "\" id=\"" << claim_address(*entry.experiment, c)
      << "\"><th scope=\"row\">" << article_link(*entry.experiment, c.id) << "</th>"
      << cell(1, html_text(c.says) + " <span class=\"quiet\">" + html_text(c.source) + "</span>" + why(c.differs) +
                     why(chosen_text(c)))
      << cell(2, printed(c)) << cell(3, html_text(number) + whole)
      << cell(4, verdict_mark(c.verdict) + (marks.empty() ? "" : "<br><small>" + html_text(marks) + "</small>"))
      << "</tr>\n";
}

void write_board(const Board& board, std::ostream& out) {
  out << "<section class=\"" << board.name << "\">\n<h3>" << html_text(board.heading)
      << "</h3>\n<table class=\"board\">\n<thead><tr>";
  for (const char* name : kHeadings)
    out << "<th scope=\"col\">" << name << "</th>";
  out << "</tr></thead>\n<tbody>\n";
  for (const auto& entry : board.entries) write_entry(entry, board.name, out);
  out << "</tbody>\n</table>\n</section>\n";
}

}  // namespace

std::string choice_style(const Report& report) {
  std::string rules;
  for (const auto& group : choice_groups(report)) {
    const auto label_of = [&](const std::string& name, const std::string& state) {
      const std::string id = id_of(group, name);
      return "#" + id + ":" + state + " ~ .choices [for=" + id + "]";
    };
    const auto add = [&](const std::string& name) {
      rules += label_of(name, "checked") +
               " { background: var(--ink); color: var(--ground); text-decoration: underline; }\n" +
               label_of(name, "focus-visible") + " { outline: .2rem solid var(--link); }\n";
    };
    add("all");
    for (const auto& choice : group.choices) {
      add(choice.name);
      const std::string checked = "#" + id_of(group, choice.name) + ":checked ~ .boards ";
      const std::string boards = group.name == "paper" ? ", " + checked + "section:not(." + choice.name + ")" : "";
      rules += checked + ".entry:not(." + choice.name + ")" + boards + " { display: none; }\n";
    }
  }
  return rules;
}

void write_scoreboard(const Report& report, std::ostream& out) {
  write_choices(report, out);
  out << "<div class=\"boards\">\n";
  for (const auto& board : boards_of(report)) write_board(board, out);
  out << "<p class=\"shown quiet\"></p>\n</div>\n";
}

}  // namespace nowsim::html

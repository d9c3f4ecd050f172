// handout.md with the student's numbers, cut into steps.
#include "experiments/driver/labs/handout.hpp"

#include <algorithm>
#include <filesystem>

#include "experiments/driver/labs/answers.hpp"
#include "experiments/driver/labs/lab_page.hpp"
#include "experiments/driver/labs/markdown.hpp"
#include "experiments/driver/reports/html_text.hpp"
#include "sim/base/user_file.hpp"

namespace nowsim {
namespace {

/// The sentence's key.
const char* how_to_answer(const LabStep& step) {
  if (!step.is_prediction) return "handout.answer";
  const bool has_marks = std::ranges::any_of(step.questions, [](const Question& q) { return q.marks > 0; });
  return has_marks ? "handout.predict-marked" : "handout.predict";
}

namespace fs = std::filesystem;

std::string html_list(const std::vector<std::string>& items) {
  std::string out = "<ul>\n";
  for (const std::string& item : items) out += html_element("li", item);
  return out + "</ul>\n";
}

std::string question_html(StudentLab& student, const Question& question) {
  std::string out = "<div class=\"question\">\n<h4><code>" + html_text(question.key) + "</code></h4>\n" +
                    markdown_html(student.facts.filled(question.ask));
  const std::vector<std::string> hints = question_hints(student.facts, question, student.texts);
  return out + (hints.empty() ? "" : html_list(hints)) + "</div>\n";
}

/// The pictures of the lab's folder that a text shows, made part of the page.
std::string with_pictures(std::string html, const std::string& folder) {
  const std::string begin = "<img src=\"";
  for (std::size_t at = html.find(begin); at != html.npos; at = html.find(begin, at)) {
    at += begin.size();
    const std::string name = html.substr(at, html.find('"', at) - at);
    if (!name.ends_with(".svg") || name.find('/') != name.npos) continue;
    html.replace(at, name.size(),
                 svg_address(read_user_file((fs::path(folder) / name).string(), kMostDescriptionBytes)));
  }
  return html;
}

std::string step_html(StudentLab& student, std::size_t step, const std::string& text,
                      const std::vector<LabChart>& charts) {
  const LabStep& described = student.lab.steps[step];
  std::string out = "<section id=\"" + step_key(step) + "\">\n" + html_element("h2", described.name) +
                    with_pictures(text, student.lab.folder);
  for (const LabChart& chart : charts) out += chart_html(chart, student.texts);
  if (!described.questions.empty()) {
    out += html_element("h3", student.texts.say("handout.questions"));
    out += html_element("p", student.texts.say(how_to_answer(described), {{"check", student.lab.check_command()}}));
    if (student.lab.by_flag)
      out += html_element("p", student.texts.say("answers.own-labs", {{"lab", student.lab.name}}));
  }
  for (const Question& question : described.questions) out += question_html(student, question);
  return out + "</section>\n";
}

std::string handout_head(const StudentLab& student) {
  const Lab& lab = student.lab;
  const auto say = [&](const std::string& key, const NamedTexts& values = {}) {
    return student.texts.say(key, values);
  };
  std::string out =
      "<p><strong>" + html_text(lab.question) + "</strong></p>\n" +
      html_element("p class=\"quiet\"",
                   say("handout.of", {{"id", student.problem.owner.id}, {"minutes", std::to_string(lab.minutes)}}));
  if (!lab.goals.empty()) out += html_element("h2", say("handout.goals")) + html_list(lab.goals);
  if (!lab.before.empty()) out += html_element("h2", say("handout.before")) + html_list(lab.before);
  return out;
}

}  // namespace

std::string handout_page(StudentLab& student, const std::vector<std::vector<LabChart>>& charts_of_open_steps) {
  const std::string file = (fs::path(student.lab.folder) / "handout.md").string();
  const std::string text = student.facts.filled(read_user_file(file, kMostDescriptionBytes));
  const std::vector<MarkdownSection> sections = markdown_sections(text);
  LabPage page{.title = student.lab.title, .head = handout_head(student), .body = sections.front().html};
  for (std::size_t s = 0; s < charts_of_open_steps.size(); ++s) {
    const std::string& name = student.lab.steps[s].name;
    const auto section =
        std::find_if(sections.begin() + 1, sections.end(), [&](const auto& x) { return x.name == name; });
    if (section == sections.end()) throw InputError({file, 0, ""}, "the heading '## " + name + "' is missing");
    page.contents.emplace_back(step_key(s), name);
    page.body += step_html(student, s, section->html, charts_of_open_steps[s]);
  }
  const bool is_last = charts_of_open_steps.size() == student.lab.steps.size();
  page.body += html_element("p", student.texts.say(is_last ? "handout.last" : "handout.next"));
  return lab_page(page, student.texts);
}

}  // namespace nowsim

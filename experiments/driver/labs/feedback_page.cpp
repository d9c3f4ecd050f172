// Feedback as a page: judgements, scores as bars, and the charts of the steps that are open.
#include "experiments/driver/labs/feedback.hpp"
#include "experiments/driver/labs/lab_charts.hpp"
#include "experiments/driver/labs/lab_page.hpp"
#include "experiments/driver/labs/markdown.hpp"
#include "experiments/driver/labs/score_bars.hpp"
#include "experiments/driver/reports/html_text.hpp"
#include "experiments/driver/text/estimate_text.hpp"

namespace nowsim {
namespace {

constexpr const char* kStandingClasses[] = {"open", "open", "open", "no", "open", "yes"};
constexpr const char* kStandingSigns[] = {"?", "?", "?", "✗", "~", "✓"};

std::string standing_html(const JudgedAnswer& j, const JudgedStep& step, const Texts& texts) {
  const bool is_noted = step.is_hidden && j.is_readable();
  const auto standing = static_cast<std::size_t>(is_noted ? AnswerStanding::missing : j.standing);
  return std::string("<span class=\"verdict ") + kStandingClasses[standing] + "\">" +
         (is_noted ? "" : kStandingSigns[standing]) + " " + html_text(standing_text(j, step, texts)) + "</span>";
}

std::string score_html(StudentLab& student, const JudgedAnswer& j) {
  if (!j.score) return "";
  const auto bar = [&](const char* key, const Estimate& e) {
    return std::pair{student.texts.say(key), in_unit(e, j.score_unit.seconds)};
  };
  const ScoreBars bars{bar("score.yours", *j.score), bar("score.none", j.none), bar("score.best", j.best)};
  return score_bars_html(bars, {.caption = student.texts.say("score.caption", {{"question", j.question->key}}),
                                .whose = student.texts.say("score.whose"),
                                .value = student.texts.say("score.value"),
                                .unit = j.score_unit.name});
}

std::string judgement_html(StudentLab& student, const JudgedAnswer& j, const JudgedStep& step) {
  const std::string answer = shown_answer(j);
  std::string out = "<div class=\"question\">\n<h3><code>" + html_text(j.question->key) + "</code> " +
                    standing_html(j, step, student.texts) + "</h3>\n" +
                    markdown_html(student.facts.filled(j.question->ask));
  if (!answer.empty()) out += html_element("p", student.texts.say("feedback.answer", {{"answer", answer}}));
  if (!answer.empty())
    for (const std::string& sentence : j.says) out += markdown_html(sentence);
  out += score_html(student, j);
  for (const OwnRun& run : j.runs)
    out += chart_html(chart_of(*run.timeline, run.experiment, run.title, student.texts), student.texts);
  return out + "</div>\n";
}

}  // namespace

std::string feedback_page(StudentLab& student, const CheckedLab& check) {
  LabPage page{.title = student.texts.say("feedback.title", {{"title", student.lab.title}})};
  page.head = html_element("p", student.texts.say("feedback.of", {{"id", student.problem.owner.id}})) +
              html_element("p", marks_text(student, check.steps));
  for (const std::string& remark : check.remarks) page.head += html_element("p class=\"gaps\"", remark);
  for (const JudgedStep& step : check.steps) {
    const std::string& name = student.lab.steps[step.step].name;
    page.contents.emplace_back(step_key(step.step), name);
    page.body += "<section id=\"" + step_key(step.step) + "\">\n" + html_element("h2", name);
    for (const JudgedAnswer& j : step.judgements) page.body += judgement_html(student, j, step);
    for (const LabChart& chart : check.charts[step.step]) page.body += chart_html(chart, student.texts);
    page.body += "</section>\n";
  }
  return lab_page(page, student.texts);
}

}  // namespace nowsim

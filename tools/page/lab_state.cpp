// Steps, questions, items: what is open, and what stands there.
#include "tools/page/lab_state.hpp"

#include "experiments/driver/labs/answers.hpp"
#include "experiments/driver/labs/judging.hpp"
#include "experiments/driver/labs/lab_folder.hpp"
#include "experiments/driver/labs/texts.hpp"

namespace nowsim {
namespace {

/// In the order of Question::Kind and Question::Takes.
constexpr const char* kKindNames[] = {"number", "choice", "numbers", "choices", "trial"};
constexpr const char* kTakesNames[] = {"number", "numbers", "formula", "code"};

PageJson options_of(StudentLab& student, const Question& question) {
  PageJson list = PageJson::array();
  for (const auto& [word, meaning] : question.options)
    list.push_back({{"word", word}, {"meaning", student.facts.filled(meaning)}});
  return list;
}

PageJson written_answer(const Question& question, const LabAnswer& answer) {
  if (question.items.empty()) return answer.front();
  PageJson items = PageJson::object();
  for (std::size_t i = 0; i < question.items.size(); ++i) items[question.items[i]] = answer[i];
  return items;
}

PageJson question_of(const PageDesk& desk, StudentLab& student, const Question& question, const LabAnswer& answer) {
  const bool is_code = question.takes == Question::Takes::code;
  return {{"key", question.key},
          {"ask", markdown_html(student.facts.filled(question.ask))},
          {"kind", kKindNames[static_cast<std::size_t>(question.kind)]},
          {"takes", kTakesNames[static_cast<std::size_t>(question.takes)]},
          {"unit", asked_unit(student.facts, question).name},
          {"items", question.items},
          {"options", options_of(student, question)},
          {"hints", question_hints(student.facts, question, student.texts)},
          {"marks", question.marks},
          {"absent", is_code ? desk.why_absent(kAbsentPython) : ""},
          {"answer", written_answer(question, answer)}};
}

PageJson experiments_of(const LabStep& step) {
  PageJson list = PageJson::array();
  for (const std::string& file : step.gives)
    if (file.ends_with(".yaml")) list.push_back(file);
  return list;
}

PageJson charts_of_step(StudentLab& student, std::size_t step) {
  PageJson list = PageJson::array();
  for (const auto& [experiment, title] : student.lab.steps[step].charts)
    list.push_back({{"title", student.facts.filled(title)}, {"csv", chart_file(experiment)}});
  return list;
}

PageJson open_step(const PageDesk& desk, StudentLab& student, std::size_t s, const AnsweredStep& answered) {
  const LabStep& step = student.lab.steps[s];
  PageJson questions = PageJson::array();
  for (std::size_t q = 0; q < step.questions.size(); ++q)
    questions.push_back(question_of(desk, student, step.questions[q], answered.written[q]));
  return {{"key", step_key(s)},
          {"name", step.name},
          {"is_prediction", step.is_prediction},
          {"is_open", true},
          {"is_locked", answered.lock == AnsweredStep::Lock::sound},
          {"questions", questions},
          {"experiments", experiments_of(step)},
          {"charts", charts_of_step(student, s)}};
}

/// Its name is known, and no more.
PageJson closed_step(const LabStep& step, std::size_t s) {
  const PageJson none = PageJson::array();
  return {{"key", step_key(s)},  {"name", step.name},  {"is_prediction", step.is_prediction},
          {"is_open", false},    {"is_locked", false}, {"questions", none},
          {"experiments", none}, {"charts", none}};
}

}  // namespace

PageJson page_charts(StudentLab& student, std::size_t open_steps) {
  PageJson list = PageJson::array();
  for (std::size_t s = 0; s < open_steps; ++s)
    for (const PageJson& chart : charts_of_step(student, s)) list.push_back(chart);
  return list;
}

PageJson page_lab(PageDesk& desk, StudentLab& student, const AnswersFile& file, const StudentFiles& files) {
  const auto open = answered_steps(file, student.lab, student.problem, student.texts);
  PageJson steps = PageJson::array();
  for (std::size_t s = 0; s < student.lab.steps.size(); ++s)
    steps.push_back(s < open.size() ? open_step(desk, student, s, open[s]) : closed_step(student.lab.steps[s], s));
  return {{"files", files.files()},
          {"lab", student.lab.name},
          {"title", student.lab.title},
          {"id", student.problem.owner.id},
          {"steps", steps}};
}

}  // namespace nowsim

// Listing what answers are compared with.
#include "experiments/driver/labs/answer_key.hpp"

#include <ostream>

#include "experiments/driver/labs/answer_text.hpp"
#include "experiments/driver/labs/asked_unit.hpp"
#include "experiments/driver/labs/judging.hpp"
#include "experiments/driver/labs/targets.hpp"
#include "experiments/driver/pictures/label.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

std::string with_item(const Question& question, std::size_t i, const std::string& text) {
  return question.items.empty() ? text : question.items[i] + ": " + text;
}

/// An answer as Markdown has it in a list: on one line, numbers short and with their unit.
std::string shown_part(const ColumnUnit& asked, const std::string& text) {
  const bool is_per_cent = text.ends_with("%");
  const auto number = to_number(std::string_view(text).substr(0, text.size() - (is_per_cent ? 1 : 0)));
  return number ? shown_number(exactly(*number), is_per_cent ? "%" : asked.name) : one_line(text);
}

/// "310 s (from 279 s to 341 s)", or words that cannot be told apart.
std::string target_text(const ColumnUnit& asked, const AnswerTarget& target, const Texts& texts) {
  if (!target.words.empty())
    return target.words.size() > 1 ? std::string(kCannotBeTold) + " (" + joined(target.words) + ")"
                                   : target.words.front();
  const auto shown = [&](double x) { return shown_number(exactly(x / asked.seconds)); };
  const std::string low = shown(target.least), high = shown(target.most);
  return shown_in_unit(exactly(target.number.value), asked) + " (" +
         texts.say("key.between", {{"low", low}, {"high", high}}) + ")";
}

std::string targets_text(StudentLab& student, const Question& question) {
  const ColumnUnit asked = asked_unit(student.facts, question);
  const AnswerTargets targets = right_targets(student.facts, question);
  Words parts;
  for (std::size_t i = 0; i < targets.size(); ++i)
    parts.push_back(with_item(question, i, target_text(asked, targets[i], student.texts)));
  return joined(parts);
}

std::string answer_text(StudentLab& student, const Question& question, const Words& answer) {
  const ColumnUnit asked = asked_unit(student.facts, question);
  Words parts;
  for (std::size_t i = 0; i < answer.size(); ++i)
    parts.push_back(with_item(question, i, shown_part(asked, answer[i])));
  return joined(parts);
}

/// A trial has no right answer but one that gets all marks.
std::string key_of(StudentLab& student, const Question& question) {
  if (question.kind != Question::Kind::trial)
    return targets_text(student, question);
  return answer_text(student, question, right_answer(student.facts, question));
}

void write_question_key(StudentLab& student, const Question& question, std::ostream& out) {
  out << "- `" << question.key << "`: " << one_line(student.facts.filled(question.ask)) << '\n';
  out << "  - " << student.texts.say("key.right", {{"answer", key_of(student, question)}}) << '\n';
  for (const Misconception& wrong : question.wrong) {
    const std::string answer = answer_text(student, question, wrong_answer(student.facts, question, wrong));
    out << "  - " << student.texts.say("key.misconception", {{"name", wrong.name}, {"answer", answer}}) << '\n';
  }
}

}  // namespace

void write_answer_key(StudentLab& student, std::ostream& out) {
  Words numbers;
  for (const auto& [name, value] : student.problem.numbers) numbers.push_back(name + " = " + number_text(value));
  out << "# " << student.texts.say("key.title", {{"id", student.problem.owner.id}, {"lab", student.lab.name}}) << "\n\n"
      << student.texts.say("key.numbers", {{"numbers", joined(numbers)}}) << '\n';
  for (const LabStep& step : student.lab.steps) {
    out << "\n## " << step.name << "\n\n";
    for (const Question& question : step.questions) write_question_key(student, question, out);
  }
}

}  // namespace nowsim

// Feedback for a terminal.
#include "experiments/driver/labs/feedback.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <ostream>

#include "experiments/driver/labs/markdown.hpp"
#include "experiments/driver/pictures/label.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/stream_manner.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

constexpr std::size_t kFeedbackWidth = 92;
constexpr const char* kStandingKeys[] = {"standing.missing", "standing.unreadable", "standing.unclear",
                                         "standing.wrong",   "standing.partly",     "standing.right"};

void write_wrapped(const std::string& text, const std::string& indent, std::ostream& out) {
  const std::size_t columns = columns_of(out), width = columns > 0 ? std::min(columns, kFeedbackWidth) : kFeedbackWidth;
  const std::string margin = indent.substr(0, width / 2);
  for (const std::string& line : wrapped(text, width - margin.size())) out << margin << line << '\n';
}

void write_judged_step(const StudentLab& student, const JudgedStep& step, std::ostream& out) {
  out << '\n' << student.lab.steps[step.step].name;
  if (step.lock == AnsweredStep::Lock::sound) out << " (" << student.texts.say("check.is-locked") << ')';
  out << '\n';
  std::size_t widest = 0;
  for (const JudgedAnswer& j : step.judgements) widest = std::max(widest, shown_width(j.question->key));
  for (const JudgedAnswer& j : step.judgements) {
    const std::string& key = j.question->key;
    out << "  " << key << std::string(widest - shown_width(key), ' ') << "  "
        << shortened(shown_answer(j), kFeedbackWidth / 2) << (shown_answer(j).empty() ? "" : ": ")
        << standing_text(j, step, student.texts) << '\n';
    if (shown_answer(j).empty()) continue;  // that is all there is to say
    for (const std::string& sentence : j.says)
      for (const std::string& line : markdown_lines(sentence)) write_wrapped(line, std::string(widest + 4, ' '), out);
  }
}

/// What the student may do now.
std::string next_text(const StudentLab& student, const CheckedLab& check) {
  if (!check.opened.empty()) return student.texts.say("check.opened", {{"step", check.opened}});
  if (check.is_done) return student.texts.say("check.done");
  Words missing;
  for (const JudgedAnswer& j : check.steps.back().judgements)
    if (!j.is_readable()) missing.push_back(j.question->key);
  return student.texts.say("check.missing",
                           {{"step", student.lab.steps[check.steps.back().step].name}, {"questions", joined(missing)}});
}

}  // namespace

std::string shown_answer(const JudgedAnswer& judgement) {
  const bool is_empty = std::ranges::all_of(judgement.answer, [](const std::string& text) { return text.empty(); });
  if (is_empty) return "";
  if (judgement.question->items.empty()) return one_line(judgement.answer.front());
  Words parts;
  for (std::size_t i = 0; i < judgement.answer.size() && i < judgement.question->items.size(); ++i)
    parts.push_back(judgement.question->items[i] + ": " + one_line(judgement.answer[i]));
  return joined(parts);
}

std::string standing_word(AnswerStanding standing, const Texts& texts) {
  return texts.say(kStandingKeys[static_cast<std::size_t>(standing)]);
}

std::string standing_text(const JudgedAnswer& judgement, const JudgedStep& step, const Texts& texts) {
  if (step.is_tampered()) return texts.say("standing.tampered");
  if (step.is_hidden && judgement.is_readable()) return texts.say("standing.noted");
  if (judgement.standing == AnswerStanding::missing && !shown_answer(judgement).empty())
    return texts.say("standing.incomplete");
  const std::string standing = standing_word(judgement.standing, texts);
  if (!(judgement.question->marks > 0) || !judgement.is_readable()) return standing;
  const bool is_one = judgement.question->marks == 1;
  return texts.say(is_one ? "standing.with-mark" : "standing.with-marks", {{"standing", standing},
                                           {"marks", shown_marks(judgement.marks)},
                                           {"most", short_number(judgement.question->marks)}});
}

double rounded_marks(double marks) { return std::round(100 * marks) / 100; }

std::string shown_marks(double marks) { return short_number(rounded_marks(marks)); }

std::string marks_text(const StudentLab& student, const std::vector<JudgedStep>& steps) {
  const double marks =
      std::accumulate(steps.begin(), steps.end(), 0.0, [](double sum, const JudgedStep& s) { return sum + s.marks(); });
  return student.texts.say("check.marks", {{"marks", shown_marks(marks)}, {"most", short_number(student.lab.marks())}});
}

void write_feedback(const StudentLab& student, const CheckedLab& check, std::ostream& out) {
  out << student.lab.title << '\n';
  for (const JudgedStep& step : check.steps) write_judged_step(student, step, out);
  out << '\n';
  for (const std::string& remark : check.remarks) write_wrapped(remark, "", out);
  if (check.is_locked) write_wrapped(student.texts.say("check.locked"), "", out);
  write_wrapped(marks_text(student, check.steps), "", out);
  write_wrapped(next_text(student, check), "", out);
}

}  // namespace nowsim

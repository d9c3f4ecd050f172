// Making a student's problem, and judging step by step.
#include "experiments/driver/labs/student_lab.hpp"

#include <algorithm>
#include <filesystem>
#include <numeric>

#include "experiments/driver/labs/facts.hpp"
#include "experiments/driver/labs/problem.hpp"
#include "sim/base/text.hpp"
#include "sim/base/utf8.hpp"

namespace nowsim {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostIdCharacters = 100;

/// What Persian and India's scripts have between letters.
bool joins_letters(char32_t code) { return code == 0x200C || code == 0x200D; }

/// A file of code lies beside the answers, wherever nowsim is called from, and nowhere else. @throws InputError where
/// the answer names one elsewhere.
LabAnswer found_code(const Question& question, const LabAnswer& answer, const std::string& folder) {
  if (question.kind != Question::Kind::trial || question.takes != Question::Takes::code) return answer;
  LabAnswer found = answer;
  for (std::string& text : found) {
    if (!text.ends_with(kCodeEnding)) continue;
    const fs::path name = fs::path(text).filename();
    if (fs::path(text).lexically_normal() != name)
      throw InputError(quoted(text) + " names a folder: a file of code lies beside the answers, and its name alone is "
                       "wanted, " + quoted(name.string()));
    text = fs::absolute(fs::path(folder) / name).string();
  }
  return found;
}

JudgedAnswer judged_with_code(StudentLab& student, const std::string& folder, const Question& question,
                              const LabAnswer& answer, bool reveals) {
  LabAnswer found;
  try {
    found = found_code(question, answer, folder);
  } catch (const InputError& e) {
    return unreadable_answer(question, e.what(), student.texts);
  }
  return judge_answer(student.facts, question, found, reveals, student.texts);
}

/// Before it is locked in: whether it is meant so, and nothing else.
void ask_back(JudgedAnswer& judgement) {
  judgement.standing = AnswerStanding::unclear;
  judgement.says = {judgement.asks_back};
  judgement.wrong_items.clear();
  judgement.marks = 0;
}

/// Nothing of it is said but that it can be read.
void hide(JudgedAnswer& judgement) {
  if (!judgement.is_readable()) return;
  judgement.says.clear();
  judgement.misconception.clear();
  judgement.wrong_items.clear();
  judgement.score.reset();
  judgement.runs.clear();
  judgement.remarks.clear();
  judgement.marks = 0;
}

}  // namespace

StudentLab::StudentLab(const Lab& described, const LabOwner& owner, const Registries& registries, FactOptions options)
    : lab(described),
      texts(texts_beside(lab.folder)),
      problem(make_problem(lab, owner, registries, options)),
      facts(lab, problem, registries, std::move(options)) {}

StudentLab::StudentLab(const Lab& described, const Problem& known, const Registries& registries, FactOptions options)
    : lab(described),
      texts(texts_beside(lab.folder)),
      problem(known),
      facts(lab, problem, registries, std::move(options)) {}

bool JudgedStep::is_complete() const {
  return std::ranges::all_of(judgements, [](const JudgedAnswer& j) { return j.is_readable(); });
}

double JudgedStep::marks() const {
  return std::accumulate(judgements.begin(), judgements.end(), 0.0,
                         [](double sum, const JudgedAnswer& j) { return sum + j.marks; });
}

std::string checked_id(const std::string& id) {
  const std::string text(trimmed(id));
  if (text.empty()) throw InputError("an ID has to be given: a name, or a number");
  std::size_t characters = 0;
  for (std::string_view rest = text; !rest.empty(); ++characters) {
    const Utf8Character c = first_character(rest);
    if (!c.is_whole || is_control(c.code))
      throw InputError("the ID " + quoted(text) + " has bytes that are no characters to be shown");
    if (is_unseen(c.code) && !joins_letters(c.code))
      throw InputError("the ID " + quoted(text) + " holds " + foreign_character(rest) + ", which nobody sees");
    rest.remove_prefix(c.bytes);
  }
  if (characters > kMostIdCharacters) throw InputError("the ID " + quoted(text) + " is longer than 100 characters");
  return text;
}

JudgedStep judge_step(StudentLab& student, const std::string& folder, std::size_t step, const AnsweredStep& answered,
                      bool is_final) {
  const LabStep& described = student.lab.steps[step];
  JudgedStep judged{.step = step, .lock = answered.lock};
  judged.is_hidden = described.is_prediction && answered.lock == AnsweredStep::Lock::none && !is_final;
  const bool reveals = described.is_prediction && !judged.is_hidden;
  const std::vector<LabAnswer> counted = answered.counted();
  for (std::size_t q = 0; q < counted.size(); ++q) {
    const Question& question = described.questions[q];
    // What cannot be told of an answer once it is locked in is found before.
    JudgedAnswer judgement = judged_with_code(student, folder, question, counted[q], reveals || judged.is_hidden);
    judgement.answer = counted[q];
    if (judged.is_hidden && !judgement.asks_back.empty()) ask_back(judgement);
    if (judged.is_hidden) hide(judgement);
    judged.judgements.push_back(std::move(judgement));
    if (answered.lock == AnsweredStep::Lock::sound && answered.written[q] != answered.locked[q])
      judged.changed.push_back(question.key);
  }
  return judged;
}

std::vector<std::string> step_remarks(const StudentLab& student, const JudgedStep& step) {
  const NamedTexts names{{"step", student.lab.steps[step.step].name}, {"lock", lock_key(step.step)}};
  std::vector<std::string> remarks;
  if (step.lock == AnsweredStep::Lock::changed)
    remarks.push_back(student.texts.say("remark.lock-changed", names));
  if (step.lock == AnsweredStep::Lock::lost) remarks.push_back(student.texts.say("remark.lock-lost", names));
  for (const std::string& key : step.changed)
    remarks.push_back(student.texts.say("remark.answer-changed", {{"question", key}}));
  for (const JudgedAnswer& judgement : step.judgements)
    remarks.insert(remarks.end(), judgement.remarks.begin(), judgement.remarks.end());
  return remarks;
}

}  // namespace nowsim

// Grading by the answers file alone, and totals.
#include "experiments/driver/labs/grading.hpp"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <map>
#include <new>

#include "experiments/driver/labs/feedback.hpp"
#include "experiments/driver/labs/lab_folder.hpp"
#include "experiments/driver/labs/markdown.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/utf8.hpp"

namespace nowsim {
namespace {

namespace fs = std::filesystem;

GradedAnswer graded_answer(const StudentLab& student, const std::string& step, const JudgedAnswer& judged) {
  const Question& question = *judged.question;
  return {.step = step,
          .question = question.key,
          .answer = shown_answer(judged),
          .standing = standing_word(judged.standing, student.texts),
          .misconception = judged.misconception,
          .marks = judged.marks,
          .most = question.marks,
          .on_board = question.on_board,
          .score_unit = question.score_unit,
          .score = judged.score,
          .share = judged.share,
          .none = judged.none,
          .full = judged.full};
}

/// Questions of steps that were never opened.
void add_unopened(const StudentLab& student, std::size_t open, GradedFolder& graded) {
  for (std::size_t s = open; s < student.lab.steps.size(); ++s)
    for (const Question& q : student.lab.steps[s].questions)
      graded.answers.push_back({.step = student.lab.steps[s].name,
                                .question = q.key,
                                .standing = standing_word(AnswerStanding::missing, student.texts),
                                .most = q.marks});
}

void check_course(const StudentLab& student, const Course& course, GradedFolder& graded) {
  const LabOwner& owner = student.problem.owner;
  if (!course.has(owner))
    graded.remarks.push_back(
        student.texts.say("remark.other-course", {{"course", owner.course}, {"seed", std::to_string(owner.seed)}}));
  if (course.weight(graded.lab) == 0)
    graded.remarks.push_back(student.texts.say("remark.other-lab", {{"lab", graded.lab}}));
  graded.counts = course.has(owner) && course.weight(graded.lab) > 0;
}

/// Whether it is no student's folder, and holds some.
bool holds_folders(const std::string& folder) {
  std::error_code ignored;
  if (fs::exists(answers_path(folder), ignored)) return false;
  const fs::directory_iterator inside(folder, ignored);
  return std::ranges::any_of(inside, [](const fs::path& entry) {
    std::error_code not_there;
    return fs::exists(entry / kAnswersFile, not_there);
  });
}

void grade_into(GradedFolder& graded, const GradingOptions& options) {
  if (holds_folders(graded.folder))
    throw InputError(options.texts.say("remark.folder-of-folders", {{"folder", graded.folder}}));
  const std::string path = answers_path(graded.folder);
  const AnswersFile file = read_answers_file(path, options.texts);
  graded.id = file.owner.id;
  graded.lab = file.lab;
  FactOptions facts = options.facts;
  facts.is_final = true;
  StudentLab student(options.lab(file.lab), file.owner, options.registries, facts);
  graded.most = student.lab.marks();
  const std::vector<AnsweredStep> open = answered_steps(file, student.lab, student.problem, student.texts);
  for (std::size_t s = 0; s < open.size(); ++s) {
    const JudgedStep judged = judge_step(student, fs::path(path).parent_path().string(), s, open[s], true);
    const auto remarks = step_remarks(student, judged);
    graded.remarks.insert(graded.remarks.end(), remarks.begin(), remarks.end());
    for (const JudgedAnswer& answer : judged.judgements) {
      graded.answers.push_back(graded_answer(student, student.lab.steps[s].name, answer));
      if (answer.standing != AnswerStanding::unreadable) continue;
      const std::string why = joined(markdown_lines(answer.says.front()));
      graded.remarks.push_back(
          student.texts.say("remark.unreadable", {{"question", answer.question->key}, {"why", why}}));
    }
    graded.marks += judged.marks();
  }
  add_unopened(student, open.size(), graded);
  if (options.course != nullptr) check_course(student, *options.course, graded);
}

/// A sentence in which the folder is named, whose name may hold an end of line.
std::string in_one_line(std::string sentence, const std::string& folder) {
  const std::string shown = shown_line(folder);
  if (shown == folder) return sentence;
  for (std::size_t at = 0; (at = sentence.find(folder, at)) != sentence.npos; at += shown.size())
    sentence.replace(at, folder.size(), shown);
  return sentence;
}

}  // namespace

GradedFolder grade_folder(const std::string& folder, const GradingOptions& options) {
  GradedFolder graded{.folder = folder};
  const auto fails = [&](const std::string& why) {
    graded.failure = why;
    graded.counts = false;
    graded.marks = 0;
    graded.answers.clear();
  };
  try {
    grade_into(graded, options);
  } catch (const std::bad_alloc&) {
    fails(options.texts.say("remark.no-memory"));
  } catch (const std::exception& e) {  // whatever it is, the other folders are graded
    fails(in_one_line(e.what(), folder));
  }
  return graded;
}

std::vector<GradedFolder> grade_folders(const std::vector<std::string>& folders, const GradingOptions& options) {
  std::vector<GradedFolder> graded;
  std::map<std::pair<std::string, std::string>, std::size_t> first;
  std::map<std::size_t, Words> others;  // of the first of several
  for (const std::string& folder : folders) {
    GradedFolder one = grade_folder(folder, options);
    if (one.counts) {
      const auto [known, is_new] = first.emplace(std::pair{one.id, one.lab}, graded.size());
      if (!is_new) {
        one.counts = false;
        one.remarks.push_back(
            options.texts.say("remark.twice", {{"folder", shown_line(graded[known->second].folder)}}));
        others[known->second].push_back(shown_line(folder));
      }
    }
    graded.push_back(std::move(one));
  }
  for (const auto& [known, more] : others)
    graded[known].remarks.push_back(options.texts.say("remark.twice-first", {{"folders", joined(more)}}));
  return graded;
}

double total_percent(const std::vector<GradedFolder>& folders, const std::string& id, const Course* course) {
  double sum = 0, weights = 0;
  for (const GradedFolder& f : folders) {
    if (f.id != id || !f.counts) continue;
    const double weight = course != nullptr ? course->weight(f.lab) : 1;
    sum += weight * f.percent();
    weights += weight;
  }
  if (course != nullptr) {
    weights = 0;
    for (const auto& [lab, weight] : course->labs) weights += weight;
  }
  return weights > 0 ? sum / weights : 0;
}

std::vector<std::string> missing_labs(const std::vector<GradedFolder>& folders, const std::string& id,
                                      const Course* course) {
  std::vector<std::string> missing;
  if (course == nullptr) return missing;
  for (const auto& [lab, weight] : course->labs) {
    const auto is_there = [&](const GradedFolder& f) { return f.id == id && f.lab == lab && f.counts; };
    if (weight > 0 && std::ranges::none_of(folders, is_there)) missing.push_back(lab);
  }
  return missing;
}

}  // namespace nowsim

// Grading by the answers file alone, and totals.
#include "experiments/driver/labs/grading.hpp"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <map>
#include <new>
#include <set>
#include <utility>

#include "experiments/driver/labs/feedback.hpp"
#include "experiments/driver/labs/lab_folder.hpp"
#include "experiments/driver/labs/markdown.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/text.hpp"
#include "sim/base/user_file.hpp"
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
  graded.signature = file.signature;
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
      graded.answers.back().failure =
          student.texts.say("remark.unreadable",
                            {{"question", answer.question->key}, {"why", joined(markdown_lines(answer.says.front()))}});
      graded.remarks.push_back(graded.answers.back().failure);
    }
    graded.marks += judged.marks();
  }
  add_unopened(student, open.size(), graded);
  if (options.course != nullptr) check_course(student, *options.course, graded);
}

/// What the head of an answers file says of whose it is, where the file as a whole cannot be read: line by line.
void look_into_head(GradedFolder& graded) try {
  const std::string path = answers_path(graded.folder), text = read_user_file(path, kMostAnswersBytes);
  for (const std::string_view line : TextLines(text, path))
    for (const auto& [key, to] : {std::pair("id", &graded.id), std::pair("lab", &graded.lab)})
      if (to->empty() && line.starts_with(std::string(key) + ":")) {
        const YamlNode head = parse_yaml(std::string(line), path);
        if (const YamlNode* said = head.find(key)) *to = said->text;
      }
} catch (const std::exception&) {  // nothing more is known of it
}

/// A sentence in which the folder is named, whose name may hold an end of line.
std::string in_one_line(std::string sentence, const std::string& folder) {
  const std::string shown = shown_line(folder);
  if (shown == folder) return sentence;
  for (std::size_t at = 0; (at = sentence.find(folder, at)) != sentence.npos; at += shown.size())
    sentence.replace(at, folder.size(), shown);
  return sentence;
}

/// Of several folders of one ID and lab the one with most marks counts, of these the first; each says so.
void count_the_best(std::vector<GradedFolder>& graded, const Texts& texts) {
  std::map<std::pair<std::string, std::string>, std::vector<GradedFolder*>> all;
  for (GradedFolder& f : graded)
    if (f.counts) all[{f.id, f.lab}].push_back(&f);
  for (const auto& [whose, several] : all) {
    if (several.size() < 2) continue;
    GradedFolder& best = **std::ranges::max_element(several, {}, &GradedFolder::marks);
    Words others;
    for (GradedFolder* f : several) {
      f->is_one_of_several = true;
      if (f == &best) continue;
      f->counts = false;
      f->remarks.push_back(texts.say("remark.twice", {{"folder", shown_line(best.folder)}}));
      others.push_back(shown_line(f->folder));
    }
    best.remarks.push_back(texts.say("remark.twice-best", {{"folders", joined(others)}}));
  }
}

/// A problem's signature is of its ID too, so that another's is copied. Of folders that are graded and have one ID
/// it is said already that they are several.
void tell_same_problems(std::vector<GradedFolder>& graded, const Texts& texts) {
  std::map<std::string, std::vector<GradedFolder*>> all;
  for (GradedFolder& f : graded)
    if (!f.signature.empty()) all[f.signature].push_back(&f);
  for (const auto& [signature, alike] : all)
    for (GradedFolder* f : alike) {
      Words others;
      for (const GradedFolder* other : alike) {
        const bool is_known = f->is_one_of_several && other->is_one_of_several && f->id == other->id;
        if (other != f && !is_known) others.push_back(shown_line(other->id) + " (" + shown_line(other->folder) + ")");
      }
      if (!others.empty()) f->remarks.push_back(texts.say("remark.same-problem", {{"folders", joined(others)}}));
    }
}

/// Folders that cannot be read and are called as a listed student's are: by the ID, or as `nowsim lab start` does.
void know_by_name(std::vector<GradedFolder>& graded, const Course& course, const Texts& texts) {
  std::map<std::string, std::string> ids;  // by name; "": of several students
  const auto is_of = [&ids](const std::string& name, const std::string& id) {
    const auto [known, is_new] = ids.emplace(name, id);
    if (!is_new && known->second != id) known->second.clear();
  };
  for (const ListedStudent& student : course.students) {
    is_of(student.id, student.id);
    for (const auto& [lab, weight] : course.labs) is_of(folder_name(lab, student.id), student.id);
  }
  for (GradedFolder& f : graded) {
    if (!f.id.empty()) continue;
    fs::path path = fs::path(f.folder).lexically_normal();
    if (!path.has_filename() || path.filename() == kAnswersFile) path = path.parent_path();
    const auto known = ids.find(path.filename().string());
    if (known == ids.end() || known->second.empty()) continue;
    f.id = known->second;
    f.remarks.push_back(texts.say("remark.by-name", {{"id", f.id}}));
  }
}

/// Tells whose ID the course's list does not have, and puts behind the folders who has none.
void hold_against_list(std::vector<GradedFolder>& graded, const Course& course, const Texts& texts) {
  Words listed;
  std::set<std::string> absent;
  for (const ListedStudent& student : course.students) listed.push_back(student.id);
  absent.insert(listed.begin(), listed.end());
  const std::set<std::string> all = absent;
  for (GradedFolder& f : graded) {
    absent.erase(f.id);
    if (!f.id.empty() && !all.contains(f.id))
      f.remarks.push_back(
          texts.say("remark.not-listed", {{"id", quoted(shown_line(f.id))}, {"meant", did_you_mean(f.id, listed)}}));
  }
  for (const std::string& id : listed) {
    if (!absent.contains(id)) continue;
    graded.push_back({.id = id, .counts = false, .is_absent = true});
    graded.back().remarks.push_back(texts.say("remark.absent"));
  }
}

}  // namespace

GradedFolder grade_folder(const std::string& folder, const GradingOptions& options) {
  GradedFolder graded{.folder = folder};
  const auto fails = [&](const std::string& why) {
    graded.failure = why;
    graded.counts = false;
    graded.marks = 0;
    graded.answers.clear();
    if (graded.id.empty()) look_into_head(graded);
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
  for (const std::string& folder : folders) graded.push_back(grade_folder(folder, options));
  const bool has_list = options.course != nullptr && !options.course->students.empty();
  if (has_list) know_by_name(graded, *options.course, options.texts);
  count_the_best(graded, options.texts);
  tell_same_problems(graded, options.texts);
  if (has_list) hold_against_list(graded, *options.course, options.texts);
  return graded;
}

bool is_settled(const std::vector<GradedFolder>& folders) {
  return std::ranges::all_of(folders, [](const GradedFolder& f) { return f.failure.empty() && !f.is_one_of_several; });
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

// Reading a course's file and lists of students; grading by the answers file alone, and totals.
#include "experiments/driver/labs/grading.hpp"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <map>
#include <new>
#include <set>
#include <string_view>

#include "experiments/driver/labs/lab.hpp"
#include "experiments/driver/labs/texts.hpp"
#include "experiments/driver/text/formats.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/units.hpp"
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

// ---- a course ------------------------------------------------------------------------------------------------------

namespace {

constexpr const char* kStudents = "students";
constexpr std::size_t kMostColumnsWithoutHead = 2;        // ID and name
constexpr std::string_view kRosterMark = "\xEF\xBB\xBF";  // a byte order mark, as spreadsheets write it

/// Where a column stands in a head, in whatever capitals; behind the last one where it has none.
std::size_t roster_column(const Words& head, const std::string& name) {
  const auto is_it = [&](const std::string& cell) { return lower_case(std::string(trimmed(cell))) == name; };
  return static_cast<std::size_t>(std::ranges::find_if(head, is_it) - head.begin());
}

std::string roster_cell(const Words& row, std::size_t column) {
  return column < row.size() ? std::string(trimmed(row[column])) : "";
}

/// @throws InputError naming the file where it is no such list.
std::vector<ListedStudent> students_in(const std::string& file) {
  std::string text = read_user_file(file, kMostDescriptionBytes);
  if (text.starts_with(kRosterMark)) text.erase(0, kRosterMark.size());
  CsvRows csv = parse_csv(text, file);
  std::size_t id = roster_column(csv.head, "id"), name = roster_column(csv.head, "name");
  if (id == csv.head.size()) {
    const bool has_other_commas = csv.head.size() == 1 && csv.head.front().find_first_of(";\t") != std::string::npos;
    if (has_other_commas || name < csv.head.size() || csv.head.size() > kMostColumnsWithoutHead)
      throw InputError({file, 1, ""},
                       "a list of students is CSV, with commas, whose head has the column 'id' (and "
                       "'name', if there is one), or each line has an ID alone, or an ID and a name; "
                       "here stands: " +
                           quoted(joined(csv.head)));
    csv.rows.insert(csv.rows.begin(), csv.head);  // it is a student's
    id = 0;
    name = 1;
  }
  std::vector<ListedStudent> students;
  for (const Words& row : csv.rows)
    if (row.size() > 1 || !trimmed(row.front()).empty())
      students.push_back({roster_cell(row, id), roster_cell(row, name)});
  return students;
}

/// As they are written, in the course's file or in one of their own.
std::vector<ListedStudent> written_students(MapBlock& course, const YamlNode& node, const std::string& file, ReadRoster read) {
  std::vector<ListedStudent> students;
  if (node.kind == YamlNode::Kind::scalar) {
    if (read == ReadRoster::always)
      students = students_in((fs::path(file).parent_path() / node.text).string());
    return students;
  }
  for (const auto& item : node.items) {
    if (item.kind != YamlNode::Kind::scalar) course.problem(kStudents, "here stands a list of IDs");
    students.push_back({item.text, ""});
  }
  for (const auto& [id, name] : node.entries) {
    if (name.kind != YamlNode::Kind::scalar && name.kind != YamlNode::Kind::null)
      course.problem(kStudents, quoted(id) + " is to have a name");
    students.push_back({id, name.text});
  }
  return students;
}

/// What `students:` says in a course's file: a list of IDs, a map of IDs and names, or the name of a file beside it,
/// CSV with a column 'id' and perhaps 'name', or IDs (and names behind a comma) alone. Nothing where the key is not
/// there; problems are noted, as of an ID that is none or is there twice.
std::vector<ListedStudent> read_roster(MapBlock& course, const std::string& file, ReadRoster read) {
  const YamlNode* node = course.node().find(kStudents);
  if (node == nullptr) return {};
  std::vector<ListedStudent> students;
  try {
    students = written_students(course, *node, file, read);
  } catch (const InputError& e) {
    course.problem(kStudents, e.what());
    return {};
  }
  const bool is_read = node->kind != YamlNode::Kind::scalar || read == ReadRoster::always;
  if (is_read && students.empty()) course.problem(kStudents, "no student is in this list");
  std::set<std::string> ids;
  for (ListedStudent& student : students) try {
      student.id = checked_id(student.id);
      if (!ids.insert(student.id).second) course.problem(kStudents, "the ID " + quoted(student.id) + " is there twice");
    } catch (const InputError& e) {
      course.problem(kStudents, e.what());
    }
  return students;
}

constexpr const char* kCourseVersion = "nowsim-course";

double read_weight(const NamedTexts::value_type& lab, MapBlock& block) {
  if (lab.second.empty()) return 1;  // a plain list of labs
  try {
    const double weight = parse_quantity(lab.second, Dimension::number);
    if (weight >= 0) return weight;
    block.problem("labs", "the weight of '" + lab.first + "' is less than 0");
  } catch (const InputError& e) {
    block.problem("labs", "the weight of '" + lab.first + "': " + e.what());
  }
  return 0;
}

Course read_course_block(MapBlock& block, const Words& known, const std::string& file, ReadRoster roster) {
  Course course;
  if (block.read().whole(kCourseVersion) != 1) block.problem(kCourseVersion, "this nowsim reads 'nowsim-course: 1'");
  course.name = lab_text(block, "name");
  course.seed = static_cast<std::uint64_t>(block.read().whole("seed"));
  for (const auto& lab : named_texts(block, "labs")) {
    course.labs.emplace_back(lab.first, read_weight(lab, block));
    if (!contains(known, lab.first))
      block.problem("labs", "there is no lab " + quoted(lab.first) + did_you_mean(lab.first, known));
  }
  if (course.labs.empty()) block.problem("labs", "a course has labs, such as 'labs: {slowest: 1, gantt: 2}'");
  course.students = read_roster(block, file, roster);
  return course;
}

}  // namespace

bool Course::has_names() const {
  return std::ranges::any_of(students, [](const ListedStudent& student) { return !student.name.empty(); });
}

std::string Course::name_of(const std::string& id) const {
  const auto listed = std::ranges::find(students, id, &ListedStudent::id);
  return listed == students.end() ? "" : listed->name;
}

bool Course::has_lab(const std::string& lab) const {
  return std::ranges::any_of(labs, [&](const auto& known) { return known.first == lab; });
}

double Course::weight(const std::string& lab) const {
  const auto found = std::ranges::find(labs, lab, &std::pair<std::string, double>::first);
  return found == labs.end() ? 0 : found->second;
}

Course read_course(const std::string& file, const std::vector<std::string>& known_labs, ReadRoster roster) {
  static const KeyTable keys{{kCourseVersion, KeyType::count, kMustBeGiven, "the format's version, 1"},
                             {"name", KeyType::text, kMustBeGiven, "what it is called"},
                             {"seed", KeyType::count, "0", "of everybody's numbers"},
                             lab_entries("labs", "which count, and how much"),
                             lab_entries(kStudents, "who is in it: IDs, with names or without, or a file of them")};
  const YamlNode root = read_yaml(file);
  Problems problems;
  Course course = read_block(root, "", keys, {file, problems}, [&](MapBlock& block) {
    return read_course_block(block, known_labs, file, roster);
  });
  if (!problems.empty()) throw InputError(problems.list());
  return course;
}

}  // namespace nowsim

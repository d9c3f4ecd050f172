// The keys of a course's file; lists of students in YAML and in CSV, and what is wrong with an ID.
#include "experiments/driver/labs/course.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <set>
#include <string_view>

#include "experiments/driver/labs/lab_block.hpp"
#include "experiments/driver/labs/student_lab.hpp"
#include "experiments/driver/text/formats.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/text.hpp"
#include "sim/base/user_file.hpp"

namespace nowsim {
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
      students = students_in((std::filesystem::path(file).parent_path() / node.text).string());
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
  if (!problems.empty()) throw InputErrors(problems.list());
  return course;
}

}  // namespace nowsim

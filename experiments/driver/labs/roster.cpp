// Lists in YAML and in CSV, and what is wrong with an ID.
#include "experiments/driver/labs/roster.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include "experiments/driver/labs/lab_block.hpp"
#include "experiments/driver/labs/student_lab.hpp"
#include "experiments/driver/text/csv_rows.hpp"
#include "experiments/driver/text/name_lists.hpp"
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
std::vector<ListedStudent> written_students(LabBlock& course, const YamlNode& node, ReadRoster read) {
  std::vector<ListedStudent> students;
  if (node.kind == YamlNode::Kind::scalar) {
    if (read == ReadRoster::always)
      students = students_in((std::filesystem::path(course.file()).parent_path() / node.text).string());
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

}  // namespace

std::vector<ListedStudent> read_roster(LabBlock& course, ReadRoster read) {
  const YamlNode* node = course.take(kStudents);
  if (node == nullptr) {
    if (course.has(kStudents)) course.problem(kStudents, "no student is in this list");
    return {};
  }
  std::vector<ListedStudent> students;
  try {
    students = written_students(course, *node, read);
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

}  // namespace nowsim

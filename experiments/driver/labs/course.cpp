// The keys of a course's file.
#include "experiments/driver/labs/course.hpp"

#include <algorithm>

#include "experiments/driver/labs/lab_block.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

constexpr const char* kCourseVersion = "nowsim-course";

double read_weight(const NamedTexts::value_type& lab, LabBlock& block) {
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

Course read_course_blocks(LabBlock& block, const Words& known, ReadRoster roster) {
  Course course;
  if (block.count(kCourseVersion) != 1) block.problem(kCourseVersion, "this nowsim reads 'nowsim-course: 1'");
  course.name = block.text("name");
  course.seed = block.count("seed", 0);
  for (const auto& lab : block.named_texts("labs")) {
    course.labs.emplace_back(lab.first, read_weight(lab, block));
    if (!contains(known, lab.first))
      block.problem("labs", "there is no lab " + quoted(lab.first) + did_you_mean(lab.first, known));
  }
  if (course.labs.empty()) block.problem("labs", "a course has labs, such as 'labs: {slowest: 1, gantt: 2}'");
  course.students = read_roster(block, roster);
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
  const YamlNode root = read_yaml(file);
  Problems problems;
  Course course;
  {
    LabBlock block(root, file, "", problems);
    course = read_course_blocks(block, known_labs, roster);
  }
  if (!problems.empty()) throw InputErrors(problems.list());
  return course;
}

}  // namespace nowsim

// `nowsim lab`: which labs there are, its parts, and the flags that parts share.
#include "tools/commands/lab_command.hpp"

#include <algorithm>
#include <filesystem>
#include <ostream>

#include "experiments/driver/labs/lab.hpp"
#include "experiments/driver/reading/shipped_files.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "sim/base/error.hpp"
#include "tools/shipped/shipped_experiments.hpp"

namespace nowsim {

namespace {

std::vector<Command> lab_parts() {
  return {lab_start(), lab_check(), lab_grade(), lab_board(), lab_serve(), lab_key()};
}

int list_labs(const Arguments& arguments, Session& session) {
  const std::string folder = labs_folder(arguments);
  const Words names = labs_in(folder);
  DefinitionList lines;
  std::vector<InputProblem> problems;  // one lab's do not hide the others
  for (const std::string& name : names) {
    try {
      const Lab lab = lab_named(name, folder);
      lines.add(name, lab.question + " (" + std::to_string(lab.minutes) + " min)");
    } catch (const InputError& e) {
      problems.insert(problems.end(), e.problems().begin(), e.problems().end());
    }
  }
  lines.write(session.out);
  session.out << "\nTheir folders, each with a page for teachers (teacher.md), are in " << folder << "\n\n";
  print_parts(lab_parts(), session.out);
  if (!problems.empty()) throw InputError(problems);
  return 0;
}

/// `nowsim lab slowest`.
std::string meant_by_lab(const std::string& word) {
  const std::string folder = shipped_labs_folder();
  return !folder.empty() && contains(labs_in(folder), word) ? "start " + word : "";
}

}  // namespace

void add_lab_flags(Flags& flags) {
  flags.add({{"labs", taking(Kind::folder), "a folder of labs of your own, with nowsim's texts.yaml in it"}});
  add_jobs_flag(flags);
}

void add_owner_flags(Flags& flags) {
  flags.add({{"as", taking(Kind::text).called("ID").needed(), "the student's ID: a name or a number; numbers are drawn by it"},
             {"course", taking(Kind::file), "a course's file: its name and seed are part of everybody's numbers"}});
}

std::string labs_folder(const Arguments& arguments) {
  const std::string folder = arguments.text_or_none("labs").value_or(shipped_labs_folder());
  if (folder.empty()) throw InputError("no labs were found in " + places_of_experiments());
  if (!std::filesystem::is_directory(folder))
    throw InputError(flag_place("labs", folder) + ": there is no such folder");
  if (!labs_in(folder).empty()) return folder;
  const std::filesystem::path path(folder);
  if (std::filesystem::exists(path / kLabFile))
    throw InputError(flag_place("labs", folder) + ": this folder is a lab; give the one that it is in, " +
                     (path / "..").lexically_normal().string());
  throw InputError(flag_place("labs", folder) + ": there are no labs in this folder");
}

Lab lab_named(const std::string& name, const std::string& labs_folder) {
  Lab lab = read_lab(find_lab(name, labs_folder));
  lab.by_flag = labs_folder != shipped_labs_folder();
  return lab;
}

Texts texts_of_labs(const Arguments& arguments) {
  return Texts((std::filesystem::path(labs_folder(arguments)) / "texts.yaml").string());
}

std::optional<Course> course_flag(const Arguments& arguments, ReadRoster roster) {
  const auto file = arguments.text_or_none("course");
  return file ? std::optional(read_course(*file, labs_in(labs_folder(arguments)), roster)) : std::nullopt;
}

LabOwner lab_owner(const Arguments& arguments, const std::string& lab) {
  const std::string checked = checked_id(arguments.text("as"));
  const std::optional<Course> course = course_flag(arguments);
  if (!course) return Course{}.owner(checked);
  if (course->has_lab(lab)) return course->owner(checked);
  Words labs;
  for (const auto& known : course->labs) labs.push_back(known.first);
  throw InputError(flag_place("course", arguments.text("course")) + ": this course has no lab " + quoted(lab) +
                   ", only " + joined(labs));
}

FactOptions fact_options(const Arguments& arguments) {
  return {.jobs = jobs_of(arguments), .shipped_labs = shipped_labs_folder()};
}

Command lab_command() {
  return {.name = "lab",
          .summary = "labs to learn by: predict, run, be told; and their grades",
          .add_flags = add_lab_flags,
          .run = list_labs,
          .parts = lab_parts(),
          .page = "labs",
          .meant = meant_by_lab};
}

}  // namespace nowsim

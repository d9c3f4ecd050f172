// `nowsim lab grade`, `board` and `key`: what teachers ask.
#include <filesystem>
#include <iostream>
#include <map>

#include "experiments/driver/labs/grading.hpp"
#include "tools/commands/lab_command.hpp"
#include "tools/running/output_files.hpp"
#include "tools/terminal/shown_stream.hpp"

namespace nowsim {

namespace {

constexpr std::size_t kMostFolders = 100000;

void add_grading_flags(Flags& flags) {
  flags.add({{"course", taking(Kind::file), "a course's file: which labs count, and how much"},
             {"unconfined", kSwitch, "run students' code also where it cannot be confined"}});
}

/// The folders of the words, graded. `texts` are those of the labs' folder.
std::vector<GradedFolder> graded(const ParsedFlags& parsed, const Registries& registries, const Course* course,
                                 const Texts& texts) {
  const std::string folder = labs_folder(parsed.flags);
  std::map<std::string, Lab> known;
  const auto lab = [&](const std::string& name) {
    const auto found = known.find(name);
    return found != known.end() ? found->second : known.emplace(name, lab_named(name, folder)).first->second;
  };
  FactOptions options = fact_options(parsed.flags);
  options.must_confine = !parsed.flags.has("unconfined");
  return grade_folders(parsed.words, {registries, lab, texts, course, options});
}

void add_lab_grade_flags(Flags& flags) {
  add_grading_flags(flags);
  flags.add({{"questions", kSwitch, "a row for each question"}});
  add_format_flag(flags, "marks as ");
  flags.add({{"csv", kSwitch, "the same as --format csv"}});
  add_lab_flags(flags);
}

int do_lab_grade(const ParsedFlags& parsed, const Registries& registries) {
  const Format format = parsed.flags.has("csv") ? Format::csv : parse_format(parsed.flags.text("format"));
  const std::optional<Course> course = course_flag(parsed.flags, ReadRoster::always);
  const Texts texts = texts_of_labs(parsed.flags);
  const auto folders = graded(parsed, registries, course ? &*course : nullptr, texts);
  const ShownStream shown(std::cout);
  write_grades(folders, course ? &*course : nullptr, parsed.flags.has("questions"), texts, format, std::cout);
  return is_settled(folders) ? 0 : 1;
}

void add_lab_board_flags(Flags& flags) {
  add_grading_flags(flags);
  flags.add({{"page", taking(Kind::file, {".html"}), "FILE.html: the same as a page to show"}});
  add_lab_flags(flags);
}

int do_lab_board(const ParsedFlags& parsed, const Registries& registries) {
  const std::string page = output_file_flag(parsed.flags, "page", {".html"}, "a page is HTML");
  const std::optional<Course> course = course_flag(parsed.flags, ReadRoster::always);
  const Texts texts = texts_of_labs(parsed.flags);
  const auto folders = graded(parsed, registries, course ? &*course : nullptr, texts);
  const auto boards = boards_of(folders);
  const ShownStream shown(std::cout);
  write_boards(boards, texts, std::cout);
  for (const GradedFolder& f : folders)
    for (const std::string& remark : board_remarks(f, texts)) std::cout << remark_line(f, remark);
  if (!page.empty()) write_and_tell(page, board_page(boards, texts), "page");
  return is_settled(folders) ? 0 : 1;
}

void add_lab_key_flags(Flags& flags) {
  add_owner_flags(flags);
  add_lab_flags(flags);
}

int do_lab_key(const ParsedFlags& parsed, const Registries& registries) {
  const LabOwner owner = lab_owner(parsed.flags, parsed.words.front());
  StudentLab student(lab_named(parsed.words.front(), labs_folder(parsed.flags)), owner, registries,
                     fact_options(parsed.flags));
  const ShownStream shown(std::cout);
  write_answer_key(student, std::cout);
  return 0;
}

}  // namespace

Command lab_grade() {
  return {"grade", "marks of many folders",
          "nowsim lab grade DIR|FILE... [--course FILE] [--format csv] [--questions] [--unconfined] [flags]",
          Places{{.kinds = {Kind::folder, {Kind::file, {".yaml"}}}, .most = kMostFolders}}, add_lab_grade_flags,
          do_lab_grade};
}

Command lab_board() {
  return {"board", "the class's scores, with intervals",
          "nowsim lab board DIR|FILE... [--course FILE] [--page FILE.html] [--unconfined] [flags]",
          Places{{.kinds = {Kind::folder, {Kind::file, {".yaml"}}}, .most = kMostFolders}}, add_lab_board_flags,
          do_lab_board};
}

Command lab_key() {
  return {"key", "for teachers: a student's right answers", "nowsim lab key LAB --as ID [--course FILE] [flags]",
          Places{{.kinds = {Kind::lab}}}, add_lab_key_flags, do_lab_key};
}

}  // namespace nowsim

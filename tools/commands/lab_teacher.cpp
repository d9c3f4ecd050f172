// `nowsim lab grade`, `board` and `key`: what teachers ask.
#include <filesystem>
#include <ostream>
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
std::vector<GradedFolder> graded(const Arguments& arguments, Session& session, const Course* course,
                                 const Texts& texts) {
  const std::string folder = labs_folder(arguments);
  std::map<std::string, Lab> known;
  const auto lab = [&](const std::string& name) {
    const auto found = known.find(name);
    return found != known.end() ? found->second : known.emplace(name, lab_named(name, folder)).first->second;
  };
  FactOptions options = fact_options(arguments);
  options.must_confine = !arguments.has("unconfined");
  return grade_folders(arguments.words, {session.known, lab, texts, course, options});
}

void add_lab_grade_flags(Flags& flags) {
  add_grading_flags(flags);
  flags.add({{"questions", kSwitch, "a row for each question"}});
  add_format_flag(flags, "marks are");
  flags.add({{"csv", kSwitch, "the same as --format csv"}});
  add_lab_flags(flags);
}

int do_lab_grade(const Arguments& arguments, Session& session) {
  const Format format = arguments.has("csv") ? Format::csv : format_of(arguments);
  const std::optional<Course> course = course_flag(arguments, ReadRoster::always);
  const Texts texts = texts_of_labs(arguments);
  const auto folders = graded(arguments, session, course ? &*course : nullptr, texts);
  const ShownStream shown(session.out);
  write_grades(folders, course ? &*course : nullptr, arguments.has("questions"), texts, format, session.out);
  return is_settled(folders) ? 0 : 1;
}

void add_lab_board_flags(Flags& flags) {
  add_grading_flags(flags);
  flags.add({{"page", written_file({".html"}, "a page is HTML"), "the same as a page to show"}});
  add_lab_flags(flags);
}

int do_lab_board(const Arguments& arguments, Session& session) {
  const std::string page = arguments.text("page");
  const std::optional<Course> course = course_flag(arguments, ReadRoster::always);
  const Texts texts = texts_of_labs(arguments);
  const auto folders = graded(arguments, session, course ? &*course : nullptr, texts);
  const auto boards = boards_of(folders);
  const ShownStream shown(session.out);
  write_boards(boards, texts, session.out);
  for (const GradedFolder& f : folders)
    for (const std::string& remark : board_remarks(f, texts)) session.out << remark_line(f, remark);
  if (!page.empty()) write_and_tell(session, page, board_page(boards, texts), "page");
  return is_settled(folders) ? 0 : 1;
}

void add_lab_key_flags(Flags& flags) {
  add_owner_flags(flags);
  add_lab_flags(flags);
}

int do_lab_key(const Arguments& arguments, Session& session) {
  const LabOwner owner = lab_owner(arguments, arguments.words.front());
  StudentLab student(lab_named(arguments.words.front(), labs_folder(arguments)), owner, session.known,
                     fact_options(arguments));
  const ShownStream shown(session.out);
  write_answer_key(student, session.out);
  return 0;
}

}  // namespace

Command lab_grade() {
  return {.name = "grade",
          .summary = "marks of many folders",
          .places = Places{{.kinds = {Kind::folder, {Kind::file, {".yaml"}}}, .most = kMostFolders}},
          .main = {"course", "format", "questions", "unconfined"},
          .add_flags = add_lab_grade_flags,
          .run = do_lab_grade,
          .of = "lab"};
}

Command lab_board() {
  return {.name = "board",
          .summary = "the class's scores, with intervals",
          .places = Places{{.kinds = {Kind::folder, {Kind::file, {".yaml"}}}, .most = kMostFolders}},
          .main = {"course", "page", "unconfined"},
          .add_flags = add_lab_board_flags,
          .run = do_lab_board,
          .of = "lab"};
}

Command lab_key() {
  return {.name = "key",
          .summary = "for teachers: a student's right answers",
          .places = Places{{.kinds = {Kind::lab}}},
          .main = {"as", "course"},
          .add_flags = add_lab_key_flags,
          .run = do_lab_key,
          .of = "lab"};
}

}  // namespace nowsim

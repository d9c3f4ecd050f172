// `nowsim lab start` and `nowsim lab check`: a student's folder.
#include <filesystem>
#include <ostream>

#include "experiments/driver/labs/lab_folder.hpp"
#include "experiments/driver/labs/lab_pages.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/output_file.hpp"
#include "tools/commands/lab_command.hpp"
#include "tools/terminal/shown_stream.hpp"

namespace nowsim {

namespace fs = std::filesystem;

namespace {

void add_lab_start_flags(Flags& flags) {
  add_owner_flags(flags);
  flags.add({{"out,o", taking(Kind::folder), "the folder to make; by default NAME-ID here"}});
  add_lab_flags(flags);
}

int do_lab_start(const Arguments& arguments, Session& session) {
  const LabOwner owner = lab_owner(arguments, arguments.words.front());
  const Lab lab = lab_named(arguments.words.front(), labs_folder(arguments));
  const std::string folder = arguments.text_or_none("out").value_or(folder_name(lab.name, owner.id));
  check_new_folder(folder, texts_of_labs(arguments));
  StudentLab student(lab, owner, session.known, fact_options(arguments));
  const auto remarks = start_lab(student, folder);
  const ShownStream shown(session.out);
  for (const std::string& remark : remarks) session.out << remark << '\n';
  const std::string page = (fs::path(folder) / kHandoutFile).string(), cd = "cd " + shell_word(folder);
  session.out << student.texts.say("start.done", {{"folder", folder}, {"page", page}, {"cd", cd}}) << '\n';
  return 0;
}

int do_lab_check(const Arguments& arguments, Session& session) {
  const std::string path = answers_path(arguments.words.empty() ? "." : arguments.words.front());
  const AnswersFile file = read_answers_file(path, texts_of_labs(arguments));
  StudentLab student(lab_named(file.lab, labs_folder(arguments)), file.owner, session.known,
                     fact_options(arguments));
  const std::string folder = fs::path(path).has_parent_path() ? fs::path(path).parent_path().string() : ".";
  const CheckedLab check = check_lab(student, folder, file);
  const std::string page = (fs::path(folder) / kFeedbackFile).lexically_normal().string();
  const std::string html = feedback_page(student, check);
  write_output_file(
      page, [&](std::ostream& out) { out << html; }, is_ours);
  const ShownStream shown(session.out);
  write_feedback(student, check, session.out);
  session.out << student.texts.say("check.page", {{"page", page}}) << '\n';
  return 0;
}

}  // namespace

Command lab_start() {
  return {.name = "start",
          .summary = "makes your folder: a handout and answers to fill in",
          .places = Places{{.kinds = {Kind::lab}}},
          .main = {"as", "course", "out"},
          .add_flags = add_lab_start_flags,
          .run = do_lab_start,
          .of = "lab"};
}

Command lab_check() {
  return {.name = "check",
          .summary = "locks in predictions, says how your answers stand, opens the next step",
          .places = Places{{.kinds = {Kind::folder, {Kind::file, {".yaml"}}}, .least = 0}},
          .add_flags = add_lab_flags,
          .run = do_lab_check,
          .of = "lab"};
}

}  // namespace nowsim

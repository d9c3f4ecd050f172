// `nowsim lab start` and `nowsim lab check`: a student's folder.
#include <filesystem>
#include <iostream>

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

int do_lab_start(const ParsedFlags& parsed, const Registries& registries) {
  const LabOwner owner = lab_owner(parsed.flags, parsed.words.front());
  const Lab lab = lab_named(parsed.words.front(), labs_folder(parsed.flags));
  const std::string folder = text_flag(parsed.flags, "out").value_or(folder_name(lab.name, owner.id));
  check_new_folder(folder, texts_of_labs(parsed.flags));
  StudentLab student(lab, owner, registries, fact_options(parsed.flags));
  const auto remarks = start_lab(student, folder);
  const ShownStream shown(std::cout);
  for (const std::string& remark : remarks) std::cout << remark << '\n';
  const std::string page = (fs::path(folder) / kHandoutFile).string(), cd = "cd " + shell_word(folder);
  std::cout << student.texts.say("start.done", {{"folder", folder}, {"page", page}, {"cd", cd}}) << '\n';
  return 0;
}

void add_lab_check_flags(Flags& flags) { add_lab_flags(flags); }

int do_lab_check(const ParsedFlags& parsed, const Registries& registries) {
  const std::string path = answers_path(parsed.words.empty() ? "." : parsed.words.front());
  const AnswersFile file = read_answers_file(path, texts_of_labs(parsed.flags));
  StudentLab student(lab_named(file.lab, labs_folder(parsed.flags)), file.owner, registries,
                     fact_options(parsed.flags));
  const std::string folder = fs::path(path).has_parent_path() ? fs::path(path).parent_path().string() : ".";
  const CheckedLab check = check_lab(student, folder, file);
  const std::string page = (fs::path(folder) / kFeedbackFile).lexically_normal().string();
  const std::string html = feedback_page(student, check);
  write_output_file(
      page, [&](std::ostream& out) { out << html; }, is_ours);
  const ShownStream shown(std::cout);
  write_feedback(student, check, std::cout);
  std::cout << student.texts.say("check.page", {{"page", page}}) << '\n';
  return 0;
}

}  // namespace

Command lab_start() {
  return {"start", "makes your folder: a handout and answers to fill in",
          "nowsim lab start LAB --as ID [--course FILE] [--out DIR] [flags]", Places{{.kinds = {Kind::lab}}},
          add_lab_start_flags, do_lab_start};
}

Command lab_check() {
  return {"check", "locks in predictions, says how your answers stand, opens the next step",
          "nowsim lab check [DIR|FILE] [flags]", Places{{.kinds = {Kind::folder, {Kind::file, {".yaml"}}}, .least = 0}},
          add_lab_check_flags, do_lab_check};
}

}  // namespace nowsim

// `nowsim lab start` and `nowsim lab check`: a student's folder.
#include <filesystem>
#include <iostream>

#include "experiments/driver/labs/feedback.hpp"
#include "experiments/driver/labs/handout.hpp"
#include "experiments/driver/text/output_file.hpp"
#include "tools/commands/lab_command.hpp"
#include "tools/shown_stream.hpp"

namespace nowsim {

namespace po = boost::program_options;
namespace fs = std::filesystem;

int lab_start(const std::vector<std::string>& words, const Registries& registries) {
  const std::string usage = "nowsim lab start NAME --as ID [flags]";
  po::options_description description("flags");
  add_owner_flags(description);
  description.add_options()("out,o", po::value<std::string>(), "the folder to make; by default NAME-ID here");
  add_lab_flags(description);
  const ParsedFlags parsed = parse_flags(words, description, 1, 1, usage);
  if (print_help(parsed, usage, description)) return 0;
  const LabOwner owner = lab_owner(parsed.flags);
  const Lab lab = lab_named(parsed.words.front(), labs_folder(parsed.flags));
  const std::string folder = text_flag(parsed.flags, "out").value_or(folder_name(lab.name, owner.id));
  check_new_folder(folder, texts_of_labs(parsed.flags));
  StudentLab student(lab, owner, registries, fact_options(parsed.flags));
  const auto remarks = start_lab(student, folder);
  const ShownStream shown(std::cout);
  for (const std::string& remark : remarks) std::cout << remark << '\n';
  std::cout << student.texts.say("start.done",
                                 {{"folder", folder}, {"page", (fs::path(folder) / kHandoutFile).string()}})
            << '\n';
  return 0;
}

int lab_check(const std::vector<std::string>& words, const Registries& registries) {
  const std::string usage = "nowsim lab check [DIR] [flags]";
  po::options_description description("flags");
  add_lab_flags(description);
  const ParsedFlags parsed = parse_flags(words, description, 0, 1, usage);
  if (print_help(parsed, usage, description)) return 0;
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

}  // namespace nowsim

// Writing into the folder: files that are handed out, the page, the answers file.
#include "experiments/driver/labs/lab_folder.hpp"

#include <algorithm>
#include <filesystem>

#include "experiments/driver/labs/answers.hpp"
#include "experiments/driver/labs/lab_pages.hpp"
#include "experiments/driver/text/output_file.hpp"
#include "sim/base/user_file.hpp"
#include "sim/base/utf8.hpp"

namespace nowsim {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostNameBytes = 200;  // file systems take 255

void write_bytes(const fs::path& file, const std::string& bytes, const MayReplace& may_replace = has_same_bytes) {
  write_output_file(
      file.string(), [&](std::ostream& out) { out << bytes; }, may_replace);
}

std::string own_copy(const StudentLab& student, const std::string& file) {
  if (file.ends_with(".yaml")) return own_experiment(student.lab, student.problem, file);
  return read_user_file((fs::path(student.lab.folder) / file).string(), kMostDataBytes);
}

/// All that the steps that are open hand out: made as a whole before anything of it is written.
struct HandedOut {
  std::vector<std::pair<std::string, std::string>> files;  ///< name, bytes
  std::vector<std::vector<LabChart>> charts;                 ///< of each step
  std::string page;
  std::vector<std::string> remarks;  ///< on the last of these steps
};

HandedOut handed_out(StudentLab& student, std::size_t open) {
  HandedOut made;
  for (std::size_t s = 0; s < open; ++s) {
    for (const std::string& file : student.lab.steps[s].gives)
      made.files.emplace_back(fs::path(file).filename().string(), own_copy(student, file));
    for (const LabChart& chart : made.charts.emplace_back(charts_of(student, s))) {
      made.files.emplace_back(chart_file(chart.experiment), chart.csv);
      if (!chart.svg.empty())
        made.files.emplace_back(chart.experiment + "-chart.svg", chart.svg);
      else if (s + 1 == open)
        made.remarks.push_back(student.texts.say("chart.none", {{"reason", chart.no_picture}}));
    }
  }
  made.page = handout_page(student, made.charts);
  return made;
}

/// The page anew, and files that are not there: those that are belong to the student. What an earlier start or check
/// could not hand out is made up for.
void hand_out(const HandedOut& made, const fs::path& folder) {
  std::error_code ignored;
  for (const auto& [name, bytes] : made.files)
    if (!fs::exists(folder / name, ignored)) write_bytes(folder / name, bytes);
  write_bytes(folder / kHandoutFile, made.page, is_ours);
}

/// The answers file goes on: what is there stays, byte by byte. What an editor has saved since it was read is never
/// moved aside for what was judged.
void append_answers(const AnswersFile& file, const std::string& more, const Texts& texts) {
  const std::string all = file.text + (file.text.ends_with('\n') ? "" : "\n") + more;
  parse_yaml(all, file.file);  // as after '...', the end of a document, behind which nothing can stand
  const auto is_as_read = [&](const fs::path& there, const fs::path&) {
    if (bytes_of(there) == file.text) return true;
    throw RunError(texts.say("check.changed-meanwhile", {{"file", file.file}}));
  };
  std::error_code error;
  const fs::path behind_links = fs::canonical(file.file, error);
  is_as_read(error ? fs::path(file.file) : behind_links, {});
  write_bytes(behind_links, all, is_as_read);
}

bool is_plain_name_character(const Utf8Character& c) {
  constexpr std::string_view kNotInNames = "/\\:*?\"<>|' ";
  return c.is_whole && !is_control(c.code) && !is_unseen(c.code) &&
         (c.code > 127 || kNotInNames.find(static_cast<char>(c.code)) == std::string_view::npos);
}

void append_to(std::vector<std::string>& all, const std::vector<std::string>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

}  // namespace

std::string chart_file(const std::string& experiment) { return experiment + "-chart.csv"; }

std::string folder_name(const std::string& lab, const std::string& id) {
  std::string name = lab + "-";
  for (std::string_view rest = id; !rest.empty();) {
    const Utf8Character c = first_character(rest);
    if (name.size() + c.bytes > kMostNameBytes) break;
    name += is_plain_name_character(c) ? rest.substr(0, c.bytes) : "-";
    rest.remove_prefix(c.bytes);
  }
  return name;
}

void check_new_folder(const std::string& folder, const Texts& texts) {
  std::error_code ignored;
  if (!fs::exists(fs::symlink_status(folder, ignored))) return;
  if (fs::is_directory(folder, ignored) && fs::is_empty(folder, ignored)) return;
  throw InputError(texts.say("start.not-empty", {{"folder", folder}}));
}

std::vector<std::string> start_lab(StudentLab& student, const std::string& folder) {
  check_new_folder(folder, student.texts);
  const std::string answers =
      answers_head(student.lab, student.problem, student.texts) + step_block(student.facts, 0, student.texts);
  const HandedOut made = handed_out(student, 1);
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) cannot_write(folder, error.message());
  write_bytes(fs::path(folder) / kAnswersFile, answers);  // with it a check makes up for what fails from here
  hand_out(made, folder);
  return made.remarks;
}

void hand_out_again(StudentLab& student, const std::string& folder, std::size_t open_steps) {
  hand_out(handed_out(student, open_steps), folder);
}

CheckedLab check_lab(StudentLab& student, const std::string& folder, const AnswersFile& file) {
  CheckedLab check;
  std::vector<AnsweredStep> open = answered_steps(file, student.lab, student.problem, student.texts);
  for (std::size_t s = 0; s < open.size(); ++s) check.steps.push_back(judge_step(student, folder, s, open[s], false));
  for (const JudgedStep& step : check.steps) append_to(check.remarks, step_remarks(student, step));
  const std::size_t last = open.size() - 1;
  std::string more;
  if (check.steps[last].is_complete()) {
    if (student.lab.steps[last].is_prediction && open[last].lock == AnsweredStep::Lock::none) {
      more = lock_block(student.lab, student.problem, last, open[last].written, student.texts);
      check.is_locked = true;
    }
    check.is_done = open.size() == student.lab.steps.size();
    if (!check.is_done) {
      check.opened = student.lab.steps[open.size()].name;
      more += step_block(student.facts, open.size(), student.texts);
    }
  }
  HandedOut made = handed_out(student, open.size() + (check.opened.empty() ? 0 : 1));
  if (!more.empty()) append_answers(file, more, student.texts);  // what is locked in is stored before results are seen
  hand_out(made, folder);
  if (!check.opened.empty()) append_to(check.remarks, made.remarks);
  check.charts = std::move(made.charts);
  if (check.is_locked) {
    open[last].locked = open[last].written;
    open[last].lock = AnsweredStep::Lock::sound;
    check.steps[last] = judge_step(student, folder, last, open[last], false);
  }
  return check;
}

std::string answers_path(const std::string& folder_or_file) {
  std::error_code ignored;
  if (fs::is_regular_file(folder_or_file, ignored)) return folder_or_file;
  return (fs::path(folder_or_file) / kAnswersFile).string();
}

}  // namespace nowsim

// Writing into the folder: files that are handed out, the page, the answers file.
#include "experiments/driver/labs/lab_folder.hpp"

#include <algorithm>
#include <filesystem>

#include "experiments/driver/labs/answers_writing.hpp"
#include "experiments/driver/labs/handout.hpp"
#include "experiments/driver/labs/lab_charts.hpp"
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

/// A file that is handed out, once: what is there belongs to the student.
void hand_out(const fs::path& file, const std::string& bytes) {
  std::error_code ignored;
  if (!fs::exists(file, ignored)) write_bytes(file, bytes);
}

std::string own_copy(const StudentLab& student, const std::string& file) {
  if (file.ends_with(".yaml")) return own_experiment(student.lab, student.problem, file);
  return read_user_file((fs::path(student.lab.folder) / file).string(), kMostDataBytes);
}

/// The page anew, and what belongs to the last open step. Returns remarks.
std::vector<std::string> write_open_steps(StudentLab& student, const fs::path& folder, std::size_t open) {
  std::vector<std::string> remarks;
  for (const std::string& file : student.lab.steps[open - 1].gives)
    hand_out(folder / fs::path(file).filename(), own_copy(student, file));
  std::vector<std::vector<LabChart>> charts;
  for (std::size_t s = 0; s < open; ++s) charts.push_back(charts_of(student, s));
  for (const LabChart& chart : charts.back()) {
    hand_out(folder / (chart.experiment + "-chart.csv"), chart.csv);
    if (!chart.svg.empty())
      hand_out(folder / (chart.experiment + "-chart.svg"), chart.svg);
    else
      remarks.push_back(student.texts.say("chart.none", {{"reason", chart.no_picture}}));
  }
  write_bytes(folder / kHandoutFile, handout_page(student, charts), [](const auto&, const auto&) { return true; });
  return remarks;
}

/// The answers file goes on: what is there stays, byte by byte.
void append_answers(const AnswersFile& file, const std::string& more) {
  const std::string all = file.text + (file.text.ends_with('\n') ? "" : "\n") + more;
  parse_yaml(all, file.file);  // as after '...', the end of a document, behind which nothing can stand
  const auto goes_on = [](const fs::path& there, const fs::path& made) {
    return bytes_of(made).starts_with(bytes_of(there));
  };
  write_bytes(file.file, all, goes_on);
}

bool is_plain_name_character(const Utf8Character& c) {
  constexpr std::string_view kNotInNames = "/\\:*?\"<>|' ";
  return c.is_whole && !is_control(c.code) &&
         (c.code > 127 || kNotInNames.find(static_cast<char>(c.code)) == std::string_view::npos);
}

void append_to(std::vector<std::string>& all, const std::vector<std::string>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

}  // namespace

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

void check_new_folder(const std::string& folder) {
  std::error_code ignored;
  if (!fs::exists(fs::symlink_status(folder, ignored))) return;
  if (fs::is_directory(folder, ignored) && fs::is_empty(folder, ignored)) return;
  throw InputError(folder +
                   " is there and not empty: go on in it with 'nowsim lab check', or give another name by --out");
}

std::vector<std::string> start_lab(StudentLab& student, const std::string& folder) {
  check_new_folder(folder);
  std::error_code error;
  const std::string answers =
      answers_head(student.lab, student.problem, student.texts) + step_block(student.facts, 0, student.texts);
  fs::create_directories(folder, error);
  if (error) cannot_write(folder, error.message());
  const std::vector<std::string> remarks = write_open_steps(student, folder, 1);
  write_bytes(fs::path(folder) / kAnswersFile, answers);
  return remarks;
}

CheckedLab check_lab(StudentLab& student, const std::string& folder, const AnswersFile& file) {
  CheckedLab check;
  std::vector<AnsweredStep> open = answered_steps(file, student.lab, student.problem);
  for (std::size_t s = 0; s < open.size(); ++s) check.steps.push_back(judge_step(student, folder, s, open[s], false));
  for (const JudgedStep& step : check.steps) append_to(check.remarks, step_remarks(student, step));
  const std::size_t last = open.size() - 1;
  if (!check.steps[last].is_complete()) return check;
  std::string more;
  if (student.lab.steps[last].is_prediction && open[last].lock == AnsweredStep::Lock::none) {
    more = lock_block(student.lab, student.problem, last, open[last].written, student.texts);
    check.is_locked = true;
  }
  check.is_done = open.size() == student.lab.steps.size();
  if (!check.is_done) {
    check.opened = student.lab.steps[open.size()].name;
    more += step_block(student.facts, open.size(), student.texts);
    append_to(check.remarks, write_open_steps(student, folder, open.size() + 1));
  }
  if (!more.empty()) append_answers(file, more);
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

// A student's folder: made, opened step by step, and never at the cost of what the student wrote.
#pragma once

#include <string>
#include <vector>

#include "experiments/driver/labs/answers.hpp"
#include "experiments/driver/labs/lab_charts.hpp"
#include "experiments/driver/labs/student_lab.hpp"

namespace nowsim {

/// What a folder is called where no other name is given: NAME-ID, with '-' for what file systems do not take.
std::string folder_name(const std::string& lab, const std::string& id);

/// @throws InputError where there is something at this place that is no empty folder.
void check_new_folder(const std::string& folder, const Texts& texts);
/// Makes the folder with the first step open. Returns what is worth a remark, a sentence each.
/// @throws InputError where there is one that is not empty, RunError where it cannot be written.
std::vector<std::string> start_lab(StudentLab& student, const std::string& folder);

/// Hands out what the open steps of an answers file have that is not in the folder, and the page, as a check does.
void hand_out_again(StudentLab& student, const std::string& folder, std::size_t open_steps);

/// What a check found and did.
struct CheckedLab {
  std::vector<JudgedStep> steps;     ///< that were open
  bool is_locked = false;            ///< the last of them was locked in
  std::string opened;                ///< the step that opened; "" where none did
  bool is_done = false;              ///< the last step of the lab is answered
  std::vector<std::string> remarks;  ///< sentences
  std::vector<std::vector<LabChart>> charts;  ///< of each step, also of the one that opened
};
/// What a chart that a step hands out is called as a table.
std::string chart_file(const std::string& experiment);

/// Judges all open steps; locks in the last one and opens the next where its answers are there. answers.yaml grows, and
/// keeps all that stands in it; then files of open steps are handed out that are not there. @throws InputError, RunError,
/// as where answers.yaml was changed since it was read: nothing is written then.
CheckedLab check_lab(StudentLab& student, const std::string& folder, const AnswersFile& file);

/// Where the answers of a word of the command line are: the file itself, or the one in that folder.
std::string answers_path(const std::string& folder_or_file);

}  // namespace nowsim

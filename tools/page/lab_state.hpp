// A lab as a page shows it: its open steps with their questions and answers, and the student's folder.
#pragma once

#include "experiments/driver/labs/answers.hpp"
#include "experiments/driver/labs/lab_folder.hpp"
#include "tools/page/page_desk.hpp"
#include "tools/page/student_files.hpp"

namespace nowsim {

/// @throws InputError as answered_steps() does.
PageJson page_lab(PageDesk& desk, StudentLab& student, const AnswersFile& file, const StudentFiles& files);

/// How the answers of each step stand, and charts of the student's own runs.
PageJson page_judged(StudentLab& student, const CheckedLab& check);

}  // namespace nowsim

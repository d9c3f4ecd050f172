// A student's right answers, for the teacher.
#pragma once

#include <iosfwd>

#include "experiments/driver/labs/student_lab.hpp"

namespace nowsim {

/// The student's numbers, and question by question the right answer, from where to where it counts as right, and what
/// each misconception answers; as Markdown. @throws InputError, RunError.
void write_answer_key(StudentLab& student, std::ostream& out);

}  // namespace nowsim

// What a check says, in sentences.
#pragma once

#include <iosfwd>
#include <string>

#include "experiments/driver/labs/lab_folder.hpp"

namespace nowsim {

/// An answer on one line: "310", or "ws1: 3, ws2: 4".
std::string shown_answer(const JudgedAnswer& judgement);
/// "right", "partly right", ...
std::string standing_word(AnswerStanding standing, const Texts& texts);
/// How an answer of a step stands, in words: "right, 2 of 2 marks". Of a hidden step no more than that it is noted.
std::string standing_text(const JudgedAnswer& judgement, const JudgedStep& step, const Texts& texts);

/// For a terminal: step by step, answer by answer, then what comes next.
void write_feedback(const StudentLab& student, const CheckedLab& check, std::ostream& out);
/// With two decimals at most.
std::string shown_marks(double marks);
/// As exact as that.
double rounded_marks(double marks);
/// Marks of what has been judged, and of all that the lab has: "3 of 8".
std::string marks_text(const StudentLab& student, const std::vector<JudgedStep>& steps);

}  // namespace nowsim

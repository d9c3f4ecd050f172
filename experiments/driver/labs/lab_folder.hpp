// A lab as one student has it: the problem and how answers stand, charts that are handed out, the folder, which is made
// and opened step by step and never at the cost of what the student wrote, and what a check says on a terminal.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "experiments/driver/labs/answers.hpp"
#include "experiments/driver/labs/judging.hpp"
#include "experiments/driver/labs/texts.hpp"

namespace nowsim {

// ---- a lab as one student has it -----------------------------------------------------------------------------------

/// The problem is made with it.
struct StudentLab {
  /// @throws InputError as make_problem() and texts_beside() do.
  StudentLab(const Lab& described, const LabOwner& owner, const Registries& registries, FactOptions options = {});
  /// Of a problem that is known already.
  StudentLab(const Lab& described, const Problem& known, const Registries& registries, FactOptions options = {});
  StudentLab(const StudentLab&) = delete;
  StudentLab& operator=(const StudentLab&) = delete;

  Lab lab;
  Texts texts;
  Problem problem;
  Facts facts;
};

/// A step whose answers were judged.
struct JudgedStep {
  std::size_t step = 0;
  std::vector<JudgedAnswer> judgements;  ///< per question
  AnsweredStep::Lock lock = AnsweredStep::Lock::none;
  bool is_hidden = false;            ///< a prediction that is not locked in yet: only what cannot be read is said
  std::vector<std::string> changed;  ///< questions whose answers differ from what was locked in

  /// Every answer is there and can be read.
  [[nodiscard]] bool is_complete() const;
  [[nodiscard]] double marks() const;
};

/// An ID that a student may have. @throws InputError where it is empty, longer than 100 characters, or cannot be shown.
std::string checked_id(const std::string& id);

/// Judges a step. `folder` is where the student's code is. Predictions that are not locked in are judged, but hidden,
/// unless `is_final`.
JudgedStep judge_step(StudentLab& student, const std::string& folder, std::size_t step, const AnsweredStep& answered,
                      bool is_final);

/// What is worth a remark: what was locked in and has been changed since; sentences.
std::vector<std::string> step_remarks(const StudentLab& student, const JudgedStep& step);

// ---- Gantt charts, for who cannot see them as tables too -----------------------------------------------------------

/// The texts of a table, row by row; the first is its head.
using TextRows = std::vector<std::vector<std::string>>;

/// One replication of an experiment.
struct LabChart {
  std::string experiment, title;
  std::string svg;         ///< "" where it cannot be drawn
  std::string no_picture;  ///< why
  std::string csv;         ///< all that happened
  std::string caption;     ///< of the table
  TextRows table;          ///< who did what from when to when
  bool has_sums = false;   ///< or only how long, as it would be a very long table
};
/// A replication as a chart, drawn by gnuplot.
LabChart chart_of(const Timeline& timeline, const std::string& experiment, const std::string& title, const Texts& texts);
/// Those of a step. @throws InputError, RunError where the replication cannot be run.
std::vector<LabChart> charts_of(StudentLab& student, std::size_t step);

// ---- the folder ----------------------------------------------------------------------------------------------------

/// What a folder is called where no other name is given: NAME-ID, with '-' for what file systems do not take.
std::string folder_name(const std::string& lab, const std::string& id);

/// @throws InputError where there is something at this place that is no empty folder.
void check_new_folder(const std::string& folder, const Texts& texts);
/// Makes the folder with the first step open. Returns what is worth a remark, a sentence each.
/// @throws InputError where there is one that is not empty, RunError where it cannot be written.
std::vector<std::string> start_lab(StudentLab& student, const std::string& folder);

/// Hands out what the open steps of an answers file have that is not in the folder, and the page, as a check does.
void hand_out_again(StudentLab& student, const std::string& folder, std::size_t open_steps);

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

// ---- what a check says ---------------------------------------------------------------------------------------------

/// An answer on one line: "310", or "ws1: 3, ws2: 4".
std::string shown_answer(const JudgedAnswer& judgement);
/// "right", "partly right", ...
std::string standing_word(AnswerStanding standing, const Texts& texts);
/// How an answer of a step stands, in words: "right, 2 of 2 marks". Of a hidden step no more than that it is noted.
std::string standing_text(const JudgedAnswer& judgement, const JudgedStep& step, const Texts& texts);

/// For a terminal: step by step, answer by answer, then what comes next.
void write_feedback(const StudentLab& student, const CheckedLab& check, std::ostream& out);
/// A text in lines that fit the terminal, all of them set in.
void write_wrapped(const std::string& text, const std::string& indent, std::ostream& out);
/// To two decimals.
double rounded_marks(double marks);
std::string shown_marks(double marks);
/// Marks of what has been judged, and of all that the lab has: "3 of 8".
std::string marks_text(const StudentLab& student, const std::vector<JudgedStep>& steps);

}  // namespace nowsim

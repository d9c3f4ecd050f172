// What teachers ask: a course, its students' folders graded one by one, where what is wrong with one never stops the
// others, and the class's page.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/driver/labs/lab_folder.hpp"
#include "experiments/driver/labs/problem.hpp"
#include "experiments/driver/text/document.hpp"

namespace nowsim {

// ---- a course: which labs count, how much, the seed of everybody's numbers, and who is in it -----------------------

struct ListedStudent {
  std::string id;    ///< as `nowsim lab start --as` takes it
  std::string name;  ///< "": none is told
};

/// Whether a list that is a file of its own is read: those who only make problems may not have that file.
enum class ReadRoster { if_in_course, always };

/// Immutable.
struct Course {
  std::string name;
  std::uint64_t seed = 0;
  std::vector<std::pair<std::string, double>> labs;  ///< name, weight
  std::vector<ListedStudent> students = {};          ///< in the list's order; none: there is no list, or it was not read

  /// Whether any student of the list has a name there.
  [[nodiscard]] bool has_names() const;
  /// "" where there is none.
  [[nodiscard]] std::string name_of(const std::string& id) const;
  [[nodiscard]] bool has_lab(const std::string& lab) const;
  /// Nothing where the lab is not one of the course's.
  [[nodiscard]] double weight(const std::string& lab) const;
  [[nodiscard]] LabOwner owner(const std::string& id) const { return {.course = name, .id = id, .seed = seed}; }
  /// Whether a problem was made for it.
  [[nodiscard]] bool has(const LabOwner& owner) const { return owner.course == name && owner.seed == seed; }
};

/// Reads a course's file, and with it the list of students or not. @throws InputError with every problem, each with file,
/// line and key, as of a lab that is none of those that are known.
Course read_course(const std::string& file, const std::vector<std::string>& known_labs,
                   ReadRoster roster = ReadRoster::if_in_course);

// ---- grades --------------------------------------------------------------------------------------------------------

struct GradedAnswer {
  std::string step, question, answer, standing, misconception;
  double marks = 0, most = 0;
  bool on_board = false;
  std::string failure;  ///< why it cannot be judged, as of code that fails; "" where it can
  std::string score_unit;
  std::optional<Estimate> score;      ///< of a trial, and what it is scored against
  Estimate share = kUnknownEstimate;  ///< of the way between these
  Estimate none = kUnknownEstimate, full = kUnknownEstimate;
};

/// A folder's outcome; or that a student of the course's list has none.
struct GradedFolder {
  std::string folder, id, lab;  ///< as the answers file says, or what of it can be read; "" where that is not known
  std::string signature;        ///< of the problem, as it says
  double marks = 0, most = 0;
  bool counts = true;              ///< in the student's total
  std::string failure;             ///< why it is not graded; "" where it is
  bool is_absent = false;          ///< there is no folder of this student
  bool is_one_of_several = false;  ///< folders of the same ID and lab
  std::vector<GradedAnswer> answers;
  std::vector<std::string> remarks;  ///< sentences

  [[nodiscard]] bool is_graded() const { return failure.empty() && !is_absent; }
  [[nodiscard]] double percent() const { return most > 0 ? 100 * marks / most : 0; }
};

/// What grading needs besides folders.
struct GradingOptions {
  const Registries& registries;
  std::function<Lab(const std::string& name)> lab;  ///< by name; throws InputError where there is none
  const Texts& texts;
  const Course* course = nullptr;  ///< null: everything counts
  FactOptions facts;
};

/// Grades a folder, or an answers file alone. @throws nothing of the student's making.
GradedFolder grade_folder(const std::string& folder, const GradingOptions& options);
/// All of them; of folders with the same ID and lab the one with most marks counts, and that is said, as of those whose
/// problems have one signature. Where the course has a list of students, behind them those who have no folder.
std::vector<GradedFolder> grade_folders(const std::vector<std::string>& folders, const GradingOptions& options);

/// A folder's remarks, why it is not graded first: sentences with their full stops.
std::vector<std::string> remarks_of(const GradedFolder& folder, const Texts& texts);
/// Whether all folders could be graded, and none is one of several of a student.
bool is_settled(const std::vector<GradedFolder>& folders);
/// "FOLDER: REMARK\n" for people, or "ID: ..." where there is no folder. Only this begins at the margin: further lines,
/// of several problems or of a name that a student has chosen, are set in.
std::string remark_line(const GradedFolder& folder, const std::string& remark);

/// Writes the outcomes: a row per folder, with the student's total by the course's weights, or per question. A student
/// of the course's list without a folder has a row, and by question a folder that is not graded. Tables have totals by
/// themselves, of everybody, with the labs that are missing, and remarks.
void write_grades(const std::vector<GradedFolder>& folders, const Course* course, bool by_question, const Texts& texts,
                  Format format, std::ostream& out);

/// A student's weighted percentage: of all labs of the course, or of those that there are where there is no course.
double total_percent(const std::vector<GradedFolder>& folders, const std::string& id, const Course* course);

/// The course's labs that a student has no folder of that counts: 0 % each.
std::vector<std::string> missing_labs(const std::vector<GradedFolder>& folders, const std::string& id,
                                      const Course* course);

/// The student's numbers, and question by question the right answer, from where to where it counts as right, and what
/// each misconception answers; as Markdown. @throws InputError, RunError.
void write_answer_key(StudentLab& student, std::ostream& out);

// ---- the class's page: scores of questions that stand on it, ranked as far as intervals tell -----------------------

/// A student's score. `share` is of the way from what was to beat (0) to the best known (1): what students with other
/// numbers are compared by. Its interval covers those of all three.
struct BoardRow {
  std::string id;
  Estimate score, share;
  std::size_t rank = 1;  ///< one more than there are rows whose intervals lie wholly above
};
/// A question.
struct Board {
  std::string lab, question, unit;
  Estimate none = kUnknownEstimate, full = kUnknownEstimate;  ///< known where all students have the same
  std::vector<BoardRow> rows;                                 ///< the highest share first
};
/// Of all folders that count.
std::vector<Board> boards_of(const std::vector<GradedFolder>& folders);

/// Why a folder, or an answer to a question of the board, is not on it: sentences.
std::vector<std::string> board_remarks(const GradedFolder& folder, const Texts& texts);

void write_boards(const std::vector<Board>& boards, const Texts& texts, std::ostream& out);
std::string board_page(const std::vector<Board>& boards, const Texts& texts);

}  // namespace nowsim

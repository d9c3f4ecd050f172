// Grades and boards as tables, grades as rows for programs, the answers of a problem as Markdown.
#include "experiments/driver/labs/grading.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <ostream>
#include <set>

#include "experiments/driver/labs/judging.hpp"
#include "experiments/driver/labs/lab_pages.hpp"
#include "experiments/driver/pictures/label.hpp"
#include "experiments/driver/text/estimate_text.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "sim/base/text.hpp"
#include "sim/base/utf8.hpp"

namespace nowsim {
namespace {

/// IDs as tables show them.
using ShownIds = std::map<std::string, std::string>;

/// Everybody: the course's list first, then whom folders name.
Words everybody(const std::vector<GradedFolder>& folders, const Course* course) {
  Words ids;
  std::set<std::string> there;
  const auto add = [&](const std::string& id) {
    if (!id.empty() && there.insert(id).second) ids.push_back(id);
  };
  if (course != nullptr)
    for (const ListedStudent& student : course->students) add(student.id);
  for (const GradedFolder& f : folders) add(f.id);
  return ids;
}

using Total = std::function<double(const std::string& id)>;

/// What a row for programs is made of.
struct GradeRow {
  const GradedFolder* folder;
  const GradedAnswer* answer;  ///< null: the whole folder
};

std::string one_text(const Words& sentences) { return fmt::format("{}", fmt::join(sentences, " ")); }

double rounded_percent(double percent) { return std::round(10 * percent) / 10; }

bool is_named(const Course* course) { return course != nullptr && course->has_names(); }

/// Who it is, the ID, and a name where the course's list has names; then more.
Fields student_fields(const GradedFolder& f, const Course* course, const Fields& more) {
  Fields fields{{"id", f.id}};
  if (is_named(course)) fields.push_back({"name", course->name_of(f.id)});
  append(fields, more);
  return fields;
}

Fields folder_fields(const GradedFolder& f, const Course* course, const Total& total, const Texts& texts) {
  const bool is_graded = f.is_graded();
  const double weight = course == nullptr ? 1 : course->weight(f.lab);
  return student_fields(
      f, course,
      {{"lab", f.lab},
       {"marks", is_graded ? Value(rounded_marks(f.marks)) : Value()},
       {"most", is_graded ? Value(f.most) : Value()},
       {"percent", is_graded ? Value(rounded_percent(f.percent())) : Value()},
       {"counts", f.counts},
       {"weight", is_graded ? Value(weight) : Value()},
       {"total", f.id.empty() ? Value() : Value(rounded_percent(total(f.id)))},
       {"remarks", one_text(remarks_of(f, texts))},
       {"folder", f.folder}});
}

/// `a` is null where the folder has no answers; the remarks say why.
Fields answer_fields(const GradedFolder& f, const GradedAnswer* a, const Course* course, const Texts& texts) {
  const GradedAnswer none;
  const GradedAnswer& shown = a == nullptr ? none : *a;
  return student_fields(
      f, course,
      {{"lab", f.lab},
       {"step", shown.step},
       {"question", shown.question},
       {"answer", shown.answer},
       {"standing", shown.standing},
       {"misconception", shown.misconception},
       {"marks", a != nullptr ? Value(rounded_marks(a->marks)) : Value()},
       {"most", a != nullptr ? Value(a->most) : Value()},
       {"score", shown.score ? Value(shown.score->value) : Value()},
       {"unit", shown.score_unit},
       {"folder", f.folder},
       {"remarks", a != nullptr ? a->failure : one_text(remarks_of(f, texts))}});
}

std::string percent_text(double percent) { return short_number(rounded_percent(percent)) + " %"; }

Words said(const Words& keys, const Texts& texts) {
  Words heads;
  for (const std::string& key : keys) heads.push_back(texts.say(key));
  return heads;
}

void write_folder_table(const std::vector<GradedFolder>& folders, const ShownIds& shown, const Texts& texts,
                        std::ostream& out) {
  TextTable table(said({"grade.id", "grade.lab", "grade.marks", "grade.of", "grade.percent", "grade.counts"}, texts),
                  TableLook::list);
  for (const std::size_t words : {1U, 5U}) table.read_left(words);
  for (const GradedFolder& f : folders) {
    const bool is_graded = f.is_graded();
    table.add({f.id.empty() ? f.folder : shown.at(f.id), f.lab.empty() ? "-" : f.lab,
               is_graded ? shown_marks(f.marks) : "-", is_graded ? short_number(f.most) : "-",
               is_graded ? percent_text(f.percent()) : "-", texts.say(f.counts ? "grade.yes" : "grade.no")});
  }
  table.write(out, 1);
}

void write_answer_table(const std::vector<GradedFolder>& folders, const ShownIds& shown, const Texts& texts,
                        std::ostream& out) {
  TextTable table(said({"grade.id", "grade.lab", "grade.question", "grade.marks", "grade.of", "grade.standing",
                        "grade.misconception"},
                       texts),
                  TableLook::list);
  for (const std::size_t words : {1U, 2U, 5U, 6U}) table.read_left(words);
  for (const GradedFolder& f : folders) {
    const std::string who = f.id.empty() ? f.folder : shown.at(f.id);
    if (!f.is_graded()) table.add({who, f.lab.empty() ? "-" : f.lab, "-", "-", "-", "-", ""});
    for (const GradedAnswer& a : f.answers)
      table.add({who, f.lab, a.question, shown_marks(a.marks), short_number(a.most), a.standing, a.misconception});
  }
  table.write(out, 1);
}

/// Also a line for each folder of which nobody knows whose it is.
void write_course_totals(const std::vector<GradedFolder>& folders, const ShownIds& shown, const Course* course,
                         const Texts& texts, std::ostream& out) {
  const Words ids = everybody(folders, course);
  if (ids.empty()) return;
  const bool has_names = is_named(course);
  Words heads{"grade.id", "grade.total"};
  if (has_names) heads.insert(heads.begin() + 1, "grade.name");
  const auto misses = [&](const std::string& id) { return !missing_labs(folders, id, course).empty(); };
  const bool has_missing = std::ranges::any_of(ids, misses);
  if (has_missing) heads.emplace_back("grade.missing");
  TextTable table(said(heads, texts), TableLook::list);
  if (has_names) table.read_left(1);
  if (has_missing) table.read_left(heads.size() - 1);
  const auto add = [&](const std::string& who, const std::string& name, const std::string& total,
                       const std::string& missing) {
    Words row{who, total};
    if (has_names) row.insert(row.begin() + 1, name);
    if (has_missing) row.push_back(missing);
    table.add(row);
  };
  for (const std::string& id : ids)
    add(shown.at(id), has_names ? course->name_of(id) : "", percent_text(total_percent(folders, id, course)),
        joined(missing_labs(folders, id, course)));
  for (const GradedFolder& f : folders)
    if (f.id.empty()) add(f.folder, "", "-", "");
  out << '\n';
  table.write(out, 1);
}

void write_remarks(const std::vector<GradedFolder>& folders, const Texts& texts, std::ostream& out) {
  bool is_first = true;
  for (const GradedFolder& f : folders) {
    const Words remarks = remarks_of(f, texts);
    if (!remarks.empty() && std::exchange(is_first, false)) out << '\n' << texts.say("grade.remarks") << '\n';
    for (const std::string& remark : remarks) out << "  " << remark_line(f, remark);
  }
}

}  // namespace

Words remarks_of(const GradedFolder& f, const Texts& texts) {
  Words remarks = f.remarks;
  if (!f.failure.empty()) remarks.insert(remarks.begin(), texts.say("remark.failed", {{"reason", f.failure}}));
  for (std::string& remark : remarks)
    if (!remark.ends_with('.') && !remark.ends_with('?')) remark += '.';
  return remarks;
}

std::string remark_line(const GradedFolder& folder, const std::string& remark) {
  std::string line = shown_line(folder.is_absent ? folder.id : folder.folder) + ": ";
  for (const char c : shown_text(remark)) line += c == '\n' ? "\n      " : std::string(1, c);
  return line + '\n';
}

void write_grades(const std::vector<GradedFolder>& folders, const Course* course, bool by_question, const Texts& texts,
                  Format format, std::ostream& out) {
  std::vector<GradeRow> rows;
  for (const GradedFolder& f : folders) {
    if (!by_question || !f.is_graded()) rows.push_back({&f, nullptr});
    for (const GradedAnswer& a : f.answers)
      if (by_question) rows.push_back({&f, &a});
  }
  std::map<std::string, double> totals;  // of a large class each only once
  const auto total = [&](const std::string& id) {
    const auto known = totals.find(id);
    return known != totals.end() ? known->second : totals[id] = total_percent(folders, id, course);
  };
  const auto fields = [&](const GradeRow& row) {
    return by_question ? answer_fields(*row.folder, row.answer, course, texts)
                       : folder_fields(*row.folder, course, total, texts);
  };
  const GradedFolder no_folder;
  const List list = list_of(rows, [&](const GradeRow& row) { return Object{fields(row)}; });
  const auto table = [&](std::ostream& o) {
    const ShownIds shown = names_told_apart(everybody(folders, course));
    by_question ? write_answer_table(folders, shown, texts, o) : write_folder_table(folders, shown, texts, o);
    write_course_totals(folders, shown, course, texts, o);
    write_remarks(folders, texts, o);
  };
  write_document({table, fields({&no_folder, nullptr}), list, list}, format, out);
}

namespace {

std::string with_item(const Question& question, std::size_t i, const std::string& text) {
  return question.items.empty() ? text : question.items[i] + ": " + text;
}

/// An answer as Markdown has it in a list: on one line, numbers short and with their unit.
std::string shown_part(const ColumnUnit& asked, const std::string& text) {
  const bool is_per_cent = text.ends_with("%");
  const auto number = to_number(std::string_view(text).substr(0, text.size() - (is_per_cent ? 1 : 0)));
  return number ? shown_number(exactly(*number), is_per_cent ? "%" : asked.name) : one_line(text);
}

/// "310 s (from 279 s to 341 s)", or words that cannot be told apart.
std::string target_text(const ColumnUnit& asked, const AnswerTarget& target, const Texts& texts) {
  if (!target.words.empty())
    return target.words.size() > 1 ? std::string(kCannotBeTold) + " (" + joined(target.words) + ")"
                                   : target.words.front();
  const auto shown = [&](double x) { return shown_number(exactly(x / asked.seconds)); };
  const std::string low = shown(target.least), high = shown(target.most);
  return shown_in_unit(exactly(target.number.value), asked) + " (" +
         texts.say("key.between", {{"low", low}, {"high", high}}) + ")";
}

std::string targets_text(StudentLab& student, const Question& question) {
  const ColumnUnit asked = asked_unit(student.facts, question);
  const AnswerTargets targets = targets_of(student.facts, question, question.right);
  Words parts;
  for (std::size_t i = 0; i < targets.size(); ++i)
    parts.push_back(with_item(question, i, target_text(asked, targets[i], student.texts)));
  return joined(parts);
}

std::string answer_text(StudentLab& student, const Question& question, const Words& answer) {
  const ColumnUnit asked = asked_unit(student.facts, question);
  Words parts;
  for (std::size_t i = 0; i < answer.size(); ++i)
    parts.push_back(with_item(question, i, shown_part(asked, answer[i])));
  return joined(parts);
}

/// A trial has no right answer but one that gets all marks.
std::string key_of(StudentLab& student, const Question& question) {
  if (question.kind != Question::Kind::trial)
    return targets_text(student, question);
  return answer_text(student, question, right_answer(student.facts, question));
}

void write_question_key(StudentLab& student, const Question& question, std::ostream& out) {
  out << "- `" << question.key << "`: " << one_line(student.facts.filled(question.ask)) << '\n';
  out << "  - " << student.texts.say("key.right", {{"answer", key_of(student, question)}}) << '\n';
  for (const Misconception& wrong : question.wrong) {
    const std::string answer = answer_text(student, question, wrong_answer(student.facts, question, wrong));
    out << "  - " << student.texts.say("key.misconception", {{"name", wrong.name}, {"answer", answer}}) << '\n';
  }
}

}  // namespace

void write_answer_key(StudentLab& student, std::ostream& out) {
  Words numbers;
  for (const auto& [name, value] : student.problem.numbers) numbers.push_back(name + " = " + number_text(value));
  out << "# " << student.texts.say("key.title", {{"id", student.problem.owner.id}, {"lab", student.lab.name}}) << "\n\n"
      << student.texts.say("key.numbers", {{"numbers", joined(numbers)}}) << '\n';
  for (const LabStep& step : student.lab.steps) {
    out << "\n## " << step.name << "\n\n";
    for (const Question& question : step.questions) write_question_key(student, question, out);
  }
}

// ---- the class's page ----------------------------------------------------------------------------------------------

namespace {

bool is_same(const Estimate& a, const Estimate& b) { return a.value == b.value && a.low == b.low && a.high == b.high; }

Board& board_of(std::vector<Board>& boards, const GradedFolder& f, const GradedAnswer& a) {
  const auto found =
      std::ranges::find_if(boards, [&](const Board& b) { return b.lab == f.lab && b.question == a.question; });
  if (found != boards.end()) return *found;
  return boards.emplace_back(Board{f.lab, a.question, a.score_unit, a.none, a.full, {}});
}

void rank_rows(Board& board) {
  std::ranges::stable_sort(board.rows,
                           [](const BoardRow& a, const BoardRow& b) { return a.share.value > b.share.value; });
  for (BoardRow& row : board.rows)
    row.rank = 1 + static_cast<std::size_t>(std::ranges::count_if(
                       board.rows, [&](const BoardRow& other) { return other.share.low > row.share.high; }));
}

/// Shares below it are rounding.
constexpr double kNoShare = 1e-9;

std::string share_text(const Estimate& share) {
  if (std::abs(share.value) < kNoShare && share.half_width() < kNoShare) return "0 %";
  return estimate_text({100 * share.value, 100 * share.low, 100 * share.high}) + " %";
}

/// The head, students, and what they are scored against.
TextRows board_cells(const Board& board, const Texts& texts) {
  TextRows cells{
      {texts.say("board.rank"), texts.say("board.id"), texts.say("board.share"), texts.say("board.score")}};
  std::vector<std::string> ids;
  for (const BoardRow& row : board.rows) ids.push_back(row.id);
  const auto shown = names_told_apart(ids);
  for (const BoardRow& row : board.rows)
    cells.push_back(
        {std::to_string(row.rank), shown.at(row.id), share_text(row.share), shown_number(row.score, board.unit)});
  const auto baseline = [&](const char* key, double share, const Estimate& score) {
    cells.push_back({"-", texts.say(key), share_text(exactly(share)),
                     std::isfinite(score.value) ? shown_number(score, board.unit) : "-"});
  };
  baseline("board.full-row", 1, board.full);
  baseline("board.none-row", 0, board.none);
  return cells;
}

std::string board_heading(const Board& board, const Texts& texts) {
  return texts.say("board.heading", {{"lab", board.lab}, {"question", board.question}});
}

}  // namespace

std::vector<Board> boards_of(const std::vector<GradedFolder>& folders) {
  std::vector<Board> boards;
  for (const GradedFolder& f : folders)
    for (const GradedAnswer& a : f.answers) {
      if (!a.on_board || !a.score || !f.counts) continue;
      Board& board = board_of(boards, f, a);
      if (!is_same(board.none, a.none)) board.none = kUnknownEstimate;
      if (!is_same(board.full, a.full)) board.full = kUnknownEstimate;
      board.rows.push_back({f.id, *a.score, a.share});
    }
  for (Board& board : boards) rank_rows(board);
  return boards;
}

std::vector<std::string> board_remarks(const GradedFolder& folder, const Texts& texts) {
  if (!folder.counts) return folder.is_absent ? std::vector<std::string>() : remarks_of(folder, texts);
  std::vector<std::string> remarks;
  for (const GradedAnswer& a : folder.answers)
    if (a.on_board && !a.failure.empty()) remarks.push_back(a.failure);
  return remarks;
}

void write_boards(const std::vector<Board>& boards, const Texts& texts, std::ostream& out) {
  if (boards.empty()) out << texts.say("board.empty") << '\n';
  for (const Board& board : boards) {
    const TextRows cells = board_cells(board, texts);
    TextTable table(cells.front());
    for (std::size_t r = 1; r < cells.size(); ++r) table.add(cells[r]);
    out << board_heading(board, texts) << "\n\n";
    table.write(out, 2);
    out << '\n';
  }
  if (!boards.empty()) write_wrapped(texts.say("board.explained"), "", out);
}

std::string board_page(const std::vector<Board>& boards, const Texts& texts) {
  std::vector<std::pair<std::string, TextRows>> tables;
  for (const Board& board : boards) tables.emplace_back(board_heading(board, texts), board_cells(board, texts));
  return board_tables_page(tables, texts);
}

}  // namespace nowsim

// Courses, totals by weights, and ranks as far as intervals tell.
#include "experiments/driver/labs/course.hpp"

#include <catch2/catch.hpp>
#include <new>
#include <sstream>
#include <stdexcept>
#include <string>

#include "experiments/driver/labs/board.hpp"
#include "experiments/driver/labs/grading.hpp"
#include "experiments/driver/labs/lab_folder.hpp"
#include "experiments/driver/labs/lab_reading.hpp"
#include "tests/experiments/driver/labs/tiny_lab.hpp"
#include "tools/command_line.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

struct CourseFile : Folder {
  [[nodiscard]] Course read(const std::string& text) const {
    write_text(path() + "/course.yaml", text);
    return read_course(path() + "/course.yaml", {"slowest", "gantt", "x"});
  }
};

GradedFolder graded(const std::string& id, const std::string& lab, double marks, double most) {
  return {.folder = id + lab, .id = id, .lab = lab, .marks = marks, .most = most};
}

/// A score of a trial between 0 and 10.
GradedFolder scored(const std::string& id, double low, double high) {
  GradedFolder f = graded(id, "tiny", 1, 1);
  f.answers = {{.question = "guess",
                .on_board = true,
                .score = Estimate{(low + high) / 2, low, high},
                .share = Estimate{(low + high) / 20, low / 10, high / 10},
                .none = exactly(0),
                .full = exactly(10)}};
  return f;
}

}  // namespace

TEST_CASE("A course has a name, a seed, and labs with weights", "[reads][labs]") {
  const CourseFile file;
  const Course course = file.read("nowsim-course: 1\nname: \"HPC 26\"\nseed: 42\nlabs: {slowest: 1, gantt: 2.5}\n");
  CHECK(course.name == "HPC 26");
  CHECK(course.seed == 42);
  CHECK(course.weight("gantt") == 2.5);
  CHECK(course.weight("other") == 0);
  CHECK(course.has(course.owner("a")));
  CHECK_FALSE(course.has({.course = "HPC 26", .id = "a", .seed = 41}));
  CHECK(file.read("nowsim-course: 1\nname: a\nlabs: [slowest, gantt]\n").weight("gantt") == 1);
  CHECK_THROWS_WITH(file.read("nowsim-course: 1\nname: a\nlabs: {x: -1}\nlab: y\n"),
                    Contains("course.yaml") && Contains("lab") && Contains("less than 0"));
  CHECK_THROWS_WITH(file.read("name: a\nlabs: {x: heavy}\n"), Contains("nowsim-course") && Contains("'x'"));
  CHECK_THROWS_WITH(file.read("nowsim-course: 1\nname: a\nlabs: {slowest: 1, gannt: 2}\n"),
                    Contains("course.yaml:3: labs: there is no lab 'gannt'; did you mean 'gantt'?"));
  CHECK(course.has_lab("slowest"));
  CHECK_FALSE(course.has_lab("x"));
  CHECK_THROWS_AS(file.read(""), InputError);
}

TEST_CASE("A total is of all labs of the course, by their weights", "[labs]") {
  const Course course{.name = "c", .labs = {{"one", 1}, {"two", 3}, {"three", 1}}};
  std::vector<GradedFolder> folders{graded("a", "one", 5, 5), graded("a", "two", 1, 2), graded("b", "two", 2, 2)};
  CHECK(total_percent(folders, "a", &course) == Approx(50));  // (100 + 3 * 50 + 0) / 5
  CHECK(total_percent(folders, "a", nullptr) == Approx(75));
  folders[0].counts = false;
  CHECK(total_percent(folders, "a", &course) == Approx(30));
  CHECK(total_percent(folders, "nobody", nullptr) == 0);
}

TEST_CASE("Exports have each student's total and short marks, and tables say which labs are missing", "[labs]") {
  const Texts texts(source_folder() + "/experiments/labs/texts.yaml");
  const Course course{.name = "c", .labs = {{"one", 1}, {"two", 2}, {"free", 0}}};
  std::vector<GradedFolder> folders{graded("a", "one", 7, 7), graded("b", "one", 1.0 / 3, 7), graded("b", "two", 2, 2)};
  folders[1].remarks = {"It is late", "It is long."};
  const auto written = [&](Format format) {
    std::ostringstream out;
    write_grades(folders, &course, false, texts, format, out);
    return out.str();
  };
  CHECK(written(Format::csv) == "id,lab,marks,most,percent,counts,weight,total,remarks,folder\n"
                                "a,one,7,7,100,true,1,33.3,,aone\n"
                                "b,one,0.33,7,4.8,true,1,68.3,It is late. It is long.,bone\n"
                                "b,two,2,2,100,true,2,68.3,,btwo\n");
  CHECK_THAT(written(Format::json), Contains("\"total\": 33.3") && Contains("\"weight\": 2"));
  const std::string table = written(Format::table), missing = texts.say("grade.missing");
  CHECK_THAT(table, Contains(missing) && Contains("33.3 %") && Contains("bone: It is late.\n") && !Contains("free"));
  CHECK(missing_labs(folders, "a", &course) == std::vector<std::string>{"two"});
  CHECK(missing_labs(folders, "b", &course).empty());
  CHECK(missing_labs(folders, "a", nullptr).empty());
}

TEST_CASE("A folder of folders, and many of one student, are each told once", "[labs]") {
  const TinyLabs labs;
  const Registries registries = registries_with({});
  const Texts texts(labs.labs() + "/texts.yaml");
  StudentLab student(read_lab(labs.lab()), {.course = "", .id = "a", .seed = 0}, registries);
  const std::string all = labs.path() + "/all", one = all + "/1", two = all + "/2", three = all + "/3";
  for (const std::string& folder : {one, two, three}) start_lab(student, folder);
  const auto lab = [&](const std::string&) { return student.lab; };
  const auto folders = grade_folders({one, two, three, all}, {registries, lab, texts, nullptr, {}});
  const std::string more = texts.say("remark.twice-first", {{"folders", two + ", " + three}});
  CHECK(folders[0].remarks == std::vector<std::string>{more});
  CHECK_THAT(folders[3].failure, Contains("did you mean " + all + "/*?"));
}

TEST_CASE("Whatever fails in a folder, the others are graded", "[labs]") {
  const TinyLabs labs;
  const Registries registries = registries_with({});
  const Texts texts(labs.labs() + "/texts.yaml");
  StudentLab student(read_lab(labs.lab()), {.course = "", .id = "a", .seed = 0}, registries);
  start_lab(student, labs.path() + "/a");
  int n = 0;
  const auto lab = [&](const std::string&) -> Lab {
    if (++n == 1) throw std::out_of_range("no such place");
    if (n == 2) throw std::bad_alloc();
    return student.lab;
  };
  const std::string folder = labs.path() + "/a";
  const auto all = grade_folders({folder, folder, folder}, {registries, lab, texts, nullptr, {}});
  REQUIRE(all.size() == 3);
  CHECK(all[0].failure == "no such place");
  CHECK_THAT(all[1].failure, Contains("memory"));
  CHECK(all[2].failure.empty());
  CHECK(all[2].counts);
}

TEST_CASE("IDs that look alike are shown apart, in grades and on the board", "[labs]") {
  const Texts texts(source_folder() + "/experiments/labs/texts.yaml");
  const std::vector<GradedFolder> folders{scored("anna", 1, 2),  scored("a\u043Dna", 3, 4), scored("an\u200Bna", 5, 6),
                                          scored("Мария", 7, 8), scored("сора", 2, 3),      scored("copa", 1, 2)};
  std::ostringstream grades, board;
  write_grades(folders, nullptr, false, texts, Format::table, grades);
  write_boards(boards_of(folders), texts, board);
  for (const std::string& text : {grades.str(), board.str(), board_page(boards_of(folders), texts)}) {
    CHECK_THAT(text, Contains("anna") && Contains("a\\u043dna") && Contains("an\\u200bna") && Contains("Мария"));
    CHECK_THAT(text, Contains("\\u0441\\u043e\\u0440\\u0430") && Contains("copa"));
    CHECK_THAT(text, !Contains("\u200B"));
  }
  std::ostringstream rows;  // programs get them as they are
  write_grades(folders, nullptr, false, texts, Format::csv, rows);
  CHECK_THAT(rows.str(), Contains("an\u200Bna"));
}

TEST_CASE("A folder's name begins no line of its own in remarks", "[labs]") {
  const Folder place;
  const std::string evil = place.path() + "/a\n  b: all is well.\n";
  std::filesystem::create_directory(evil);
  const Registries registries = registries_with({});
  const Texts texts(source_folder() + "/experiments/labs/texts.yaml");
  const auto lab = [](const std::string&) -> Lab { throw std::logic_error("asked for"); };
  std::vector<GradedFolder> folders = grade_folders({evil}, {registries, lab, texts, nullptr, {}});
  CHECK_THAT(folders.front().failure, Contains("a\\n  b: all is well.\\n"));
  folders.push_back(folders.front());
  folders.back().failure = "";
  folders.back().remarks = {"One.", "Of the course 'x'.\n  c: all is well.", "Back\r\x1b[2J."};
  std::ostringstream out;
  write_grades(folders, nullptr, false, texts, Format::table, out);
  CHECK_THAT(out.str(), !Contains("\n  b:") && !Contains("\n  c:") && Contains("a\\n  b: all is well.\\n: One."));
  CHECK_THAT(out.str(), !Contains("\r") && !Contains("\x1b") && Contains("\\x1b[2J."));
}

TEST_CASE("A grade compares code with what is to beat, and not with itself", "[labs]") {
  const std::string folder = source_folder() + "/experiments/labs/beat-fac2";
  const Registries registries = registries_with({});
  StudentLab student(read_lab(folder), {.course = "", .id = "a", .seed = 0}, registries, {.jobs = 1, .is_final = true});
  const Question& rule = student.lab.steps.back().questions.back();
  REQUIRE(rule.key == "rule");
  const auto code = judge_answer(student.facts, rule, {folder + "/mine.py"}, false, student.texts);
  INFO(code.says.front());
  REQUIRE(code.score);
  const auto formula = judge_answer(student.facts, rule, {"ceil(R/(2*P))"}, false, student.texts);
  CHECK(code.full.value == formula.full.value);  // on the same replications
}

TEST_CASE("A rank is shared unless an interval lies wholly above", "[labs]") {
  const auto boards =
      boards_of({scored("low", 1, 2), scored("middle", 1.5, 6), scored("high", 5, 9), scored("top", 9.5, 10)});
  REQUIRE(boards.size() == 1);
  std::vector<std::pair<std::string, std::size_t>> ranks;
  for (const BoardRow& row : boards[0].rows) ranks.emplace_back(row.id, row.rank);
  CHECK(ranks == std::vector<std::pair<std::string, std::size_t>>{{"top", 1}, {"high", 2}, {"middle", 2}, {"low", 3}});
  CHECK(boards[0].rows[0].share.low == Approx(0.95));
  GradedFolder other = scored("other", 1, 2);
  other.answers[0].none = exactly(-5);
  CHECK(boards_of({scored("low", 1, 2), other})[0].none.value != 0);  // they differ, so none is shown
  other.counts = false;
  CHECK(boards_of({other}).empty());
}

TEST_CASE("The board shows what is scored against, as text and as a page", "[labs]") {
  const Texts texts(source_folder() + "/experiments/labs/texts.yaml");
  const auto boards = boards_of({scored("<b>Ann</b>", 5, 9)});
  std::ostringstream out;
  write_boards(boards, texts, out);
  CHECK_THAT(out.str(),
             Contains("70 ± 20 %") && Contains(texts.say("board.none-row")) && Contains(texts.say("board.full-row")));
  const std::string page = board_page(boards, texts);
  CHECK_THAT(page, Contains("<th scope=\"row\">&lt;b&gt;Ann"));
  CHECK_THAT(page, Contains("&lt;b&gt;Ann") && !Contains("<b>Ann") && Contains("<caption>"));
  CHECK_THAT(board_page({}, texts), Contains(texts.say("board.empty")));
}

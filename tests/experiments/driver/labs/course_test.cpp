// Courses, totals by weights, and ranks as far as intervals tell.

#include <algorithm>
#include <catch2/catch.hpp>
#include <new>
#include <sstream>
#include <stdexcept>
#include <string>

#include "experiments/driver/labs/grading.hpp"
#include "experiments/driver/labs/lab.hpp"
#include "experiments/driver/labs/lab_folder.hpp"
#include "experiments/driver/labs/texts.hpp"
#include "experiments/driver/text/formats.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "tests/experiments/driver/labs/tiny_lab.hpp"
#include "tools/line/command_line.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

struct CourseFile : Folder {
  [[nodiscard]] Course read(const std::string& text, ReadRoster roster = ReadRoster::always) const {
    write_text(path() + "/course.yaml", text);
    return read_course(path() + "/course.yaml", {"slowest", "gantt", "x"}, roster);
  }
  /// Of a course whose students are told so.
  [[nodiscard]] std::vector<ListedStudent> students(const std::string& told) const {
    return read("nowsim-course: 1\nname: a\nlabs: [slowest]\nstudents: " + told + "\n").students;
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

TEST_CASE("A course has its students in a list, with names, or in a file beside it", "[labs]") {
  const CourseFile file;
  const auto told = [](const std::vector<ListedStudent>& students) {
    std::string all;
    for (const ListedStudent& student : students) all += student.id + "=" + student.name + ";";
    return all;
  };
  CHECK(told(file.students("[ann, '007', Jörg M.]")) == "ann=;007=;Jörg M.=;");
  CHECK(told(file.students("{ann: Ann Lee, bob: }")) == "ann=Ann Lee;bob=;");
  const auto in_file = [&](const std::string& text) {
    write_text(file.path() + "/list.csv", text);
    return told(file.students("list.csv"));
  };
  CHECK(in_file("ann\nbob\n\n") == "ann=;bob=;");
  CHECK(in_file("\xEF\xBB\xBFName,Mail,ID\r\n\"Lee, Ann\",a@b.c,ann\r\n") == "ann=Lee, Ann;");
  CHECK(in_file("17,Ann\n18,Bob\n") == "17=Ann;18=Bob;");
  const auto refused = [&](const std::string& list, const std::string& sentence) {
    CHECK_THROWS_WITH(file.students(list), Contains("course.yaml:4: students: ") && Contains(sentence));
  };
  refused("[ann, bob, ann]", "the ID 'ann' is there twice");
  refused("['']", "an ID has to be given");
  refused("[]", "no student is in this list");
  refused("", "no student is in this list");
  refused("[{a: b}]", "here stands a list of IDs");
  refused("nowhere.csv", "nowhere.csv: there is no such file");
  write_text(file.path() + "/list.csv", "ID;Name\n1;Ann\n");
  refused("list.csv", "list.csv:1: a list of students is CSV, with commas");
  write_text(file.path() + "/list.csv", "Matrikel,Name\n1001,Ann\n");
  refused("list.csv", "whose head has the column 'id'");
  // Who only makes problems need not have the file, and reads no other.
  CHECK(file.read("nowsim-course: 1\nname: a\nlabs: [slowest]\nstudents: /nowhere\n", ReadRoster::if_in_course)
            .students.empty());
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
  const std::string more = texts.say("remark.twice-best", {{"folders", two + ", " + three}});
  CHECK(folders[0].remarks == std::vector<std::string>{more});
  CHECK_THAT(folders[3].failure, Contains("did you mean " + all + "/*?"));
}

TEST_CASE("Everybody on the course's list has a row, in every format", "[labs]") {
  const Texts texts(source_folder() + "/experiments/labs/texts.yaml");
  const Course course{.name = "c", .labs = {{"one", 1}}, .students = {{"z", "Zoe"}, {"b", "Bob"}, {"a", "Ann"}}};
  std::vector<GradedFolder> folders{graded("a", "one", 3, 4), {.folder = "x", .id = "b", .counts = false}};
  folders[1].failure = "it is empty";
  folders[0].answers = {{.step = "S", .question = "q", .standing = "right", .marks = 3, .most = 4}};
  folders.push_back({.id = "z", .counts = false, .is_absent = true});
  folders.back().remarks = {texts.say("remark.absent")};
  const auto written = [&](Format format, bool by_question = false) {
    std::ostringstream out;
    write_grades(folders, &course, by_question, texts, format, out);
    return out.str();
  };
  CHECK(written(Format::csv) == "id,name,lab,marks,most,percent,counts,weight,total,remarks,folder\n"
                                "a,Ann,one,3,4,75,true,1,75,,aone\n"
                                "b,Bob,,,,,false,,0,Not graded: it is empty.,x\n"
                                "z,Zoe,,,,,false,,0,Nothing was handed in.,\n");
  CHECK(written(Format::csv, true) == "id,name,lab,step,question,answer,standing,misconception,marks,most,score,unit,"
                                      "folder,remarks\n"
                                      "a,Ann,one,S,q,,right,,3,4,,,aone,\n"
                                      "b,Bob,,,,,,,,,,,x,Not graded: it is empty.\n"
                                      "z,Zoe,,,,,,,,,,,,Nothing was handed in.\n");
  for (const bool by_question : {false, true})
    CHECK_THAT(written(Format::json, by_question),
               Contains("\"id\": \"z\"") && Contains("\"name\": \"Zoe\"") && Contains("Nothing was handed in."));
  for (const bool by_question : {false, true}) {
    const std::string table = written(Format::table, by_question);
    const std::size_t totals = table.find(texts.say("grade.total"));
    REQUIRE(totals != table.npos);
    const std::size_t zoe = table.find("Zoe", totals), bob = table.find("Bob", totals), ann = table.find("Ann", totals);
    CHECK((zoe < bob && bob < ann && ann != table.npos));  // in the order of the list
    CHECK_THAT(table, Contains("  z: Nothing was handed in.\n") && Contains("  x: Not graded: it is empty.\n"));
  }
}

TEST_CASE("A folder's name with line ends and quotes comes out of CSV as it is", "[labs]") {
  const Texts texts(source_folder() + "/experiments/labs/texts.yaml");
  GradedFolder folder = graded("a", "one", 1, 1);
  folder.folder = "a\n\"b\", c";
  for (const bool by_question : {false, true}) {
    folder.answers = {{.step = "S", .question = "q", .answer = "1\n2"}};
    std::ostringstream out;
    write_grades({folder}, nullptr, by_question, texts, Format::csv, out);
    const CsvRows csv = parse_csv(out.str(), "csv");
    REQUIRE(csv.rows.size() == 1);
    const auto column = std::ranges::find(csv.head, "folder") - csv.head.begin();
    CHECK(csv.rows[0][static_cast<std::size_t>(column)] == folder.folder);
  }
}

TEST_CASE("Of several folders of one ID the best counts, whichever is named first", "[labs]") {
  const TinyLabs labs;
  const Registries registries = registries_with({});
  const Texts texts(labs.labs() + "/texts.yaml");
  const Course course{.name = "c", .seed = 1, .labs = {{"tiny", 1}}, .students = {{"ann", ""}, {"bob", ""}, {"eve", ""}}};
  const auto lab = [&](const std::string&) { return read_lab(labs.lab()); };
  const auto start = [&](const std::string& id, const std::string& folder) {
    StudentLab student(read_lab(labs.lab()), course.owner(id), registries);
    start_lab(student, labs.path() + "/" + folder);
    return labs.path() + "/" + folder;
  };
  const auto answer = [](const std::string& folder, const std::string& from, const std::string& to) {
    std::string text = content_of(folder + "/answers.yaml");
    REQUIRE(text.find(from) != text.npos);
    write_text(folder + "/answers.yaml", text.replace(text.find(from), from.size(), to));
  };
  const std::string spoilt = start("ann", "copy"), own = start("ann", "own"), bob = start("bob", "tiny-bob"),
                    eve = start("eve", "eve");
  // A later step by hand: the guess is worth 4 marks, and no prediction counts.
  for (const auto& [folder, guess] : {std::pair(spoilt, "5"), std::pair(own, "10")})
    write_text(folder + "/answers.yaml", content_of(folder + "/answers.yaml") + "step-3:\n  guess: " + guess + "\n");
  write_text(bob + "/answers.yaml", "[");
  answer(eve, "id: \"eve\"", "id: \"ann\"");
  for (const auto& [first, second] : {std::pair(spoilt, own), std::pair(own, spoilt)}) {
    const auto all = grade_folders({first, second, bob, eve}, {registries, lab, texts, &course, {}});
    REQUIRE(all.size() == 5);
    CHECK(all[0].counts == (first == own));
    CHECK(all[1].counts == (second == own));
    CHECK(total_percent(all, "ann", &course) == Approx(100 * 4 / 7.0));
    CHECK_FALSE(is_settled(all));
    CHECK_FALSE(is_settled({all[0], all[1]}));
    CHECK(all[2].id == "bob");  // by the folder's name
    CHECK_THAT(remarks_of(all[2], texts).back(), Contains("taken for the folder of bob"));
    CHECK(all[3].failure.find("another problem") != std::string::npos);
    CHECK(all[3].remarks.empty());  // Eve's signature is nobody else's
    CHECK((all[4].id == "eve" && all[4].is_absent));
  }
  // A copy under one's own ID.
  write_text(eve + "/answers.yaml", content_of(own + "/answers.yaml"));
  answer(eve, "id: \"ann\"", "id: \"eva\"");
  const auto copied = grade_folders({own, eve}, {registries, lab, texts, &course, {}});
  CHECK_THAT(remarks_of(copied[0], texts).back(), Contains("the same problem") && Contains("eva (" + eve + ")"));
  const auto remarks = remarks_of(copied[1], texts);
  REQUIRE(remarks.size() == 3);
  CHECK_THAT(remarks[1], Contains("the same problem") && Contains("ann (" + own + ")"));
  CHECK_THAT(remarks[2], Contains("'eva' is not on the course's list of students; did you mean 'eve'?"));
  CHECK(copied[0].counts);
}

TEST_CASE("A long ID is read from a file that is spoilt further down", "[labs]") {
  const TinyLabs labs;
  const Registries registries = registries_with({});
  const Texts texts(labs.labs() + "/texts.yaml");
  const std::string id = "christopher-van-der-berg-the-younger", folder = labs.path() + "/his";
  StudentLab student(read_lab(labs.lab()), {.course = "c", .id = id, .seed = 1}, registries);
  start_lab(student, folder);
  write_text(folder + "/answers.yaml", content_of(folder + "/answers.yaml") + " : [\n");
  const auto lab = [&](const std::string&) { return read_lab(labs.lab()); };
  const auto all = grade_folders({folder}, {registries, lab, texts, nullptr, {}});
  REQUIRE(all.size() == 1);
  CHECK(all[0].id == id);
  CHECK(all[0].lab == "tiny");
}

TEST_CASE("The board says whose answers to its questions cannot be judged", "[labs]") {
  const Texts texts(source_folder() + "/experiments/labs/texts.yaml");
  GradedFolder f = scored("ann", 1, 2);
  f.answers.push_back({.question = "rule", .on_board = true, .failure = "'rule': it fails."});
  f.answers.push_back({.question = "other", .failure = "'other': it fails."});
  f.remarks = {"'rule': it fails.", "'other': it fails."};
  CHECK(board_remarks(f, texts) == std::vector<std::string>{"'rule': it fails."});
  f.counts = false;
  CHECK(board_remarks(f, texts).size() == 2);
  CHECK(board_remarks({.id = "z", .counts = false, .is_absent = true}, texts).empty());
}

TEST_CASE("A file of code is one beside the answers, and none that has its name elsewhere", "[labs]") {
  const Registries registries = registries_with({});
  StudentLab student(read_lab(source_folder() + "/experiments/labs/beat-fac2"), {.course = "", .id = "a", .seed = 0},
                     registries, {.jobs = 1, .is_final = true});
  const std::size_t last = student.lab.steps.size() - 1;
  const auto says = [&](const std::string& rule) {
    AnsweredStep step;
    for (const Question& question : student.lab.steps[last].questions)
      step.written.push_back({question.key == "rule" ? rule : ""});
    const JudgedAnswer judged = judge_step(student, "/nowhere", last, step, true).judgements.back();
    CHECK(judged.standing == AnswerStanding::unreadable);
    CHECK(judged.answer == LabAnswer{rule});
    return joined(markdown_lines(judged.says.front()));
  };
  for (const std::string path : {"/etc/mine.py", "../mine.py", "sub/mine.py", "a/../../mine.py"})
    CHECK_THAT(says(path), Contains(path) && Contains("names a folder") && Contains("its name alone is wanted, 'mine.py'"));
  for (const std::string name : {"mine.py", "./mine.py"}) CHECK_THAT(says(name), Contains("there is no file") && Contains("mine.py"));
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

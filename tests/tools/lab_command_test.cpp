// nowsim lab from the chairs of student and teacher: a whole lab, and folders with which something is wrong.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>

#include "experiments/driver/text/formats.hpp"
#include "tests/experiments/driver/labs/tiny_lab.hpp"
#include "tests/tools/program_fixture.hpp"

using namespace nowsim::test;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

struct Class : TinyLabs {
  [[nodiscard]] ProgramRun lab_command(std::vector<std::string> words) const {
    words.insert(words.begin(), "lab");
    words.insert(words.end(), {"--labs", labs()});
    return run_program(words, path());
  }
  [[nodiscard]] ProgramRun start(const std::string& id, const std::string& folder) const {
    return lab_command({"start", "tiny", "--as", id, "--out", folder});
  }
  void write_answer(const std::string& folder, const std::string& from, const std::string& to) const {
    const std::string file = path() + "/" + folder + "/answers.yaml";
    std::string text = content_of(file);
    REQUIRE(text.find(from) != text.npos);
    write_text(file, text.replace(text.find(from), from.size(), to));
  }
  [[nodiscard]] std::string right_time(const std::string& id) const {
    const std::string key = lab_command({"key", "tiny", "--as", id}).out, begin = "right: ";
    const auto at = key.find(begin) + begin.size();
    return key.substr(at, key.find(' ', at) - at);
  }
  /// Twice that.
  [[nodiscard]] std::string wrong_time(const std::string& id) const {
    return std::to_string(2 * std::stoi(right_time(id)));
  }
  /// All of it done: the guess is so near to ten.
  void do_all(const std::string& id, const std::string& folder, const std::string& guess) const {
    REQUIRE(start(id, folder).status == 0);
    write_answer(folder, "  T: \n", "  T: 12\n");
    REQUIRE(lab_command({"check", folder}).status == 0);
    const double quarter = std::stod(right_time(id)) / 4;
    write_answer(folder, "    first: \n    second: \n", "    first: " + std::to_string(quarter) + "\n    second: 1\n");
    write_answer(folder, "  which: \n", "  which: none\n");
    REQUIRE(lab_command({"check", folder}).status == 0);
    write_answer(folder, "  guess: \n", "  guess: " + guess + "\n");
    REQUIRE(lab_command({"check", folder}).status == 0);
  }
};

std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

}  // namespace

TEST_CASE("nowsim lab lists labs and its parts", "[computes][cli][labs]") {
  const Class c;
  const ProgramRun list = c.lab_command({});
  CHECK(list.status == 0);
  CHECK_THAT(list.out, Contains("tiny  How long? (5 min)") && Contains("nowsim lab grade") &&
                           Contains("page for teachers (teacher.md), are in "));
  const std::string experiments = run_program({"list", "experiments"}).out;
  CHECK_THAT(experiments, Contains("labs/slowest/equal") && !Contains("labs/texts") && !Contains("slowest/lab"));
  CHECK_THAT(run_program({"lab"}).out, Contains("slowest"));
}

TEST_CASE("A broken lab hides no other", "[cli][labs]") {
  const Class c;
  write_text(c.labs() + "/broken/lab.yaml", "nowsim-lab: 1\ntitel: x\n");
  const ProgramRun list = c.lab_command({});
  CHECK(list.status == 2);
  CHECK_THAT(list.out, Contains("tiny  How long?"));
  CHECK_THAT(list.error, Contains("broken/lab.yaml:2: titel: ") && !Contains("tiny"));
}

TEST_CASE("A student's way through a lab", "[cli][labs]") {
  const Class c;
  const ProgramRun started = c.lab_command({"start", "tiny", "--as", "Jörg M."});
  CHECK(started.status == 0);
  const std::string folder = c.path() + "/tiny-Jörg-M.";
  CHECK(files_in(folder) == std::vector<std::string>{"answers.yaml", "handout.html"});
  CHECK(run_program({"lab", "check", "--labs", c.labs()}, folder).status == 0);
  c.write_answer("tiny-Jörg-M.", "  T: \n", "  T: " + c.right_time("Jörg M.") + "\n");
  const ProgramRun predicted = run_program({"lab", "check", "--labs", c.labs()}, folder);
  CHECK_THAT(predicted.out, Contains("It takes ") && !Contains("**"));
  CHECK_THAT(predicted.out, Contains("Predict (locked in)") && Contains(": right") && Contains("'Run' is open"));
  CHECK(files_in(folder).size() == 7);  // equal.yaml, notes.txt, a chart as SVG and CSV, feedback.html besides
  CHECK(content_of(folder + "/notes.txt") == "as it is: {work}\n");
  CHECK(run_program({"run", "equal.yaml"}, folder).status == 0);
  CHECK_THAT(content_of(folder + "/feedback.html"), Contains("right"));
}

TEST_CASE("What a student has is never overwritten", "[cli][labs]") {
  const Class c;
  CHECK_THAT(c.start("a", "mine").out, Contains("in that folder: cd mine\n"));
  const std::string answers = content_of(c.path() + "/mine/answers.yaml");
  const ProgramRun again = c.start("a", "mine");
  CHECK(again.status == 2);
  CHECK_THAT(again.error, Contains("mine is there and not empty"));
  CHECK(content_of(c.path() + "/mine/answers.yaml") == answers);
  write_text(c.path() + "/mine/equal.yaml", "my own\n");
  c.write_answer("mine", "  T: \n", "  T: 12\n");
  REQUIRE(c.lab_command({"check", "mine"}).status == 0);
  CHECK(content_of(c.path() + "/mine/equal.yaml") == "my own\n");
  REQUIRE(c.start("a", "other").status == 0);
  CHECK(content_of(c.path() + "/other/answers.yaml") == answers);  // the same bytes whenever it is made
  write_text(c.path() + "/file", "");
  CHECK(c.start("a", "file").status == 2);
}

TEST_CASE("A lab is looked for by its name alone in a folder of answers too", "[cli][labs]") {
  const Class c;
  fs::copy(c.lab(), c.path() + "/own", fs::copy_options::recursive);
  REQUIRE(c.start("a", "mine").status == 0);
  c.write_answer("mine", "lab: \"tiny\"", "lab: \"" + c.path() + "/own\"");
  CHECK_THAT(c.lab_command({"check", "mine"}).error, Contains("there is no lab '"));
  CHECK_THAT(c.lab_command({"grade", "mine"}).out, Contains("there is no lab '"));
  CHECK_THAT(c.lab_command({"board", "mine"}).out, Contains("there is no lab '"));
}

TEST_CASE("Grading goes on, whatever is wrong with a folder", "[cli][labs]") {
  const Class c;
  c.do_all("good", "good", "10");
  for (const char* name : {"broken", "empty", "huge", "foreign", "tampered", "changed", "other"})
    c.do_all(name, name, "5");
  const auto write = [&](const std::string& name, const std::string& text) {
    write_text(c.path() + "/" + name + "/answers.yaml", text);
  };
  write("broken", "a: [1");
  write("empty", "");
  write("huge", std::string(2'000'000, 'x'));
  c.write_answer("foreign", "lab: \"tiny\"", "lab: \"unknown\"");
  c.write_answer("tampered", "locked-1:\n  T: \"12\"", "locked-1:\n  T: \"13\"");
  c.write_answer("changed", "  T: 12\n", "  T: 13\n");
  c.write_answer("other", "id: \"other\"", "id: \"good\"");
  fs::create_directories(c.path() + "/folder/answers.yaml");
  fs::copy_file(c.path() + "/good/answers.yaml", c.path() + "/alone.yaml");  // nothing else of the folder is needed

  const std::vector<std::string> words{"grade",  "broken",  "empty", "huge",     "foreign", "other",
                                       "folder", "nowhere", "good",  "tampered", "changed", "alone.yaml"};
  const ProgramRun r = c.lab_command(words);
  CHECK(r.status == 1);
  INFO(r.out << r.error);
  for (const char* sentence :
       {"broken: Not graded: broken/answers.yaml:1: ", "empty: Not graded: ", "huge: Not graded: ",
        "there is no lab 'unknown'", "other: Not graded: other/answers.yaml:", "folder: Not graded: ",
        "nowhere: Not graded: ", "tampered: What was locked in of 'Predict' was changed",
        "changed: 'T' was changed after it was locked in",
        "alone.yaml: The same ID has another folder of this lab, good: that one counts"})
    CHECK_THAT(r.out, Contains(sentence));

  const ProgramRun csv = c.lab_command({"grade", "good", "broken", "changed", "--csv"});
  CHECK_THAT(csv.out, Contains("id,lab,marks,most,percent,counts,weight,total,remarks,folder\ngood,tiny,6,7,") &&
                          Contains("\nchanged,tiny,4,7,") && Contains("\n,,,,,false,"));
  const ProgramRun questions = c.lab_command({"grade", "good", "--questions", "--format", "csv"});
  CHECK_THAT(questions.out, Contains("good,tiny,Run,parts,") && Contains(",partly right,,1,2,") &&
                                Contains("good,tiny,Try,guess,10,right,,4,4,10,,good"));
  CHECK(c.lab_command({"grade", "good", "--format", "json"}).status == 0);
}

TEST_CASE("A spoilt copy costs its owner nothing, and who handed in nothing has a row", "[cli][labs]") {
  const Class c;
  const std::string ugly = "own\n\"folder\"";
  c.do_all("ann", "copy", "5");
  c.do_all("ann", ugly, "10");
  write_text(c.path() + "/ids.csv", "id,name\nann,Ann\nbob,Bob\n");
  write_text(c.path() + "/course.yaml", "nowsim-course: 1\nname: \"\"\nlabs: {tiny: 1}\nstudents: ids.csv\n");
  const auto grade = [&](const std::string& format) {
    const ProgramRun r = c.lab_command({"grade", "copy", ugly, "--course", "course.yaml", "--format", format});
    CHECK(r.status == 1);
    INFO(r.error);
    return r.out;
  };
  const nowsim::CsvRows csv = nowsim::parse_csv(grade("csv"), "csv");
  REQUIRE(csv.rows.size() == 3);
  const auto cell = [&](std::size_t row, const std::string& column) {
    return csv.rows[row][static_cast<std::size_t>(std::ranges::find(csv.head, column) - csv.head.begin())];
  };
  CHECK(cell(0, "counts") == "false");
  CHECK(cell(1, "counts") == "true");
  CHECK(cell(1, "folder") == ugly);
  for (const std::size_t row : {0U, 1U}) CHECK(cell(row, "total") == "85.7");  // 6 of 7, not 4
  CHECK(cell(2, "id") == "bob");
  CHECK(cell(2, "total") == "0");
  CHECK(cell(2, "remarks") == "Nothing was handed in.");
  CHECK_THAT(grade("json"), Contains("\"name\": \"Bob\"") && Contains("own\\u000a\\\"folder\\\""));
  CHECK_THAT(grade("table"), Contains("  bob: Nothing was handed in.\n"));
}

TEST_CASE("A course counts its own folders, by weight", "[cli][labs]") {
  const Class c;
  write_text(c.path() + "/course.yaml", "nowsim-course: 1\nname: HPC\nseed: 3\nlabs: {tiny: 1}\n");
  REQUIRE(c.lab_command({"start", "tiny", "--as", "a", "--course", "course.yaml", "--out", "in"}).status == 0);
  REQUIRE(c.start("b", "out").status == 0);
  // Problems are made without the students' list, whose file only teachers have.
  write_text(c.path() + "/listed.yaml", content_of(c.path() + "/course.yaml") + "students: nowhere.csv\n");
  CHECK(c.lab_command({"start", "tiny", "--as", "c", "--course", "listed.yaml", "--out", "listed"}).status == 0);
  CHECK(c.lab_command({"grade", "in", "--course", "listed.yaml"}).status == 2);
  const ProgramRun r = c.lab_command({"grade", "in", "out", "--course", "course.yaml"});
  CHECK(r.status == 0);
  write_text(c.path() + "/empty.yaml", "nowsim-course: 1\nname: HPC\nlabs: {second: 1}\n");
  fs::copy(c.lab(), c.labs() + "/second", fs::copy_options::recursive);
  const ProgramRun not_in_it = c.lab_command({"start", "tiny", "--as", "a", "--course", "empty.yaml"});
  CHECK(not_in_it.status == 2);
  CHECK_THAT(not_in_it.error, Contains("this course has no lab 'tiny', only second"));
  const ProgramRun board = c.lab_command({"board", "out", "--course", "course.yaml"});
  CHECK_THAT(board.out, Contains("out: It was made for another course"));
  CHECK_THAT(r.out, Contains("out: It was made for another course ('', seed 0)") && !Contains("\n  in: "));
}

TEST_CASE("The board and the key", "[cli][labs]") {
  const Class c;
  c.do_all("ann", "ann", "10");
  c.do_all("bob", "bob", "5");
  const ProgramRun board = c.lab_command({"board", "bob", "ann", "nowhere", "--page", "board.html"});
  CHECK(board.status == 1);  // as a folder was not graded
  CHECK(board.out.find("ann") < board.out.find("bob"));
  CHECK_THAT(board.out, Contains("nowhere: Not graded"));
  c.write_answer("bob", "  guess: 5\n", "  guess: five\n");
  const ProgramRun unreadable = c.lab_command({"board", "bob", "ann"});
  CHECK(unreadable.status == 0);
  CHECK_THAT(unreadable.out, Contains("\nbob: 'guess': This cannot be judged: ") && !Contains("\nann: "));
  CHECK_THAT(content_of(c.path() + "/board.html"), Contains("ann") && Contains("<table>"));
  const ProgramRun key = c.lab_command({"key", "tiny", "--as", "ann"});
  CHECK(key.status == 0);
  CHECK_THAT(key.out, Contains("`T`: How long does it take?") &&
                          Contains("alone: " + c.wrong_time("ann") + " s\n") && Contains("which") &&
                          Contains("right: none"));
}

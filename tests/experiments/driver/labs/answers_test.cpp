// Answers files and a lab's description: made, grown without a byte changed, read back, and told what is wrong in them.
#include "experiments/driver/labs/answers.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "experiments/driver/labs/facts.hpp"
#include "experiments/driver/labs/judging.hpp"
#include "experiments/driver/labs/lab.hpp"
#include "experiments/driver/labs/lab_folder.hpp"
#include "experiments/driver/labs/problem.hpp"
#include "experiments/driver/labs/texts.hpp"
#include "tests/experiments/driver/labs/tiny_lab.hpp"
#include "tests/thrown.hpp"
#include "tools/line/command_line.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

const Registries& registries() {
  static const Registries all = registries_with({});
  return all;
}

/// A student's folder of the tiny lab.
struct Started : TinyLabs {
  explicit Started(const std::string& id = "Jörg: \"the 1st\" #2")
      : student(read_lab(lab()), {.course = "c: 1", .id = id, .seed = 7}, registries()) {
    start_lab(student, folder());
  }
  [[nodiscard]] std::string folder() const { return path() + "/mine"; }
  [[nodiscard]] std::string file() const { return folder() + "/answers.yaml"; }
  [[nodiscard]] std::string text() const { return content_of(file()); }
  void replace(const std::string& from, const std::string& to) const {
    std::string all = text();
    REQUIRE(all.find(from) != all.npos);
    write_text(file(), all.replace(all.find(from), from.size(), to));
  }
  CheckedLab check() { return check_lab(student, folder(), read_answers_file(file(), student.texts)); }
  [[nodiscard]] std::vector<AnsweredStep> steps() const {
    return answered_steps(read_answers_file(file(), student.texts), student.lab, student.problem, student.texts);
  }
  [[nodiscard]] std::string error() const { return sentence_of([&] { (void)steps(); }); }

  StudentLab student;
};

/// Changes the tiny lab's description.
void replace_in_lab(const TinyLabs& labs, const std::string& what, const std::string& by) {
  std::string text = content_of(labs.lab() + "/lab.yaml");
  const auto at = text.find(what);
  REQUIRE(at != std::string::npos);
  write_text(labs.lab() + "/lab.yaml", text.replace(at, what.size(), by));
}

std::string problems_with(const std::string& what, const std::string& by) {
  const TinyLabs labs;
  replace_in_lab(labs, what, by);
  return sentence_of([&] { read_lab(labs.lab()); });
}

std::string failure_of(Facts& facts, const std::string& name) { return sentence_of([&] { facts.get(name); }); }

/// "group.name" in quotes, where the group is one of the file's.
std::set<std::string> keys_asked_for(const std::set<std::string>& groups) {
  std::set<std::string> keys;
  const std::regex key(R"re("([a-z]+)\.([a-z_-]+)")re");
  for (const char* folder : {"/experiments/driver/labs", "/tools/commands"})
    for (const auto& entry : fs::directory_iterator(source_folder() + folder)) {
      const std::string name = entry.path().filename().string();
      if (entry.path().extension() != ".cpp" || (folder[1] == 't' && !name.starts_with("lab_"))) continue;
      const std::string code = content_of(entry.path().string());
      for (std::sregex_iterator match(code.begin(), code.end(), key), end; match != end; ++match)
        if (groups.contains((*match)[1])) keys.insert(match->str(1) + "." + match->str(2));
    }
  return keys;
}

const std::set<std::string> kFileNames{"handout.md", "answers.yaml", "handout.html", "feedback.html"};

}  // namespace

TEST_CASE("An answers file is read back as it was made", "[reads][labs]") {
  const Started s;
  const AnswersFile file = read_answers_file(s.file(), s.student.texts);
  CHECK(file.owner.id == "Jörg: \"the 1st\" #2");
  CHECK(file.owner.course == "c: 1");
  CHECK(file.owner.seed == 7);
  CHECK(file.lab == "tiny");
  CHECK(file.signature == s.student.problem.signature);
  REQUIRE(s.steps().size() == 1);
  CHECK(s.steps()[0].written == std::vector<LabAnswer>{{""}});
}

TEST_CASE("Numbers, texts, lists and formulas are read as they were written", "[labs]") {
  const std::pair<const char*, const char*> written[] = {{"310", "310"},
                                                         {"  5 min ", "5 min"},
                                                         {"\"a: b # c\"", "a: b # c"},
                                                         {"= ceil(R/P)", "= ceil(R/P)"},
                                                         {"ceil(R/P)", "ceil(R/P)"},
                                                         {"12%", "12%"},
                                                         {"cannot be told", "cannot be told"},
                                                         {"~", ""},
                                                         {"|\n    max(R,\n    1)", "max(R,\n1)"}};
  for (const auto& [yaml, answer] : written) {
    const Started s;
    INFO(yaml);
    s.replace("  T: \n", std::string("  T: ") + yaml + "\n");
    CHECK(s.steps()[0].written[0] == LabAnswer{answer});
  }
}

TEST_CASE("Numbers may have the question's unit or one of its kind, and a decimal comma is named", "[labs]") {
  CHECK(answer_number("2500 sec", "s") == 2500);
  CHECK(answer_number("0.95 Gflop/s", "Gflop/s") == 0.95);
  CHECK(answer_number("950 Mf", "Gflop/s") == Approx(0.95));
  CHECK_THROWS_WITH(answer_number("-3", "min"), "a time is 0 or more");
  CHECK(answer_number("-3", "") == -3);  // no time
  CHECK_THROWS_WITH(answer_number("1917,5", "s"), Catch::Contains("it holds ',' where a decimal point is wanted"));
}

TEST_CASE("Questions in % name no other unit", "[labs]") {
  Started s;
  Question question = s.student.lab.steps[0].questions[0];
  question.unit = "%";
  CHECK(question_hints(s.student.facts, question, s.student.texts).front() == "Answer in %.");
}

TEST_CASE("A list is one answer per item, in whichever way it is written", "[labs]") {
  for (const std::string list :
       {"  parts: {second: 2, first: 1 s}\n", "  parts: [1 s, 2]\n", "  parts:\n    first: 1 s\n    second: 2\n"}) {
    Started s;
    s.replace("  T: \n", "  T: 12\n");
    s.check();
    s.replace("  parts:\n    first: \n    second: \n", list);
    CHECK(s.steps()[1].written[0] == LabAnswer{"1 s", "2"});
  }
}

TEST_CASE("A check locks a prediction in and adds to the file, of which every byte stays", "[labs]") {
  Started s;
  s.replace("  T: \n", "  T: 12 s # mine\r\n\n# a note of mine");  // and no line's end at the end
  const std::string before = s.text();
  const CheckedLab check = s.check();
  CHECK(check.is_locked);
  CHECK(check.opened == "Run");
  CHECK(s.text().starts_with(before));
  const auto steps = s.steps();
  REQUIRE(steps.size() == 2);
  CHECK(steps[0].lock == AnsweredStep::Lock::sound);
  CHECK(steps[0].locked == std::vector<LabAnswer>{{"12 s"}});
  const std::string after = s.text();
  CHECK_FALSE(s.check().is_locked);
  CHECK(s.text() == after);
}

TEST_CASE("Nothing is locked in, and nothing of it said, while an answer is missing or cannot be read", "[labs]") {
  Started s;
  const std::string before = s.text();
  CHECK(s.check().steps[0].judgements[0].standing == AnswerStanding::missing);
  CHECK(s.text() == before);
  s.replace("  T: \n", "  T: soon\n");
  const CheckedLab check = s.check();
  CHECK(check.opened.empty());
  CHECK(check.steps[0].is_hidden);
  CHECK(check.steps[0].judgements[0].standing == AnswerStanding::unreadable);
}

TEST_CASE("Of a list that was begun it is said what is missing, and which items cannot be read", "[labs]") {
  Started s;
  Question parts = s.student.lab.steps[1].questions[0];  // first and second, in s
  parts.least = 1;
  const auto said = [&](const LabAnswer& answer) {
    std::string all;
    for (const std::string& sentence : judge_answer(s.student.facts, parts, answer, false, s.student.texts).says)
      all += markdown_lines(sentence).front() + "\n";
    return all;
  };
  CHECK(said({"", ""}) == s.student.texts.say("judge.missing") + "\n");
  CHECK_THAT(said({"bla", " "}),
             Contains("Missing: second.") && Contains("first: a number is wanted") && Contains("'bla'"));
  CHECK_THAT(said({"3", "soon"}), Contains("second: a number is wanted") && !Contains("first"));
  CHECK_THAT(said({"0", "3"}), Contains("first: '0' is to be 1 or more"));
  CHECK_THAT(said({"cannot be told", "3"}), !Contains("cannot be judged"));
  s.replace("  T: \n", "  T: 12\n");
  s.check();
  s.replace("    first: \n", "    first: bla\n");
  std::ostringstream out;
  write_feedback(s.student, s.check(), out);
  CHECK_THAT(out.str(), Contains("not complete yet\n") && Contains("Missing: second."));
}

TEST_CASE("A right answer is not told twice, and one mark is no plural", "[labs]") {
  Started s;
  const Question& time = s.student.lab.steps[0].questions[0];
  const auto right = judge_answer(s.student.facts, time, right_answer(s.student.facts, time), true, s.student.texts);
  REQUIRE(right.says.size() == 1);
  CHECK_THAT(right.says.front(), Contains("It takes **"));
  const Question& which = s.student.lab.steps[1].questions[1];
  const auto word = judge_answer(s.student.facts, which, {"none"}, false, s.student.texts);
  CHECK(word.says == std::vector<std::string>{"Right: none."});
  CHECK(standing_text(word, {}, s.student.texts) == "right, 1 of 1 mark");
}

TEST_CASE("Answers that an editor saves during a check are not moved aside", "[labs]") {
  Started s;
  s.replace("  T: \n", "  T: 12\n");
  const AnswersFile read = read_answers_file(s.file(), s.student.texts);
  s.replace("  T: 12\n", "  T: 13\n");
  const std::string saved = s.text();
  CHECK_THROWS_WITH(check_lab(s.student, s.folder(), read), Contains("was changed while it was checked"));
  CHECK(s.text() == saved);
  CHECK_FALSE(fs::exists(s.folder() + "/equal.yaml"));
  CHECK(s.check().is_locked);
}

TEST_CASE("Answers behind a link stay behind it", "[labs]") {
  Started s;
  s.replace("  T: \n", "  T: 12\n");
  fs::rename(s.file(), s.path() + "/elsewhere.yaml");
  fs::create_symlink(s.path() + "/elsewhere.yaml", s.file());
  CHECK(s.check().is_locked);
  CHECK(fs::is_symlink(s.file()));
  CHECK(s.steps().size() == 2);
}

TEST_CASE("What is handed out is made before anything is written, and a later check makes up for what is missing",
          "[labs]") {
  Started s;
  s.replace("  T: \n", "  T: 12\n");
  fs::remove(s.folder() + "/handout.html");
  SECTION("where nothing can be handed out") {
    write_text(s.lab() + "/handout.md", "## Predict\n");
    CHECK_THROWS_AS(s.check(), InputError);  // found before anything is written
    CHECK(s.steps().size() == 1);
    CHECK_FALSE(fs::exists(s.folder() + "/equal.yaml"));
  }
  SECTION("where a file is gone") {
    CHECK(s.check().is_locked);
    fs::remove(s.folder() + "/equal.yaml");
    fs::remove(s.folder() + "/handout.html");
    write_text(s.folder() + "/notes.txt", "my own\n");
    CHECK(s.check().opened.empty());
    CHECK(fs::exists(s.folder() + "/equal.yaml"));
    CHECK_THAT(content_of(s.folder() + "/handout.html"), Contains("<h2>Run</h2>"));
    CHECK(content_of(s.folder() + "/notes.txt") == "my own\n");
  }
  SECTION("where a start came no further than the answers") {
    CHECK_THROWS_WITH(start_lab(s.student, s.folder()), Contains("lab check"));
    s.replace("  T: 12\n", "  T: \n");
    CHECK(s.check().opened.empty());
    CHECK(fs::exists(s.folder() + "/handout.html"));
  }
}

TEST_CASE("What was locked in counts, and what was changed is noticed", "[labs]") {
  Started s;
  s.replace("  T: \n", "  T: 12\n");
  s.check();
  SECTION("an answer that differs from its lock") {
    s.replace("  T: 12\n", "  T: 13\n");
    CHECK(s.steps()[0].counted() == std::vector<LabAnswer>{{"12"}});
    CHECK(s.check().steps[0].changed == std::vector<std::string>{"T"});
  }
  SECTION("a lock that was changed") {
    s.replace("  T: \"12\"\n", "  T: \"13\"\n");
    CHECK(s.steps()[0].lock == AnsweredStep::Lock::changed);
    CHECK(s.steps()[0].counted() == std::vector<LabAnswer>{{""}});
    std::ostringstream out;
    write_feedback(s.student, s.check(), out);
    CHECK_THAT(out.str(), Contains("T  does not count") && Contains("'locked-1'") && Contains("undo the change"));
  }
  SECTION("a lock that is gone") {
    const std::string text = s.text();
    const auto begin = text.find("locked-1:"), end = text.find("# ---- Run");
    s.replace(text.substr(begin, end - begin), "");
    CHECK(s.steps()[0].lock == AnsweredStep::Lock::lost);
    CHECK(s.steps()[0].is_tampered());
    CHECK(s.check().remarks.size() == 1);
  }
}

TEST_CASE("What cannot be an answers file is told, with its line", "[labs]") {
  const Started s;
  const std::string good = s.text(), file = s.file();
  const auto told = [&](const std::string& text) {
    write_text(file, text);
    return s.error();
  };
  CHECK_THAT(told(""), Contains("this file is empty"));
  CHECK_THAT(told("a: [1"), Contains("answers.yaml:1: ") && Contains("not closed"));
  CHECK_THAT(told("just words"), Contains("nowsim-answers"));
  CHECK_THAT(told("nowsim-answers: 2\n"), Contains("answers.yaml:1: this nowsim reads"));
  CHECK_THAT(told("nowsim-answers: 1\nlab: tiny\n"), Contains("'course:'"));
  CHECK_THAT(told(std::string(2'000'000, '#')), Contains("more than 1 MiB"));
  CHECK_THAT(told(good + "step-2:\n  part: 3\n"), Contains("no question 'part'") && Contains("did you mean 'parts'?"));
  CHECK_THAT(told(good + "T: 3\n"), Contains("the key 'T' is not known"));
  CHECK_THAT(told(good + "step-2:\n  parts: {first: 1, third: 2}\n"), Contains("nothing about 'third'"));
  CHECK_THAT(told(good + "step-2:\n  parts: [1, 2, 3]\n"), Contains("one answer for each of first, second"));
  std::string other = good;
  CHECK_THAT(told(other.replace(other.find("lab: \"tiny\""), 11, "lab: \"huge\"")),
             Contains("answers to the lab 'huge'"));
  other = good;
  CHECK_THAT(told(other.replace(other.find("problem: \"") + 10, 4, "0000")), Contains("another problem"));
  CHECK_THROWS_WITH(read_answers_file(s.folder(), s.student.texts), Contains("mine"));
  CHECK_THROWS_WITH(read_answers_file(s.path() + "/none.yaml", s.student.texts), Contains("there is no such file"));
}

TEST_CASE("A lock's signature is of its problem, its step and every answer", "[labs]") {
  const Started a("a"), b("b");
  const std::vector<LabAnswer> answers{{"1"}}, others{{"2"}};
  const std::string signature = lock_signature(a.student.lab, a.student.problem, 0, answers);
  CHECK(signature == lock_signature(a.student.lab, a.student.problem, 0, answers));
  CHECK(signature != lock_signature(a.student.lab, a.student.problem, 0, others));
  CHECK(signature != lock_signature(b.student.lab, b.student.problem, 0, answers));
  const std::vector<LabAnswer> list{{"1", "2"}, {"ws1"}}, moved{{"1", "2ws1"}, {""}};
  CHECK(lock_signature(a.student.lab, a.student.problem, 1, list) !=
        lock_signature(a.student.lab, a.student.problem, 1, moved));
}

TEST_CASE("An ID is any text that can be shown, and a folder's name what file systems take", "[labs]") {
  CHECK(checked_id("  Jörg Müller ") == "Jörg Müller");
  CHECK_THROWS_WITH(checked_id("  "), Contains("has to be given"));
  CHECK_THROWS_WITH(checked_id("a\nb"), Contains("no characters"));
  CHECK_THROWS_WITH(checked_id("\xff"), Contains("no characters"));
  CHECK_THROWS_WITH(checked_id("an\u200Bna"), Contains("holds ") && Contains("U+200B, an invisible mark"));
  CHECK_THROWS_WITH(checked_id("an\u00A0na"), Contains("U+00A0") && Contains("a plain one or none is wanted"));
  for (const char* name : {"José", "李小龍", "Łukasz", "Мария", "Ελένη", "نام\u200Cها", "आस्था", "Nguyễn Văn A", "b-17"})
    CHECK(checked_id(name) == name);
  CHECK_THROWS_WITH(checked_id(std::string(101, 'x')), Contains("longer than 100"));
  CHECK(checked_id(std::string(100, 'x')).size() == 100);
  CHECK(folder_name("tiny", "Jörg Müller") == "tiny-Jörg-Müller");
  CHECK(folder_name("tiny", "a\u200Bb\u2066c") == "tiny-a-b-c");
  CHECK(folder_name("tiny", "../../etc/passwd") == "tiny-..-..-etc-passwd");
  std::string wide;
  for (int i = 0; i < 100; ++i) wide += "漢";
  CHECK(folder_name("tiny", wide).size() <= 200);
}

TEST_CASE("labs: mistakes in a description are named with line and key", "[labs][error]") {
  CHECK_THAT(problems_with("minutes: 5", "minutess: 5"),
             Contains("lab.yaml:4: minutess: this key is not known; did you mean 'minutes'?") && Contains("this key is missing"));
  CHECK_THAT(problems_with("file: equal.yaml", "file: equl.yaml"), Contains("experiments.equal: the lab has no file 'equl.yaml'"));
  CHECK_THAT(problems_with("right: T\n", "right: Tt\n"), Contains("the lab has no fact 'Tt'; did you mean 'T'?"));
  CHECK_THAT(problems_with("{of: equal, metric: tau}", "{of: equals, metric: tau}"), Contains("has no experiment 'equals'"));
  CHECK_THAT(problems_with("marks: 4", "marks: 4\n        least: few"), Contains("guess.least: "));
  CHECK_THAT(problems_with("kind: trial", "kind: trail"), Contains("'trail' is not one of: number,") && Contains("did you mean 'trial'?"));
  CHECK_THAT(problems_with("[100, 200, 300]", "{from: 1, to: 2, step: 0.3}"), Contains("make a row of values with both ends"));
}

TEST_CASE("labs: a fact's block may be empty, or missing", "[labs][error]") {
  CHECK_THAT(problems_with("ten: = 10", "ten: {of: equal, law: }"), Contains("facts.ten.law: here stands a map"));
  CHECK_THAT(problems_with("ten: = 10", "ten: {of: equal, verdicts: 3}"), Contains("facts.ten.verdicts: here stands a map"));
  CHECK_THAT(problems_with("ten: = 10", "ten: {of: equal}"), Contains("a fact is a formula, or has one of"));
}

TEST_CASE("labs: a fact that fails, fails with the same sentence again; one that needs itself is told so", "[labs][error]") {
  const TinyLabs labs;
  replace_in_lab(labs, "ten: = 10", "ten: = 1/0\n  self: = self + 1");
  const Lab lab = read_lab(labs.lab());
  const Registries registries = registries_with({});
  const Problem problem = draw_problem(lab, {"", "x", 0}, 0);
  Facts facts(lab, problem, registries);
  for (int again = 0; again < 2; ++again) {
    CHECK_THAT(failure_of(facts, "ten"), Contains("has no value here"));
    CHECK_THAT(failure_of(facts, "self"), Contains("this fact is needed for itself"));
  }
}

TEST_CASE("The texts of labs are those that the program says", "[labs]") {
  const Texts texts(source_folder() + "/experiments/labs/texts.yaml");
  std::set<std::string> there, groups;
  for (const auto& [key, text] : texts.all()) {
    CHECK_FALSE(text.empty());
    there.insert(key);
    groups.insert(key.substr(0, key.find('.')));
  }
  std::set<std::string> asked = keys_asked_for(groups);
  for (const std::string& file : kFileNames) asked.erase(file);
  CHECK(asked.size() > 60);
  CHECK(there == asked);
}

TEST_CASE("A text's values are filled in, once", "[labs]") {
  const Folder folder;
  const std::string file = folder.path() + "/texts.yaml";
  write_text(file, "a: {b: \"{x} and {y}, {none}, {\"}\n");
  const Texts texts(file);
  CHECK(texts.say("a.b", {{"x", "{y}"}, {"y", "2"}}) == "{y} and 2, {none}, {");
  CHECK_THROWS_WITH(texts.say("a.c"), Contains("texts.yaml: a.c: this text is missing"));
  write_text(file, "a: b\n");
  CHECK_THROWS_WITH(Texts(file), Contains("no map of texts"));
  write_text(file, "a: {b: [1]}\n");
  CHECK_THROWS_WITH(Texts(file), Contains("a.b: this is no text"));
  CHECK_THROWS_AS(texts_beside(folder.path() + "/no/lab"), InputError);
}

TEST_CASE("A file beside a lab's folder is one's own, or else nowsim's", "[labs]") {
  const Folder own, shipped;
  const std::string of_nowsim = shipped.file("chunk_rule.py", ""), lab = own.path() + "/lab";
  CHECK(path_beside(lab, "chunk_rule.py", shipped.path()) == of_nowsim);
  CHECK(path_beside(lab, "chunk_rule.py") == own.path() + "/chunk_rule.py");
  const std::string of_own = own.file("chunk_rule.py", "");
  for (const char* const ending : {"", "/", "/."}) CHECK(path_beside(lab + ending, "chunk_rule.py", shipped.path()) == of_own);
}

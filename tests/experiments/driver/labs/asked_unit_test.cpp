// The unit in which a time is asked is that of its table, and what seems to have another one is asked back.

#include <catch2/catch.hpp>
#include <sstream>
#include <string>

#include "experiments/driver/labs/answers.hpp"
#include "experiments/driver/labs/grading.hpp"
#include "experiments/driver/labs/judging.hpp"
#include "experiments/driver/labs/lab.hpp"
#include "experiments/driver/labs/lab_folder.hpp"
#include "experiments/driver/labs/texts.hpp"
#include "sim/base/text.hpp"
#include "tests/experiments/driver/labs/tiny_lab.hpp"
#include "tools/line/command_line.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

/// The tiny lab with so much work that it takes this long [s], and changes of its description.
struct TimedLab : TinyLabs {
  explicit TimedLab(double seconds, const NamedTexts& changes = {}) {
    replace("[100, 200, 300]", "[" + number_text(2 * seconds) + "]");
    for (const auto& [what, by] : changes) replace(what, by);
  }
  void replace(const std::string& what, const std::string& by) const {
    std::string text = content_of(lab() + "/lab.yaml");
    REQUIRE(text.find(what) != text.npos);
    write_text(lab() + "/lab.yaml", text.replace(text.find(what), what.size(), by));
  }
};

/// A student of it, with a folder.
struct Timed : TimedLab {
  explicit Timed(double seconds, const NamedTexts& changes = {})
      : TimedLab(seconds, changes), student(read_lab(lab()), {.course = "c", .id = "a", .seed = 7}, registries) {
    start_lab(student, folder());
  }
  [[nodiscard]] std::string folder() const { return path() + "/mine"; }
  [[nodiscard]] const Question& question(std::size_t step = 0) const { return student.lab.steps[step].questions[0]; }
  [[nodiscard]] JudgedAnswer judged(const std::string& answer, bool reveals = false) {
    return judge_answer(student.facts, question(), {answer}, reveals, student.texts);
  }
  [[nodiscard]] JudgedAnswer tried(const std::string& answer) {
    return judge_answer(student.facts, question(2), {answer}, false, student.texts);
  }
  CheckedLab check(const std::string& answer) {
    const std::string file = folder() + "/answers.yaml";
    std::string text = content_of(file);
    const auto at = text.find("  T: "), end = text.find('\n', at);
    write_text(file, text.replace(at, end - at, "  T: " + answer));
    return check_lab(student, folder(), read_answers_file(file, student.texts));
  }

  static inline const Registries registries = registries_with({});
  StudentLab student;
};

std::string said(const JudgedAnswer& judged) {
  std::string all;
  for (const auto& sentence : judged.says)
    for (const auto& line : markdown_lines(sentence)) all += line + "\n";
  return all;
}

}  // namespace

TEST_CASE("A time is asked, judged and told in the unit of the table that shows it", "[computes][reads][labs]") {
  struct Row {
    double seconds;
    const char *unit, *right, *told;
  };
  for (const Row& row : {Row{150, "s", "150", "takes 150 s."}, Row{3000, "min", "50", "takes 50 min."},
                         Row{50400, "h", "14", "takes 14 h."}}) {
    INFO(row.seconds);
    Timed t(row.seconds);
    CHECK(asked_unit(t.student.facts, t.question()).name == std::string(row.unit));
    CHECK_THAT(content_of(t.folder() + "/answers.yaml"), Contains("Answer in " + std::string(row.unit) + ","));
    CHECK(right_answer(t.student.facts, t.question()) == std::vector<std::string>{row.right});
    for (const std::string& answer : {std::string(row.right), row.right + std::string(" ") + row.unit,
                                     number_text(row.seconds) + "s"})
      CHECK(t.judged(answer).standing == AnswerStanding::right);
    CHECK_THAT(said(t.judged(row.right, true)), Contains(row.told) && !Contains("Right:"));  // not twice
    CHECK_THAT(said(t.judged("7", true)), Contains("it is " + std::string(row.right) + " " + row.unit));
    std::ostringstream key;
    write_answer_key(t.student, key);
    CHECK_THAT(key.str(), Contains("right: " + std::string(row.right) + " " + row.unit + " (from "));
  }
}

TEST_CASE("A time that no table shows is asked in seconds", "[labs]") {
  Timed t(3000, {{"tolerance: 10%", "tolerance: 10%\n        table: none"}});
  CHECK(asked_unit(t.student.facts, t.question()).name == std::string("s"));
  CHECK(t.judged("3000").standing == AnswerStanding::right);
}

TEST_CASE("A prediction of which nothing can be told is not locked in", "[labs]") {
  Timed t(150, {{"It takes **{T} s**.", "It takes {T} s, {= T/(answer - 5)} times what you say less 5 s."}});
  const CheckedLab impossible = t.check("5");
  CHECK_FALSE(impossible.is_locked);
  CHECK(impossible.steps[0].judgements[0].standing == AnswerStanding::unreadable);
  CHECK_THAT(said(impossible.steps[0].judgements[0]), Contains("this is not possible here"));
  CHECK(t.check("155").is_locked);
}

TEST_CASE("A prediction that another unit would make right is asked back, and not locked in", "[labs]") {
  Timed t(16740);  // 4 h 39 min, in a table 279 min
  for (const auto& [answer, meant] : {std::pair{"4.65", "4.65 h"}, {"16740", "16740 s"}, {"279 s", "279 min"},
                                      {"4 h 39 min", ""}, {"279", ""}, {"279 min", ""}, {"600", ""}, {"20", ""}}) {
    INFO(answer);
    const JudgedAnswer judged = t.judged(answer);
    if (std::string(meant).empty())
      CHECK(judged.asks_back.empty());
    else
      CHECK_THAT(said(judged), Contains("Not so.") && Contains("Did you mean " + std::string(meant) + "?"));
  }
  const CheckedLab asked = t.check("4.65");
  CHECK_FALSE(asked.is_locked);
  CHECK(asked.opened.empty());
  const JudgedAnswer& unclear = asked.steps[0].judgements[0];
  CHECK(unclear.standing == AnswerStanding::unclear);
  CHECK(unclear.marks == 0);
  CHECK(unclear.says.size() == 1);  // nothing of how it stands
  std::ostringstream out;
  write_feedback(t.student, asked, out);
  CHECK_THAT(out.str(), Contains("T  4.65: meant so?") && Contains("4.65 min!") && Contains("missing or asked back"));
  CHECK_THAT(content_of(t.folder() + "/answers.yaml"), !Contains("locked-1"));
  SECTION("until it is told with its unit") {
    const CheckedLab checked = t.check("4 h 39 min");
    CHECK(checked.is_locked);
    CHECK(checked.steps[0].judgements[0].standing == AnswerStanding::right);
  }
  SECTION("or is meant as it stands") {
    const CheckedLab checked = t.check("4.65!");
    CHECK(checked.is_locked);
    CHECK(checked.steps[0].judgements[0].standing == AnswerStanding::wrong);
    CHECK(checked.steps[0].judgements[0].answer == std::vector<std::string>{"4.65!"});
  }
}

TEST_CASE("A wrong way that is known is no slip of the unit", "[labs]") {
  Timed t(3000, {{"answer: = 2*T", "answer: = T/60"}});
  const JudgedAnswer judged = t.judged(number_text(50.0 / 60));  // 50 s
  CHECK(judged.misconception == "alone");
  CHECK(judged.asks_back.empty());
}

TEST_CASE("Which unit was meant is told by how near the number then is", "[labs]") {
  CHECK(other_unit_meant("2.5", 150, "min") == "2.5 h");
  CHECK(other_unit_meant("2.5 min", 9000, "s") == "2.5 h");
  CHECK(other_unit_meant("1 h 30 min", 1.4, "min") == "1.5 min");  // no unit makes it so: what it would be
  CHECK(other_unit_meant("950", 0.9, "Gflop/s") == "950 Mflop/s");
  CHECK(other_unit_meant("2.5", 2.6, "min") == "");
  CHECK(other_unit_meant("2.5", 700, "min") == "");  // 150 is four times and more off
  CHECK(other_unit_meant("2.5", 0, "min") == "");
  CHECK(other_unit_meant("25", 0.25, "%") == "");
}

TEST_CASE("A model gets all marks whatever is called full, and what is called best is", "[labs]") {
  SECTION("of a model that comes less far than all marks are for") {
    Timed t(100, {{"model: [\"= 10\"]", "model: [\"= 9\"]"}});
    CHECK(t.tried("9").standing == AnswerStanding::right);
    CHECK(t.tried("9").marks == 4);
    CHECK(t.tried("4.5").marks == Approx(2));
    CHECK_THAT(said(t.tried("4.5")), Contains("all of them from 9 on.") && !Contains("best"));  // ten is a bound
  }
  SECTION("of an answer that is better than the lab's own") {
    Timed t(100, {{"  nothing: = 0\n", "  under: {of: owned, metric: tau}\n  nothing: = 2*under\n"},
                  {"  equal: {file: equal.yaml}\n",
                   "  equal: {file: equal.yaml}\n  owned: {file: equal.yaml, set: {owner.model: intervals, owner.mean: 0.5, "
                   "owner.TH: 0.5, owner.interval: 10s, run.replications: 40}}\n"},
                  {"full: ten", "full: under"}, {"model: [\"= 10\"]", "model: [\"= under\"]"}});
    const double own = t.student.facts.number("under").value;
    const JudgedAnswer better = t.tried(number_text(0.9 * own)), worse = t.tried(number_text(1.3 * own));
    CHECK(better.standing == AnswerStanding::right);
    CHECK(better.best.value == Approx(0.9 * own));
    CHECK(worse.best.value == Approx(own));
    CHECK(worse.standing == AnswerStanding::partly);
    CHECK_THAT(said(better), Contains("The best known is "));
  }
}

TEST_CASE("Who comes to a barrier together cannot be told apart, and the gap is of the phase", "[labs]") {
  Timed t(100, {{"  ten: = 10\n", R"(  ten: = 10
  last: {of: together, chart: last_at_barrier}
  gap: {of: together, chart: barrier_gap}
  other_last: {of: apart, chart: last_at_barrier}
  other_gap: {of: apart, chart: barrier_gap}
)"},
                {"  equal: {file: equal.yaml}\n", R"(  equal: {file: equal.yaml}
  together: {file: equal.yaml, set: {job.workload: augmented-task, job.phases: 2}}
  apart: {like: together, set: {platform.speed_ratio: 1.25}}
)"}});
  for (const FactItem& barrier : t.student.facts.get("last")) CHECK(barrier.words == std::vector<std::string>{"ws1", "ws2"});
  CHECK(t.student.facts.get("last").size() == 2);
  CHECK(t.student.facts.number("gap").value == Approx(0).margin(1e-12));
  REQUIRE(t.student.facts.get("other_last").size() == 2);
  CHECK(t.student.facts.get("other_last").back().words == std::vector<std::string>{"ws1"});
  CHECK(t.student.facts.number("other_gap").value == Approx(0.2));  // phases of 50 s against 40 s
}

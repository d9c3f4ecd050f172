// The lab `clock` against a simulation of its own; the unit in which labs ask for a time, and what seems in another.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "experiments/driver/labs/answers.hpp"
#include "experiments/driver/labs/grading.hpp"
#include "experiments/driver/labs/judging.hpp"
#include "experiments/driver/labs/lab.hpp"
#include "experiments/driver/labs/lab_folder.hpp"
#include "experiments/driver/labs/texts.hpp"
#include "experiments/driver/running/result_table.hpp"
#include "sim/base/text.hpp"
#include "sim/base/user_file.hpp"
#include "tests/experiments/driver/experiment_fixture.hpp"
#include "tests/experiments/driver/labs/tiny_lab.hpp"
#include "tests/paths.hpp"
#include "tools/line/command_line.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

std::string lab_file(const std::string& name) { return source_folder() + "/experiments/labs/clock/" + name; }

/// The week as the lab tells it: five days from when it opens, and a weekend.
constexpr double kClasses[] = {0.4, 0.35, 0.3, 0.3, 0.45, 0.3, 0.3, 0.35, 0.4, 0.55, 0.6, 0.65, 0.7, 0.8};
constexpr double kFree = 0.95, kMean = 0.6, kTh = 0.35;
double left_on_average(int hour) {
  const int of_day = hour % 24;
  return hour < 5 * 24 && of_day < 14 ? kClasses[of_day] : kFree;
}

/// Hours that one machine takes for so many hours of work, from a moment of the week on: users do something else every so
/// many hours (exponential), and leave what the law of their mood says, uniform, in the proportion of the hour.
double hours_of(double work, double start, double pause, std::mt19937_64& random) {
  const double half = std::sqrt(3.0) * kMean * kTh;
  std::uniform_real_distribution<double> mood(kMean - half, kMean + half);
  std::exponential_distribution<double> lasts(1 / pause);
  auto hour = static_cast<int>(start);
  double now = start, left = work, value = mood(random), changes = start + lasts(random);
  for (;;) {
    const double d = left_on_average(hour % 168);
    const double a = d <= kMean ? value * d / kMean : 1 - (1 - value) * (1 - d) / (1 - kMean);
    const double until = std::min(changes, static_cast<double>(hour) + 1);
    if (a * (until - now) >= left) return now + left / a - start;
    left -= a * (until - now);
    now = until;
    if (until == changes) {
      value = mood(random);
      changes += lasts(random);
    } else {
      ++hour;
    }
  }
}

Experiment experiment_of(const std::string& name, const std::vector<std::string>& changes) {
  return load_experiment(lab_file(name), {changes}, Registries({}, builtin_checks(), builtin_figures()));
}

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

TEST_CASE("The lab's independent owners have the mean and the TH of its week", "[computes][reads][lab]") {
  std::vector<double> means;
  for (int hour = 0; hour < 168; ++hour) means.push_back(left_on_average(hour));
  const double mean = std::accumulate(means.begin(), means.end(), 0.0) / 168;
  double variance = 0;
  for (const double d : means) {
    const double within = kMean * kTh * (d <= kMean ? d / kMean : (1 - d) / (1 - kMean));
    variance += (within * within + (d - mean) * (d - mean)) / 168;
  }
  const double th = std::sqrt(variance) / mean;
  const auto owner_of = [](const std::string& name) { return experiment_of(name, {}).points[0].scenario()->owners[0]; };
  for (const std::string name : {"anytime.yaml", "week.yaml", "independent.yaml"}) {
    INFO(name);
    CHECK(owner_of(name)->mean() == Approx(mean).margin(6e-5));
    CHECK(owner_of(name)->temporal_heterogeneity() == Approx(th).margin(6e-5));
  }
  const std::string handout = read_user_file(lab_file("handout.md"), kMostDescriptionBytes);
  CHECK(handout.find(" " + short_number(std::round(1e4 * mean) / 1e4) + " on average") != std::string::npos);
  CHECK(handout.find("deviation of " + short_number(std::round(1e4 * th) / 1e4) + " times") != std::string::npos);
}

TEST_CASE("The lab's answers for a job at any moment are those of another simulation", "[lab][statistical]") {
  constexpr int kReplications = 4000, kMachines = 4;
  constexpr double kWork = 6.5, kPause = 0.5;  // the example of teacher.md
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> start(0, 168);
  std::vector<double> times;
  for (int k = 0; k < kReplications; ++k) {
    const double at = start(random);
    double last = 0;
    for (int i = 0; i < kMachines; ++i) last = std::max(last, hours_of(kWork, at, kPause, random));
    times.push_back(last);
  }
  std::ranges::sort(times);
  const double late = static_cast<double>(std::ranges::count_if(times, [](double t) { return t > 1.75 * kWork; })) / kReplications;
  const double tau = std::accumulate(times.begin(), times.end(), 0.0) / kReplications;
  const Experiment e = experiment_of("anytime.yaml", {"let.work=6.5", "let.machines=4", "let.pause=30", "metrics=[tau, RF, T_95]",
                                                     "run.replications=4000"});
  const auto row = summarise(e, run_experiment(e, {2})).rows[0].estimates;
  CHECK(row[1][0].value == Approx(late).margin(4.5 * std::sqrt(2 * late * (1 - late) / kReplications)));
  CHECK(row[0][0].value / 3600 == Approx(tau).margin(4.5 * 3.2 * std::sqrt(2.0 / kReplications)));  // sd: some 3 h
  CHECK(row[2][0].value / 3600 == Approx(times[static_cast<std::size_t>(0.95 * kReplications)]).epsilon(0.02));
}

TEST_CASE("A time is asked, judged and told in the unit of the table that shows it", "[labs]") {
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

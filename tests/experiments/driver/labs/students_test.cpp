// Students of every lab, twelve, or two hundred in a long run: each has a problem of their own, whose answers are
// known, and whose wrong ways are told.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "experiments/driver/labs/judging.hpp"
#include "experiments/driver/labs/lab.hpp"
#include "experiments/driver/labs/problem.hpp"
#include "sim/base/formula.hpp"
#include "sim/base/text.hpp"
#include "sim/statistics/random.hpp"
#include "tests/experiments/driver/labs/tiny_lab.hpp"
#include "tests/paths.hpp"
#include "tools/line/command_line.hpp"

using namespace nowsim;
namespace fs = std::filesystem;

namespace {

/// The same ones every time, so that what they get at random is no chance.
int students() { return test::is_long_run() ? 200 : 12; }
/// The share of the marks that answers at random may get, in the mean over the students.
constexpr double kMostAtRandom = 0.25;
/// One in so many has the problem made again, and tries out what is not right: trials cost most.
constexpr int kTriesMore = 10;
/// Students whose answer keys are computed in a second way.
constexpr int kCheckedTwice = 10;
/// Of a second way by formula 95 % intervals and the stated share hold together; one in this many may miss.
constexpr double kMostMisses = 0.1;

fs::path labs_folder() { return fs::path(test::source_folder()) / "experiments" / "labs"; }

const Registries& test_registries() {
  static const Registries all = registries_with({});
  return all;
}

std::vector<const Question*> questions_of(const Lab& lab) {
  std::vector<const Question*> all;
  for (const auto& step : lab.steps)
    for (const auto& question : step.questions) all.push_back(&question);
  return all;
}

/// Somebody who knows nothing: numbers up to three times the right one, any option, a share of the rest as chunk.
class Guesser {
 public:
  explicit Guesser(int student) : stream_({static_cast<std::uint64_t>(student), 0, 0, Purpose::workload}) {}

  std::vector<std::string> answer(Facts& facts, const Question& question) {
    std::vector<std::string> answer = right_answer(facts, question);
    for (auto& item : answer) item = guess(question, item);
    return answer;
  }

 private:
  std::string guess(const Question& question, const std::string& right) {
    if (!question.options.empty()) {
      const auto place = static_cast<std::size_t>(stream_.uniform() * static_cast<double>(question.options.size()));
      return question.options[place].first;
    }
    if (!has_numbers(question) && question.takes == Question::Takes::code)
      return "ceil(R*" + number_text(stream_.uniform()) + ")";
    if (!has_numbers(question)) return number_text(1 + 9 * stream_.uniform()) + "^i";
    return number_text(3 * stream_.uniform() * std::abs(answer_number(right, question.unit)));
  }

  Stream stream_;
};

/// Marks, and how many of them there were to be had, in trials of rare students alone.
struct Marks {
  double perfect = 0, random = 0, random_most = 0;
};

/// What a misconception's answer is told: its own feedback, and not the others'.
void check_misconceptions(Facts& facts, const Question& question, const Texts& texts) {
  for (const auto& wrong : question.wrong) {
    INFO("question " << question.key << ", misconception " << wrong.name);
    const JudgedAnswer judged = judge_answer(facts, question, wrong_answer(facts, question, wrong), false, texts);
    CHECK(judged.misconception == wrong.name);
    CHECK(judged.standing != AnswerStanding::right);
    for (const auto& other : question.wrong) {
      const bool is_told =
          std::ranges::count(judged.says, facts.with_answer(question, judged.answer)->filled(other.says)) > 0;
      CHECK(is_told == (other.name == wrong.name || other.says == wrong.says));
    }
  }
}

/// The facts of the problem that make_problem gives: those that it simulates to see whether the problem is fit.
std::unique_ptr<Facts> facts_of(const Lab& lab, const LabOwner& owner) {
  for (std::uint64_t attempt = 0; attempt < 200; ++attempt) {
    auto facts = std::make_unique<Facts>(lab, draw_problem(lab, owner, attempt), test_registries());
    if (why_not(*facts).empty()) return facts;
  }
  throw std::runtime_error("no problem was fit");
}

Marks check_student(const Lab& lab, int student, const Texts& texts) {
  const LabOwner owner{"tests", "student " + std::to_string(student), 7};
  INFO("student " << student);
  const std::unique_ptr<Facts> made = facts_of(lab, owner);
  Facts& facts = *made;
  if (student % kTriesMore == 0)
    CHECK(make_problem(lab, owner, test_registries()).signature == facts.problem().signature);
  Guesser guesser(student);
  Marks marks;
  for (const Question* question : questions_of(lab)) {
    INFO("question " << question->key);
    const JudgedAnswer perfect = judge_answer(facts, *question, right_answer(facts, *question), false, texts);
    INFO((perfect.says.empty() ? "" : perfect.says.front()));
    CHECK(perfect.standing == AnswerStanding::right);
    marks.perfect += perfect.marks;
    if (question->kind == Question::Kind::trial && student % kTriesMore != 0) continue;
    marks.random += judge_answer(facts, *question, guesser.answer(facts, *question), false, texts).marks;
    marks.random_most += question->marks;
    check_misconceptions(facts, *question, texts);
  }
  return marks;
}

void check_students(const std::string& name) {
  const Lab lab = read_lab((labs_folder() / name).string());
  const Texts texts = texts_beside(lab.folder);
  double random = 0, random_most = 0;
  for (int student = 0; student < students(); ++student) {
    const Marks marks = check_student(lab, student, texts);
    CHECK(marks.perfect == Approx(lab.marks()));
    random += marks.random;
    random_most += marks.random_most;
  }
  INFO("marks at random: " << random << " of " << random_most);
  CHECK(random <= kMostAtRandom * random_most);
}

// ---- what predictions give away -------------------------------------------------------------------------------------

/// The names in a text's braces, or a formula.
std::set<std::string> names_in(const Lab& lab, const std::string& text, bool is_formula) {
  std::set<std::string> names;
  const auto whole_of = [&](const std::string& name) {
    const LabFact* fact = fact_of_name(lab, nullptr, name);
    return fact == nullptr ? name : fact->name;
  };
  std::string name;
  bool is_inside = is_formula;
  for (const char c : text + " ") {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
      name += c;
      continue;
    }
    if (is_inside && !name.empty()) names.insert(whole_of(name));
    name.clear();
    if (!is_formula && (c == '{' || c == '}')) is_inside = c == '{';
  }
  return names;
}

void check_nothing_is_given_away(const Lab& lab) {
  std::set<std::string> told;
  for (const auto& step : lab.steps)
    for (const auto& question : step.questions) {
      std::set<std::string> asked;
      for (const auto& right : question.right) asked.merge(names_in(lab, right, true));
      if (!question.score.empty())
        for (const auto& model : question.model)
          if (model.starts_with("=")) asked.merge(names_in(lab, model, true));
      for (const auto& name : asked) {
        INFO(lab.name << ", " << question.key << ": " << name);
        if (question.marks > 0 && lab.fact(name) != nullptr) CHECK_FALSE(told.contains(name));
      }
      if (!step.is_prediction) continue;
      told.merge(asked);
      told.merge(names_in(lab, question.told, false));
    }
}

// ---- the answer key a second time -----------------------------------------------------------------------------------

/// By the formulas that the lab gives.
void check_second_ways(const Lab& lab) {
  std::map<std::string, int> misses;
  for (int student = 0; student < kCheckedTwice; ++student) {
    const Problem problem = make_problem(lab, {"twice", std::to_string(student), 1}, test_registries());
    Facts facts(lab, problem, test_registries());
    for (const auto& way : lab.second_ways) {
      const Estimate simulated = facts.number(way.fact), computed = facts.number(way.formula);
      const double off = std::abs(simulated.value - computed.value);
      INFO("student " << student << ", " << way.fact << ": simulated " << simulated.value << ", by " << way.formula
                      << " " << computed.value);
      CHECK(off <= 2 * (way.within * std::abs(simulated.value) + simulated.half_width()));
      misses[way.fact] += off > way.within * std::abs(simulated.value) + simulated.half_width() ? 1 : 0;
    }
  }
  for (const auto& [fact, count] : misses) {
    INFO(fact);
    CHECK(count <= 1 + kMostMisses * kCheckedTwice);
  }
}

/// Whether a fact is of sizes that are searched for: hours of SimGrid.
bool is_searched(const Lab& lab, const LabFact& fact) {
  const auto* estimate = std::get_if<EstimateFact>(&fact.what);
  return estimate != nullptr && std::ranges::any_of(lab.experiment(estimate->of)->set,
                                                    [](const auto& set) { return set.first.starts_with("solve."); });
}

/// By the other engine, on the same few replications.
void check_by_simgrid(const Lab& lab) {
  const Problem problem = make_problem(lab, {"engines", "both", 1}, test_registries());
  Facts direct(lab, problem, test_registries(), {1, {"run.engine=direct", "run.replications=4"}});
  Facts simgrid(lab, problem, test_registries(), {1, {"run.engine=simgrid", "run.replications=4"}});
  for (const auto& fact : lab.facts) {
    if (!std::holds_alternative<EstimateFact>(fact.what) && !std::holds_alternative<ChartFact>(fact.what)) continue;
    if (is_searched(lab, fact)) continue;
    INFO(fact.name);
    const Fact &one = direct.get(fact.name), &other = simgrid.get(fact.name);
    REQUIRE(one.size() == other.size());
    for (std::size_t i = 0; i < one.size(); ++i) {
      CHECK(one[i].words == other[i].words);
      if (one[i].words.empty() && std::isfinite(one[i].number.value))
        CHECK(one[i].number.value == Approx(other[i].number.value).epsilon(1e-6).margin(1e-9));
    }
  }
}

/// A fact or formula as it would be if each simulated fact were some other share of what it is.
class OtherResults {
 public:
  explicit OtherResults(Facts& facts) : facts_(facts) {}

  double value_of(const std::string& name_or_formula) {
    if (name_or_formula.starts_with("=")) return value_at(name_or_formula.substr(1));
    const LabFact* fact = fact_of_name(facts_.lab(), nullptr, name_or_formula);
    const double known = facts_.number("=" + name_or_formula).value;
    if (fact == nullptr) return known;  // of the problem
    const auto* formula = std::get_if<FormulaFact>(&fact->what);
    if (formula != nullptr && fact->name == name_or_formula) return value_of(formula->formula);
    return known * (1.1 + 0.05 * static_cast<double>(std::hash<std::string>{}(name_or_formula) % 100) / 100);
  }

 private:
  double value_at(const std::string& text) {
    const Formula formula(text);
    std::map<std::string, double> values;
    for (const auto& name : formula.variables()) values[name] = value_of(name);
    return formula.evaluate(values);
  }

  Facts& facts_;
};

/// Whether what is simulated has part in it, in words too, and does not cancel.
bool is_simulated(Facts& facts, const std::string& name_or_formula) {
  if (simulated_parts(facts.lab(), nullptr, name_or_formula).empty()) return false;
  const LabFact* fact = facts.lab().fact(name_or_formula);
  if (fact != nullptr && !std::holds_alternative<FormulaFact>(fact->what)) return true;
  const double known = facts.number(name_or_formula).value;
  return std::abs(OtherResults(facts).value_of(name_or_formula) - known) > 1e-9 * std::abs(known);
}

/// Why a second way is none: it has a simulated fact in common with the first, or neither has one that counts, so that
/// both are formulas over the same numbers. "" where it is one, as far as that can be told.
std::string why_no_second_way(Facts& facts, const SecondWay& way) {
  const auto first = simulated_parts(facts.lab(), nullptr, way.fact);
  for (const LabFact* part : simulated_parts(facts.lab(), nullptr, way.formula))
    if (std::ranges::find(first, part) != first.end()) return "both ways are by " + part->name;
  if (is_simulated(facts, way.fact) || is_simulated(facts, way.formula)) return "";
  return "neither way is simulated";
}

/// Every right answer is computed by simulation, or in two ways; and second ways are others than the first.
void check_has_second_way(const Lab& lab) {
  Facts facts(lab, make_problem(lab, {"twice", "0", 1}, test_registries()), test_registries());
  for (const auto& way : lab.second_ways) {
    INFO(lab.name << ", " << way.fact);
    CHECK(why_no_second_way(facts, way) == "");
  }
  for (const Question* question : questions_of(lab))
    for (const auto& right : question->right) {
      INFO(lab.name << ", " << question->key << ": " << right);
      const bool has_second = std::ranges::find(lab.second_ways, right, &SecondWay::fact) != lab.second_ways.end();
      CHECK((has_second || is_simulated(facts, right)));
    }
}

void check_keys_twice(const std::string& name) {
  const Lab lab = read_lab((labs_folder() / name).string());
  check_nothing_is_given_away(lab);
  check_has_second_way(lab);
  check_second_ways(lab);
  check_by_simgrid(lab);
}

}  // namespace

// Cases of their own, so that they run side by side.
#define NOWSIM_LABS(use)                                                                                   \
  use("beat-fac2") use("chunks") use("clock") use("failures") use("gantt") use("grow") use("promise")      \
      use("proof") use("slowest") use("split") use("too-many") use("unsteady")
#define NOWSIM_CASES_OF(name)                                                              \
  TEST_CASE("labs: students of " name, "[computes][labs][slow]") { check_students(name); } \
  TEST_CASE("labs: the answer key of " name " a second time", "[labs][slow]") { check_keys_twice(name); }
#define NOWSIM_NAME_OF(name) name,

NOWSIM_LABS(NOWSIM_CASES_OF)

namespace {

/// When a machine of gantt's table has done its part, begun at this moment: its owner is there for the last `visit_s` of
/// every period.
double done_by_hand(double begin_s, double work_s, double period_s, double visit_s) {
  double t = begin_s, left_s = work_s;
  while (true) {
    const double in_period = std::fmod(t, period_s), free_s = std::max(period_s - visit_s - in_period, 0.0);
    if (left_s <= free_s) return t + left_s;
    left_s -= free_s;
    t += period_s - in_period;
  }
}

/// The least gap at a barrier, as a share of its phase, of what comes to it when.
double least_share(const std::vector<std::vector<double>>& barriers) {
  double least = 1, begin_s = 0;
  for (std::vector<double> times : barriers) {
    std::ranges::sort(times);
    least = std::min(least, (times.back() - times[times.size() - 2]) / (times.back() - begin_s));
    begin_s = times.back();
  }
  return least;
}

double gap_by_hand(const std::map<std::string, double>& n) {
  std::vector<std::vector<double>> barriers;
  double begin_s = 0;
  for (int phase = 0; phase < 3; ++phase) {
    std::vector<double> times{begin_s + n.at("part") / n.at("slow")};
    for (const std::string ws : {"2", "3", "4"})
      times.push_back(done_by_hand(begin_s, n.at("part") / n.at("s" + ws), n.at("p" + ws), n.at("v" + ws)));
    begin_s = *std::ranges::max_element(times);
    barriers.push_back(times);
  }
  return least_share(barriers);
}

double gap_of_chart(const Timeline& timeline) {
  std::vector<std::vector<double>> barriers;
  for (const auto& workstation : timeline.workstations) {
    std::size_t b = 0;
    for (const auto& activity : workstation.activities) {
      if (activity.what != Activity::barrier) continue;
      barriers.resize(std::max(barriers.size(), b + 1));
      barriers[b++].push_back(activity.begin_s);
    }
  }
  return least_share(barriers);
}

}  // namespace

TEST_CASE("labs: who comes last to gantt's barriers is never a matter of rounding", "[labs]") {
  const Lab lab = read_lab((labs_folder() / "gantt").string());
  int drawn_again = 0;
  for (int student = 0; student < 40; ++student) {
    INFO("student " << student);
    const Problem problem = make_problem(lab, {"gaps", std::to_string(student), 3}, test_registries());
    Facts facts(lab, problem, test_registries());
    CHECK(gap_by_hand(problem.numbers) >= 0.0099);
    CHECK(gap_of_chart(facts.timeline("mine", 0)) >= 0.0099);
    const Problem first = draw_problem(lab, problem.owner, 0);
    Facts others(lab, first, test_registries());
    const bool is_close = std::min(gap_by_hand(first.numbers), gap_of_chart(others.timeline("mine", 0))) < 0.0099;
    drawn_again += is_close ? 1 : 0;
    if (is_close) CHECK(problem.signature != first.signature);
  }
  CHECK(drawn_again > 0);  // else this tests nothing
}

TEST_CASE("labs: a second way that is the first one in other words is refused", "[labs]") {
  test::TinyLabs labs;
  const auto told = [&](const std::string& facts_of, const std::string& fact, const std::string& formula) {
    std::string text = test::content_of(labs.lab() + "/lab.yaml");
    const std::string before = "  nothing: = 0\n";
    test::write_text(labs.lab() + "/lab.yaml", text.insert(text.find(before), facts_of));
    const Lab lab = read_lab(labs.lab());
    Facts facts(lab, draw_problem(lab, {"", "x", 0}, 0), test_registries());
    return why_no_second_way(facts, {fact, formula, 0.01, ""});
  };
  SECTION("a formula over what was simulated, and one over the problem's numbers") {
    CHECK(told("", "quarter", "= work/8") == "");
  }
  SECTION("the same simulated fact in both, behind another one") {
    CHECK(told("  half: = T/2\n", "quarter", "= half/2") == "both ways are by T");
  }
  SECTION("what is simulated cancels, as it did in the size that a higher efficiency takes") {
    CHECK(told("  n: = T*work\n  n3: = 3*T*work\n  grows: = n3/n\n", "grows", "= 3") == "neither way is simulated");
  }
  SECTION("two formulas over the problem's numbers") {
    CHECK(told("  by_hand: = work/2\n", "by_hand", "= work/4 + work/4") == "neither way is simulated");
  }
  SECTION("a formula whose second way is simulated") {
    CHECK(told("  by_hand: = work/2\n", "by_hand", "= T") == "");
  }
}

TEST_CASE("labs: every lab that is shipped has its students", "[labs]") {
  const std::set<std::string> tested{NOWSIM_LABS(NOWSIM_NAME_OF)};
  std::set<std::string> shipped;
  for (const auto& entry : fs::directory_iterator(labs_folder()))
    if (fs::exists(entry.path() / kLabFile)) shipped.insert(entry.path().filename().string());
  CHECK(shipped == tested);
}

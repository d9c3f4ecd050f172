// Looking facts up, formulas over them, and the unit of a question's times.
#include "experiments/driver/labs/facts.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

#include "experiments/driver/labs/judging.hpp"
#include "experiments/driver/labs/texts.hpp"
#include "experiments/driver/running/result_output.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/formula.hpp"
#include "sim/base/text.hpp"
#include "sim/statistics/influence.hpp"

namespace nowsim {

// ---- what facts are built of ------------------------------------------------------------------------------------------

const LabFact* fact_of_name(const Lab& lab, const Question* question, const std::string& name) {
  if (question != nullptr)
    if (const auto own = std::ranges::find(question->facts, name, &LabFact::name); own != question->facts.end())
      return &*own;
  if (const LabFact* fact = lab.fact(name)) return fact;
  const auto bar = name.rfind('_');
  if (bar == std::string::npos) return nullptr;
  const std::string end = name.substr(bar + 1);
  const bool is_part = end == "hw" || (!end.empty() && end.find_first_not_of("0123456789") == std::string::npos);
  return is_part ? fact_of_name(lab, question, name.substr(0, bar)) : nullptr;
}

namespace {

/// `all`: those that have been looked at.
void add_parts(const Lab& lab, const Question* question, const std::string& name_or_formula,
               std::set<const LabFact*>& all, std::vector<const LabFact*>& parts) {
  const auto add = [&](const std::string& part) { add_parts(lab, question, part, all, parts); };
  if (name_or_formula.starts_with("=")) {
    const Formula formula(name_or_formula.substr(1));
    return void(std::ranges::for_each(formula.variables(), add));
  }
  const LabFact* fact = fact_of_name(lab, question, name_or_formula);
  if (fact == nullptr || !all.insert(fact).second) return;
  if (const auto* formula = std::get_if<FormulaFact>(&fact->what)) return add(formula->formula);
  parts.push_back(fact);
  if (const auto* best = std::get_if<BestFact>(&fact->what))
    for (const auto& compared : best->facts) add(compared.second);
}

}  // namespace

std::vector<const LabFact*> simulated_parts(const Lab& lab, const Question* question, const std::string& name_or_formula) {
  std::set<const LabFact*> all;
  std::vector<const LabFact*> parts;
  add_parts(lab, question, name_or_formula, all, parts);
  return parts;
}

namespace {

constexpr const char* kSecond = "s";
constexpr ColumnUnit kInS{kSecond, 1};

/// The unit of a metric's column; of no size where it is no time.
ColumnUnit unit_of_column(Facts& pilot, const EstimateFact& what) {
  const ResultTable& summary = pilot.summary(what.of);
  const std::size_t m = summary.metric_index(what.metric);
  if (m == summary.metrics.size() || summary.metrics[m]->unit != kSecond) return {"", 0};
  return metric_units(summary)[m];
}

/// The unit of a question's times (Facts::time_unit()).
ColumnUnit table_unit(Facts& facts, const Question& question) {
  if (!question.is_tabled) return kInS;
  const bool is_trial = question.kind == Question::Kind::trial;
  ColumnUnit least{"", 0};
  for (const auto& name : is_trial ? std::vector{question.none, question.full} : question.right)
    for (const LabFact* fact : simulated_parts(facts.lab(), nullptr, name)) {
      const auto* what = std::get_if<EstimateFact>(&fact->what);
      if (what == nullptr || knows_answer(*facts.lab().experiment(what->of))) continue;
      const ColumnUnit unit = unit_of_column(facts.pilot(), *what);
      if (unit.seconds > 0 && (least.seconds == 0 || unit.seconds < least.seconds)) least = unit;
    }
  return least.seconds > 0 ? least : kInS;
}

/// What tells the size of a time.
constexpr const char* kPilotReplications = "run.replications=20";

/// A fact while it is computed, however that ends.
class UnderWay {
 public:
  UnderWay(std::set<std::string>& all, const std::string& name, const Place& place) : all_(all), name_(name) {
    if (!all.insert(name).second) throw InputError(place, "this fact is needed for itself");
  }
  ~UnderWay() { all_.erase(name_); }
  UnderWay(const UnderWay&) = delete;
  UnderWay& operator=(const UnderWay&) = delete;

 private:
  std::set<std::string>& all_;
  std::string name_;
};

/// What is known of a key; made where nothing is.
template <class Key, class Known>
const Known& known_or_made(std::map<Key, Known>& known, const Key& key, const auto& make) {
  const auto found = known.find(key);
  return found != known.end() ? found->second : known.emplace(key, make()).first->second;
}

}  // namespace

Facts::Facts(const Lab& lab, const Problem& problem, const Registries& registries, FactOptions options)
    : lab_(lab), problem_(problem), registries_(registries), options_(std::move(options)) {}

bool Facts::knows(const std::string& name) const { return own_fact(name) != nullptr || lab_.fact(name) != nullptr; }

const LabFact* Facts::own_fact(const std::string& name) const {
  const LabFact* of_lab = parent_ == nullptr ? lab_.fact(name) : nullptr;
  if (question_ == nullptr) return of_lab;
  const auto found = std::ranges::find(question_->facts, name, &LabFact::name);
  return found == question_->facts.end() ? of_lab : &*found;
}

const LabExperiment& Facts::experiment(const std::string& name) const {
  if (const LabExperiment* found = lab_.experiment(name)) return *found;
  throw InputError({lab_.folder, 0, ""}, "the lab has no experiment " + quoted(name));
}

std::unique_ptr<Facts> Facts::with_answer(const Question& question, const std::vector<std::string>& answer) {
  auto facts = std::make_unique<Facts>(lab_, problem_, registries_, options_);
  if (options_.is_final && question.kind == Question::Kind::trial)
    facts->problem_.judge_seed = problem_.grade_seed;  // all of it anew
  else
    facts->parent_ = this;
  facts->answer_time_ = time_unit(question);
  facts->question_ = &question;
  facts->answer_ = answer;
  const bool is_code = question.kind == Question::Kind::trial && question.takes == Question::Takes::code &&
                       answer.size() == 1 && answer.front().ends_with(kCodeEnding);
  if (is_code) facts->add_code(answer.front());
  return facts;
}

void Facts::add_code(const std::string& file) {
  CodeLimits limits;
  limits.must_be_confined = options_.must_confine;
  const std::string helper = path_beside(lab_.folder, kCodeHelper, options_.shipped_labs);
  ConfinedTechnique code = confined_technique(kCodeTechnique, file, helper, limits);
  with_code_ = std::make_shared<const Registries>(registries_.with(code.technique));
  confinement_ = std::move(code.confinement);
}

Facts& Facts::pilot() {
  if (parent_ != nullptr) return parent_->pilot();
  if (pilot_ == nullptr) {
    FactOptions few = options_;
    few.overrides.emplace_back(kPilotReplications);
    pilot_ = std::make_unique<Facts>(lab_, problem_, registries_, std::move(few));
  }
  return *pilot_;
}

ColumnUnit Facts::time_unit(const Question& question) {
  if (question_ == &question) return answer_time_;
  if (parent_ != nullptr) return parent_->time_unit(question);
  return known_or_made(time_units_, question.key, [&] { return table_unit(*this, question); });
}

std::vector<std::string> Facts::model_answer(const Question& question) {
  std::vector<std::string> answer;
  for (const auto& text : question.model)
    answer.push_back(text.starts_with("=") ? number_text(number(text).value) : filled(text, For::files));
  return answer;
}

Estimate Facts::model_score(const Question& question) {
  return known_or_made(model_scores_, question.key, [&] {
    return with_answer(question, model_answer(question))->number(question.score);
  });
}

const Fact& Facts::get(const std::string& name) {
  if (const auto found = known_.find(name); found != known_.end()) return found->second;
  const LabFact* described = own_fact(name);
  if (described == nullptr && parent_ != nullptr) return parent_->get(name);
  if (described == nullptr) throw InputError({lab_.folder, 0, ""}, "the lab has no fact or number " + quoted(name));
  const UnderWay here(under_way_, name, described->place);
  return known_.emplace(name, fact_of(*this, described->what)).first->second;
}

const ResultTable& Facts::summary(const std::string& name) {
  const LabExperiment& described = experiment(name);
  if (parent_ != nullptr && !knows_answer(described)) return parent_->summary(name);
  return known_or_made(summaries_, name, [&] { return run_lab_experiment(*this, described); });
}

const Timeline& Facts::timeline(const std::string& name, std::uint64_t replication) {
  const LabExperiment& described = experiment(name);
  if (parent_ != nullptr && !knows_answer(described)) return parent_->timeline(name, replication);
  return known_or_made(timelines_, {name, replication}, [&] { return lab_timeline(*this, described, replication); });
}

namespace {

constexpr std::string_view kHalfWidth = "_hw";
constexpr std::string_view kInSeconds = " s";

/// "waits_3": the third of waits; 0 where it is none.
std::pair<std::string, std::size_t> item_of_name(const std::string& name) {
  const auto bar = name.rfind('_');
  std::size_t place = 0;
  if (bar == std::string::npos) return {name, 0};
  const auto end = std::from_chars(name.data() + bar + 1, name.data() + name.size(), place);
  const bool is_item = end.ec == std::errc{} && end.ptr == name.data() + name.size();
  return {is_item ? name.substr(0, bar) : name, is_item ? place : 0};
}

const Estimate& only_number(const Fact& fact, const std::string& name) {
  if (fact.size() == 1 && fact.front().words.empty()) return fact.front().number;
  throw InputError(name + " is " + (fact.size() == 1 ? "a word" : "a list") + ", not a number");
}

Estimate item_number(const Fact& fact, std::size_t place, const std::string& name) {
  if (place == 0 || place > fact.size()) throw InputError(name + ": the list has " + std::to_string(fact.size()) + " items");
  return only_number({fact[place - 1]}, name);
}

/// Of the student's answer: the whole, or an item.
Estimate answer_value(const std::vector<std::string>& answer, std::size_t place, const std::string& unit) {
  const std::size_t at = place == 0 ? 0 : place - 1;
  if (at >= answer.size()) throw InputError("no answer is known here");
  return exactly(answer_number(answer[at], unit));
}

/// A name in a formula.
Estimate variable_of(Facts& facts, const std::string& name) {
  const auto& numbers = facts.problem().numbers;
  if (const auto number = numbers.find(name); number != numbers.end()) return exactly(number->second);
  if (facts.knows(name)) return only_number(facts.get(name), name);
  if (name.ends_with(kHalfWidth))
    return exactly(variable_of(facts, name.substr(0, name.size() - kHalfWidth.size())).half_width());
  const auto [whole, place] = item_of_name(name);
  if (whole == "answer") return answer_value(facts.answer(), place, facts.answer_unit());
  if (place > 0 && facts.knows(whole)) return item_number(facts.get(whole), place, name);
  throw InputError("there is no number or fact " + quoted(name) + " in lab " + facts.lab().name);
}

/// Of a value, for its formula's slope: far above rounding, far below what bends.
constexpr double kSlopeStep = 1e-6;

/// A formula at its parts' values.
struct FormulaAt {
  const Formula& formula;
  const std::vector<Estimate>& parts;
  std::vector<double> values;
  double value;

  [[nodiscard]] double with(std::size_t k, double x) const {
    std::vector<double> moved = values;
    moved[k] = x;
    return formula.value_at(moved);
  }
  [[nodiscard]] double slope(std::size_t k) const {
    const double step = kSlopeStep * std::max(std::abs(values[k]), 1e-300);
    return (with(k, values[k] + step) - with(k, values[k] - step)) / (2 * step);
  }
};

/// By the delta method, replication by replication, where all parts are known so.
std::optional<Estimate> paired_formula(const FormulaAt& at) {
  std::vector<LinearTerm> terms;
  double constant = at.value;
  for (std::size_t k = 0; k < at.parts.size(); ++k) {
    if (!can_be_paired(at.parts[k])) return std::nullopt;
    if (is_exact(at.parts[k])) continue;
    terms.push_back({at.slope(k), &at.parts[k]});
    constant -= terms.back().coefficient * at.values[k];
  }
  if (terms.empty()) return std::nullopt;
  Estimate e = linear_combination(terms, constant, kLabConfidence);
  // Where numbers of replications differ, the value is a little another one than that of the parts' values.
  const bool is_near = std::abs(e.value - at.value) <= 0.5 * e.half_width() || e.low == e.high;
  return is_near ? std::optional(std::move(e)) : std::nullopt;
}

/// Half-widths of parts add up: as wide as it can be, whatever their correlation.
Estimate unpaired_formula(const FormulaAt& at) {
  double half_width = 0;
  for (std::size_t k = 0; k < at.parts.size(); ++k) {
    const Estimate& e = at.parts[k];
    if (e.low == e.high) continue;
    half_width += std::max(std::abs(at.with(k, e.low) - at.value), std::abs(at.with(k, e.high) - at.value));
  }
  return {at.value, at.value - half_width, at.value + half_width};
}

Estimate formula_value(Facts& facts, const std::string& text) {
  const Formula formula(text);
  std::vector<Estimate> parts;
  std::vector<double> values;
  for (const auto& name : formula.variables()) {
    parts.push_back(variable_of(facts, name));
    values.push_back(parts.back().value);
  }
  const double value = formula.value_at(values);
  if (!std::isfinite(value)) throw InputError("the formula " + quoted(text) + kHasNoValue);
  const FormulaAt at{formula, parts, std::move(values), value};
  if (auto paired = paired_formula(at)) return *std::move(paired);
  return unpaired_formula(at);
}

std::string shown_estimate(const Estimate& e, Facts::For whom) {
  return whom == Facts::For::files ? number_text(e.value) : shown_number(e);
}

/// Whether a time in seconds stands in the braces before: " s", and no other unit or word.
bool goes_on_in_seconds(std::string_view rest) {
  if (!rest.starts_with(kInSeconds)) return false;
  if (rest.size() == kInSeconds.size()) return true;
  const auto c = static_cast<unsigned char>(rest[kInSeconds.size()]);
  return c < 0x80 && std::isalnum(c) == 0 && c != '/' && c != '^';
}

/// Whether what stands in braces is one number: a formula, a fact or a number of the problem, no word or list.
bool is_one_number(Facts& facts, const std::string& inside) {
  if (inside.starts_with("=")) return true;
  if (item_of_name(inside).first == "answer") return false;
  return !facts.knows(inside) || (facts.get(inside).size() == 1 && facts.get(inside).front().words.empty());
}

/// What would be less than this part of a unit is told in seconds, as in tables.
constexpr double kLeastInUnit = 0.1;

std::string shown_fact(const Fact& fact, Facts::For whom) {
  std::string out;
  for (const auto& item : fact) {
    out += out.empty() ? "" : ", ";
    if (item.words.size() > 1) out += std::string(kCannotBeTold) + " (";
    for (std::size_t w = 0; w < item.words.size(); ++w) out += (w == 0 ? "" : " or ") + item.words[w];
    if (item.words.size() > 1) out += ")";
    if (item.words.empty()) out += shown_estimate(item.number, whom);
  }
  return out;
}

std::string shown_name(Facts& facts, const std::string& name, Facts::For whom) {
  const auto [whole, place] = item_of_name(name);
  const auto& answer = facts.answer();
  const auto as_it_is = [&](const std::string& text) {
    return whom == Facts::For::people ? markdown_literal(text) : text;
  };
  if (name == "answer" && !answer.empty()) return as_it_is(joined(answer));
  if (whole == "answer" && place > 0 && place <= answer.size()) return as_it_is(answer[place - 1]);
  if (facts.knows(name)) return shown_fact(facts.get(name), whom);
  return shown_estimate(facts.number("=" + name), whom);
}

}  // namespace

Estimate Facts::number(const std::string& name_or_formula) {
  if (name_or_formula.starts_with("=")) return formula_value(*this, name_or_formula.substr(1));
  return only_number(get(name_or_formula), name_or_formula);
}

std::string Facts::filled(const std::string& text, For whom) {
  const ColumnUnit unit = whom == For::people ? told_time() : kInS;
  return filled_holes(text, [&](std::string_view braced, std::string_view& rest) {
    const std::string inside(trimmed(braced));
    const bool is_formula = inside.starts_with("=");
    if (unit.seconds != 1 && goes_on_in_seconds(rest) && is_one_number(*this, inside)) {
      rest.remove_prefix(kInSeconds.size());
      const Estimate e = number(is_formula || knows(inside) ? inside : "=" + inside);
      const bool is_short = std::abs(e.value) < kLeastInUnit * unit.seconds;
      return shown_in_unit(e, is_short ? kInS : unit);
    }
    return is_formula ? shown_estimate(number(inside), whom) : shown_name(*this, inside, whom);
  });
}

}  // namespace nowsim

// Formulas over a problem's numbers, facts and an answer, and texts that hold them in braces.
#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "experiments/driver/labs/answer_text.hpp"
#include "experiments/driver/labs/asked_unit.hpp"
#include "experiments/driver/labs/facts.hpp"
#include "experiments/driver/labs/markdown.hpp"
#include "sim/base/formula.hpp"
#include "sim/base/text.hpp"
#include "sim/statistics/influence.hpp"

namespace nowsim {
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
bool goes_on_in_seconds(const std::string& text, std::size_t at) {
  if (text.compare(at, kInSeconds.size(), kInSeconds) != 0) return false;
  const std::size_t next = at + kInSeconds.size();
  if (next == text.size()) return true;
  const auto c = static_cast<unsigned char>(text[next]);
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
  if (name == "answer" && !answer.empty()) return as_it_is(joined_answer(answer));
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
  const ColumnUnit unit = whom == For::people ? told_time() : ColumnUnit{"s", 1};
  std::string out;
  std::size_t from = 0;
  for (std::size_t open = text.find('{'); open != std::string::npos; open = text.find('{', from)) {
    const std::size_t close = text.find('}', open);
    if (close == std::string::npos) break;
    const std::string inside(trimmed(std::string_view(text).substr(open + 1, close - open - 1)));
    out += text.substr(from, open - from);
    from = close + 1;
    if (unit.seconds != 1 && goes_on_in_seconds(text, from) && is_one_number(*this, inside)) {
      const Estimate e = number(inside.starts_with("=") || knows(inside) ? inside : "=" + inside);
      const bool is_short = std::abs(e.value) < kLeastInUnit * unit.seconds;
      out += shown_in_unit(e, is_short ? ColumnUnit{"s", 1} : unit);
      from += kInSeconds.size();
    } else {
      out += inside.starts_with("=") ? shown_estimate(number(inside), whom) : shown_name(*this, inside, whom);
    }
  }
  return out + text.substr(from);
}

}  // namespace nowsim

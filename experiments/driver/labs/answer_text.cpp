// Trying the units that a number may carry, and looking at the table of a short run.
#include "experiments/driver/labs/answer_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "experiments/driver/running/result_output.hpp"
#include "experiments/driver/text/estimate_text.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/error.hpp"
#include "sim/base/formula.hpp"
#include "sim/base/text.hpp"
#include "sim/base/utf8.hpp"

namespace nowsim {
namespace {

constexpr Dimension kDimensions[] = {Dimension::time,  Dimension::work,      Dimension::speed,
                                     Dimension::bytes, Dimension::bandwidth};

/// Units that are taken for one another.
constexpr std::array<std::array<const char*, 3>, 2> kMistakenUnits{
    {{"s", "min", "h"}, {"flop/s", "Mflop/s", "Gflop/s"}}};
/// What is nearly right is up to so many times as much, or as little.
constexpr double kNearly = 3;

/// The number of "4.65 min" before "min"; nothing where the text is none with this unit.
std::optional<double> number_before(std::string_view text, std::string_view unit) {
  text = trimmed(text);
  if (!text.ends_with(unit)) return std::nullopt;
  return to_number(trimmed(text.substr(0, text.size() - unit.size())));
}

/// With its own unit.
std::optional<double> converted(const std::string& text, const std::string& unit) {
  if (unit.empty()) return quantity_in(text, Dimension::fraction);
  for (const Dimension dimension : kDimensions)
    if (const auto one = quantity_in("1" + unit, dimension))
      if (const auto value = quantity_in(text, dimension)) return *value / *one;
  return std::nullopt;
}

/// What a slip of the unit would make of it: 0.29 where per cent are wanted, a time below 0.
void check_meant(double number, const std::string& unit) {
  if (unit == "%" && number != 0 && std::abs(number) < 1)
    throw InputError(short_number(number) + " is less than 1 %: write " + short_number(100 * number) + ", or " +
                     short_number(number) + "% if that is meant");
  if (number < 0 && !unit.empty() && quantity_in("1" + unit, Dimension::time))
    throw InputError("a time is 0 or more");
}

}  // namespace

double answer_number(const std::string& text, const std::string& unit) {
  std::string_view written = trimmed(text);
  if (!unit.empty())
    if (const auto bare = number_before(written, unit)) return *bare;
  if (const auto bare = to_number(written)) {
    check_meant(*bare, unit);
    return *bare;
  }
  if (const auto value = converted(std::string(written), unit)) return *value;
  throw InputError("a number is wanted" + (unit.empty() ? std::string() : " [" + unit + "]") + ", such as 12.5" +
                   (unit.empty() ? "" : " or 12.5 " + unit) + ", not " + quoted(written) +
                   foreign_character_hint(written));
}

std::string number_with_unit(const std::string& text, const std::string& unit) {
  const std::string_view written = trimmed(text);
  return to_number(written) ? std::string(written) + " " + unit : text;
}

std::string other_unit_meant(const std::string& text, double right, const std::string& unit) {
  const double number = answer_number(text, unit);
  const auto is_near = [&](double x) { return std::abs(std::log(x / right)) <= std::log(kNearly); };
  if (!(number > 0 && right > 0) || is_near(number)) return "";
  for (const auto& units : kMistakenUnits) {
    if (std::ranges::find(units, unit) == units.end()) continue;
    std::string near;
    const auto size = [&](const char* of) { return answer_number(number_with_unit("1", of), unit); };
    for (const char* taken : units)
      for (const char* meant : units) {
        const double other = number * size(meant) / size(taken);
        if (!is_near(other)) continue;
        const auto bare = number_before(number_with_unit(text, unit), taken);
        if (bare) return short_number(*bare) + " " + meant;
        near = short_number(other) + " " + unit;
      }
    return near;
  }
  return "";
}

std::string joined_answer(const std::vector<std::string>& answer) { return joined(answer); }

std::string shown_number(const Estimate& e, const std::string& unit) {
  const bool is_large = std::abs(e.value) >= 1e6 && std::abs(e.value) < 1e15;  // no exponents
  const std::string exact = is_large ? fmt::format("{:.0f}", e.value) : short_number(e.value);
  return (e.low == e.high ? exact : estimate_text(e)) + (unit.empty() ? "" : " " + unit);
}

namespace {

/// Collects what is simulated.
class PartsOf {
 public:
  PartsOf(const Lab& lab, const Question* question) : lab_(lab), question_(question) {}

  void add(const std::string& name_or_formula) {
    if (!name_or_formula.starts_with("=")) return add_named(name_or_formula);
    const Formula formula(name_or_formula.substr(1));
    for (const auto& name : formula.variables()) add_named(name);
  }
  [[nodiscard]] const std::vector<const LabFact*>& parts() const { return parts_; }

 private:
  void add_named(const std::string& name) {
    const LabFact* fact = fact_of_name(lab_, question_, name);
    if (fact == nullptr || !seen_.insert(fact).second) return;
    if (const auto* formula = std::get_if<FormulaFact>(&fact->what)) return add(formula->formula);
    parts_.push_back(fact);
    if (const auto* best = std::get_if<BestFact>(&fact->what))
      for (const auto& compared : best->facts) add(compared.second);
  }

  const Lab& lab_;
  const Question* question_;
  std::set<const LabFact*> seen_;
  std::vector<const LabFact*> parts_;
};

}  // namespace

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

std::vector<const LabFact*> simulated_parts(const Lab& lab, const Question* question, const std::string& name_or_formula) {
  PartsOf parts(lab, question);
  parts.add(name_or_formula);
  return parts.parts();
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

}  // namespace

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

ColumnUnit asked_unit(Facts& facts, const Question& question) {
  return question.unit == kSecond ? facts.time_unit(question) : ColumnUnit{question.unit.c_str(), 1};
}

ColumnUnit asked_score_unit(Facts& facts, const Question& question) {
  return question.score_unit == kSecond ? facts.time_unit(question) : ColumnUnit{question.score_unit.c_str(), 1};
}

std::string shown_in_unit(const Estimate& e, const ColumnUnit& unit) {
  return shown_number(in_unit(e, unit.seconds), unit.name);
}

}  // namespace nowsim

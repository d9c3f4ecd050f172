// What formulas in settings are worth: they use keys, variables and one another; each is evaluated once.
#include "experiments/driver/reading/reader.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "experiments/driver/reading/machine_time.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/text.hpp"
#include "sim/base/utf8.hpp"

namespace nowsim {
namespace {

constexpr std::size_t kDeepest = 1000;  // formulas that refer to formulas: each takes some of the stack

/// The key that a formula's variable means, and its setting; null where there is none.
const Settings::value_type* find_variable(const Settings& settings, const std::string& name) {
  for (const auto& key : {"let." + name, name})
    if (const auto found = settings.find(key); found != settings.end()) return &*found;
  return nullptr;
}

/// The formulas that one value needs.
class Evaluation {
 public:
  explicit Evaluation(Reading& reading) : reading_(reading) {}

  double value(const Setting& setting) {
    if (const auto found = values_.find(&setting); found != values_.end()) return found->second;
    if (std::ranges::find(open_, &setting) != open_.end())
      throw InputError(setting.place, "the formula depends on itself");
    if (open_.size() == kDeepest)
      throw InputError(open_.front()->place, "the formula depends on one that depends on another, and so on, more than " +
                                                 std::to_string(kDeepest) + " deep");
    open_.push_back(&setting);
    try {
      const Formula& formula = reading_.formulas.get(setting.texts.front().substr(1));
      std::map<std::string, double> values;
      for (const auto& name : formula.variables()) values[name] = variable(name, setting);
      open_.pop_back();
      return values_[&setting] = formula.evaluate(values);
    } catch (const InputError& e) {
      if (!e.place().file.empty()) throw;
      throw InputError(setting.place, e.what());
    }
  }

  double variable(const std::string& name, const Setting& user) {
    if (const auto given = reading_.variables.find(name); given != reading_.variables.end()) return given->second;
    const auto* const found = find_variable(reading_.settings, name);
    if (found == nullptr) fail_unknown(name, user);
    const auto& [key, setting] = *found;
    reading_.asked.insert(key);
    if (setting.broken) return 1;  // reported already
    if (setting.is_list) throw InputError(user.place, "the formula uses " + quoted(name) + ", which is a list");
    return is_formula(setting) ? value(setting) : number(key, setting);
  }

 private:
  /// Of a variable of `let:` it is its own line that is wrong; other keys may well be words.
  double number(const std::string& key, const Setting& setting) const {
    const std::string& text = setting.texts.front();
    if (is_named_machine_time(text) || (key == kWorkKey && machine_time_of(text))) return machine_work(text, setting);
    if (const auto value = any_quantity(text)) return *value;
    throw InputError(key.starts_with("let.") ? setting.place : Place{},
                     quoted(text) + " is not a number, so a formula cannot use it" + foreign_character_hint(text));
  }
  [[nodiscard]] double machine_work(const std::string& text, const Setting& setting) const {
    if (reading_.machines != nullptr) return parse_work(text, *reading_.machines, true);
    throw InputError(setting.place, quoted(text) +
                                        " is work told as time on a machine, and a formula uses it where "
                                        "machines are not known yet; write it in flop");
  }
  [[noreturn]] void fail_unknown(const std::string& name, const Setting& user) const {
    std::vector<std::string> known;
    for (const auto& [key, setting] : reading_.settings) known.push_back(key.starts_with("let.") ? key.substr(4) : key);
    for (const auto& [key, value] : reading_.variables) known.push_back(key);
    throw InputError(user.place, "the formula uses " + quoted(name) +
                                     ", which is neither a key of this experiment nor a variable of 'let:'" +
                                     did_you_mean(name, known));
  }

  Reading& reading_;
  std::vector<const Setting*> open_;  ///< those being evaluated, each of which uses the next
  std::map<const Setting*, double> values_;
};

/// The variables of a formula; none where it is none, or wrong.
std::vector<std::string> variables_of(Reading& reading, const Setting& setting) {
  if (!is_formula(setting)) return {};
  try {
    return reading.formulas.get(setting.texts.front().substr(1)).variables();
  } catch (const InputError&) {  // reported where it is evaluated
    return {};
  }
}

}  // namespace

const Formula& FormulaCache::get(const std::string& text) {
  const auto found = formulas_.find(text);
  return found != formulas_.end() ? found->second : formulas_.emplace(text, Formula(text)).first->second;
}

double formula_value(Reading& reading, const Setting& formula) { return Evaluation(reading).value(formula); }

std::string formula_text(Reading& reading, const Setting& formula) {
  const std::string text = quoted(formula.texts.front());
  std::string values;
  try {
    Evaluation evaluation(reading);
    for (const auto& name : reading.formulas.get(formula.texts.front().substr(1)).variables())
      values += (values.empty() ? " with " : ", ") + name + " = " + short_number(evaluation.variable(name, formula));
  } catch (const InputError&) {  // reported where it is evaluated
    return text;
  }
  return text + values;
}

double variable_value(Reading& reading, const std::string& variable, const Setting& user) {
  return Evaluation(reading).variable(variable, user);
}

/// Without recursion: chains of formulas may be of any length.
bool formula_depends_on(Reading& reading, const Setting& setting, const std::string& variable) {
  if (find_variable(reading.settings, variable) != nullptr) return false;
  std::set<const Setting*> seen;
  std::vector<const Setting*> open{&setting};
  while (!open.empty()) {
    const Setting* next = open.back();
    open.pop_back();
    if (!seen.insert(next).second) continue;
    for (const auto& used : variables_of(reading, *next)) {
      if (used == variable) return true;
      if (const auto* found = find_variable(reading.settings, used)) open.push_back(&found->second);
    }
  }
  return false;
}

}  // namespace nowsim

// Formulas that users write in experiments, evaluated by muParser.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace nowsim {

/// A compiled formula over named variables. Besides muParser's own operators and functions (sin, exp, ln, sqrt, min,
/// max, sum, avg, abs, ?: ...) it knows floor, ceil, mod(a,b) (with the sign of b) and the constants _pi and _e. Names
/// may hold letters, digits, '_' and inner '.' (platform.workstations). Arguments are separated by ','. Assignment is
/// not allowed, nor text, nor a second result after a ','. Movable, not copyable; one thread at a time.
class Formula {
 public:
  /// @throws InputError for a syntax error, with its position (1-based) in the text and what was found there.
  explicit Formula(const std::string& text);
  /// The variables the formula uses, sorted.
  [[nodiscard]] const std::vector<std::string>& variables() const;
  /// The value with these variables. @throws InputError where a used variable is not given (the nearest given name is
  /// suggested) or the value is not finite.
  [[nodiscard]] double evaluate(const std::map<std::string, double>& values) const;
  /// The same with values in the order of variables(), as many.
  [[nodiscard]] double evaluate(std::span<const double> values) const;
  /// What it gives need not be finite.
  [[nodiscard]] double value_at(std::span<const double> values) const;

 private:
  struct Impl;
  std::unique_ptr<Impl, void (*)(Impl*)> impl_;
};

/// A formula as it was written, with what the keys that it names are worth; null after a problem.
struct WrittenFormula {
  std::string text;
  std::shared_ptr<const Formula> formula;
  std::map<std::string, double> keys = {};  ///< by full name: of the description, not of whoever evaluates it
};

/// A formula with the variables that it names, each a line of a table: `name`, and a function `value` of a state and of
/// which of several things it is; so that evaluating it looks nothing up. One thread at a time.
template <class Variable>
class BoundFormula {
 public:
  /// `known` outlives it. @throws InputError for a name that is neither among them nor a key.
  BoundFormula(const WrittenFormula& written, std::span<const Variable> known) : formula_(written.formula) {
    std::map<std::string, double> all = written.keys;
    for (const Variable& variable : known) all[variable.name] = 0;
    for (const std::string& name : formula_->variables()) {
      if (!all.contains(name)) static_cast<void>(formula_->evaluate(all));  // which says so
      values_.push_back(all[name]);
      const auto found = std::ranges::find_if(known, [&name](const Variable& v) { return v.name == name; });
      if (found == known.end()) continue;
      variables_.push_back(&*found);
      places_.push_back(values_.size() - 1);
    }
  }
  /// Those that it names, in the order of their names.
  [[nodiscard]] const std::vector<const Variable*>& variables() const { return variables_; }
  template <class State>
  [[nodiscard]] double value_at(const State& state, std::size_t i) const {
    return formula_->value_at(filled(state, i));
  }
  /// @throws InputError where it is not finite.
  template <class State>
  [[nodiscard]] double evaluate(const State& state, std::size_t i) const {
    return formula_->evaluate(filled(state, i));
  }

 private:
  template <class State>
  std::span<const double> filled(const State& state, std::size_t i) const {
    for (std::size_t k = 0; k < places_.size(); ++k) values_[places_[k]] = variables_[k]->value(state, i);
    return values_;
  }

  std::shared_ptr<const Formula> formula_;
  std::vector<const Variable*> variables_;
  std::vector<std::size_t> places_;     // of each variable among the formula's
  mutable std::vector<double> values_;  // of the formula's: keys' are there from the start
};

}  // namespace nowsim

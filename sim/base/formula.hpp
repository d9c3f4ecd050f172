// Formulas that users write in experiments, evaluated by muParser.
#pragma once

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
  /// The same, quickly: with values in the order of variables(), as many; what it gives need not be finite.
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

}  // namespace nowsim

// What the readers of one point share: its settings, problems found, keys asked for; and what formulas are worth.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "experiments/driver/reading/settings.hpp"
#include "experiments/driver/reading/shipped_files.hpp"
#include "sim/base/formula.hpp"

namespace nowsim {

struct Platform;

/// Formulas compiled once for all points.
class FormulaCache {
 public:
  /// @throws InputError for a syntax error.
  const Formula& get(const std::string& text);

 private:
  std::map<std::string, Formula> formulas_;
};

/// What the readers of one point share.
struct Reading {
  const Settings& settings;
  Problems& problems;
  std::set<std::string>& asked;            ///< every key that has been asked for, at any point: the known ones
  FormulaCache& formulas;
  std::map<std::string, double> variables; ///< what formulas may use besides keys, such as N
  std::optional<Place> block = {};         ///< where it begins, if the settings are one map that stands alone
  const NamedFiles* files = nullptr;       ///< where they may be; null: anywhere
  const Platform* machines = nullptr;      ///< once they are known: what work told as machine time is of
};

/// The value of a setting that is a formula. @throws InputError, with its place, for one that is wrong, depends on
/// itself, or uses what is not there or no number.
double formula_value(Reading& reading, const Setting& formula);

/// A formula as it was written, and what went into it: "'= 2 * x' with x = 3".
std::string formula_text(Reading& reading, const Setting& formula);

/// What `variable` (a full key, a variable of `let:`, or one that readers give) is worth in a formula that stands at
/// `user`. @throws InputError as formula_value().
double variable_value(Reading& reading, const std::string& variable, const Setting& user);

/// Whether a setting's value depends on a variable that readers give, such as `i`: it, or a formula that it uses, names
/// it, and no key does.
bool formula_depends_on(Reading& reading, const Setting& setting, const std::string& variable);

}  // namespace nowsim

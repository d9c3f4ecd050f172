// What the readers of one point share: its settings, problems found, keys asked for; and what formulas are worth.
#pragma once

#include <cstddef>
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

/// The problems found so far, each once, in the order found.
class Problems {
 public:
  void add(const std::string& sentence);
  void add(const Place& place, const std::string& sentence) { add(InputError(place, sentence).what()); }
  /// Of a file that a key names: one problem for all that a key names, {host} by {host}, and none for a file of which it
  /// was said already.
  void add_missing(const Place& place, const std::string& file);
  /// Whether one that begins so is known already, which then counts as found once more.
  bool found_again(const std::string& beginning);
  [[nodiscard]] bool empty() const { return list_.empty(); }
  [[nodiscard]] const std::vector<std::string>& list() const { return list_; }
  /// How often one was found, known or not.
  [[nodiscard]] std::size_t found() const { return found_; }

 private:
  std::vector<std::string> list_;
  std::set<std::string> seen_, missing_;
  struct MissingFiles {
    std::size_t position;  ///< in the list
    std::vector<std::string> files;
  };
  std::map<std::string, MissingFiles> missing_at_;  ///< by the place that names them
  std::size_t found_ = 0;
};

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

/// A quantity in SI of whatever dimension its unit says; nothing where it is none.
std::optional<double> any_quantity(const std::string& text);

}  // namespace nowsim

// Typed reading of settings: units, bounds, formulas and defaults, gathering every problem instead of stopping at one.
#pragma once

#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "experiments/driver/reading/settings.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/formula.hpp"
#include "sim/base/parameters.hpp"

namespace nowsim {

/// The problems found so far, each once, in the order found.
class Problems {
 public:
  void add(const std::string& sentence);
  void add(const Place& place, const std::string& sentence) { add(InputError(place, sentence).what()); }
  [[nodiscard]] bool empty() const { return list_.empty(); }
  [[nodiscard]] const std::vector<std::string>& list() const { return list_; }
  /// How often one was found, known or not.
  [[nodiscard]] std::size_t found() const { return found_; }

 private:
  std::vector<std::string> list_;
  std::set<std::string> seen_;
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
};

inline constexpr double kNoBound = std::numeric_limits<double>::infinity();
/// Bounds of a quantity; the limits themselves are allowed unless open.
struct Bounds {
  double least = 0;
  double most = kNoBound;
  bool open = false;  ///< `least` itself is not allowed
};
inline constexpr Bounds kPositive{0, kNoBound, true};
inline constexpr Bounds kAnyNumber{-kNoBound};

/// Reads keys below one or more scopes ("owner.hosts.ws1", then "owner"): the first scope that has a key wins. A
/// problem is noted, and a harmless value returned so that reading can go on.
class Reader : public ParameterReader {
 public:
  Reader(Reading& reading, std::vector<std::string> scopes) : reading_(reading), scopes_(std::move(scopes)) {}

  [[nodiscard]] bool has(const std::string& name) { return find(name) != nullptr; }
  /// Whether anything is said of a block: keys below it, or itself as one value.
  [[nodiscard]] bool has_block(const std::string& name) const;
  /// A quantity in SI; without a fallback it must be given.
  double quantity(const std::string& name, Dimension dimension, const Bounds& bounds = Bounds{},
                  std::optional<double> fallback = {});
  /// The same of whatever dimension its unit says, in SI; it must be given.
  double number_with_unit(const std::string& name, const Bounds& bounds);
  std::vector<double> quantities(const std::string& name, Dimension dimension, const Bounds& bounds = Bounds{});
  std::string text(const std::string& name, const std::optional<std::string>& fallback = {});
  std::vector<std::string> texts(const std::string& name);
  /// A name; of a formula its value, a whole number, written out. Empty after a problem.
  std::string name_or_number(const std::string& name);
  /// A file's or folder's path; relative ones are taken from the YAML's folder, or from here if a flag gave it. Empty
  /// after a problem.
  std::string path(const std::string& name);

  double work(const std::string& name, std::optional<double> fallback = {}) override {
    return quantity(name, Dimension::work, {}, fallback);
  }
  double bytes(const std::string& name, std::optional<double> fallback = {}) override {
    return quantity(name, Dimension::bytes, {}, fallback);
  }
  double time(const std::string& name, std::optional<double> fallback = {}) override {
    return quantity(name, Dimension::time, {}, fallback);
  }
  std::int64_t count(const std::string& name, std::optional<std::int64_t> fallback = {},
                     std::int64_t least = 0) override;
  /// The same where ints have to hold it, as they do ranks and cores.
  int int_count(const std::string& name, std::optional<std::int64_t> fallback = {}, std::int64_t least = 0);
  std::size_t choice(const std::string& name, const std::vector<std::string>& words,
                     std::optional<std::size_t> fallback = {}) override;
  double number(const std::string& name, std::optional<double> fallback = {}, double least = 0,
                double most = kNoBound) override {
    return quantity(name, Dimension::fraction, {least, most}, fallback);
  }
  std::vector<double> numbers_of_file(const std::string& name) override;

  /// The same; nothing after a problem.
  std::optional<std::size_t> known_choice(const std::string& name, const std::vector<std::string>& words,
                                          std::optional<std::size_t> fallback = {});

  /// What `variable` (a full key or `let.NAME`) is worth in the formula that stands at `name`. @throws InputError, with
  /// the formula's place, where there is no such key or it is no number.
  double formula_variable(const std::string& name, const std::string& variable);

  /// Whether the value of the formula that stands at `name` depends on a variable that readers give, such as `i`: it, or
  /// a formula that it uses, names it, and no key does.
  bool depends_on(const std::string& name, const std::string& variable);

  /// The keys below a block of the first scope, without the block's name: b.c and d of {b: {c: 1}, d: 2}.
  [[nodiscard]] std::vector<std::string> names_below(const std::string& block) const;
  /// Where a key stands, or would stand.
  [[nodiscard]] Place place(const std::string& name);
  /// Counts all keys of the scopes, or of a block in them, as known: after a problem nothing can be said of them.
  void excuse_all();
  void excuse(const std::string& block);
  /// Notes a problem with a key.
  void problem(const std::string& name, const std::string& sentence);
  [[nodiscard]] Reading& reading() { return reading_; }

 private:
  const Setting* find(const std::string& name);
  const Setting* find_scalar(const std::string& name, bool required, const std::string& hint = "");
  const Setting* find_list(const std::string& name);
  std::optional<Place> find_below(const std::string& name);
  std::optional<Place> find_in_block(const std::string& block);
  bool is_section_readable() const;
  template <class Parse>
  double parsed_quantity(const std::string& name, const Parse& parse, const Bounds& bounds, std::optional<double> fallback);
  template <class Parse>
  double parsed(const Setting& setting, const std::string& text, const Parse& parse);
  /// The formulas that one value needs: those being evaluated, each of which uses the next, and what others gave.
  struct Evaluation {
    std::vector<const Setting*> open;
    std::map<const Setting*, double> values;
  };
  double evaluate(const Setting& setting);
  double evaluate(const Setting& setting, Evaluation& evaluation);
  /// The variables of a formula; none where it is none, or wrong.
  std::vector<std::string> variables_of(const Setting& setting);
  double variable(const std::string& name, const Setting& user, Evaluation& evaluation);
  double bounded(const Setting& setting, double value, const Bounds& bounds);
  double whole(const std::string& name, std::optional<std::int64_t> fallback, const Bounds& bounds);

  Reading& reading_;
  std::vector<std::string> scopes_;
};

/// A quantity in SI of whatever dimension its unit says; nothing where it is none.
std::optional<double> any_quantity(const std::string& text);

/// Notes an error about a file that a key names: where the file itself tells no line, with the key's place before it.
void note_problem_of_file(Reader& read, const std::string& name, const InputError& error);

}  // namespace nowsim

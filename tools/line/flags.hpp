// A command's flags as a table.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tools/line/argument.hpp"

namespace nowsim {

/// What stands behind a flag: nothing, a text, a text each time it is given, or all words up to the next flag.
enum class Takes { nothing, text, texts, words };

struct FlagArgument {
  Argument value = Kind::text;  ///< of one text
  Takes takes = Takes::text;
  std::string otherwise = {};  ///< its text where the flag is not given; "" where there is none
  std::string shown = {};      ///< what help says of `otherwise`, if not its text
  bool is_needed = false;      ///< the command cannot do without it

  /// The same with these: what stands for it where it is not given, what usages call its value, that it has to be given.
  [[nodiscard]] FlagArgument or_else(std::string text, std::string as = {}) const {
    FlagArgument changed = *this;
    changed.otherwise = std::move(text);
    changed.shown = std::move(as);
    return changed;
  }
  [[nodiscard]] FlagArgument called(std::string name) const {
    FlagArgument changed = *this;
    changed.value.name = std::move(name);
    return changed;
  }
  [[nodiscard]] FlagArgument needed() const {
    FlagArgument changed = *this;
    changed.is_needed = true;
    return changed;
  }
};

inline const FlagArgument kSwitch{.takes = Takes::nothing};
inline FlagArgument taking(Kind kind, std::vector<std::string> of = {}) { return {.value = {kind, std::move(of)}}; }
/// More than 0, unless other bounds are given.
inline FlagArgument quantity(Dimension dimension, const Bounds& within = kPositive, std::string hint = {}) {
  return {.value = Argument(dimension, within, std::move(hint))};
}
inline FlagArgument whole(double least, double most = kInfinity, std::string hint = {}) {
  return quantity(Dimension::count, {least, most}, std::move(hint));
}
/// A file that is written; with endings, one of which its name needs to have: `what` says why.
inline FlagArgument written_file(std::vector<std::string> endings = {}, std::string what = {}) {
  FlagArgument file = taking(Kind::written, std::move(endings));
  file.value.what = std::move(what);
  return file;
}
/// The same, where "-" stands for standard output.
inline FlagArgument written_file_or_output(std::vector<std::string> endings = {}, std::string what = {}) {
  FlagArgument file = written_file(std::move(endings), std::move(what));
  file.value.may_be_output = true;
  return file;
}

/// A row of the table: {"quiet,q", kSwitch, "no progress"}, {"out,o", taking(Kind::folder), "the folder to make"},
/// {"most", quantity(Dimension::time).or_else("10min"), "how long it may take"}.
struct Flag {
  std::string names;  ///< the long one and, behind a comma, its letter if it has one
  FlagArgument argument;
  std::string help;
  std::string key = {};  ///< of the experiment, which it sets

  [[nodiscard]] std::string name() const { return names.substr(0, names.find(',')); }
  /// "-j"; "" where it has no letter.
  [[nodiscard]] std::string brief() const;
  /// What help says in place of a text that is not given; "" where there is none.
  [[nodiscard]] const std::string& shown_default() const;
  [[nodiscard]] bool takes_value() const { return argument.takes != Takes::nothing; }
  /// "--out DIR".
  [[nodiscard]] std::string shown() const;
};

/// A command's flags, in the order of its help.
class Flags {
 public:
  void add(const std::vector<Flag>& more) { rows_.insert(rows_.end(), more.begin(), more.end()); }
  /// By its long name; null where there is none.
  [[nodiscard]] const Flag* named(const std::string& name) const;
  /// The one that a word is: --set, --set=..., -s or -s...; null where it is none.
  [[nodiscard]] const Flag* of_word(const std::string& word) const;
  /// Whether a word is a flag whose value is the next word.
  [[nodiscard]] bool takes_next(const std::string& word) const;
  [[nodiscard]] auto begin() const { return rows_.begin(); }
  [[nodiscard]] auto end() const { return rows_.end(); }

 private:
  std::vector<Flag> rows_;
};

/// What stands in a flag's own word for its value; nothing where the value is to be the next word.
std::optional<std::string> own_value(const std::string& word);

/// The table as help shows it.
void write_flags(const Flags& flags, std::ostream& out);

}  // namespace nowsim

// A command's flags as a table, and what a command line says of them.
#pragma once

#include <iosfwd>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tools/line/argument.hpp"

namespace nowsim {

/// Bad usage: a sentence; exit status 2.
class UsageError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What stands behind a flag: nothing, a text, a text each time it is given, or all words up to the next flag.
enum class Takes { nothing, text, texts, words };

struct FlagArgument {
  Argument value = Kind::text;  ///< of one text
  Takes takes = Takes::text;
  std::string name = "arg";    ///< as help calls it
  std::string otherwise = {};  ///< its text where the flag is not given; "" where there is none
  std::string shown = {};      ///< what help says of `otherwise`, if not its text
};

inline const FlagArgument kSwitch{.takes = Takes::nothing};
inline FlagArgument taking(Kind kind, std::vector<std::string> of = {}) { return {.value = {kind, std::move(of)}}; }

/// A row of the table: {"quiet,q", kSwitch, "no progress"}, {"out,o", taking(Kind::folder), "the folder to make"},
/// {"jobs,j", {.value = Kind::count, .otherwise = "4"}, "processes at a time"}.
struct Flag {
  std::string names;  ///< the long one and, behind a comma, its letter if it has one
  FlagArgument argument;
  std::string help;

  [[nodiscard]] std::string name() const { return names.substr(0, names.find(',')); }
  /// "-j"; "" where it has no letter.
  [[nodiscard]] std::string brief() const;
  /// What help says in place of a text that is not given; "" where there is none.
  [[nodiscard]] const std::string& shown_default() const;
  [[nodiscard]] bool takes_value() const { return argument.takes != Takes::nothing; }
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

/// What a command line says of flags, by their long names.
struct GivenFlags {
  std::map<std::string, std::vector<std::string>> given, otherwise;

  /// Whether the command line has it.
  [[nodiscard]] bool has(const std::string& name) const { return given.contains(name); }
  /// All its texts, or that which stands for them; none where there is neither.
  [[nodiscard]] std::vector<std::string> texts(const std::string& name) const;
  /// @pre it is given, or a text stands for it.
  [[nodiscard]] std::string text(const std::string& name) const { return texts(name).at(0); }
};

/// A command's flags and the words that are none. @throws UsageError for what the tables do not know, and for more or
/// fewer words than have a place.
struct ParsedFlags {
  GivenFlags flags;
  std::vector<std::string> words;
};
ParsedFlags parse_flags(const std::vector<std::string>& words, const Flags& flags, const Places& places,
                        const std::string& usage);

/// A line's words, as a shell takes it apart.
std::vector<std::string> words_of_line(const std::string& line);

/// The table as help shows it.
void write_flags(const Flags& flags, std::ostream& out);

}  // namespace nowsim

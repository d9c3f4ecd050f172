// What a command line says: words, and flags whose values are read and checked, once, by the table of flags.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "tools/line/flags.hpp"

namespace nowsim {

/// Bad usage: a sentence; exit status 2.
class UsageError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Flags by their long names, and the words that are none.
class Arguments {
 public:
  std::vector<std::string> words;

  /// Whether the command line has it.
  [[nodiscard]] bool has(const std::string& flag) const { return given_.contains(flag); }
  /// All its texts, or that which stands for them; none where there is neither.
  [[nodiscard]] std::vector<std::string> texts(const std::string& flag) const;
  /// The first of them.
  [[nodiscard]] std::optional<std::string> text_or_none(const std::string& flag) const;
  /// The same; "" where there is none.
  [[nodiscard]] std::string text(const std::string& flag) const;
  /// A quantity in SI; nothing where it is not given, and nothing stands for it.
  [[nodiscard]] std::optional<double> quantity(const std::string& flag) const;
  [[nodiscard]] std::optional<std::uint64_t> whole(const std::string& flag) const;
  /// Which of its words a flag says. @pre it is given, or one stands for it.
  [[nodiscard]] std::size_t choice(const std::string& flag) const;
  /// The names of a list "a,b"; none where it is not given.
  [[nodiscard]] std::vector<std::string> names(const std::string& flag) const;
  [[nodiscard]] const Flags& flags() const { return flags_; }

  /// @throws UsageError for what the tables do not know, for values that they do not allow, and for more or fewer words
  /// than have a place; what check_output_file() throws of files that are to be written.
  static Arguments read(const std::vector<std::string>& line, const Flags& flags, const Places& places,
                        const std::string& usage);

 private:
  void check(const Flag& flag, const std::string& text);

  Flags flags_;
  std::map<std::string, std::vector<std::string>> given_, otherwise_, names_;
  std::map<std::string, double> quantities_;
};

/// "--out results", as messages begin that are about a flag: cut short where its text is long.
std::string flag_place(const std::string& flag, const std::string& text);
/// A flag's number with its unit, in SI, within its bounds. @throws UsageError, naming the flag.
double quantity_of_flag(const std::string& flag, const std::string& text, Dimension dimension,
                        const Bounds& bounds = kAnyNumber, const std::string& hint = "");
/// The names of a flag's list "a,b": one at least, none twice. @throws UsageError, naming the flag.
std::vector<std::string> names_of_flag(const std::string& flag, const std::string& text);

/// A sentence, and how the command is used.
std::string with_usage(const std::string& sentence, const std::string& usage);

/// A line's words, as a shell takes it apart.
std::vector<std::string> words_of_line(const std::string& line);

}  // namespace nowsim

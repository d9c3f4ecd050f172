// Which format a file has: its first lines, and what tells them apart.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "experiments/driver/reading/load_formats.hpp"

namespace nowsim {

/// The first lines of a file that say something, without a first line "sep=;", and without what is behind the whole fields
/// of their first few hundred bytes.
class FirstLines {
 public:
  FirstLines(const std::string& text, const std::string& file, const LoadReading& reading);

  struct Line {
    int number;
    std::string text;                ///< without blanks around it
    std::vector<std::string> words;  ///< between blanks, the first ones
    bool is_cut;                     ///< there are more fields
  };
  [[nodiscard]] const std::vector<Line>& lines() const { return lines_; }
  /// The fields of a line; none where they cannot be told.
  [[nodiscard]] std::vector<std::string> fields(const Line& line) const;
  /// The first one that is no comment behind '#' or '%'; null where there is none.
  [[nodiscard]] const Line* first_said() const;
  [[nodiscard]] bool begins(std::string_view text) const { return !lines_.empty() && lines_.front().text.starts_with(text); }
  [[nodiscard]] bool any_begins(std::string_view text) const;
  [[nodiscard]] bool any_holds(std::string_view text) const;
  /// Whether a line has these words, one behind the other.
  [[nodiscard]] bool any_has(const std::vector<std::string>& words) const;
  [[nodiscard]] const LoadReading& reading() const { return reading_; }
  [[nodiscard]] char separator() const { return separator_; }

 private:
  std::vector<Line> lines_;
  const LoadReading& reading_;
  char separator_;
};

FormatGuess recognise_csv(const FirstLines& lines);
FormatGuess recognise_values(const FirstLines& lines);
FormatGuess recognise_profile(const FirstLines& lines);
FormatGuess recognise_proc_stat(const FirstLines& lines);

/// The format that a file looks like most.
struct KnownFormat {
  LoadFormat format;
  FormatGuess guess;
};
/// @throws InputError where it is none that is read: what it is, where that is known; else what is read, and the first
/// lines as they were understood.
KnownFormat format_of(const std::string& text, const std::string& file, const LoadReading& reading);

}  // namespace nowsim

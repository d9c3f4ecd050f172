// A gnuplot script under way, and the one way for texts into it: nothing a user writes may act as a command or as
// markup that was not meant.
#pragma once

#include <cstddef>
#include <sstream>
#include <string>

#include "experiments/driver/pictures/label.hpp"

namespace nowsim {

/// The only way for a text into a script: a gnuplot string constant. In single quotes, where gnuplot escapes nothing;
/// quotes, '`', '@', '#' and line breaks stand between by their numbers, since gnuplot substitutes macros and commands
/// before it reads strings. Other control characters become blanks, bytes that are no UTF-8 U+FFFD. Where gnuplot would
/// make broken XML of a text (']]>', '&#27;') or of its number a character ('\U+41'), a blank of no width stands
/// within. Anything else is exactly this text.
std::string script_string(const std::string& text);
/// A gnuplot string constant with the very bytes of the name of a file, which is shown nowhere.
std::string file_string(const std::string& name);
/// The constant for the name of a tic, in which gnuplot takes % for the beginning of a number's format.
std::string tic_string(const std::string& text);
/// A label in gnuplot's enhanced mode: what is markup there is escaped.
std::string enhanced(const Label& label);
/// Whether gnuplot reads a text back from a CSV field as it is, and compares it with a script's as equal: no quotes,
/// line ends, signs of comments, nothing that it takes for a missing number or the end of data, nothing that is written
/// otherwise.
bool is_read_back(const std::string& text);

/// A position on the page or a part of it, with four digits behind the point.
std::string script_number(double x);

/// A script that grows line by line.
class Script {
 public:
  void line(const std::string& text) { out_ << text << '\n'; }
  /// A variable that holds a text: nothing of it stands in a command.
  void text(const std::string& variable, const std::string& value) { line(variable + " = " + script_string(value)); }
  void text(const std::string& variable, const Label& value) { text(variable, enhanced(value)); }
  /// $NAME, a block of data: whole lines.
  void block(const std::string& name, const std::string& rows, const std::string& end = "END_OF_DATA") {
    out_ << '$' << name << " << " << end << '\n' << rows << end << '\n';
  }
  /// A part of a line.
  template <class T>
  Script& operator<<(const T& part) {
    out_ << part;
    return *this;
  }
  [[nodiscard]] std::string str() const { return out_.str(); }

 private:
  std::ostringstream out_;
};

}  // namespace nowsim

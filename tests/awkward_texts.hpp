// Texts that somebody may give a title, a set, a machine or a file, and that would act where they are taken as they
// are.
#pragma once

#include <string>
#include <vector>

#include "sim/base/utf8.hpp"

namespace nowsim::test {

/// Each of them that can run a program has it make this file.
inline std::vector<std::string> awkward_texts(const std::string& made) {
  return {"\"q\"",
          "it's",
          "''",
          "'\"'",
          "`touch " + made + "`",
          "$(touch " + made + ")",
          "@results @x @made",
          "@title",
          "@name @footer @x_label",
          "'a @title",
          "'.system('touch " + made + "').'",
          "50 %",
          "%d %s %% %n",
          "END_OF_RESULTS",
          "END_OF_PANEL",
          "END_OF_DATA",
          "EOD",
          "!touch " + made + " #'",
          "'; system('touch " + made + "')",
          "\"; system(\"touch " + made + "\")",
          "a\nb",
          "a b",
          "a'b",
          "\n!touch " + made + "\n",
          "<touch " + made,
          "|touch " + made,
          "$results",
          "\x1b[31mred\x1b]0;t\x07",
          "\r\x08\x7f",
          "\xC2\x9B"
          "31m",
          "\u202Eevil",
          "<script>alert('x')</script>",
          "]]>",
          "]]></text><script>alert(1)</script>",
          "&#27; &lt; &bogus; & Sons",
          "\\U+0041 \\n \\\\",
          "{/Symbol a}_b^c_{",
          "}{",
          "=1+1",
          "@SUM(A1:A9)",
          "+1+cmd|' /C calc'!A0",
          "-2+3",
          "'=1",
          "-0.5",
          "#comment",
          " blank ",
          "",
          "NaN",
          "é ü 漢字 😀",
          "\xff\xfe latin \xe9",
          std::string(3000, 'x'),
          "a,b;c\td",
          "~root",
          "-",
          "set term dumb; set output 'x'"};
}

/// The characters that a terminal would obey, but line ends and tabs, and bytes that are no UTF-8; "" where there are
/// none.
inline std::string obeyed_in(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const Utf8Character c = first_character(text);
    if (!c.is_whole || (is_control(c.code) && c.code != '\n' && c.code != '\t'))
      out += shown_text(text.substr(0, c.bytes));
    text.remove_prefix(c.bytes);
  }
  return out;
}

}  // namespace nowsim::test

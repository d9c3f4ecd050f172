// Texts in lines of a width, broken between words.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace nowsim {

/// The words of a text in lines of at most so many characters, one space between two of them; one line at least. A
/// word that is wider than a line is broken behind one of `/._-,:=` where that helps, else anywhere.
std::vector<std::string> broken_lines(const std::string& text, std::size_t width);
/// The widest of its words.
std::size_t widest_word(const std::string& text);

}  // namespace nowsim

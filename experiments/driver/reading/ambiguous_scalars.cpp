// Numbers that are read in two ways, by their forms.
#include "experiments/driver/reading/ambiguous_scalars.hpp"

#include <algorithm>
#include <charconv>
#include <regex>
#include <vector>

namespace nowsim {
namespace {

/// "010 could mean 8 or 10; write 10, or quote it if it is text"; the octal reading only where it exists and differs.
std::string explain_leading_zeros(const std::string& text) {
  const std::string sign = text[0] == '-' || text[0] == '+' ? text.substr(0, 1) : "";
  const auto zeros = std::min(text.find_first_not_of('0', sign.size()), text.size());
  auto decimal = text.substr(zeros);
  if (decimal.find_first_of("0123456789") != 0) decimal.insert(0, "0");
  long long octal = 0;
  const auto [end, error] = std::from_chars(text.data() + sign.size(), text.data() + text.size(), octal, 8);
  const bool two_ways = error == std::errc{} && end == text.data() + text.size() && std::to_string(octal) != decimal;
  const auto trouble = two_ways ? " could mean " + sign + std::to_string(octal) + " or " + sign + decimal
                                : std::string(" has a leading zero");
  return text + trouble + "; write " + sign + decimal + ", or quote it if it is text";
}

/// Plain scalars that YAML 1.1 reads as a number or a date and YAML 1.2 as text.
struct Form {
  std::regex pattern;
  const char* meaning;  ///< nullptr: a leading zero
};
const std::vector<Form>& forms() {
  // https://yaml.org/type/int.html, float.html and timestamp.html; a little wider, so that 07:30 counts as a time.
  static const std::vector<Form> out{
      {std::regex("[-+]?0[0-9]+([.][0-9]*)?([eE][-+]?[0-9]+)?"), nullptr},
      {std::regex("[-+]?0[xX][0-9a-fA-F_]+"), "a hexadecimal number"},
      {std::regex("[-+]?0[oO][0-7_]+"), "an octal number"},
      {std::regex("[-+]?0[bB][01_]+"), "a binary number"},
      {std::regex("[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+([.][0-9_]*)?"), "a time, a number to base 60"},
      {std::regex("[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt \t].*)?"), "a date"},
  };
  return out;
}

}  // namespace

std::string objection_to(const std::string& text) {
  constexpr std::size_t longest = 64;  // std::regex recurses with the length of the text
  if (text.size() > longest || text.find_first_of("0123456789") > 1) return "";
  const auto found = std::find_if(forms().begin(), forms().end(),
                                  [&](const Form& form) { return std::regex_match(text, form.pattern); });
  if (found == forms().end()) return "";
  if (found->meaning == nullptr) return explain_leading_zeros(text);
  return text + " could mean " + found->meaning + " or text; write it in quotes or in decimal";
}

}  // namespace nowsim

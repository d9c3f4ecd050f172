// A table of characters, and a stream that hands its tables over.
#include "experiments/driver/text/latex.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <ostream>
#include <sstream>
#include <utility>
#include <vector>

#include "experiments/driver/text/stream_manner.hpp"
#include "sim/base/utf8.hpp"

namespace nowsim {
namespace {

using LatexRows = std::vector<std::vector<std::string>>;

// clang-format off
constexpr std::pair<char32_t, const char*> kInLatex[] = {
    {U'\\', "\\textbackslash{}"}, {U'{', "\\{"}, {U'}', "\\}"}, {U'$', "\\$"}, {U'&', "\\&"}, {U'#', "\\#"},
    {U'_', "\\_"}, {U'%', "\\%"}, {U'^', "\\textasciicircum{}"}, {U'~', "\\textasciitilde{}"},
    {U'<', "$<$"}, {U'>', "$>$"}, {U'|', "$|$"},
    {U'±', "$\\pm$"}, {U'−', "$-$"}, {U'·', "$\\cdot$"}, {U'×', "$\\times$"}, {U'²', "$^2$"}, {U'³', "$^3$"},
    {U'≤', "$\\le$"}, {U'≥', "$\\ge$"}, {U'≈', "$\\approx$"}, {U'→', "$\\to$"}, {U'…', "\\dots{}"}, {U'∞', "$\\infty$"},
    {U'✓', "yes"}, {U'✗', "no"}, {0xA0, "~"},
    {U'α', "$\\alpha$"}, {U'β', "$\\beta$"}, {U'γ', "$\\gamma$"}, {U'δ', "$\\delta$"}, {U'ε', "$\\varepsilon$"},
    {U'λ', "$\\lambda$"}, {U'µ', "$\\mu$"}, {U'μ', "$\\mu$"}, {U'ρ', "$\\rho$"}, {U'σ', "$\\sigma$"}, {U'τ', "$\\tau$"},
    {U'φ', "$\\varphi$"}, {U'ω', "$\\omega$"}, {U'Δ', "$\\Delta$"}, {U'Σ', "$\\Sigma$"}, {U'η', "$\\eta$"},
    {U'θ', "$\\theta$"}, {U'κ', "$\\kappa$"}, {U'π', "$\\pi$"}, {U'χ', "$\\chi$"}, {U'ψ', "$\\psi$"}, {U'Ω', "$\\Omega$"},
};
// clang-format on

bool is_decimal_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// A figure, with what belongs to it: "-0.5 ± 0.1", "217.3 [215.7, 222.2]", "?", or nothing known.
bool is_figure(const std::string& cell) {
  const std::size_t first = cell.find_first_not_of("+-<>=. ");
  return first == cell.npos || is_decimal_digit(cell[first]) || cell == "inf" || cell == "?";
}

/// A row's end takes what begins with '[' or '*' for its own, behind blanks too.
std::string first_cell(const std::string& cell) {
  const std::size_t first = cell.find_first_not_of(' ');
  const bool is_taken = first != cell.npos && (cell[first] == '[' || cell[first] == '*');
  return (is_taken ? "{}" : "") + latex_text(cell);
}

/// Whether LaTeX sets the two as one character: dashes, quotation marks.
bool is_ligature(char32_t first, char32_t second) {
  if (second == '`' && (first == '?' || first == '!')) return true;
  return first == second && (second == '-' || second == '\'' || second == '`' || second == ',');
}

void write_row(const std::vector<std::string>& row, std::size_t columns, std::string& out) {
  out += "  ";
  for (std::size_t c = 0; c < columns; ++c) {
    const std::string cell = c < row.size() ? row[c] : "";
    out += c == 0 ? first_cell(cell) : " & " + latex_text(cell);
  }
  out += " \\\\\n";
}

std::string tabular(const LatexRows& rows, const std::vector<bool>& is_left) {
  const std::size_t columns = rows.front().size();
  std::string out = "\\begin{tabular}{";
  for (std::size_t c = 0; c < columns; ++c) {
    const bool has_figures = std::all_of(rows.begin() + 1, rows.end(),
                                         [c](const auto& row) { return c >= row.size() || is_figure(row[c]); });
    out += has_figures && !is_left[c] ? 'r' : 'l';
  }
  out += "}\n  \\toprule\n";
  write_row(rows.front(), columns, out);
  out += "  \\midrule\n";
  for (std::size_t r = 1; r < rows.size(); ++r) write_row(rows[r], columns, out);
  return out + "  \\bottomrule\n\\end{tabular}\n";
}

std::string as_comments(const std::string& text) {
  std::string out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) out += line.empty() ? "%\n" : "% " + shown_line(line) + "\n";
  return out;
}

}  // namespace

std::string latex_text(std::string_view text) {
  std::string out;
  char32_t before = 0;
  bool is_begin = true;  // of a word, where '-' is a minus if a digit follows
  while (!text.empty()) {
    const Utf8Character c = first_character(text);
    const std::string_view bytes = text.substr(0, c.bytes);
    text.remove_prefix(c.bytes);
    const auto* known = std::ranges::find(kInLatex, c.code, &std::pair<char32_t, const char*>::first);
    if (is_ligature(before, c.code)) out += "{}";
    before = c.code;
    if (!c.is_whole || is_control(c.code)) out += latex_text(shown_line(bytes));
    else if (c.code == '-' && is_begin && !text.empty() && is_decimal_digit(text.front())) out += "$-$";
    else out += known != std::end(kInLatex) ? std::string(known->second) : std::string(bytes);
    is_begin = std::string_view(" [(").find(bytes) != std::string_view::npos;
  }
  return out;
}

void write_latex(const std::function<void(std::ostream&)>& text, std::ostream& out) {
  std::ostringstream said;
  std::string written = "% \\usepackage{booktabs}\n";
  const auto take_lines = [&] {
    written += as_comments(said.str());
    said.str("");
  };
  StreamManner manner;
  manner.tables = [&](const LatexRows& rows, const std::vector<bool>& is_left) {
    take_lines();
    written += tabular(rows, is_left);
  };
  set_manner(said, &manner);
  text(said);
  take_lines();
  out << written;
}

}  // namespace nowsim

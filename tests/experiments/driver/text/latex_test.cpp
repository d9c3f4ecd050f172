// Tables as LaTeX: what is escaped, how columns stand, and what becomes of the lines around them.
#include "experiments/driver/text/latex.hpp"

#include <catch2/catch.hpp>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>

#include "experiments/driver/text/text_table.hpp"
#include "tests/awkward_texts.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

/// The characters that LaTeX obeys and that belong to none of the escapes.
std::string bare_in(std::string text) {
  static const std::regex kEscapes(R"(\\text[a-z]+\{\}|\\dots\{\}|\\[{}$&#_%]|\$[^$]*\$|\{\})");
  text = std::regex_replace(text, kEscapes, "");
  std::erase_if(text, [](char c) { return std::string_view("\\{}$&#_%^").find(c) == std::string_view::npos; });
  return text;
}

}  // namespace

TEST_CASE("Characters that LaTeX obeys are escaped, and signs are set as in formulas", "[reads][latex]") {
  const std::pair<const char*, const char*> table[] = {
      {"plain 0.5", "plain 0.5"},
      {"sigma_T/tau [%]", "sigma\\_T/tau [\\%]"},
      {"a & b # $ { } ~ ^ \\", "a \\& b \\# \\$ \\{ \\} \\textasciitilde{} \\textasciicircum{} \\textbackslash{}"},
      {"205.12 ± 0.14", "205.12 $\\pm$ 0.14"},
      {"-0.862 ± 0.032 [-0.9, -0.8]", "$-$0.862 $\\pm$ 0.032 [$-$0.9, $-$0.8]"},
      {"heavy-ranks -x 1e-05", "heavy-ranks -x 1e-05"},
      {"Büro \xE2\x88\x92 1", "Büro $-$ 1"},
      {"x < 5 µs", "x $<$ 5 $\\mu$s"},
      {"--set ''a'' ?`", "-{}-set '{}'a'{}' ?{}`"},
      {"a\nb\xff", "a\\textbackslash{}nb\\textbackslash{}xff"},
  };
  for (const auto& [text, expected] : table) CHECK(latex_text(text) == expected);
  for (const auto& text : awkward_texts("made")) {
    CHECK(obeyed_in(latex_text(text)).empty());
    CHECK(bare_in(latex_text(text)).empty());
  }
  CHECK(bare_in(latex_text("\\{}$&#_%^")).empty());
  CHECK(bare_in("50 % of a_b") == "%_");
}

TEST_CASE("Tables are ruled by booktabs, figures to the right, and lines around them are comments", "[latex]") {
  const auto text = [](std::ostream& out) {
    out << "50 % of it\n\n";
    TextTable table({"policy", "tau [s]", "by tau", "RF"});
    table.add({"equal", "205.12 ± 0.14", "worse", "-"});
    table.add({"* mean", "-3", "best", ""});
    table.write(out, 1);
    out << "\nbelow\n";
    TextTable list({"name", "what"}, TableLook::list);
    list.add({"[a]", "5"});
    list.write(out << "- ", 0);
  };
  std::ostringstream out;
  write_latex(text, out);
  CHECK(out.str() ==
        "% \\usepackage{booktabs}\n% 50 % of it\n%\n"
        "\\begin{tabular}{lrlr}\n  \\toprule\n  policy & tau [s] & by tau & RF \\\\\n  \\midrule\n"
        "  equal & 205.12 $\\pm$ 0.14 & worse & - \\\\\n  {}* mean & $-$3 & best &  \\\\\n  \\bottomrule\n\\end{tabular}\n"
        "%\n% below\n% - \n"
        "\\begin{tabular}{lr}\n  \\toprule\n  name & what \\\\\n  \\midrule\n  {}[a] & 5 \\\\\n  \\bottomrule\n\\end{tabular}\n");
}

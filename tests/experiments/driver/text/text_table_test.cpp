// Tables and lines on terminals of any width, also in ASCII: nothing is lost, and no line is wider than the terminal.
#include "experiments/driver/text/text_table.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <sstream>

#include "experiments/driver/text/stream_manner.hpp"
#include "sim/base/utf8.hpp"
#include "tests/paths.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;

namespace {

/// What a table or texts write on a terminal so wide; 0: on none.
template <class Written, class... More>
std::string on_terminal(const Written& written, std::size_t columns, bool is_ascii, More... more) {
  std::ostringstream out;
  StreamManner manner{nullptr, is_ascii, false};
  if (columns > 0) manner.columns = [columns] { return columns; };
  set_manner(out, &manner);
  written.write(out, more...);
  return out.str();
}

std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) widest = std::max(widest, shown_width(line));
  return widest;
}

/// Without blanks, line ends and rules.
std::string letters_of(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\n' || c == '-'; });
  return text;
}

TextTable figures() {
  TextTable table({"owner.TH", "tau [s]", "sigma_T [s]", "sigma_T/tau", "speedup"});
  table.add({"0", "200", "0", "0", "8"});
  table.add({"0.07", "205.12 ± 0.14", "2.27 ± 0.11", "0.01105 ± 0.00055", "7.80 ± 0.01"});
  return table;
}

/// The text between quotation marks of a source, roughly: without comments.
std::string without_comments(const std::string& source) {
  std::string out;
  for (std::size_t begin = 0; begin < source.size();) {
    const std::size_t end = std::min(source.find('\n', begin), source.size());
    const std::string line = source.substr(begin, end - begin);
    out += line.substr(0, line.find("//")) + '\n';
    begin = end + 1;
  }
  return out;
}

}  // namespace

TEST_CASE("A table folds to blocks of columns that repeat the first ones and fit the terminal", "[reads][table]") {
  CHECK(on_terminal(figures(), 40, false, 1) ==
        "  owner.TH        tau [s]  sigma_T [s]\n"
        "  --------  -------------  -----------\n"
        "         0            200            0\n"
        "      0.07  205.12 ± 0.14  2.27 ± 0.11\n"
        "\n"
        "  owner.TH        sigma_T/tau\n"
        "  --------  -----------------\n"
        "         0                  0\n"
        "      0.07  0.01105 ± 0.00055\n"
        "\n"
        "  owner.TH      speedup\n"
        "  --------  -----------\n"
        "         0            8\n"
        "      0.07  7.80 ± 0.01\n");
  const std::string whole = on_terminal(figures(), 160, false, 1);
  CHECK(whole.find("\n\n") == std::string::npos);
  CHECK(whole == on_terminal(figures(), 0, false, 1));
}

TEST_CASE("No line of a table is wider than a terminal of 30 to 200 columns, and no cell is lost", "[table]") {
  TextTable wide({"platform.workstations", "split.policy", "owner.TH", "tau [s]", "remark"}, TableLook::list);
  wide.add({"128", "equalize-linear", "0.07", "205.12 ± 0.14",
            "no other policy is better by more than the indifference that was asked for"});
  wide.add({"64", "averyveryverylongnameofapolicywithoutanyplacetobreakit", "0.14", "12 ± 1", ""});
  DefinitionList named;
  named.add("isoefficiency", "how a problem has to grow with the machines to keep its efficiency");
  named.add("x", "");
  for (std::size_t columns = 30; columns <= 200; ++columns) {
    INFO(columns << " columns");
    for (const bool is_ascii : {false, true}) {
      CHECK(widest_line(on_terminal(figures(), columns, is_ascii, 1)) <= columns);
      CHECK(widest_line(on_terminal(wide, columns, is_ascii, 3)) <= columns);
      CHECK(widest_line(on_terminal(named, columns, is_ascii, 2)) <= columns);
    }
    for (const auto& row : wide.rows())
      for (const auto& cell : row)
        CHECK_THAT(letters_of(on_terminal(wide, columns, false, 0)), Catch::Contains(letters_of(cell).substr(0, 12)));
  }
}

TEST_CASE("A list's columns of words read from the left where that is wanted", "[table]") {
  TextTable table({"id", "lab", "marks", "counts"}, TableLook::list);
  table.add({"Ann", "slowest", "7", "yes"});
  table.add({"Benjamin", "grow", "10", "no"});
  table.read_left(1);
  table.read_left(3);
  CHECK(on_terminal(table, 0, false, 1) ==
        "  id        lab      marks  counts\n"
        "  Ann       slowest      7  yes\n"
        "  Benjamin  grow        10  no\n");
}

TEST_CASE("Sentences in a table break between words before columns fold", "[table]") {
  TextTable table({"machines", "best of that many", "tau [min]"});
  table.add({"6", "all but desk4, desk1, desk5, desk6", "119.44 ± 0.22"});
  CHECK(on_terminal(table, 50, false, 1) ==
        "  machines        best of that many      tau [min]\n"
        "  --------  -----------------------  -------------\n"
        "         6  all but desk4, desk1,    119.44 ± 0.22\n"
        "            desk5, desk6\n");
}

TEST_CASE("Heads break where nothing else gives room, and rows stand by themselves where that is not enough",
          "[table]") {
  TextTable table({"platform.workstations", "tau [s]"});
  table.add({"8", "205.12 ± 0.14"});
  CHECK(on_terminal(table, 32, false, 1) ==
        "        platform.\n"
        "     workstations        tau [s]\n"
        "  ---------------  -------------\n"
        "                8  205.12 ± 0.14\n");
  CHECK(on_terminal(table, 28, false, 1) ==
        "  platform.workstations: 8\n"
        "  tau [s]: 205.12 ± 0.14\n");
}

TEST_CASE("Where nothing but ASCII can be shown columns are aligned by what is shown", "[table]") {
  TextTable table({"R²", "tau [s]"});
  table.add({"0.99", "205.12 ± 0.14"});
  table.add({"1", "200"});
  CHECK(on_terminal(table, 0, true, 1) ==
        "   R^2          tau [s]\n"
        "  ----  ---------------\n"
        "  0.99  205.12 +/- 0.14\n"
        "     1              200\n");
}

TEST_CASE("What is for programs stays as it is, whatever the terminal", "[table]") {
  std::ostringstream out;
  StreamManner manner{[] { return std::size_t{40}; }, true, false};
  set_manner(out, &manner);
  CHECK(columns_of(out) == 40);
  CHECK(wants_ascii(out));
  {
    const ForPrograms for_programs(out);
    CHECK(columns_of(out) == 0);
    CHECK_FALSE(wants_ascii(out));
  }
  CHECK(wants_ascii(out));
}

TEST_CASE("Names' texts stand below them where there is no room beside them", "[table]") {
  DefinitionList named;
  named.add("isoefficiency", "how a problem has to grow");
  CHECK(on_terminal(named, 0, false, 2) == "  isoefficiency  how a problem has to grow\n");
  CHECK(on_terminal(named, 38, false, 2) == "  isoefficiency  how a problem has to\n                 grow\n");
  CHECK(on_terminal(named, 30, false, 2) == "  isoefficiency\n    how a problem has to grow\n");
}

TEST_CASE("What nowsim writes has words of ASCII, and what users write keeps telling apart", "[text]") {
  CHECK(ascii_text("205.12 ± 0.14 s, R² 0.99, p·log2 p, T ≤ 4 µs: σ → τ …") ==
        "205.12 +/- 0.14 s, R^2 0.99, p*log2 p, T <= 4 us: sigma -> tau ...");
  CHECK(ascii_text("Zürich, \xff") == "Z\\u00fcrich, \xff");
  CHECK(ascii_text("") == "");
}

TEST_CASE("Every character beyond ASCII that the sources write has its words", "[text]") {
  namespace fs = std::filesystem;
  for (const char* floor : {"sim", "workloads", "experiments/driver", "tools"})
    for (const auto& entry : fs::recursive_directory_iterator(test::source_folder() + "/" + floor)) {
      if (entry.path().extension() != ".cpp") continue;
      std::string text = without_comments(test::content_of(entry.path().string()));
      for (std::size_t at = 0; (at = text.find("\\u", at)) != text.npos;) text.erase(at, 2);  // escapes of the source
      INFO(entry.path());
      CHECK_THAT(ascii_text(text), !Catch::Contains("\\u"));
    }
}

TEST_CASE("Texts wrap at words, and words that are too long behind a mark", "[text]") {
  using Lines = std::vector<std::string>;
  CHECK(broken_lines("how sure can I be", 8) == Lines{"how sure", "can I be"});
  CHECK(broken_lines("", 8) == Lines{""});
  CHECK(broken_lines("a results/mine/tables.csv b", 14) == Lines{"a", "results/mine/", "tables.csv b"});
  CHECK(broken_lines("ääääääää", 3) == Lines{"äää", "äää", "ää"});
  CHECK(widest_word("how sure ± can") == 4);
}

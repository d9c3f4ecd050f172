// Markdown as roff and on a terminal: each kind of block, what is left out, and characters that roff takes for its own.
#include "tools/help/markdown.hpp"

#include <catch2/catch.hpp>
#include <sstream>

#include "experiments/driver/text/stream_manner.hpp"

using namespace nowsim;

namespace {

/// On so many columns.
std::string shown(const std::string& markdown, std::size_t columns, bool is_ascii = false) {
  StreamManner manner{[columns] { return columns; }, is_ascii};
  std::ostringstream out;
  set_manner(out, &manner);
  write_page(markdown, out);
  return out.str();
}

}  // namespace

TEST_CASE("Headings, paragraphs, code and lists become macros; pictures are left out", "[computes][manual][man]") {
  CHECK(roff_of("# Title\n\nSome *words* of `--code`\nin **two** lines.\n\n![a picture](x.svg)\n") ==
        ".SH\nTitle\n.PP\nSome \\fIwords\\fR of \\fB\\-\\-code\\fR in \\fBtwo\\fR lines.\n");
  CHECK(roff_of("## Part\n\n    $ nowsim 'x'\n    .y\n") ==
        ".SS\nPart\n.PP\n.RS 2\n.EX\n$ nowsim \\(aqx\\(aq\n\\&.y\n.EE\n.RE\n");
  CHECK(roff_of("- one\n- two\n\n  more\n") == ".IP \\(bu 3\none\n.IP \\(bu 3\ntwo\n.RS\n.PP\nmore\n.RE\n");
  CHECK(roff_of("1. one\n2. two\n") == ".IP 1. 3\none\n.IP 2. 3\ntwo\n");
}

TEST_CASE("Tables become terms and what is said of them", "[manual][man]") {
  CHECK(roff_of("| a | b |\n|---|---|\n| `x` | why |\n") == ".TP\n\\fBx\\fR\nwhy\n");
  CHECK(roff_of("| a | b | c |\n|---|---|---|\n| x | why | |\n| y | | how |\n") ==
        ".TP\nx\n\\fIb:\\fR why\n.TP\ny\n\\fIc:\\fR how\n");
}

TEST_CASE("A table whose heads come again is read downwards", "[manual][man]") {
  CHECK(roff_of("| a | b | | a | b |\n|---|---|---|---|---|\n| x | why | | z | who |\n| y | how | | | |\n") ==
        ".TP\nx\nwhy\n.TP\ny\nhow\n.TP\nz\nwho\n");
  CHECK(roff_of("| | |\n|---|---|\n| x | why |\n") == ".TP\nx\nwhy\n");  // no heads
}

TEST_CASE("As many columns are a row's term as tell it from others, and numbers stand in one line", "[manual][man]") {
  CHECK(roff_of("| a | b | c | d |\n|---:|---|---:|---:|\n| 1 | x | 2 | 3 |\n| 1 | y | 4 | 5 |\n") ==
        ".TP\n\\fIa:\\fR 1, \\fIb:\\fR x\n\\fIc:\\fR 2, \\fId:\\fR 3\n"
        ".TP\n\\fIa:\\fR 1, \\fIb:\\fR y\n\\fIc:\\fR 4, \\fId:\\fR 5\n");
}

TEST_CASE("Links say what the wishes say, and sections that are not wanted are left out", "[manual][man]") {
  MarkdownWishes wishes;
  wishes.says_of_link = [](const std::string& target) { return "see `" + target + "`"; };
  wishes.takes = [](const std::string& heading) { return heading == "This"; };
  CHECK(roff_of("Before.\n\n## That\n\nNot.\n\n## This\n\nA [link](a/b.md).\n", wishes) ==
        ".SS\nThis\n.PP\nA link (see \\fBa/b.md\\fR).\n");
  wishes.takes = [](const std::string&) { return true; };
  CHECK(roff_of("The [a/b.md](../a/b.md).\n", wishes) == ".PP\nThe a/b.md.\n");  // which says it already
}

TEST_CASE("What roff would obey is text", "[manual][man]") {
  CHECK(roff_of(".TH is no macro here: a\\b, ^ and ~\n") == ".PP\n\\&.TH is no macro here: a\\eb, \\(ha and \\(ti\n");
  CHECK(roff_of("'quoted' at the beginning\n") == ".PP\n\\(aqquoted\\(aq at the beginning\n");
  CHECK(roff_of("## .so \"x\"\n") == ".SS\n\\&.so \"x\"\n");
  CHECK(roff_of("| a |\n|---|\n| .so |\n\na  \n.so\n") == ".TP\n\\&.so\n\\&\n.PP\na\n.br\n\\&.so\n");
}

TEST_CASE("On a terminal paragraphs and items fill lines, and blocks stand as far from each other as in the page",
          "[manual][terminal]") {
  CHECK(shown("# T\n\nSome `code` and a [page](a/b.md)\nof *words*.\n## P\n- an item that is longer than thirty\n"
              "  1. **one**\n\n     more of it\n- two\n",
              30) ==
        "# T\n\nSome `code` and a page of\n*words*.\n## P\n- an item that is longer than\n  thirty\n"
        "  1. **one**\n\n     more of it\n- two\n");
  CHECK(shown("![a](b.svg) of [c](https://d.org)\n<!-- e -->\n", 80) == "!a of [c](https://d.org)\n<!-- e -->\n");
  CHECK(shown("a ± b\n", 80, true) == "a +/- b\n");
}

TEST_CASE("On a terminal examples are as they are written, and those between fences further in", "[manual][terminal]") {
  CHECK(shown("a:\n\n    b  c\n\n      d\n\n\n```yaml\ne:  {f: 1}\n\n```\n", 20) ==
        "a:\n\n    b  c\n\n      d\n\n\n    e:  {f: 1}\n\n");
  CHECK(shown("- a\n\n      b\n- c\n", 20) == "- a\n\n      b\n- c\n");
}

TEST_CASE("On a terminal a table has columns that fit it", "[manual][terminal]") {
  CHECK(shown("| a | b |\n|---|---|\n| `x\\|y` | why it is [so](z.md) |\n", 80) ==
        "  a      b\n  `x|y`  why it is so\n");
}

// The YAML reader: the tree it builds, the places it names, everything it refuses; a text changed entry by entry.
#include "experiments/driver/reading/yaml_tree.hpp"

#include <catch2/catch.hpp>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "experiments/driver/reading/settings.hpp"
#include "experiments/driver/reading/yaml_edit.hpp"
#include "tests/paths.hpp"
#include "tests/sim/scenario_fixture.hpp"
#include "tests/thrown.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

/// With keys set, as flags do; "" where that cannot be.
std::string text_with(const std::string& text, const std::vector<std::string>& overrides) {
  YamlNode wanted = parse_yaml(text, "x.yaml");
  for (const std::string& override : overrides) apply_override(wanted, parse_override(override));
  return rewritten_yaml(text, wanted, "x.yaml").value_or("");
}

std::string text_without(const std::string& text, const std::string& key) {
  YamlNode wanted = parse_yaml(text, "x.yaml");
  yaml_erase(wanted, key);
  return rewritten_yaml(text, wanted, "x.yaml").value_or("");
}

}  // namespace

using Kind = nowsim::YamlNode::Kind;

namespace {

YamlNode parse(const std::string& text) { return parse_yaml(text, "fig05.yaml"); }

/// The error's text, or "" where there is none.
std::string error_of(const std::string& text) { return sentence_of([&] { parse(text); }); }

struct Refusal {
  std::string text;
  int line;
  std::string words;  ///< part of the sentence
};

void check_refusals(const std::vector<Refusal>& refusals) {
  for (const auto& [text, line, words] : refusals) {
    INFO("text: " << text);
    const auto error = error_of(text);
    CHECK_THAT(error, Catch::StartsWith("fig05.yaml:" + std::to_string(line) + ": "));
    CHECK_THAT(error, Catch::Contains(words));
    CHECK(error.find('\n') == std::string::npos);
  }
}

std::string repeated(const std::string& part, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += part;
  return out;
}

}  // namespace

TEST_CASE("A YAML map keeps its order, its texts and its lines", "[reads][yaml]") {
  const auto root = parse("name: fig 5\n# a comment\nsweep:\n  TH: [0.1, 0.2]\nnote: 'as \"read\"'\n");
  REQUIRE(root.kind == Kind::map);
  CHECK(root.line == 1);
  REQUIRE(root.entries.size() == 3);
  CHECK(root.entries[0].first == "name");
  CHECK(root.entries[0].second.text == "fig 5");
  CHECK(root.entries[1].first == "sweep");
  CHECK(root.entries[2].first == "note");
  const auto* const th = root.find("sweep")->find("TH");
  REQUIRE(th != nullptr);
  REQUIRE(th->kind == Kind::sequence);
  CHECK(th->line == 4);
  REQUIRE(th->items.size() == 2);
  CHECK(th->items[1].text == "0.2");
  CHECK(th->items[1].line == 4);
  CHECK(root.find("note")->text == "as \"read\"");
  CHECK(root.find("note")->line == 5);
  CHECK(root.find("absent") == nullptr);
}

TEST_CASE("Entries can be changed through find", "[yaml]") {
  auto root = parse("a: 1\n");
  root.find("a")->text = "2";
  CHECK(root.find("a")->text == "2");
  CHECK(root.find("b") == nullptr);
}

TEST_CASE("Only plain scalars are not quoted", "[yaml]") {
  const auto root =
      parse("- plain\n- 'single'\n- \"double\"\n- |\n  block\n  text\n- >\n  folded\n  text\n- ! tagged\n");
  REQUIRE(root.items.size() == 6);
  CHECK_FALSE(root.items[0].quoted);
  for (std::size_t i = 1; i < root.items.size(); ++i) CHECK(root.items[i].quoted);
  CHECK(root.items[3].text == "block\ntext\n");
  CHECK(root.items[3].line == 4);
  CHECK(root.items[4].text == "folded text\n");
  CHECK(root.items[4].line == 7);
}

TEST_CASE("An empty document is a null in line 1", "[yaml]") {
  for (const std::string text : {"", "\n\n", "# only a comment", "---\n", "\xEF\xBB\xBF", "\t"}) {
    INFO("text: " << text);
    const auto root = parse(text);
    CHECK(root.kind == Kind::null);
    CHECK(root.line == 1);
  }
}

TEST_CASE("A missing value is a null in the line of its key or dash", "[yaml]") {
  const auto root = parse("a:\nb:  # nothing\n\n# more\nc:\n  -\n  - ~\n  -\nd: null\ne:\n  ~\nf: &x\ng: {h: , i}\nj:");
  for (const std::string key : {"a", "b", "d", "e", "f", "j"}) CHECK(root.find(key)->kind == Kind::null);
  CHECK(root.find("a")->line == 1);
  CHECK(root.find("b")->line == 2);
  const auto& items = root.find("c")->items;
  REQUIRE(items.size() == 3);
  CHECK(items[0].line == 6);
  CHECK(items[1].line == 7);
  CHECK(items[2].line == 8);
  CHECK(root.find("d")->line == 9);
  CHECK(root.find("e")->line == 11);
  CHECK(root.find("f")->line == 12);
  CHECK(root.find("g")->find("h")->kind == Kind::null);
  CHECK(root.find("g")->find("i")->line == 13);
  CHECK(root.find("j")->line == 14);
}

TEST_CASE("Byte order mark, CRLF, inner tabs, %YAML and a document mark are fine", "[yaml]") {
  const auto root = parse("\xEF\xBB\xBF%YAML 1.2\r\n---\r\na:\t1\r\nb: |\r\n  x\r\n  y\r\n...\r\n");
  CHECK(root.find("a")->text == "1");
  CHECK(root.find("a")->line == 3);
  CHECK(root.find("b")->text == "x\ny\n");
}

TEST_CASE("Text beyond ASCII is kept", "[yaml]") {
  CHECK(parse("- \xC3\xA9 \xE2\x82\xAC \xF0\x9D\x84\x9E").items[0].text == "\xC3\xA9 \xE2\x82\xAC \xF0\x9D\x84\x9E");
  CHECK(parse("- \"\\u20AC\"").items[0].text == "\xE2\x82\xAC");
}

TEST_CASE("The last line may lack its end, after whatever it holds", "[yaml]") {
  CHECK(parse("a: 1").find("a")->text == "1");
  CHECK(parse("a: 'x'").find("a")->text == "x");
  CHECK(parse("a: [1, 2]").find("a")->items.size() == 2);
  CHECK(parse("a: 1 # c").find("a")->text == "1");
  CHECK(parse("a: |+\n  x").find("a")->text == "x\n");
}

TEST_CASE("An alias copies its anchor, which may be given anew", "[yaml]") {
  const auto root = parse("a: &m {k: [1, 2]}\nb: *m\nc: &m 3\nd: *m\n&k key: *m\ne: {*k : 4}\n");
  const auto* const copy = root.find("b");
  REQUIRE(copy->find("k") != nullptr);
  CHECK(copy->find("k")->items[1].text == "2");
  CHECK(copy->line == 1);
  CHECK(root.find("d")->text == "3");
  CHECK(root.find("key")->text == "3");
  CHECK(root.find("e")->find("key")->text == "4");
}

TEST_CASE("A key given twice is refused with both lines", "[yaml]") {
  CHECK(error_of("name: a\nb: 1\nseed: 1\n\n\n\n\n\n\n\n\nseed: 2\n") ==
        "fig05.yaml:12: the key 'seed' is given twice (first in line 3)");
  check_refusals({{"a: {b: 1,\n    c: 2,\n    b: 3}", 3, "'b' is given twice (first in line 1)"},
                  {"- a: 1\n  a: 1\n", 2, "first in line 1"}});
  CHECK(error_of("- a: 1\n- a: 2\nb: 1").find("twice") == std::string::npos);
  CHECK(error_of("a: {k: 1}\nb: {k: 1}").empty());
}

TEST_CASE("A key is a plain scalar", "[yaml]") {
  check_refusals({{"a: 1\n? [x]\n: 2", 2, "a key is a list"},
                  {"a: 1\n{b: 1}: 2", 2, "a key is a map"},
                  {"a: 1\n~: 2", 2, "a key is empty or null"},
                  {"a: 1\n: 2", 2, "a key is empty or null"},
                  {"{a: 1,, b: 2}", 1, "a key is empty or null"},
                  {"a: &x {b: 1}\n*x : 2", 1, "a key is a map"},
                  {"a: &x {b: 1}\nc:\n  d: 1\n  <<: *x", 4, "'<<' is not supported"}});
}

TEST_CASE("A key without a colon is refused wherever it stands", "[yaml]") {
  check_refusals({{"a: 1\nfoo", 2, "':'"},
                  {"a: 1\nfoo\n", 2, "':'"},
                  {"a: 1\nfoo\n...\n", 2, "there is no ':' after 'foo'"},
                  {"foo\na: 1\n", 2, "':'"},
                  {"a: 1\nfoo\nb: 2\n", 3, "':'"}});
}

TEST_CASE("Numbers with leading zeros are refused with what they could mean", "[yaml]") {
  CHECK(error_of("a: 1\n\n\n\n\n\nb: 010") ==
        "fig05.yaml:7: 010 could mean 8 or 10; write 10, or quote it if it is text");
  check_refusals({{"- -010", 1, "-010 could mean -8 or -10; write -10,"},
                  {"- -007", 1, "-007 has a leading zero; write -7,"},
                  {"- 089", 1, "089 has a leading zero; write 89,"},
                  {"- 00", 1, "write 0,"},
                  {"- 007.50", 1, "write 7.50,"},
                  {"- 00.5", 1, "write 0.5,"},
                  {"- 01e3", 1, "write 1e3,"},
                  {"a: [1,\n +01]", 2, "write +1,"}});
}

TEST_CASE("Numbers and dates that only YAML 1.1 knows are refused", "[yaml]") {
  for (const std::string text : {"0x1F", "-0xff", "0o17", "0b101", "12:30", "07:30", "1:30:00", "-1:30", "1:30.5",
                                 "2007-06-01", "2007-6-1", "2007-06-01T12:00:00Z", "2007-06-01 12:00:00"}) {
    check_refusals(
        {{"a: 1\nb: " + text, 2, text + " could mean"}, {"a: 1\nb: " + text, 2, "write it in quotes or in decimal"}});
    CHECK(error_of("a: '" + text + "'").empty());
    CHECK(error_of("a: \"" + text + "\"").empty());
  }
}

TEST_CASE("What only resembles such a number is let through", "[yaml]") {
  for (const std::string text :
       {"0",    "-0",   "0.5",  "-0.5",  "0e3",     "10",    "100",     "0.010",  "010Mf", "0x",  "0xyz",
        "v010", "1:75", "a:30", "10-20", "2007-06", "1e-05", "010 020", "12:30h", "0s",    "08-x"}) {
    INFO("text: " << text);
    CHECK(parse("a: " + text).find("a")->text == text);
  }
  CHECK(parse("010: x").entries[0].first == "010");
  CHECK(parse("a: " + repeated("0", 100'000)).find("a")->text.size() == 100'000);
}

TEST_CASE("One document is read, with nothing after it", "[yaml]") {
  check_refusals({{"a: 1\n---\nb: 2", 2, "a second document"},
                  {"---\na: 1\n---\n", 3, "a second document"},
                  {"a: 1\n...\nb: 2", 3, "after the end of the document"},
                  {"[1]\n2", 2, "after the end of the document"},
                  {"- a\nb: 1", 2, "after the end of the document"}});
}

TEST_CASE("Tags and directives are refused", "[yaml]") {
  check_refusals({{"a: 1\nb: !!str 5", 2, "the tag '!!str'"},
                  {"a: !mine {b: 1}", 1, "the tag '!mine'"},
                  {"a: !!seq [1]", 1, "the tag '!!seq'"},
                  {"a: !!null", 1, "the tag '!!null'"},
                  {"a: !<tag:x.org,2000:y> 5", 1, "the tag 'tag:x.org,2000:y'"},
                  {"%TAG ! tag:x.org,2000:\n---\na: 1", 1, "directive"},
                  {"a: 1\n%b: 2", 2, "directive"},
                  {"%YAML 3.0\n---\na: 1", 1, "not YAML"}});
}

TEST_CASE("Aliases without an anchor, or within their own, are refused", "[yaml]") {
  check_refusals({{"a: 1\nb: *x", 2, "'*x' has no anchor"},
                  {"b: [*x, 1]\na: &x 1", 1, "'*x' has no anchor"},
                  {"a: &x\n  b: 1\n  c: [*x]", 3, "'*x' stands inside its own anchor"},
                  {"a: &x 1\nb: &x [*x]", 2, "'*x' stands inside its own anchor"},
                  {"a: *", 1, "not followed by a name"},
                  {"a: & b", 1, "not followed by a name"},
                  {"a: &x 1\nb: &y *x", 2, ""}});
}

TEST_CASE("Aliases may unfold to 100,000 nodes and no more", "[yaml]") {
  // Each of the lists has 1 + 999 nodes: a hundred copies are just allowed.
  const auto list = "a: &x [" + repeated("1,", 999) + "]\nb: [" + repeated("*x,", 99);
  CHECK(parse(list + "*x]").find("b")->items.size() == 100);
  check_refusals({{list + "*x,\n*x]", 3, "more than 100000 nodes"}});
  std::string laughs = "a0: &a0 [x, x]\n";  // doubles in each line: line i + 1 copies 2^(i+1) + 2 (2^i - 1) nodes
  for (int i = 1; i < 60; ++i) {
    const auto last = std::to_string(i - 1), name = "a" + std::to_string(i);
    laughs += name + ": &" + name + " [*a" + last + ", *a" + last + "]\n";
  }
  check_refusals({{laughs, 15, "more than 100000 nodes"}});
}

TEST_CASE("Nesting is limited to 100 lists and maps", "[yaml]") {
  const auto words = std::string("nested more than 100 deep");
  CHECK(error_of(repeated("[", 100) + repeated("]", 100)).empty());
  check_refusals({{"# c\n" + repeated("[", 101) + repeated("]", 101), 2, words},
                  {repeated("[", 10'000), 1, words},
                  {repeated("[", 10'000) + repeated("]", 10'000), 1, words},
                  {repeated("{a: ", 10'000), 1, words},
                  {repeated("- ", 10'000), 1, words},
                  {repeated("? ", 10'000), 1, words},
                  {repeated("[{", 100'000), 1, words}});
  std::string chain = "a0: &a0 [x]\n";  // list i holds i + 1 lists, within the map of the document
  for (int i = 1; i < 100; ++i)
    chain += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [*a" + std::to_string(i - 1) + "]\n";
  check_refusals({{chain, 100, words}});
}

TEST_CASE("Bytes that are no text are refused", "[yaml]") {
  using namespace std::string_literals;
  check_refusals({{"a: 1\nb: \0"s, 2, "a NUL byte"},
                  {"a: 1\nb: \xff", 2, "the byte 0xff, which is not UTF-8"},
                  {"a: \xC3", 1, "not UTF-8"},
                  {"a: \xC0\x80", 1, "not UTF-8"},
                  {"a: \xED\xA0\x80", 1, "not UTF-8"},
                  {"a: \xF4\x90\x80\x80", 1, "not UTF-8"},
                  {"a: 1\n\x04"
                   "b: 2",
                   2, "the byte 0x04, a control character"},
                  {"a: 1\rb: 2", 1, "a carriage return inside a line"},
                  {"\xFE\xFF\0a"s, 1, "not UTF-8"},
                  {"a: 1\nb: \"\\0\"", 2, "a NUL byte"},
                  {"a: \"\\N\"", 1, "not UTF-8"}});
}

TEST_CASE("Malformed YAML is refused in the line of the trouble", "[yaml]") {
  check_refusals({{"a: [1, 2\nb: 3\n", 2, "the '[' of line 1 is not closed"},
                  {"a: [1, 2\n\n\n", 1, "the '[' of line 1 is not closed"},
                  {"a:\n  {b: 1\n", 2, "the '{' of line 2 is not closed"},
                  {"a: 1\nb: [1}", 2, "closes nothing"},
                  {"a: 1\n]", 2, "closes nothing"},
                  {"a: [1,\n, 2]", 2, "an entry is missing before this ','"},
                  {"a: b: c", 1, "a ':' is not expected here"},
                  {"a: 1\n  b: 2", 2, "a ':' is not expected here"},
                  {"a:\n\tb: 1", 2, "no tabs"},
                  {"a:\n\t- 1", 2, "no tabs"},
                  {"a: - 1", 1, "a '-' is not expected here"},
                  {"a:\n  - 1\n  b: 2", 3, "does not continue the map"},
                  {"- [1]\n 2", 2, "does not continue the list"},
                  {"a:\n  b: 1\n  - 2", 3, "does not continue the map"},
                  {"a: 1\nb: @x", 2, "quote it"},
                  {"a: | x\n", 1, "begins in the next line"},
                  {"a: 1\nb: \"\\q\"", 2, "escape"},
                  {"a: 1\nb: &x &y 1", 2, "anchors"}});
}

TEST_CASE("A quote that is never closed is refused at the end, naming where to look", "[yaml]") {
  const std::string words = "in or after line 2 has no closing quote";
  check_refusals({{"a: 1\nb: \"x\n\nc: 1\n", 4, words},
                  {"a: 1\nb: 'x", 2, words},
                  {"a: 1\nb: 'x\n", 2, words},
                  {"a: 1\nb: '", 2, words}});
}

TEST_CASE("A file is read, and named where it is wrong", "[yaml]") {
  const auto name = "nowsim_yaml_tree_test_" + std::to_string(std::random_device{}()) + ".yaml";
  const auto path = std::filesystem::temp_directory_path() / name;
  std::ofstream(path) << "a: 1\na: 2\n";
  CHECK_THROWS_WITH(nowsim::read_yaml(path.string()),
                    path.string() + ":2: the key 'a' is given twice (first in line 1)");
  std::ofstream(path) << "a: 1\n";
  CHECK(nowsim::read_yaml(path.string()).find("a")->text == "1");
  std::filesystem::remove(path);
}

TEST_CASE("Whatever the bytes, parsing ends in a tree or in an InputError", "[yaml]") {
  const std::vector<std::string> parts{
      "a", "b: ", "- ", "\n", "\n  ",   "[", "]",  "{",   "}",   ", ",   ": ",  "? ", "&x ", "*x",   "\"",       "'",
      "|", ">",   "#",  "!",  "!!str ", "%", "\t", "---", "...", "null", "010", "<<", "\\x", "\r\n", "\xC3\xA9", "`"};
  std::mt19937 random(20070601);
  std::uniform_int_distribution<std::size_t> any_part(0, parts.size()), any_length(1, 24);
  std::uniform_int_distribution<int> any_byte(0, 255);
  int trees = 0;
  for (int i = 0; i < 10'000; ++i) {
    std::string text;
    for (auto n = any_length(random); n > 0; --n) {
      const auto part = any_part(random);
      text += i % 4 == 0 || part == parts.size() ? std::string(1, static_cast<char>(any_byte(random))) : parts[part];
    }
    try {
      parse(text);
      ++trees;
    } catch (const InputError& error) {
      if (error.place().line < 1) FAIL("no line: " << error.what());
    }
  }
  CHECK(trees > 100);  // else the loop would only test refusals
}

TEST_CASE("A value is changed in its line, and comments stay", "[yaml]") {
  CHECK(text_with("a: 1  # one\nb: 2\n", {"a=3"}) == "a: 3  # one\nb: 2\n");
  CHECK(text_with("# head\na: {x: 1, y: [1, 2]}  # maps\n\nb: 2\n# end\n", {"a.x=5"}) ==
        "# head\na: {x: 5, y: [1, 2]}  # maps\n\nb: 2\n# end\n");
  CHECK(text_with("a: \"q # no\" # c\n", {"a=1"}) == "a: 1 # c\n");
  CHECK(text_with("a: it's  # c\nb: 1\n", {"a=x"}) == "a: x  # c\nb: 1\n");
  CHECK(text_with("a: ['x # y', \"z # w\"]  # c\n", {"a=[1]"}) == "a: [1]  # c\n");
  CHECK(text_with("a:\n  # of b\n  b: 1\n  # of c\n  c: 2  # two\nd: 4\n", {"a.c=3", "d=5"}) ==
        "a:\n  # of b\n  b: 1\n  # of c\n  c: 3  # two\nd: 5\n");
  CHECK(text_with("a: 1\r\nb: 2\r\n", {"b=3"}) == "a: 1\r\nb: 3\r\n");
  CHECK(text_with("\xEF\xBB\xBF"
                  "a: 1\n",
                  {"a=2"}) ==
        "\xEF\xBB\xBF"
        "a: 2\n");
  CHECK(text_with("a: 1", {"a=2"}) == "a: 2");
}

TEST_CASE("Values of several lines go as a whole, and new entries stand behind the others", "[yaml]") {
  CHECK(text_with("a: |\n  one\n  two\n\n# of b\nb: 1\n", {"a=3"}) == "a: 3\n\n# of b\nb: 1\n");
  CHECK(text_with("a:\n  - 1\n  - 2\nb: 1\n", {"a=[3]"}) == "a: [3]\nb: 1\n");
  CHECK(text_with("a: 1\n# end\n", {"b=2"}) == "a: 1\nb: 2\n# end\n");
  CHECK(text_with("a: 1", {"b.c=2"}) == "a: 1\nb: {c: 2}\n");
  CHECK(text_with("a:\n  b: 1\n\nc: 2\n", {"a.d=3"}) == "a:\n  b: 1\n  d: 3\n\nc: 2\n");
  CHECK(text_without("a: 1\nb:\n  c: 2\n  d: 3\n\ne: 4\n", "b") == "a: 1\n\ne: 4\n");
}

TEST_CASE("Texts of documents that lines do not explain are left alone", "[yaml]") {
  CHECK(text_with("a: &x {b: 1}\nc: *x\n", {"a.b=2"}).empty());
  CHECK(text_with("{a: 1}\n", {"a=2"}).empty());
  CHECK(text_with("? a\n: 1\n", {"a=2"}).empty());
}

TEST_CASE("Every shipped experiment is written as YAML and read as the same", "[yaml]") {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(source_folder() + "/experiments")) {
    if (entry.path().extension() != ".yaml") continue;
    INFO(entry.path());
    const YamlNode root = read_yaml(entry.path().string());
    CHECK(says_the_same(parse_yaml(yaml_text(root), "x.yaml"), root));
    YamlNode other = root;
    apply_override(other, parse_override("title='another: one'"));
    const auto text = rewritten_yaml(content_of(entry.path().string()), other, "x.yaml");
    REQUIRE(text);
    CHECK(says_the_same(parse_yaml(*text, "x.yaml"), other));
    ++files;
  }
  CHECK(files > 60);
}

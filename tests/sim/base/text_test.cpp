// Texts: places and sentences of errors, which name is meant by one that is not there, characters as terminals may have
// them, names that look alike, patterns of host names.
#include "sim/base/text.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "sim/base/error.hpp"
#include "sim/base/host_patterns.hpp"
#include "sim/base/utf8.hpp"

using namespace nowsim;

namespace {

std::string shown(const std::string& name, std::vector<std::string> beside = {}) {
  beside.push_back(name);
  return names_told_apart(beside).at(name);
}

}  // namespace

TEST_CASE("A place says what is known of it", "[reads][error]") {
  CHECK(Place{}.text().empty());
  CHECK(Place{"e.yaml", 3, "owner.TH"}.text() == "e.yaml:3: owner.TH");
  CHECK(Place{"e.yaml", 0, ""}.text() == "e.yaml");
  CHECK(Place{"", 3, ""}.text() == "line 3");
  CHECK(Place{"", 0, "do"}.text() == "do");
}

TEST_CASE("An error has its problem as data and as text", "[error]") {
  const InputError one({"e.yaml", 3, "owner.TH"}, "it is wrong");
  CHECK(std::string(one.what()) == "e.yaml:3: owner.TH: it is wrong");
  REQUIRE(one.problems().size() == 1);
  CHECK(one.place() == Place{"e.yaml", 3, "owner.TH"});
  CHECK(one.sentence() == "it is wrong");
  const InputError nowhere("it is wrong");
  CHECK(std::string(nowhere.what()) == "it is wrong");
  CHECK(nowhere.place() == Place{});
}

TEST_CASE("Several problems are a line each, and keep their places", "[error]") {
  const InputError all({{{"e.yaml", 3, "owner.TH"}, "it is: wrong"}, {{}, "and 2 more"}});
  CHECK(std::string(all.what()) == "e.yaml:3: owner.TH: it is: wrong\nand 2 more");
  REQUIRE(all.problems().size() == 2);
  CHECK(all.problems()[0].place.line == 3);
  CHECK(all.problems()[0].sentence == "it is: wrong");
  CHECK(all.problems()[1].text() == "and 2 more");
}

TEST_CASE("The nearest name is a third of the letters away at most, and three at most", "[nearest_name]") {
  CHECK(nearest_name("seed", {"speed", "seeds", "steps"}) == "speed");  // one insertion; the first of equals
  CHECK(nearest_name("sede", {"seed"}) == "seed");                      // neighbours swapped
  CHECK(nearest_name("seed", {"seed", "sped"}) == "seed");              // itself
  CHECK(nearest_name("seed", {"sxxd"}).empty());                        // two edits of four letters
  CHECK(nearest_name("abcdef", {"abcdxx"}) == "abcdxx");                // two of six
  CHECK(nearest_name("abcdef", {"abcxxx"}).empty());                    // three of six
  CHECK(nearest_name("abcdefghi", {"abcdefxxx"}) == "abcdefxxx");       // three of nine
  CHECK(nearest_name("abcdefghijkl", {"abcdefghxxxx"}).empty());        // four of twelve
  CHECK(nearest_name("x", {"y"}) == "y");                               // one edit is always allowed
  CHECK(nearest_name("xy", {"yx"}) == "yx");
  CHECK(nearest_name("seed", {}).empty());
  CHECK(nearest_name("", {"a"}) == "a");
  CHECK(nearest_name("", {"ab"}).empty());
}

TEST_CASE("A name that differs in case alone is nearest", "[nearest_name]") {
  CHECK(nearest_name("gss", {"SS", "CSS", "GSS"}) == "GSS");
  CHECK(nearest_name("awf-b", {"WF", "AWF-B"}) == "AWF-B");
  CHECK(nearest_name("seed", {"SEED", "seed"}) == "seed");
  CHECK(nearest_name("gs", {"GSSX"}).empty());
}

TEST_CASE("A text has one FNV-1a, at once or in pieces", "[text]") {  // the values are those of its authors
  CHECK(fnv1a("") == 0xcbf29ce484222325);
  CHECK(fnv1a("a") == 0xaf63dc4c8601ec8c);
  CHECK(fnv1a("bar", fnv1a("foo")) == 0x85944171f73967e8);
}

TEST_CASE("Characters are whole where RFC 3629 says so", "[text]") {
  for (const char* whole : {"a", "é", "漢", "😀", "\x7f", "\xed\x9f\xbf", "\xf4\x8f\xbf\xbf"}) {
    INFO(shown_text(whole));
    CHECK(first_character(whole).is_whole);
    CHECK(first_character(whole).bytes == std::string(whole).size());
  }
  // A byte alone, one too many, cut, overlong, a surrogate, beyond the last.
  for (const char* none :
       {"\x80", "\xff", "\xe6\xbc", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80"}) {
    INFO(shown_text(none));
    CHECK_FALSE(first_character(none).is_whole);
    CHECK(first_character(none).bytes == 1);
  }
  CHECK(first_character("漢").code == 0x6F22);
}

TEST_CASE("What a terminal would obey is shown, and what is to be read stays", "[text]") {
  CHECK(shown_text("τ = 1 ± 2\t漢\n") == "τ = 1 ± 2\t漢\n");
  CHECK(shown_text("\x1b[31m\r\x7f\xC2\x9B\u202E\xff") == "\\x1b[31m\\x0d\\x7f\\u009b\\u202e\\xff");
  CHECK(shown_line("a\n\tb\x01") == "a\\n\\tb\\x01");
}

TEST_CASE("A text that ends within a character has begun it", "[text]") {
  CHECK(begun_character("a\xe6\xbc") == 2);
  CHECK(begun_character("a\xf0\x9f\x98") == 3);
  CHECK(begun_character("漢") == 0);
  CHECK(begun_character("\x80\x80\x80\x80") == 0);
  CHECK(begun_character("") == 0);
}

TEST_CASE("Names of whatever script are shown as they are", "[reads][text]") {
  for (const char* name : {"José", "李小龍", "Łukasz Żółć", "Мария Иванова", "Ελένη", "آرش", "आस्था", "ひろし ヴィ",
                           "한지민", "Nguyễn Văn A", "Smith (Москва)", "b-17", "DOM\\user"})
    CHECK(shown(name) == name);
}

TEST_CASE("What nobody sees in a name is shown, and letters among those of another script", "[text]") {
  CHECK(shown("an\u200Bna") == "an\\u200bna");
  CHECK(shown("an\u00A0na\u00AD") == "an\\u00a0na\\u00ad");
  CHECK(shown("an\u202Ena\n") == "an\\u202ena\\x0a");
  CHECK(shown("\xffna") == "\\xffna");
  CHECK(shown("\u0430nn\u0430 Мария") == "\\u0430nn\\u0430 Мария");
  CHECK(shown("j\u03BFe") == "j\\u03bfe");
  CHECK(shown("Jose\u0301") == "Jose\\u0301");  // in NFD: another name than José
  CHECK(shown("\u1112\u1161\u11AB") == "\\u1112\\u1161\\u11ab");
}

TEST_CASE("Different names that look alike are shown by their characters, others beside them as they are", "[text]") {
  const std::string cyrillic = "\u0441\u043E\u0440\u0430";
  CHECK(shown(cyrillic) == cyrillic);
  CHECK(shown(cyrillic, {"copa", "José"}) == "\\u0441\\u043e\\u0440\\u0430");
  CHECK(shown("José", {cyrillic, "copa"}) == "José");
  CHECK(shown("José", {"Jose\u0301", "Jose"}) == "José");
  CHECK(shown("\u0391NNA", {"ANNA"}) == "\\u0391NNA");
  // Whoever writes what others are shown as is no other.
  const auto both = names_told_apart({"\\u0430nna", "\u0430nna"});
  CHECK(both.at("\\u0430nna") == "\\x5cu0430nna");
  CHECK(both.at("\u0430nna") == "\\u0430nna");
  CHECK(names_told_apart({"a", "a"}).at("a") == "a");  // one name
}

using Names = std::vector<std::string>;

TEST_CASE("A pattern stands for names in its order, with leading zeros, the last brackets fastest", "[hosts]") {
  const std::vector<std::pair<std::string, Names>> table{
      {"desk1", {"desk1"}}, {"a-b.example.org", {"a-b.example.org"}}, {"n[7]", {"n7"}}, {"n[007]", {"n007"}},
      {"fast-[0-3]", {"fast-0", "fast-1", "fast-2", "fast-3"}}, {"n[0-2,8]x", {"n0x", "n1x", "n2x", "n8x"}},
      {"n[8,0-1]", {"n8", "n0", "n1"}}, {"n[9-11]", {"n9", "n10", "n11"}}, {"[1-2]", {"1", "2"}},
      {"node[08-11]", {"node08", "node09", "node10", "node11"}}, {"n[00-02]", {"n00", "n01", "n02"}},
      {"n[099-101]", {"n099", "n100", "n101"}}, {"r[1-2]n[01-02]", {"r1n01", "r1n02", "r2n01", "r2n02"}},
      {"[1,2][3,4]", {"13", "14", "23", "24"}}};
  for (const auto& [word, names] : table) CHECK(expand_host_pattern(word) == names);
  CHECK(expand_host_pattern("n[09-100]").back() == "n100");
}

TEST_CASE("As many names as there may be, and no more", "[hosts]") {
  CHECK(expand_host_pattern("n[1-100000]").size() == kMostPatternNames);
  CHECK(expand_host_pattern("n[1-100,200-299][1-500]").size() == kMostPatternNames);
  for (const char* word : {"n[0-100000]", "n[0-1,5-100003]", "n[1-1000][1-101]", "n[0-999999999999999999]"})
    CHECK_THROWS_WITH(expand_host_pattern(word),
                      "'" + std::string(word) + "' stands for more than 100000 workstations");
}

TEST_CASE("Every wrong pattern is one sentence", "[hosts][error]") {
  const std::vector<std::pair<std::string, std::string>> table{
      {"n[]", "'n[]' has brackets with '' where a whole number belongs, as in [0-15] or [0-3,8]"},
      {"n[1-]", "has brackets with '' where a whole number belongs"},
      {"n[-1]", "has brackets with '' where a whole number belongs"},
      {"n[1,]", "has brackets with '' where a whole number belongs"},
      {"n[1-2-3]", "has brackets with '2-3' where a whole number belongs"},
      {"n[a-c]", "has brackets with 'a' where a whole number belongs"},
      {"n[ 1]", "has brackets with ' 1' where a whole number belongs"},
      {"n[5-3]", "'n[5-3]' has a range that runs backwards: 5-3"},
      {"n[1-016]", "has a range whose ends differ in their leading zeros: 1-016"},
      {"n[01-016]", "has a range whose ends differ in their leading zeros: 01-016"},
      {"n[0-3", "'n[0-3' has a [ without its ]"},
      {"n[0-[3]]", "has a [ without its ]"},
      {"n0-3]", "'n0-3]' has a ] without its ["},
      {"n[1]2]", "has a ] without its ["},
      {"n[1234567890123456789]", "has a number of more than 18 digits"},
  };
  for (const auto& [word, sentence] : table) CHECK_THROWS_WITH(expand_host_pattern(word), Catch::Contains(sentence));
}

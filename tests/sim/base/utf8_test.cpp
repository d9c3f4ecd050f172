// Characters of UTF-8, texts as terminals may have them, and names that are to be told apart: what is not seen in them,
// and what looks like something else.
#include "sim/base/utf8.hpp"

#include <catch2/catch.hpp>

using namespace nowsim;

namespace {

std::string shown(const std::string& name, std::vector<std::string> beside = {}) {
  beside.push_back(name);
  return names_told_apart(beside).at(name);
}

}  // namespace

TEST_CASE("Characters are whole where RFC 3629 says so", "[reads][text]") {
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

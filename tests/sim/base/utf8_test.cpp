// Characters of UTF-8, and texts as terminals may have them.
#include "sim/base/utf8.hpp"

#include <catch2/catch.hpp>

using namespace nowsim;

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

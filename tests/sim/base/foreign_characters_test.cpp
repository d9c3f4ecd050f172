// Names that are to be told apart: what is not seen in them, and what looks like something else.
#include "sim/base/utf8.hpp"

#include <catch2/catch.hpp>

using namespace nowsim;

namespace {

std::string shown(const std::string& name, std::vector<std::string> beside = {}) {
  beside.push_back(name);
  return names_told_apart(beside).at(name);
}

}  // namespace

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

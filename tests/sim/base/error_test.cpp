// Errors keep the places of what is wrong, and say them in front of their sentences.
#include "sim/base/error.hpp"

#include <catch2/catch.hpp>
#include <string>

using namespace nowsim;

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

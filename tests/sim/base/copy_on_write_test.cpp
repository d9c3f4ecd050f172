// A rare part: one value of none, and copies that do not see each other's changes.
#include "sim/base/copy_on_write.hpp"

#include <catch2/catch.hpp>
#include <string>

using namespace nowsim;

TEST_CASE("A rare part reads as a new one until it is edited, and copies go their own ways then", "[reads][rare]") {
  CopyOnWrite<std::string> one;
  CHECK(one->empty());
  one.edit() = "a";
  CopyOnWrite<std::string> other = one;
  other.edit() += "b";
  CHECK(*one.operator->() == "a");
  CHECK(*other.operator->() == "ab");
  const std::string* before = other.operator->();
  other.edit() += "c";  // its own already
  CHECK(other.operator->() == before);
  CHECK(sizeof(CopyOnWrite<std::string>) <= 2 * sizeof(void*));
}

// Words: which name is meant by one that is not there, and what names a text.
#include "sim/base/text.hpp"

#include <catch2/catch.hpp>

using nowsim::fnv1a;
using nowsim::nearest_name;

TEST_CASE("The nearest name is a third of the letters away at most, and three at most", "[reads][nearest_name]") {
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

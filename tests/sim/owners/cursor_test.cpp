// Walking along a path: dates, work, and what never comes.
#include "sim/owners/cursor.hpp"

#include <catch2/catch.hpp>

using namespace nowsim;

namespace {

/// 1 for 2 s, 0.5 for 4 s, and so on.
PathCursor alternating() {
  return PathCursor(drawn_path([first = false]() mutable { return (first = !first) ? Step{2, 1} : Step{4, 0.5}; }));
}

}  // namespace

TEST_CASE("A cursor stands in the step that begins at its date", "[computes][cursor]") {
  PathCursor at = alternating();
  CHECK(at.end_s() == 0);
  at.go_to(1);
  CHECK(at.value() == 1);
  CHECK(at.end_s() == 2);
  at.go_to(2);
  CHECK(at.value() == 0.5);
  CHECK(at.position_s() == 2);
  at.go_to(7);
  CHECK(at.value() == 1);
  CHECK(at.end_s() == 8);
}

TEST_CASE("Work ends where the availability has added up to it, if that is in time", "[cursor]") {
  PathCursor at = alternating();
  at.go_to(1);
  CHECK(at.finish(2, kInfinity) == 4);
  at = alternating();
  at.go_to(0);
  CHECK(at.finish(5, 7.5) == 7);
  at = alternating();
  at.go_to(0);
  CHECK(at.finish(5, 7) == kInfinity);
  PathCursor nothing(constant_path(0));
  nothing.go_to(0);
  CHECK(nothing.finish(1, kInfinity) == kInfinity);
}

TEST_CASE("A value is found where it begins, and given up where it never comes", "[cursor]") {
  const auto is_half = [](double value) { return value == 0.5; };
  PathCursor at = alternating();
  at.go_to(1);
  CHECK(at.next_where(is_half) == 2);
  CHECK(at.next_where(is_half) == 2);
  CHECK(at.next_where([](double value) { return value == 1; }) == 6);
  CHECK(PathCursor(constant_path(1)).next_where(is_half) == kInfinity);
  CHECK(PathCursor(drawn_path([] { return Step{1, 1}; })).next_where(is_half) == kInfinity);
}

TEST_CASE("A path adds up from its beginning", "[cursor]") {
  const auto path = drawn_path([first = false]() mutable { return (first = !first) ? Step{2, 1} : Step{4, 0.5}; });
  const PathIntegral all = integral_of(*path, 7);
  CHECK(all.sum_s == 5);
  CHECK(all.steps == 3);
}

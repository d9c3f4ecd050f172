// Collectives: what every rank gets, and how long it takes on a switch of 1 ms and 1000 B/s.
#include <catch2/catch.hpp>
#include <cmath>

#include "sim/program/collectives.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

constexpr double kBytes = 1000;
constexpr double kMessage = 1.001;  // lambda + m/beta

void require(bool condition, const char* what) {
  if (!condition) throw std::runtime_error(what);
}

double time_of(std::size_t ranks, Program program) {
  return run(scenario(machines(ranks), std::move(program)), 2)[1].makespan_s;
}

std::vector<std::any> numbers(int count) {
  std::vector<std::any> out;
  for (int i = 0; i < count; ++i) out.emplace_back(10 * i);
  return out;
}

}  // namespace

TEST_CASE("A broadcast reaches all ranks from any root", "[reads][collectives]") {
  for (const Tree tree : {Tree::linear, Tree::binomial})
    for (const int count : {1, 2, 3, 5, 8})
      for (const int root : {0, count - 1, count / 2}) {
        const auto program = [=](Rank& self) -> Process {
          std::any mine;
          if (self.index() == root) mine = 42;
          std::any got = co_await broadcast(self, root, kBytes, mine, tree);
          require(std::any_cast<int>(got) == 42, "the root's content");
        };
        const double rounds = tree == Tree::linear ? count - 1 : std::ceil(std::log2(count));
        CHECK(time_of(static_cast<std::size_t>(count), program) == Approx(rounds * kMessage).epsilon(1e-9).margin(1e-12));
      }
}

TEST_CASE("A scatter gives each rank its part", "[collectives]") {
  for (const Tree tree : {Tree::linear, Tree::binomial})
    for (const int count : {1, 2, 3, 5, 8}) {
      const int root = count / 2;
      const auto program = [=](Rank& self) -> Process {
        std::vector<std::any> all;
        if (self.index() == root) all = numbers(self.count());
        std::any got = co_await scatter(self, root, kBytes, all, tree);
        require(std::any_cast<int>(got) == 10 * self.index(), "its part");
      };
      CHECK_NOTHROW(time_of(static_cast<std::size_t>(count), program));
    }
  // A binomial one over 4 ranks sends half, then quarters.
  const auto of_four = [](Rank& self) -> Process { co_await scatter(self, 0, kBytes, numbers(4)); };
  CHECK(time_of(4, of_four) == Approx((0.001 + 2) + (0.001 + 1)));
}

TEST_CASE("A gather brings all contents to the root in the order of ranks", "[collectives]") {
  for (const Tree tree : {Tree::linear, Tree::binomial})
    for (const int count : {1, 2, 3, 5, 8})
      for (const int root : {0, count - 1}) {
        const auto program = [=](Rank& self) -> Process {
          std::vector<std::any> got = co_await gather(self, root, kBytes, std::any(7 * self.index()), tree);
          require(got.size() == (self.index() == root ? static_cast<std::size_t>(count) : 0), "only the root");
          for (std::size_t i = 0; i < got.size(); ++i)
            require(std::any_cast<int>(got[i]) == 7 * static_cast<int>(i), "in order");
        };
        CHECK_NOTHROW(time_of(static_cast<std::size_t>(count), program));
      }
}

TEST_CASE("A reduction combines all contents at the root, at its cost", "[collectives]") {
  for (const Tree tree : {Tree::linear, Tree::binomial})
    for (const int count : {1, 2, 3, 5, 8}) {
      const auto program = [=](Rank& self) -> Process {
        std::any sum = co_await reduce(
            self, 0, kBytes, std::any(1 << self.index()),
            [](std::any a, std::any b) { return std::any(std::any_cast<int>(a) + std::any_cast<int>(b)); }, 2, tree);
        if (self.index() == 0) require(std::any_cast<int>(sum) == (1 << self.count()) - 1, "everyone once");
      };
      const double time = time_of(static_cast<std::size_t>(count), program);
      if (tree == Tree::binomial)
        CHECK(time == Approx(std::ceil(std::log2(count)) * (kMessage + 2)).epsilon(1e-9).margin(1e-12));
    }
}

TEST_CASE("Trees are known by name", "[collectives]") {
  CHECK(tree_named("linear") == Tree::linear);
  CHECK(tree_named("binomial") == Tree::binomial);
  CHECK_FALSE(tree_named("chain"));
}

TEST_CASE("A linear gather takes the ranks in turn, from the lowest", "[collectives]") {
  // Rank 3 is late: by then the others' two messages are in.
  const auto program = [](Rank& self) -> Process {
    if (self.index() == 3) co_await self.sleep_until(10);
    co_await gather(self, 0, kBytes, std::any(), Tree::linear);
  };
  CHECK(time_of(4, program) == Approx(10 + kMessage).epsilon(1e-9));
}

TEST_CASE("A root that does not exist is refused by every collective", "[collectives][error]") {
  const auto fails = [](Program program) {
    CHECK_THROWS_WITH(time_of(3, std::move(program)), Catch::Contains("as a root: there are ranks 0 to 2"));
  };
  fails([](Rank& self) -> Process { co_await broadcast(self, 3, 1, {}); });
  fails([](Rank& self) -> Process { co_await scatter(self, -1, 1, {}); });
  fails([](Rank& self) -> Process { co_await gather(self, 7, 1, {}); });
  fails([](Rank& self) -> Process { co_await reduce(self, 3, 1, {}, [](std::any a, std::any) { return a; }); });
}

// Whole parts of a total: quotas, remainders, and totals that doubles do not hold.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "workloads/parts/whole_parts.hpp"

using namespace nowsim;

namespace {

using Parts = std::vector<std::int64_t>;
constexpr std::int64_t kLarge = std::int64_t{1} << 60;  // doubles around it are multiples of 256 above, 128 below

}  // namespace

TEST_CASE("What quotas leave goes to the largest remainders, of equal ones to the first",
          "[reads][workloads][whole_parts]") {
  CHECK(whole_parts(10, std::vector<double>{1, 1, 1}) == Parts{4, 3, 3});
  CHECK(whole_parts(10, std::vector<double>{1, 2, 3}) == Parts{2, 3, 5});
  CHECK(whole_parts(2, std::vector<double>{1, 0, 1, 1}) == Parts{1, 0, 1, 0});
}

TEST_CASE("Without any positive share everything goes to the first", "[workloads][whole_parts]") {
  CHECK(whole_parts(7, std::vector<double>{0, 0}) == Parts{7, 0});
  CHECK(whole_parts(7, std::vector<double>{}).empty());
}

TEST_CASE("Parts add up to totals that are rounded as doubles, up or down, and none goes where there is no share",
          "[workloads][whole_parts]") {
  for (const std::int64_t total : {kLarge - 65, kLarge - 63, kLarge - 1, kLarge + 1, kLarge + 127, kLarge + 129,
                                   kLarge + 255})
    for (const auto& shares : std::vector<std::vector<double>>{
             {1}, {1, 1}, {0, 1}, {1, 0}, {1, 2, 3}, {0.1, 0.2, 0.7}, {0, 3, 0, 1e-30, 5}, {1, 1, 1, 1, 1, 1, 1}}) {
      const Parts parts = whole_parts(total, shares);
      CHECK(std::accumulate(parts.begin(), parts.end(), std::int64_t{0}) == total);
      const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
      for (std::size_t i = 0; i < shares.size(); ++i) {
        CHECK(parts[i] >= 0);
        CHECK((shares[i] > 0 || parts[i] == 0));
        CHECK(std::abs(static_cast<double>(parts[i]) - static_cast<double>(kLarge) * shares[i] / sum) <= 1024);
      }
    }
}

// Machines whose speeds are drawn at random, with a diversity, a fastest and a slowest one that are exact.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nowsim {

/// What is asked of them.
struct DrawnSpeeds {
  std::size_t machines = 1;
  std::size_t distinct = 1;  ///< how many different speeds they have
  double fastest_flops = 1, slowest_flops = 1;
  double d_conf = 0;         ///< (max - mean) / mean (BZ 10)
  std::uint64_t number = 1;  ///< which draw; the same description gives the same machines
};

/// Speeds [flop/s], falling. How many machines have each is uniform among all ways to share them out that leave d_conf
/// possible; the speeds between the fastest and the slowest are uniform among all that have it. @throws InputError for
/// what no machines can have, and says what they could; for a diversity so extreme that hardly any way to share the machines
/// out has it; and for speeds so near one another that draw after draw some are the same number.
std::vector<double> draw_speeds(const DrawnSpeeds& asked);

}  // namespace nowsim

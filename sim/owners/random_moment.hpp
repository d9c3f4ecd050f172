// Where paths start that wrap around: at a moment of their own, or one that workstations have in common.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/statistics/laws.hpp"
#include "sim/statistics/random.hpp"

namespace nowsim {

/// Where a recorded series starts: at a random moment of each replication, which machines that were recorded together
/// have in common (replay_together.hpp), or each machine has of its own; at one common to all, whatever they replay; or at
/// its beginning.
enum class TraceStart { random, independent, common, beginning };
/// Their names in YAML.
const std::vector<std::string>& trace_start_names();

/// Where a path starts: a number in [0, 1). With owners it has a stream of its own. No model draws more from the key's
/// stream besides.
double drawn_start(StreamKey key);

/// A moment that workstations have in common whose owners and links are of the set of this number, likewise.
double drawn_start_of_set(const StreamKey& key, std::uint64_t set);

/// A moment that is random where paths start, as a fraction of what they wrap around. With a correlation the moments of
/// workstations follow a common factor of that weight (CommonFactor).
class RandomMoment {
 public:
  /// @throws InputError unless 0 <= correlation <= 1, and 0 where the start is not random.
  RandomMoment(double correlation, bool is_random);
  [[nodiscard]] double draw(const StreamKey& key) const;
  [[nodiscard]] bool is_correlated() const { return factor_.weight() > 0; }
  /// " correlation=0.4", or "" where there is none.
  [[nodiscard]] std::string text() const;

 private:
  CommonFactor factor_;
};

}  // namespace nowsim

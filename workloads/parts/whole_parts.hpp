// Dividing whole things (rows, pairs, elements) among ranks in proportion to their shares.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace nowsim {

/// `total` in whole parts, one per share, that add up to it: each the share's quota rounded down, and one more for the
/// largest remainders (of equal ones the first). Without any positive share everything goes to the first.
std::vector<std::int64_t> whole_parts(std::int64_t total, std::span<const double> shares);

}  // namespace nowsim

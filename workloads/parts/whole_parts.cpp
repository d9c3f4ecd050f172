// Largest remainders.
#include "workloads/parts/whole_parts.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace nowsim {

std::vector<std::int64_t> whole_parts(std::int64_t total, std::span<const double> shares) {
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  std::vector<std::int64_t> parts(shares.size(), 0);
  if (!(sum > 0)) {
    if (!parts.empty()) parts.front() = total;
    return parts;
  }
  std::vector<double> remainders(shares.size());
  std::int64_t left = total;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const double quota = static_cast<double>(total) * (shares[i] / sum), whole = std::floor(quota);
    parts[i] = static_cast<std::int64_t>(whole);
    remainders[i] = quota - whole;
    left -= parts[i];
  }
  std::vector<std::size_t> order(shares.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return remainders[a] > remainders[b]; });
  for (std::size_t k = 0; left > 0; k = (k + 1) % order.size()) {
    if (!(shares[order[k]] > 0)) continue;  // more is left than there are remainders: a total above 2^53, rounded down
    ++parts[order[k]];
    --left;
  }
  for (std::size_t k = order.size(); left < 0;) {  // a total above 2^53, rounded up
    k = k == 0 ? order.size() - 1 : k - 1;
    if (parts[order[k]] == 0) continue;
    --parts[order[k]];
    ++left;
  }
  return parts;
}

}  // namespace nowsim

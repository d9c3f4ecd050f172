// Steps that last, availabilities that are shares, and a mean between them.
#include "tests/fuzz/targets/trace_promises.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace nowsim::test {

void check_promises(const LoadSeries& trace) {
  const auto is_share = [](double a) { return a >= 0 && a <= 1; };
  const auto lasts = [](double s) { return s > 0 && std::isfinite(s); };
  if (trace.duration_s.size() != trace.availability.size() || trace.duration_s.size() != trace.start_s.size())
    throw std::logic_error("a trace whose columns differ in length");
  if (!std::ranges::all_of(trace.availability, is_share)) throw std::logic_error("an availability that is no share");
  if (!std::ranges::all_of(trace.duration_s, lasts)) throw std::logic_error("a step that does not last");
  if (!is_share(trace.mean()) && std::abs(trace.mean() - 0.5) > 0.5 + 1e-12)
    throw std::logic_error("a mean that is no share");
}

}  // namespace nowsim::test

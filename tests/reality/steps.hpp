// The work of a task: steps of arithmetic that each need the one before.
#pragma once

namespace reality {

/// No memory, no vectors, nothing that a neighbour's caches could change.
inline double arithmetic(long long steps) {
  double x = 0.5;
  for (long long k = 0; k < steps; ++k) x = 3.7 * x * (1 - x);  // the logistic map, chaotic: nothing to shorten
  return x;
}

}  // namespace reality

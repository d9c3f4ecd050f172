// Lists of what there is of a kind (workloads, policies, techniques, metrics, checks, commands): a line for each, and no header.
#pragma once

#include <cstddef>
#include <vector>

/// NOWSIM_LISTED(Maker, kList, first, second, ...) declares the functions `first`, `second`, ... of the function type
/// Maker, each defined in a file of its own, and makes kList the array of them in that order.
#define NOWSIM_LISTED(Maker, kList, ...) \
  Maker __VA_ARGS__;                     \
  constexpr Maker* kList[] = {__VA_ARGS__}

namespace nowsim {

/// What the functions of such a list make, in its order.
template <class Thing, std::size_t Count>
std::vector<Thing> made(Thing (*const (&makers)[Count])()) {
  std::vector<Thing> all;
  for (const auto make : makers) all.push_back(make());
  return all;
}

}  // namespace nowsim

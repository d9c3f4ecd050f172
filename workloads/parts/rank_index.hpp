// Ranks are counted in int, as messages name them; vectors with one element per rank are indexed with this.
#pragma once

#include <cstddef>

namespace nowsim {

inline std::size_t index_of(int rank) { return static_cast<std::size_t>(rank); }

}  // namespace nowsim

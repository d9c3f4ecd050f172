// How far apart two words are, and how far they may be for one to be taken for the other misspelt.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace nowsim {

/// Edits between two words: insert, delete, replace; neighbours swapped count as one (optimal string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b);

/// How many edits a misspelt name may be away: a third of its letters, at least 1, at most 3.
inline std::size_t edits_allowed(std::string_view name) { return std::clamp<std::size_t>(name.size() / 3, 1, 3); }

}  // namespace nowsim

// Names of hosts written short: fast-[0-15] for fast-0, fast-1, ..., fast-15, as SimGrid's radicals count them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace nowsim {

/// The most names that one pattern may stand for.
inline constexpr std::size_t kMostPatternNames = 100000;

/// The names that a word stands for, in its order. Brackets hold whole numbers and ranges of them, between commas, as in
/// node[01-16] or n[0-3,8]; numbers with leading zeros keep so many digits. Of several brackets the last one runs
/// fastest. A word without brackets stands for itself.
/// @throws InputError, a sentence without a place: brackets without their partner, a range that is empty, runs backwards
/// or is not of whole numbers, too many names.
std::vector<std::string> expand_host_pattern(const std::string& word);

}  // namespace nowsim

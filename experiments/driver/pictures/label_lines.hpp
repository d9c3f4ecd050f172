// Labels broken into lines or cut short, where a picture has little room.
#pragma once

#include <cstddef>
#include <vector>

#include "experiments/driver/pictures/label.hpp"

namespace nowsim {

/// Lines of at most `width` characters, broken at blanks that are neither lowered nor raised.
std::vector<Label> label_lines(const Label& label, std::size_t width);
/// The label, cut short with an ellipsis where it has more than `width` characters.
Label shortened_label(const Label& label, std::size_t width);

}  // namespace nowsim

// Whether a picture is whole: gnuplot takes no notice of a file system without room.
#pragma once

#include <string_view>

namespace nowsim {

/// Whether these bytes are a whole SVG, PNG or PDF, as they begin: nothing is missing at the end or within.
/// An SVG has to be well-formed as far as its tags and texts go, which no text of a user's may change.
bool is_whole_picture(std::string_view bytes);

}  // namespace nowsim

// Texts in ASCII, for where nothing else can be shown.
#pragma once

#include <string>
#include <string_view>

namespace nowsim {

/// "5 +/- 1", "R^2", "sigma" for ±, ², σ and others that nowsim writes; any other character, such as one of a user's,
/// stands as \u00fc. What is ASCII stays as it is.
std::string ascii_text(std::string_view text);

}  // namespace nowsim

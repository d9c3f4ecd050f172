// What laws ask of their parameters, and the sentences where it is not so.
#pragma once

#include <string>

namespace nowsim {

/// @throws InputError with this sentence unless it holds.
void require(bool holds, const std::string& sentence);
/// @throws InputError, naming what it is, unless x > 0 and finite.
void require_positive(double x, const std::string& what);
/// @throws InputError likewise; its square must be finite, too.
void require_sd(double sd, const std::string& what);

}  // namespace nowsim

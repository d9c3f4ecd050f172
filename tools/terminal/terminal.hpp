// What the terminal behind a stream is like: how wide, with which characters, with colours or without.
#pragma once

#include <cstddef>

namespace nowsim {

/// How many columns the terminal behind a file descriptor has: what the environment's COLUMNS says, else what the
/// terminal says now, else 80. No fewer than 20 and no more than 1000. 0: there is none behind it.
std::size_t terminal_columns(int descriptor);

/// Whether the user's locale (LC_ALL, LC_CTYPE, LANG) has all of UTF-8; where it is not installed it is C, which has
/// ASCII alone.
bool shows_utf8();

/// Whether colours are welcome: it is a terminal, TERM is not "dumb", and NO_COLOR (no-color.org) is not set.
bool shows_colours(int descriptor);

}  // namespace nowsim

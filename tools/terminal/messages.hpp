// Errors and warnings on the error stream: "error: ...", as the terminal behind it may have them.
#pragma once

namespace nowsim {

/// From now on messages of this process go to the error stream: without control characters that texts of users bring
/// along, in ASCII where nothing else can be shown, broken between words where they are wider than the terminal, and
/// with a coloured beginning where that is welcome (terminal.hpp).
void set_up_messages();

}  // namespace nowsim

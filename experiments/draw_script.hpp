// A gnuplot script as a picture's bytes.
#pragma once

#include <string>

namespace nowsim {

/// Has gnuplot run a script that draws into the file `output`, a gnuplot variable. @throws RunError where gnuplot is
/// missing or fails, or no temporary file can be made.
std::string draw_script(const std::string& script);

}  // namespace nowsim

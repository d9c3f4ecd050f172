// A file that a user has named for an output: checked before anything is run, and written without losing what is there.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>

namespace nowsim {

/// Checks that a file can be written there. @throws InputError where it is a folder or a device, its name is too long,
/// its folder is missing or may not be written.
void check_output_file(const std::string& path);

/// Writes the file as a whole: an interruption leaves the old one. One that is there with other bytes is kept as the
/// first free NAME.~1~, NAME.~2~, ...; returns its new name, or "". @throws RunError, and then the old one is where it
/// was; what `write` throws.
std::string write_output_file(const std::string& path, const std::function<void(std::ostream&)>& write);

}  // namespace nowsim

// PDFs without the time at which they were drawn: the same picture is the same bytes.
#pragma once

#include <filesystem>
#include <string>

namespace nowsim {

/// The same file with blanks in place of its creation date, which cairo writes and which nothing in Debian 12's can
/// keep out; every other byte keeps its place. Anything but a PDF is given back as it is.
std::string without_date(std::string bytes);

/// Takes the date out of a file on disk, if it is a PDF. @throws RunError where it cannot be written.
void take_date_out(const std::filesystem::path& file);

}  // namespace nowsim

// PDFs without the time at which they were drawn: the same picture is the same bytes.
#pragma once

#include <string>

namespace nowsim {

/// The same file with blanks in place of its creation date, which cairo writes and which nothing in Debian 12's can
/// keep out: as many whatever the time zone, whose name makes the date longer. Anything but a PDF is given back as it
/// is.
std::string without_date(std::string bytes);

}  // namespace nowsim

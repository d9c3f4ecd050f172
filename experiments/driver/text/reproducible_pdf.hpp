// PDFs without the time at which they were drawn: the same picture is the same bytes.
#pragma once

#include <string>

namespace nowsim {

/// The same document without its creation date, which cairo writes and nothing keeps out: the same bytes for the same
/// picture whenever and in whatever time zone it was drawn, and those bytes again when it is given them. Anything but a
/// whole PDF is given back as it is.
std::string without_date(std::string bytes);

}  // namespace nowsim

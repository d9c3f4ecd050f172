// PDFs without the time at which they were drawn: the same picture is the same bytes.
#pragma once

#include <string>

namespace nowsim {

/// The same file with blanks in place of its creation date, which cairo writes and which nothing in Debian 12's can
/// keep out: as many whatever the time zone, whose name makes the date longer. Anything but a PDF is given back as it
/// is, and so are PDFs of cairo 1.18 (Debian 13) and later: their date is in a compressed stream, and they keep it, so
/// that a picture drawn again is another file.
std::string without_date(std::string bytes);

}  // namespace nowsim

// A report's page as a file that is made again and again, and never at the cost of another's.
#pragma once

#include <string>

namespace nowsim {

/// The page's name in its folder.
inline constexpr const char* kReportFile = "index.html";

/// Writes the page into a folder at once. A page that is there is replaced where nowsim wrote it (its last line is a
/// checksum of the others, so that a change is seen) and it has no experiment that the new one lacks; else it is kept
/// as the first free index.html.~1~, index.html.~2~, ... Returns that name, or "". @throws RunError.
std::string write_report(const std::string& folder, const std::string& page);

}  // namespace nowsim

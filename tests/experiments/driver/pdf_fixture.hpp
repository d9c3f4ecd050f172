// What tests have to know of the PDFs that this machine's cairo writes.
#pragma once

#include <catch2/catch.hpp>
#include <string>

namespace nowsim::test {

/// Whether a PDF's date can be read, and so be taken out: cairo 1.18 and later write it into a compressed stream, beside
/// a table of objects that is a stream too. Says so where it cannot.
inline bool has_readable_date(const std::string& pdf) {
  const bool has = pdf.find("\nxref\n") != std::string::npos;
  if (!has) WARN("skipped: this machine's cairo writes the date of a PDF into a compressed stream");
  return has;
}

}  // namespace nowsim::test

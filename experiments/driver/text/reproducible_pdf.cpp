// Taking one entry out of the PDF's information dictionary, and telling its table where the objects behind it are now.
#include "experiments/driver/text/reproducible_pdf.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdio>
#include <string_view>

namespace nowsim {
namespace {

/// Blanks in the date's place: as many as cairo writes for UTC. Where another time zone is set the date is longer.
constexpr std::size_t kPdfBlanks = 33;
/// "0000012065 00000 n \n"
constexpr std::size_t kPdfEntry = 20, kPdfDigits = 10;

std::size_t number_at(const std::string& bytes, std::size_t at) {
  std::size_t n = 0;
  std::from_chars(bytes.data() + std::min(at, bytes.size()), bytes.data() + bytes.size(), n);
  return n;
}

/// Objects behind a place have moved by so much (ISO 32000-1, 7.5.4 and 7.5.5).
void move_objects(std::string& bytes, std::size_t behind, std::size_t taken) {
  constexpr std::string_view kTable = "\nxref\n0 ", kStart = "startxref\n";
  const std::size_t table = bytes.find(kTable, behind), start = bytes.rfind(kStart);
  if (table == std::string::npos || start == std::string::npos || start < table) return;
  const std::size_t count = number_at(bytes, table + kTable.size());
  std::size_t entry = bytes.find('\n', table + kTable.size()) + 1;
  for (std::size_t k = 0; k < count && entry + kPdfEntry < start; ++k, entry += kPdfEntry) {
    const std::size_t at = number_at(bytes, entry);
    if (at <= behind) continue;
    char text[24];
    std::snprintf(text, sizeof text, "%010zu", at - taken);
    bytes.replace(entry, kPdfDigits, text, kPdfDigits);
  }
  const std::size_t digits = start + kStart.size();
  bytes.replace(digits, bytes.find('\n', digits) - digits, std::to_string(number_at(bytes, digits) - taken));
}

}  // namespace

std::string without_date(std::string bytes) {
  if (!bytes.starts_with("%PDF")) return bytes;
  const std::size_t from = bytes.rfind("/CreationDate (D:");  // the dictionary stands behind all drawing
  const std::size_t end = from == std::string::npos ? from : bytes.find(')', from);
  if (end == std::string::npos || end + 1 - from < kPdfBlanks) return bytes;
  bytes.replace(from, end + 1 - from, kPdfBlanks, ' ');
  move_objects(bytes, from, end + 1 - from - kPdfBlanks);
  return bytes;
}

}  // namespace nowsim

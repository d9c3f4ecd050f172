// Blanking one entry of the PDF's information dictionary.
#include "experiments/pdf_date.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "sim/error.hpp"

namespace nowsim {

std::string without_date(std::string bytes) {
  if (!bytes.starts_with("%PDF")) return bytes;
  const std::size_t from = bytes.rfind("/CreationDate (D:");  // the dictionary stands behind all drawing
  if (from == std::string::npos) return bytes;
  const std::size_t end = bytes.find(')', from);
  if (end != std::string::npos) std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(from), end + 1 - from, ' ');
  return bytes;
}

void take_date_out(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string before{std::istreambuf_iterator<char>(in), {}};
  const std::string after = without_date(before);
  if (after == before) return;
  std::ofstream out(file, std::ios::binary);
  out << after;
  out.close();
  if (!out) throw RunError(file.string() + " cannot be written: " + std::strerror(errno));
}

}  // namespace nowsim

// Widths first, then lines.
#include "experiments/aligned_rows.hpp"

#include <algorithm>
#include <ostream>

#include "experiments/text_width.hpp"

namespace nowsim {

void print_aligned(const std::vector<std::vector<std::string>>& rows, std::ostream& out) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const auto& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], shown_width(row[c]));
  for (const auto& row : rows) {
    std::string line = "  ";
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string gap(widths[c] - shown_width(row[c]), ' ');
      line += (c == 0 ? row[c] + gap : gap + row[c]) + "  ";
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out << line << '\n';
  }
}

}  // namespace nowsim

// Where the columns of a table go on lines of a width: which stand beside each other, and how wide each of them is.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace nowsim {

/// Columns that stand beside each other, and their widths.
struct TableBlock {
  std::vector<std::size_t> columns, widths;
};

/// Columns stand two spaces apart, and two from the left edge.
inline constexpr std::size_t kColumnGap = 2;

/// The blocks of a table, each of which begins with its first `keep` columns, on lines of at most so many characters;
/// the first row is its head. What has to become narrower for that does so in this order: cells of several words break
/// between words, columns go to further blocks, heads break. Nothing where that is not enough.
std::optional<std::vector<TableBlock>> fitting_blocks(const std::vector<std::vector<std::string>>& rows,
                                                      std::size_t keep, std::size_t width);
/// The same of columns as wide as they are: one stands behind those that are kept, even where it does not fit.
std::vector<TableBlock> whole_blocks(const std::vector<std::vector<std::string>>& rows, std::size_t keep,
                                     std::size_t width);

/// Whether a column has cells of several words that may stand below one another: no estimates, no numbers with units.
bool has_sentences(const std::vector<std::vector<std::string>>& rows, std::size_t column);

/// A head in lines of at most so many characters: it breaks between words and behind one of `._/-`.
std::vector<std::string> wrapped_head(const std::string& head, std::size_t width);

}  // namespace nowsim

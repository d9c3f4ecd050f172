// Tables on a terminal: aligned columns, broken into blocks where they do not fit; how wide texts are there.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

namespace nowsim {

/// Characters of UTF-8 text; wide ones (Chinese, Japanese, Korean) count as one.
std::size_t shown_width(const std::string& text);
/// A long text's beginning, so many whole characters with the sign that it goes on.
std::string shortened(const std::string& text, std::size_t most);

/// How a table is read: figures down its columns, ruled off below the head, or as a list of things named first.
enum class TableLook { figures, list };

/// Rows of cells, right-aligned but for a list's first column.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> head, TableLook look = TableLook::figures)
      : look_(look), rows_{std::move(head)} {}
  /// Control characters, line ends too, are shown.
  void add(std::vector<std::string> row);
  /// The head, and what was added.
  [[nodiscard]] const std::vector<std::vector<std::string>>& rows() const { return rows_; }

  /// Nothing without a head; else at most 100 characters wide: where the columns do not fit, the rest follows in further blocks that repeat the first
  /// `keep` columns.
  void write(std::ostream& out, std::size_t keep) const;

 private:
  [[nodiscard]] std::vector<std::size_t> column_widths() const;
  void write_row(std::ostream& out, const std::vector<std::string>& row, const std::vector<std::size_t>& columns,
                 const std::vector<std::size_t>& widths) const;
  void write_block(std::ostream& out, const std::vector<std::size_t>& columns,
                   const std::vector<std::size_t>& widths) const;

  TableLook look_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace nowsim

// Tables on a terminal: aligned columns, broken into blocks where they do not fit.
#pragma once

#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

namespace nowsim {

/// How a table is read: figures down its columns, ruled off below the head, or as a list of things named first.
enum class TableLook { figures, list };

/// Rows of cells, right-aligned but for a list's first column.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> head, TableLook look = TableLook::figures)
      : look_(look), rows_{std::move(head)} {}
  /// Control characters, line ends too, are shown.
  void add(std::vector<std::string> row);

  /// At most 100 characters wide: where the columns do not fit, the rest follows in further blocks that repeat the first
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

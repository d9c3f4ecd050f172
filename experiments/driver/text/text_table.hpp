// Tables for people: aligned columns that fit the terminal they are shown on; how wide texts are there, and their lines.
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

/// The words of a text in lines of at most so many characters, one space between two of them; one line at least. A
/// word that is wider than a line is broken behind one of `/._-,:=` where that helps, else anywhere.
std::vector<std::string> broken_lines(const std::string& text, std::size_t width);
/// The widest of its words.
std::size_t widest_word(const std::string& text);

/// How a table is read: figures down its columns, ruled off below the head, or as a list of things named first.
enum class TableLook { figures, list };

/// Rows of cells, right-aligned but for a list's first column, its last one where that has sentences, and
/// those that are to be read from the left.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> head, TableLook look = TableLook::figures)
      : look_(look), rows_{std::move(head)} {}
  /// Control characters, line ends too, are shown.
  void add(std::vector<std::string> row);
  /// A column of words reads from the left.
  void read_left(std::size_t column) { left_.push_back(column); }
  /// The head, and what was added.
  [[nodiscard]] const std::vector<std::vector<std::string>>& rows() const { return rows_; }

  /// Nothing without a head. Where columns do not fit beside each other, the rest follows in further blocks that repeat
  /// the first `keep` columns. On a terminal (stream_manner.hpp) blocks are at most as wide as that is: sentences break
  /// between words, and where even one column is too wide beside those that are kept, each row is told line by line,
  /// `head: cell`. Elsewhere columns are as wide as they are, and blocks about 100 characters. A writer of the stream's
  /// tables (StreamManner) is given it as a whole.
  void write(std::ostream& out, std::size_t keep) const;

 private:
  TableLook look_;
  std::vector<std::vector<std::string>> rows_;
  std::vector<std::size_t> left_;
};

/// Names with what there is to say of each beside them, without a head. On a terminal sentences break between words;
/// elsewhere they are as long as they are.
class DefinitionList {
 public:
  void add(std::string name, std::string text) { lines_.emplace_back(std::move(name), std::move(text)); }
  [[nodiscard]] bool is_empty() const { return lines_.empty(); }
  /// Names begin at the column `indent`. Where nothing says how wide a line may be, `columns` does; 0: any width.
  void write(std::ostream& out, std::size_t indent = 2, std::size_t columns = 0) const;

 private:
  std::vector<std::pair<std::string, std::string>> lines_;
};

}  // namespace nowsim

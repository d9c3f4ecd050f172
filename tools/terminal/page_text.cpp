// Paragraphs, items and tables, line by line.
#include "tools/terminal/page_text.hpp"

#include <algorithm>
#include <ostream>
#include <sstream>
#include <vector>

#include "experiments/driver/text/stream_manner.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

constexpr std::size_t kReadableColumns = 100;
constexpr const char *kFence = "```", *kCodeIndent = "    ";

/// [words](page.md) as words; addresses on the Internet stay.
std::string without_links(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t middle = text.find("](", at), open = text.rfind('[', middle), close = text.find(')', middle);
    if (middle == text.npos || open == text.npos || open < at || close == text.npos) return out + text.substr(at);
    const bool is_address = text.substr(middle, close - middle).find("://") != text.npos;
    out += text.substr(at, open - at);
    out += is_address ? text.substr(open, close + 1 - open) : text.substr(open + 1, middle - open - 1);
    at = close + 1;
  }
  return out;
}

/// The cells of a line `| a | b |`; a bar in a cell is written `\|`.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  for (std::size_t i = 1; i < line.size(); ++i) {
    if (line[i] == '\\' && i + 1 < line.size() && line[i + 1] == '|') cells.back() += line[++i];
    else if (line[i] == '|') cells.emplace_back();
    else cells.back() += line[i];
  }
  if (cells.size() > 1) cells.pop_back();  // behind the last bar
  for (std::string& cell : cells) cell = std::string(trimmed(cell));
  return cells;
}

/// How many characters begin an item, such as "- " or "2. "; 0: it is none.
std::size_t item_mark(const std::string& line) {
  const std::size_t begin = line.find_first_not_of(' ');
  if (begin == line.npos) return 0;
  const std::size_t digits_end = line.find_first_not_of("0123456789", begin);
  if (line.compare(begin, 2, "- ") == 0 || line.compare(begin, 2, "* ") == 0) return begin + 2;
  const bool is_numbered = digits_end > begin && digits_end != line.npos && line.compare(digits_end, 2, ". ") == 0;
  return is_numbered ? digits_end + 2 : 0;
}

class PageWriter {
 public:
  explicit PageWriter(std::ostream& out) : out_(out), columns_(std::min(columns_of(out), kReadableColumns)) {}

  void add(const std::string& line) {
    if (trimmed(line).starts_with(kFence)) {
      end();
      is_fenced_ = !is_fenced_;
      return;
    }
    if (is_fenced_) return write_code(line.empty() ? line : kCodeIndent + line);
    if (line.starts_with('|')) {
      end_paragraph();
      table_.push_back(cells_of(without_links(line)));
      return;
    }
    end_table();
    const std::size_t mark = item_mark(line);
    const bool is_indented = line.starts_with(kCodeIndent);
    const bool is_code = is_indented && (mark == 0 ? paragraph_.empty() || hanging_ == 0 : !is_in_items_);
    if (mark > 0 || is_code || line.empty() || line.starts_with('#')) end_paragraph();
    if (is_code) return write_code(line);
    const bool goes_on = is_in_items_ && !paragraph_.empty();
    if (!line.empty() && (mark > 0 || !line.starts_with(' '))) is_in_items_ = mark > 0 || goes_on;
    if (line.empty() || line.starts_with('#')) {
      out_ << line << '\n';
      return;
    }
    if (mark > 0) hanging_ = mark;
    paragraph_ += (paragraph_.empty() ? "" : " ") + line;
  }
  void end() {
    end_table();
    end_paragraph();
  }

 private:
  /// As it is, since it is copied: it does not break at the terminal's width either.
  void write_code(const std::string& line) {
    const std::string shown = wants_ascii(out_) ? ascii_text(line) : line;
    const ForPrograms as_it_is(out_);
    out_ << shown << '\n';
  }
  void end_paragraph() {
    if (paragraph_.empty()) return;
    const std::string all = wants_ascii(out_) ? ascii_text(without_links(paragraph_)) : without_links(paragraph_);
    const std::string mark = all.substr(0, hanging_);
    bool is_first = true;
    for (const std::string& line : broken_lines(all.substr(hanging_), columns_ - std::min(columns_ / 2, hanging_))) {
      out_ << (is_first ? mark : std::string(hanging_, ' ')) << line << '\n';
      is_first = false;
    }
    paragraph_.clear();
    hanging_ = 0;
  }
  void end_table() {
    if (table_.empty()) return;
    TextTable table(table_.front(), TableLook::list);
    for (std::size_t r = 2; r < table_.size(); ++r) table.add(table_[r]);  // the second one is the rule
    table.write(out_, 1);
    table_.clear();
  }

  std::ostream& out_;
  std::size_t columns_, hanging_ = 0;
  bool is_fenced_ = false, is_in_items_ = false;
  std::string paragraph_;
  std::vector<std::vector<std::string>> table_;
};

}  // namespace

void write_page(const std::string& markdown, std::ostream& out) {
  if (columns_of(out) == 0) {
    out << markdown;
    return;
  }
  PageWriter writer(out);
  std::istringstream in(markdown);
  for (std::string line; std::getline(in, line);) writer.add(line);
  writer.end();
}

}  // namespace nowsim

// One walk along the tree, and what terminals and man make of what it meets.
#include "tools/help/markdown.hpp"

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <ostream>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/driver/text/stream_manner.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

using Row = std::vector<std::string>;
using Rows = std::vector<Row>;

using Tree = std::unique_ptr<cmark_node, void (*)(cmark_node*)>;

Tree tree_of(const std::string& markdown) {
  cmark_gfm_core_extensions_ensure_registered();
  const std::unique_ptr<cmark_parser, void (*)(cmark_parser*)> parser(
      cmark_parser_new(CMARK_OPT_DEFAULT | CMARK_OPT_VALIDATE_UTF8), cmark_parser_free);
  cmark_parser_attach_syntax_extension(parser.get(), cmark_find_syntax_extension("table"));
  cmark_parser_feed(parser.get(), markdown.data(), markdown.size());
  return {cmark_parser_finish(parser.get()), cmark_node_free};
}

std::vector<cmark_node*> children(cmark_node* parent) {
  std::vector<cmark_node*> all;
  for (cmark_node* child = cmark_node_first_child(parent); child != nullptr; child = cmark_node_next(child))
    all.push_back(child);
  return all;
}

std::string literal(cmark_node* node) {
  const char* text = cmark_node_get_literal(node);
  return text == nullptr ? "" : text;
}

/// What a node says, without its marks.
std::string plain(cmark_node* node) {
  std::string text = literal(node);
  for (cmark_node* child : children(node)) text += plain(child);
  return text;
}

/// Meets a page's blocks from top to bottom; what becomes of them and of their words is its heirs'.
class MarkdownReader {
 public:
  void read(const std::string& markdown) {
    const Tree tree = tree_of(markdown);
    for (cmark_node* block : children(tree.get())) read_block(block);
  }

 protected:
  ~MarkdownReader() = default;

  virtual void read_block(cmark_node* block) {
    switch (cmark_node_get_type(block)) {
      case CMARK_NODE_HEADING:
        return heading(block, inline_of(block));
      case CMARK_NODE_PARAGRAPH:
        return paragraph(block, inline_of(block));
      case CMARK_NODE_CODE_BLOCK:
        return code_block(block, literal(block));
      case CMARK_NODE_LIST:
        return read_list(block);
      case CMARK_NODE_BLOCK_QUOTE:
        return read_indented(children(block));
      case CMARK_NODE_HTML_BLOCK:
        return paragraph(block, marked(block, literal(block)));
      default:
        break;
    }
    if (cmark_node_get_type_string(block) != std::string_view("table")) return;  // an extension's kind has but a name
    Rows rows;
    for (cmark_node* row : children(block)) {
      rows.emplace_back();
      for (cmark_node* cell : children(row)) rows.back().push_back(inline_of(cell));
    }
    table(block, rows);
  }

  /// Of an item, behind its first one, or of a quotation.
  virtual void read_indented(const std::vector<cmark_node*>& blocks) {
    for (cmark_node* block : blocks) read_block(block);
  }

  std::string inline_of(cmark_node* parent) {
    std::string text;
    for (cmark_node* node : children(parent)) text += marked(node, literal(node) + inline_of(node));
    return text;
  }

 private:
  virtual void heading(cmark_node* block, const std::string& text) = 0;
  virtual void paragraph(cmark_node* block, const std::string& text) = 0;
  virtual void code_block(cmark_node* block, const std::string& text) = 0;
  /// Its first block, behind a "-" or a number.
  virtual void item(cmark_node* block, const std::string& mark, const std::string& text) = 0;
  virtual void table(cmark_node* block, const Rows& rows) = 0;
  /// What is said within a line, with the marks of its kind.
  virtual std::string marked(cmark_node* node, const std::string& text) = 0;

  void read_list(cmark_node* list) {
    const bool is_numbered = cmark_node_get_list_type(list) == CMARK_ORDERED_LIST;
    int number = cmark_node_get_list_start(list);
    for (cmark_node* whole : children(list)) {
      std::vector<cmark_node*> blocks = children(whole);
      if (blocks.empty()) continue;
      item(blocks.front(), is_numbered ? std::to_string(number++) + "." : "-", inline_of(blocks.front()));
      blocks.erase(blocks.begin());
      if (!blocks.empty()) read_indented(blocks);
    }
  }
};

/// Blocks stand as far down and to the right as they do in the page; marks within lines stay.
class TerminalPage final : public MarkdownReader {
 public:
  explicit TerminalPage(std::ostream& out) : out_(out), columns_(std::min(columns_of(out), kReadableColumns)) {}

 private:
  static constexpr std::size_t kReadableColumns = 100;

  void heading(cmark_node* block, const std::string& text) override {
    go_to(block);
    out_ << std::string(static_cast<std::size_t>(cmark_node_get_heading_level(block)), '#') << ' ' << text << '\n';
  }
  void paragraph(cmark_node* block, const std::string& text) override { fill(block, "", text); }
  void item(cmark_node* block, const std::string& mark, const std::string& text) override {
    fill(block, std::string(indent_of(cmark_node_parent(block)), ' ') + mark, text);
  }
  /// As it is, since it is copied: it does not break at the terminal's width either.
  void code_block(cmark_node* block, const std::string& text) override {
    go_to(block);
    const std::string indent(indent_of(block) + (is_fenced(block) ? 4 : 0), ' ');
    const ForPrograms as_it_is(out_);
    std::istringstream in(is_ascii_ ? ascii_text(text) : text);
    for (std::string line; std::getline(in, line);) out_ << (line.empty() ? "" : indent) << line << '\n';
  }
  void table(cmark_node* block, const Rows& rows) override {
    go_to(block);
    TextTable shown(rows.front(), TableLook::list);
    for (auto row = rows.begin() + 1; row != rows.end(); ++row) shown.add(*row);
    shown.write(out_, 1);
  }

  std::string marked(cmark_node* node, const std::string& text) override {
    switch (cmark_node_get_type(node)) {
      case CMARK_NODE_CODE:
        return '`' + text + '`';
      case CMARK_NODE_SOFTBREAK:
      case CMARK_NODE_LINEBREAK:
        return " ";
      case CMARK_NODE_EMPH:
        return '*' + text + '*';
      case CMARK_NODE_STRONG:
        return "**" + text + "**";
      case CMARK_NODE_LINK:
        return with_address(text, cmark_node_get_url(node));
      case CMARK_NODE_IMAGE:
        return '!' + text;
      default:
        return text;
    }
  }

  /// Of those on the Internet alone.
  static std::string with_address(const std::string& text, const std::string& target) {
    return target.find("://") == target.npos ? text : '[' + text + "](" + target + ')';
  }

  /// Where text stands in its line: behind an item's mark, say.
  static std::size_t indent_of(cmark_node* node) {
    return static_cast<std::size_t>(std::max(cmark_node_get_start_column(node) - 1, 0));
  }

  static bool is_fenced(cmark_node* block) {
    int length = 0, offset = 0;
    char fence = 0;
    return cmark_node_get_fenced(block, &length, &offset, &fence) != 0;
  }

  /// Blank lines stay. Where lines are kept as they are, cmark's last one may be one behind or before theirs.
  void go_to(cmark_node* block) {
    for (++line_; line_ < cmark_node_get_start_line(block); ++line_) out_ << '\n';
    const std::string kept = is_fenced(block) ? "" : literal(block);
    line_ = kept.empty() ? cmark_node_get_end_line(block)
                         : cmark_node_get_start_line(block) - 1 + static_cast<int>(std::ranges::count(kept, '\n'));
  }

  void fill(cmark_node* block, const std::string& mark, const std::string& text) {
    go_to(block);
    const std::size_t indent = indent_of(block);
    std::string before = mark + std::string(indent - std::min(mark.size(), indent), ' ');
    for (const std::string& line :
         broken_lines(is_ascii_ ? ascii_text(text) : text, columns_ - std::min(columns_ / 2, indent))) {
      out_ << before << line << '\n';
      before.assign(indent, ' ');
    }
  }

  std::ostream& out_;
  std::size_t columns_;
  bool is_ascii_ = wants_ascii(out_);
  int line_ = 0;  ///< of the page: the last one that is written
};

/// Text as it is typed: no sign of it becomes another one.
std::string roff_text(const std::string& text) {
  static const std::map<char, const char*> kSpelt{{'\\', "\\e"},  {'-', "\\-"},   {'^', "\\(ha"},
                                                  {'~', "\\(ti"}, {'`', "\\(ga"}, {'\'', "\\(aq"}};
  std::string out;
  for (const char c : text) {
    const auto spelt = kSpelt.find(c);
    out += spelt == kSpelt.end() ? std::string(1, c) : spelt->second;
  }
  return out;
}

/// A line of roff that is text, whatever it begins with.
std::string text_line(const std::string& text) {
  return (text.empty() || text.starts_with('.') ? "\\&" : "") + text + '\n';
}

/// What becomes of a page in man.
class ManPart final : public MarkdownReader {
 public:
  explicit ManPart(const MarkdownWishes& wishes) : wishes_(wishes), is_wanted_(wishes.takes("")) {}
  std::string roff;

 private:
  void read_block(cmark_node* block) override {
    if (cmark_node_get_heading_level(block) == 2) is_wanted_ = wishes_.takes(plain(block));
    if (is_wanted_) MarkdownReader::read_block(block);
  }

  void add(const std::string& macro, const std::string& text) { roff += macro + '\n' + text_line(text); }
  void heading(cmark_node* block, const std::string& text) override {
    add(cmark_node_get_heading_level(block) == 1 ? ".SH" : ".SS", text);
  }
  void paragraph(cmark_node*, const std::string& text) override {
    if (!trimmed(text).empty()) add(".PP", text);
  }
  void code_block(cmark_node*, const std::string& text) override {
    roff += ".PP\n.RS 2\n.EX\n";
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) roff += text_line(roff_text(line));
    roff += ".EE\n.RE\n";
  }
  void item(cmark_node*, const std::string& mark, const std::string& text) override {
    add(".IP " + (mark == "-" ? "\\(bu" : mark) + " 3", text);
  }
  void read_indented(const std::vector<cmark_node*>& blocks) override {
    roff += ".RS\n";
    MarkdownReader::read_indented(blocks);
    roff += ".RE\n";
  }
  void table(cmark_node* block, const Rows& all) override {
    const std::uint8_t* const alignments = cmark_gfm_extensions_get_table_alignments(block);
    std::string aligned(alignments, alignments + cmark_gfm_extensions_get_table_columns(block));
    const Rows rows = unrolled(all);
    aligned.resize(rows.front().size());
    const std::size_t terms = columns_of_term(rows);
    for (auto row = rows.begin() + 1; row != rows.end(); ++row)
      roff += ".TP\n" + text_line(terms == 1 ? row->front() : headed(*row, rows.front(), 0, terms, ", ")) +
              text_line(said_of(*row, rows.front(), terms, aligned));
  }

  /// A table that stands twice or more side by side, its heads again, becomes one below the other.
  static Rows unrolled(const Rows& rows) {
    const Row& heads = rows.front();
    const auto again = std::find(heads.begin() + 1, heads.end(), heads.front());
    if (again == heads.end() || heads.front().empty()) return rows;
    const auto width = static_cast<std::size_t>(again - heads.begin());
    Rows out;
    for (std::size_t from = 0; from < heads.size(); from += width)
      for (std::size_t r = from == 0 ? 0 : 1; r < rows.size(); ++r) {
        const auto begin = rows[r].begin() + static_cast<std::ptrdiff_t>(from);
        const auto end = rows[r].begin() + static_cast<std::ptrdiff_t>(std::min(from + width, heads.size()));
        if (std::all_of(begin, end, [](const std::string& cell) { return cell.empty(); })) continue;  // it is shorter
        out.emplace_back(begin, end).resize(heads[width - 1].empty() ? width - 1 : width);            // without the gap
      }
    return out;
  }

  /// How many columns it takes until no two rows are alike in them; 1 where none do.
  static std::size_t columns_of_term(const Rows& rows) {
    for (std::size_t columns = 1; columns < rows.front().size(); ++columns) {
      std::set<Row> terms;
      for (auto row = rows.begin() + 1; row != rows.end(); ++row)
        terms.emplace(row->begin(), row->begin() + static_cast<std::ptrdiff_t>(columns));
      if (terms.size() == rows.size() - 1) return columns;
    }
    return 1;
  }

  /// Cells behind their columns' heads; empty ones are left out.
  static std::string headed(const Row& cells, const Row& heads, std::size_t from, std::size_t to,
                            const std::string& separator) {
    std::string text;
    for (std::size_t k = from; k < to; ++k)
      if (!cells[k].empty()) text += (text.empty() ? "" : separator) + ("\\fI" + heads[k] + ":\\fR " + cells[k]);
    return text;
  }

  /// All cells but those of the term. Numbers, whose columns end at the right, stand in one line.
  static std::string said_of(const Row& cells, const Row& heads, std::size_t terms, const std::string& aligned) {
    if (cells.size() == 2) return cells[1];
    const bool are_numbers = aligned.find_first_not_of('r', terms) == aligned.npos;
    return headed(cells, heads, terms, cells.size(), are_numbers ? ", " : "\n.br\n");
  }

  std::string marked(cmark_node* node, const std::string& text) override {
    switch (cmark_node_get_type(node)) {
      case CMARK_NODE_TEXT:
        return roff_text(text);
      case CMARK_NODE_CODE:
        return "\\fB" + roff_text(text) + "\\fR";
      case CMARK_NODE_SOFTBREAK:
        return " ";
      case CMARK_NODE_LINEBREAK:
        return "\n.br\n\\&";
      case CMARK_NODE_EMPH:
        return "\\fI" + text + "\\fR";
      case CMARK_NODE_STRONG:
        return "\\fB" + text + "\\fR";
      case CMARK_NODE_LINK:
        return text + said_of_link(node);
      case CMARK_NODE_IMAGE:
      case CMARK_NODE_HTML_INLINE:
      case CMARK_NODE_HTML_BLOCK:
        return "";
      default:
        return text;
    }
  }

  /// Nothing where the text is where it leads already.
  std::string said_of_link(cmark_node* link) {
    const std::string target = cmark_node_get_url(link);
    const std::string note = target.ends_with(plain(link)) ? "" : wishes_.says_of_link(target);
    return note.empty() ? "" : " (" + inline_of(cmark_node_first_child(tree_of(note).get())) + ")";
  }

  const MarkdownWishes& wishes_;
  bool is_wanted_;
};

}  // namespace

void write_page(const std::string& markdown, std::ostream& out) {
  if (columns_of(out) == 0)
    out << markdown;
  else
    TerminalPage(out).read(markdown);
}

std::string roff_of(const std::string& markdown, const MarkdownWishes& wishes) {
  ManPart part(wishes);
  part.read(markdown);
  return part.roff;
}

}  // namespace nowsim

// A walk along the tree.
#include "tools/help/markdown_roff.hpp"

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "sim/base/text.hpp"

namespace nowsim {
namespace {

class Children {
 public:
  explicit Children(cmark_node* parent) : first_(cmark_node_first_child(parent)) {}
  class Iterator {
   public:
    explicit Iterator(cmark_node* node) : node_(node) {}
    cmark_node* operator*() const { return node_; }
    Iterator& operator++() {
      node_ = cmark_node_next(node_);
      return *this;
    }
    bool operator!=(const Iterator& other) const { return node_ != other.node_; }

   private:
    cmark_node* node_;
  };
  [[nodiscard]] Iterator begin() const { return Iterator(first_); }
  [[nodiscard]] static Iterator end() { return Iterator(nullptr); }

 private:
  cmark_node* first_;
};

std::string literal(cmark_node* node) {
  const char* text = cmark_node_get_literal(node);
  return text == nullptr ? "" : text;
}

/// Kinds of an extension are known by their names alone.
bool is_kind(cmark_node* node, const char* name) { return std::strcmp(cmark_node_get_type_string(node), name) == 0; }

/// What a node says, without its marks.
std::string plain(cmark_node* node) {
  std::string text = literal(node);
  for (cmark_node* child : Children(node)) text += plain(child);
  return text;
}

class MarkdownWriter {
 public:
  MarkdownWriter(RoffPage& page, const MarkdownWishes& wishes) : page_(page), wishes_(wishes) {}

  void write_document(cmark_node* root) {
    bool is_wanted = wishes_.takes("");
    for (cmark_node* node : Children(root)) {
      const bool is_heading = cmark_node_get_type(node) == CMARK_NODE_HEADING;
      if (is_heading && cmark_node_get_heading_level(node) == 2) is_wanted = wishes_.takes(plain(node));
      if (is_wanted && !(is_heading && cmark_node_get_heading_level(node) == 1)) write_block(node);
    }
  }

 private:
  void write_block(cmark_node* node) {
    switch (cmark_node_get_type(node)) {
      case CMARK_NODE_HEADING:
        return page_.subheading(inline_of(node));
      case CMARK_NODE_PARAGRAPH:
        return write_paragraph(node);
      case CMARK_NODE_CODE_BLOCK:
        return page_.lines(literal(node));
      case CMARK_NODE_LIST:
        return write_list(node);
      case CMARK_NODE_BLOCK_QUOTE:
        return write_indented(node);
      default:
        break;
    }
    if (is_kind(node, "table")) write_table(node);
  }

  void write_paragraph(cmark_node* node) {
    if (const std::string text = inline_of(node); !trimmed(text).empty()) page_.paragraph(text);
  }

  void write_indented(cmark_node* node) {
    page_.begin_indent();
    for (cmark_node* child : Children(node)) write_block(child);
    page_.end_indent();
  }

  void write_list(cmark_node* list) {
    const bool is_numbered = cmark_node_get_list_type(list) == CMARK_ORDERED_LIST;
    int number = cmark_node_get_list_start(list);
    for (cmark_node* item : Children(list)) {
      cmark_node* const first = cmark_node_first_child(item);
      if (first == nullptr) continue;
      page_.listed(is_numbered ? std::to_string(number++) + "." : "\\(bu", inline_of(first));
      if (cmark_node_next(first) == nullptr) continue;
      page_.begin_indent();
      for (cmark_node* more = cmark_node_next(first); more != nullptr; more = cmark_node_next(more)) write_block(more);
      page_.end_indent();
    }
  }

  void write_table(cmark_node* table) {
    Rows rows;
    for (cmark_node* row : Children(table)) {
      rows.emplace_back();
      for (cmark_node* cell : Children(row)) rows.back().push_back(inline_of(cell));
    }
    const std::uint8_t* const alignments = cmark_gfm_extensions_get_table_alignments(table);
    const std::size_t columns = cmark_gfm_extensions_get_table_columns(table);
    std::string aligned(alignments, alignments + columns);
    rows = unrolled(rows);
    aligned.resize(rows.front().size());
    const std::size_t terms = columns_of_term(rows);
    for (auto row = rows.begin() + 1; row != rows.end(); ++row)
      page_.item(terms == 1 ? row->front() : headed(*row, rows.front(), 0, terms, ", "),
                 said_of(*row, rows.front(), terms, aligned));
  }

  using Row = std::vector<std::string>;
  using Rows = std::vector<Row>;

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
        out.emplace_back(begin, end).resize(heads[width - 1].empty() ? width - 1 : width);  // without the gap
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

  std::string inline_of(cmark_node* parent) {
    std::string text;
    for (cmark_node* node : Children(parent)) text += inline_text(node);
    return text;
  }

  std::string inline_text(cmark_node* node) {
    switch (cmark_node_get_type(node)) {
      case CMARK_NODE_TEXT:
        return roff_text(literal(node));
      case CMARK_NODE_CODE:
        return roff_bold(literal(node));
      case CMARK_NODE_SOFTBREAK:
        return " ";
      case CMARK_NODE_LINEBREAK:
        return "\n.br\n";
      case CMARK_NODE_EMPH:
        return "\\fI" + inline_of(node) + "\\fR";
      case CMARK_NODE_STRONG:
        return "\\fB" + inline_of(node) + "\\fR";
      case CMARK_NODE_LINK:
        return inline_of(node) + said_of_link(node);
      case CMARK_NODE_IMAGE:
      case CMARK_NODE_HTML_INLINE:
        return "";
      default:
        return inline_of(node);
    }
  }

  /// Nothing where the text is where it leads already.
  std::string said_of_link(cmark_node* link) const {
    const std::string target = cmark_node_get_url(link);
    return target.ends_with(plain(link)) ? "" : wishes_.says_of_link(target);
  }

  RoffPage& page_;
  const MarkdownWishes& wishes_;
};

}  // namespace

void add_markdown(RoffPage& page, const std::string& markdown, const MarkdownWishes& wishes) {
  cmark_gfm_core_extensions_ensure_registered();
  const std::unique_ptr<cmark_parser, void (*)(cmark_parser*)> parser(
      cmark_parser_new(CMARK_OPT_DEFAULT | CMARK_OPT_VALIDATE_UTF8), cmark_parser_free);
  cmark_parser_attach_syntax_extension(parser.get(), cmark_find_syntax_extension("table"));
  cmark_parser_feed(parser.get(), markdown.data(), markdown.size());
  const std::unique_ptr<cmark_node, void (*)(cmark_node*)> root(cmark_parser_finish(parser.get()), cmark_node_free);
  MarkdownWriter(page, wishes).write_document(root.get());
}

}  // namespace nowsim

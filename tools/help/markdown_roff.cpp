// A walk along the tree.
#include "tools/help/markdown_roff.hpp"

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm.h>

#include <cstring>
#include <memory>
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
    std::vector<std::string> heads;
    for (cmark_node* row : Children(table)) {
      std::vector<std::string> cells;
      for (cmark_node* cell : Children(row)) cells.push_back(inline_of(cell));
      if (is_kind(row, "table_header"))
        heads = cells;
      else if (!cells.empty())
        page_.item(cells.front(), said_of(cells, heads));
    }
  }

  /// All cells but the first.
  static std::string said_of(const std::vector<std::string>& cells, const std::vector<std::string>& heads) {
    if (cells.size() == 2) return cells[1];
    std::string text;
    for (std::size_t k = 1; k < cells.size(); ++k)
      if (!cells[k].empty()) text += (text.empty() ? "" : "\n.br\n") + ("\\fI" + heads.at(k) + ":\\fR " + cells[k]);
    return text;
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
        return inline_of(node) + wishes_.says_of_link(cmark_node_get_url(node));
      case CMARK_NODE_IMAGE:
      case CMARK_NODE_HTML_INLINE:
        return "";
      default:
        return inline_of(node);
    }
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

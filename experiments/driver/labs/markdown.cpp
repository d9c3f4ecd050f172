// cmark's trees, cut and rendered.
#include "experiments/driver/labs/markdown.hpp"

#include <cmark.h>

#include <cstdlib>
#include <memory>

#include "experiments/driver/labs/pipe_tables.hpp"

namespace nowsim {
namespace {

constexpr int kCmarkOptions = CMARK_OPT_DEFAULT | CMARK_OPT_VALIDATE_UTF8;  // unsafe HTML is off by default

struct FreeNode {
  void operator()(cmark_node* node) const { cmark_node_free(node); }
};
using CmarkTree = std::unique_ptr<cmark_node, FreeNode>;

CmarkTree parsed_markdown(const std::string& markdown) {
  return CmarkTree(cmark_parse_document(markdown.data(), markdown.size(), kCmarkOptions));
}

std::string rendered(char* made) {
  const std::unique_ptr<char, void (*)(void*)> text(made, std::free);
  return text.get();
}

std::string heading_text(cmark_node* heading) {
  std::string text;
  for (cmark_node* part = cmark_node_first_child(heading); part != nullptr; part = cmark_node_next(part))
    if (const char* const literal = cmark_node_get_literal(part)) text += literal;
  return text;
}

/// A text on one line, without the paragraph around it.
std::string inline_html(const std::string& markdown) {
  const std::string html = rendered(cmark_render_html(parsed_markdown(markdown).get(), kCmarkOptions));
  const bool is_paragraph = html.starts_with("<p>") && html.ends_with("</p>\n");
  return is_paragraph ? html.substr(3, html.size() - 8) : html;
}

std::string table_html(const MarkdownPiece& table) {
  std::string out = "<div class=\"wide\"><table>\n<thead>";
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const std::string begin = r == 0 ? "<th scope=\"col\">" : "<td>", end = r == 0 ? "</th>" : "</td>";
    out += "<tr>";
    for (const std::string& cell : table.rows[r]) out += begin + inline_html(cell) + end;
    out += r == 0 ? "</tr></thead>\n<tbody>\n" : "</tr>\n";
  }
  return out + "</tbody>\n</table></div>\n";
}

void add_sections(const std::string& text, std::vector<MarkdownSection>& sections) {
  const CmarkTree tree = parsed_markdown(text);
  for (cmark_node* node = cmark_node_first_child(tree.get()); node != nullptr; node = cmark_node_next(node)) {
    if (cmark_node_get_type(node) == CMARK_NODE_HEADING && cmark_node_get_heading_level(node) == 2)
      sections.push_back({heading_text(node), ""});
    else
      sections.back().html += rendered(cmark_render_html(node, kCmarkOptions));
  }
}

}  // namespace

std::string markdown_html(const std::string& markdown) {
  std::string out;
  for (const MarkdownPiece& piece : pieces_of(markdown))
    out += piece.rows.empty() ? rendered(cmark_render_html(parsed_markdown(piece.text).get(), kCmarkOptions)) : table_html(piece);
  return out;
}

std::vector<MarkdownSection> markdown_sections(const std::string& markdown) {
  std::vector<MarkdownSection> sections(1);
  for (const MarkdownPiece& piece : pieces_of(markdown)) {
    if (piece.rows.empty())
      add_sections(piece.text, sections);
    else
      sections.back().html += table_html(piece);
  }
  return sections;
}

}  // namespace nowsim

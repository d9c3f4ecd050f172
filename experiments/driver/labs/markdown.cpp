// cmark-gfm's trees, cut and rendered.
#include "experiments/driver/labs/markdown.hpp"

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm.h>

#include <cctype>
#include <cstdlib>
#include <memory>
#include <sstream>

#include "experiments/driver/pictures/label.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

constexpr int kCmarkOptions = CMARK_OPT_DEFAULT | CMARK_OPT_VALIDATE_UTF8;  // unsafe HTML is off by default

/// A text's tree, of CommonMark and tables. What is rendered of it needs the parser's extensions.
class MarkdownTree {
 public:
  explicit MarkdownTree(const std::string& markdown) : parser_(cmark_parser_new(kCmarkOptions), cmark_parser_free) {
    cmark_gfm_core_extensions_ensure_registered();
    cmark_parser_attach_syntax_extension(parser_.get(), cmark_find_syntax_extension("table"));
    cmark_parser_feed(parser_.get(), markdown.data(), markdown.size());
    root_ = {cmark_parser_finish(parser_.get()), cmark_node_free};
  }
  [[nodiscard]] cmark_node* root() const { return root_.get(); }

  [[nodiscard]] std::string plain() const {
    const std::unique_ptr<char, void (*)(void*)> text(
        cmark_render_plaintext(root(), kCmarkOptions | CMARK_OPT_NOBREAKS, 0), std::free);
    return text.get();
  }

  [[nodiscard]] std::string html(cmark_node* node) const {
    const std::unique_ptr<char, void (*)(void*)> text(
        cmark_render_html(node, kCmarkOptions, cmark_parser_get_syntax_extensions(parser_.get())), std::free);
    return with_reachable_tables(text.get());
  }

 private:
  /// Wide tables can be moved to and fro, and their heads are told from their cells when they are read aloud.
  static std::string with_reachable_tables(std::string html) {
    const auto replace = [&](const std::string& what, const std::string& by) {
      for (auto at = html.find(what); at != std::string::npos; at = html.find(what, at + by.size()))
        html.replace(at, what.size(), by);
    };
    replace("<table>", "<div class=\"wide\"><table>");
    replace("</table>", "</table></div>");
    replace("<th>", "<th scope=\"col\">");
    replace("<th align", "<th scope=\"col\" align");
    replace("<th scope=\"col\"></th>", "<td></td>");
    return html;
  }

  std::unique_ptr<cmark_parser, void (*)(cmark_parser*)> parser_;
  std::unique_ptr<cmark_node, void (*)(cmark_node*)> root_{nullptr, cmark_node_free};
};

std::string heading_text(cmark_node* heading) {
  std::string text;
  for (cmark_node* part = cmark_node_first_child(heading); part != nullptr; part = cmark_node_next(part))
    if (const char* const literal = cmark_node_get_literal(part)) text += literal;
  return text;
}

}  // namespace

std::string markdown_html(const std::string& markdown) {
  const MarkdownTree tree(markdown);
  return tree.html(tree.root());
}

std::string markdown_literal(const std::string& text) {
  std::string out;
  for (const char c : one_line(text)) {
    if (std::ispunct(static_cast<unsigned char>(c)) != 0) out += '\\';
    out += c;
  }
  return out;
}

std::vector<std::string> markdown_lines(const std::string& markdown) {
  std::vector<std::string> lines;
  std::istringstream in(MarkdownTree(markdown).plain());
  for (std::string line; std::getline(in, line);)
    if (!trimmed(line).empty()) lines.push_back(line);
  return lines;
}

std::vector<MarkdownSection> markdown_sections(const std::string& markdown) {
  const MarkdownTree tree(markdown);
  std::vector<MarkdownSection> sections(1);
  for (cmark_node* node = cmark_node_first_child(tree.root()); node != nullptr; node = cmark_node_next(node)) {
    if (cmark_node_get_type(node) == CMARK_NODE_HEADING && cmark_node_get_heading_level(node) == 2)
      sections.push_back({heading_text(node), ""});
    else
      sections.back().html += tree.html(node);
  }
  return sections;
}

}  // namespace nowsim

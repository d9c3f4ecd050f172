// cmark's trees, cut and rendered.
#include "experiments/driver/labs/markdown.hpp"

#include <cmark.h>

#include <cstdlib>
#include <memory>

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

}  // namespace

std::string markdown_html(const std::string& markdown) {
  return rendered(cmark_render_html(parsed_markdown(markdown).get(), kCmarkOptions));
}

std::vector<MarkdownSection> markdown_sections(const std::string& markdown) {
  const CmarkTree tree = parsed_markdown(markdown);
  std::vector<MarkdownSection> sections(1);
  for (cmark_node* node = cmark_node_first_child(tree.get()); node != nullptr; node = cmark_node_next(node)) {
    if (cmark_node_get_type(node) == CMARK_NODE_HEADING && cmark_node_get_heading_level(node) == 2)
      sections.push_back({heading_text(node), ""});
    else
      sections.back().html += rendered(cmark_render_html(node, kCmarkOptions));
  }
  return sections;
}

}  // namespace nowsim

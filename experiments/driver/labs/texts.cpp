// Reading texts.yaml and filling in values; cmark-gfm's trees, cut and rendered.
#include "experiments/driver/labs/texts.hpp"

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <sstream>
#include <system_error>

#include "experiments/driver/pictures/label.hpp"
#include "experiments/driver/reading/yaml_tree.hpp"
#include "experiments/driver/text/html.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

const YamlNode& map_of_texts(const YamlNode& node, const std::string& file, const std::string& what) {
  if (node.kind == YamlNode::Kind::map) return node;
  throw InputError({file, node.line, ""}, what + " is no map of texts");
}

}  // namespace

Texts::Texts(const std::string& file) : file_(file) {
  const YamlNode root = read_yaml(file);
  for (const auto& [group, sentences] : map_of_texts(root, file, "this").entries)
    for (const auto& [name, sentence] : map_of_texts(sentences, file, quoted(group)).entries) {
      const std::string key = group + "." + name;
      if (sentence.kind != YamlNode::Kind::scalar) throw InputError({file, sentence.line, key}, "this is no text");
      texts_[key] = sentence.text;
    }
}

std::string Texts::say(const std::string& key, const NamedTexts& values) const {
  const auto found = texts_.find(key);
  if (found == texts_.end()) throw InputError({file_, 0, key}, "this text is missing: copy it from nowsim's texts.yaml");
  return filled_holes(found->second, [&](std::string_view name, std::string_view&) {
    const auto value = std::ranges::find(values, name, &NamedTexts::value_type::first);
    return value == values.end() ? "{" + std::string(name) + "}" : value->second;
  });
}

std::string filled_holes(std::string_view text,
                         const std::function<std::string(std::string_view inside, std::string_view& rest)>& value) {
  std::string out;
  for (std::size_t open = text.find('{'); open != text.npos; open = text.find('{')) {
    const std::size_t close = text.find('}', open);
    if (close == text.npos) break;
    out += text.substr(0, open);
    const std::string_view inside = text.substr(open + 1, close - open - 1);
    text.remove_prefix(close + 1);
    out += value(inside, text);
  }
  return out.append(text);
}

std::string path_beside(const std::string& lab_folder, const std::string& name, const std::string& shipped_labs) {
  const auto own = (std::filesystem::path(lab_folder).lexically_normal() / ".." / name).lexically_normal();
  std::error_code unreadable;
  const bool takes_own = shipped_labs.empty() || std::filesystem::exists(own, unreadable);
  return takes_own ? own.string() : (std::filesystem::path(shipped_labs) / name).string();
}

Texts texts_beside(const std::string& lab_folder) { return Texts(path_beside(lab_folder, "texts.yaml")); }

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

  [[nodiscard]] std::string html(cmark_node* node, const std::string& table_name) const {
    const std::unique_ptr<char, void (*)(void*)> text(
        cmark_render_html(node, kCmarkOptions, cmark_parser_get_syntax_extensions(parser_.get())), std::free);
    return with_reachable_tables(text.get(), table_name);
  }

 private:
  /// Wide tables can be moved to and fro, by keyboard too where they have a name, and their heads are told from their
  /// cells when they are read aloud.
  static std::string with_reachable_tables(std::string html, const std::string& name) {
    const std::string region = " tabindex=\"0\" role=\"region\" aria-label=\"" + html_text(name) + "\"";
    const auto replace = [&](const std::string& what, const std::string& by) {
      for (auto at = html.find(what); at != std::string::npos; at = html.find(what, at + by.size()))
        html.replace(at, what.size(), by);
    };
    replace("<table>", "<div class=\"wide\"" + (name.empty() ? "" : region) + "><table>");
    replace("</table>", "</table></div>");
    replace("<th>", "<th scope=\"col\">");
    replace("<th align", "<th scope=\"col\" align");
    replace("<th scope=\"col\"></th>", "<td></td>");
    return html;
  }

  std::unique_ptr<cmark_parser, void (*)(cmark_parser*)> parser_;
  std::unique_ptr<cmark_node, void (*)(cmark_node*)> root_{nullptr, cmark_node_free};
};

/// Lines that a backslash joins are one.
void add_lines(std::string code, std::vector<std::string>& lines) {
  const std::string joint = "\\\n";
  for (auto at = code.find(joint); at != code.npos; at = code.find(joint, at)) code.replace(at, joint.size(), " ");
  std::istringstream in(code);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
}

MarkdownBlock block_of(const MarkdownTree& tree, cmark_node* node, const std::string& table_name) {
  MarkdownBlock block{tree.html(node, table_name), {}, {}};
  const std::unique_ptr<cmark_iter, void (*)(cmark_iter*)> parts(cmark_iter_new(node), cmark_iter_free);
  while (cmark_iter_next(parts.get()) != CMARK_EVENT_DONE) {
    cmark_node* const part = cmark_iter_get_node(parts.get());
    if (cmark_node_get_type(part) == CMARK_NODE_CODE) block.code.emplace_back(cmark_node_get_literal(part));
    if (cmark_node_get_type(part) == CMARK_NODE_CODE_BLOCK) add_lines(cmark_node_get_literal(part), block.lines);
  }
  return block;
}

std::string heading_text(cmark_node* heading) {
  std::string text;
  for (cmark_node* part = cmark_node_first_child(heading); part != nullptr; part = cmark_node_next(part))
    if (const char* const literal = cmark_node_get_literal(part)) text += literal;
  return text;
}

}  // namespace

std::string markdown_html(const std::string& markdown, const std::string& table_name) {
  const MarkdownTree tree(markdown);
  return tree.html(tree.root(), table_name);
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

std::string MarkdownSection::html() const {
  std::string all;
  for (const MarkdownBlock& block : blocks) all += block.html;
  return all;
}

std::vector<MarkdownSection> markdown_sections(const std::string& markdown, const std::string& table_name) {
  const MarkdownTree tree(markdown);
  std::vector<MarkdownSection> sections(1);
  for (cmark_node* node = cmark_node_first_child(tree.root()); node != nullptr; node = cmark_node_next(node)) {
    if (cmark_node_get_type(node) == CMARK_NODE_HEADING && cmark_node_get_heading_level(node) == 2)
      sections.push_back({heading_text(node), {}});
    else
      sections.back().blocks.push_back(block_of(tree, node, table_name));
  }
  return sections;
}

}  // namespace nowsim

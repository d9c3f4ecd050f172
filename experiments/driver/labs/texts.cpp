// Reads texts.yaml, a map of groups of sentences, and fills in values.
#include "experiments/driver/labs/texts.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "experiments/driver/reading/yaml_tree.hpp"
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

}  // namespace nowsim

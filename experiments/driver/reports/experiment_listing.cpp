// Flattening the document for people, in the file's order.
#include "experiments/driver/reports/experiment_listing.hpp"

#include "experiments/driver/reading/settings.hpp"
#include "experiments/driver/reading/yaml_tree.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/user_file.hpp"

namespace nowsim {
namespace {

/// A value on one line, as YAML's flow style has it.
std::string flow_text(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::null:
      return "";
    case YamlNode::Kind::scalar:
      return node.text;
    case YamlNode::Kind::sequence: {
      Words items;
      for (const auto& item : node.items) items.push_back(flow_text(item));
      return "[" + joined(items) + "]";
    }
    case YamlNode::Kind::map: {
      Words entries;
      for (const auto& [key, value] : node.entries) entries.push_back(key + ": " + flow_text(value));
      return "{" + joined(entries) + "}";
    }
  }
  return "";
}

void flatten(const YamlNode& node, const std::string& key, std::vector<Parameter>& out) {
  if (node.kind != YamlNode::Kind::map) return out.push_back({key, flow_text(node)});
  for (const auto& [name, value] : node.entries) flatten(value, key + "." + name, out);
}

std::string text_of(const YamlNode& root, const std::string& key) {
  const YamlNode* node = root.find(key);
  return node == nullptr ? "" : node->text;
}

}  // namespace

ExperimentListing describe_file(const std::string& file, const std::vector<std::string>& overrides) {
  static const Words told_elsewhere{"nowsim", "title", "description", "metrics", "sweep", "figure", "claims"};
  YamlNode root = read_yaml(file);
  for (const auto& text : overrides) apply_override(root, parse_override(text));
  ExperimentListing described{
      text_of(root, "title"), text_of(root, "description"), {}, read_user_file(file, kMostDescriptionBytes)};
  for (const auto& [key, value] : root.entries)
    if (!contains(told_elsewhere, key)) flatten(value, key, described.parameters);
  return described;
}

}  // namespace nowsim

// Walking maps by dotted keys, and a sweep's items and zips.
#include "experiments/driver/reading/yaml_edit.hpp"

#include <functional>
#include <utility>

namespace nowsim {
namespace {

using Kind = YamlNode::Kind;
constexpr const char* kZip = "zip";

/// The rest of a dotted key behind an entry's name; "" where the entry does not hold it.
std::string rest_behind(const std::string& name, const std::string& key) {
  return key.starts_with(name + ".") ? key.substr(name.size() + 1) : "";
}

YamlNode empty_map() {
  YamlNode map;
  map.kind = Kind::map;
  map.line = -1;
  return map;
}

void erase_axis(YamlNode& map, const std::string& key) {
  for (auto& [name, node] : map.entries)
    if (name == kZip && node.kind == Kind::map)
      std::erase_if(node.entries, [&](const auto& entry) { return entry.first == key; });
  std::erase_if(map.entries, [&](const auto& entry) {
    const bool is_left_empty = entry.first == kZip && entry.second.kind == Kind::map && entry.second.entries.empty();
    return entry.first == key || is_left_empty;
  });
}

/// `Node` is a YamlNode, const or not.
template <class Node>
Node* axis_in(Node& map, const std::string& key) {
  for (auto& [name, node] : map.entries) {
    if (name == key) return &node;
    if (name != kZip || node.kind != Kind::map) continue;
    if (Node* found = node.find(key)) return found;
  }
  return nullptr;
}

template <class Node>
Node* axis_of_sweep(Node& sweep, const std::string& key) {
  if (sweep.kind == Kind::map) return axis_in(sweep, key);
  for (auto& item : sweep.items)
    if (Node* found = axis_in(item, key)) return found;
  return nullptr;
}

}  // namespace

YamlNode yaml_scalar(const std::string& text, bool is_quoted) {
  YamlNode node;
  node.kind = Kind::scalar;
  node.text = text;
  node.quoted = is_quoted;
  node.line = -1;
  return node;
}

YamlNode yaml_list(const std::vector<std::string>& texts) {
  YamlNode node;
  node.kind = Kind::sequence;
  node.line = -1;
  for (const auto& text : texts) node.items.push_back(yaml_scalar(text));
  return node;
}

const YamlNode* yaml_at(const YamlNode& map, const std::string& key) {
  if (const YamlNode* own = map.find(key)) return own;
  for (const auto& [name, node] : map.entries) {
    const std::string rest = rest_behind(name, key);
    if (rest.empty() || node.kind != Kind::map) continue;
    if (const YamlNode* found = yaml_at(node, rest)) return found;
  }
  return nullptr;
}

void yaml_erase(YamlNode& map, const std::string& key) {
  std::erase_if(map.entries, [&](const auto& entry) { return entry.first == key; });
  for (auto& [name, node] : map.entries) {
    const std::string rest = rest_behind(name, key);
    if (!rest.empty() && node.kind == Kind::map) yaml_erase(node, rest);
  }
}

const YamlNode* swept_values(const YamlNode& sweep, const std::string& key) { return axis_of_sweep(sweep, key); }

YamlNode* swept_values(YamlNode& sweep, const std::string& key) { return axis_of_sweep(sweep, key); }

void sweep_erase(YamlNode& sweep, const std::string& key) {
  if (sweep.kind == Kind::map) return erase_axis(sweep, key);
  for (auto& item : sweep.items) erase_axis(item, key);
  std::erase_if(sweep.items, [](const YamlNode& item) { return item.kind == Kind::map && item.entries.empty(); });
}

void sweep_first(YamlNode& sweep, const std::string& key, YamlNode values) {
  if (sweep.kind != Kind::sequence) {
    YamlNode list;
    list.kind = Kind::sequence;
    list.line = sweep.line;
    if (sweep.kind == Kind::map && !sweep.entries.empty()) list.items.push_back(std::move(sweep));
    sweep = std::move(list);
  }
  YamlNode axis = empty_map();
  axis.entries.emplace_back(key, std::move(values));
  sweep.items.insert(sweep.items.begin(), std::move(axis));
}

}  // namespace nowsim

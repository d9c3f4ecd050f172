// Telling misspelt blocks from keys that stand in no block.
#include "experiments/driver/points/unknown_blocks.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "experiments/driver/points/key_reference.hpp"
#include "experiments/driver/reading/experiment_keys.hpp"
#include "experiments/driver/reading/settings.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

using Entry = std::pair<std::string, YamlNode>;

std::string first_part(const std::string& key) { return key.substr(0, key.find('.')); }

/// The dotted key of the only value that stands there; where there are several, or lists, that of them all.
std::pair<std::string, const YamlNode*> only_key(const Entry& entry) {
  std::pair<std::string, const YamlNode*> only{entry.first, &entry.second};
  while (only.second->kind == YamlNode::Kind::map && only.second->entries.size() == 1) {
    const auto& [name, node] = only.second->entries.front();
    only = {only.first + "." + name, &node};
  }
  return only;
}

/// The keys of blocks that the document has, or all if it has none of them.
Words keys_at_hand(const YamlNode& root, const Words& all, const std::string& key) {
  Words at_hand;
  for (const auto& name : near_names(key, all)) {
    const auto is_its_block = [&](const Entry& entry) { return first_part(entry.first) == first_part(name); };
    if (std::ranges::any_of(root.entries, is_its_block)) at_hand.push_back(name);
  }
  return at_hand.empty() ? all : at_hand;
}

/// The block that is meant by a misspelt name; "" where none is.
std::string meant_block(const std::string& name, const Words& blocks) {
  const Words near = near_names(name, blocks);
  return near.size() == 1 ? near.front() : "";
}

bool has_block(const YamlNode& root, const std::string& block) {
  return std::ranges::any_of(root.entries, [&](const Entry& entry) { return first_part(entry.first) == block; });
}

/// Takes away what the document has already below this key.
void drop_known(YamlNode& node, const std::string& key, const Settings& known) {
  std::erase_if(node.entries, [&](Entry& entry) {
    const std::string below = key + "." + entry.first;
    drop_known(entry.second, below, known);
    return known.contains(below);
  });
}

/// `block` is the one that is meant, or "".
void note_unknown(const YamlNode& root, const std::string& file, const Entry& entry, const std::string& block,
                  const Registries& registries, Problems& problems) {
  const auto [key, node] = only_key(entry);
  std::string hint = "; did you mean " + quoted(block + key.substr(first_part(key).size())) + "?";
  if (block.empty()) hint = did_you_mean(key, keys_at_hand(root, all_keys(registries), key));
  if (hint.empty()) hint = "; there are: " + joined(words_in(experiment_keys()));
  problems.add(place_of(*node, file, key), "this key is not known" + hint);
}

}  // namespace

void settle_unknown_blocks(YamlNode& root, const std::string& file, const Registries& registries, Problems& problems) {
  const Words blocks = words_in(experiment_keys());
  const Words whole{"sweep", "figure", "claims"};  // which do not come in parts
  const YamlNode written = root;
  Settings known;
  for (const auto& [key, node] : written.entries) flatten(node, file, key, known);  // other problems are told later
  std::erase_if(root.entries, [&](Entry& entry) {
    const std::string name = first_part(entry.first);
    if (contains(blocks, name)) return false;
    const std::string block = meant_block(name, blocks);
    note_unknown(written, file, entry, block, registries, problems);
    entry.first = block + entry.first.substr(name.size());
    if (block.empty() || (contains(whole, block) && has_block(written, block))) return true;
    drop_known(entry.second, entry.first, known);
    return known.contains(entry.first);
  });
}

}  // namespace nowsim

// Making a map's entries settings.
#include "experiments/driver/reading/map_block.hpp"

#include <algorithm>

#include "experiments/driver/text/name_lists.hpp"

namespace nowsim {

bool check_is_map(const YamlNode& node, const std::string& file, const std::string& name, const char* example,
                  std::vector<std::string>& problems) {
  if (node.kind == YamlNode::Kind::map) return true;
  const std::string sentence = std::string("a map of keys and values is wanted here, such as ") + example;
  problems.emplace_back(InputError(place_of(node, file, name), sentence).what());
  return false;
}

MapBlock::MapBlock(const YamlNode& node, const std::string& file, const std::string& name, const KeyTable& keys)
    : node_(node),
      file_(file),
      name_(name),
      keys_(keys),
      reading_{settings_, problems_, asked_, formulas_, {}, place_of(node, file, name)},
      read_(reading_, {name}, keys) {
  for (const auto& [key, value] : node.entries) {
    values_.emplace(key, &value);
    const auto row = std::ranges::find(keys, key, &Key::name);
    if (row == keys.end() || (row->type == KeyType::block && row->is_list)) continue;
    for (const auto& problem : flatten(value, file, name.empty() ? key : name + "." + key, settings_)) problems_.add(problem);
  }
}

Place MapBlock::place(const std::string& key) const {
  const auto value = key.empty() ? values_.end() : values_.find(key);
  const std::string full = name_.empty() || key.empty() ? name_ + key : name_ + "." + key;
  return place_of(value != values_.end() ? *value->second : node_, file_, full);
}

void MapBlock::note_unknown(const std::string& beginning) {
  constexpr std::size_t kEnough = 100;  // problems: more are not listed
  const Words known = words_in(keys_);
  for (const auto& [key, value] : node_.entries) {
    if (contains(known, key)) continue;
    const bool is_listed = problems_.list().size() < kEnough;
    problem(key, "this key is not known" + (is_listed ? did_you_mean(key, known, beginning) : ""));
  }
}

void read_placed(MapBlock& block, const std::string& key, std::string& text, Place& place) {
  if (!block.has(key)) return;
  text = block.read().text(key);
  place = block.place(key);
}

}  // namespace nowsim

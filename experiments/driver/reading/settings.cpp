// Flattening a document, and applying flags to it.
#include "experiments/driver/reading/settings.hpp"

#include <algorithm>
#include <utility>

#include "experiments/driver/reading/figure.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

/// "a.csv: there is no such file, nor b.csv, c.csv, d.csv and 7 more."
std::string missing_text(const std::vector<std::string>& files) {
  constexpr std::size_t kMost = 4;
  std::string text = files.front() + ": there is no such file";
  for (std::size_t i = 1; i < std::min(files.size(), kMost); ++i) text += (i == 1 ? ", nor " : ", ") + files[i];
  return text + (files.size() > kMost ? " and " + std::to_string(files.size() - kMost) + " more." : ".");
}

bool is_dotted_key(const std::string& key) {
  return !key.empty() && key.front() != '.' && key.back() != '.' && key.find("..") == std::string::npos;
}

using Kind = YamlNode::Kind;

void mark_as_override(YamlNode& node) {
  node.line = -1;
  for (auto& item : node.items) mark_as_override(item);
  for (auto& entry : node.entries) mark_as_override(entry.second);
}

/// The longest entry of the map that is `key` or a dotted beginning of it.
std::pair<std::string, YamlNode>* longest_match(YamlNode& map, const std::string& key) {
  std::pair<std::string, YamlNode>* best = nullptr;
  for (auto& entry : map.entries) {
    const std::string& name = entry.first;
    const bool fits = key == name || (key.size() > name.size() && key.compare(0, name.size(), name) == 0 && key[name.size()] == '.');
    if (fits && (best == nullptr || name.size() > best->first.size())) best = &entry;
  }
  return best;
}

bool holds_whole_keys(const std::string& section) { return section == "sweep" || section == "let"; }

/// Into a sweep that is a list of maps: where the axis stands, else as an item of its own.
void set_in_items(YamlNode& list, const std::string& key, const YamlNode& value) {
  for (auto& item : list.items)
    for (auto& [name, axis] : item.entries)
      if (name == key) {
        axis = value;
        return;
      }
  list.items.emplace_back(Kind::map, "", false, -1).entries.emplace_back(key, value);
}

void set_in(YamlNode& map, const std::string& key, const YamlNode& value, bool whole) {
  map.kind = Kind::map;
  auto* match = longest_match(map, key);
  if (match != nullptr && match->first == key) {
    match->second = value;
    return;
  }
  if (match != nullptr && match->first == "sweep" && match->second.kind == Kind::sequence)
    return set_in_items(match->second, key.substr(match->first.size() + 1), value);
  const bool into = match != nullptr && (match->second.kind == Kind::map || match->second.kind == Kind::null);
  if (into) return set_in(match->second, key.substr(match->first.size() + 1), value, whole || holds_whole_keys(match->first));
  const auto dot = key.find('.');
  if (whole || dot == std::string::npos) {
    map.entries.emplace_back(key, value);
    return;
  }
  const std::string first = key.substr(0, dot);
  YamlNode& made = map.entries.emplace_back(first, YamlNode(Kind::null, "", false, -1)).second;
  set_in(made, key.substr(dot + 1), value, holds_whole_keys(first));
}

/// Lists hold scalars only; a broken one is reported once, where the first wrong item stands.
void flatten_list(const YamlNode& node, const std::string& file, const std::string& key, Settings& out,
                  Problems& problems) {
  Setting setting{{}, true, false, place_of(node, file, key)};
  for (const auto& item : node.items) {
    if (item.kind != Kind::scalar) {
      out[key] = broken_setting(setting.place);
      return problems.add(place_of(item, file, key), "a list here holds plain values, not lists or maps");
    }
    setting.texts.push_back(item.text);
    setting.quoted_items.push_back(item.quoted);
  }
  out[key] = std::move(setting);
}

}  // namespace

void Problems::add(const InputProblem& problem) {
  ++found_;
  if (seen_.insert(problem.text()).second) list_.push_back(problem);
}

bool Problems::found_again(const std::string& beginning) {
  const auto next = seen_.lower_bound(beginning);
  const bool is_known = next != seen_.end() && next->starts_with(beginning);
  found_ += is_known ? 1 : 0;
  return is_known;
}

void Problems::add_missing(const Place& place, const std::string& file) {
  ++found_;
  if (!missing_.insert(file).second) return;
  const auto [here, is_new] = missing_at_.try_emplace(place.text(), MissingFiles{list_.size(), {}});
  if (is_new) list_.emplace_back();
  here->second.files.push_back(file);
  list_[here->second.position] = {place, missing_text(here->second.files)};
}

Override parse_override(const std::string& text) {
  const auto equals = text.find('=');
  const std::string key{trimmed(std::string_view(text).substr(0, equals))};
  if (equals == std::string::npos || key.empty())
    throw InputError(Place{kOverridePlace, 0, ""}, quoted(text) + " is not of the form key=value");
  if (!is_dotted_key(key))
    throw InputError(Place{kOverridePlace, 0, ""},
                     quoted(key) + " is not a key: words with single dots between, such as owner.TH");
  Override out{key, {}};
  try {
    out.value = parse_yaml(text.substr(equals + 1), kOverridePlace);
  } catch (const InputError& e) {
    const bool is_size = out.key == "figure.size";  // 16:9 is a ratio there, and neither a time nor a number
    throw InputError(Place{kOverridePlace, 0, out.key}, is_size ? kSizeWanted : e.sentence());
  }
  if (out.value.kind == YamlNode::Kind::null)
    throw InputError(Place{kOverridePlace, 0, out.key}, "there is no value behind '='");
  return out;
}

void apply_override(YamlNode& document, const Override& override) {
  YamlNode value = override.value;
  mark_as_override(value);
  set_in(document, override.key, value, false);
}

void flatten(const YamlNode& node, const std::string& file, const std::string& prefix, Settings& out,
             Problems& problems) {
  const Place place = place_of(node, file, prefix);
  switch (node.kind) {
    case Kind::map:
      for (const auto& [key, child] : node.entries)
        flatten(child, file, prefix.empty() ? key : prefix + "." + key, out, problems);
      break;
    case Kind::sequence: return flatten_list(node, file, prefix, out, problems);
    case Kind::scalar: out[prefix] = Setting{{node.text}, false, node.quoted, place}; break;
    case Kind::null:
      out[prefix] = broken_setting(place);
      problems.add(place, "there is no value behind this key");
  }
}

std::ranges::subrange<Settings::const_iterator> settings_below(const Settings& settings, const std::string& block) {
  return {settings.lower_bound(block + "."), settings.lower_bound(block + "/")};  // '/' is the character behind '.'
}

Setting broken_setting(const Place& place) {
  Setting setting{{}, false, false, place};
  setting.broken = true;
  return setting;
}

bool is_formula(const Setting& setting) {
  return !setting.is_list && !setting.quoted && !setting.broken && !setting.texts.front().empty() &&
         setting.texts.front().front() == '=';
}

Place place_of(const YamlNode& node, const std::string& file, const std::string& key) {
  return node.line < 0 ? Place{kOverridePlace, 0, key} : Place{file, node.line, key};
}

}  // namespace nowsim

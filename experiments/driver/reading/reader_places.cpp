// Finding a key in its scopes and in its table, and the place where it is or would be.
#include <algorithm>
#include <stdexcept>

#include "experiments/driver/reading/reader.hpp"
#include "sim/base/user_file.hpp"

namespace nowsim {
namespace {

bool is_text_key(const Key& key) { return key.type == KeyType::text || key.type == KeyType::word; }

/// Where a block's first key stands, or nothing where it has none.
std::optional<Place> first_in(const Settings& settings, const std::string& block) {
  std::optional<Place> first;
  for (auto it = settings.lower_bound(block + "."); it != settings.end() && it->first.starts_with(block + "."); ++it)
    if (const Place& place = it->second.place; !first || place.line < first->line)
      first = Place{place.file, place.line, block};
  return first;
}

std::string text_wanted(const std::string& kind, const Place& found) {
  const std::string sentence = "a text is wanted here, not a list or map";
  if (kind != "map") return sentence;
  return sentence + "; one that holds ': ' stands in quotes" +
         (found.file == kOverridePlace ? ", inside the shell's: '" + found.key + "=\"A: B\"'" : "");
}

}  // namespace

const Key& Reader::row(const std::string& name) const {
  const auto found = std::ranges::find(keys_, name, &Key::name);
  if (found == keys_.end()) throw std::logic_error("no table of keys has '" + name + "'");
  return *found;
}

const Setting* Reader::find(const std::string& name) {
  const Setting* first = nullptr;
  for (const auto& scope : scopes_) {
    const std::string key = scope.empty() ? name : scope + "." + name;
    reading_.asked.insert(key);
    const auto it = reading_.settings.find(key);
    if (first == nullptr && it != reading_.settings.end()) first = &it->second;
  }
  return first;
}

Place Reader::place(const std::string& name) {
  if (const Setting* setting = find(name)) return setting->place;
  const std::string block = scopes_.front().empty() ? "" : scopes_.front() + ".";
  if (reading_.block && name.empty()) return *reading_.block;
  if (reading_.block) return {reading_.block->file, reading_.block->line, block + name};
  if (const auto dot = name.rfind('.'); dot != std::string::npos)  // of a block in the section, perhaps a flag's
    if (const auto first = first_in(reading_.settings, block + name.substr(0, dot)))
      return {first->file, first->line, block + name};
  // Where the block begins, if any of it was written; else at least the file.
  Place place;
  for (const auto& [key, setting] : reading_.settings) {
    if (setting.place.file == kOverridePlace) continue;
    place.file = setting.place.file;
    const bool inside = !block.empty() && key.rfind(block, 0) == 0;
    if (inside && (place.line == 0 || setting.place.line < place.line)) place.line = setting.place.line;
  }
  place.key = block + name;
  return place;
}

bool Reader::has_block(const std::string& name) const {
  return std::any_of(scopes_.begin(), scopes_.end(), [&](const std::string& scope) {
    const std::string block = scope.empty() ? name : scope + "." + name;
    const auto below = reading_.settings.lower_bound(block + ".");
    return reading_.settings.contains(block) ||
           (below != reading_.settings.end() && below->first.rfind(block + ".", 0) == 0);
  });
}

void Reader::excuse_all() {
  for (const auto& scope : scopes_) find_in_block(scope);
}

void Reader::excuse(const std::string& block) {
  for (const auto& scope : scopes_) find_in_block(scope.empty() ? block : scope + "." + block);
}

/// Where a block's first key stands, or nothing where it has none; all of its keys are known then.
std::optional<Place> Reader::find_in_block(const std::string& block) {
  for (auto it = reading_.settings.lower_bound(block + "."); it != reading_.settings.end(); ++it) {
    if (it->first.rfind(block + ".", 0) != 0) break;
    reading_.asked.insert(it->first);
  }
  return first_in(reading_.settings, block);
}

/// A formula's values, which differ from point to point, are told of the first: the problem is one.
void Reader::problem(const std::string& name, const std::string& sentence) {
  const std::string missing = std::string(": ") + kNoSuchFile;  // owner models hand it over as it is
  if (sentence.ends_with(missing))
    return reading_.problems.add_missing(place(name), sentence.substr(0, sentence.size() - missing.size()));
  const std::string found = InputError(place(name), sentence).what();
  if (!reading_.problems.found_again(found + "; " + name + " is ")) reading_.problems.add(found + written(name));
}

/// Whether the section is one: after `platform: x` none of its keys is missing, the section is wrong.
bool Reader::is_section_readable() const { return !reading_.settings.contains(scopes_.front()); }

/// Where this key stands if it was written as a map.
std::optional<Place> Reader::find_below(const std::string& name) {
  for (const auto& scope : scopes_)
    if (auto first = find_in_block(scope.empty() ? name : scope + "." + name)) return first;
  return {};
}

/// Null where it is not given, and after a problem. `hint` says what would be right where it is missing.
const Setting* Reader::find_scalar(const std::string& name, bool required, const std::string& hint) {
  const auto not_one_value = [&](const Place& found, const std::string& kind) {
    const bool is_text = reading_.block && std::ranges::find(keys_, name, &Key::name) != keys_.end() && is_text_key(row(name));
    reading_.problems.add(found, is_text ? text_wanted(kind, found)
                                         : "one value is wanted here, not a " + kind +
                                               (reading_.block ? "" : " (to sweep it, put the " + kind + " under 'sweep:')"));
  };
  const Setting* setting = find(name);
  if (setting == nullptr) {
    if (const auto below = find_below(name)) not_one_value(*below, "map");
    else if (required && is_section_readable()) problem(name, "this key is missing" + hint);
    return nullptr;
  }
  if (setting->broken) return nullptr;
  if (!setting->is_list) return setting;
  not_one_value(setting->place, "list");
  return nullptr;
}

const Setting* Reader::find_list(const std::string& name) {
  const Setting* setting = find(name);
  if (setting != nullptr) return setting;
  if (const auto below = find_below(name)) reading_.problems.add(*below, "a list of values is wanted here, not a map");
  return nullptr;
}

std::vector<std::string> Reader::names_below(const std::string& block) const {
  std::vector<std::string> names;
  const std::string above = (scopes_.front().empty() ? block : scopes_.front() + "." + block) + ".";
  for (auto it = reading_.settings.lower_bound(above); it != reading_.settings.end(); ++it) {
    if (!it->first.starts_with(above)) break;
    names.push_back(it->first.substr(above.size()));
  }
  return names;
}

}  // namespace nowsim

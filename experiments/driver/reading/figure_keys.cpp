// The tables of the keys that kinds of figures share, and kinds' own put in.
#include "experiments/driver/reading/figure_keys.hpp"

#include <algorithm>

#include "experiments/driver/reading/figure_print.hpp"

namespace nowsim {
namespace {

using KeyNames = std::vector<std::string>;

KeyNames joined_names(KeyNames names, const KeyNames& more) {
  names.insert(names.end(), more.begin(), more.end());
  return names;
}

void add_own(KeyTable& keys, const std::vector<OwnKey>& own) {
  for (const auto& [key, behind] : own) keys.insert(std::ranges::find(keys, behind, &Key::name) + 1, key);
}

/// Rows say which kinds have them; those that all have say nothing.
void name_kinds(KeyTable& keys, FigureKinds kinds, KeyNames (*of)(const FigureKind&)) {
  for (auto& key : keys) {
    std::size_t count = 0;
    for (const auto& kind : kinds) {
      if (std::ranges::count(of(kind), key.name) == 0) continue;
      key.of += (key.of.empty() ? "" : " or ") + kind.name;
      ++count;
    }
    if (count == kinds.size()) key.of.clear();
  }
}

Key scale_key(const char* name, const char* help) {
  return {name, KeyType::word, "linear", help, {}, {"linear", "log"}};
}

Key unit_key(const char* name, const char* help) {
  return {name, KeyType::word, "fitting", help, {}, time_axis_units()};
}

}  // namespace

const std::vector<std::string>& time_axis_units() {
  static const std::vector<std::string> all{"fitting", "us", "ms", "s", "min", "h", "d"};
  return all;
}

std::vector<std::string> keys_of(const FigureKind& kind) {
  KeyNames names = joined_names({"kind", "x_label", "where", "panels"}, kind.keys);
  for (const auto& key : figure_print_keys()) names.push_back(key.name);
  return names;
}

std::vector<std::string> panel_keys_of(const FigureKind& kind) {
  return joined_names({"label", "title", "where"}, kind.panel_keys);
}

KeyTable figure_keys(FigureKinds kinds) {
  KeyTable keys{
      {"kind", KeyType::word, kinds.front().name, "what is drawn", {}, words_in(kinds)},
      {"x", KeyType::text, kMustBeGiven, "the swept key of the x axis"},
      {"x_label", KeyType::text, "", "its text; key and unit where it is not given"},
      {"x_metric", KeyType::text, "", "the metric that says where on it points lie; the key's values where not given"},
      scale_key("x_scale", "of the x axis"),
      unit_key("x_unit", "of times on it; fitting: minutes, hours or days where all are long"),
      {"x_labels", KeyType::block, "", "texts for its values"},
      {"y", KeyType::text, kMustBeGiven, "the swept key of the y axis"},
      {"y_label", KeyType::text, "", "its text"},
      scale_key("y_scale", "of the y axis"),
      unit_key("y_unit", "of times on it"),
      {"y_labels", KeyType::block, "", "texts for its values"},
      {"series", KeyType::text, "", "the swept key that tells curves apart; of winners, whose values compete"},
      {"series_label", KeyType::text, "", "stands before its values in the legend"},
      {"labels", KeyType::block, "", "texts for its values; of workstations, for metrics"},
      {"where", KeyType::block, "", "swept keys and the one value of each that is drawn"},
      {"same_scale", KeyType::word, "false", "whether panels of one metric have one range of y", {}, flag_words()},
      {"panels", KeyType::block, kMustBeGiven, "side by side: a block each", {}, {}, true}};
  const KeyTable print = figure_print_keys();
  keys.insert(keys.end() - 1, print.begin(), print.end());
  for (const auto& kind : kinds) add_own(keys, kind.own_keys);
  name_kinds(keys, kinds, keys_of);
  return keys;
}

KeyTable panel_keys(FigureKinds kinds) {
  KeyTable keys{
      {"metric", KeyType::text, kMustBeGiven, "what is drawn"},
      {"metrics", KeyType::text, kMustBeGiven, "up to three metrics per workstation", {}, {}, true},
      {"shows", KeyType::word, "value", "the metric, or its interval", {}, {"value", "half-width"}},
      {"label", KeyType::text, "", "the text of its axis; name and unit where it is not given"},
      {"x_label", KeyType::text, "", "of this panel's own x axis"},
      {"x_metric", KeyType::text, "", "as the figure's, for this panel"},
      {"title", KeyType::text, "", "above the panel"},
      scale_key("scale", "of the metric's axis"),
      unit_key("unit", "of times on it"),
      {"theory", KeyType::text, "", "up to three exact metrics, drawn as thin lines", {}, {}, true},
      {"where", KeyType::block, "", "as the figure's, for this panel"}};
  for (const auto& kind : kinds) add_own(keys, kind.own_panel_keys);
  name_kinds(keys, kinds, panel_keys_of);
  return keys;
}

}  // namespace nowsim

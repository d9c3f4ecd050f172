// The tables of figures' keys.
#include "experiments/driver/reading/figure_keys.hpp"

#include <algorithm>

namespace nowsim {
namespace {

using KeyNames = std::vector<std::string>;

/// A table whose rows say which kinds have them; those that all have say nothing.
KeyTable for_kinds(KeyTable keys, KeyNames FigureKindInfo::* of) {
  for (auto& key : keys) {
    std::size_t kinds = 0;
    for (const auto& info : figure_kinds()) {
      if (std::ranges::count(info.*of, key.name) == 0) continue;
      key.of += (key.of.empty() ? "" : " or ") + info.name;
      ++kinds;
    }
    if (kinds == figure_kinds().size()) key.of.clear();
  }
  return keys;
}

Key scale_key(const char* name, const char* help) {
  return {name, KeyType::word, "linear", help, {}, {"linear", "log"}};
}

}  // namespace

const std::vector<FigureKindInfo>& figure_kinds() {
  using enum FigureKind;
  static const KeyNames all{"kind", "x_label", "where", "panels"}, all_panels{"label", "title", "where"};
  const auto with = [](KeyNames names, const KeyNames& more) {
    names.insert(names.end(), more.begin(), more.end());
    return names;
  };
  static const std::vector<FigureKindInfo> kinds{
      {curves, "curves", "metrics over a swept key, a curve for each value of another",
       with(all, {"x", "x_scale", "x_metric", "series", "series_label", "labels", "same_scale"}),
       with(all_panels, {"metric", "shows", "scale", "x_label", "x_metric", "theory"})},
      {surface, "surface", "metrics over two swept keys", with(all, {"x", "x_scale", "y", "y_label", "y_scale"}),
       with(all_panels, {"metric", "shows", "scale"})},
      {winners, "winners", "over two swept keys, which value of a third is best, and by how much",
       with(all, {"x", "x_labels", "y", "y_label", "y_labels", "series", "series_label", "labels", "against"}),
       with(all_panels, {"metric", "best"})},
      {workstations, "workstations", "metrics of each workstation of a point",
       with(all, {"sort", "labels", "same_scale"}), with(all_panels, {"metrics", "scale"})}};
  return kinds;
}

const KeyTable& figure_keys() {
  static const KeyTable keys = for_kinds(
      {{"kind", KeyType::word, "curves", "what is drawn", {}, words_in(figure_kinds())},
       {"x", KeyType::text, kMustBeGiven, "the swept key of the x axis"},
       {"x_label", KeyType::text, "", "its text; key and unit where it is not given"},
       {"x_metric", KeyType::text, "", "the metric that says where on it points lie; the key's values where not given"},
       scale_key("x_scale", "of the x axis"),
       {"x_labels", KeyType::block, "", "texts for its values"},
       {"y", KeyType::text, kMustBeGiven, "the swept key of the y axis"},
       {"y_label", KeyType::text, "", "its text"},
       scale_key("y_scale", "of the y axis"),
       {"y_labels", KeyType::block, "", "texts for its values"},
       {"series", KeyType::text, "", "the swept key that tells curves apart; of winners, whose values compete"},
       {"series_label", KeyType::text, "", "stands before its values in the legend"},
       {"labels", KeyType::block, "", "texts for its values; of workstations, for metrics"},
       {"sort", KeyType::text, "", "the metric by whose falling value they stand; as on the platform where not given"},
       {"against", KeyType::text, "", "the value that the best is compared with; the second best where not given"},
       {"where", KeyType::block, "", "swept keys and the one value of each that is drawn"},
       {"same_scale", KeyType::word, "false", "whether panels of one metric have one range of y", {}, kFlagWords},
       {"panels", KeyType::block, kMustBeGiven, "side by side: a block each", {}, {}, true}},
      &FigureKindInfo::keys);
  return keys;
}

const KeyTable& panel_keys() {
  static const KeyTable keys = for_kinds(
      {{"metric", KeyType::text, kMustBeGiven, "what is drawn"},
       {"metrics", KeyType::text, kMustBeGiven, "up to three metrics per workstation", {}, {}, true},
       {"shows", KeyType::word, "value", "the metric, or its interval", {}, {"value", "half-width"}},
       {"label", KeyType::text, "", "the text of its axis; name and unit where it is not given"},
       {"x_label", KeyType::text, "", "of this panel's own x axis"},
       {"x_metric", KeyType::text, "", "as the figure's, for this panel"},
       {"title", KeyType::text, "", "above the panel"},
       scale_key("scale", "of the metric's axis"),
       {"best", KeyType::word, "lowest", "which value wins", {}, {"lowest", "highest"}},
       {"theory", KeyType::text, "", "up to three exact metrics, drawn as thin lines", {}, {}, true},
       {"where", KeyType::block, "", "as the figure's, for this panel"}},
      &FigureKindInfo::panel_keys);
  return keys;
}

}  // namespace nowsim

#include "experiments/driver/reading/figure.hpp"

#include <algorithm>
#include <set>

#include "experiments/driver/reading/reader.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

using Kind = YamlNode::Kind;

constexpr std::size_t kMostTheories = 3;       // of a panel: more dashes are hard to tell apart
constexpr std::size_t kMostWidePanels = 3;     // side by side: more are too wide to read
constexpr std::size_t kMostMarks = 3;          // metrics per workstation, likewise

/// Whether a node is a map; else that is noted, with an example of one.
bool check_is_map(const YamlNode& node, const std::string& file, const std::string& name, const char* example,
                  Problems& problems) {
  if (node.kind == YamlNode::Kind::map) return true;
  const std::string sentence = std::string("a map of keys and values is wanted here, such as ") + example;
  problems.add(place_of(node, file, name), sentence);
  return false;
}

/// A text that may be left out whatever the table says, and where it stands.
void read_placed(MapBlock& block, const std::string& key, std::string& text, Place& place) {
  if (!block.has(key)) return;
  text = block.read().text(key);
  place = block.place(key);
}

void read_labels(MapBlock& block, const std::string& key, FigureAxis& axis) {
  const YamlNode* node = block.node().find(key);
  if (node == nullptr || node->kind == Kind::null) return;
  if (node->kind != Kind::map)
    return block.problem(key, "a map of values and their texts is wanted here, such as {0.5: half}");
  axis.labels_place = block.place(key);
  for (const auto& [value, label] : node->entries) axis.labels[value] = block.read().text(key + "." + value);
}

/// Dotted keys may be written whole or nested.
std::vector<FigureCondition> read_conditions(MapBlock& block) {
  std::vector<FigureCondition> out;
  const YamlNode* node = block.node().find("where");
  if (node == nullptr || node->kind == Kind::null) return out;
  if (node->kind != Kind::map) {
    block.problem("where", "a map of swept keys and one value each is wanted here, such as {owner.TH: 0.28}");
    return out;
  }
  for (const auto& name : block.read().names_below("where"))
    out.push_back({name, block.read().text("where." + name), block.read().place("where." + name)});
  return out;
}

/// One metric, or a list of up to three.
std::vector<std::string> read_metrics_of(MapBlock& block, const std::string& key, std::size_t most, const char* example) {
  const YamlNode* node = block.node().find(key);
  if (node == nullptr || node->kind == Kind::null) return {};
  const bool is_wrong_list = node->kind == Kind::sequence && (node->items.empty() || node->items.size() > most);
  if (node->kind == Kind::map || is_wrong_list) {
    block.problem(key, std::string("a metric or a list of up to three is wanted here, such as ") + example);
    return {};
  }
  auto names = block.read().texts(key);
  std::set<std::string> before;
  for (const auto& name : names)
    if (!before.insert(name).second) block.problem(key, quoted(name) + " is given twice");
  return names;
}

/// Keys that belong to other kinds of figures.
void refuse_others(MapBlock& block, const KeyTable& table, const FigureKind& kind,
                   const std::vector<std::string>& own) {
  for (const auto& key : table) {
    if (!block.has(key.name) || std::ranges::count(own, key.name) > 0) continue;
    const bool is_y = kind.has("x") && !kind.has("y") && key.name[0] == 'y';
    block.problem(key.name, "this key belongs to kind: " + key.of +
                                (is_y ? "; a metric's label and scale stand in its panel" : ""));
  }
}

/// In which times are told; "" where that is left to them.
void read_unit(MapBlock& block, const std::string& key, std::string& unit, Place& place) {
  const std::size_t word = block.read().word(key);
  if (word > 0) unit = time_axis_units()[word];
  place = block.place(key);
}

void read_level(MapBlock& block, FigurePanel& panel) {
  Reader& read = block.read();
  const auto problems = read.reading().problems.found();
  if (block.has("level")) panel.level = read.value("level");
  const bool is_read = read.reading().problems.found() == problems;
  if (panel.level && is_read && *panel.level <= 0 && read.known_word("scale") == 1)
    block.problem("level", "a log scale cannot show a level of 0 or below, such as " + number_text(*panel.level));
  panel.level_label = read.text("level_label");
  if (!panel.level && !panel.level_label.empty())
    block.problem("level_label", "there is no level that it is the text of");
}

constexpr Bounds kLength_mm{30, 500}, kLetters_pt{4, 36};

/// "85" or "85mm"; nothing where it is neither.
std::optional<double> length_mm(std::string text) {
  if (text.ends_with("mm")) text = trimmed(text.substr(0, text.size() - 2));
  const auto value = to_number(text);
  return value && *value >= kLength_mm.least && *value <= kLength_mm.most ? value : std::nullopt;
}

/// A side of the page; words are widths.
std::optional<double> side_mm(const std::string& text, bool is_width) {
  if (is_width && text == "single") return kSingleColumn_mm;
  if (is_width && text == "double") return kDoubleColumn_mm;
  return length_mm(text);
}

void read_size(MapBlock& block, FigurePrint& out) {
  if (!block.has("size")) return;
  const auto sides = block.read().texts("size");
  if (sides.empty() || sides.size() > 2) return block.problem("size", kSizeWanted);
  const auto width = side_mm(sides.front(), true), height = side_mm(sides.back(), false);
  if (!width || (sides.size() == 2 && !height)) return block.problem("size", kSizeWanted);
  out.width_mm = *width;
  if (sides.size() == 2) out.height_mm = *height;
}

FigurePrint read_print(MapBlock& block) {
  FigurePrint out;
  Reader& read = block.read();
  if (block.has("title")) {
    const std::string title = read.text("title");
    out.title = title == "none" ? "" : title;
  }
  read_size(block, out);
  if (block.has("font_size")) out.letters_pt = read.value("font_size");
  out.has_footer = read.flag("footer");
  return out;
}

FigurePanel read_panel(MapBlock& block, const KeyTable& table, const FigureKind& kind) {
  FigurePanel panel;
  Reader& read = block.read();
  panel.place = block.place(block.has("metric") ? "metric" : block.has("metrics") ? "metrics" : "");
  if (block.has("metric")) panel.metric = read.text("metric");
  panel.metrics = read_metrics_of(block, "metrics", kMostMarks, "p_i");
  panel.half_width = read.word("shows") == 1;
  panel.label = read.text("label");
  panel.x_label = read.text("x_label");
  read_placed(block, "x_metric", panel.x_metric, panel.x_metric_place);
  panel.title = read.text("title");
  panel.log = read.word("scale") == 1;
  read_unit(block, "unit", panel.unit, panel.unit_place);
  panel.highest_is_best = kind.has_in_panels("best") && read.word("best") == 1;
  if (kind.has_in_panels("level")) read_level(block, panel);
  panel.theory = read_metrics_of(block, "theory", kMostTheories, "tau_renewal");
  panel.theory_place = block.place("theory");
  panel.where = read_conditions(block);
  block.note_unknown("figure.panels.");
  if (!kind.shows_times && !block.has("metric") && !block.has("metrics"))
    block.problem("", "a panel needs a metric, such as {metric: tau}");
  if (panel.half_width && !panel.theory.empty())
    block.problem("theory", "theory has no interval to show the half-width of");
  refuse_others(block, table, kind, panel_keys_of(kind));
  return panel;
}

void read_axis(MapBlock& block, const std::string& name, FigureAxis& axis) {
  read_placed(block, name, axis.key, axis.place);
  axis.label = block.read().text(name + "_label");
  axis.log = block.read().word(name + "_scale") == 1;
  read_unit(block, name + "_unit", axis.unit, axis.unit_place);
  read_labels(block, name + "_labels", axis);
}

void check_panels(MapBlock& block, const FigureKind& kind) {
  const YamlNode* panels = block.node().find("panels");
  if (panels == nullptr) return;
  const std::size_t count = panels->items.size();
  if (panels->kind != Kind::sequence || count == 0)
    block.problem("panels", "a list of panels is wanted here, such as [{metric: tau}, {metric: sigma_T/tau}]");
  if (kind.has_wide_panels && count > kMostWidePanels)
    block.problem("panels", "a figure of " + kind.name + " has up to three panels");
}

/// What is missing, and what does not belong to the figure's kind.
void check_whole(MapBlock& block, const KeyTable& keys, const Figure& figure) {
  const FigureKind& kind = *figure.kind;
  const auto wants = [&](const std::string& key, const std::string& sentence) {
    if (!block.has(key)) block.problem(key, sentence);
  };
  if (kind.has("x")) wants("x", "a figure needs the swept key of its x axis, such as x: owner.TH");
  if (!kind.shows_times)
    wants("panels", std::string("a figure needs its panels, such as panels: [") +
                        (kind.has_in_panels("metrics") ? "{metrics: [v_i/sum, p_i]}]" : "{metric: tau}]"));
  for (const auto& [key, sentence] : kind.needs) wants(key, sentence);
  check_panels(block, kind);
  refuse_others(block, keys, kind, keys_of(kind));
  if (!kind.has("series") || std::ranges::count(kind.needs, "series", &NeededKey::name) > 0) return;
  for (const char* key : {"series_label", "labels"})
    if (block.has(key) && figure.series.key.empty())
      block.problem(key, "there is no series to label: 'figure.series' names its key");
}

/// All but the panels, and what holds for all of them.
Figure read_whole(MapBlock& block, FigureKinds kinds, const KeyTable& keys, std::vector<FigureCondition>& common) {
  Figure figure;
  Reader& read = block.read();
  const FigureKind& kind = kinds[read.word("kind")];
  figure.kind = &kind;
  figure.place = block.place("");
  read_axis(block, "x", figure.x);
  if (kind.has("y")) read_axis(block, "y", figure.y.emplace());
  read_placed(block, "series", figure.series.key, figure.series.place);
  figure.series.label = read.text("series_label");
  read_labels(block, "labels", figure.series);
  if (kind.has("x_metric")) read_placed(block, "x_metric", figure.x_metric, figure.x_metric_place);
  if (kind.has("against")) read_placed(block, "against", figure.against, figure.against_place);
  if (kind.has("sort")) read_placed(block, "sort", figure.sort, figure.sort_place);
  figure.rises = kind.has("shows") && read.word("shows") == 1;
  figure.same_scale = kind.has("same_scale") && read.flag("same_scale");
  common = read_conditions(block);
  figure.print = read_print(block);
  block.note_unknown("figure.");
  check_whole(block, keys, figure);
  return figure;
}

/// What holds for all panels, unless this one says otherwise.
void add_common(FigurePanel& panel, const std::vector<FigureCondition>& common) {
  for (const auto& condition : common)
    if (std::ranges::find(panel.where, condition.key, &FigureCondition::key) == panel.where.end())
      panel.where.push_back(condition);
}

/// Rows say which kinds have them; those that all have say nothing.
void name_kinds(KeyTable& keys, FigureKinds kinds, std::vector<std::string> (*of)(const FigureKind&)) {
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

std::vector<const FigureAxis*> Figure::axes() const {
  if (!kind->has("x") && kind->has("series")) return {&series};
  if (!kind->has("x")) return {};
  if (!y) return {&x, &series};
  return {&x, &*y, &series};
}

std::optional<Figure> read_figure(const YamlNode& node, const std::string& file, FigureKinds kinds,
                                  Problems& problems) {
  const std::size_t before = problems.found();
  if (!check_is_map(node, file, "figure", "{x: owner.TH, panels: [{metric: tau}]}", problems)) return {};
  const KeyTable keys = figure_keys(kinds), keys_in_panels = panel_keys(kinds);
  MapBlock block(node, file, "figure", keys);
  std::vector<FigureCondition> common;
  Figure figure = read_whole(block, kinds, keys, common);
  problems.add_all(block.problems());
  const YamlNode* panels = node.find("panels");
  if (panels == nullptr && figure.kind->shows_times) figure.panels.emplace_back();
  if (panels != nullptr && panels->kind == Kind::sequence)
    for (const auto& item : panels->items) {
      if (!check_is_map(item, file, "figure.panels", "{metric: tau}", problems)) continue;
      MapBlock panel(item, file, "figure.panels", keys_in_panels);
      figure.panels.push_back(read_panel(panel, keys_in_panels, *figure.kind));
      problems.add_all(panel.problems());
    }
  for (auto& panel : figure.panels) add_common(panel, common);
  if (problems.found() > before) return {};
  return figure;
}

const std::vector<std::string>& time_axis_units() {
  static const std::vector<std::string> all{"fitting", "us", "ms", "s", "min", "h", "d"};
  return all;
}

std::vector<std::string> keys_of(const FigureKind& kind) {
  std::vector<std::string> names{"kind", "x_label", "where", "panels"};
  names.insert(names.end(), kind.keys.begin(), kind.keys.end());
  names.insert(names.end(), {"title", "size", "font_size", "footer"});
  return names;
}

std::vector<std::string> panel_keys_of(const FigureKind& kind) {
  std::vector<std::string> names{"label", "title", "where"};
  names.insert(names.end(), kind.panel_keys.begin(), kind.panel_keys.end());
  return names;
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
      {"shows", KeyType::word, "survival", "P[T > t], or the distribution function P[T <= t]", {},
       {"survival", "distribution"}},
      {"series", KeyType::text, "", "the swept key that tells curves apart; of winners, whose values compete"},
      {"series_label", KeyType::text, "", "stands before its values in the legend"},
      {"labels", KeyType::block, "", "texts for its values; of workstations, for metrics"},
      {"sort", KeyType::text, "", "the metric by whose falling value they stand; as on the platform where not given"},
      {"against", KeyType::text, "", "the value that the best is compared with; the second best where not given"},
      {"where", KeyType::block, "", "swept keys and the one value of each that is drawn"},
      {"same_scale", KeyType::word, "false", "whether panels of one metric have one range of y", {}, flag_words()},
      {"title", KeyType::text, "", "above it; the experiment's where not given; none"},
      {"size", KeyType::text, "",
       "as printed: single, double (a paper's columns of 85 and 176 mm), or mm: width, height", {}, {}, true},
      {"font_size", KeyType::number, "", "of its letters as printed, in pt; 8 where a size is given, else 9", kLetters_pt},
      {"footer", KeyType::word, "true", "whether it says below how its results came about", {}, flag_words()},
      {"panels", KeyType::block, kMustBeGiven, "side by side: a block each", {}, {}, true}};
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
      {"best", KeyType::word, "lowest", "which value wins", {}, {"lowest", "highest"}},
      unit_key("unit", "of times on it"),
      {"theory", KeyType::text, "", "up to three exact metrics, drawn as thin lines", {}, {}, true},
      {"level", KeyType::number, "", "a line across at this value of the metric", kAnyNumber},
      {"level_label", KeyType::text, "", "its text in the legend; the number where not given"},
      {"where", KeyType::block, "", "as the figure's, for this panel"}};
  name_kinds(keys, kinds, panel_keys_of);
  return keys;
}

}  // namespace nowsim

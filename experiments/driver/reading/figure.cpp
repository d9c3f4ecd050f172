// Reading a figure's block, strictly, by tables of keys.
#include "experiments/driver/reading/figure.hpp"

#include <algorithm>
#include <functional>

#include "experiments/driver/reading/settings.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

using Kind = YamlNode::Kind;

constexpr std::size_t kMostTheories = 3;       // of a panel: more dashes are hard to tell apart
constexpr std::size_t kMostWinnersPanels = 3;  // side by side: more are too wide to read
constexpr std::size_t kMostWorkstationsPanels = 3, kMostMarks = 3;  // likewise, and metrics of one of them

using Kinds = std::vector<FigureKind>;

/// A key that not every kind of figure has.
struct KeyOfKinds {
  const char* key;
  Kinds kinds;
};

const std::vector<KeyOfKinds>& keys_of_kinds() {
  using enum FigureKind;
  static const std::vector<KeyOfKinds> table{
      {"x", {curves, surface, winners}}, {"sort", {workstations}},
      {"x_metric", {curves}},          {"x_scale", {curves, surface}}, {"x_labels", {winners}},        {"y", {surface, winners}},
      {"y_label", {surface, winners}}, {"y_scale", {surface}},         {"y_labels", {winners}},
      {"series", {curves, winners}},   {"series_label", {curves, winners}}, {"labels", {curves, winners, workstations}},
      {"same_scale", {curves, workstations}},        {"against", {winners}}};
  return table;
}

const std::vector<KeyOfKinds>& panel_keys_of_kinds() {
  using enum FigureKind;
  static const std::vector<KeyOfKinds> table{{"x_label", {curves}},        {"theory", {curves}},
                                             {"x_metric", {curves}},
                                             {"shows", {curves, surface}}, {"scale", {curves, surface, workstations}},
                                             {"metric", {curves, surface, winners}}, {"metrics", {workstations}},
                                             {"best", {winners}}};
  return table;
}

/// The kinds and their words, in the order of the enumeration.
const std::vector<std::string>& kind_names() {
  static const std::vector<std::string> names{"curves", "surface", "winners", "workstations"};
  return names;
}

std::string names_of(const Kinds& kinds) {
  std::string out;
  for (const FigureKind kind : kinds)
    out += (out.empty() ? "" : " or ") + kind_names().at(static_cast<std::size_t>(kind));
  return out;
}

/// Reads the block; a key is a row of a table that says what becomes of its value.
class FigureReader {
 public:
  FigureReader(const std::string& file, std::vector<std::string>& problems) : file_(file), problems_(problems) {}

  Figure read(const YamlNode& node) {
    const std::map<std::string, Handler> table{
        {"kind", [this](auto& v, auto& k) { figure_.kind = kind(v, k); }},
        {"x", [this](auto& v, auto& k) { read_axis(figure_.x, v, k); }},
        {"x_metric", [this](auto& v, auto& k) { read_metric(figure_.x_metric, figure_.x_metric_place, v, k); }},
        {"x_label", [this](auto& v, auto& k) { figure_.x.label = text(v, k); }},
        {"x_scale", [this](auto& v, auto& k) { figure_.x.log = is_log(v, k); }},
        {"x_labels", [this](auto& v, auto& k) { read_labels(figure_.x, v, k); }},
        {"y", [this](auto& v, auto& k) { read_axis(figure_.y, v, k); }},
        {"y_label", [this](auto& v, auto& k) { figure_.y.label = text(v, k); }},
        {"y_scale", [this](auto& v, auto& k) { figure_.y.log = is_log(v, k); }},
        {"y_labels", [this](auto& v, auto& k) { read_labels(figure_.y, v, k); }},
        {"series", [this](auto& v, auto& k) { read_axis(figure_.series, v, k); }},
        {"series_label", [this](auto& v, auto& k) { figure_.series.label = text(v, k); }},
        {"labels", [this](auto& v, auto& k) { read_labels(figure_.series, v, k); }},
        {"sort", [this](auto& v, auto& k) { figure_.sort = text(v, k); figure_.sort_place = place(v, k); }},
        {"against", [this](auto& v, auto& k) { figure_.against = text(v, k); figure_.against_place = place(v, k); }},
        {"where", [this](auto& v, auto& k) { common_ = conditions(v, k); }},
        {"same_scale", [this](auto& v, auto& k) { figure_.same_scale = choice(v, k, {"true", "false"}) == "true"; }},
        {"panels", [this](auto& v, auto& k) { read_panels(v, k); }}};
    figure_.place = place(node, "figure");
    read_map(node, "figure", "{x: owner.TH, panels: [{metric: tau}]}", table);
    for (auto& panel : figure_.panels) add_common(panel);
    if (node.kind == Kind::map) check_whole(node);
    return std::move(figure_);
  }

 private:
  using Handler = std::function<void(const YamlNode&, const std::string&)>;

  Place place(const YamlNode& node, const std::string& key) const {
    return node.line < 0 ? Place{kOverridePlace, 0, key} : Place{file_, node.line, key};
  }
  void problem(const YamlNode& node, const std::string& key, const std::string& sentence) {
    problems_.emplace_back(InputError(place(node, key), sentence).what());
  }
  void read_map(const YamlNode& node, const std::string& key, const char* example,
                const std::map<std::string, Handler>& table) {
    if (node.kind != Kind::map)
      return problem(node, key, std::string("a map of keys and values is wanted here, such as ") + example);
    std::vector<std::string> known;
    for (const auto& row : table) known.push_back(row.first);
    for (const auto& [name, value] : node.entries) {
      const std::string full = key + "." + name;
      if (const auto row = table.find(name); row != table.end()) {
        row->second(value, full);
        continue;
      }
      const std::string near = nearest_name(name, known);
      problem(value, full,
              "this key is not known" + (near.empty() ? "" : "; did you mean '" + key + "." + near + "'?"));
    }
  }
  std::string text(const YamlNode& node, const std::string& key) {
    if (node.kind == Kind::scalar) return node.text;
    problem(node, key,
            node.kind == Kind::null ? "there is no value behind this key" : "a text is wanted here, not a list or map");
    return "";
  }
  std::string choice(const YamlNode& node, const std::string& key, const std::vector<std::string>& words) {
    const std::string found = text(node, key);
    if (node.kind != Kind::scalar || std::ranges::count(words, found) > 0) return found;
    problem(node, key, quoted(found) + " is none of: " + joined(words) + did_you_mean(found, words));
    return "";
  }
  FigureKind kind(const YamlNode& node, const std::string& key) {
    const auto found = std::ranges::find(kind_names(), choice(node, key, kind_names()));
    return found == kind_names().end() ? FigureKind::curves
                                       : static_cast<FigureKind>(found - kind_names().begin());
  }
  bool is_log(const YamlNode& node, const std::string& key) { return choice(node, key, {"linear", "log"}) == "log"; }
  void read_axis(FigureAxis& axis, const YamlNode& node, const std::string& key) {
    axis.key = text(node, key);
    axis.place = place(node, key);
  }
  void read_metric(std::string& metric, Place& where, const YamlNode& node, const std::string& key) {
    metric = text(node, key);
    where = place(node, key);
  }
  void read_labels(FigureAxis& axis, const YamlNode& node, const std::string& key) {
    if (node.kind != Kind::map)
      return problem(node, key, "a map of values and their texts is wanted here, such as {0.5: half}");
    axis.labels_place = place(node, key);
    for (const auto& [value, label] : node.entries) axis.labels[value] = text(label, key + "." + value);
  }
  /// Dotted keys may be written whole or nested.
  std::vector<FigureCondition> conditions(const YamlNode& node, const std::string& key) {
    std::vector<FigureCondition> out;
    if (node.kind != Kind::map) {
      problem(node, key, "a map of swept keys and one value each is wanted here, such as {owner.TH: 0.28}");
      return out;
    }
    Settings settings;
    for (auto& sentence : flatten(node, file_, key, settings)) problems_.push_back(std::move(sentence));
    for (const auto& [full, setting] : settings) {
      if (setting.is_list && !setting.broken)
        problems_.emplace_back(InputError(setting.place, "one value is wanted here, not a list").what());
      else if (!setting.broken) out.push_back({full.substr(key.size() + 1), setting.texts.front(), setting.place});
    }
    return out;
  }
  void read_panels(const YamlNode& node, const std::string& key) {
    if (node.kind != Kind::sequence || node.items.empty())
      return problem(node, key, "a list of panels is wanted here, such as [{metric: tau}, {metric: sigma_T/tau}]");
    for (const auto& item : node.items) read_panel(item, key);
  }
  void read_panel(const YamlNode& node, const std::string& key) {
    FigurePanel panel;
    panel.place = place(node, key);
    const std::map<std::string, Handler> table{
        {"metric", [&](auto& v, auto& k) { panel.metric = text(v, k); panel.place = place(v, k); }},
        {"metrics", [&](auto& v, auto& k) { panel.metrics = names(v, k, kMostMarks, "p_i"); panel.place = place(v, k); }},
        {"shows", [&](auto& v, auto& k) { panel.half_width = choice(v, k, {"value", "half-width"}) == "half-width"; }},
        {"label", [&](auto& v, auto& k) { panel.label = text(v, k); }},
        {"x_label", [&](auto& v, auto& k) { panel.x_label = text(v, k); }},
        {"x_metric", [&](auto& v, auto& k) { read_metric(panel.x_metric, panel.x_metric_place, v, k); }},
        {"title", [&](auto& v, auto& k) { panel.title = text(v, k); }},
        {"scale", [&](auto& v, auto& k) { panel.log = is_log(v, k); }},
        {"best", [&](auto& v, auto& k) { panel.highest_is_best = choice(v, k, {"lowest", "highest"}) == "highest"; }},
        {"theory", [&](auto& v, auto& k) { read_theory(panel, v, k); }},
        {"where", [&](auto& v, auto& k) { panel.where = conditions(v, k); }}};
    read_map(node, key, "{metric: tau}", table);
    if (node.kind == Kind::map && node.find("metric") == nullptr && node.find("metrics") == nullptr)
      problem(node, key, "a panel needs a metric, such as {metric: tau}");
    if (panel.half_width && !panel.theory.empty())
      problems_.emplace_back(InputError(panel.theory_place, "theory has no interval to show the half-width of").what());
    figure_.panels.push_back(std::move(panel));
  }
  void read_theory(FigurePanel& panel, const YamlNode& node, const std::string& key) {
    panel.theory_place = place(node, key);
    panel.theory = names(node, key, kMostTheories, "tau_renewal");
  }
  /// One metric, or a list of up to three.
  std::vector<std::string> names(const YamlNode& node, const std::string& key, std::size_t most, const char* example) {
    std::vector<std::string> out;
    const bool is_list = node.kind == Kind::sequence;
    if (is_list && (node.items.empty() || node.items.size() > most)) {
      problem(node, key, std::string("a metric or a list of up to three is wanted here, such as ") + example);
      return out;
    }
    for (const auto& item : is_list ? node.items : std::vector<YamlNode>{node}) {
      out.push_back(text(item, key));
      if (std::ranges::count(out, out.back()) > 1) problem(item, key, quoted(out.back()) + " is given twice");
    }
    return out;
  }
  /// What holds for all panels, unless a panel says otherwise.
  void add_common(FigurePanel& panel) const {
    for (const auto& condition : common_) {
      const auto same = [&](const FigureCondition& c) { return c.key == condition.key; };
      if (std::ranges::none_of(panel.where, same)) panel.where.push_back(condition);
    }
  }
  /// What is missing, and what does not belong to the figure's kind.
  void check_whole(const YamlNode& node) {
    const auto wants = [&](const char* key, const char* sentence) {
      if (node.find(key) == nullptr) problem(node, std::string("figure.") + key, sentence);
    };
    if (figure_.kind != FigureKind::workstations)
      wants("x", "a figure needs the swept key of its x axis, such as x: owner.TH");
    wants("panels", figure_.kind == FigureKind::workstations
                        ? "a figure needs its panels, such as panels: [{metrics: [v_i/sum, p_i]}]"
                        : "a figure needs its panels, such as panels: [{metric: tau}]");
    if (figure_.kind == FigureKind::workstations && figure_.panels.size() > kMostWorkstationsPanels)
      problem(*node.find("panels"), "figure.panels", "a figure of workstations has up to three panels");
    if (figure_.kind == FigureKind::surface) wants("y", "a surface needs a second swept key, such as y: owner.SH");
    if (figure_.kind == FigureKind::winners) check_winners(node, wants);
    refuse_others(node, "figure", keys_of_kinds());
    if (const YamlNode* panels = node.find("panels"))
      for (const auto& panel : panels->items) refuse_others(panel, "figure.panels", panel_keys_of_kinds());
    for (const char* key : {"series_label", "labels"})
      if (const YamlNode* found = node.find(key);
          found != nullptr && figure_.kind == FigureKind::curves && figure_.series.key.empty())
        problem(*found, std::string("figure.") + key, "there is no series to label: 'figure.series' names its key");
  }
  template <class Wants>
  void check_winners(const YamlNode& node, const Wants& wants) {
    wants("y", "a figure of winners needs a second swept key, such as y: owner.TH");
    wants("series", "a figure of winners needs the swept key whose values compete, such as series: split.policy");
    if (figure_.panels.size() > kMostWinnersPanels)
      problem(*node.find("panels"), "figure.panels", "a figure of winners has up to three panels");
  }
  /// Keys that belong to other kinds of figures.
  void refuse_others(const YamlNode& node, const std::string& key, const std::vector<KeyOfKinds>& table) {
    if (node.kind != Kind::map) return;
    for (const auto& row : table) {
      const YamlNode* found = node.find(row.key);
      if (found == nullptr || std::ranges::count(row.kinds, figure_.kind) > 0) continue;
      const bool is_y = figure_.kind == FigureKind::curves && row.key[0] == 'y';
      problem(*found, key + "." + row.key,
              "this key belongs to kind: " + names_of(row.kinds) +
                  (is_y ? "; a metric's label and scale stand in its panel" : ""));
    }
  }

  const std::string& file_;
  std::vector<std::string>& problems_;
  Figure figure_;
  std::vector<FigureCondition> common_;
};

}  // namespace

std::optional<Figure> read_figure(const YamlNode& node, const std::string& file, std::vector<std::string>& problems) {
  const std::size_t before = problems.size();
  Figure figure = FigureReader(file, problems).read(node);
  if (problems.size() > before) return {};
  return figure;
}

}  // namespace nowsim

// Reading a figure's block by the tables of its keys.
#include "experiments/driver/reading/figure.hpp"

#include <algorithm>

#include "experiments/driver/reading/figure_keys.hpp"
#include "experiments/driver/reading/map_block.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

using Kind = YamlNode::Kind;

constexpr std::size_t kMostTheories = 3;       // of a panel: more dashes are hard to tell apart
constexpr std::size_t kMostWinnersPanels = 3;  // side by side: more are too wide to read
constexpr std::size_t kMostWorkstationsPanels = 3, kMostMarks = 3;  // likewise, and metrics of one of them

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
  for (std::size_t i = 1; i < names.size(); ++i)
    if (std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(i), names[i]) !=
        names.begin() + static_cast<std::ptrdiff_t>(i))
      block.problem(key, quoted(names[i]) + " is given twice");
  return names;
}

/// Keys that belong to other kinds of figures.
void refuse_others(MapBlock& block, const KeyTable& table, const FigureKindInfo& info,
                   const std::vector<std::string>& own) {
  for (const auto& key : table) {
    if (!block.has(key.name) || std::ranges::count(own, key.name) > 0) continue;
    const bool is_y = info.kind == FigureKind::curves && key.name[0] == 'y';
    block.problem(key.name, "this key belongs to kind: " + key.of +
                                (is_y ? "; a metric's label and scale stand in its panel" : ""));
  }
}

FigurePanel read_panel(MapBlock& block, const FigureKindInfo& info) {
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
  panel.highest_is_best = read.word("best") == 1;
  panel.theory = read_metrics_of(block, "theory", kMostTheories, "tau_renewal");
  panel.theory_place = block.place("theory");
  panel.where = read_conditions(block);
  block.note_unknown("figure.panels.");
  if (!block.has("metric") && !block.has("metrics")) block.problem("", "a panel needs a metric, such as {metric: tau}");
  if (panel.half_width && !panel.theory.empty())
    block.problem("theory", "theory has no interval to show the half-width of");
  refuse_others(block, panel_keys(), info, info.panel_keys);
  return panel;
}

/// Reads the block and its panels.
class FigureReader {
 public:
  FigureReader(const YamlNode& node, const std::string& file, std::vector<std::string>& problems)
      : file_(file), problems_(problems), block_(node, file, "figure", figure_keys()) {}

  Figure read() {
    Reader& read = block_.read();
    const FigureKindInfo& info = figure_kinds()[read.word("kind")];
    figure_ = empty_figure(info.kind);
    figure_.place = block_.place("");
    read_axis(figure_.x, "x");
    if (FigureAxis* y = figure_.y()) read_axis(*y, "y");
    read_placed(block_, "series", figure_.series.key, figure_.series.place);
    figure_.series.label = read.text("series_label");
    read_labels(block_, "labels", figure_.series);
    std::visit([&](auto& own) { read_own(own); }, figure_.of);
    const auto common = read_conditions(block_);
    block_.note_unknown("figure.");
    check_whole(info);
    append(block_.problems());
    read_panels(info);
    for (auto& panel : figure_.panels) add_common(panel, common);
    return std::move(figure_);
  }

 private:
  void append(const std::vector<std::string>& problems) {
    problems_.insert(problems_.end(), problems.begin(), problems.end());
  }
  void read_own(CurvesFigure& own) {
    read_placed(block_, "x_metric", own.x_metric, own.x_metric_place);
    own.same_scale = block_.read().flag("same_scale");
  }
  void read_own(SurfaceFigure&) {}
  void read_own(WinnersFigure& own) { read_placed(block_, "against", own.against, own.against_place); }
  void read_own(WorkstationsFigure& own) {
    read_placed(block_, "sort", own.sort, own.sort_place);
    own.same_scale = block_.read().flag("same_scale");
  }
  void read_axis(FigureAxis& axis, const std::string& name) {
    read_placed(block_, name, axis.key, axis.place);
    axis.label = block_.read().text(name + "_label");
    axis.log = block_.read().word(name + "_scale") == 1;
    read_labels(block_, name + "_labels", axis);
  }
  void read_panels(const FigureKindInfo& info) {
    const YamlNode* panels = block_.node().find("panels");
    if (panels == nullptr || panels->kind != Kind::sequence) return;
    for (const auto& item : panels->items) {
      if (!check_is_map(item, file_, "figure.panels", "{metric: tau}", problems_)) continue;
      MapBlock block(item, file_, "figure.panels", panel_keys());
      figure_.panels.push_back(read_panel(block, info));
      append(block.problems());
    }
  }
  /// What holds for all panels, unless a panel says otherwise.
  static void add_common(FigurePanel& panel, const std::vector<FigureCondition>& common) {
    for (const auto& condition : common)
      if (std::ranges::find(panel.where, condition.key, &FigureCondition::key) == panel.where.end())
        panel.where.push_back(condition);
  }

  void wants(const char* key, const char* sentence) {
    if (!block_.has(key)) block_.problem(key, sentence);
  }
  /// What is missing, and what does not belong to the figure's kind.
  void check_whole(const FigureKindInfo& info) {
    const bool by_workstation = info.kind == FigureKind::workstations;
    if (!by_workstation) wants("x", "a figure needs the swept key of its x axis, such as x: owner.TH");
    wants("panels", by_workstation ? "a figure needs its panels, such as panels: [{metrics: [v_i/sum, p_i]}]"
                                   : "a figure needs its panels, such as panels: [{metric: tau}]");
    if (info.kind == FigureKind::surface) wants("y", "a surface needs a second swept key, such as y: owner.SH");
    if (info.kind == FigureKind::winners) {
      wants("y", "a figure of winners needs a second swept key, such as y: owner.TH");
      wants("series", "a figure of winners needs the swept key whose values compete, such as series: split.policy");
    }
    check_panels(info);
    refuse_others(block_, figure_keys(), info, info.keys);
    for (const char* key : {"series_label", "labels"})
      if (block_.has(key) && info.kind == FigureKind::curves && figure_.series.key.empty())
        block_.problem(key, "there is no series to label: 'figure.series' names its key");
  }
  void check_panels(const FigureKindInfo& info) {
    const YamlNode* panels = block_.node().find("panels");
    if (panels == nullptr) return;
    const std::size_t count = panels->items.size();
    if (panels->kind != Kind::sequence || count == 0)
      block_.problem("panels", "a list of panels is wanted here, such as [{metric: tau}, {metric: sigma_T/tau}]");
    if (info.kind == FigureKind::workstations && count > kMostWorkstationsPanels)
      block_.problem("panels", "a figure of workstations has up to three panels");
    if (info.kind == FigureKind::winners && count > kMostWinnersPanels)
      block_.problem("panels", "a figure of winners has up to three panels");
  }

  const std::string& file_;
  std::vector<std::string>& problems_;
  MapBlock block_;
  Figure figure_;
};

}  // namespace

const FigureAxis* Figure::y() const {
  if (const auto* surface = std::get_if<SurfaceFigure>(&of)) return &surface->y;
  if (const auto* winners = std::get_if<WinnersFigure>(&of)) return &winners->y;
  return nullptr;
}

std::vector<const FigureAxis*> Figure::axes() const {
  if (kind() == FigureKind::workstations) return {};
  if (y() == nullptr) return {&x, &series};
  return {&x, y(), &series};
}

std::string Figure::x_metric_of(const FigurePanel& p) const {
  const auto* curves = std::get_if<CurvesFigure>(&of);
  return p.x_metric.empty() && curves != nullptr ? curves->x_metric : p.x_metric;
}

Figure empty_figure(FigureKind kind) {
  static const decltype(Figure::of) own[] = {CurvesFigure{}, SurfaceFigure{}, WinnersFigure{}, WorkstationsFigure{}};
  Figure out;
  out.of = own[static_cast<std::size_t>(kind)];
  return out;
}

std::optional<Figure> read_figure(const YamlNode& node, const std::string& file, std::vector<std::string>& problems) {
  const std::size_t before = problems.size();
  if (!check_is_map(node, file, "figure", "{x: owner.TH, panels: [{metric: tau}]}", problems)) return {};
  Figure figure = FigureReader(node, file, problems).read();
  if (problems.size() > before) return {};
  return figure;
}

}  // namespace nowsim

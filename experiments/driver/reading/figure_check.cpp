// Whether a figure fits what its experiment sweeps and measures, and what of it still does after flags.
#include "experiments/driver/reading/figure.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "experiments/driver/reading/sweep.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

std::string list_of(const std::vector<std::string>& words) {
  constexpr std::size_t kMost = 12;
  std::string out;
  for (std::size_t i = 0; i < std::min(words.size(), kMost); ++i) out += (i > 0 ? ", " : "") + words[i];
  return out + (words.size() > kMost ? ", ..." : "");
}

/// The nearest of the names, or all of them.
std::string hint(const std::string& name, const std::vector<std::string>& known, const char* all) {
  if (const std::string near = did_you_mean(name, known); !near.empty()) return near;
  return known.empty() ? "" : std::string("; ") + all + ": " + list_of(known);
}

bool is_shown(const FigurePanel& panel, const Axis& axis, const std::vector<std::string>& step) {
  return std::ranges::all_of(panel.where, [&](const FigureCondition& c) {
    const auto at = std::ranges::find(axis.keys, c.key);
    return at == axis.keys.end() || step[static_cast<std::size_t>(at - axis.keys.begin())] == c.value;
  });
}

constexpr const char* kEachShown =
    "' is a metric per workstation, which such a figure cannot show; kind: workstations shows it";

/// What a figure names, held against what is swept and measured. Each of its checks notes problems, none of them twice.
class FigureCheck {
 public:
  FigureCheck(const Figure& figure, const SweptAndMeasured& measured, Problems& problems)
      : figure_(figure), measured_(measured), problems_(problems) {}

  void run() {
    axes();
    if (!figure_.against.empty()) value({figure_.series.key, figure_.against, figure_.against_place});
    panels();
    if (!figure_.sort.empty()) metric_of_each(figure_.sort, figure_.sort_place);
    if (figure_.axes().empty()) labels_of_metrics();
  }

 private:
  void problem(const Place& place, const std::string& sentence) { problems_.add(place, sentence); }
  /// Swept keys, each once, with numbers where their scale is logarithmic; texts for values that they have.
  void axes() {
    for (const FigureAxis* axis : figure_.axes())
      if (axis != &figure_.series || !axis->key.empty()) check_axis(*axis);
    if (!figure_.x_metric.empty()) metric(figure_.x_metric, figure_.x_metric_place);
    check_unit(figure_.x_metric, figure_.x.unit, figure_.x.unit_place);
    check_twice();
    for (const FigureAxis* axis : figure_.axes())
      for (const auto& [text, label] : axis->labels) {
        value({axis->key, text, axis->labels_place});
        if (const std::string* swept = measured_.values(axis->key).find(text); swept != nullptr && *swept != text)
          problem(axis->labels_place, quoted(text) + " is " + quoted(*swept) + ", which has a label already");
      }
  }
  /// Metrics that are there and can be shown, and for each point of the sweep one place at most.
  void panels() {
    for (const auto& panel : figure_.panels) {
      if (panel.metrics.empty() && !figure_.kind->shows_times) {
        metric(panel.metric, panel.place);
        if (!panel.x_metric.empty()) metric(panel.x_metric, panel.x_metric_place);
        check_theory(panel);
      }
      for (const auto& name : panel.metrics) metric_of_each(name, panel.place);
      check_unit(panel.metrics.empty() ? panel.metric : panel.metrics.front(), panel.unit, panel.unit_place);
      check_units(panel);
      check_rows(panel);
    }
  }
  /// Where labels are of metrics: texts for those that a panel shows.
  void labels_of_metrics() {
    std::vector<std::string> shown;
    for (const auto& panel : figure_.panels) shown.insert(shown.end(), panel.metrics.begin(), panel.metrics.end());
    for (const auto& [name, label] : figure_.series.labels)
      if (std::ranges::count(shown, name) == 0)
        problem(figure_.series.labels_place, "no panel shows " + quoted(name) + hint(name, shown, "they show"));
  }
  bool check_swept(const std::string& key, const Place& place) {
    if (measured_.is_swept(key)) return true;
    const auto keys = measured_.sweep.keys();
    problem(place, "'" + key + "' is not swept" + (keys.empty() ? "; nothing is" : hint(key, keys, "swept are")));
    return false;
  }
  void check_axis(const FigureAxis& axis) {
    // Whether some panel's axis shows the key's values themselves; a metric's are known when they are drawn.
    const auto shows_values = [&](const FigurePanel& panel) { return figure_.x_metric_of(panel).empty(); };
    if (!check_swept(axis.key, axis.place)) return;
    if (&axis == &figure_.x && std::ranges::none_of(figure_.panels, shows_values)) return;
    const AxisScale scale = scale_of(measured_.sweep.values_of(axis.key));
    const bool may_be_times = scale.dimension == Dimension::time || axis.label.ends_with("[s]");
    if (!axis.unit.empty() && !may_be_times)
      problem(axis.unit_place, "'" + axis.key + "' takes no times; it takes " + list_of(scale.texts));
    if (!axis.log) return;
    if (scale.words || std::ranges::any_of(scale.positions, [](double x) { return x <= 0; }))
      problem(axis.place, "a log scale needs numbers above 0; '" + axis.key + "' takes " + list_of(scale.texts));
  }
  void check_twice() {
    const auto once = [&](const FigureAxis& a, const FigureAxis& b) {
      if (!a.key.empty() && a.key == b.key) problem(b.place, "'" + b.key + "' is an axis of this figure already");
    };
    const auto axes = figure_.axes();
    for (std::size_t i = 0; i < axes.size(); ++i)
      for (std::size_t k = i + 1; k < axes.size(); ++k) once(*axes[i], *axes[k]);
  }
  /// A swept key's value.
  void value(const FigureCondition& c) {
    const AxisValues& values = measured_.values(c.key);
    const auto& known = values.in_order();
    if (known.empty() || values.find(c.value) != nullptr) return;
    problem(c.place,
            "'" + c.key + "' never takes the value " + quoted(c.value) + "; its values are: " + list_of(known));
  }
  /// Null after a problem: it is none of the experiment's; `there_are` comes before those that are wanted.
  const Metric* measured(const std::string& name, const Place& place, const Words& wanted, const char* there_are) {
    const Metric* metric = measured_.metric(name);
    if (metric == nullptr)
      problem(place, "'" + name + "' is not among the experiment's metrics" + hint(name, wanted, there_are));
    return metric;
  }
  /// A metric of the whole run.
  void metric(const std::string& name, const Place& place) {
    const Words names = measured_.names_of([](const Metric& m) { return !m.per_workstation; });
    const Metric* metric = measured(name, place, names, "they are");
    if (metric != nullptr && metric->per_workstation) problem(place, "'" + name + kEachShown);
  }
  void check_theory(const FigurePanel& panel) {
    const Words names = measured_.names_of([](const Metric& m) { return m.exact && !m.per_workstation; });
    for (const auto& name : panel.theory) {
      const Metric* metric = measured(name, panel.theory_place, names, "of theory there are");
      if (metric == nullptr) continue;
      if (metric->per_workstation)
        problem(panel.theory_place, "'" + name + kEachShown);
      else if (!metric->exact)
        problem(panel.theory_place,
                "'" + name + "' is simulated, not theory" + (names.empty() ? "" : "; theory is: " + list_of(names)));
    }
  }
  void metric_of_each(const std::string& name, const Place& place) {
    const Words names = measured_.names_of([](const Metric& m) { return m.per_workstation; });
    const Metric* metric = measured(name, place, names, "of each workstation there are");
    if (metric != nullptr && !metric->per_workstation)
      problem(place, "'" + name + "' is a metric of the whole run; a figure of workstations shows metrics of each" +
                         (names.empty() ? "" : ": " + list_of(names)));
  }
  void check_units(const FigurePanel& panel) {
    const auto unit = [&](const std::string& name) {
      const Metric* metric = measured_.metric(name);
      return metric == nullptr ? "" : metric->unit.empty() ? "no unit" : metric->unit;
    };
    for (const auto& name : panel.metrics)
      if (!unit(name).empty() && !unit(panel.metrics.front()).empty() && unit(name) != unit(panel.metrics.front()))
        problem(panel.place, "the metrics of a panel have one unit; '" + panel.metrics.front() + "' has " +
                                 unit(panel.metrics.front()) + ", '" + name + "' has " + unit(name));
  }
  /// A unit of time that is asked for of a metric.
  void check_unit(const std::string& name, const std::string& unit, const Place& place) {
    const Metric* metric = measured_.metric(name);
    if (unit.empty() || metric == nullptr || metric->unit == "s") return;
    problem(place,
            "'" + name + "' is no time: " + (metric->unit.empty() ? "it has no unit" : "its unit is " + metric->unit));
  }
  void check_rows(const FigurePanel& panel) {
    for (const auto& c : panel.where)
      if (check_swept(c.key, c.place)) value(c);
    for (const auto& axis : measured_.sweep.axes) {
      if (std::ranges::none_of(axis.keys, [&](const std::string& key) { return uses(panel, key); }))
        problem(figure_.place, "the swept key '" + axis.keys.front() + "' is open: " +
                                   (figure_.axes().empty() ? "" : "make it an axis or the series, or ") +
                                   "fix its value in 'where'");
      else check_positions(panel, axis);
    }
  }
  /// Steps of a zip that would fall on one position of the picture, being told apart by other keys alone.
  void check_positions(const FigurePanel& panel, const Axis& axis) {
    std::map<std::vector<std::string>, const std::vector<std::string>*> taken;
    for (const auto& step : axis.values) {
      if (!is_shown(panel, axis, step)) continue;
      std::vector<std::string> position;  // its values of the keys that are axes of the picture
      for (std::size_t k = 0; k < axis.keys.size(); ++k)
        if (is_axis(axis.keys[k])) position.push_back(step[k]);
      const auto [known, is_new] = taken.try_emplace(std::move(position), &step);
      if (!is_new && *known->second != step) return report_shared_position(panel, axis, *known->second, step);
    }
  }
  void report_shared_position(const FigurePanel& panel, const Axis& axis, const std::vector<std::string>& one,
                              const std::vector<std::string>& other) {
    std::string position;
    for (std::size_t k = 0; k < axis.keys.size(); ++k)
      if (uses(panel, axis.keys[k])) position += (position.empty() ? "" : ", ") + axis.keys[k] + " = " + one[k];
    for (std::size_t k = 0; k < axis.keys.size(); ++k)
      if (one[k] != other[k])
        return problem(figure_.place, position + " stands for several points, which differ in '" + axis.keys[k] + "' (" +
                                          one[k] + ", " + other[k] +
                                          "): give the zip a key of its own for them, such as let.way, and show that");
  }
  [[nodiscard]] bool is_axis(const std::string& key) const {
    return std::ranges::any_of(figure_.axes(), [&](const FigureAxis* axis) { return axis->key == key; });
  }
  [[nodiscard]] bool uses(const FigurePanel& panel, const std::string& key) const {
    return is_axis(key) ||
           std::ranges::any_of(panel.where, [&](const FigureCondition& c) { return c.key == key; });
  }

  const Figure& figure_;
  const SweptAndMeasured& measured_;
  Problems& problems_;
};

/// What the kind before had alone goes.
void change_kind(Figure& figure, const std::string& name, FigureKinds kinds) {
  figure.kind = &*std::ranges::find(kinds, name, &FigureKind::name);
  figure.against.clear();
  for (auto& panel : figure.panels) {
    panel.highest_is_best = false;
    panel.level.reset();
    panel.level_label.clear();
  }
}

/// A figure over one axis where the other of two is fixed, and over both alone where the series is.
void reduce_kind(Figure& figure, const SweptAndMeasured& measured, FigureKinds kinds) {
  if (!measured.is_swept(figure.series.key)) {
    figure.series = {};
    if (!figure.kind->without_series.empty()) change_kind(figure, figure.kind->without_series, kinds);
  }
  if (!figure.y || figure.kind->over_one_axis.empty()) return;
  if (measured.is_swept(figure.x.key) == measured.is_swept(figure.y->key)) return;
  if (!measured.is_swept(figure.x.key)) figure.x = *figure.y;
  figure.y.reset();
  change_kind(figure, figure.kind->over_one_axis, kinds);
}

/// Texts of values that are gone.
void reduce_labels(Figure& figure, const SweptAndMeasured& measured) {
  for (FigureAxis* axis : {&figure.x, figure.y ? &*figure.y : nullptr, &figure.series}) {
    if (axis == nullptr) continue;
    const AxisValues& shown = measured.values(axis->key);
    std::erase_if(axis->labels, [&](const auto& label) { return shown.find(label.first) == nullptr; });
  }
}

/// Metrics of workstations that are no longer measured, and their texts.
void reduce_metrics(Figure& figure, const SweptAndMeasured& measured) {
  const auto is_gone = [&](const std::string& name) { return measured.metric(name) == nullptr; };
  for (auto& panel : figure.panels)
    if (!std::ranges::all_of(panel.metrics, is_gone)) std::erase_if(panel.metrics, is_gone);
  std::erase_if(figure.series.labels, [&](const auto& label) { return is_gone(label.first); });
}

bool is_panel_gone(const Figure& figure, const FigurePanel& panel, const SweptAndMeasured& measured) {
  const std::string x_metric = figure.x_metric_of(panel);
  const bool shows_metric = !figure.kind->shows_times;
  return (shows_metric && measured.metric(panel.metrics.empty() ? panel.metric : panel.metrics.front()) == nullptr) ||
         (!x_metric.empty() && measured.metric(x_metric) == nullptr) ||
         std::ranges::any_of(panel.where, [&](const FigureCondition& c) { return !measured.is_swept(c.key); });
}

}  // namespace

void check_figure(const Figure& figure, const Sweep& sweep, const std::vector<const Metric*>& metrics,
                  Problems& problems) {
  const SweptAndMeasured measured(sweep, metrics);
  FigureCheck(figure, measured, problems).run();
}

Figure as_swept(Figure figure, const Sweep& sweep) {
  const std::vector<const Metric*> none;
  const SweptAndMeasured measured(sweep, none);
  const auto text_of = [&](const std::string& key, const std::string& value) {
    const std::string* swept = measured.values(key).find(value);
    return swept == nullptr ? value : *swept;
  };
  for (auto& panel : figure.panels)
    for (auto& condition : panel.where) condition.value = text_of(condition.key, condition.value);
  for (FigureAxis* axis : {&figure.x, figure.y ? &*figure.y : nullptr, &figure.series}) {
    if (axis == nullptr || axis->key.empty()) continue;
    for (const auto& [value, label] : std::map(axis->labels))
      if (const std::string text = text_of(axis->key, value); !axis->labels.contains(text)) {  // else there are two of it
        axis->labels.erase(value);
        axis->labels.emplace(text, label);
      }
  }
  return figure;
}

Figure reduced_figure(Figure figure, const Sweep& sweep, const std::vector<const Metric*>& metrics,
                      FigureKinds kinds) {
  const SweptAndMeasured measured(sweep, metrics);
  if (figure.axes().empty()) {
    reduce_metrics(figure, measured);
  } else {
    reduce_kind(figure, measured, kinds);
    reduce_labels(figure, measured);
  }
  if (measured.values(figure.series.key).find(figure.against) == nullptr) figure.against.clear();
  if (measured.metric(figure.sort) == nullptr) figure.sort.clear();
  for (auto& panel : figure.panels)
    std::erase_if(panel.theory, [&](const std::string& name) { return measured.metric(name) == nullptr; });
  std::vector<FigurePanel> kept;
  std::ranges::remove_copy_if(figure.panels, std::back_inserter(kept),
                              [&](const FigurePanel& panel) { return is_panel_gone(figure, panel, measured); });
  if (!kept.empty()) figure.panels = std::move(kept);
  if (std::ranges::none_of(figure.panels, [](const auto& panel) { return panel.x_metric.empty(); }))
    figure.x_metric.clear();
  return figure;
}

}  // namespace nowsim

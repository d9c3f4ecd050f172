// Whether a figure fits what its experiment sweeps and measures, and what of it still does after flags.
#include <algorithm>
#include <map>

#include "experiments/driver/reading/axis_scale.hpp"
#include "experiments/driver/reading/figure.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

bool is_swept(const Sweep& sweep, const std::string& key) { return std::ranges::count(sweep.keys(), key) > 0; }

/// The different values of a swept key; none where it is not swept.
std::vector<std::string> values_of(const Sweep& sweep, const std::string& key) {
  std::vector<std::string> out;
  for (const auto& axis : sweep.axes)
    for (std::size_t k = 0; k < axis.keys.size(); ++k)
      for (const auto& step : axis.values)
        if (axis.keys[k] == key) out.push_back(step[k]);
  return scale_of(out).texts;
}

const Metric* metric_in(const std::vector<const Metric*>& metrics, const std::string& name) {
  const auto found = std::ranges::find_if(metrics, [&](const Metric* m) { return m->name == name; });
  return found == metrics.end() ? nullptr : *found;
}

std::string list_of(const std::vector<std::string>& words) {
  constexpr std::size_t kMost = 12;
  std::string out;
  for (std::size_t i = 0; i < std::min(words.size(), kMost); ++i) out += (i > 0 ? ", " : "") + words[i];
  return out + (words.size() > kMost ? ", ..." : "");
}

/// The nearest of the names, or all of them.
std::string hint(const std::string& name, const std::vector<std::string>& known, const char* all) {
  const std::string near = nearest_name(name, known);
  if (!near.empty()) return "; did you mean '" + near + "'?";
  return known.empty() ? "" : std::string("; ") + all + ": " + list_of(known);
}

constexpr const char* kEachShown =
    "' is a metric per workstation, which such a figure cannot show; kind: workstations shows it";

class FigureCheck {
 public:
  FigureCheck(const Figure& figure, const Sweep& sweep, const std::vector<const Metric*>& metrics,
              std::vector<std::string>& problems)
      : figure_(figure), sweep_(sweep), metrics_(metrics), problems_(problems) {}

  void run() {
    if (const auto* own = std::get_if<WorkstationsFigure>(&figure_.of)) return check_workstations(*own);
    for (const FigureAxis* axis : figure_.axes())
      if (axis != &figure_.series || !axis->key.empty()) check_axis(*axis);
    if (const auto* own = std::get_if<CurvesFigure>(&figure_.of); own != nullptr && !own->x_metric.empty())
      check_metric(own->x_metric, own->x_metric_place);
    check_twice();
    for (const FigureAxis* axis : figure_.axes())
      for (const auto& [value, label] : axis->labels) check_value({axis->key, value, axis->labels_place});
    if (const auto* own = std::get_if<WinnersFigure>(&figure_.of); own != nullptr && !own->against.empty())
      check_value({figure_.series.key, own->against, own->against_place});
    for (const auto& panel : figure_.panels) check_panel(panel);
  }

 private:
  void problem(const Place& place, const std::string& sentence) {
    const std::string text = InputError(place, sentence).what();
    if (std::ranges::count(problems_, text) == 0) problems_.push_back(text);
  }
  bool check_swept(const std::string& key, const Place& place) {
    if (is_swept(sweep_, key)) return true;
    const auto keys = sweep_.keys();
    problem(place, "'" + key + "' is not swept" + (keys.empty() ? "; nothing is" : hint(key, keys, "swept are")));
    return false;
  }
  void check_axis(const FigureAxis& axis) {
    if (!check_swept(axis.key, axis.place) || !axis.log || !shows_values(axis)) return;
    const AxisScale scale = scale_of(values_of(sweep_, axis.key));
    if (scale.words || std::ranges::any_of(scale.positions, [](double x) { return x <= 0; }))
      problem(axis.place, "a log scale needs numbers above 0; '" + axis.key + "' takes " + list_of(scale.texts));
  }
  /// Whether some panel's axis shows the key's values themselves; a metric's are known when they are drawn.
  bool shows_values(const FigureAxis& axis) const {
    return &axis != &figure_.x ||
           std::ranges::any_of(figure_.panels, [&](const auto& panel) { return figure_.x_metric_of(panel).empty(); });
  }
  void check_twice() {
    const auto once = [&](const FigureAxis& a, const FigureAxis& b) {
      if (!a.key.empty() && a.key == b.key) problem(b.place, "'" + b.key + "' is an axis of this figure already");
    };
    const auto axes = figure_.axes();
    for (std::size_t i = 0; i < axes.size(); ++i)
      for (std::size_t k = i + 1; k < axes.size(); ++k) once(*axes[i], *axes[k]);
  }
  void check_value(const FigureCondition& c) {
    const auto known = values_of(sweep_, c.key);
    if (known.empty() || std::ranges::count(known, c.value) > 0) return;
    problem(c.place,
            "'" + c.key + "' never takes the value " + quoted(c.value) + "; its values are: " + list_of(known));
  }
  /// A metric of the whole run.
  void check_metric(const std::string& name, const Place& place) {
    std::vector<std::string> names;
    for (const Metric* m : metrics_)
      if (!m->per_workstation) names.push_back(m->name);
    const Metric* metric = metric_in(metrics_, name);
    if (metric == nullptr)
      problem(place, "'" + name + "' is not among the experiment's metrics" + hint(name, names, "they are"));
    else if (metric->per_workstation)
      problem(place, "'" + name + kEachShown);
  }
  void check_theory(const FigurePanel& panel) {
    std::vector<std::string> names;
    for (const Metric* m : metrics_)
      if (m->exact && !m->per_workstation) names.push_back(m->name);
    for (const auto& name : panel.theory) {
      const Metric* metric = metric_in(metrics_, name);
      if (metric == nullptr)
        problem(panel.theory_place,
                "'" + name + "' is not among the experiment's metrics" + hint(name, names, "of theory there are"));
      else if (metric->per_workstation)
        problem(panel.theory_place, "'" + name + kEachShown);
      else if (!metric->exact)
        problem(panel.theory_place,
                "'" + name + "' is simulated, not theory" + (names.empty() ? "" : "; theory is: " + list_of(names)));
    }
  }
  void check_workstations(const WorkstationsFigure& own) {
    std::vector<std::string> shown;
    for (const auto& panel : figure_.panels) {
      for (const auto& name : panel.metrics) check_each(name, panel.place);
      check_units(panel);
      check_rows(panel);
      shown.insert(shown.end(), panel.metrics.begin(), panel.metrics.end());
    }
    if (!own.sort.empty()) check_each(own.sort, own.sort_place);
    for (const auto& [name, label] : figure_.series.labels)
      if (std::ranges::count(shown, name) == 0)
        problem(figure_.series.labels_place, "no panel shows " + quoted(name) + hint(name, shown, "they show"));
  }
  /// A metric of each workstation.
  void check_each(const std::string& name, const Place& place) {
    std::vector<std::string> names;
    for (const Metric* m : metrics_)
      if (m->per_workstation) names.push_back(m->name);
    const Metric* metric = metric_in(metrics_, name);
    if (metric == nullptr)
      problem(place, "'" + name + "' is not among the experiment's metrics" +
                         hint(name, names, "of each workstation there are"));
    else if (!metric->per_workstation)
      problem(place, "'" + name + "' is a metric of the whole run; a figure of workstations shows metrics of each" +
                         (names.empty() ? "" : ": " + list_of(names)));
  }
  void check_units(const FigurePanel& panel) {
    const auto unit = [&](const std::string& name) {
      const Metric* metric = metric_in(metrics_, name);
      return metric == nullptr ? "" : metric->unit.empty() ? "no unit" : metric->unit;
    };
    for (const auto& name : panel.metrics)
      if (!unit(name).empty() && !unit(panel.metrics.front()).empty() && unit(name) != unit(panel.metrics.front()))
        problem(panel.place, "the metrics of a panel have one unit; '" + panel.metrics.front() + "' has " +
                                 unit(panel.metrics.front()) + ", '" + name + "' has " + unit(name));
  }
  void check_panel(const FigurePanel& panel) {
    check_metric(panel.metric, panel.place);
    if (!panel.x_metric.empty()) check_metric(panel.x_metric, panel.x_metric_place);
    check_theory(panel);
    check_rows(panel);
  }
  void check_rows(const FigurePanel& panel) {
    for (const auto& c : panel.where)
      if (check_swept(c.key, c.place)) check_value(c);
    for (const auto& axis : sweep_.axes) {
      if (std::ranges::none_of(axis.keys, [&](const std::string& key) { return uses(panel, key); }))
        problem(figure_.place, "the swept key '" + axis.keys.front() + "' is open: " + way_out());
      else check_positions(panel, axis);
    }
  }
  /// Steps of a zip that would fall on one position of the picture, being told apart by other keys alone.
  void check_positions(const FigurePanel& panel, const Axis& axis) {
    std::map<std::vector<std::string>, const std::vector<std::string>*> taken;
    for (const auto& step : axis.values) {
      if (!is_shown(panel, axis, step)) continue;
      const auto [known, is_new] = taken.try_emplace(position_of(axis, step), &step);
      if (!is_new && *known->second != step) return report_shared_position(panel, axis, *known->second, step);
    }
  }
  static bool is_shown(const FigurePanel& panel, const Axis& axis, const std::vector<std::string>& step) {
    return std::ranges::all_of(panel.where, [&](const FigureCondition& c) {
      const auto at = std::ranges::find(axis.keys, c.key);
      return at == axis.keys.end() || step[static_cast<std::size_t>(at - axis.keys.begin())] == c.value;
    });
  }
  /// Its values of the keys that are axes of the picture.
  std::vector<std::string> position_of(const Axis& axis, const std::vector<std::string>& step) const {
    std::vector<std::string> position;
    for (std::size_t k = 0; k < axis.keys.size(); ++k)
      if (is_axis(axis.keys[k])) position.push_back(step[k]);
    return position;
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
  const char* way_out() const {
    return figure_.kind() == FigureKind::workstations ? "fix its value in 'where'"
                                                    : "make it an axis or the series, or fix its value in 'where'";
  }
  bool is_axis(const std::string& key) const {
    return std::ranges::any_of(figure_.axes(), [&](const FigureAxis* axis) { return axis->key == key; });
  }
  bool uses(const FigurePanel& panel, const std::string& key) const {
    return is_axis(key) ||
           std::ranges::any_of(panel.where, [&](const FigureCondition& c) { return c.key == key; });
  }

  const Figure& figure_;
  const Sweep& sweep_;
  const std::vector<const Metric*>& metrics_;
  std::vector<std::string>& problems_;
};

}  // namespace

void check_figure(const Figure& figure, const Sweep& sweep, const std::vector<const Metric*>& metrics,
                  std::vector<std::string>& problems) {
  FigureCheck(figure, sweep, metrics, problems).run();
}

namespace {

/// A figure over one axis where the other of two is fixed, and over both alone where the series is.
void reduce_kind(Figure& figure, const Sweep& sweep) {
  if (!is_swept(sweep, figure.series.key)) {
    figure.series = {};
    if (figure.kind() == FigureKind::winners) figure.of = SurfaceFigure{*figure.y()};
  }
  const FigureAxis* y = figure.y();
  if (y == nullptr || is_swept(sweep, figure.x.key) == is_swept(sweep, y->key)) return;
  if (!is_swept(sweep, figure.x.key)) figure.x = *y;
  figure.of = CurvesFigure{};
}

/// Texts of values that are gone.
void reduce_labels(Figure& figure, const Sweep& sweep) {
  if (figure.kind() == FigureKind::workstations) return;
  for (FigureAxis* axis : {&figure.x, figure.y(), &figure.series}) {
    if (axis == nullptr) continue;
    const auto shown = values_of(sweep, axis->key);
    std::erase_if(axis->labels, [&](const auto& label) { return std::ranges::count(shown, label.first) == 0; });
  }
  const auto competing = values_of(sweep, figure.series.key);
  if (auto* own = std::get_if<WinnersFigure>(&figure.of); own != nullptr && std::ranges::count(competing, own->against) == 0)
    own->against.clear();
}

/// Metrics of workstations that are no longer measured.
void reduce_metrics(Figure& figure, WorkstationsFigure& own, const std::vector<const Metric*>& metrics) {
  const auto is_gone = [&](const std::string& name) { return metric_in(metrics, name) == nullptr; };
  for (auto& panel : figure.panels)
    if (!std::ranges::all_of(panel.metrics, is_gone)) std::erase_if(panel.metrics, is_gone);
  std::erase_if(figure.series.labels, [&](const auto& label) { return is_gone(label.first); });
  if (is_gone(own.sort)) own.sort.clear();
}

}  // namespace

Figure reduced_figure(Figure figure, const Sweep& sweep, const std::vector<const Metric*>& metrics) {
  if (auto* own = std::get_if<WorkstationsFigure>(&figure.of)) reduce_metrics(figure, *own, metrics);
  else reduce_kind(figure, sweep);
  reduce_labels(figure, sweep);
  const auto is_gone = [&](const FigurePanel& panel) {
    const std::string& metric =
        figure.kind() == FigureKind::workstations ? panel.metrics.front() : panel.metric;
    const std::string x_metric = figure.x_metric_of(panel);
    return metric_in(metrics, metric) == nullptr || (!x_metric.empty() && metric_in(metrics, x_metric) == nullptr) ||
           std::ranges::any_of(panel.where, [&](const FigureCondition& c) { return !is_swept(sweep, c.key); });
  };
  for (auto& panel : figure.panels)
    std::erase_if(panel.theory, [&](const std::string& name) { return metric_in(metrics, name) == nullptr; });
  std::vector<FigurePanel> kept;
  std::ranges::remove_copy_if(figure.panels, std::back_inserter(kept), is_gone);
  if (!kept.empty()) figure.panels = std::move(kept);
  const bool is_used = std::ranges::any_of(figure.panels, [](const auto& panel) { return panel.x_metric.empty(); });
  if (auto* own = std::get_if<CurvesFigure>(&figure.of); own != nullptr && !is_used) own->x_metric.clear();
  return figure;
}

}  // namespace nowsim

// Along which of its swept keys an experiment's system grows, which points make a curve, and what was found of each.
#include "experiments/driver/studies/isoefficiency.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "experiments/driver/points/experiment_document.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/error.hpp"

namespace nowsim {
namespace {

constexpr double kRoundingOfPower = 1e-12;

bool is_same_system(const GrowthPoint& a, const GrowthPoint& b) {
  return a.processors == b.processors &&
         std::abs(a.power_flops - b.power_flops) <= kRoundingOfPower * std::abs(a.power_flops);
}

bool grows(const IsoefficiencyCurve& curve) {
  const GrowthPoint* first = nullptr;
  for (const auto& point : curve.points) {
    if (std::isnan(point.system.power_flops)) continue;
    if (first == nullptr) first = &point.system;
    if (!is_same_system(*first, point.system)) return true;
  }
  return false;
}

class FamilyFinder {
 public:
  FamilyFinder(const Experiment& experiment, bosque::Power power)
      : experiment_(experiment), axes_(experiment.source->document.sweep.axes), power_(power) {}

  [[nodiscard]] IsoefficiencyFamily along(const std::vector<std::string>& keys) const {
    std::vector<bool> is_along;
    for (const Axis& axis : axes_)
      is_along.push_back(std::ranges::any_of(axis.keys, [&](const auto& key) { return contains(keys, key); }));
    IsoefficiencyFamily family{keys, power_, {}};
    std::map<std::vector<std::string>, std::size_t> known;
    for (std::size_t p = 0; p < experiment_.points.size(); ++p) {
      const auto [it, is_new] = known.emplace(others_of(p, is_along, false), family.curves.size());
      if (is_new) family.curves.push_back(curve_of(p, is_along));
      family.curves[it->second].points.push_back({p, system_of(experiment_.points[p], power_)});
    }
    return family;
  }

  /// Keys of axes, that of the number of machines first, but for that of the efficiencies.
  [[nodiscard]] std::vector<std::string> candidates() const {
    std::vector<std::string> out;
    for (const Axis& axis : axes_) {
      if (axis.keys.front() == kTargetKey) continue;
      const bool is_first = contains(axis.keys, kCount);
      out.insert(is_first ? out.begin() : out.end(), is_first ? kCount : axis.keys.front());
    }
    return out;
  }

 private:
  static constexpr const char* kCount = "platform.workstations";

  /// Of an axis' keys the first that tells its steps apart, or all.
  static bool is_telling(const Axis& axis, std::size_t k) {
    std::vector<std::string> seen;
    for (const auto& step : axis.values) {
      if (contains(seen, step[k])) return false;
      seen.push_back(step[k]);
    }
    return axis.values.size() > 1 && !axis.keys[k].starts_with("solve.");
  }
  static std::optional<std::size_t> telling_key(const Axis& axis) {
    for (std::size_t k = 0; k < axis.keys.size(); ++k)
      if (is_telling(axis, k)) return k;
    return std::nullopt;
  }

  [[nodiscard]] std::vector<std::string> others_of(std::size_t point, const std::vector<bool>& is_along,
                                                   bool as_shown) const {
    std::vector<std::string> out;
    std::size_t k = 0;
    for (std::size_t a = 0; a < axes_.size(); ++a)
      for (std::size_t own = 0; own < axes_[a].keys.size(); ++own, ++k)
        if (!is_along[a] && (!as_shown || is_shown(axes_[a], own))) out.push_back(experiment_.points[point].values[k]);
    return out;
  }
  static bool is_shown(const Axis& axis, std::size_t k) {
    if (axis.keys[k] == kTargetKey || axis.values.size() < 2) return false;
    return telling_key(axis).value_or(k) == k;
  }
  [[nodiscard]] IsoefficiencyCurve curve_of(std::size_t point, const std::vector<bool>& is_along) const {
    IsoefficiencyCurve curve;
    curve.target = experiment_.points[point].values.front();
    const auto values = others_of(point, is_along, true);
    for (std::size_t a = 0; a < axes_.size(); ++a)
      for (std::size_t k = 0; k < axes_[a].keys.size(); ++k)
        if (!is_along[a] && is_shown(axes_[a], k))
          curve.others.emplace_back(axes_[a].keys[k], values[curve.others.size()]);
    return curve;
  }

  const Experiment& experiment_;
  const std::vector<Axis>& axes_;
  bosque::Power power_;
};

/// Along which axis systems grow; none where along none.
std::optional<IsoefficiencyFamily> growing_family(const FamilyFinder& finder) {
  for (const auto& key : finder.candidates())
    if (IsoefficiencyFamily family = finder.along({key}); std::ranges::any_of(family.curves, grows)) return family;
  return std::nullopt;
}

constexpr const char* kExample = "add one along which it grows, such as --sweep platform.workstations=2,4,8";

void check_along(const Experiment& experiment, const std::vector<std::string>& along) {
  Words known;
  for (const auto& key : experiment.axes)
    if (key != kTargetKey) known.push_back(key);
  for (const auto& key : along)
    if (!contains(known, key))
      throw InputError("--along " + key + ": this key is not swept" + did_you_mean(key, known) + "; swept are: " +
                       (known.empty() ? "none" : joined(known)));
}

[[noreturn]] void nothing_grows(const Experiment& experiment, const std::string& place) {
  if (experiment.axes.size() < 2)
    throw InputError(experiment.file + " sweeps nothing: its sweep is the family of systems; " + kExample);
  const auto known = std::ranges::find_if(experiment.points, [](const Point& p) { return p.simulated() != nullptr; });
  std::string system;
  if (known != experiment.points.end()) {
    const GrowthPoint one = system_of(*known, bosque::Power::dedicated);
    system = " (" + format_quantity(one.processors, Dimension::count) + " workstations, p_T = " +
             format_quantity(one.power_flops, Dimension::speed) + ")";
  }
  throw InputError(place + "no system grows along the sweep of " + experiment.file + ": points are of one size" +
                   system + "; " + kExample);
}

// ---- what was found ------------------------------------------------------------------------------------------------

/// What was found of a point.
void complete(IsoefficiencyPoint& point, bosque::Power power, const Point& solved, const ResultTable& summary) {
  const ResultRow& row = summary.rows[point.row];
  const auto* ready = solved.as<ReadyPoint>();
  point.has_size = row.status == PointStatus::ok && ready != nullptr && ready->solved != nullptr;
  if (!point.has_size) return;
  point.system = system_of(solved, power);  // which may depend on the size: its machine alone may page
  point.system.size = ready->solved->size;
  point.work_flop = zhang_yan::work_flop(*ready->scenarios.scenario);
  const auto estimate = [&](const std::string& metric) {
    return summary.metric_index(metric) < summary.metrics.size() ? summary.estimate(row, metric) : kUnknownEstimate;
  };
  point.tau_s = estimate("tau");
  point.formula_size = estimate("n_BO").value;
}

}  // namespace

GrowthPoint system_of(const Point& point, bosque::Power power) {
  const auto scenario = point.scenario();
  if (!scenario) return {kNotKnown, kNotKnown, exactly(kNotKnown)};
  return {bosque::processors(*scenario), bosque::total_power_flops(*scenario, power), exactly(kNotKnown)};
}

IsoefficiencyFamily family_of(const Experiment& experiment, const std::vector<std::string>& along) {
  const auto is_open = [](const Point& p) { return p.as<OpenSize>() != nullptr; };
  const auto first = std::ranges::find_if(experiment.points, is_open);
  const bool is_of_left = first != experiment.points.end() && first->as<OpenSize>()->task->metric->name == "eps_a";
  const FamilyFinder finder(experiment, is_of_left ? bosque::Power::left : bosque::Power::dedicated);
  check_along(experiment, along);
  if (along.empty()) {
    if (auto family = growing_family(finder)) return *family;
    nothing_grows(experiment, "");
  }
  IsoefficiencyFamily family = finder.along(along);
  if (std::ranges::none_of(family.curves, grows)) nothing_grows(experiment, "--along " + joined(along) + ": ");
  return family;
}

std::vector<const GrowthFit*> IsoefficiencyCurve::best() const {
  const Growth growth = growth_of(fits);
  return growth.is_told() ? growth.nearest : std::vector<const GrowthFit*>{};
}

IsoefficiencyReport isoefficiency_report(IsoefficiencyFamily family, const Experiment& described,
                                         const Experiment& solved, const ResultTable& summary) {
  IsoefficiencyReport report{summary, "", "", std::move(family)};
  for (auto& curve : report.family.curves) {
    std::vector<GrowthPoint> systems;
    for (auto& point : curve.points) {
      complete(point, report.family.power, solved.points[point.row], summary);
      systems.push_back(point.system);
      const auto* open = described.points[point.row].as<OpenSize>();
      const SizeTask* task = open != nullptr ? open->task.get() : nullptr;
      if (task != nullptr) report.key = task->key, report.metric = task->metric->name;
      if (!point.has_size) point.reason = reason_text(summary.rows[point.row].reason, curve.target, point, task);
    }
    curve.fits = growth_fits(systems);
  }
  return report;
}

}  // namespace nowsim

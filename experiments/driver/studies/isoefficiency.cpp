// What was found of every point, and the laws that fit.
#include "experiments/driver/studies/isoefficiency.hpp"

#include "experiments/driver/studies/isoefficiency_text.hpp"
#include "sim/metrics/paper_models.hpp"

namespace nowsim {
namespace {

Estimate estimate_of(const ResultTable& summary, std::size_t row, const std::string& metric) {
  for (std::size_t m = 0; m < summary.metrics.size(); ++m)
    if (summary.metrics[m]->name == metric && !summary.rows[row].estimates.empty())
      return summary.rows[row].estimates[m].front();
  return exactly(kNotKnown);
}

/// What was found of a point.
void complete(IsoefficiencyPoint& point, bosque::Power power, const Point& solved, const ResultTable& summary) {
  const ResultRow& row = summary.rows[point.row];
  const auto* ready = solved.as<ReadyPoint>();
  point.has_size = row.status == PointStatus::ok && ready != nullptr && ready->solved != nullptr;
  if (!point.has_size) return;
  point.system = system_of(solved, power);  // which may depend on the size: its machine alone may page
  point.system.size = ready->solved->size;
  point.work_flop = zhang_yan::work_flop(*ready->scenarios.scenario);
  point.tau_s = estimate_of(summary, point.row, "tau");
  point.formula_size = estimate_of(summary, point.row, "n_BO").value;
}

}  // namespace

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

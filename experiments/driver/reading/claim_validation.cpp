// Holding claims against the axes and metrics of their experiment.
#include <algorithm>
#include <map>

#include "experiments/driver/reading/axis_scale.hpp"
#include "experiments/driver/reading/claims.hpp"
#include "experiments/driver/reading/metric_choice.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

/// Holds one claim against the experiment's axes and metrics.
class ClaimValidator {
 public:
  ClaimValidator(const Claim& claim, const Sweep& sweep, std::map<std::string, AxisValues>& values,
                 const Registry<Metric>& known, Words& problems)
      : claim_(claim), sweep_(sweep), values_(values), known_(known), problems_(problems) {}

  void check_axes() {
    for (const auto& named : claim_.names)
      if (named.what == Named::axis) check_axis(named.key, named.name);
    for (const auto& [axis, values] : claim_.where)
      if (check_axis("where." + axis, axis))
        for (const auto& value : values) check_value("where." + axis, axis, value);
    for (const auto& named : claim_.names)
      if (named.what == Named::value) check_value(named.key, named.axis, named.name);
    if (!claim_.kind->needs_numbers || !claim_.over.empty()) return;
    for (const auto& value : sweep_.values_of(claim_.along))
      if (!axis_number(value))
        return problem("along", "the check '" + claim_.kind->name + "' needs numbers along '" + claim_.along + "'; '" +
                                    value + "' is none");
  }

  void check_metrics(const std::vector<const Metric*>& metrics) {
    for (const auto& named : claim_.names)
      if (named.what == Named::metric) check_metric(named.key, named.name, metrics);
  }

 private:
  void problem(const std::string& key, const std::string& sentence) {
    problems_.emplace_back(InputError(claim_.place(key), sentence).what());
  }
  void check_metric(const std::string& key, const std::string& name, const std::vector<const Metric*>& metrics) {
    Words measured;
    for (const Metric* metric : metrics) measured.push_back(metric->name);
    const Metric* metric = find_metric(name, known_);
    if (metric == nullptr) return problem(key, no_metric(name, words_in(known_)));
    if (metric->per_workstation)
      problem(key, "'" + name + "' has a value per workstation; a claim needs one per point");
    if (!contains(measured, name))
      problem(key, "the experiment does not measure '" + name + "'; its metrics: " + joined(measured));
  }
  /// Whether the axis is there; one that could not be read has been reported.
  bool check_axis(const std::string& key, const std::string& axis) {
    const auto keys = sweep_.keys();
    if (contains(keys, axis)) return true;
    const bool broken =
        std::any_of(sweep_.broken.begin(), sweep_.broken.end(), [&](const Setting& s) { return s.place.key == axis; });
    if (!broken) problem(key, "'" + axis + "' is not swept" + did_you_mean(axis, keys));
    return false;
  }
  void check_value(const std::string& key, const std::string& axis, const std::string& value) {
    auto known = values_.find(axis);
    if (known == values_.end()) known = values_.emplace(axis, AxisValues(sweep_.values_of(axis))).first;
    constexpr std::size_t kMost = 100;
    const Words& all = known->second.in_order();
    if (!all.empty() && known->second.find(value) == nullptr)
      problem(key, "'" + axis + "' does not take the value '" + value + "'; its values: " +
                       (all.size() > kMost ? some_names(all) : joined(all)));
  }

  const Claim& claim_;
  const Sweep& sweep_;
  std::map<std::string, AxisValues>& values_;  ///< of axes, for all claims
  const Registry<Metric>& known_;
  Words& problems_;
};

}  // namespace

void validate_claims(const std::vector<Claim>& claims, const Sweep& sweep, const std::vector<const Metric*>& metrics,
                     const Registry<Metric>& known, std::vector<std::string>& problems) {
  std::map<std::string, AxisValues> values;
  for (const auto& claim : claims) {
    ClaimValidator validator(claim, sweep, values, known, problems);
    validator.check_metrics(metrics);
    validator.check_axes();
  }
}

}  // namespace nowsim

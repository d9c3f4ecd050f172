// Names that keys, figures and claims give: whether there is such a metric, swept key or value, and whether it will do.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "experiments/driver/reading/axis_scale.hpp"
#include "experiments/driver/reading/reader.hpp"
#include "experiments/driver/reading/sweep.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/metrics/metrics.hpp"

namespace nowsim {

/// What a metric's value is to decide: when a point stops, or which size is found.
enum class MetricUse { stopping, solving };

/// The metric, one of those that are known, that a key of the reader's table names. Null after a problem.
const Metric* read_metric(Reader& read, const std::string& key, MetricUse use, const Registry<Metric>& known);

/// "there is no metric 'tua'; did you mean 'tau'?", of these names.
std::string no_metric(const std::string& name, const Words& known);

/// What an experiment sweeps and measures, which outlive it: names of figures and claims are held against it.
struct SweptAndMeasured {
  SweptAndMeasured(const Sweep& of_experiment, const std::vector<const Metric*>& measured)
      : sweep(of_experiment), metrics(measured) {}
  const Sweep& sweep;
  const std::vector<const Metric*>& metrics;

  [[nodiscard]] bool is_swept(const std::string& key) const;
  /// The different values of a key; none where it is not swept.
  [[nodiscard]] const AxisValues& values(const std::string& key) const;
  /// Null where it is not measured.
  [[nodiscard]] const Metric* metric(const std::string& name) const;
  /// Of those that are measured, such as metrics of each workstation.
  [[nodiscard]] Words names_of(const std::function<bool(const Metric&)>& is_wanted) const;

 private:
  mutable std::map<std::string, AxisValues> values_;  ///< looked up once, however often they are named
};

}  // namespace nowsim

// Metrics that keys name: whether there is one of that name, and whether it will do for what it is to be used for.
#pragma once

#include <string>

#include "experiments/driver/reading/reader.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/metrics/metrics.hpp"

namespace nowsim {

/// What a metric's value is to decide: when a point stops, or which size is found.
enum class MetricUse { stopping, solving };

/// The metric, one of those that are known, that a key of the reader's table names. Null after a problem.
const Metric* read_metric(Reader& read, const std::string& key, MetricUse use, const Registry<Metric>& known);

/// "there is no metric 'tua'; did you mean 'tau'?", of these names.
std::string no_metric(const std::string& name, const Words& known);

}  // namespace nowsim

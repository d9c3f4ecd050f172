// Quantiles of T as metrics: T_q for any q in percent, each made when it is first asked for.
#pragma once

#include <string>

#include "sim/metrics/metrics.hpp"

namespace nowsim {

/// The metric T_q of this name, which has to be one.
Metric quantile_metric(const std::string& name, const std::string& summary);

/// The metric T_q of this name, the same object for ever; null where the name is none: q is a decimal above 0 and below
/// 100, without needless zeros, so that no quantile has two names.
const Metric* find_quantile_metric(const std::string& name);

/// What is wrong with a name that was meant as a T_q; "" where it is one, or was not meant so.
std::string quantile_name_problem(const std::string& name);

}  // namespace nowsim

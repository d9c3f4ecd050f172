// The laws that costs of tasks are drawn from, as a job's keys `law` and `cv` describe them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/base/keys.hpp"
#include "sim/statistics/laws.hpp"

namespace nowsim {

/// A law of costs, none of which is negative.
struct CostLaw {
  const char* name;
  bool reads_cv;  ///< has a coefficient of variation of the user's choice
  double cv;      ///< of those that have not
  /// With this mean > 0 [flop] and coefficient of variation. @throws InfeasibleError where the law does not hold that.
  DistributionPtr (*make)(double mean_flop, double cv);
};

/// constant; uniform, with cv up to 1/sqrt(3); normal, truncated at 0, with mean and cv as they are after that, cv less
/// than 1; exponential.
std::span<const CostLaw> cost_laws();
/// The keys `law`, with names besides those of cost_laws(), and `cv`, as they are read here.
Key cost_law_key(const std::vector<std::string>& others = {});
Key cv_key();
/// The key `cv` where the law reads it (0.3), or the law's own.
double read_cv(KeyReader& read, const CostLaw& law);
/// The law of this mean > 0 [flop] that `law` names (the first unless given), with the key `cv`.
/// @throws InputError where mean is 0, InfeasibleError where the law does not hold such a cv.
DistributionPtr read_cost_law(KeyReader& read, const std::string& name_of_mean, double mean_flop);

}  // namespace nowsim

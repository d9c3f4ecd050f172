// Four laws by name.
#include "workloads/parts/cost_law.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

/// 1/sqrt(3) as a user writes it may be more in the last digit.
DistributionPtr uniform_cost(double mean, double cv) {
  const double half_width = std::sqrt(3.0) * cv * mean;
  if (!(half_width <= mean * (1 + 1e-12)))
    throw InfeasibleError("a uniform law of costs, which are not negative, has a cv of at most 1/sqrt(3) = 0.577; cv is " +
                          short_number(cv));
  return uniform(std::max(0.0, mean - half_width), mean + half_width);
}

DistributionPtr normal_cost(double mean, double cv) {
  if (cv >= 1) throw InfeasibleError("cv of a normal law above 0 is less than 1; it is " + short_number(cv));
  return cv > 0 ? normal_above_zero(mean, cv * mean) : constant(mean);
}

constexpr auto kLaws = std::to_array<CostLaw>({{"constant", false, 0, [](double mean, double) { return constant(mean); }},
                                               {"uniform", true, 0, uniform_cost},
                                               {"normal", true, 0, normal_cost},
                                               {"exponential", false, 1, [](double mean, double) { return exponential(mean); }}});

}  // namespace

std::span<const CostLaw> cost_laws() { return kLaws; }

Key cost_law_key(const std::vector<std::string>& others) {
  std::vector<std::string> names = words_in(kLaws);
  names.insert(names.end(), others.begin(), others.end());
  return {"law", KeyType::word, names.front(), "of the costs", {}, names};
}

Key cv_key() { return {"cv", KeyType::share, "0.3", "coefficient of variation, with law: uniform or normal"}; }

double read_cv(KeyReader& read, const CostLaw& law) { return law.reads_cv ? read.value("cv") : law.cv; }

DistributionPtr read_cost_law(KeyReader& read, const std::string& name_of_mean, double mean_flop) {
  if (!(mean_flop > 0)) throw InputError(name_of_mean + " must be more than 0 flop");
  const CostLaw& law = kLaws.at(read.word("law"));
  return law.make(mean_flop, read_cv(read, law));
}

}  // namespace nowsim

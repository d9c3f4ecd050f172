// Four laws by name.
#include "workloads/cost_law.hpp"

#include <array>
#include <cmath>
#include <vector>

#include "sim/error.hpp"
#include "sim/text.hpp"

namespace nowsim {
namespace {

struct CostLaw {
  const char* name;
  bool has_cv;
  DistributionPtr (*make)(double mean_flop, double cv);
};

DistributionPtr constant_cost(double mean, double) { return constant(mean); }

DistributionPtr uniform_cost(double mean, double cv) {
  const double half = std::sqrt(3.0) * cv;
  if (half > 1)
    throw InfeasibleError("cv of a uniform law above 0 is at most 1/sqrt(3) = 0.577; it is " + number_text(cv));
  return uniform(mean * (1 - half), mean * (1 + half));
}

DistributionPtr normal_cost(double mean, double cv) {
  if (cv >= 1) throw InfeasibleError("cv of a normal law above 0 is less than 1; it is " + number_text(cv));
  return cv > 0 ? normal_above_zero(mean, cv * mean) : constant(mean);
}

DistributionPtr exponential_cost(double mean, double) { return exponential(mean); }

constexpr std::array<CostLaw, 4> kLaws{{{"constant", false, constant_cost},
                                        {"uniform", true, uniform_cost},
                                        {"normal", true, normal_cost},
                                        {"exponential", false, exponential_cost}}};

}  // namespace

DistributionPtr read_cost_law(ParameterReader& read, const std::string& name_of_mean, double mean_flop) {
  if (!(mean_flop > 0)) throw InputError(name_of_mean + " must be more than 0 flop");
  std::vector<std::string> names;
  for (const auto& law : kLaws) names.emplace_back(law.name);
  const CostLaw& law = kLaws.at(read.choice("law", names, 0));
  return law.make(mean_flop, law.has_cv ? read.number("cv", 0.3) : 0);
}

}  // namespace nowsim

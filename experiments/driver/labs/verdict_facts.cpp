// How often so few replications tell which of two values is better, in many repetitions.
#include <cmath>

#include "experiments/driver/labs/fact_kinds.hpp"
#include "experiments/driver/labs/lab_experiments.hpp"
#include "experiments/driver/running/runner.hpp"
#include "sim/base/text.hpp"
#include "sim/statistics/random.hpp"

namespace nowsim {
namespace {

constexpr double kMostReplications = 100'000;
/// Replications from which repetitions are drawn, with replacement: a repetition of 1000 replications repeats 24 of them.
constexpr std::uint64_t kPool = 20'000;
/// Gathers every replication's T.
constexpr const char* kGathersTimes = "T_50";

/// T of each replication of both values, in the same order: the same random numbers.
struct Pool {
  std::vector<double> lower_s, higher_s;
};

std::vector<double> times_with(Facts& facts, const VerdictsFact& what, const std::string& value) {
  LabExperiment described = *facts.lab().experiment(what.of);
  described.set.emplace_back(what.key, value);
  described.set.emplace_back("run.replications", std::to_string(kPool));
  const Experiment experiment = made_ready(facts, load_lab_experiment(facts, described, {kGathersTimes}, Seed::of_judge));
  const auto outcomes = run_experiment(experiment, {facts.options().jobs});
  if (outcomes.size() != 1) throw InputError(experiment.file + ": verdicts are on one point, and the sweep has more");
  if (outcomes.front().statistics == nullptr) throw RunError(experiment.file + ": " + outcomes.front().failure);
  return outcomes.front().statistics->makespans_s;
}

/// Whether the interval of a difference of means lies above 0.
bool tells_paired(const Pool& pool, Stream& stream, std::uint64_t n, double t) {
  Moments differences;
  for (std::uint64_t k = 0; k < n; ++k) {
    const auto r = static_cast<std::size_t>(stream.uniform() * static_cast<double>(pool.lower_s.size()));
    differences.add(pool.higher_s[r] - pool.lower_s[r]);
  }
  return differences.mean() > t * differences.sd() / std::sqrt(static_cast<double>(n));
}

bool tells_unpaired(const Pool& pool, Stream& stream, std::uint64_t n, double t) {
  Moments lower, higher;
  const auto draw = [&](const std::vector<double>& from) {
    return from[static_cast<std::size_t>(stream.uniform() * static_cast<double>(from.size()))];
  };
  for (std::uint64_t k = 0; k < n; ++k) {
    lower.add(draw(pool.lower_s));
    higher.add(draw(pool.higher_s));
  }
  return higher.mean() - lower.mean() > t * std::sqrt((lower.variance() + higher.variance()) / static_cast<double>(n));
}

}  // namespace

Fact fact_of(Facts& facts, const VerdictsFact& what) {
  const double asked = std::round(facts.number(what.replications).value);
  if (!(asked >= 1 && asked <= kMostReplications))
    throw InputError("the number of replications is from 1 to 100000 here, not " + number_text(asked));
  const auto n = static_cast<std::uint64_t>(asked);
  if (n == 1) return {{proportion_estimate(0, what.repetitions, kLabConfidence), {}}};  // one run has no interval
  const Pool pool{times_with(facts, what, what.lower), times_with(facts, what, what.higher)};
  const double t = student_quantile(what.is_paired ? n : 2 * n - 1, kLabConfidence);
  Stream stream({facts.problem().judge_seed, n, kAllWorkstations, Purpose::resampling});
  std::uint64_t told = 0;
  for (std::uint64_t k = 0; k < what.repetitions; ++k)
    told += (what.is_paired ? tells_paired : tells_unpaired)(pool, stream, n, t) ? 1 : 0;
  return {{proportion_estimate(told, what.repetitions, kLabConfidence), {}}};
}

}  // namespace nowsim

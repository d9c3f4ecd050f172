// Each kind of fact, computed: of estimates, charts, verdicts and laws.
#include "experiments/driver/labs/facts.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <variant>

#include "experiments/driver/running/runner.hpp"
#include "experiments/driver/studies/isoefficiency.hpp"
#include "sim/base/text.hpp"
#include "sim/statistics/random.hpp"

namespace nowsim {
namespace {

/// The only row with these values.
const ResultRow& row_of(const ResultTable& summary, const NamedTexts& at) {
  const ResultRow* found = nullptr;
  for (const auto& row : summary.rows) {
    if (!std::ranges::all_of(at, [&](const auto& wanted) { return summary.has(row, wanted.first, wanted.second); })) continue;
    if (found != nullptr) throw InputError(summary.file + ": several points fit a fact's 'at'");
    found = &row;
  }
  if (found == nullptr) throw InputError(summary.file + ": no point fits a fact's 'at'");
  if (!found->has_results()) throw RunError(summary.file + ": " + found->reason);
  return *found;
}

struct Candidate {
  std::string word;
  Estimate value;
};

}  // namespace

Fact fact_of(Facts& facts, const FormulaFact& what) { return {{facts.number(what.formula), {}}}; }

Fact fact_of(Facts& facts, const EstimateFact& what) {
  const ResultTable& summary = facts.summary(what.of);
  NamedTexts at;
  for (const auto& [key, value] : what.at)
    at.emplace_back(key, value.starts_with("=") ? number_text(facts.number(value).value) : value);
  const ResultRow& row = row_of(summary, at);
  Fact fact;
  const auto& estimates = summary.estimates(row, what.metric);
  for (std::size_t i = 0; i < estimates.size(); ++i)
    if (what.workstation.empty() || row.workstations.at(i) == what.workstation) fact.push_back({estimates[i], {}});
  if (fact.empty()) throw InputError(summary.file + ": there is no workstation " + quoted(what.workstation));
  return fact;
}

Fact fact_of(Facts& facts, const BestFact& what) {
  const double sign = what.is_highest ? -1 : 1;
  std::vector<Candidate> all;
  for (const auto& [word, fact] : what.facts) all.push_back({word, facts.number(fact)});
  std::ranges::stable_sort(all, {}, [&](const Candidate& c) { return sign * c.value.value; });
  const Estimate best = all.front().value;
  FactItem item{best, {}};
  for (const auto& c : all)
    if (what.is_highest ? !(c.value.high < best.low) : !(c.value.low > best.high)) item.words.push_back(c.word);
  return {item};
}

namespace {

/// Neither computing nor moving anything.
bool waits(Activity what) { return what == Activity::barrier || what == Activity::receive || what == Activity::idle; }

double waiting_of(const WorkstationTimeline& workstation) {
  double seconds = 0;
  for (const auto& a : workstation.activities)
    if (waits(a.what)) seconds += a.end_s - a.begin_s;
  return seconds;
}

/// When a workstation came to a barrier.
struct Arrival {
  double at_s;
  std::string workstation;
};

/// Of each barrier, the last one first.
std::vector<std::vector<Arrival>> arrivals(const Timeline& timeline) {
  std::vector<std::vector<Arrival>> barriers;
  for (const auto& workstation : timeline.workstations) {
    std::size_t passed = 0;
    for (const auto& a : workstation.activities) {
      if (a.what != Activity::barrier) continue;
      if (passed == barriers.size()) barriers.emplace_back();
      barriers[passed++].push_back({a.begin_s, workstation.name});
    }
  }
  for (auto& barrier : barriers) std::ranges::stable_sort(barrier, std::ranges::greater{}, &Arrival::at_s);
  return barriers;
}

/// Moments that are as near in a run of that length are the same but for rounding.
bool is_same_moment(double a_s, double b_s) { return std::abs(a_s - b_s) <= 1e-9 * std::max(a_s, b_s); }

/// The workstation that came last to each barrier; several where they came together.
Fact last_at_barriers(const Timeline& timeline) {
  Fact fact;
  for (const auto& barrier : arrivals(timeline)) {
    FactItem last{kUnknownEstimate, {}};
    for (const auto& arrival : barrier)
      if (is_same_moment(arrival.at_s, barrier.front().at_s)) last.words.push_back(arrival.workstation);
    fact.push_back(std::move(last));
  }
  return fact;
}

/// By which share of its phase the last one came after the one before, at the barrier where that is least.
double least_gap(const Timeline& timeline) {
  double least = 1, begin_s = 0;
  for (const auto& barrier : arrivals(timeline)) {
    const double last_s = barrier.front().at_s;
    if (barrier.size() > 1 && last_s > begin_s) least = std::min(least, (last_s - barrier[1].at_s) / (last_s - begin_s));
    begin_s = last_s;
  }
  return least;
}

}  // namespace

Fact fact_of(Facts& facts, const ChartFact& what) {
  const Timeline& timeline = facts.timeline(what.of, what.replication);
  if (what.what == ChartFact::What::last_at_barrier) return last_at_barriers(timeline);
  if (what.what == ChartFact::What::barrier_gap) return {{exactly(least_gap(timeline)), {}}};
  Fact fact;
  double sum = 0;
  for (const auto& workstation : timeline.workstations) {
    fact.push_back({exactly(waiting_of(workstation)), {}});
    sum += fact.back().number.value;
  }
  if (what.what == ChartFact::What::waiting) return fact;
  return {{exactly(sum / (timeline.makespan_s * static_cast<double>(fact.size()))), {}}};
}

namespace {

IsoefficiencyRequest growth_question(Facts& facts, const LabExperiment& described, const LawFact& what) {
  IsoefficiencyRequest request;
  request.file = file_of(facts.lab(), described);
  request.targets = {facts.filled(what.efficiency, Facts::For::files)};
  if (!what.metric.empty()) request.metric = what.metric;
  request.options.overrides = own_overrides(facts, described);
  return request;
}

/// One law, or all that come near where none is told.
std::vector<std::string> laws_told(const Growth& growth) {
  std::vector<std::string> words;
  for (const auto* fit : growth.nearest) words.emplace_back(fit->law->name);
  if (growth.is_told()) return {words.front()};
  for (const auto* fit : growth.rivals) words.emplace_back(fit->law->name);
  if (words.size() < 2) words.emplace_back(kCannotBeTold);
  return words;
}

}  // namespace

Fact fact_of(Facts& facts, const LawFact& what) {
  const LabExperiment* described = facts.lab().experiment(what.of);
  const IsoefficiencyRequest request = growth_question(facts, *described, what);
  const Experiment asked = isoefficiency_experiment(request, facts.registries());
  const IsoefficiencyFamily family = family_of(asked, request.along);
  const Experiment solved = made_ready(facts, asked);
  const ResultTable summary = summarise(solved, run_experiment(solved, {facts.options().jobs}));
  const IsoefficiencyReport report = isoefficiency_report(family, asked, solved, summary);
  if (report.family.curves.size() != 1) throw InputError(request.file + ": a lab's law is of one curve");
  const auto& curve = report.family.curves.front();
  FactItem item{kUnknownEstimate, laws_told(growth_of(curve.fits))};
  if (!curve.points.empty()) item.number = curve.points.back().system.size;
  return {item};
}

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

Fact fact_of(Facts& facts, const decltype(LabFact::what)& what) {
  return std::visit([&](const auto& kind) { return fact_of(facts, kind); }, what);
}

}  // namespace nowsim

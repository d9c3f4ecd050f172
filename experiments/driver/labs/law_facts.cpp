// The law by which a problem grows, as `nowsim isoefficiency` tells it.
#include "experiments/driver/labs/fact_kinds.hpp"
#include "experiments/driver/labs/lab_experiments.hpp"
#include "experiments/driver/running/runner.hpp"
#include "experiments/driver/studies/isoefficiency.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
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

}  // namespace nowsim

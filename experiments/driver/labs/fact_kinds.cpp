// Facts that are read off estimates: a metric at a point, the best of several, a formula.
#include "experiments/driver/labs/fact_kinds.hpp"

#include <algorithm>
#include <utility>

#include "sim/base/text.hpp"

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

Fact fact_of(Facts& facts, const decltype(LabFact::what)& what) {
  return std::visit([&](const auto& kind) { return fact_of(facts, kind); }, what);
}

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

}  // namespace nowsim

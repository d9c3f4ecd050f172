// All sets, or prefixes and a local search.
#include "experiments/driver/studies/machine_search.hpp"

#include <algorithm>
#include <optional>
#include <tuple>

namespace nowsim {
namespace {

constexpr std::size_t kMostRounds = 12, kMostSwapped = 8, kMostMoved = 40, kMostPrefixes = 40;

/// Of machines of a kind only the first few, however many: every set is like one of these.
bool is_canonical(const MachineSet& set, const std::vector<std::size_t>& kinds) {
  for (const std::size_t member : set)
    for (std::size_t i = 0; i < member; ++i)
      if (kinds[i] == kinds[member] && !std::ranges::binary_search(set, i)) return false;
  return true;
}

class Search {
 public:
  Search(const MachineField& field, const JudgeSets& judge) : field_(field), judge_(judge) {}

  MachineSearch run() {
    search_.is_exhaustive = field_.machines <= kMostForAllSets;
    evaluate(search_.is_exhaustive ? all_sets() : prefixes());
    search_.choose_objective(field_);
    if (!search_.is_exhaustive) climb();
    return std::move(search_);
  }

 private:
  [[nodiscard]] std::vector<MachineSet> all_sets() const {
    std::vector<MachineSet> sets;
    for (std::size_t bits = 1; bits < std::size_t{1} << field_.machines; ++bits) {
      MachineSet set;
      for (std::size_t i = 0; i < field_.machines; ++i)
        if (bits >> i & 1) set.push_back(i);
      if (is_canonical(set, field_.kinds)) sets.push_back(std::move(set));
    }
    return sets;
  }
  /// Of every size, or of so many sizes, all the same.
  [[nodiscard]] std::vector<MachineSet> prefixes() const {
    std::vector<MachineSet> sets;
    const std::size_t steps = std::min(field_.machines, kMostPrefixes);
    for (const auto& order : field_.orders)
      for (std::size_t step = 1; step <= steps; ++step) {
        const auto size = static_cast<std::ptrdiff_t>((step * field_.machines + steps - 1) / steps);
        MachineSet set(order.begin(), order.begin() + size);
        std::ranges::sort(set);
        sets.push_back(std::move(set));
      }
    return sets;
  }

  /// Those that are new, and large enough.
  void evaluate(std::vector<MachineSet> sets) {
    std::ranges::sort(sets);
    sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
    std::erase_if(sets, [&](const MachineSet& s) { return s.size() < field_.least || search_.tried.contains(s); });
    if (sets.empty()) return;
    const auto outcomes = judge_(sets);
    for (std::size_t k = 0; k < sets.size(); ++k) search_.tried[sets[k]] = outcomes[k];
  }

  void climb() {
    for (std::size_t round = 0; round < kMostRounds; ++round) {
      const MachineSet before = search_.best(1).front();
      evaluate(neighbours(before));
      if (search_.best(1).front() == before) return;
    }
  }
  /// With one of the worst less, with one of the best others more, or with both.
  [[nodiscard]] std::vector<MachineSet> neighbours(const MachineSet& set) const {
    std::vector<MachineSet> out;
    MachineSet others;
    for (std::size_t i = 0; i < field_.machines; ++i)
      if (!std::ranges::binary_search(set, i)) others.push_back(i);
    for (std::size_t a = 0; a < std::min(kMostMoved, set.size()); ++a)
      out.push_back(changed(set, set[set.size() - 1 - a], {}));
    for (std::size_t b = 0; b < std::min(kMostMoved, others.size()); ++b) out.push_back(changed(set, {}, others[b]));
    for (std::size_t a = 0; a < std::min(kMostSwapped, set.size()); ++a)
      for (std::size_t b = 0; b < std::min(kMostSwapped, others.size()); ++b)
        out.push_back(changed(set, set[set.size() - 1 - a], others[b]));
    return out;
  }
  static MachineSet changed(MachineSet set, std::optional<std::size_t> without, std::optional<std::size_t> with) {
    if (without) std::erase(set, *without);
    if (with) set.insert(std::ranges::lower_bound(set, *with), *with);
    return set;
  }

  const MachineField& field_;
  const JudgeSets& judge_;
  MachineSearch search_;
};

}  // namespace

const char* objective_text(SetObjective objective) {
  static constexpr const char* kTexts[] = {"RF", "the quantile of T at the risk", "tau"};
  return kTexts[static_cast<std::size_t>(objective)];
}

void MachineSearch::choose_objective(const MachineField& field) {
  double least = 1, most = 0;
  for (const auto& [set, outcome] : tried) {
    if (!outcome.can_run()) continue;
    least = std::min(least, outcome.late);
    most = std::max(most, outcome.late);
  }
  const bool tells = field.has_deadline && least < most;
  objective = tells ? SetObjective::late : field.has_risk ? SetObjective::quantile : SetObjective::tau;
}

bool MachineSearch::is_better(const SetOutcome& a, const SetOutcome& b) const {
  const auto by = [&](const SetOutcome& o) {
    return std::tuple(objective == SetObjective::late ? o.late : 0, objective == SetObjective::tau ? 0 : o.quantile_s,
                      o.tau_s);
  };
  return by(a) < by(b);
}

std::vector<MachineSet> MachineSearch::best(std::size_t most) const {
  std::vector<MachineSet> sets;
  for (const auto& [set, outcome] : tried) sets.push_back(set);
  std::ranges::stable_sort(
      sets, [&](const MachineSet& a, const MachineSet& b) { return is_better(tried.at(a), tried.at(b)); });
  if (sets.size() > most) sets.resize(most);
  return sets;
}

std::vector<MachineSet> MachineSearch::best_by_size() const {
  const auto is_preferred = [&](const MachineSet& a, const MachineSet& b) {
    const bool is_sure = confirmed.contains(a), is_other_sure = confirmed.contains(b);
    return is_sure != is_other_sure ? is_sure : is_better(tried.at(a), tried.at(b));
  };
  std::map<std::size_t, MachineSet> by_size;
  for (const auto& [set, outcome] : tried) {
    if (!outcome.can_run()) continue;
    auto& best = by_size[set.size()];
    if (best.empty() || is_preferred(set, best)) best = set;
  }
  std::vector<MachineSet> out;
  for (auto& [size, set] : by_size) out.push_back(std::move(set));
  return out;
}

MachineSearch search_machines(const MachineField& field, const JudgeSets& judge) { return Search(field, judge).run(); }

}  // namespace nowsim

// Objectives by name, and what tells one task from another.
#include "sim/splitting/split_task.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/memory_limit.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

/// Of the answers of find_split().
constexpr int kVersion = 4;

/// The fewest replications on which splits are compared: with fewer the search would fit the sample's noise.
constexpr std::uint64_t kLeastReplications = 100;

/// What a replication takes in memory [bytes] while splits are compared: makespans and who was last, of a few splits.
constexpr double kBytesPerReplication = 100;

}  // namespace

const std::vector<std::string>& objective_names() {
  static const std::vector<std::string> names{"tau", "RF", "quantile"};
  return names;
}

std::string objective_text(const SplitObjective& objective) {
  switch (objective.kind) {
    case SplitObjective::Kind::tau: break;
    case SplitObjective::Kind::risk: return "RF at " + short_number(objective.deadline_s) + " s";
    case SplitObjective::Kind::quantile: return short_number(100 * objective.level) + " % quantile of T";
  }
  return "tau";
}

Key replications_key() {
  return {"replications", KeyType::count, "1000", "of each split that is tried", {double{kLeastReplications}}};
}

std::uint64_t read_replications(KeyReader& read) {
  constexpr std::uint64_t kFew = 100'000;
  const auto count = static_cast<std::uint64_t>(read.whole("replications"));
  try {
    if (count > kFew)
      require_memory(kBytesPerReplication * static_cast<double>(count),
                     "a split found on " + std::to_string(count) + " replications");
  } catch (const InputError& e) {
    read.problem("replications", e.what());
    return kLeastReplications;
  }
  return count;
}

std::string SplitTask::identity() const {
  std::string text = "split " + std::to_string(kVersion) + " " + policy->name;
  if (policy->split == nullptr) {
    text += " of " + objective_names()[static_cast<std::size_t>(objective.kind)] + " " +
            number_text(objective.deadline_s) + " " + number_text(objective.level) + ", gap " +
            std::to_string(gap_samples);
  }
  if (is_guarded) text += " guarded";
  if (policy->split == nullptr || is_guarded)
    text += ", " + std::to_string(replications) + " replications, confidence " + number_text(confidence);
  text += ", any engine, slope 0, formula ";  // as stored splits have it
  const auto add = [&text](const auto& numbers) {
    for (const auto& [name, value] : numbers) text += ", " + name + " " + number_text(value);
  };
  for (const auto& [name, written] : parameters.formulas) {
    text += (name == parameters.formulas.begin()->first ? "" : ", " + name + " ") + written.text;
    add(written.keys);
  }
  add(parameters.numbers);
  return text;
}

bool needs_simulation(const Policy& policy, const PolicyParameters& parameters, bool is_guarded,
                      const std::vector<MachineView>& machines) {
  if (machines.size() == 1) return false;  // it gets all the work
  const bool is_sigma_open = std::ranges::any_of(machines, [](const MachineView& c) { return std::isnan(c.sigma_s); });
  return policy.split == nullptr || is_guarded || (is_sigma_open && reads_sigma(policy, parameters));
}

}  // namespace nowsim

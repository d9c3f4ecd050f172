// A split that takes simulation to find: what is asked for, before it is found.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/engines/engine.hpp"
#include "sim/program/scenario.hpp"
#include "sim/splitting/policies.hpp"

namespace nowsim {

struct SplitObjective {
  enum class Kind { tau, risk, quantile };
  Kind kind = Kind::tau;
  double deadline_s = 0;  ///< risk: tau_d of RF = P[T > tau_d]
  double level = 0;       ///< quantile: the share of replications that are not longer, in (0, 1)
  bool operator==(const SplitObjective&) const = default;
};
/// The words of `split.objective`, in the order of Kind: tau, RF, quantile.
const std::vector<std::string>& objective_names();
/// For people: "tau", "RF at 250 s", "95 % quantile of T".
std::string objective_text(const SplitObjective& objective);

/// A policy, and what was read at its keys.
struct SplitChoice {
  const Policy* policy = nullptr;     ///< null after a problem
  PolicyParameters parameters = {};
  bool is_guarded = false;            ///< a second step that would lengthen tau is not taken
  SplitObjective objective = {};      ///< of the policy `optimal`; its deadline is the run's
  std::uint64_t replications = 1000;  ///< of each evaluation of a split
  std::uint64_t gap_samples = 5;      ///< samples of so many replications behind the bound of any split; 0: none
};

/// The key `replications` of policies that try splits, and what stands there.
Key replications_key();
std::uint64_t read_replications(KeyReader& read);

/// All that decides a split besides chance, and the chance is the scenario's seed. Immutable.
struct SplitTask : SplitChoice {
  std::shared_ptr<const Scenario> scenario = {};  ///< without variance reduction; its shares are those of step (1)
  std::vector<MachineView> machines = {};         ///< one per workstation; sigma_s is NaN where a pilot has to tell it
  bool is_partial = false;                   ///< shares and machines are the asker's, who leaves machines out, and do
                                             ///< not follow from the scenario
  double confidence = 0.95;                  ///< of the report's intervals
  Engine engine = Engine::direct;

  /// All that the answer depends on besides the scenario and the engine, in words: a part of the key under which it is
  /// remembered. Raise its version with every change after which some task has another answer.
  [[nodiscard]] std::string identity() const;
};

/// Whether anything has to be simulated to split work by this policy: it is found by search, it is a second step under
/// guard, or it reads a sigma that theory does not give.
bool needs_simulation(const Policy& policy, const PolicyParameters& parameters, bool is_guarded,
                      const std::vector<MachineView>& machines);

// Which replications are used. The runs that later judge a split are the replications from 0 on, as always; what was
// chosen to suit a sample looks better on it than it is, so everything here is drawn from ranges far from those, which
// no run reaches. All splits of a task see the same replications of a range (common random numbers), since streams are
// keyed by seed, replication and workstation.
inline constexpr std::uint64_t kSigmaReplications = std::uint64_t{1} << 40;   ///< of pilots for sigma_Ti
inline constexpr std::uint64_t kSearchReplications = std::uint64_t{2} << 40;  ///< on which splits are chosen
inline constexpr std::uint64_t kJudgeReplications = std::uint64_t{3} << 40;   ///< on which the choice is judged
inline constexpr std::uint64_t kGapReplications = std::uint64_t{4} << 40;     ///< of what bounds any split
/// Replications of a pilot for sigma_Ti: its standard error is then about 1/sqrt(2·400) = 3.5 % of it.
inline constexpr std::uint64_t kSigmaPilot = 400;

}  // namespace nowsim

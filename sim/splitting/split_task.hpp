// A split that takes simulation to find: what is asked for, finding it, and what is told of it and its worth.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/engines/engine.hpp"
#include "sim/program/scenario.hpp"
#include "sim/splitting/policies.hpp"
#include "sim/statistics/statistics.hpp"

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
  KeyValues parameters = {};
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
bool needs_simulation(const Policy& policy, const KeyValues& parameters, bool is_guarded,
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

/// The second step of the two-step load balancing (HL section 4) beside the first, on the same replications.
struct SecondStep {
  std::vector<double> share_flop;  ///< what the policy wants, taken or not
  Estimate slope_s;                ///< d tau/d lambda at 0, where lambda·Delta X is moved; below 0: the right way
  bool is_kept_out = false;        ///< step (1) stays, since step (2) would lengthen tau
};

enum class SearchEnd { converged, evaluations, too_many_workstations, given_up };
/// "converged", "evaluations used up", "too many workstations for a local search", "given up, since
/// rounding spoilt its model".
const char* search_end_text(SearchEnd end);

/// What no split is below, of the objective (wide_search.hpp).
struct SplitBound {
  /// What bounds it: all machines together; the machines' own objectives where they are all the same.
  enum class By { together, levelled };
  By by = By::together;
  double low = 0;       ///< no split is below this, with the confidence
  double gap_mean = 0;  ///< how far the split is above the bound, estimated
  double gap = 0;       ///< it is no more than so far above the best split, with the confidence; NaN: cannot be told
};

struct SearchRecord {
  std::string best_other;          ///< the best of the other policies, on the replications of the search
  Estimate other;                  ///< its objective, on fresh replications
  Estimate improvement;            ///< of the optimum over it, on the same fresh replications: other less optimum
  double found = 0;                ///< the optimum's objective on the replications of the search
  double other_found = 0;          ///< the best other policy's, there: never less
  bool is_bounded = false;         ///< a bound was asked for
  std::optional<SplitBound> bound;  ///< none where none is known
  std::uint64_t evaluations = 0;    ///< splits simulated, without those for the bound
  SearchEnd end = SearchEnd::converged;
};

/// A split that was found. Estimates are of the objective (of tau, but for the policy `optimal`).
struct SplitReport {
  std::string policy;
  SplitObjective objective;
  std::vector<double> share_flop;  ///< X_i, decided
  std::vector<double> step1_flop;  ///< those in proportion to available speed, step (1)
  std::vector<double> sigma_s;     ///< sigma_Ti of an equal share where a pilot told it, else NaN; empty: nowhere
  std::uint64_t replications = 0;  ///< behind each estimate; 0: nothing was compared
  double confidence = 0.95;
  Engine engine = Engine::direct;  ///< that ran the simulations
  Estimate before;                 ///< of step (1)
  Estimate after;                  ///< of step (2), taken or not; of the optimum
  Estimate reduction;              ///< before less after, replication by replication
  std::optional<SecondStep> second_step;
  std::optional<SearchRecord> search;
};

/// Bytes for a store or another process, and back. @throws std::runtime_error where they are no report.
std::string pack(const SplitReport& report);
SplitReport unpack_split_report(const std::string& bytes);

/// Does what a task asks for; the same answer whenever and wherever it is asked. Nothing is simulated twice that can be
/// had from one simulation; simulating takes seconds, on SimGrid minutes.
/// @throws InputError or InfeasibleError where the policy refuses; RunError where a simulation cannot be completed.
SplitReport find_split(const SplitTask& task);

}  // namespace nowsim

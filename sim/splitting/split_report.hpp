// How a split was found, and what it is worth: numbers with their intervals.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/splitting/split_task.hpp"
#include "sim/statistics/statistics.hpp"

namespace nowsim {

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

/// What no split is below, of the objective (optimality_gap.hpp).
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

  /// Delta X_i of the split that was decided: what it has more than step (1) [flop].
  [[nodiscard]] std::vector<double> moved_flop() const;
};

/// Bytes for a store or another process, and back. @throws std::runtime_error where they are no report.
std::string pack(const SplitReport& report);
SplitReport unpack_split_report(const std::string& bytes);

}  // namespace nowsim

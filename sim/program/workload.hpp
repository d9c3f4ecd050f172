// What the engines need to know of a parallel program: the work to be split, and what each rank does.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "sim/platform/uniform_network.hpp"
#include "sim/program/process.hpp"
#include "sim/program/rank.hpp"

namespace nowsim {

/// Mean and standard deviation of a workstation's time T_i [s].
struct TimeMoments {
  double mean_s = 0;
  double sd_s = 0;
};

/// A rank before it runs: where, which of how many, with how much work [flop].
struct RankShare {
  const Workstation& host;
  int index;
  int count;
  double share_flop;
};

/// A paper's closed form of what a program loses to messages, where its network is uniform. Sizes are those of the
/// program's parameter `size`; they need not be whole.
class OverheadModel {
 public:
  virtual ~OverheadModel() = default;
  /// The program's own size.
  [[nodiscard]] virtual double size() const = 0;
  /// W at a size [flop], growing with it.
  [[nodiscard]] virtual double work_flop(double size) const = 0;
  /// T_o of so many ranks [s]: T_R = W/p_T + T_o (BO 2).
  [[nodiscard]] virtual double overhead_s(double size, double ranks, const UniformNetwork& network) const = 0;
};

/// A parallel program with its parameters. Immutable; engines run it any number of times.
class Workload {
 public:
  virtual ~Workload() = default;
  /// The job's size |A| = X [flop], which the policy splits among the ranks; 0 where there is nothing to split.
  [[nodiscard]] virtual double work_flop() const = 0;
  /// |A| = sum |A_j| [flop]: what all ranks together compute where the policy gave them these shares. More than
  /// work_flop() where splitting costs operations of its own; a rank alone computes its share, so that a sequential run
  /// of the same |A| has the share work_of() of the parallel one.
  [[nodiscard]] virtual double work_of(std::span<const double> /*share_flop*/) const { return work_flop(); }
  /// How long the whole job alone on this machine waits for pages that do not fit its memory [s].
  [[nodiscard]] virtual double paging_alone_s(const Workstation& /*host*/) const { return 0; }
  /// Synchronised phases N_s: the theory's parameter (HL 6), 1 for a program without.
  [[nodiscard]] virtual std::int64_t phases() const { return 1; }
  /// Whether ranks send or transfer anything: theory of T knows computing and waiting only.
  [[nodiscard]] virtual bool communicates() const { return false; }
  /// Whether the policy's shares decide who does what: not where work is handed out in a way of the program's own.
  [[nodiscard]] virtual bool uses_shares() const { return true; }
  /// About how many messages a run on so many ranks sends: for estimates of what a simulation costs.
  [[nodiscard]] virtual double messages(int /*ranks*/) const { return 0; }
  /// The program, where it is one of supersteps (supersteps.hpp); null of others.
  [[nodiscard]] virtual const Supersteps* supersteps() const { return nullptr; }
  /// Null where no closed form is known.
  [[nodiscard]] virtual const OverheadModel* overhead_model() const { return nullptr; }
  /// The fewest ranks the program can run on.
  [[nodiscard]] virtual int least_ranks() const { return 1; }
  /// The first rank among which the work is split: 1 where rank 0 is a server that computes nothing of it. A job on one
  /// machine has no server.
  [[nodiscard]] virtual int first_worker() const { return 0; }
  /// Whether the job is over as soon as rank 0 is: whatever others still do is stopped then, and T is that time.
  [[nodiscard]] virtual bool ends_with_first_rank() const { return false; }
  /// Moments of T_i where the program prescribes the ranks' times itself, so that owners have no part in them and must be
  /// dedicated. None where T_i follows from machines and owners.
  [[nodiscard]] virtual std::optional<TimeMoments> own_time(const RankShare& /*rank*/) const { return std::nullopt; }
  /// @throws InfeasibleError where the program cannot be run with this share.
  virtual void check_share(const RankShare& /*rank*/) const {}
  /// What one rank does. `self` and the workload outlive the process.
  virtual Process run(Rank& self) const = 0;
};

}  // namespace nowsim

// What the engines need to know of a parallel program: the work to be split, and what each rank does.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/platform/network_shape.hpp"
#include "sim/program/process.hpp"
#include "sim/program/rank.hpp"

namespace nowsim {

/// What has to be known of code of the user's that a program calls.
struct UserCode {
  /// What tells it from what it was before it was edited: part of the identity by which results are found. "": there is none.
  std::string identity = {};
  /// Of a rank's stack, on the engine that gives each one [KiB]: more where ranks call what nobody knows.
  int stack_kib = 64;
  /// The longest a batch may take where the user does not say [s]; 0: no limit.
  double timeout_s = 0;
};

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

/// What a parallel program is, for those who split, run and measure it.
struct ProgramDescription {
  double work_flop = 0;       ///< the job's size |A| = X, which the policy splits among the ranks; 0: nothing to split
  std::int64_t phases = 1;    ///< synchronised phases N_s: the theory's parameter (HL 6), 1 for a program without
  bool communicates = false;  ///< ranks send or transfer something: theory of T knows computing and waiting only
  bool uses_shares = true;    ///< the policy's shares decide who does what, rather than a way of the program's own
  std::string usual_policy = "";  ///< that makes the shares where no policy is given; "": the usual one of all programs
  int least_ranks = 1;        ///< the fewest it can run on
  /// The first rank among which the work is split: 1 where rank 0 is a server that computes nothing of it. A job on one
  /// machine has no server.
  int first_worker = 0;
  /// The job is over as soon as rank 0 is: whatever others still do is stopped then, and T is that time.
  bool ends_with_first_rank = false;
  /// A machine that goes off ends all ranks, which begin again, from the start, when all machines that have any are on.
  bool ends_with_a_machine = false;
  /// About how many messages a run on so many ranks sends: for estimates of what a simulation costs.
  std::function<double(int ranks)> messages = [](int) { return 0.0; };
  /// What all ranks together compute where the policy gave them these shares [flop]. Empty: work_flop, whatever they are.
  std::function<double(std::span<const double> share_flop)> split_work_flop = {};
  /// How long the whole job alone on a machine waits for pages that do not fit its memory [s].
  std::function<double(const Workstation&)> paging_alone_s = [](const Workstation&) { return 0.0; };
  /// Moments of T_i where the program prescribes the ranks' times itself, so that owners have no part in them and must be
  /// dedicated. None where T_i follows from machines and owners.
  std::function<std::optional<TimeMoments>(const RankShare&)> own_time = [](const RankShare&) {
    return std::optional<TimeMoments>();
  };
  /// @throws InfeasibleError where the program cannot be run with this share.
  std::function<void(const RankShare&)> check_share = [](const RankShare&) {};
  /// Of a program of such (supersteps.hpp) what it does, else null. An engine may follow them in place of run().
  std::shared_ptr<const Supersteps> supersteps = {};
  std::shared_ptr<const OverheadModel> overhead_model = {};   ///< null where no closed form is known
  UserCode user_code = {};  ///< that the program calls
  std::vector<std::string> remarks = {};  ///< sentences that are to be said with every result
  /// What is said of SimGrid's settings in a platform's file (Platform::settings) that the program would follow elsewhere
  /// and does not here; "" where there is none. Empty: it follows none anywhere.
  std::function<std::string(const std::vector<std::string>& settings)> about_settings = {};
  std::vector<std::string> files = {};  ///< that the program follows, beyond what its keys name
  std::string data_identity = {};  ///< what tells files that the program follows from others; "": it follows none
  /// Which workstation each rank is on, of a program that has ranks of its own; the ranks of a workstation share its
  /// cores. Empty: rank i is on workstation i. @throws InputError where it cannot be placed on these.
  std::function<std::vector<int>(std::span<const Workstation>)> placement = {};
  /// What a rank is doing at a place in the program (Rank::is_at), in words. Empty: nobody knows.
  std::function<std::string(int rank, std::uint64_t place)> place_text = {};

  /// |A| = sum |A_j| [flop] with these shares. More than work_flop where splitting costs operations of its own; a rank
  /// alone computes its share, so that a sequential run of the same |A| has the share work_of() of the parallel one.
  [[nodiscard]] double work_of(std::span<const double> share_flop) const {
    return split_work_flop ? split_work_flop(share_flop) : work_flop;
  }
};

/// A parallel program with its parameters. Immutable; engines run it any number of times.
class Workload {
 public:
  explicit Workload(ProgramDescription program) : program_(std::move(program)) {}
  virtual ~Workload() = default;
  [[nodiscard]] const ProgramDescription& program() const { return program_; }
  /// What one rank does: the supersteps, unless a program says otherwise. `self` and the workload outlive the process.
  virtual Process run(Rank& self) const;
  /// Asked by engines that have just ended a process which was not through. @throws where the program would not have it.
  virtual void check_ended() const {}

 private:
  ProgramDescription program_;
};

}  // namespace nowsim

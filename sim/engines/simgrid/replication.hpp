// One replication on the SimGrid engine: its ranks in their actors, and whether they can still come to an end.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/engines/ranks/engine_rank.hpp"
#include "sim/engines/simgrid/machines.hpp"
#include "sim/engines/simgrid/message_actors.hpp"
#include "sim/engines/simgrid/rank.hpp"
#include "sim/engines/simgrid/session.hpp"
#include "sim/engines/simgrid/varying_links.hpp"
#include "sim/program/scenario.hpp"

namespace nowsim {

/// Replications run one after another in the same actors; where machines switch off actors die with them, and are made
/// anew for each.
class SimGridReplication {
 public:
  /// To be made when the platform has been loaded. The scenario and the clock outlive it.
  /// @param ended called when all ranks have finished and no message is under way.
  /// @param failed called with the sentence that says why it cannot end.
  SimGridReplication(const Scenario& scenario, BatchClock& clock, double look_ahead_s, std::function<void()> ended,
                     std::function<void(const std::string&)> failed);

  /// Starts the clock's replication.
  void start();
  /// Stops what would vary for ever.
  void stop_drivers();
  /// Lets the actors go that wait for another replication: there is none.
  void dismiss();
  [[nodiscard]] double makespan_s() const { return makespan_s_; }
  /// Of workstation i.
  [[nodiscard]] double recorded(std::size_t i, Quantity q) const { return recorded_[i][q]; }
  [[nodiscard]] SimGridMachines& machines() { return machines_; }
  /// Of ranks that wait for ever.
  [[nodiscard]] std::string deadlock();

 private:
  friend class SimGridRank;

  void create_actor(std::size_t i);
  void revive_ranks();
  bool go_on();
  [[nodiscard]] bool is_hopeless() const;
  void be_rank(std::size_t i);
  void run_process(SimGridRank& rank);
  void finish(SimGridRank& rank);
  void rank_died(SimGridRank* rank);
  void stop_others();
  void end_if_over();
  void record_rest();
  SimGridRank& rank(int i) { return *ranks_[static_cast<std::size_t>(i)]; }
  /// Messages with tags. @throws std::invalid_argument where machines switch off.
  MatchingQueues& queues();

  const Scenario& scenario_;
  BatchClock& clock_;
  std::function<void()> ended_;
  std::function<void(const std::string&)> failed_;
  SimGridMachines machines_;
  OwnPaths own_paths_;
  std::vector<std::unique_ptr<LinkDriver>> links_;
  bool anew_;  // machines switch off: actors are made for each replication
  MessageActors message_actors_;
  std::vector<std::unique_ptr<SimGridRank>> ranks_;
  std::size_t running_ = 0;
  double makespan_s_ = 0;
  JobBarrier barrier_;
  std::uint64_t next_id_ = 0;
  std::vector<int> machine_of_;  ///< per rank
  std::vector<PerQuantity<double>> recorded_;  ///< per workstation
  std::optional<MatchingQueues> queues_;
};

}  // namespace nowsim

// Direct replications whose ranks run a program of supersteps together: in one go where nothing else has a part in it.
#include <algorithm>
#include <stdexcept>

#include "sim/engines/direct/replication.hpp"
#include "sim/engines/direct/supersteps_at_once.hpp"
#include "sim/engines/ranks/operation_checks.hpp"

namespace nowsim {

// ---- DirectRank --------------------------------------------------------------------------------------------------

bool DirectRank::begin_supersteps(const Supersteps& program) {
  if (!can_go_at_once(*replication_->scenario_)) return true;
  replication_->arrive_at_supersteps(*this, program);
  return false;
}

bool DirectRank::has_run_supersteps() const { return replication_->has_run_supersteps_; }

// ---- DirectReplication -------------------------------------------------------------------------------------------

/// When the last has come, nothing else is under way, unless there have been events before: then messages may be.
void DirectReplication::arrive_at_supersteps(DirectRank& rank, const Supersteps& program) {
  if (at_supersteps_ == 0) supersteps_ = &program;
  if (supersteps_ != &program)
    throw std::invalid_argument(rank_text(rank.index()) + " begins other supersteps than the ranks before it");
  rank.doing_ = Wait::barrier;
  if (++at_supersteps_ < ranks_.size()) return;
  at_supersteps_ = 0;
  const bool is_observed = std::ranges::any_of(ranks_, [](const DirectRank& it) { return it.observer() != nullptr; });
  const auto latest = std::ranges::max_element(ranks_, {}, &DirectRank::now_s_);
  has_run_supersteps_ = !events_used_ && !is_observed;
  if (has_run_supersteps_) return run_supersteps(program, latest->now_s_);
  for (auto& it : ranks_) make_ready(it, it.now_s_);  // a barrier follows
}

/// Ranks that compute for ever, and those that wait for them, are left so.
void DirectReplication::run_supersteps(const Supersteps& program, double begin_s) {
  const bool all_dedicated = std::ranges::all_of(scenario_->owners, &OwnerModel::is_dedicated);
  const SuperstepOutcome outcome = all_dedicated ? run_on_dedicated(*scenario_, program, begin_s)
                                                 : run_on_lanes(*scenario_, program, begin_s, *lanes_, first_lane_);
  const bool has_ended = std::ranges::count(outcome.is_stuck, true) == 0;
  for (std::size_t i = 0; i < ranks_.size(); ++i) {
    DirectRank& it = ranks_[i];
    it.work_flop_ += outcome.work_flop[i];
    it.active_s_ += outcome.active_s[i];
    it.mail().messages += outcome.messages[i];
    it.mail().sent_bytes += outcome.sent_bytes[i];
    if (outcome.is_stuck[i]) it.doing_ = Wait::compute;
    if (has_ended) make_ready(it, outcome.now_s[i]);
    else it.now_s_ = outcome.now_s[i];
  }
}

}  // namespace nowsim

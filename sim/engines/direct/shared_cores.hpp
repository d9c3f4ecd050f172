// Ranks that compute at the same time on the cores of one workstation, for the direct engine.
#pragma once

#include <vector>

#include "sim/base/infinity.hpp"
#include "sim/owners/cursor.hpp"
#include "sim/owners/owner_model.hpp"

namespace nowsim {

/// Of k ranks on C cores each gets min(1, C/k) of what the owner leaves of a core, as SimGrid shares a host. Time goes
/// forward, step by step of the owner's path.
class SharedCores {
 public:
  /// The owner outlives it.
  SharedCores(const OwnerModel& owner, const StreamKey& key, int cores) : owner_(owner.path(key)), cores_(cores) {}

  /// A rank begins to compute what takes a core for work_s [s], at a date not before what has happened, nor after next_s().
  void begin(int rank, double now_s, double work_s);
  /// When a rank is through, or the owner's next step begins; infinite where nobody computes or nobody will ever end.
  [[nodiscard]] double next_s() const { return next_s_; }
  /// Goes to next_s(). The ranks that are through then, in their order; valid until the next call.
  const std::vector<int>& proceed();

 private:
  struct Task {
    int rank;
    double ends_at;  ///< of done_
  };
  void go_to(double time_s);
  void find_next();
  /// Of a rank that computes, in cores.
  [[nodiscard]] double rate() const {
    const auto computing = static_cast<double>(tasks_.size());
    return owner_.value() * (computing > cores_ ? cores_ / computing : 1.0);
  }

  PathCursor owner_;
  double cores_;
  double done_ = 0;  ///< what a rank that has always computed would have done [s of a core]
  double next_s_ = kInfinity;
  bool next_is_end_ = false;
  std::vector<Task> tasks_;
  std::vector<int> ended_;
};

}  // namespace nowsim

// Where the ranks of a job wait for each other, round after round.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/engines/ranks/diagnostics.hpp"

namespace nowsim {

class JobBarrier {
 public:
  /// What becomes of a rank that arrives.
  enum class Arrival { waits, is_last, passes };

  /// @param called how many barriers the rank has called since it began; null where ranks never begin again. One that
  /// began again passes those that are over.
  /// @throws std::invalid_argument where it asks for another cost than those who wait.
  Arrival arrive(int rank, double cost_s, std::uint64_t* called, std::size_t ranks) {
    const bool is_over = called != nullptr && *called < round_;
    if (!is_over && waiting_.empty()) cost_s_ = cost_s;
    check_barrier_cost(rank, cost_s, is_over ? cost_s : cost_s_);
    if (called != nullptr) ++*called;
    if (is_over) return Arrival::passes;
    waiting_.push_back(rank);
    return waiting_.size() < ranks ? Arrival::waits : Arrival::is_last;
  }
  /// Ends the round. Who waited, in the order of arrival; there until the next round ends.
  std::vector<int>& release() {
    ++round_;
    std::swap(waiting_, released_);
    waiting_.clear();
    return released_;
  }
  /// Rounds that are over.
  [[nodiscard]] std::uint64_t round() const { return round_; }
  /// A rank no longer waits: its machine was switched off.
  void leave(int rank) { std::erase(waiting_, rank); }
  /// Nobody waits any more.
  void clear() { waiting_.clear(); }
  /// For another replication.
  void begin_again() {
    waiting_.clear();
    round_ = 0;
  }

 private:
  std::vector<int> waiting_, released_;
  std::uint64_t round_ = 0;
  double cost_s_ = 0;  ///< of those who wait
};

}  // namespace nowsim

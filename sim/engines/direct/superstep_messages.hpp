// What supersteps in one go share, however their ranks compute: who sends what, and how long each rank waits for it.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/engines/direct/supersteps_at_once.hpp"
#include "sim/program/collectives.hpp"
#include "sim/program/scenario.hpp"
#include "sim/program/supersteps.hpp"

namespace nowsim {

/// @throws std::invalid_argument for a root that does not exist, and for bytes that cannot be sent.
void check_step(const Superstep& step, std::size_t ranks);

/// Of a scenario's workstations [flop/s].
std::vector<double> speeds_flops(const Scenario& scenario);

/// Messages that follow each other until a rank is free to compute.
inline int rounds_and_sends(const BroadcastPart& part) { return part.rounds + part.sends; }

/// What all ranks send, by roots.
class Posted {
 public:
  /// The parts outlive it.
  explicit Posted(const std::vector<BroadcastPart>& parts)
      : parts_(parts), steps_(parts.size(), 0.0), bytes_(parts.size(), 0.0) {}
  void add(const Superstep& step);
  void write(SuperstepOutcome& outcome) const;

 private:
  const std::vector<BroadcastPart>& parts_;
  std::vector<double> steps_, bytes_;
};

/// Numbers per relative rank, twice side by side: those of ranks 0, 1, .. with some root are a stretch of it.
template <class T>
class ByRoot {
 public:
  template <class Number>
  ByRoot(const std::vector<BroadcastPart>& parts, Number number) : n_(parts.size()), numbers_(2 * parts.size()) {
    for (std::size_t k = 0; k < numbers_.size(); ++k) numbers_[k] = number(parts[k % n_]);
  }
  [[nodiscard]] const T* from(int root) const { return numbers_.data() + (n_ - static_cast<std::size_t>(root)) % n_; }

 private:
  std::size_t n_;
  std::vector<T> numbers_;
};

}  // namespace nowsim

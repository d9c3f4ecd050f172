// Programs with a closed form of their overhead, for tests: elimination as Bosque et al. (2011) count it.
#pragma once

#include <cmath>

#include "tests/sim/scenario_fixture.hpp"

namespace nowsim::test {

/// W = n³; each of n steps sends 8 n bytes to all others: by broadcast, or to one after another.
class Elimination final : public OverheadModel {
 public:
  enum class Messages { broadcast, point_to_point };
  explicit Elimination(double size, Messages messages = Messages::broadcast) : size_(size), messages_(messages) {}
  double size() const override { return size_; }
  double work_flop(double size) const override { return size * size * size; }
  double overhead_s(double size, double ranks, const UniformNetwork& network) const override {
    return size * steps(ranks) * network.message_s(8 * size);
  }

 private:
  double steps(double ranks) const {
    return messages_ == Messages::broadcast ? std::ceil(std::log2(ranks)) : ranks - 1;
  }
  double size_;
  Messages messages_;
};

/// 5 us and 1.5 Gbit/s (BO 4).
inline constexpr UniformNetwork kMyrinet{5e-6, 187.5e6};
/// The paper's powers, of fast and slow machines [flop/s].
inline constexpr double kFast = 527e6, kSlow = 207.3e6;

}  // namespace nowsim::test

// The owners that measured ones are in draws, remembered: a search runs the same replications again and again, and a draw's
// laws take longer to make than all that a job draws from them, and paths of habits longer to draw than to follow.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>

#include "sim/owners/measured_owner.hpp"

namespace nowsim {

/// Of as many as some 100 MB hold, and as many steps. Not for several threads at a time.
class DrawnOwners {
 public:
  /// drawn(), of an owner that was measured.
  OwnerPtr of(const OwnerPtr& measured, std::uint64_t seed, const FitDraw& draw);

 private:
  struct Key {
    std::uint64_t seed, number, block;
    int step;
    auto operator<=>(const Key&) const = default;
  };

  std::map<OwnerPtr, std::map<Key, OwnerPtr>> known_;  ///< which it keeps alive, so that no other has its address
  std::size_t count_ = 0;
  std::shared_ptr<std::size_t> room_;  ///< for steps
  std::uint64_t sample_ = 0;  ///< that was asked for last
};

}  // namespace nowsim

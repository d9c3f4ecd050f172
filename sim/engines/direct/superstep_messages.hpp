// What all supersteps share that are computed at once: who sends what, and how long each rank waits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/program/collectives.hpp"
#include "sim/program/scenario.hpp"
#include "sim/program/supersteps.hpp"

namespace nowsim {

/// @throws std::invalid_argument for a root that does not exist, and for amounts that cannot be; std::logic_error for
/// work of another number of ranks, and for a step that has no message or barrier where the program broadcasts.
void check_step(const Superstep& step, std::size_t ranks, bool broadcasts);

/// Of a scenario's workstations [flop/s].
std::vector<double> speeds_flops(const Scenario& scenario);

/// Messages that follow each other until a rank is free to compute.
inline int rounds_and_sends(const BroadcastPart& part) { return part.rounds + part.sends; }

/// What all ranks send, by roots.
class Posted {
 public:
  explicit Posted(std::vector<BroadcastPart> parts) : parts_(std::move(parts)) { clear(); }
  void clear();
  void add(const Superstep& step);
  /// Per rank.
  void write(std::vector<double>& messages, std::vector<double>& sent_bytes) const;

 private:
  std::vector<BroadcastPart> parts_;
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

/// The dates at which messages of a step end that follow each other, reckoned as they would be one by one.
class Rounds {
 public:
  Rounds(const UniformNetwork& network, const std::vector<BroadcastPart>& parts);
  void begin(double begin_s, double bytes);
  [[nodiscard]] double date_s(std::uint32_t after) const { return dates_s_[after]; }

 private:
  UniformNetwork network_;
  std::vector<double> dates_s_;
};

/// All of it.
struct StepMessages {
  StepMessages(const UniformNetwork& network, const std::vector<BroadcastPart>& parts);
  Rounds rounds;
  ByRoot<std::uint32_t> waits;  ///< in messages, until a rank computes
  Posted posted;
};

}  // namespace nowsim

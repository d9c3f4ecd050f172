// The first of the crossings that a metric has where it rises and falls from one whole size to the next.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiments/driver/sweeps/crossing_search.hpp"

namespace nowsim {

/// A CrossingSearch, and a look around what it found: parts that are whole, such as rows of a matrix, make a metric rise
/// and fall with the size, so that of several crossings next to each other bisection finds any. Sizes are tried back
/// over one period (SizeTrial::period), all of them or some spread over it. Where the metric was monotone there, or
/// always within the tolerance, the answer is the search's. Else the look goes on, within kMostTrials, until on either
/// side a whole period has no size within the tolerance and, below, none that has passed the target. The size is then the
/// first that has passed it, or where that one is not within the tolerance the nearest to the target of those that are;
/// the interval holds the first that has passed it, the last before it, and all that are within the tolerance.
/// Only where the metric is exact at the size found, and the period known and the same for all sizes: chance makes a
/// metric rise and fall as well, and its interval covers that.
class FirstCrossing final : public SizeSearch {
 public:
  explicit FirstCrossing(const SizeTask& task) : task_(task), search_(task) {}
  [[nodiscard]] std::vector<double> wanted() const override;
  void learn(const std::vector<SizeTrial>& trials) override;
  [[nodiscard]] SizeAnswer answer() const override;

 private:
  /// The metric less the target, positive beyond it, at a size that was tried.
  [[nodiscard]] double gap(double size) const;
  [[nodiscard]] bool is_close(double size) const;
  [[nodiscard]] bool can_look_around() const;
  /// Those that exist and were tried from `from` to `to`, ascending.
  [[nodiscard]] std::vector<double> tried(double from, double to) const;
  [[nodiscard]] double least() const;
  [[nodiscard]] double first() const;
  [[nodiscard]] double begin() const;
  [[nodiscard]] bool is_monotone() const;
  [[nodiscard]] bool is_all_close() const;
  [[nodiscard]] std::vector<double> band() const;
  [[nodiscard]] std::vector<double> untried(double from, double to) const;
  [[nodiscard]] std::vector<double> next_looks() const;
  [[nodiscard]] double last_before(double size) const;
  [[nodiscard]] std::optional<double> last() const;
  [[nodiscard]] std::string detail() const;

  SizeTask task_;
  CrossingSearch search_;
  std::map<double, SizeTrial> trials_;  // by size
  std::optional<double> found_;         // by the search, once it is looked around
  double period_ = 0;
  std::vector<double> looks_;
};

}  // namespace nowsim

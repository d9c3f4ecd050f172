// Intervals of several contrasts that hold all together, and comparisons with the best of several estimates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/statistics/statistics.hpp"

namespace nowsim {

/// Per estimate, what the same independent entries contribute to it (influence.hpp); missing last ones are 0.
using Contributions = std::span<const std::vector<double>>;

/// The confidence of each of so many intervals with which all of them hold at once, whatever their correlation.
inline double bonferroni(std::size_t intervals, double confidence) {
  return 1 - (1 - confidence) / static_cast<double>(intervals > 1 ? intervals : 1);
}

/// The confidence that each of several two-sided intervals needs so that all hold together at `confidence`: from the
/// greatest of |sum_k g_k·d_k|/standard error over the estimates, g_k normal (Gaussian multiplier bootstrap:
/// Chernozhukov, Chetverikov & Kato, Ann. Stat. 41, 2013), whatever their correlation and their variances are. Never
/// more than bonferroni(), which it is for more than 300. The draws are always the same, so many
/// that the joint confidence is right to 0.2 %.
double confidence_of_each(Contributions contributions, double confidence);

enum class Best { smallest, largest };

/// Of each estimate, by how much it differs from the best of the others, with Hsu's constrained intervals (Hsu,
/// Multiple Comparisons, 1996, 4.1; Edwards & Hsu, JASA 78, 1983, for unequal variances and correlated estimates), all
/// of which hold together: with Best::smallest one whose low end is 0 is not the best, one whose high end is 0 is, and
/// the others cannot be told. They need, for each that might be the best, one-sided bounds against all others which
/// hold together. At least two estimates.
std::vector<Estimate> comparisons_with_best(std::span<const double> values, Contributions contributions, double freedom,
                                            Best best, double confidence);

struct SelectionRule {
  double confidence = 0.95;    ///< with which the one that is selected is the best, or in the indifference zone by it
  double indifference = 0.01;  ///< how much worse makes no difference, in the observations' unit ...
  bool is_relative = false;    ///< ... or as a share of the best mean of the first stage, which fixes it
  bool least_is_best = true;
  double least_variance = 0;   ///< no difference of two observations is taken for less variable: for rare events
  std::size_t first_stage = 10;  ///< observations before anything is told, at least 2
};

/// Kim & Nelson's KN with c = 1 (ACM TOMACS 11(3), 2001, 251-273), for any correlation between the systems and unequal
/// variances. It takes successive observations of a system for independent and normal: they are to be means of several
/// replications. Of skewed ones the first stage may have missed what matters, so a variance that later observations
/// show to be larger counts instead of the first stage's, which KN keeps: that only widens its triangles. Whatever
/// happens follows from the observations in their order.
class SelectionOfBest {
 public:
  /// Of at least one system; with one there is nothing to select, and it is decided after the first stage.
  SelectionOfBest(std::size_t systems, const SelectionRule& rule);

  /// The next observation of each system; of those that are out it may be anything.
  void add(std::span<const double> observations);
  /// Takes a system out that has no more observations, for whatever reason.
  void withdraw(std::size_t system);

  [[nodiscard]] bool is_in(std::size_t system) const { return is_in_[system]; }
  /// Whether at most one is in.
  [[nodiscard]] bool is_decided() const;
  /// Observations so far: of each system that is in.
  [[nodiscard]] std::uint64_t observations() const { return count_; }
  /// Of a system, until it was out.
  [[nodiscard]] std::uint64_t observations_of(std::size_t system) const;
  /// Of those that are in the one with the best mean, the first of equals. There has to be one.
  [[nodiscard]] std::size_t leader() const;
  /// How much better the leader's mean is than a system's, over the observations that both have; 0 without any.
  [[nodiscard]] double lead_over(std::size_t system) const;
  /// The indifference in the observations' unit; of a relative one 0 before the end of the first stage.
  [[nodiscard]] double indifference() const { return delta_; }

 private:
  /// Two systems' differences, and the greatest variance that they have shown since the first stage.
  struct Pair {
    Moments differences;
    double variance = 0;
  };
  Pair& pair(std::size_t i, std::size_t l) { return pairs_[i > l ? i * (i - 1) / 2 + l : l * (l - 1) / 2 + i]; }
  void screen();
  double lead_needed(std::size_t i, std::size_t l);
  bool is_beaten(std::size_t i);

  SelectionRule rule_;
  double factor_;             // KN's h²
  std::vector<bool> is_in_;
  std::vector<double> sums_;  // of observations, with signs by which more is better
  std::vector<Pair> pairs_;
  std::vector<std::vector<double>> sums_at_exit_;
  std::vector<std::uint64_t> count_at_exit_;
  std::uint64_t count_ = 0;
  double delta_ = 0;
};

}  // namespace nowsim

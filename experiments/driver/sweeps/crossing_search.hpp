// The smallest size at which a metric passes a value.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiments/driver/sweeps/size_search.hpp"

namespace nowsim {

class CrossingSearch final : public SizeSearch {
 public:
  explicit CrossingSearch(const SizeTask& task);
  [[nodiscard]] std::vector<double> wanted() const override;
  void learn(const std::vector<SizeTrial>& trials) override;
  [[nodiscard]] SizeAnswer answer() const override;
  /// Of the metric where it crosses: 1 up, -1 down; 0 where it is not known.
  [[nodiscard]] int direction() const { return direction_; }
  /// The least size that counts: where only a rise does, the last of those at which the metric fell.
  [[nodiscard]] double least() const { return trials_.begin()->first; }

 private:
  /// Around the trial that is nearest to the target and has not reached it: on either side one that is no nearer, or
  /// the trial itself where sizes end there.
  struct Peak {
    double left, best, right;
  };

  /// The metric less the target, negative before the crossing whichever way it goes. Of sizes that exist.
  [[nodiscard]] double gap(double size) const;
  [[nodiscard]] bool exists(double size) const { return trials_.at(size).exists(); }
  [[nodiscard]] bool is_close(const SizeTrial& trial) const;
  [[nodiscard]] bool is_level_up_to(double size) const;
  [[nodiscard]] bool are_trials_left() const { return trials_.size() < kMostTrials; }
  void forget_fall(const SizeTrial& trial);
  void grow_beyond(const SizeTrial& trial);
  void judge_start(const SizeTrial& trial);
  void look_before_start();
  void grow(double size);
  void end_growing();
  void narrow(const SizeTrial& trial);
  void begin_bracket(double before, double beyond);
  void step();
  [[nodiscard]] bool is_narrow() const;
  void end_bracket();
  [[nodiscard]] double itp_point(double before, double beyond) const;
  void give_up();
  [[nodiscard]] double nearest() const;
  [[nodiscard]] std::optional<double> existing_before(double size) const;
  [[nodiscard]] std::optional<double> existing_after(double size) const;
  [[nodiscard]] std::optional<Peak> peak_among_trials() const;
  void climb(const SizeTrial& trial);
  void climb_on();
  [[nodiscard]] std::optional<double> climbing_point() const;
  void find(double size, bool is_within_tolerance);
  [[nodiscard]] std::optional<double> slope_at(double size) const;
  [[nodiscard]] Estimate in_range(Estimate size) const;
  [[nodiscard]] std::string no_crossing() const;
  [[nodiscard]] std::string passed_already(double size) const;
  [[nodiscard]] std::string no_rise(const SizeTrial& first, const SizeTrial& last) const;
  [[nodiscard]] std::string not_narrowed() const;

  SizeTask task_;
  std::map<double, SizeTrial> trials_;  // by size
  std::optional<double> next_;
  double factor_;                  // of growth
  int direction_ = 0;              // of the metric where it crosses: 1 up, -1 down, 0 not known yet
  std::optional<double> start_;    // a first size that is beyond the target, while the direction is not known
  std::optional<double> fallen_;   // the last of the first sizes, from which on the metric fell before it rose
  std::optional<double> refused_;  // the last of the sizes that were refused before the first that exists
  std::optional<double> before_;   // of the bracket: not across, or there is no such size
  std::optional<double> beyond_;   // of the bracket: across, or there is no such size
  double first_width_ = 0;         // of the bracket, in logarithms
  int steps_ = 0;                  // in it
  std::optional<Peak> peak_;
  bool has_climbed_ = false;
  std::optional<double> found_;
  bool is_within_tolerance_ = false;  // how it was found
  std::string none_;
};

}  // namespace nowsim

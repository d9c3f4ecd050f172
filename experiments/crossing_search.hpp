// The smallest size at which a metric passes a value.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiments/size_search.hpp"

namespace nowsim {

class CrossingSearch final : public SizeSearch {
 public:
  explicit CrossingSearch(const SizeTask& task);
  [[nodiscard]] std::vector<double> wanted() const override;
  void learn(const std::vector<SizeTrial>& trials) override;
  [[nodiscard]] SizeAnswer answer() const override;

 private:
  /// The metric less the target, negative before the crossing whichever way it goes. Of sizes that exist.
  [[nodiscard]] double gap(double size) const;
  [[nodiscard]] bool exists(double size) const { return trials_.at(size).exists(); }
  [[nodiscard]] bool is_close(const SizeTrial& trial) const;
  void grow_beyond(const SizeTrial& trial);
  void judge_start(const SizeTrial& second);
  void grow(double size);
  void narrow(const SizeTrial& trial);
  void begin_bracket(double before, double beyond);
  void step();
  void end_bracket();
  [[nodiscard]] double itp_point(double before, double beyond) const;
  void find(double size, bool is_within_tolerance);
  [[nodiscard]] bool some_exists_before(double size) const;
  [[nodiscard]] std::optional<double> slope_at(double size) const;
  [[nodiscard]] std::string no_crossing() const;
  [[nodiscard]] std::string passed_already(double size) const;

  SizeTask task_;
  std::map<double, SizeTrial> trials_;  // by size
  std::optional<double> next_;
  double factor_;                 // of growth
  int direction_ = 0;             // of the metric where it crosses: 1 up, -1 down, 0 not known yet
  std::optional<double> start_;   // a first size that is above the target, while the direction is not known
  std::optional<double> before_;  // of the bracket: not across, or there is no such size
  std::optional<double> beyond_;  // of the bracket: across, or there is no such size
  double first_width_ = 0;        // of the bracket, in logarithms
  int steps_ = 0;                 // in it
  std::optional<double> found_;
  bool is_within_tolerance_ = false;  // how it was found
  std::string none_;
};

}  // namespace nowsim

// From settings to points: what each point of a sweep runs, and what it is compared with; read once what points share.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "experiments/driver/points/experiment_document.hpp"
#include "sim/program/scenario.hpp"

namespace nowsim {

/// Makes points out of settings; keeps what they share.
class PointBuilder {
 public:
  /// Both must outlive it.
  PointBuilder(const ExperimentSource& source, Problems& problems);
  ~PointBuilder();

  /// What it says of all points (experiment_document.hpp).
  void read_experiment(Experiment& experiment);
  /// The point of the sweep with this index. Where a key is solved for, its task, and for the time being the scenario
  /// of the smallest size; of the largest where the smallest is infeasible.
  Point build(std::size_t index, const std::vector<const Metric*>& metrics);
  /// The same with this value of the key that is solved for. That it is infeasible is no problem here.
  Point build_at(std::size_t index, const std::string& size, const std::vector<const Metric*>& metrics);
  /// When all points are built: what is worth saying of owners, and of files that they are made from.
  [[nodiscard]] std::vector<std::string> owner_remarks() const;
  /// To be called when all points are built: keys that none of them asked for.
  void report_unknown_keys(Experiment& experiment) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Platforms of one workstation, by the platform they are of and its index: points share them.
using AlonePlatforms = std::map<std::pair<const Platform*, std::size_t>, std::shared_ptr<const Platform>>;

/// The whole work on the workstation that is the first to be done with it alone, by mean available speed and what the
/// program says of waiting for pages, under the same owner (ZY Definition 1). It does not fail, where others do.
std::shared_ptr<const Scenario> fastest_alone(const Scenario& scenario, AlonePlatforms& platforms);

/// The same with its work split in proportion to the available speeds: HL's step (1). Null without work.
std::shared_ptr<const Scenario> step1_of(const Scenario& scenario);

}  // namespace nowsim

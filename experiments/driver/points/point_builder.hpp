// From settings to points: what each point of a sweep runs, reading once what points share.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "experiments/driver/points/blocks.hpp"
#include "experiments/driver/points/experiment_document.hpp"
#include "experiments/driver/points/scenario_builder.hpp"

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
  [[nodiscard]] const std::vector<std::string>& owner_remarks() const { return scenarios_.owner_remarks(); }
  /// To be called when all points are built: keys that none of them asked for.
  void report_unknown_keys(Experiment& experiment) const;

 private:
  Point read_point(std::size_t index, const std::vector<const Metric*>& metrics);
  struct Needs;
  void read_needs(Reading& reading, const RunBlock& run, std::size_t index, const Needs& needs, Point& point);
  void read_scenarios(Reading& reading, const RunBlock& run, const Needs& needs, Point& point);
  Point open_point(std::size_t index, std::vector<const Metric*> metrics);
  Point unread_point(std::size_t index);
  void check_first_size(Reading& reading, std::size_t index, const SizeTask& task);
  void check_units(Reading& reading, std::size_t index, const SizeTask& task);
  void check_whole(Reading& reading, std::size_t index, const SizeTask& task);
  const std::vector<std::string>& problems_at(std::size_t index, const std::string& size);
  void set_swept(const std::vector<std::string>& values);
  static constexpr const char* kCount = "platform.workstations";

  void read_decided(Reader& read, Experiment& experiment);
  std::optional<std::size_t> reference_of(Reading& reading, const std::string& key, std::size_t index);
  std::shared_ptr<const Scenario> first_alone(Reading& reading, const RunPlan& plan, const Scenario& scenario);

  const ExperimentSource& source_;
  const ExperimentDocument& document_;
  Problems& problems_;
  std::set<std::string> asked_{"nowsim", "title", "description"};
  FormulaCache formulas_;
  std::vector<std::string> varying_;       // keys whose values differ between the settings that are read
  Settings settings_;                      // of the point that is being built
  std::vector<std::string*> swept_;        // the swept values in them, in the order of the sweep's keys
  std::string* sought_ = nullptr;          // the value in them of the key that is solved for
  MemoisedBlocks<RunBlock> known_runs_{varying_};
  ScenarioBuilder scenarios_;
  AlonePlatforms alone_;                   // for baselines
  std::string decided_;                    // the swept key whose best value is to be told
  bool skip_infeasible_ = false;
  struct Rehearsal;
  std::unique_ptr<Rehearsal> rehearsal_;  // where a key is solved for
};

}  // namespace nowsim

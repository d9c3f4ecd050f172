// From settings to points: what each point of a sweep runs, reading once what points share.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "experiments/companions.hpp"
#include "experiments/experiment_source.hpp"
#include "experiments/owner_config.hpp"
#include "experiments/platform_config.hpp"
#include "experiments/reading_memo.hpp"
#include "experiments/run_config.hpp"
#include "experiments/split_config.hpp"

namespace nowsim {

/// A scenario, and how its split is to be found if its shares are provisional. None after a problem.
struct ReadScenario {
  std::shared_ptr<const Scenario> scenario;
  std::shared_ptr<const SplitTask> task;
};

/// Makes points out of settings; keeps what they share.
class PointBuilder {
 public:
  /// Both must outlive it.
  PointBuilder(const ExperimentSource& source, Problems& problems);
  ~PointBuilder();

  /// Sections hold keys, not values; and what holds for the whole experiment cannot differ between its points.
  void check_sections();
  /// Title and metrics.
  void read_experiment(Experiment& experiment);
  /// The point of the sweep with this index. Where a key is solved for, its task, and for the time being the scenario
  /// of the smallest size; of the largest where the smallest is infeasible.
  Point build(std::size_t index, const std::vector<const Metric*>& metrics);
  /// The same with this value of the key that is solved for. That it is infeasible is no problem here.
  Point build_at(std::size_t index, const std::string& size, const std::vector<const Metric*>& metrics);
  /// To be called when all points are built: keys that none of them asked for.
  void report_unknown_keys(Experiment& experiment);

 private:
  Point read_point(std::size_t index, const std::vector<const Metric*>& metrics);
  Point open_point(std::size_t index, std::vector<const Metric*> metrics);
  Point unread_point(std::size_t index);
  void check_units(Reading& reading, std::size_t index, const SizeTask& task);
  void check_whole(Reading& reading, std::size_t index, const SizeTask& task);
  const std::vector<std::string>& problems_at(std::size_t index, const std::string& size);
  void set_swept(const std::vector<std::string>& values);
  static constexpr const char* kCount = "platform.workstations";

  IdentifiedWorkload read_workload(Reading& reading, const Platform& platform);
  void check_availability(Reading& reading, const Scenario& scenario);
  void check_own_times(Reading& reading, const Scenario& scenario);
  ReadScenario read_scenario(Reading& reading, const RunPlan& plan);
  void reduce(Reading& reading, const RunPlan& plan, Scenario& scenario);
  std::optional<std::size_t> reference_of(Reading& reading, const std::string& key, std::size_t index);
  std::shared_ptr<const Scenario> first_alone(Reading& reading, const RunPlan& plan, const Scenario& scenario);

  const ExperimentSource& source_;
  const ExperimentDocument& document_;
  const WorkloadRegistry& workloads_;
  Problems& problems_;
  std::set<std::string> asked_{"nowsim", "title", "description"};
  FormulaCache formulas_;
  PlatformCache platforms_;
  OwnerCache owners_;
  std::vector<std::string> varying_;       // keys whose values differ between the settings that are read
  Settings settings_;                      // of the point that is being built
  std::vector<std::string*> swept_;        // the swept values in them, in the order of the sweep's keys
  std::string* sought_ = nullptr;          // the value in them of the key that is solved for
  ReadingMemo<RunBlock> known_runs_{varying_};
  ReadingMemo<std::shared_ptr<const Platform>> known_platforms_{varying_};
  ReadingMemo<IdentifiedWorkload> known_workloads_{varying_};
  ReadingMemo<SplitChoice> known_splits_{varying_};
  ReadingMemo<std::vector<OwnerPtr>> known_owners_{varying_};
  ReadingMemo<std::vector<OwnerPtr>> known_bandwidths_{varying_};
  ReadingMemo<WorkSplit> known_shares_{varying_};
  AlonePlatforms alone_;                   // for baselines
  std::set<std::string> complete_;  // sections read to their end at some point, whose keys are therefore all known
  bool skip_infeasible_ = false;
  struct Rehearsal;
  std::unique_ptr<Rehearsal> rehearsal_;  // where a key is solved for
};

}  // namespace nowsim

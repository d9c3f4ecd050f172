// From settings to scenarios: platform, program, owners and split, which points of a sweep share.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/points/split_config.hpp"
#include "experiments/driver/reading/owner_config.hpp"
#include "experiments/driver/reading/platform_config.hpp"
#include "experiments/driver/reading/reading_memo.hpp"

namespace nowsim {

/// A scenario, and how its split is to be found if its shares are provisional. None after a problem.
struct ReadScenario {
  std::shared_ptr<const Scenario> scenario;
  std::shared_ptr<const SplitTask> task;
};

/// Making a scenario took longer than the plan's time-out: the point fails.
class ReadingTooLong : public RunError {
  using RunError::RunError;
};

/// Reads the blocks of which a scenario is made; keeps what points share.
class ScenarioBuilder {
 public:
  /// `varying`: the keys whose values differ between the settings that are read. Both must outlive it.
  ScenarioBuilder(const Registries& known, const std::vector<std::string>& varying)
      : known_(known), varying_(varying), owners_(known.owners) {}

  /// @throws InfeasibleError; ReadingTooLong, once a part has taken the time beyond the plan's time-out.
  ReadScenario read(Reading& reading, const RunPlan& plan);
  /// Sections read to their end at some point, whose keys are therefore all known.
  [[nodiscard]] const std::set<std::string>& complete() const { return complete_; }
  /// What is worth saying of owners that have been read, and of files that they are made from.
  [[nodiscard]] const std::vector<std::string>& owner_remarks() const { return owners_.shared.notes(); }
  /// Whether there were scenarios, and none of them uses its shares.
  [[nodiscard]] bool shares_are_idle() const { return shares_are_idle_.value_or(false); }

 private:
  /// How the work is to be split, and the numbers of what that depends on.
  struct Parts {
    const SplitChoice* split;
    std::string numbers;
  };
  class Patience;
  std::optional<Parts> read_parts(Reading& reading, const Patience& patience, Scenario& scenario);
  /// Owners and links of a scenario, those that replay recordings beginning with others (replayed_together()).
  void replay(const std::vector<OwnerPtr>& owners, const std::vector<OwnerPtr>& links, Scenario& scenario);
  std::optional<UniformNetwork> network_of(Reading& reading, const Scenario& scenario, double limit_s);

  const Registries& known_;
  const std::vector<std::string>& varying_;
  PlatformCache platforms_;
  OwnerCache owners_;
  ReadingMemo<std::shared_ptr<const Platform>> known_platforms_{varying_};
  ReadingMemo<IdentifiedWorkload> known_workloads_{varying_};
  ReadingMemo<SplitChoice> known_splits_{varying_};
  ReadingMemo<std::vector<OwnerPtr>> known_owners_{varying_};
  ReadingMemo<std::vector<OwnerPtr>> known_bandwidths_{varying_};
  ReadingMemo<WorkSplit> known_shares_{varying_};
  std::map<std::shared_ptr<const Platform>, std::optional<UniformNetwork>> known_networks_;
  std::set<std::string> complete_;
  std::optional<bool> shares_are_idle_;
};

}  // namespace nowsim

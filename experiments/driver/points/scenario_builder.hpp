// From settings to scenarios, reading once what points of a sweep share; and the scenarios they are compared with.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "experiments/driver/points/blocks.hpp"
#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/reading/owner_config.hpp"
#include "experiments/driver/reading/platform_config.hpp"
#include "experiments/driver/reading/reader.hpp"
#include "sim/program/scenario.hpp"

namespace nowsim {

/// Something read, with a number that nothing else read by the same memo has.
template <class T>
struct Remembered {
  T value;
  std::size_t number;
};

/// The results of one kind of reading, by the values of those keys that it asked for. What is asked for may depend on
/// values, but on nothing else: where the keys of an earlier reading have its values, the same would be read again.
template <class T>
class MemoisedBlocks {
 public:
  /// `varying`: the keys whose values are not the same at all points, and must have one at each.
  explicit MemoisedBlocks(const std::vector<std::string>& varying) : varying_(varying) {}

  /// What read(reading) gives. `inputs` says all that it depends on besides keys. What throws is not remembered, and
  /// what notes problems not for long.
  template <class Read>
  const Remembered<T>& get(Reading& reading, const std::string& inputs, const Read& read) {
    for (auto& kind : kinds_) {
      const auto known = kind.results.find(text_of(kind.keys, reading.settings, inputs));
      if (known != kind.results.end()) return known->second;
    }
    Asked asked{{}, reading.asked};
    Reading own{reading.settings, reading.problems, asked.keys, reading.formulas, reading.variables, {},
                reading.files,    reading.machines};
    const std::size_t problems = reading.problems.found();
    T value = read(own);
    if (reading.problems.found() > problems) return faulty_ = {std::move(value), count_++};
    Kind& kind = kind_of(asked.keys);
    if (kind.results.size() >= kMost) kind.results.clear();
    std::string text = text_of(kind.keys, reading.settings, inputs);
    return kind.results.insert_or_assign(std::move(text), Remembered<T>{std::move(value), count_++}).first->second;
  }

 private:
  static constexpr std::size_t kMost = 1000;  // of a kind: they are found again soon, or never

  /// Readings that asked for the same of the varying keys.
  struct Kind {
    std::vector<std::string> keys;
    std::unordered_map<std::string, Remembered<T>> results;
  };
  /// Keys that a reading asked for; the others learn of them at its end, however it ends.
  struct Asked {
    std::set<std::string> keys;
    std::set<std::string>& all;
    ~Asked() { all.insert(keys.begin(), keys.end()); }
  };

  static std::string text_of(const std::vector<std::string>& keys, const Settings& settings,
                             const std::string& inputs) {
    std::string text = inputs;
    for (const auto& key : keys) {
      const auto found = settings.find(key);
      text += found == settings.end() ? "\n-" : "\n=";
      if (found != settings.end())
        for (const auto& part : found->second.texts) text += part + "\n";
    }
    return text;
  }

  Kind& kind_of(const std::set<std::string>& asked) {
    std::vector<std::string> keys;
    for (const auto& key : varying_)
      if (asked.contains(key)) keys.push_back(key);
    for (auto& kind : kinds_)
      if (kind.keys == keys) return kind;
    return kinds_.emplace_back(std::move(keys), std::unordered_map<std::string, Remembered<T>>{});
  }

  const std::vector<std::string>& varying_;
  std::vector<Kind> kinds_;
  Remembered<T> faulty_{};  // the last that noted problems: others may want to note them too
  std::size_t count_ = 0;
};

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
  MemoisedBlocks<std::shared_ptr<const Platform>> known_platforms_{varying_};
  MemoisedBlocks<IdentifiedWorkload> known_workloads_{varying_};
  MemoisedBlocks<SplitChoice> known_splits_{varying_};
  MemoisedBlocks<std::vector<OwnerPtr>> known_owners_{varying_};
  MemoisedBlocks<std::vector<OwnerPtr>> known_bandwidths_{varying_};
  MemoisedBlocks<WorkSplit> known_shares_{varying_};
  std::map<std::shared_ptr<const Platform>, std::optional<UniformNetwork>> known_networks_;
  std::set<std::string> complete_;
  std::optional<bool> shares_are_idle_;
};

/// Platforms of one workstation, by the platform they are of and its index: points share them.
using AlonePlatforms = std::map<std::pair<const Platform*, std::size_t>, std::shared_ptr<const Platform>>;

/// The whole work on the workstation that is the first to be done with it alone, by mean available speed and what the
/// program says of waiting for pages, under the same owner (ZY Definition 1). It does not fail, where others do.
std::shared_ptr<const Scenario> fastest_alone(const Scenario& scenario, AlonePlatforms& platforms);

/// The same with its work split in proportion to the available speeds: HL's step (1). Null without work.
std::shared_ptr<const Scenario> step1_of(const Scenario& scenario);

}  // namespace nowsim

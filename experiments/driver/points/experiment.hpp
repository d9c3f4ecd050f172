// An experiment: what a YAML file describes, resolved into points that are ready to run; and what its words may name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/driver/points/point.hpp"
#include "experiments/driver/reading/claims.hpp"
#include "experiments/driver/reading/figure.hpp"
#include "experiments/driver/reading/shipped_files.hpp"
#include "experiments/driver/reading/yaml_tree.hpp"
#include "sim/metrics/metrics.hpp"
#include "sim/owners/owner_models.hpp"
#include "sim/splitting/policies.hpp"
#include "workloads/built_in.hpp"
#include "workloads/parts/registry.hpp"

namespace nowsim {

struct ExperimentSource;

/// What an experiment was read from: flags, the files that its keys named, and code that is not nowsim's own.
struct Origin {
  bool is_of_file = false;         ///< file and flags are all that was said; else a command or program said more
  std::vector<std::string> flags;  ///< key=value, in their order
  std::filesystem::path folder;    ///< from where relative paths in flags count
  std::shared_ptr<const FilesNoted> files;
  std::vector<std::string> user_code;       ///< what of it is used: "workload 'mine'"
  std::filesystem::file_time_type read_at;  ///< when reading began
};

/// Immutable after loading.
struct Experiment {
  std::string file;
  std::string title;
  std::vector<std::string> axes;      ///< the swept keys, in order
  std::vector<const Metric*> metrics;
  std::string decided;                ///< the swept key whose best value is to be told; "" for none
  std::vector<Point> points;
  std::vector<Claim> claims;          ///< the paper's statements about the results
  std::vector<std::string> remarks;   ///< worth saying, no problem: keys of the file that a flag made idle
  std::vector<std::string> idle_keys; ///< of the file, that flags made idle: in a file they would be problems
  std::optional<Figure> figure;       ///< fits axes and metrics
  std::string no_figure;              ///< why flags leave nothing of the figure that the file describes
  std::shared_ptr<const ExperimentSource> source;  ///< what points at other sizes are made of, where one is solved for
  Origin origin;                      ///< what it was read from

  /// Whether some point's split is still to be found.
  [[nodiscard]] bool has_open_splits() const;
  /// Whether its figure shows each replication's time.
  [[nodiscard]] bool shows_times() const { return figure && figure->kind->shows_times; }
  /// How many points' sizes are still to be found.
  [[nodiscard]] std::size_t open_sizes() const;
};

/// What a program has besides nowsim's own.
struct Additions {
  std::vector<OwnerModelInfo> owners = {};
  std::vector<Policy> policies = {};
  std::vector<Metric> metrics = {};
  std::vector<Technique> techniques = {};
  std::vector<WorkloadInfo> workloads = {};
};

/// What `owner.model`, `split.policy`, `metrics`, `job.technique`, `job.workload`, a claim's `check` and a figure's
/// `kind` may name. Copies share what they hold.
struct Registries {
  /// Nowsim's own things and others behind them. The kinds of checks and figures are handed in by floors above.
  /// @throws InputError where an addition has a name that is taken.
  Registries(const Additions& additions, std::span<const CheckKind> check_kinds, FigureKinds figure_kinds);

  /// These, and one technique more, which task farms have too. @throws InputError where its name is taken.
  [[nodiscard]] Registries with(const Technique& technique) const;

  Registry<OwnerModelInfo> owners;
  Registry<Policy> policies;
  Registry<Metric> metrics;
  Registry<Technique> techniques;
  WorkloadRegistry workloads;
  std::span<const CheckKind> checks;
  FigureKinds figures;
};

/// Flags that every command may give.
struct LoadOptions {
  std::vector<std::string> overrides;  ///< key=value
  NamedFiles files = {};
  std::shared_ptr<const YamlNode> description = {};  ///< in place of the file, which is then a name alone
};

/// What the file holds, or what is in its place. @throws InputError.
YamlNode document_of(const std::string& file, const LoadOptions& options);

/// Told before each point is read: how many were, and how many there are. What it throws ends the reading.
using LoadProgress = std::function<void(std::size_t read, std::size_t points)>;

/// Reads an experiment. @throws InputError with every problem found, each with its file, line and key.
Experiment load_experiment(const std::string& file, const LoadOptions& options, const Registries& registries,
                           const LoadProgress& watch = {});
/// The same from a document that is not that file's text: nodes of line -1 are a flag's, others the file's.
Experiment load_experiment(YamlNode document, const std::string& file, const LoadOptions& options,
                           const Registries& registries, const LoadProgress& watch = {});

/// Replications of a batch: a fixed number that only depends on how large a replication's result is, and on whether
/// they come in pairs.
std::uint64_t batch_size(const Scenario& scenario);

/// The program's version, as written into every result.
const char* version();

}  // namespace nowsim

// One fully described situation, ready to run, and what one run of it yields: what is recorded of each workstation is
// one enumeration and its table, from the engines to statistics. And a key over everything that its results depend on,
// for finding stored ones.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "sim/owners/measured_owner.hpp"
#include "sim/owners/owner.hpp"
#include "sim/platform/network_shape.hpp"
#include "sim/platform/platform.hpp"
#include "sim/program/variance_reduction.hpp"
#include "sim/program/workload.hpp"

namespace nowsim {

struct Scenario;
class DrawnOwners;

/// What an engine records of each workstation: to add one, append it here and to quantity_kind()'s table, and record it.
/// Packed results know them by their numbers: never renumber.
enum class Quantity : std::size_t {
  finish_s,        ///< T_i: when the rank finished
  work_flop,       ///< work done; without what was lost when a machine switched off
  active_s,        ///< time spent in computing it
  owner_s,         ///< the CPU time the owner used in [0, T]: the integral of 1 - A, or what jobs got (which on several
                   ///< cores may be more than T)
  messages,        ///< messages sent
  sent_bytes,
  owner_jobs,      ///< owner jobs completed in [0, T]; 0 for owners of other models
  owner_slowdown,  ///< of these: the sum of response time / demand
  count_           ///< how many there are
};
inline constexpr std::size_t kQuantities = static_cast<std::size_t>(Quantity::count_);

/// A T of each quantity.
template <class T>
struct PerQuantity : std::array<T, kQuantities> {
  PerQuantity() : std::array<T, kQuantities>{} {}
  T& operator[](Quantity q) { return this->data()[static_cast<std::size_t>(q)]; }
  const T& operator[](Quantity q) const { return this->data()[static_cast<std::size_t>(q)]; }
};

/// All of them, in order.
inline constexpr auto kAllQuantities = [] {
  std::array<Quantity, kQuantities> all{};
  for (std::size_t q = 0; q < kQuantities; ++q) all[q] = static_cast<Quantity>(q);
  return all;
}();

/// What a quantity is, and what a batch's record keeps of it.
struct QuantityKind {
  const char* name;         ///< as sentences name that of a workstation: "finish time"
  const char* column;       ///< as a table's column is headed: "finish"
  const char* unit;         ///< "" of plain numbers
  bool is_per_workstation;  ///< values or moments of each workstation are kept
  bool has_total;           ///< of each replication the sum over the workstations is kept
  bool (*is_recorded)(const Scenario&) = nullptr;  ///< where that sum is; null: everywhere

  /// Times of a replication are measured against its makespan.
  [[nodiscard]] bool is_time() const { return unit[0] == 's'; }
};

const QuantityKind& quantity_kind(Quantity q);

/// Machines, owners, program and split: all that a replication depends on besides its number. Immutable.
struct Scenario {
  std::shared_ptr<const Platform> platform;
  std::vector<OwnerPtr> owners;      ///< one per workstation
  std::vector<OwnerPtr> bandwidth;   ///< B_i: what is left of each workstation's own link; none where no link varies
  std::shared_ptr<const Workload> workload;
  std::string workload_identity;     ///< the workload's name, version and parameters, exactly
  std::vector<double> share_flop;    ///< X_i, one per workstation
  std::optional<UniformNetwork> network;  ///< of the platform, if it is such; looked for where the workload has an
                                          ///< OverheadModel, and left as it is where machines are left out
  std::uint64_t seed = 1;
  const VarianceReduction* variance_reduction = &kNoVarianceReduction;  ///< set by reduce_variance()
  std::shared_ptr<const ControlVariates> controls;  ///< null: none are recorded

  [[nodiscard]] std::size_t size() const { return platform->workstations.size(); }
  /// alpha_i·a_i: workstation i's mean available speed [flop/s].
  [[nodiscard]] double available_speed(std::size_t i) const {
    return platform->workstations[i].speed_flops * owners[i]->mean();
  }
};

/// ProgramDescription::first_worker as an index; 0 on one machine.
inline std::size_t first_worker(const Scenario& scenario) {
  return scenario.size() > 1 ? static_cast<std::size_t>(scenario.workload->program().first_worker) : 0;
}

/// Which workstation each rank is on: one element per rank. @throws InputError where they cannot be placed.
inline std::vector<int> rank_machines(const Scenario& scenario) {
  if (const auto& placement = scenario.workload->program().placement)
    return placement(scenario.platform->workstations);
  std::vector<int> machines(scenario.size());
  std::iota(machines.begin(), machines.end(), 0);
  return machines;
}

/// Where in its program a rank is, to be put behind what it does: "" or " (recv, rank-3.txt:17)".
inline std::string place_text(const Scenario& scenario, const Rank& rank) {
  const auto& text = scenario.workload->program().place_text;
  return text ? " (" + text(rank.index(), rank.place()) + ")" : "";
}

/// Rank i with a share [flop].
inline RankShare rank_share(const Scenario& scenario, std::size_t i, double share_flop) {
  return {scenario.platform->workstations[i], static_cast<int>(i), static_cast<int>(scenario.size()), share_flop};
}

/// What one replication yields.
struct RunResult {
  std::uint64_t replication = 0;
  double makespan_s = 0;             ///< T: when the last rank finished
  PerQuantity<std::vector<double>> columns;  ///< one element per workstation
  /// Decisions between simultaneous events, which another engine may take otherwise; the direct engine counts them.
  std::uint64_t ties = 0;
  std::vector<double> controls;      ///< control variates, where the scenario has any

  std::vector<double>& operator[](Quantity q) { return columns[q]; }
  const std::vector<double>& operator[](Quantity q) const { return columns[q]; }
  /// What SimGrid's processes say of one.
  template <class All>
  void fields(All& all) {
    all(replication, makespan_s);
    for (auto& column : columns) all(column);
  }
};

/// A fixed range of replications of one point: the unit of work, independent of how many processes there are.
struct Batch {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

/// How many successive replications see the same draw of measured parameters; 0 where all are known.
std::uint64_t replications_per_draw(const Scenario& scenario);

/// Successive replications that are not independent of one another: those of a draw, or antithetic pairs; else 1.
std::uint64_t dependent_replications(const Scenario& scenario);

/// What its owners' and links' parameters were measured by, in order, each once.
std::vector<Measurement> measurements(const Scenario& scenario);

/// Puts what `make` makes of each owner and link in its place, of those that `which` is true of. Machines that share one
/// go on sharing.
template <class Make, class Which>
void change_models(Scenario& scenario, const Make& make, const Which& which) {
  std::map<OwnerPtr, OwnerPtr> known;
  for (auto* models : {&scenario.owners, &scenario.bandwidth})
    for (OwnerPtr& model : *models) {
      if (!which(*model)) continue;
      OwnerPtr& made = known[model];
      if (!made) made = make(model);
      model = made;
    }
}

/// The scenario as the replications of one draw see it, or those that are run again a step to its side: all parameters
/// are known. `owners` remembers them; may be null.
Scenario as_drawn(const Scenario& scenario, const FitDraw& draw, DrawnOwners* owners = nullptr);

/// The scenarios that a scenario's replications see, draw by draw: of known parameters the scenario itself.
class ScenarioDraws {
 public:
  /// The scenario outlives it, and so does what remembers the draws, if there is something.
  explicit ScenarioDraws(const Scenario& scenario, DrawnOwners* owners = nullptr)
      : scenario_(scenario), owners_(owners), per_draw_(replications_per_draw(scenario)) {}
  /// A replication's; until that of another draw is asked for.
  const Scenario& of(std::uint64_t replication);
  /// As many of the next replications as see one draw.
  [[nodiscard]] Batch next_of(const Batch& left) const;

 private:
  const Scenario& scenario_;
  DrawnOwners* owners_;
  std::uint64_t per_draw_, number_ = 0;
  std::optional<Scenario> drawn_;
};

/// The places (parameter_steps.hpp) of the replications that are run again with a batch: its own, or none.
Batch stepped_places(const Scenario& scenario, const Batch& batch);

/// The version of the simulator's answers. To be raised with every change after which some scenario gives other bits
/// than before (engines, owner models, streams, rank operations, clocks): stored results of other versions are not
/// reused. A test holds results of a few scenarios against this number.
inline constexpr int kModelVersion = 6;

/// Makes keys; remembers platforms and owners, which many scenarios share and which it keeps alive.
class ScenarioKeys {
 public:
  /// A key of 36 characters over the scenario as resolved (machines, network, profiles, owners' parameters and data,
  /// program and its parameters, split, seed), the engine and the model's version; not over replications, metrics,
  /// deadlines, titles or the way in which it was written.
  std::string key(const Scenario& scenario, const std::string& engine);

 private:
  std::map<std::shared_ptr<const Platform>, std::string> platforms_;
  std::map<OwnerPtr, std::string> owners_;
};

/// One line for people: program, machines, and owners where all are alike.
std::string describe(const Scenario& scenario);

}  // namespace nowsim

// Owner models: what each says of itself, and those that do not feel the job: their availability A(t), a path of steps.
// The same models say what is left of a workstation's own link (B(t), HL 2.1.1).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/owners/profile.hpp"
#include "sim/owners/trace.hpp"
#include "sim/statistics/closed_forms.hpp"
#include "sim/statistics/distribution.hpp"
#include "sim/statistics/random.hpp"

namespace nowsim {

/// Availability 0 as the engines see it, a fraction of the nominal value. Exactly 0 is silently wrong in SimGrid's
/// default CPU model (a running task keeps its former rate), and 1e-12 is right to 1e-16.
inline constexpr double kLeastAvailability = 1e-12;

/// A piece of a path: a value and how long it lasts [s] (infinity: for ever).
struct Step {
  double duration_s;
  double value;
};

/// A path, drawn step by step; the first step starts at t = 0. Values are at least `least`.
class Path {
 public:
  explicit Path(double least) : least_(least) {}
  virtual ~Path() = default;
  Step next() {
    Step step = draw();
    if (step.value < least_) step.value = least_;
    return step;
  }

 private:
  virtual Step draw() = 0;
  double least_;
};

/// Intervals whose lengths and values have simple laws: per interval one draw for the length, then one for the value.
struct SimpleIntervals {
  SimpleLaw length_s, value;
  /// Antithetic: the values' law in odd replications, which draw from the streams of the replication before.
  std::optional<SimpleLaw> odd_value = std::nullopt;
};

/// A value that stays. Models whose availability is 0 for ever say so in one step: an engine can tell such a machine
/// from one whose owner is only busy for the moment.
std::unique_ptr<Path> constant_path(double value);

class OwnerJobs;

/// An owner model of one workstation, with its parameters. Immutable.
class OwnerModel {
 public:
  virtual ~OwnerModel() = default;
  /// The availability path of a workstation in a replication: of its processor, or of its own link where the key's
  /// purpose is `bandwidth`. The key names the stream of its values; an owner's path starts where the stream
  /// `owner_offset` says, any other where its own says. Models with jobs() have none.
  [[nodiscard]] virtual std::unique_ptr<Path> path(const StreamKey& key) const = 0;
  /// a = E[A], over time.
  [[nodiscard]] virtual double mean() const = 0;
  /// sigma_A over time; of the values as drawn for `intervals`.
  [[nodiscard]] virtual double sd() const = 0;
  /// TH = sigma_A/a (HL 7).
  [[nodiscard]] double temporal_heterogeneity() const { return mean() > 0 ? sd() / mean() : 0; }
  /// The renewal description that theory needs, where the model is one.
  [[nodiscard]] virtual std::optional<IntervalModel> intervals() const { return std::nullopt; }
  /// What path() draws, in terms that an engine can draw side by side for many workstations, from the stream of purpose
  /// `owner`; values below kLeastAvailability stand for that.
  [[nodiscard]] virtual std::optional<SimpleIntervals> simple_intervals() const { return std::nullopt; }
  /// The same model with every value drawn the other way round (reflected()): available where this one is not. Null for
  /// models whose paths have no such counterpart.
  [[nodiscard]] virtual std::shared_ptr<const OwnerModel> reflected() const { return nullptr; }
  /// What its paths have in common with those of other workstations (a factor, a start, a clock), as a text; empty where
  /// they are independent and have one law at all times, as theory supposes. Of two models with a factor it is the same
  /// one where the texts are equal.
  [[nodiscard]] virtual std::string in_common() const { return {}; }
  /// No owner: A = 1, nothing to simulate.
  [[nodiscard]] virtual bool is_dedicated() const { return false; }
  /// Owner jobs, where the model is of that kind: then they compete with the task, and there is no path.
  [[nodiscard]] virtual const OwnerJobs* jobs() const { return nullptr; }
  /// One line for people: the model's name and parameters.
  [[nodiscard]] virtual std::string describe() const = 0;
  /// All that the paths depend on, exactly: owners with equal identities have the same paths.
  [[nodiscard]] virtual std::string identity() const { return describe(); }
};
using OwnerPtr = std::shared_ptr<const OwnerModel>;

/// A = 1.
OwnerPtr dedicated_owner();
/// A constant on successive intervals: lengths and values drawn independently (HL 5.1). `label` describes it exactly, so
/// that it is its identity too.
OwnerPtr intervals_owner(DistributionPtr value, DistributionPtr length_s, std::string label);
/// In every period the owner holds the CPU for the fraction `busy`, preemptively; the free part comes first, from a
/// random moment of the period if `random_phase` (ZY 4.3, 5.1). With a correlation the moments of workstations follow a
/// common factor of that weight (CommonFactor), and are the same for a weight of 1. @throws InputError unless period >
/// 0, 0 <= busy <= 1, 0 <= correlation <= 1, and 0 where the phase is not random.
OwnerPtr duty_cycle_owner(double period_s, double busy, bool random_phase, double correlation = 0);
/// A SimGrid speed profile, deterministic or STOCHASTIC.
OwnerPtr profile_owner(std::shared_ptr<const Profile> profile, std::string label);
/// A measured trace, started at a random moment per workstation and replication, or at one fraction of the trace common
/// to all workstations of a replication; wrapping at the end. With a correlation random moments follow a common factor.
/// @throws InputError unless 0 <= correlation <= 1, and 0 where the start is not random.
enum class TraceStart { random, common, beginning };
OwnerPtr trace_owner(std::shared_ptr<const Trace> trace, TraceStart start, std::string label, double correlation = 0);

/// Steps of a profile as a path, for links and states too; values at least `least`.
std::unique_ptr<Path> profile_path(std::shared_ptr<const Profile> profile, ProfileQuantity quantity, double initial,
                                   double least, const StreamKey& key);

/// A workstation's TH_i in a network with mean TH and spatial heterogeneity SH = max - mean, linear in i (HL under
/// Fig. 5): TH + 2·((i-1)/(N-1) - 0.5)·SH. @throws InfeasibleError where SH > TH (TH_1 would be negative) or SH > 0
/// with one workstation; InputError where either is negative.
std::vector<double> spread_temporal_heterogeneity(double th, double sh, std::size_t workstations);

/// A name, what it is, and its parameters: a line of `nowsim list owners`.
struct OwnerModelInfo {
  const char* name;
  const char* summary;
  const char* parameters;
  bool of_links = true;  ///< whether it can say what is left of a link
};
/// The owner models there are.
const std::vector<OwnerModelInfo>& owner_models();
/// What can be laid over a model, by a block of its own within the owner's: name, what it is, and its keys.
const std::vector<OwnerModelInfo>& owner_patterns();

}  // namespace nowsim

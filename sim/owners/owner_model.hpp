// What an owner model says of itself: its availability A(t), a path of steps, or owner jobs that compete with the task.
// The same models say what is left of a workstation's own link (B(t), HL 2.1.1).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/infinity.hpp"
#include "sim/owners/owner_sight.hpp"
#include "sim/owners/path.hpp"
#include "sim/statistics/closed_forms.hpp"
#include "sim/statistics/laws.hpp"
#include "sim/statistics/parameter_steps.hpp"
#include "sim/statistics/random.hpp"

namespace nowsim {

/// How a random process stands when a replication begins: at the beginning of a first interval, or as at a random moment
/// of a process that has run for ever. Then the interval under way is one as likely as it is long, of which what is left is
/// uniform (Cox, Renewal Theory, 1962, 5.3), and the same holds at every moment after.
enum class OwnerStart { fresh, stationary };

/// Independent intervals: per interval one draw for the length, then one for the value.
struct SimpleIntervals {
  InverseTransform length_s, value;
  /// Antithetic: the values' law in odd replications, which draw from the streams of the replication before.
  std::optional<InverseTransform> odd_value = std::nullopt;
  /// Stationary: what is left of the interval that is found, before those of the path's own stream begin.
  ResidualLifePtr found_s = nullptr;

  /// The step that is found, from the stream of first_of(the path's purpose): two draws for what is left, then one for
  /// the value.
  [[nodiscard]] Step found(Stream stream, const InverseTransform& law) const;
};

/// A first step, and behind it two in turn, beginning with the one whose value is not the first one's.
struct Alternation {
  Step first;
  std::array<Step, 2> turns;
};

/// See OwnerModel::coarsened().
inline constexpr double kCoarseningError = 1e-3;

class OwnerJobs;

/// One of the owners that a measured one may be (measured_owner.hpp): a draw's, or one that is a step to its side in
/// the way of a block (parameter_steps.hpp).
struct FitDraw {
  FitDraw(std::uint64_t number_) : number(number_) {}  // NOLINT: a number alone will do
  FitDraw(std::uint64_t number_, std::uint64_t block_, int step_) : number(number_), block(block_), step(step_) {}
  std::uint64_t number;
  std::uint64_t block = 0;
  int step = 0;  ///< 1 up, -1 down
  friend bool operator==(const FitDraw&, const FitDraw&) = default;
};

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
  /// Whether these two are known, not estimated.
  [[nodiscard]] virtual bool has_exact_moments() const { return true; }
  /// TH = sigma_A/a (HL 7).
  [[nodiscard]] double temporal_heterogeneity() const { return mean() > 0 ? sd() / mean() : 0; }
  /// The renewal description that theory needs, where the model is one.
  [[nodiscard]] virtual std::optional<IntervalModel> intervals() const { return std::nullopt; }
  /// What path() draws, in terms that an engine can draw side by side for many workstations, from the stream that the
  /// path's key names; values below kLeastAvailability stand for that.
  [[nodiscard]] virtual std::optional<SimpleIntervals> simple_intervals() const { return std::nullopt; }
  /// The path itself, where it is an alternation: an engine can follow many of these side by side.
  [[nodiscard]] virtual std::optional<Alternation> alternation(const StreamKey&) const { return std::nullopt; }
  /// The same model with every value drawn the other way round (reflected()): available where this one is not. Null for
  /// models whose paths have no such counterpart.
  [[nodiscard]] virtual std::shared_ptr<const OwnerModel> reflected() const { return nullptr; }
  /// What its paths have in common with those of other workstations (a factor, a start, a clock), as a text; empty where
  /// they are independent and have one law at all times, as theory supposes. Of two models with a factor it is the same
  /// one where the texts are equal.
  [[nodiscard]] virtual std::string in_common() const { return {}; }
  /// After how long a recorded path is replayed from its beginning [s]; infinite where nothing is replayed.
  [[nodiscard]] virtual double replayed_after_s() const { return kInfinity; }
  /// Whether what is replayed begins at a random moment: replications then see stretches of one series.
  [[nodiscard]] virtual bool begins_at_random() const { return false; }
  /// Where its parameters were measured, one of the owners that it may be (measured_owner.hpp), to be seen by the
  /// replications of this draw; its paths are that owner's. Null where they are known.
  [[nodiscard]] virtual std::shared_ptr<const OwnerModel> as_drawn(std::uint64_t /*seed*/, const FitDraw&) const {
    return nullptr;
  }
  [[nodiscard]] virtual bool is_measured() const { return false; }
  /// Its measured parameters whose errors are not 0.
  [[nodiscard]] virtual std::vector<Measurement> measurements() const { return {}; }
  /// The same owner as a job finds it that is under way: its paths begin then, given what is seen. Null where that says
  /// nothing of what comes: without a clock, and without memory of what is seen.
  [[nodiscard]] virtual std::shared_ptr<const OwnerModel> under_way(const OwnerSight&) const { return nullptr; }
  /// The same owner in fewer, longer intervals, for jobs that compute for so long on each machine: mean and variance of
  /// what it leaves in the long run are the same, and a job's T_99 on up to a hundred machines is off by no
  /// more than kCoarseningError of it, to first order. Null where that cannot be had, or saves nothing.
  [[nodiscard]] virtual std::shared_ptr<const OwnerModel> coarsened(double /*time_s*/) const { return nullptr; }
  /// No owner: A = 1, nothing to simulate.
  [[nodiscard]] virtual bool is_dedicated() const { return false; }
  /// Owner jobs, where the model is of that kind: then they compete with the task, and there is no path.
  [[nodiscard]] virtual const OwnerJobs* jobs() const { return nullptr; }
  /// One line for people: the model's name and parameters.
  [[nodiscard]] virtual std::string describe() const = 0;
  /// All that the paths depend on, exactly: owners with equal identities have the same paths.
  [[nodiscard]] virtual std::string identity() const { return describe(); }
  /// E of the integral of A over a path's first so many seconds [s], of an owner that goes by a clock or is found in
  /// the middle of something. None where that is mean()·seconds, whenever a job begins.
  [[nodiscard]] virtual std::optional<double> expected_left_s(double /*seconds*/) const { return std::nullopt; }
};
using OwnerPtr = std::shared_ptr<const OwnerModel>;

}  // namespace nowsim

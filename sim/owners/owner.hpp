// A workstation's owner as a value: what else uses the machine or its link, what that leaves, and how a job finds it.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sim/base/clock_moment.hpp"
#include "sim/base/infinity.hpp"
#include "sim/owners/path.hpp"
#include "sim/owners/recordings.hpp"
#include "sim/statistics/closed_forms.hpp"
#include "sim/statistics/laws.hpp"
#include "sim/statistics/random.hpp"

namespace nowsim {

class LikeMoments;
class OwnerJobs;
class SharedParts;
struct OwnerFit;
struct OwnerHours;
struct Profile;
struct LoadSeries;
struct Habits;

/// How a random process stands when a replication begins: at the beginning of a first interval, or as at a random
/// moment of a process that has run for ever. Then the interval under way is one as likely as it is long, of which what
/// is left is uniform (Cox, Renewal Theory, 1962, 5.3), and the same holds at every moment after.
enum class OwnerStart { fresh, stationary };

/// How a job that is under way finds a workstation.
struct OwnerSight {
  double elapsed_s = 0;  ///< since the job began: owners by a clock, or by a series from its beginning, are further on
  std::optional<double> availability = std::nullopt;  ///< what the owner leaves at the moment, where somebody looked
};

/// What paths have in common with those of other workstations: a start, a clock, or a factor on common intervals.
struct Dependence {
  enum class Kind { none, start, clock, intervals };
  Kind kind = Kind::none;
  std::array<double, 3> lengths = {};  ///< of the intervals, in common where equal: mean, variance and upper end
  bool operator==(const Dependence&) const = default;
};

// ---- how engines follow paths side by side --------------------------------------------------------------------------

/// Draws nothing: the availability never changes, or there is none because owner jobs feel the task.
struct Stays {};

/// Independent intervals: per interval one draw for the length, then one for the value, from the stream that the path's
/// key names; values below kLeastAvailability stand for that.
struct RenewalDraws {
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
struct TwoStep {
  Step first;
  std::array<Step, 2> turns;
};

/// Only by its path.
struct ByPath {};

using LaneForm = std::variant<Stays, RenewalDraws, TwoStep, ByPath>;

// ---- what owners are ------------------------------------------------------------------------------------------------

/// What holds of owners of which nothing else is said: each kind says path(), moments(), describe() and identity(), and
/// in place of these what is different of it. Some have under_way() and replayed_together() besides.
struct OwnerKind {
  /// How an engine can follow the paths, the one of this key first of all: the laws of independent intervals and two
  /// steps in turn are the same for all keys.
  [[nodiscard]] LaneForm lane_form(const StreamKey&) const { return ByPath{}; }
  /// The renewal description that theory needs, where there is one.
  [[nodiscard]] std::optional<IntervalModel> renewal() const { return std::nullopt; }
  [[nodiscard]] Dependence dependence() const { return {}; }
  /// After how long a recorded path is replayed from its beginning [s]; infinite where nothing is replayed.
  [[nodiscard]] double replayed_after_s() const { return kInfinity; }
  /// Whether what is replayed begins at a random moment: replications then see stretches of one series.
  [[nodiscard]] bool begins_at_random() const { return false; }
  /// Of how many moments a replication begins at one.
  [[nodiscard]] double moments_to_begin() const { return kInfinity; }
  /// When that was recorded which is replayed; none where replications begin at moments of the machine's own, or at the
  /// recording's beginning.
  [[nodiscard]] std::optional<RecordedSeries> recording() const { return std::nullopt; }
  /// A hash of the recording's data.
  [[nodiscard]] std::uint64_t content_hash() const { return 0; }
  /// E of the integral of A over a path's first so many seconds [s], of an owner that goes by a clock or is found in
  /// the middle of something. None where that is mean·seconds, whenever a job begins.
  [[nodiscard]] std::optional<double> expected_left_s(double) const { return std::nullopt; }
};

/// Nobody else: A = 1.
struct DedicatedOwner : OwnerKind {
  [[nodiscard]] std::unique_ptr<Path> path(const StreamKey&) const { return constant_path(1); }
  [[nodiscard]] LaneForm lane_form(const StreamKey&) const { return Stays{}; }
  [[nodiscard]] OwnerMoments moments() const { return {}; }
  [[nodiscard]] std::optional<IntervalModel> renewal() const { return IntervalModel{1, 0, 1, 1}; }
  [[nodiscard]] std::string describe() const { return "dedicated"; }
  [[nodiscard]] std::string identity() const { return describe(); }
};

/// A constant on successive intervals (intervals_owner()), with a factor of some weight that workstations have in
/// common (correlated_owner()).
struct RenewalOwner : OwnerKind {
  DistributionPtr value, length_s;
  CommonFactor factor;
  std::string label, exactly;
  ResidualLifePtr found_s;  ///< of a stationary start; null of a fresh one
  /// What a job under way has found: what is left of that interval, and its availability. Where intervals have
  /// something in common with those of other workstations, theirs go on behind it on the clock of all.
  struct Seen {
    ResidualLifePtr excess_s;
    double availability;
  };
  std::optional<Seen> seen = std::nullopt;

  [[nodiscard]] std::unique_ptr<Path> path(const StreamKey& key) const;
  [[nodiscard]] LaneForm lane_form(const StreamKey&) const;
  [[nodiscard]] OwnerMoments moments() const { return {value->mean(), std::sqrt(value->variance())}; }
  [[nodiscard]] std::optional<IntervalModel> renewal() const;
  [[nodiscard]] Dependence dependence() const;
  [[nodiscard]] std::optional<RenewalOwner> under_way(const OwnerSight& sight) const;
  [[nodiscard]] std::optional<double> expected_left_s(double seconds) const;
  [[nodiscard]] std::string describe() const { return label + seen_text(); }
  [[nodiscard]] std::string identity() const { return exactly + seen_text(); }

 private:
  [[nodiscard]] bool has_factor() const { return factor.weight() > 0; }
  [[nodiscard]] RenewalDraws draws() const;
  [[nodiscard]] std::string seen_text() const;
};

/// The owner takes part of every period (duty_cycle_owner()).
struct CycleOwner : OwnerKind {
  double period_s, busy;
  bool is_random;
  RandomMoment moment;
  std::optional<bool> seen_free = std::nullopt;
  double later_s = 0;  ///< by the clock

  [[nodiscard]] std::unique_ptr<Path> path(const StreamKey& key) const;
  [[nodiscard]] LaneForm lane_form(const StreamKey& key) const;
  [[nodiscard]] OwnerMoments moments() const { return {1 - busy, std::sqrt(busy * (1 - busy))}; }
  [[nodiscard]] Dependence dependence() const {
    return {moment.is_correlated() ? Dependence::Kind::start : Dependence::Kind::none};
  }
  [[nodiscard]] std::optional<CycleOwner> under_way(const OwnerSight& sight) const;
  [[nodiscard]] std::optional<double> expected_left_s(double seconds) const;
  [[nodiscard]] std::string describe() const;
  [[nodiscard]] std::string identity() const;

 private:
  [[nodiscard]] TwoStep steps(const StreamKey& key) const;
  [[nodiscard]] std::string beginning_text() const;
};

/// An owner by the clock (habits_owner()).
struct HabitsOwner : OwnerKind {
  std::shared_ptr<const Habits> habits;
  std::vector<std::vector<double>> levels = {};  ///< by layer (HabitsLevel); none: 0
  std::shared_ptr<RememberedPaths> remembered = nullptr;  ///< its paths, where they are followed again and again

  [[nodiscard]] std::unique_ptr<Path> path(const StreamKey& key) const;
  [[nodiscard]] OwnerMoments moments() const;
  [[nodiscard]] Dependence dependence() const;
  [[nodiscard]] std::optional<HabitsOwner> under_way(const OwnerSight& sight) const;
  [[nodiscard]] std::optional<double> expected_left_s(double seconds) const;
  [[nodiscard]] std::string describe() const;
  [[nodiscard]] std::string identity() const;
};

/// A SimGrid speed profile (profile_owner()).
struct ProfileOwner : OwnerKind {
  std::shared_ptr<const Profile> profile;
  std::string label;
  OwnerMoments of_profile;
  double later_s = 0;

  [[nodiscard]] std::unique_ptr<Path> path(const StreamKey& key) const;
  [[nodiscard]] OwnerMoments moments() const { return of_profile; }
  [[nodiscard]] double replayed_after_s() const;
  [[nodiscard]] std::optional<ProfileOwner> under_way(const OwnerSight& sight) const;
  [[nodiscard]] std::optional<double> expected_left_s(double seconds) const;
  [[nodiscard]] std::string describe() const;
  [[nodiscard]] std::string identity() const;

 private:
  [[nodiscard]] std::string later_text() const;
};

/// The days of a recording on which a job begins at a moment by the clock, and where it is then.
struct ReplayedDays {
  ClockMoment at;
  double first_s;               ///< by the clock of the recording's beginning, since midnight before Monday, 5 January 1970
  std::vector<double> begin_s;  ///< in the series, where gaps are closed up; in order, one at least
  std::vector<std::int64_t> day;  ///< their dates, since that Monday
  double resume_s;              ///< behind its end it goes on here, at the same time of day, and of the week where it is so long
};

/// A measured load series (trace_owner()).
struct SeriesOwner : OwnerKind {
  std::shared_ptr<const LoadSeries> series;
  TraceStart start;
  std::string label, file;
  RandomMoment moment;
  OwnerMoments of_series;
  std::optional<std::uint64_t> decided = std::nullopt;  ///< the set with which it begins (replayed_together())
  std::shared_ptr<const LikeMoments> like = nullptr;    ///< from moments like what is seen on
  double later_s = 0;
  std::string beginning = {};
  std::shared_ptr<const ReplayedDays> days = nullptr;  ///< by the clock: a random one of them, the same for all of a set

  [[nodiscard]] std::unique_ptr<Path> path(const StreamKey& key) const;
  [[nodiscard]] OwnerMoments moments() const { return of_series; }
  [[nodiscard]] Dependence dependence() const;
  [[nodiscard]] double replayed_after_s() const;
  [[nodiscard]] bool begins_at_random() const { return start != TraceStart::beginning; }
  [[nodiscard]] double moments_to_begin() const {
    return days ? static_cast<double>(days->begin_s.size()) : kInfinity;
  }
  [[nodiscard]] std::optional<SeriesOwner> under_way(const OwnerSight& sight) const;
  [[nodiscard]] std::optional<double> expected_left_s(double seconds) const;
  [[nodiscard]] std::string describe() const { return label + moment.text() + beginning; }
  [[nodiscard]] std::string identity() const;
  /// The number of the set that begins at its moment.
  [[nodiscard]] std::optional<std::uint64_t> set() const;
  [[nodiscard]] std::optional<RecordedSeries> recording() const;
  [[nodiscard]] std::uint64_t content_hash() const;
  [[nodiscard]] std::optional<SeriesOwner> replayed_together(const ClockSpans& kept, std::uint64_t of_set,
                                                             SharedParts& parts) const;

 private:
  [[nodiscard]] double offset_s(const StreamKey& key) const;
  [[nodiscard]] bool is_own() const { return start == TraceStart::random || start == TraceStart::independent; }
};

/// A model of one's own, in Python or out of tree. Immutable. Of what OwnerKind lists nothing else is asked of it.
class UserOwner : public OwnerKind {
 public:
  virtual ~UserOwner() = default;
  /// The availability path of a workstation in a replication: of its processor, or of its own link where the key's
  /// purpose is `bandwidth`. The key names the stream of its values.
  [[nodiscard]] virtual std::unique_ptr<Path> path(const StreamKey& key) const = 0;
  [[nodiscard]] virtual OwnerMoments moments() const = 0;
  /// One line for people: the model's name and parameters.
  [[nodiscard]] virtual std::string describe() const = 0;
  /// All that the paths depend on, exactly: owners with equal identities have the same paths.
  [[nodiscard]] virtual std::string identity() const { return describe(); }
};

struct Owner;
using OwnerPtr = std::shared_ptr<const Owner>;

/// What an owner is, and what is laid over it, in this order. The same says what is left of a workstation's own link
/// (B(t), HL 2.1.1). Immutable once it is shared.
struct Owner {
  std::variant<DedicatedOwner, RenewalOwner, CycleOwner, HabitsOwner, ProfileOwner, SeriesOwner, std::shared_ptr<const OwnerJobs>,
               std::shared_ptr<const UserOwner>>
      kind;
  std::shared_ptr<const OwnerFit> fit = nullptr;      ///< its parameters were measured (measured_owner.hpp)
  std::shared_ptr<const OwnerHours> hours = nullptr;  ///< a pattern by hour (diurnal.hpp)
  double later_s = 0;                                 ///< behind a pause
  /// Antithetic: in odd replications it is this one, from the streams of the replication before.
  OwnerPtr odd = nullptr;

  /// The availability path of a workstation in a replication, as UserOwner's; an owner's path starts where the stream
  /// `owner_offset` says, any other where its own says. Owners with jobs() have none. Of measured ones that of the
  /// replication's draw.
  [[nodiscard]] std::unique_ptr<Path> path(const StreamKey& key) const;
  [[nodiscard]] OwnerMoments moments() const;
  /// a = E[A], over time.
  [[nodiscard]] double mean() const { return moments().mean; }
  /// sigma_A, likewise.
  [[nodiscard]] double sd() const { return moments().sd; }
  /// TH = sigma_A/a (HL 7).
  [[nodiscard]] double temporal_heterogeneity() const { return mean() > 0 ? sd() / mean() : 0; }
  // As OwnerKind's.
  [[nodiscard]] std::optional<IntervalModel> renewal() const;
  [[nodiscard]] Dependence dependence() const;
  [[nodiscard]] double replayed_after_s() const;
  [[nodiscard]] bool begins_at_random() const;
  [[nodiscard]] double moments_to_begin() const;
  [[nodiscard]] std::optional<RecordedSeries> recording() const;
  [[nodiscard]] std::uint64_t content_hash() const;
  [[nodiscard]] std::optional<double> expected_left_s(double seconds) const;
  /// A = 1, nothing to simulate.
  [[nodiscard]] bool is_dedicated() const;
  /// Owner jobs, where it is of that kind: then they compete with the task, and there is no path.
  [[nodiscard]] const OwnerJobs* jobs() const;
  [[nodiscard]] bool is_measured() const { return fit != nullptr; }
  /// One line for people: the model's name and parameters.
  [[nodiscard]] std::string describe() const;
  /// All that the paths depend on, exactly: owners with equal identities have the same paths.
  [[nodiscard]] std::string identity() const;
};

OwnerPtr user_owner(std::shared_ptr<const UserOwner> owner);

LaneForm lane_form(const Owner& owner, const StreamKey& key);

/// The owner as a job finds it that is under way: its paths begin then, given what is seen. Null where that says
/// nothing of what comes: without a clock, and without memory of what is seen.
OwnerPtr under_way(const Owner& owner, const OwnerSight& sight);
/// The same, or the owner itself where that makes no difference.
OwnerPtr owner_under_way(const OwnerPtr& owner, const OwnerSight& sight);
/// The owner so much later.
OwnerPtr later_owner(const Owner& owner, double seconds);

/// The owner as a job meets it that begins at one moment with all others of the set of this number: these spans of the
/// recording are replayed, one behind the other, and at their end all again. Null where that cannot be. @param parts
/// keeps what is cut out, by the address of the recording, which must live as long.
OwnerPtr replayed_together(const Owner& owner, const ClockSpans& kept, std::uint64_t set, SharedParts& parts);

/// The owner with every value drawn the other way round (reflected()): available where this one is not. Null where
/// paths have no such counterpart.
OwnerPtr mirrored(const Owner& owner);  // of a measured one: antithetic_owner() mirrors each draw
/// Antithetic replications: replication 2k is the plain owner's. Replication 2k + 1 draws from the same stream, keeps
/// the lengths of intervals and has the values' quantiles at 1 - u, so that its path is high where the other is low.
/// Either has the law of the plain owner. A finish time falls where a path rises, whatever the lengths, so the two of a
/// pair are negatively correlated (Hammersley & Morton, Proc. Camb. Phil. Soc. 52, 1956). Lengths are kept because work
/// done is the sum of length times value: then the work done by a time is mirrored exactly where the law of values is
/// symmetric. An owner without a counterpart, such as a dedicated machine's, stays what it is.
OwnerPtr antithetic_owner(const OwnerPtr& owner);

}  // namespace nowsim

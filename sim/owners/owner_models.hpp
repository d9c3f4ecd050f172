// How an owner model is described: its name, a line of help, its keys, and how it is made from them; those there are;
// owners made without a description; recordings that are replayed together.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <typeindex>
#include <typeinfo>
#include <utility>
#include <vector>

#include "sim/base/clock_moment.hpp"
#include "sim/base/error.hpp"
#include "sim/base/keys.hpp"
#include "sim/base/registry.hpp"
#include "sim/base/time_zone.hpp"
#include "sim/owners/load_series.hpp"
#include "sim/owners/owner.hpp"
#include "sim/owners/path.hpp"
#include "sim/owners/profile.hpp"

namespace nowsim {

enum class NoteOn { gaps, partial_jobs, weekends, replays, clocks };

/// Files that were read, models that are equal, and the like: each made once, found by its type and an exact name.
class SharedParts {
 public:
  /// The part of that name, or else what `make` returns, a std::shared_ptr<const T>. What throws is not kept.
  template <class T, class Make>
  std::shared_ptr<const T> get(const std::string& name, const Make& make) {
    const auto key = std::pair(std::type_index(typeid(T)), name);
    if (const auto known = parts_.find(key); known != parts_.end())
      return std::static_pointer_cast<const T>(known->second);
    std::shared_ptr<const T> made = make();
    parts_.emplace(key, made);
    return made;
  }

  /// Keeps what is worth saying of them, each sentence once, and some of many of a kind: points of a sweep, or machines,
  /// may differ in a name or a number alone.
  void note(NoteOn what, const std::string& sentence) {
    constexpr std::size_t kMost = 4;
    if (std::ranges::count(notes_, sentence) == 0 && ++noted_[what] <= kMost) notes_.push_back(sentence);
  }
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

 private:
  std::map<std::pair<std::type_index, std::string>, std::shared_ptr<const void>> parts_;
  std::vector<std::string> notes_;
  std::map<NoteOn, std::size_t> noted_;
};

/// For which workstation a model is made.
struct OwnerContext {
  const std::string& host;  ///< its name
  std::size_t index;        ///< its position
  std::size_t count;        ///< of workstations
  int cores;                ///< its
  bool spread;              ///< what is said holds for all workstations, so that SH spreads TH over them
  SharedParts& shared;
  bool by_hour = false;     ///< a pattern by hour (`diurnal`) is laid over the model
  std::optional<ClockMoment> start = {};  ///< when the run begins (`run.start`); nothing: nobody says
};

/// A line of `nowsim list owners`.
struct OwnerModelInfo {
  std::string name;
  std::string summary;
  KeyTable keys;
  /// Reads the keys. Where one is wrong, which the reader notes, any model will do. @throws InputError for a file that
  /// cannot be read; InfeasibleError, with its place, where a law cannot hold what it is asked for.
  std::function<OwnerPtr(KeyReader& read, const OwnerContext& context)> make;
  bool of_links = true;  ///< whether it can say what is left of a link
};

/// What the keys of a model name and is not there for one workstation, a file or its rows in one: what is missing of
/// several is told in one sentence, "BEFORE a, b, c AFTER".
struct MissingOfHost : InputError {
  MissingOfHost(std::string key_, std::string before_, std::string host_, std::string after_)
      : InputError(before_ + " " + host_ + after_), key(std::move(key_)), before(std::move(before_)),
        host(std::move(host_)), after(std::move(after_)) {}
  std::string key, before;
  std::string host;  ///< what is looked for: it may be called otherwise
  std::string after;
};

/// nowsim's own.
const Registry<OwnerModelInfo>& builtin_owner_models();
/// What can be laid over a model, by a block of its own within the owner's; nothing is made from these lines alone.
const std::vector<OwnerModelInfo>& owner_patterns();

/// A = 1.
OwnerPtr dedicated_owner();
/// A constant on successive intervals: lengths and values drawn independently (HL 5.1). Where no identity is given
/// `label` describes it exactly, so that it is its identity too.
OwnerPtr intervals_owner(DistributionPtr value, DistributionPtr length_s, std::string label, std::string identity = {},
                         OwnerStart start = OwnerStart::fresh);
/// Like intervals_owner(), with A(t) = F^-1(Phi(Z(t))), Z(t) = sqrt(w)·Z_c(t) + sqrt(1-w)·Z_i(t): F the law of values,
/// w the weight, Z_c and Z_i standard normal and constant on intervals of their own, with lengths of the one law, Z_c
/// the same on all workstations (CommonFactor). A path has a step wherever one of the two has.
///
/// At any moment A has the law F exactly, so that mean and TH are those of the uncorrelated model, and Z of
/// workstations with weights v and w the correlation sqrt(v·w). Z has the autocorrelation of the uncorrelated model,
/// r(s), the chance that no interval ends within s. That of A itself is a little lower, r² + r(1-r)(p(w) + p(1-w))
/// where p is the correlation of A for one of Z: for the uniform law p(1/2) = 0.483, so that over many exponential
/// intervals the sum of A has at most 1.7 % less variance than without correlation. Correlated workstations need one
/// law of lengths: with others, what they share is soon out of step.
///
/// With a stationary start Z_c and Z_i each are within an interval when a replication begins, Z_c in the same one on all
/// workstations.
///
/// A weight of 0 is intervals_owner() itself. @param label, identity as there, weight included.
/// @throws InputError unless 0 <= weight <= 1.
OwnerPtr correlated_owner(DistributionPtr value, DistributionPtr length_s, double weight, std::string label,
                          std::string identity = {}, OwnerStart start = OwnerStart::fresh);
/// In every period the owner holds the CPU for the fraction `busy`, preemptively; the free part comes first, from a
/// random moment of the period if `random_phase` (ZY 4.3, 5.1). With a correlation the moments of workstations follow a
/// common factor of that weight (CommonFactor), and are the same for a weight of 1. @throws InputError unless period >
/// 0, 0 <= busy <= 1, 0 <= correlation <= 1, and 0 where the phase is not random.
OwnerPtr duty_cycle_owner(double period_s, double busy, bool random_phase, double correlation = 0);
/// An owner who goes by the clock.
OwnerPtr habits_owner(std::shared_ptr<const Habits> habits);
/// Whose levels were measured, with these standard errors by layer (as HabitsLevel), on so many days; machines of which the
/// same errors are said are off together.
OwnerPtr measured_habits(const std::shared_ptr<const Habits>& habits, const std::vector<std::vector<double>>& level_se, double worth);
/// A SimGrid speed profile, deterministic or STOCHASTIC.
OwnerPtr profile_owner(std::shared_ptr<const Profile> profile, std::string label);
/// A measured trace, started at a random moment per workstation and replication, or at one fraction of the trace common
/// to all workstations of a replication; wrapping at the end. With a correlation random moments follow a common factor.
/// Replayed together with others it is one of replayed_together(). With a moment `at` by the clock it starts on a random
/// day on which the recording has that moment: on one with that weekday's kind of day, and of the next day (Mondays to
/// Thursdays are alike), or of a time of day alone on any; behind its end it goes on where the clock stands the same.
/// @param zone by whose clock stamps with Z are; UTC without one. @param file that it was read from: seconds in one file
/// are by one clock. @throws InputError unless 0 <= correlation <= 1, and 0 where the start is not the machine's own.
OwnerPtr trace_owner(std::shared_ptr<const LoadSeries> trace, TraceStart start, std::string label, double correlation = 0,
                     std::string file = {}, const std::optional<ClockMoment>& at = {}, const TimeZone* zone = nullptr);
/// Of owners that a job finds under way: those of traces that are replayed together go on from moments at which all of
/// them were like what is seen. @param before the same, when the job began.
void see_together(std::vector<OwnerPtr>& owners, const std::vector<OwnerPtr>& before,
                  const std::vector<OwnerSight>& sights);

/// Owners and links of workstations, and what is worth saying of them.
struct Replays {
  std::vector<OwnerPtr> owners, links;
  std::vector<std::string> remarks;
};

/// With those that replay a recording from a random moment on (`start: random`), and were recorded together by one clock,
/// beginning at one moment in each replication: of the time that all were recorded, which is what is replayed of them, and
/// at its end all again. Of several that replay the same recording the first of each recording make a set, the second
/// another, and so on, each with a moment of its own: a machine that does what another does is one machine twice. What is
/// in no set begins at moments of its own. With `start: common` all are in one set, whatever they replay, and seconds in
/// all files are by one clock; of recordings that share no time each is replayed from the same fraction of it on.
/// Where nothing is to be decided the models are those that were given.
/// @param machine the name of a workstation by its position. @param shared keeps what is made, which is the same again for
/// the same models.
Replays replayed_together(std::vector<OwnerPtr> owners, std::vector<OwnerPtr> links,
                          const std::function<std::string(std::size_t)>& machine, SharedParts& shared);

/// See coarsened().
inline constexpr double kCoarseningError = 1e-3;

/// The same owner in fewer, longer intervals, for jobs that compute for so long on each machine: mean and variance of
/// what it leaves in the long run are the same, and a job's T_99 on up to a hundred machines is off by no
/// more than kCoarseningError of it, to first order. Null where that cannot be had, or saves nothing.
OwnerPtr coarsened(const Owner& owner, double time_s);

/// A workstation's TH_i in a network with mean TH and spatial heterogeneity SH = max - mean, linear in i (HL under
/// Fig. 5): TH + 2·((i-1)/(N-1) - 0.5)·SH; here i is `index` + 1. @throws InfeasibleError where SH > TH (TH_1 would be
/// negative) or SH > 0 with one workstation; InputError where either is negative.
double spread_temporal_heterogeneity(double th, double sh, std::size_t workstations, std::size_t index);

}  // namespace nowsim

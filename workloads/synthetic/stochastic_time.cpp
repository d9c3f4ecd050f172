// Ranks whose execution times T_i are drawn from a law with prescribed mean and standard deviation (HL 4, 5.3).
#include "workloads/parts/registry.hpp"

#include <array>
#include <cmath>
#include <map>
#include <mutex>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/statistics/laws.hpp"

namespace nowsim {
namespace {

/// A law of T_i, from its mean and standard deviation.
struct TimeLaw {
  const char* name;
  DistributionPtr (*make)(double mean_s, double sd_s);
};
/// The gamma law is the one under which moving work keeps the law: with HL (9), (10) its scale does not depend on X_i.
constexpr std::array<TimeLaw, 2> kTimeLaws{{{"gamma", gamma}, {"truncated-normal", normal_above_zero}}};

struct StochasticTimeParameters {
  double work_flop;
  double sd_first_s, sd_last_s;  ///< of rank 1 and of rank N, between them linear, for a share that takes sd_at_s
  double sd_at_s;
  const TimeLaw* law;

  /// HL (9), (10): t_i = X_i/s_i, sigma_Ti in proportion to its root.
  [[nodiscard]] TimeMoments moments_of(const RankShare& rank) const {
    const double mean = rank.share_flop / rank.host.speed_flops;
    const double place = static_cast<double>(rank.index) / (rank.count - 1);
    const double sd = sd_first_s + place * (sd_last_s - sd_first_s);
    return {mean, sd * std::sqrt(mean / sd_at_s)};
  }
  [[nodiscard]] DistributionPtr law_of(const RankShare& rank) const {
    const auto [mean, sd] = moments_of(rank);
    return sd > 0 ? drawn_rarely(law->make(mean, sd)) : constant(mean);  // once per replication
  }
  void check_share(const RankShare& rank) const {
    try {
      static_cast<void>(law_of(rank));
    } catch (const InfeasibleError& e) {
      throw InfeasibleError("T_" + std::to_string(rank.index + 1) + " of workstation " + rank.host.name + " (X_i " +
                            short_number(rank.share_flop) + " flop at " + short_number(rank.host.speed_flops) +
                            " flop/s; sd_first " + short_number(sd_first_s) + " s, sd_last " + short_number(sd_last_s) +
                            " s, at " + short_number(sd_at_s) + " s): " + e.what());
    }
  }
};

class StochasticTime final : public Workload {
 public:
  /// A standard deviation goes with a rank's place between the first and the last: of two at least.
  explicit StochasticTime(const StochasticTimeParameters& p)
      : Workload({.work_flop = p.work_flop,
                  .least_ranks = 2,
                  .own_time = [p](const RankShare& rank) { return p.moments_of(rank); },
                  .check_share = [p](const RankShare& rank) { p.check_share(rank); }}),
        p_(p) {}

  /// What is drawn is the time for which the machine is busy with the share, so that is what is computed.
  Process run(Rank& self) const override {
    const RankShare rank{self.host(), self.index(), self.count(), self.share()};
    const double time = known_law_of(rank)->quantile(self.random().uniform());
    co_await self.compute(time * self.host().speed_flops);
  }

 private:
  DistributionPtr known_law_of(const RankShare& rank) const {
    const auto [mean, sd] = p_.moments_of(rank);
    const std::lock_guard lock(mutex_);
    DistributionPtr& law = laws_[{mean, sd}];
    if (!law) law = p_.law_of(rank);
    return law;
  }

  StochasticTimeParameters p_;
  mutable std::mutex mutex_;
  /// By mean and standard deviation, those that ranks have drawn from, which take long to be solved for.
  mutable std::map<std::pair<double, double>, DistributionPtr> laws_;
};

std::shared_ptr<const Workload> make_stochastic_time(KeyReader& read) {
  const double work = read.value("work"), first = read.value("sd_first"), last = read.value("sd_last");
  const double at = read_positive(read, "sd_at", ": it is the mean time at which sd_first and sd_last hold");
  const TimeLaw* law = &kTimeLaws[read.word("law")];
  return std::make_shared<StochasticTime>(StochasticTimeParameters{work, first, last, at, law});
}

}  // namespace

WorkloadInfo stochastic_time() {
  return {"stochastic-time",
          "T_i drawn: mean X_i/s_i, standard deviation from sd_first to sd_last at mean sd_at, as its root (HL 5.3)",
          {{"work", KeyType::work, kMustBeGiven, "of all ranks together"},
           {"sd_first", KeyType::time, kMustBeGiven, "standard deviation of T_1 where its mean is sd_at"},
           {"sd_last", KeyType::time, kMustBeGiven, "that of T_N; between them it is linear"},
           {"sd_at", KeyType::time, kMustBeGiven, "the mean time at which these hold", kPositive},
           {"law", KeyType::word, kTimeLaws.front().name, "of T_i", {}, words_in(kTimeLaws)}},
          make_stochastic_time};
}

}  // namespace nowsim

// Ranks whose execution times T_i are drawn from a law with prescribed mean and standard deviation (HL 4, 5.3).
#include "workloads/synthetic/stochastic_time.hpp"

#include <array>
#include <cmath>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/statistics/distribution.hpp"

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
};

class StochasticTime final : public Workload {
 public:
  explicit StochasticTime(const StochasticTimeParameters& parameters) : p_(parameters) {}
  double work_flop() const override { return p_.work_flop; }
  /// A standard deviation goes with a rank's place between the first and the last.
  int least_ranks() const override { return 2; }

  /// HL (9), (10): t_i = X_i/s_i, sigma_Ti in proportion to its root.
  std::optional<TimeMoments> own_time(const RankShare& rank) const override {
    const double mean = rank.share_flop / rank.host.speed_flops;
    const double place = static_cast<double>(rank.index) / (rank.count - 1);
    const double sd = p_.sd_first_s + place * (p_.sd_last_s - p_.sd_first_s);
    return TimeMoments{mean, sd * std::sqrt(mean / p_.sd_at_s)};
  }

  void check_share(const RankShare& rank) const override {
    try {
      static_cast<void>(law(rank));
    } catch (const InfeasibleError& e) {
      throw InfeasibleError("T_" + std::to_string(rank.index + 1) + " of workstation " + rank.host.name + ": " +
                            e.what());
    }
  }

  /// What is drawn is the time for which the machine is busy with the share, so that is what is computed.
  Process run(Rank& self) const override {
    const RankShare rank{self.host(), self.index(), self.count(), self.share()};
    const double time = law(rank)->quantile(self.random().uniform());
    co_await self.compute(time * self.host().speed_flops);
  }

 private:
  [[nodiscard]] DistributionPtr law(const RankShare& rank) const {
    const auto [mean, sd] = *own_time(rank);
    return sd > 0 ? p_.law->make(mean, sd) : constant(mean);
  }

  StochasticTimeParameters p_;
};

std::shared_ptr<const Workload> make_stochastic_time(ParameterReader& read) {
  std::vector<std::string> laws;
  for (const auto& law : kTimeLaws) laws.emplace_back(law.name);
  const double work = read.work("work"), first = read.time("sd_first"), last = read.time("sd_last");
  const double at = read.time("sd_at");
  if (!(at > 0)) throw InputError("sd_at must be more than 0: it is the mean time at which sd_first and sd_last hold");
  return std::make_shared<StochasticTime>(StochasticTimeParameters{work, first, last, at, &kTimeLaws[read.choice("law", laws, 0)]});
}

}  // namespace

WorkloadInfo stochastic_time() {
  return {"stochastic-time",
          "T_i drawn: mean X_i/s_i, standard deviation from sd_first to sd_last at mean sd_at, as its root (HL 5.3)",
          "work, sd_first, sd_last, sd_at, law", make_stochastic_time};
}

}  // namespace nowsim

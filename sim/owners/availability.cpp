// The owner models: paths of steps for dedicated machines, intervals, duty cycles, profiles and traces.
#include "sim/owners/availability.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/base/infinity.hpp"
#include "sim/base/text.hpp"
#include "sim/statistics/common_factor.hpp"

namespace nowsim {
namespace {

/// A path whose steps come from a callable.
template <class Draw>
class DrawnPath final : public Path {
 public:
  DrawnPath(double least, Draw draw) : Path(least), draw_(std::move(draw)) {}

 private:
  Step draw() override { return draw_(); }
  Draw draw_;
};

template <class Draw>
std::unique_ptr<Path> drawn_path(Draw draw, double least = kLeastAvailability) {
  return std::make_unique<DrawnPath<Draw>>(least, std::move(draw));
}

/// Where a path starts: a number in [0, 1). With owners it has a stream of its own. No model draws more from the key's
/// stream besides.
double drawn_start(StreamKey key) {
  if (key.purpose == Purpose::owner) key.purpose = Purpose::owner_offset;
  return Stream(key).uniform();
}

/// A moment that is random where paths start, as a fraction of what they wrap around.
class RandomMoment {
 public:
  RandomMoment(double correlation, bool is_random) : factor_(correlation) {
    if (correlation > 0 && !is_random)
      throw InputError("a correlation is one of random starts: paths that start at a given moment have none");
  }
  double draw(const StreamKey& key) const {
    const double own = drawn_start(key);
    if (!is_correlated()) return own;
    const Purpose purpose = key.purpose == Purpose::owner ? Purpose::common_offset : Purpose::common_bandwidth_offset;
    const double common = Stream({key.seed, key.replication, kAllWorkstations, purpose}).uniform();
    return factor_.uniform(CommonFactor::normal(common), CommonFactor::normal(own));
  }
  bool is_correlated() const { return factor_.weight() > 0; }
  /// " correlation=0.4", or "" where there is none.
  std::string text() const { return is_correlated() ? " correlation=" + number_text(factor_.weight()) : ""; }

 private:
  CommonFactor factor_;
};

class Dedicated final : public OwnerModel {
 public:
  std::unique_ptr<Path> path(const StreamKey&) const override { return constant_path(1); }
  double mean() const override { return 1; }
  double sd() const override { return 0; }
  std::optional<IntervalModel> intervals() const override { return IntervalModel{1, 0, 1, 1}; }
  bool is_dedicated() const override { return true; }
  std::string describe() const override { return "dedicated"; }
};

class Intervals final : public OwnerModel {
 public:
  Intervals(DistributionPtr value, DistributionPtr length, std::string label)
      : value_(std::move(value)), length_(std::move(length)), label_(std::move(label)) {}

  std::unique_ptr<Path> path(const StreamKey& key) const override {
    if (value_->upper() <= 0) return constant_path(0);
    return drawn_path([value = value_.get(), length = length_.get(), stream = Stream(key)]() mutable {
      const double duration = length->quantile(stream.uniform());  // length first, then value: part of the results
      return Step{duration, value->quantile(stream.uniform())};
    });
  }
  double mean() const override { return value_->mean(); }
  double sd() const override { return std::sqrt(value_->variance()); }
  std::optional<IntervalModel> intervals() const override {
    const double m = length_->mean();
    return IntervalModel{mean(), temporal_heterogeneity(), m, length_->variance() + m * m, length_->moment_limit()};
  }
  std::optional<SimpleIntervals> simple_intervals() const override {
    const auto length = length_->simple(), value = value_->simple();
    if (!length || !value || value_->upper() <= 0) return std::nullopt;
    return SimpleIntervals{*length, *value};
  }
  OwnerPtr reflected() const override {
    return std::make_shared<Intervals>(nowsim::reflected(value_), length_, label_ + " reflected");
  }
  std::string describe() const override { return label_; }

 private:
  DistributionPtr value_, length_;
  std::string label_;
};

class DutyCycle final : public OwnerModel {
 public:
  DutyCycle(double period, double busy, bool random_phase, double correlation)
      : period_(period), busy_(busy), random_(random_phase), moment_(correlation, random_phase) {}

  std::unique_ptr<Path> path(const StreamKey& key) const override {
    if (busy_ == 0 || busy_ == 1) return constant_path(1 - busy_);
    const double free = (1 - busy_) * period_;
    const double offset = random_ ? period_ * moment_.draw(key) : 0;
    // The first step is what remains of the part that the offset falls into.
    const bool starts_free = offset < free;
    const double first = starts_free ? free - offset : period_ - offset;
    return drawn_path([free, busy = period_ - free, first, is_free = !starts_free, started = false]() mutable {
      is_free = !is_free;
      const double duration = started ? (is_free ? free : busy) : first;
      started = true;
      return Step{duration, is_free ? 1.0 : 0.0};
    });
  }
  double mean() const override { return 1 - busy_; }
  double sd() const override { return std::sqrt(busy_ * (1 - busy_)); }
  std::string describe() const override {
    return "duty-cycle period=" + short_number(period_) + "s u=" + short_number(busy_) + moment_.text();
  }
  std::string identity() const override {
    return "duty-cycle period=" + number_text(period_) + " u=" + number_text(busy_) + (random_ ? " random" : " aligned") +
           moment_.text();
  }
  std::string in_common() const override { return moment_.is_correlated() ? "start" : ""; }

 private:
  double period_, busy_;
  bool random_;
  RandomMoment moment_;
};

class ProfileOwner final : public OwnerModel {
 public:
  ProfileOwner(std::shared_ptr<const Profile> profile, std::string label)
      : profile_(std::move(profile)),
        label_(std::move(label)),
        moments_(profile_moments(*profile_, ProfileQuantity::fraction, 1.0)) {}

  std::unique_ptr<Path> path(const StreamKey& key) const override {
    if (profile_->loop && moments_.mean == 0) return path_to_nothing(key);
    return profile_path(profile_, ProfileQuantity::fraction, 1.0, kLeastAvailability, key);
  }
  double mean() const override { return moments_.mean; }
  double sd() const override { return moments_.sd; }
  std::string describe() const override { return label_; }
  std::string identity() const override { return "profile " + write_profile(*profile_); }

 private:
  /// Of a loop of zeros: free until its first event, and then never again.
  std::unique_ptr<Path> path_to_nothing(const StreamKey& key) const {
    const auto first = ProfilePath(*profile_, ProfileQuantity::fraction, 1.0, key).next();
    return drawn_path([free_s = first.value > 0 ? first.duration_s : 0]() mutable {
      const double left = std::exchange(free_s, 0);
      return left > 0 ? Step{left, 1.0} : Step{kInfinity, 0.0};
    });
  }

  std::shared_ptr<const Profile> profile_;
  std::string label_;
  ProfileMoments moments_;
};

class TraceOwner final : public OwnerModel {
 public:
  TraceOwner(std::shared_ptr<const Trace> trace, TraceStart start, std::string label, double correlation)
      : trace_(std::move(trace)),
        start_(start),
        label_(std::move(label)),
        moment_(correlation, start == TraceStart::random),
        mean_(trace_->mean()),
        sd_(trace_->sd()) {}

  std::unique_ptr<Path> path(const StreamKey& key) const override {
    if (mean_ == 0) return constant_path(0);
    const Trace& t = *trace_;
    const double offset = moment(key) * t.total_s;
    const auto after = std::upper_bound(t.start_s.begin(), t.start_s.end(), offset);
    const auto index = static_cast<std::size_t>(after - t.start_s.begin()) - 1;
    const double first = t.start_s[index] + t.duration_s[index] - offset;
    return drawn_path([trace = trace_, i = index, first, started = false]() mutable {
      const std::size_t at = i;
      i = (i + 1) % trace->duration_s.size();
      const double duration = started ? trace->duration_s[at] : std::max(first, 0.0);
      started = true;
      return Step{duration, trace->availability[at]};
    });
  }
  double mean() const override { return mean_; }
  double sd() const override { return sd_; }
  std::string describe() const override { return label_ + moment_.text(); }
  std::string in_common() const override {
    return start_ == TraceStart::common || moment_.is_correlated() ? "start" : "";
  }
  std::string identity() const override {
    std::string text = "trace start=" + std::to_string(static_cast<int>(start_)) + moment_.text();
    for (std::size_t i = 0; i < trace_->duration_s.size(); ++i)
      text += " " + number_text(trace_->duration_s[i]) + ":" + number_text(trace_->availability[i]);
    return text;
  }

 private:
  /// Where in the trace a replication starts, in [0, 1).
  double moment(StreamKey key) const {
    if (start_ == TraceStart::beginning) return 0;
    if (start_ == TraceStart::random) return moment_.draw(key);
    key.workstation = kAllWorkstations;
    return drawn_start(key);
  }
  std::shared_ptr<const Trace> trace_;
  TraceStart start_;
  std::string label_;
  RandomMoment moment_;
  double mean_, sd_;
};

}  // namespace

std::unique_ptr<Path> constant_path(double value) {
  return drawn_path([value] { return Step{kInfinity, value}; });
}

OwnerPtr dedicated_owner() { return std::make_shared<Dedicated>(); }

OwnerPtr intervals_owner(DistributionPtr value, DistributionPtr length_s, std::string label) {
  return std::make_shared<Intervals>(std::move(value), std::move(length_s), std::move(label));
}

OwnerPtr duty_cycle_owner(double period_s, double busy, bool random_phase, double correlation) {
  if (!(period_s > 0) || !std::isfinite(period_s))
    throw InputError("a duty cycle's period must be a positive time, not " + short_number(period_s));
  if (!(busy >= 0 && busy <= 1))
    throw InputError("a duty cycle's busy fraction u must be in [0, 1], not " + short_number(busy));
  return std::make_shared<DutyCycle>(period_s, busy, random_phase, correlation);
}

OwnerPtr profile_owner(std::shared_ptr<const Profile> profile, std::string label) {
  return std::make_shared<ProfileOwner>(std::move(profile), std::move(label));
}

OwnerPtr trace_owner(std::shared_ptr<const Trace> trace, TraceStart start, std::string label, double correlation) {
  return std::make_shared<TraceOwner>(std::move(trace), start, std::move(label), correlation);
}

std::unique_ptr<Path> profile_path(std::shared_ptr<const Profile> profile, ProfileQuantity quantity, double initial,
                                   double least, const StreamKey& key) {
  auto steps = std::make_shared<ProfilePath>(*profile, quantity, initial, key);
  return drawn_path(
      [profile = std::move(profile), steps = std::move(steps)] {
        const auto [duration, value] = steps->next();
        return Step{duration, value};
      },
      least);
}

std::vector<double> spread_temporal_heterogeneity(double th, double sh, std::size_t workstations) {
  if (!(th >= 0) || !std::isfinite(th)) throw InputError("TH = " + short_number(th) + " must not be negative");
  if (!(sh >= 0) || !std::isfinite(sh)) throw InputError("SH = " + short_number(sh) + " must not be negative");
  if (sh > 0 && workstations < 2)
    throw InfeasibleError("SH = " + short_number(sh) + " needs at least two workstations; one has SH = 0");
  if (sh > th * (1 + 1e-12))
    throw InfeasibleError("SH = " + short_number(sh) + " is more than TH = " + short_number(th) +
                          ": the steadiest workstation's TH_1 = TH - SH would be negative");
  std::vector<double> out(workstations, th);
  if (sh == 0) return out;
  const double last = static_cast<double>(workstations) - 1;
  for (std::size_t i = 0; i < workstations; ++i)
    out[i] = std::max(0.0, th + 2 * (static_cast<double>(i) / last - 0.5) * sh);
  return out;
}

const std::vector<OwnerModelInfo>& owner_models() {
  static const std::vector<OwnerModelInfo> models{
      {"dedicated", "no owner: the whole machine, always (A = 1)", ""},
      {"intervals", "A constant on successive random intervals (HL 5.1)",
       "value, mean, TH, SH, length, interval, shape, correlation"},
      {"duty-cycle", "the owner holds the CPU for the fraction u of every period (ZY 5.1)", "period, u, phase, correlation"},
      {"jobs", "owner jobs arrive at random and share the CPU with the task, which slows them down (HL 2.1.2)",
       "u, interarrival, demand, demand_law, shape, discipline", false},
      {"profile", "a SimGrid availability profile, deterministic or STOCHASTIC", "file, folder"},
      {"trace", "a measured load series from a CSV file", "file, folder, column, measures, start, gaps, correlation"},
  };
  return models;
}

const std::vector<OwnerModelInfo>& owner_patterns() {
  static const std::vector<OwnerModelInfo> patterns{
      {"diurnal", "over any model but jobs: mean availability by hour of the day or week, on a clock that all share",
       "diurnal.hours, diurnal.weekdays, diurnal.saturday, diurnal.sunday, diurnal.start"},
  };
  return patterns;
}

}  // namespace nowsim

// Drawing parameters, and the owners that have them.
#include "sim/owners/measured_owner.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <list>
#include <mutex>
#include <utility>

#include "sim/base/text.hpp"
#include "sim/owners/begun_owner.hpp"
#include "sim/owners/coarse_intervals.hpp"
#include "sim/owners/owner_models.hpp"
#include "sim/statistics/portable.hpp"
#include "sim/statistics/random.hpp"

namespace nowsim {
namespace {

/// Student's law at u, cut on both sides.
double student(double freedom, double u) {
  constexpr double kCut = 0.0005;
  const double within = std::clamp(u, kCut, 1 - kCut);
  return within < 0.5 ? -student_quantile_above(freedom, within) : student_quantile_above(freedom, 1 - within);
}

/// A mean is not drawn below this share of the fitted one: a job would hardly end.
constexpr double kLeastShare = 1e-3;
/// Intervals that are shorter still average out, and longer ones do not end; of a greater spread laws leave next to
/// nothing for most of the time, whatever their mean.
constexpr double kMostOfInterval = 20, kMostOfTh = 3;

double factor(double error, double most) { return std::clamp(portable::exp(error), 1 / most, most); }

/// Draws that replications side by side are likely to see.
constexpr std::size_t kMostKept = 8;

class MeasuredOwner final : public OwnerModel {
 public:
  MeasuredOwner(OwnerPtr fitted, const FittedParameters& at, const FitErrors& errors, OwnerOfParameters make,
                std::string identity, bool is_reflected = false)
      : fitted_(std::move(fitted)), at_(at), errors_(errors), make_(std::move(make)), identity_(std::move(identity)),
        is_reflected_(is_reflected) {}

  std::unique_ptr<Path> path(const StreamKey& key) const override {
    return OwnedPath::of(as_drawn(key.seed, key.replication / kReplicationsPerDraw), key);
  }
  double mean() const override { return fitted_->mean(); }
  double sd() const override { return fitted_->sd(); }
  std::optional<double> expected_left_s(double seconds) const override { return fitted_->expected_left_s(seconds); }
  std::optional<IntervalModel> intervals() const override { return fitted_->intervals(); }
  bool is_measured() const override { return true; }
  std::vector<Measurement> measurements() const override { return nowsim::measurements(at_, errors_); }
  OwnerPtr as_drawn(std::uint64_t seed, const FitDraw& draw) const override {
    const std::scoped_lock lock(mutex_);
    const auto known = std::ranges::find_if(kept_, [&](const Kept& k) { return k.seed == seed && k.draw == draw; });
    if (known != kept_.end()) return known->owner;
    const OwnerPtr drawn = make_(drawn_parameters(at_, errors_, seed, draw));
    kept_.push_back({seed, draw, is_reflected_ ? drawn->reflected() : drawn});
    if (kept_.size() > kMostKept) kept_.pop_front();
    return kept_.back().owner;
  }
  OwnerPtr reflected() const override {
    const OwnerPtr other = fitted_->reflected();
    return other ? std::make_shared<const MeasuredOwner>(other, at_, errors_, make_, identity_, !is_reflected_) : nullptr;
  }
  OwnerPtr under_way(const OwnerSight& sight) const override {
    const OwnerPtr later = fitted_->under_way(sight);
    if (!later) return nullptr;
    const auto make_later = [make = make_, sight](const FittedParameters& p) { return owner_under_way(make(p), sight); };
    return std::make_shared<const MeasuredOwner>(later, at_, errors_, make_later, identity_, is_reflected_);
  }
  OwnerPtr coarsened(double time_s) const override {
    const OwnerPtr coarse = fitted_->coarsened(time_s);
    if (!coarse) return nullptr;
    const auto make_coarse = [make = make_, time_s](const FittedParameters& p) {
      const OwnerPtr drawn = make(p);  // as harmless as the fitted one's, which was found to be
      const auto model = drawn->intervals();
      const auto fewer = model ? coarse_intervals(*model, time_s) : std::nullopt;
      if (!fewer) return drawn;
      const auto simple = drawn->simple_intervals();
      return intervals_owner(fewer->value, fewer->length_s, drawn->describe() + " in fewer", {},
                             simple && simple->found_s ? OwnerStart::stationary : OwnerStart::fresh);
    };
    return std::make_shared<const MeasuredOwner>(coarse, at_, errors_, make_coarse, identity_, is_reflected_);
  }
  std::string in_common() const override { return fitted_->in_common(); }
  std::string describe() const override {
    return fitted_->describe() + ", measured: worth " + short_number(errors_.worth) + " observations";
  }
  std::string identity() const override { return fitted_->identity() + " measured with steps " + identity_; }

 private:
  /// A path keeps the owner that it is drawn from.
  class OwnedPath final : public Path {
   public:
    static std::unique_ptr<Path> of(OwnerPtr owner, const StreamKey& key) {
      auto path = owner->path(key);
      return std::make_unique<OwnedPath>(std::move(owner), std::move(path));
    }
    OwnedPath(OwnerPtr owner, std::unique_ptr<Path> path)
        : Path(kLeastAvailability), owner_(std::move(owner)), path_(std::move(path)) {}

   private:
    Step draw() override { return path_->next(); }
    OwnerPtr owner_;
    std::unique_ptr<Path> path_;
  };
  struct Kept {
    std::uint64_t seed;
    FitDraw draw;
    OwnerPtr owner;
  };

  OwnerPtr fitted_;
  FittedParameters at_;
  FitErrors errors_;
  OwnerOfParameters make_;
  std::string identity_;
  bool is_reflected_;
  mutable std::mutex mutex_;
  mutable std::list<Kept> kept_;
};

/// How far a step leads at least, on the logarithmic scales of odds, TH and a length; so that what it changes is more
/// than how the last interval happens to end. And a step is so many standard errors, at most.
constexpr double kLeastSteps[] = {0.4, 0, 0.7}, kMostErrors = 8;

/// A parameter, its standard error, that over the error on the scale on which it is drawn (the odds' logarithm), and
/// the measurement's words.
struct Measured {
  MeasuredKind kind;
  double se, scale;
  std::string words;

  [[nodiscard]] Measurement measurement(double freedom) const {
    const double least = kLeastSteps[static_cast<std::size_t>(kind)];
    return {fnv1a(words), kind, freedom, std::clamp(least / (se / scale), 1.0, kMostErrors)};
  }
};

double freedom_of(const FitErrors& errors) { return std::max(kLeastFitFreedom, errors.worth - 1); }

/// The mean's odds, TH and the interval, in this order. The measurement's words name the stream.
std::array<Measured, 3> measured_of(const FittedParameters& at, const FitErrors& errors) {
  const auto of = [&](MeasuredKind kind, const std::string& what, double se, double scale) {
    return Measured{kind, se, scale, what + " se=" + number_text(se) + " worth=" + number_text(errors.worth)};
  };
  return {
      of(MeasuredKind::mean, "mean=" + number_text(at.mean), at.mean < 1 ? errors.mean_se : 0, at.mean * (1 - at.mean)),
      of(MeasuredKind::th, "TH", errors.th_share, 1), of(MeasuredKind::interval, "interval", errors.interval_share, 1)};
}

}  // namespace

std::vector<Measurement> measurements(const FittedParameters& at, const FitErrors& errors) {
  std::vector<Measurement> out;
  for (const Measured& m : measured_of(at, errors))
    if (m.se > 0) out.push_back(m.measurement(freedom_of(errors)));
  return out;
}

FittedParameters drawn_parameters(const FittedParameters& at, const FitErrors& errors, std::uint64_t seed,
                                  const FitDraw& draw) {
  const double freedom = freedom_of(errors);
  const auto off = [&](const Measured& m) {
    if (!(m.se > 0)) return 0.0;
    double in_errors = student(freedom, Stream({seed, draw.number, fnv1a(m.words), Purpose::measured}).uniform());
    if (draw.step != 0) {
      const Measurement measurement = m.measurement(freedom);
      in_errors += draw.step * direction(measurement, draw.block) * measurement.step;
    }
    return in_errors * m.se / m.scale;
  };
  const auto [mean, th, interval] = measured_of(at, errors);
  FittedParameters out = at;
  if (mean.se > 0) {
    const double odds = at.mean / (1 - at.mean) * portable::exp(off(mean));
    out.mean = std::isinf(odds) ? 1 : std::max(kLeastShare * at.mean, odds / (1 + odds));
  }
  out.th *= factor(off(th), kMostOfTh);
  out.interval_s *= factor(off(interval), kMostOfInterval);
  return out;
}

OwnerPtr measured_owner(OwnerPtr fitted, const FittedParameters& at, const FitErrors& errors, OwnerOfParameters make,
                        std::string identity) {
  return std::make_shared<const MeasuredOwner>(std::move(fitted), at, errors, std::move(make), std::move(identity));
}

}  // namespace nowsim

// Owners on random intervals: independent ones, or with a piecewise constant normal process that is common to all beside one
// of each workstation.
#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/base/text.hpp"
#include "sim/owners/owner_models.hpp"
#include "sim/owners/sampled_moments.hpp"
#include "sim/statistics/common_factor.hpp"
#include "sim/statistics/residual_life.hpp"

namespace nowsim {
namespace {

Stream stream_of_first(const StreamKey& key) {
  return Stream({key.seed, key.replication, key.workstation, first_of(key.purpose)});
}

/// A standard normal on successive intervals: per interval a draw for its length, then one for its value.
class NormalIntervals {
 public:
  /// @param found_s what is left of the first interval, where it is under way; null where it begins.
  NormalIntervals(DistributionPtr length_s, const StreamKey& key, const ResidualLifePtr& found_s)
      : length_(std::move(length_s)), stream_(key) {
    if (!found_s) return;
    Stream first = stream_of_first(key);
    const double u = first.uniform();
    left_s_ = found_s->at(u, first.uniform());
    value_ = CommonFactor::normal(first.uniform());
  }
  /// What is left of the interval [s]; above 0.
  double left_s() {
    while (!(left_s_ > 0)) {
      left_s_ = length_->quantile(stream_.uniform());
      value_ = CommonFactor::normal(stream_.uniform());
    }
    return left_s_;
  }
  [[nodiscard]] double value() const { return value_; }
  void pass(double seconds) { left_s_ -= seconds; }

 private:
  DistributionPtr length_;
  Stream stream_;
  double left_s_ = 0, value_ = 0;
};

std::unique_ptr<Path> correlated_path(const RenewalOwner& owner, const StreamKey& key) {
  const Purpose purpose = key.purpose == Purpose::owner ? Purpose::common_factor : Purpose::common_bandwidth;
  const StreamKey of_all{key.seed, key.replication, kAllWorkstations, purpose};
  return drawn_path([value = owner.value, factor = owner.factor,
                     common = NormalIntervals(owner.length_s, of_all, owner.found_s),
                     own = NormalIntervals(owner.length_s, key, owner.found_s)]() mutable {
    const bool has_own = factor.weight() < 1;
    const double common_s = common.left_s();
    const double duration = has_own ? std::min(common_s, own.left_s()) : common_s;
    const double level = value->quantile(factor.uniform(common.value(), own.value()));
    common.pass(duration);
    if (has_own) own.pass(duration);
    return Step{duration, level};
  });
}

}  // namespace

Step RenewalDraws::found(Stream stream, const InverseTransform& law) const {
  const double u = stream.uniform(), left_s = found_s->at(u, stream.uniform());
  return {left_s, law.quantile(stream.uniform())};
}

std::unique_ptr<Path> RenewalOwner::path(const StreamKey& key) const {
  if (value->upper() <= 0) return constant_path(0);
  std::unique_ptr<Path> path;
  if (has_factor()) {
    path = correlated_path(*this, key);
  } else {
    path = drawn_path([value = value, length = length_s, stream = Stream(key)]() mutable {
      const double duration = length->quantile(stream.uniform());  // length first, then value: part of the results
      return Step{duration, value->quantile(stream.uniform())};
    });
    if (found_s)
      path = path_behind(draws().found(stream_of_first(key), value->transform()), std::move(path));
  }
  if (!seen) return path;
  Stream stream({key.seed, key.replication, key.workstation, Purpose::seen});
  const double u = stream.uniform();
  const Step first{seen->excess_s->at(u, stream.uniform()), seen->availability};
  return path_behind(first, has_factor() ? later_path(std::move(path), first.duration_s) : std::move(path));
}

LaneForm RenewalOwner::lane_form(const StreamKey&) const {
  if (value->upper() <= 0 || has_factor() || seen) return ByPath{};
  return draws();
}

RenewalDraws RenewalOwner::draws() const { return {length_s->transform(), value->transform(), std::nullopt, found_s}; }

std::optional<IntervalModel> RenewalOwner::renewal() const {
  if (has_factor() || seen) return std::nullopt;
  const auto [mean, sd, are_exact] = moments();
  const double m = length_s->mean();
  return IntervalModel{mean, mean > 0 ? sd / mean : 0, m, length_s->variance() + m * m, length_s->moment_limit()};
}

Dependence RenewalOwner::dependence() const {
  if (!has_factor()) return {};
  return {Dependence::Kind::intervals, {length_s->mean(), length_s->variance(), length_s->upper()}};
}

std::optional<RenewalOwner> RenewalOwner::under_way(const OwnerSight& sight) const {
  if (seen || !sight.availability || value->upper() <= 0) return std::nullopt;
  RenewalOwner later = *this;
  later.seen = Seen{residual_life(*length_s), *sight.availability};
  if (!has_factor()) later.found_s = nullptr;
  return later;
}

std::optional<double> RenewalOwner::expected_left_s(double seconds) const {
  if (!seen) return std::nullopt;
  return sampled_left_s([this](const StreamKey& key) { return path(key); }, seconds);
}

std::string RenewalOwner::seen_text() const { return seen ? ", at first " + number_text(seen->availability) : ""; }

OwnerPtr intervals_owner(DistributionPtr value, DistributionPtr length_s, std::string label, std::string identity,
                         OwnerStart start) {
  return correlated_owner(std::move(value), std::move(length_s), 0, std::move(label), std::move(identity), start);
}

OwnerPtr correlated_owner(DistributionPtr value, DistributionPtr length_s, double weight, std::string label,
                          std::string identity, OwnerStart start) {
  const CommonFactor factor(weight);
  if (identity.empty()) identity = label;
  auto found_s = start == OwnerStart::stationary ? residual_life(*length_s) : nullptr;
  return std::make_shared<const Owner>(Owner{RenewalOwner{
      {}, std::move(value), std::move(length_s), factor, std::move(label), std::move(identity), std::move(found_s)}});
}

}  // namespace nowsim

// Two piecewise constant normal processes per workstation, one of them common to all.
#include "sim/owners/correlated_owner.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sim/base/text.hpp"
#include "sim/owners/begun_owner.hpp"
#include "sim/owners/owner_models.hpp"
#include "sim/statistics/laws.hpp"

namespace nowsim {
namespace {

/// A standard normal on successive intervals: per interval a draw for its length, then one for its value.
class NormalIntervals {
 public:
  /// @param found_s what is left of the first interval, where it is under way; null where it begins.
  NormalIntervals(const Distribution& length_s, const StreamKey& key, const ResidualLife* found_s)
      : length_(&length_s), stream_(key) {
    if (found_s == nullptr) return;
    Stream first({key.seed, key.replication, key.workstation, first_of(key.purpose)});
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
  const Distribution* length_;
  Stream stream_;
  double left_s_ = 0, value_ = 0;
};

class CorrelatedPath final : public Path {
 public:
  CorrelatedPath(const Distribution& value, const CommonFactor& factor, NormalIntervals common, NormalIntervals own)
      : Path(kLeastAvailability), value_(&value), factor_(factor), common_(common), own_(own) {}

 private:
  Step draw() override {
    const bool has_own = factor_.weight() < 1;
    const double common_s = common_.left_s();
    const double duration = has_own ? std::min(common_s, own_.left_s()) : common_s;
    const double value = value_->quantile(factor_.uniform(common_.value(), own_.value()));
    common_.pass(duration);
    if (has_own) own_.pass(duration);
    return {duration, value};
  }
  const Distribution* value_;
  CommonFactor factor_;
  NormalIntervals common_, own_;
};

class CorrelatedOwner final : public OwnerModel {
 public:
  CorrelatedOwner(DistributionPtr value, DistributionPtr length, const CommonFactor& factor, std::string label,
                  std::string identity, ResidualLifePtr found_s)
      : value_(std::move(value)), length_(std::move(length)), factor_(factor), label_(std::move(label)),
        identity_(std::move(identity)), found_s_(std::move(found_s)) {}

  std::unique_ptr<Path> path(const StreamKey& key) const override {
    if (value_->upper() <= 0) return constant_path(0);
    const Purpose purpose = key.purpose == Purpose::owner ? Purpose::common_factor : Purpose::common_bandwidth;
    const StreamKey common{key.seed, key.replication, kAllWorkstations, purpose};
    return std::make_unique<CorrelatedPath>(*value_, factor_, NormalIntervals(*length_, common, found_s_.get()),
                                            NormalIntervals(*length_, key, found_s_.get()));
  }
  double mean() const override { return value_->mean(); }
  double sd() const override { return std::sqrt(value_->variance()); }
  /// With both normals mirrored, which leaves their joint law over all workstations what it is.
  OwnerPtr reflected() const override {
    return std::make_shared<CorrelatedOwner>(nowsim::reflected(value_), length_, factor_, label_ + " reflected",
                                             identity_ + " reflected", found_s_);
  }
  OwnerPtr under_way(const OwnerSight& sight) const override {
    if (!sight.availability || value_->upper() <= 0) return nullptr;
    return interval_under_way(std::make_shared<CorrelatedOwner>(*this), length_, *sight.availability, true);
  }
  std::string in_common() const override {
    return "intervals of mean " + number_text(length_->mean()) + " variance " + number_text(length_->variance()) +
           " up to " + number_text(length_->upper());
  }
  std::string describe() const override { return label_; }
  std::string identity() const override { return identity_; }

 private:
  DistributionPtr value_, length_;
  CommonFactor factor_;
  std::string label_, identity_;
  ResidualLifePtr found_s_;
};

}  // namespace

OwnerPtr correlated_owner(DistributionPtr value, DistributionPtr length_s, double weight, std::string label,
                          std::string identity, OwnerStart start) {
  const CommonFactor factor(weight);
  if (weight == 0)
    return intervals_owner(std::move(value), std::move(length_s), std::move(label), std::move(identity), start);
  if (identity.empty()) identity = label;
  auto found_s = start == OwnerStart::stationary ? residual_life(*length_s) : nullptr;
  return std::make_shared<const CorrelatedOwner>(std::move(value), std::move(length_s), factor, std::move(label),
                                                 std::move(identity), std::move(found_s));
}

}  // namespace nowsim

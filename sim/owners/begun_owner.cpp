// First steps, and then the owner's own path.
#include "sim/owners/begun_owner.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/base/text.hpp"
#include "sim/owners/sampled_moments.hpp"
#include "sim/statistics/laws.hpp"

namespace nowsim {
namespace {

class LaterPath final : public Path {
 public:
  LaterPath(std::unique_ptr<Path> path, double seconds)
      : Path(kLeastAvailability), path_(std::move(path)), skip_s_(seconds) {}

 private:
  Step draw() override {
    Step step = path_->next();
    while (step.duration_s <= skip_s_) {
      skip_s_ -= step.duration_s;
      step = path_->next();
    }
    step.duration_s -= std::exchange(skip_s_, 0.0);
    return step;
  }
  std::unique_ptr<Path> path_;
  double skip_s_;
};

class BegunOwner final : public OwnerModel {
 public:
  BegunOwner(OwnerPtr owner, Beginning beginning, std::string text)
      : owner_(std::move(owner)), beginning_(std::move(beginning)), text_(std::move(text)) {}

  std::unique_ptr<Path> path(const StreamKey& key) const override { return beginning_(*owner_, key); }
  double mean() const override { return owner_->mean(); }
  double sd() const override { return owner_->sd(); }
  std::optional<double> expected_left_s(double seconds) const override { return sampled_left_s(*this, seconds); }
  bool has_exact_moments() const override { return owner_->has_exact_moments(); }
  /// What is seen is as it is; what comes is mirrored.
  OwnerPtr reflected() const override {
    const OwnerPtr other = owner_->reflected();
    return other ? begun_owner(other, beginning_, text_) : nullptr;
  }
  OwnerPtr as_drawn(std::uint64_t seed, const FitDraw& draw) const override {
    const OwnerPtr drawn = owner_->as_drawn(seed, draw);
    return drawn ? begun_owner(drawn, beginning_, text_) : nullptr;
  }
  bool is_measured() const override { return owner_->is_measured(); }
  std::vector<Measurement> measurements() const override { return owner_->measurements(); }
  OwnerPtr coarsened(double time_s) const override {
    const OwnerPtr coarse = owner_->coarsened(time_s);
    return coarse ? begun_owner(coarse, beginning_, text_) : nullptr;
  }
  std::string in_common() const override { return owner_->in_common(); }
  double replayed_after_s() const override { return owner_->replayed_after_s(); }
  bool begins_at_random() const override { return owner_->begins_at_random(); }
  std::string describe() const override { return owner_->describe() + text_; }
  std::string identity() const override { return owner_->identity() + text_; }

 private:
  OwnerPtr owner_;
  Beginning beginning_;
  std::string text_;
};

}  // namespace

std::unique_ptr<Path> later_path(std::unique_ptr<Path> path, double seconds) {
  return std::make_unique<LaterPath>(std::move(path), seconds);
}

std::unique_ptr<Path> path_behind(Step first, std::unique_ptr<Path> path) {
  return drawn_path([first, path = std::move(path), has_begun = false]() mutable {
    return std::exchange(has_begun, true) ? path->next() : first;
  });
}

OwnerPtr begun_owner(OwnerPtr owner, Beginning beginning, std::string text) {
  return std::make_shared<const BegunOwner>(std::move(owner), std::move(beginning), std::move(text));
}

OwnerPtr interval_under_way(OwnerPtr owner, const DistributionPtr& length_s, double availability,
                            bool has_common_clock) {
  const ResidualLifePtr excess = residual_life(*length_s);
  const auto beginning = [excess, availability, has_common_clock](const OwnerModel& of, const StreamKey& key) {
    Stream stream({key.seed, key.replication, key.workstation, Purpose::seen});
    const double u = stream.uniform();
    const Step first{excess->at(u, stream.uniform()), availability};
    auto path = of.path(key);
    return path_behind(first, has_common_clock ? later_path(std::move(path), first.duration_s) : std::move(path));
  };
  return begun_owner(std::move(owner), beginning, ", at first " + number_text(availability));
}

OwnerPtr later_owner(OwnerPtr owner, double seconds) {
  const auto beginning = [seconds](const OwnerModel& of, const StreamKey& key) {
    return later_path(of.path(key), seconds);
  };
  return begun_owner(std::move(owner), beginning, ", " + number_text(seconds) + "s later");
}

OwnerPtr owner_under_way(const OwnerPtr& owner, const OwnerSight& sight) {
  const OwnerPtr later = owner->under_way(sight);
  return later ? later : owner;
}

}  // namespace nowsim

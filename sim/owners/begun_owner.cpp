// First steps, and then the owner's own path.
#include "sim/owners/begun_owner.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/base/text.hpp"

namespace nowsim {
namespace {

constexpr std::size_t kCells = 4096;

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

std::unique_ptr<Path> path_behind(Step first, std::unique_ptr<Path> path) {
  return drawn_path([first, path = std::move(path), has_begun = false]() mutable {
    return std::exchange(has_begun, true) ? path->next() : first;
  });
}

class BegunOwner final : public OwnerModel {
 public:
  BegunOwner(OwnerPtr owner, Beginning beginning, std::string text)
      : owner_(std::move(owner)), beginning_(std::move(beginning)), text_(std::move(text)) {}

  std::unique_ptr<Path> path(const StreamKey& key) const override { return beginning_(*owner_, key); }
  double mean() const override { return owner_->mean(); }
  double sd() const override { return owner_->sd(); }
  bool has_exact_moments() const override { return owner_->has_exact_moments(); }
  /// What is seen is as it is; what comes is mirrored.
  OwnerPtr reflected() const override {
    const OwnerPtr other = owner_->reflected();
    return other ? begun_owner(other, beginning_, text_) : nullptr;
  }
  OwnerPtr as_drawn(std::uint64_t seed, std::uint64_t draw) const override {
    const OwnerPtr drawn = owner_->as_drawn(seed, draw);
    return drawn ? begun_owner(drawn, beginning_, text_) : nullptr;
  }
  bool is_measured() const override { return owner_->is_measured(); }
  OwnerPtr coarsened(double time_s) const override {
    const OwnerPtr coarse = owner_->coarsened(time_s);
    return coarse ? begun_owner(coarse, beginning_, text_) : nullptr;
  }
  std::string in_common() const override { return owner_->in_common(); }
  double replayed_after_s() const override { return owner_->replayed_after_s(); }
  std::string describe() const override { return owner_->describe() + text_; }
  std::string identity() const override { return owner_->identity() + text_; }

 private:
  OwnerPtr owner_;
  Beginning beginning_;
  std::string text_;
};

}  // namespace

ExcessOfInterval::ExcessOfInterval(DistributionPtr length_s) : length_s_(std::move(length_s)) {
  double sum_s = 0;
  for (std::size_t k = 0; k < kCells; ++k) {
    const double cell_s = length_s_->quantile((static_cast<double>(k) + 0.5) / kCells) / kCells;
    sum_s = k + 1 < kCells ? sum_s + cell_s : std::max(sum_s + cell_s, length_s_->mean());
    until_.push_back(sum_s);
  }
  for (double& until : until_) until /= sum_s;
}

double ExcessOfInterval::at(double u, double part) const {
  const auto cell = std::min<std::size_t>(kCells - 1, static_cast<std::size_t>(std::ranges::upper_bound(until_, u) - until_.begin()));
  const double low = cell == 0 ? 0 : until_[cell - 1], width = until_[cell] - low;
  const double within = width > 0 ? std::clamp((u - low) / width, 0.0, std::nextafter(1.0, 0.0)) : 0.5;
  return part * length_s_->quantile((static_cast<double>(cell) + within) / kCells);
}

std::unique_ptr<Path> later_path(std::unique_ptr<Path> path, double seconds) {
  return std::make_unique<LaterPath>(std::move(path), seconds);
}

OwnerPtr begun_owner(OwnerPtr owner, Beginning beginning, std::string text) {
  return std::make_shared<const BegunOwner>(std::move(owner), std::move(beginning), std::move(text));
}

OwnerPtr interval_under_way(OwnerPtr owner, const DistributionPtr& length_s, double availability,
                            bool has_common_clock) {
  const auto excess = std::make_shared<const ExcessOfInterval>(length_s);
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

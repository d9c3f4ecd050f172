// The owner model `profile`: a SimGrid availability profile, deterministic or STOCHASTIC.
#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/base/infinity.hpp"
#include "sim/owners/begun_owner.hpp"
#include "sim/owners/owner_models.hpp"
#include "sim/owners/profile_path.hpp"
#include "sim/owners/sampled_moments.hpp"

namespace nowsim {
namespace {

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
  OwnerPtr under_way(const OwnerSight& sight) const override {
    return sight.elapsed_s > 0 ? later_owner(std::make_shared<ProfileOwner>(*this), sight.elapsed_s) : nullptr;
  }
  /// Of a stochastic profile that loops nobody knows how far it is.
  std::optional<double> expected_left_s(double seconds) const override {
    if (profile_->stochastic && profile_->loop) return std::nullopt;
    const double round_s = replayed_after_s();
    const double replayed_s = std::isfinite(round_s) ? std::max(0.0, std::floor(seconds / round_s) - 1) * round_s : 0;
    return replayed_s * moments_.mean + sampled_left_s(*this, seconds - replayed_s, std::isfinite(round_s));
  }
  double mean() const override { return moments_.mean; }
  double sd() const override { return moments_.sd; }
  double replayed_after_s() const override { return nowsim::replayed_after_s(*profile_); }
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

OwnerPtr make_profile(KeyReader& read, const OwnerContext& context) {
  const std::string file = read_file_of_host(read, context.host);
  if (file.empty()) return dedicated_owner();
  const auto profile = context.shared.get<Profile>(
      file, [&] { return std::make_shared<const Profile>(read_profile(file, ProfileQuantity::fraction)); });
  return profile_owner(profile, "profile " + file);
}

}  // namespace

OwnerPtr profile_owner(std::shared_ptr<const Profile> profile, std::string label) {
  return std::make_shared<ProfileOwner>(std::move(profile), std::move(label));
}

std::unique_ptr<Path> profile_path(std::shared_ptr<const Profile> profile, ProfileQuantity quantity, double initial,
                                   double least, const StreamKey& key) {
  auto steps = std::make_shared<ProfilePath>(*profile, quantity, initial, key);
  return drawn_path([profile = std::move(profile), steps = std::move(steps)] { return steps->next(); }, least);
}

OwnerModelInfo profile_model() {
  return {"profile", "a SimGrid availability profile, deterministic or STOCHASTIC",
          {file_key("the profile"), folder_key()}, make_profile};
}

}  // namespace nowsim

// Paths made of a value or of other paths; moments as ratios, with their errors (Cochran, Sampling Techniques, 3rd ed.
// 1977, (6.4)).
#include "sim/owners/path.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"

namespace nowsim {

std::unique_ptr<Path> constant_path(double value) {
  return drawn_path([value] { return Step{kInfinity, value}; });
}

struct RememberedPaths::Kept {
  StreamKey key;
  Make make;
  std::unique_ptr<Path> drawn;  ///< behind the steps that are kept
  std::vector<Step> steps;
  std::shared_ptr<std::size_t> room;
};

class RememberedPaths::Follower final : public Path {
 public:
  explicit Follower(std::shared_ptr<Kept> kept) : Path(0), kept_(std::move(kept)) {}

 private:
  Step draw() override {
    if (own_) return own_->next();
    if (at_ < kept_->steps.size()) return kept_->steps[at_++];
    if (*kept_->room == 0) {
      own_ = kept_->make(kept_->key);
      for (std::size_t k = 0; k < at_; ++k) own_->next();
      return own_->next();
    }
    --*kept_->room;
    ++at_;
    return kept_->steps.emplace_back(kept_->drawn->next());
  }
  std::shared_ptr<Kept> kept_;
  std::size_t at_ = 0;
  std::unique_ptr<Path> own_;  ///< where there is no room
};

std::unique_ptr<Path> RememberedPaths::path(const StreamKey& key) {
  for (const auto& known : kept_)
    if (known->key == key) return std::make_unique<Follower>(known);
  constexpr std::size_t kOfPath = 64;  // steps whose room a path takes before it has any
  if (*room_ < kOfPath) return make_(key);
  *room_ -= kOfPath;
  kept_.push_back(std::make_shared<Kept>(Kept{key, make_, make_(key), {}, room_}));
  return std::make_unique<Follower>(kept_.back());
}

std::unique_ptr<Path> later_path(std::unique_ptr<Path> path, double seconds) {
  return drawn_path([path = std::move(path), skip_s = seconds]() mutable {
    Step step = path->next();
    for (; step.duration_s <= skip_s; step = path->next()) skip_s -= step.duration_s;
    step.duration_s -= std::exchange(skip_s, 0.0);
    return step;
  });
}

std::unique_ptr<Path> path_behind(Step first, std::unique_ptr<Path> path) {
  return drawn_path([first, path = std::move(path), has_begun = false]() mutable {
    return std::exchange(has_begun, true) ? path->next() : first;
  });
}

double drawn_start(StreamKey key) {
  if (key.purpose == Purpose::owner) key.purpose = Purpose::owner_offset;
  return Stream(key).uniform();
}

double drawn_start_of_set(const StreamKey& key, std::uint64_t set) {
  return Stream({key.seed, key.replication, kAllWorkstations - set, Purpose::owner_offset}).uniform();
}

const std::vector<std::string>& trace_start_names() {
  static const std::vector<std::string> names{"random", "independent", "common", "beginning"};
  return names;
}

RandomMoment::RandomMoment(double correlation, bool is_random) : factor_(correlation) {
  if (correlation > 0 && !is_random)
    throw InputError("a correlation is one of random starts: paths that start at a given moment have none");
}

double RandomMoment::draw(const StreamKey& key) const {
  const double own = drawn_start(key);
  if (!is_correlated()) return own;
  const Purpose purpose = key.purpose == Purpose::owner ? Purpose::common_offset : Purpose::common_bandwidth_offset;
  const double common = Stream({key.seed, key.replication, kAllWorkstations, purpose}).uniform();
  return factor_.uniform(CommonFactor::normal(common), CommonFactor::normal(own));
}

std::string RandomMoment::text() const {
  return is_correlated() ? " correlation=" + number_text(factor_.weight()) : "";
}

namespace {

/// What a path adds up to: its time, and the time's integrals of the availability and its square.
struct PathSums {
  double time_s = 0, first = 0, second = 0;
};

/// Of a path that ends the value that it keeps.
PathSums sums_of(Path& path, int steps) {
  PathSums sums;
  for (int k = 0; k < steps; ++k) {
    const auto [duration_s, value] = path.next();
    if (duration_s == kInfinity) return {kInfinity, value, value * value};
    sums.time_s += duration_s;
    sums.first += duration_s * value;
    sums.second += duration_s * value * value;
  }
  return sums;
}

}  // namespace

SampledMoments sampled_moments(const std::function<std::unique_ptr<Path>(std::uint64_t replication)>& path, int paths,
                               int steps) {
  std::vector<PathSums> found;
  for (int k = 0; k < paths; ++k) found.push_back(sums_of(*path(static_cast<std::uint64_t>(k)), steps));
  if (std::ranges::any_of(found, [](const PathSums& sums) { return std::isinf(sums.time_s); }))
    for (auto& [time_s, first, second] : found) {
      const double by = std::isinf(time_s) ? 1 : time_s;
      time_s = 1, first /= by, second /= by;
    }
  PathSums all;
  for (const auto& [time_s, first, second] : found) all = {all.time_s + time_s, all.first + first, all.second + second};
  const double mean = all.first / all.time_s, square = all.second / all.time_s;
  double of_mean = 0, of_variance = 0;  // sums of squared residuals; of the variance those of square - 2·mean·first
  for (const auto& [time_s, first, second] : found) {
    const double apart = first - mean * time_s;
    of_mean += apart * apart;
    of_variance += std::pow(second - square * time_s - 2 * mean * apart, 2);
  }
  const double scale = std::sqrt(paths / (paths - 1.0)) / all.time_s;
  const double sd = std::sqrt(std::max(0.0, square - mean * mean));
  return {mean, sd, scale * std::sqrt(of_mean), sd > 0 ? scale * std::sqrt(of_variance) / (2 * sd) : 0};
}

double sampled_left_s(const std::function<std::unique_ptr<Path>(const StreamKey&)>& path, double seconds, bool is_one) {
  constexpr std::uint64_t kSteps = 400'000, kFewest = 16, kMost = 400;
  const auto left_of = [&](std::uint64_t k) { return integral_of(*path({0, k, 0, Purpose::owner}), seconds); };
  auto [sum_s, steps] = left_of(0);
  if (is_one) return sum_s;
  const std::uint64_t paths = std::clamp(kSteps / std::max<std::uint64_t>(1, steps), kFewest, kMost);
  for (std::uint64_t k = 1; k < paths; ++k) sum_s += left_of(k).sum_s;
  return sum_s / static_cast<double>(paths);
}

}  // namespace nowsim

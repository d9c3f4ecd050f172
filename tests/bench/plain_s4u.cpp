// The program one writes first for HL's base task: a host and an actor per workstation and replication, in one engine.
// A peer for the benchmark, not a part of nowsim.
// usage: plain_s4u [replications] [--cfg=SimGrid's settings]
#include <simgrid/kernel/ProfileBuilder.hpp>
#include <simgrid/s4u.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <deque>
#include <random>
#include <string>
#include <vector>

namespace s4u = simgrid::s4u;
using simgrid::kernel::profile::DatedValue;
using simgrid::kernel::profile::ProfileBuilder;

namespace {

constexpr int kWorkstations = 8;
constexpr double kWork = 100, kMean = 0.5, kTh = 0.28, kInterval = 10;

/// A workstation's availability: uniform values on intervals of uniform length, drawn when SimGrid asks for the next one.
class Owner {
 public:
  explicit Owner(std::uint64_t seed) : generator_(seed) {}
  void next(std::vector<DatedValue>& events) {
    events.emplace_back(length_, value_(generator_));
    length_ = duration_(generator_);
    ++drawn_;
  }
  /// SimGrid asks for an interval when the one before it begins.
  [[nodiscard]] long begun() const { return drawn_ - 1; }

 private:
  std::mt19937_64 generator_;
  std::uniform_real_distribution<> value_{kMean * (1 - kTh * std::sqrt(3.0)), kMean * (1 + kTh * std::sqrt(3.0))};
  std::uniform_real_distribution<> duration_{0, 2 * kInterval};
  double length_ = 0;  // from the interval drawn last to the next one; the first begins at 0
  long drawn_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const std::clock_t begin = std::clock();  // processor time
  s4u::Engine engine(&argc, argv);
  const int replications = argc > 1 ? std::atoi(argv[1]) : 1000;
  if (replications < 2) return 2;
  std::deque<Owner> owners;
  std::vector<double> makespan(static_cast<std::size_t>(replications), 0.0);
  long intervals = 0;
  auto* zone = s4u::create_empty_zone("now");
  for (int r = 0; r < replications; ++r) {
    for (int i = 0; i < kWorkstations; ++i) {
      const std::string name = "ws" + std::to_string(i) + "-" + std::to_string(r);
      Owner& owner = owners.emplace_back(owners.size());
      auto* profile = ProfileBuilder::from_callback(name, [&owner](auto& events) { owner.next(events); }, -1);
      auto* host = zone->create_host(name, 1.0)->set_speed_profile(profile)->seal();
      s4u::Actor::create(name, host, [&longest = makespan[static_cast<std::size_t>(r)], &owner, &intervals] {
        s4u::this_actor::execute(kWork);
        longest = std::max(longest, s4u::Engine::get_clock());
        intervals += owner.begun();
      });
    }
  }
  zone->seal();
  engine.run();
  double sum = 0, squares = 0;
  for (double t : makespan) sum += t;
  const double tau = sum / replications;
  for (double t : makespan) squares += (t - tau) * (t - tau);
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  std::printf("replications %d tau %.6g sigma_T %.6g intervals %ld seconds %.6f ns_per_interval %.4g\n",
              replications, tau, std::sqrt(squares / (replications - 1)), intervals, seconds,
              1e9 * seconds / static_cast<double>(intervals));
}

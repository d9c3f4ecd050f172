// The program one writes first for HL's base task: a host and an actor per workstation and replication, in one engine.
// A peer for the benchmark, not a part of nowsim.
// usage: plain_s4u [replications]
#include <simgrid/kernel/ProfileBuilder.hpp>
#include <simgrid/s4u.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

namespace s4u = simgrid::s4u;
using simgrid::kernel::profile::DatedValue;
using simgrid::kernel::profile::ProfileBuilder;

namespace {

constexpr int kWorkstations = 8;
constexpr double kWork = 100, kMean = 0.5, kTh = 0.28, kInterval = 10;

/// Availability: uniform values on intervals of uniform length, drawn when SimGrid asks for the next event.
class Availability {
 public:
  explicit Availability(std::uint64_t seed) : generator_(seed) {}
  void operator()(std::vector<DatedValue>& events) {
    const double half = kMean * kTh * std::sqrt(3.0);
    const double value = std::uniform_real_distribution<>(kMean - half, kMean + half)(generator_);
    events.emplace_back(events.empty() ? 0 : length_, value);
    length_ = std::uniform_real_distribution<>(0, 2 * kInterval)(generator_);
  }

 private:
  std::mt19937_64 generator_;
  double length_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const int replications = argc > 1 ? std::atoi(argv[1]) : 1000;
  int count = 1;
  s4u::Engine engine(&count, argv);
  s4u::Engine::set_config("contexts/stack-size:64");
  auto* zone = s4u::create_empty_zone("now");
  std::vector<double> makespan(static_cast<std::size_t>(replications), 0.0);
  for (int r = 0; r < replications; ++r) {
    for (int i = 0; i < kWorkstations; ++i) {
      const std::string name = "r" + std::to_string(r) + "ws" + std::to_string(i);
      auto* profile = ProfileBuilder::from_callback(name, Availability(static_cast<std::uint64_t>(r) * 1000 + static_cast<std::uint64_t>(i)), -1);
      auto* host = zone->create_host(name, 1.0)->set_speed_profile(profile)->seal();
      s4u::Actor::create(name, host, [&makespan, r] {
        s4u::this_actor::execute(kWork);
        auto& longest = makespan[static_cast<std::size_t>(r)];
        longest = std::max(longest, s4u::Engine::get_clock());
      });
    }
  }
  zone->seal();
  engine.run();
  double sum = 0, squares = 0;
  for (double t : makespan) {
    sum += t;
    squares += t * t;
  }
  const double tau = sum / replications;
  std::printf("tau %.3f sigma_T %.3f\n", tau, std::sqrt((squares - sum * tau) / (replications - 1)));
}

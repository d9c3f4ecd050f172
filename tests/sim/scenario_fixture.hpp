// Small scenarios for tests: machines, owners and a program given as a coroutine lambda, run on the SimGrid engine.
#pragma once

#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/engines/batch_record.hpp"
#include "sim/engines/simgrid/engine.hpp"
#include "sim/owners/owner_models.hpp"
#include "sim/platform/generate_platform.hpp"
#include "sim/platform/read_platform.hpp"
#include "sim/program/scenario.hpp"

namespace nowsim::test {

using Program = std::function<Process(Rank&)>;

/// A workload made of a lambda.
class LambdaWorkload final : public Workload {
 public:
  explicit LambdaWorkload(Program program, double work = 0)
      : LambdaWorkload(std::move(program), ProgramDescription{.work_flop = work}) {}
  LambdaWorkload(Program program, ProgramDescription description)
      : Workload(std::move(description)), program_(std::move(program)) {}
  Process run(Rank& self) const override { return program_(self); }

 private:
  Program program_;
};

/// Machines of these speeds [flop/s].
inline std::shared_ptr<const Platform> machines(const std::vector<double>& speeds_flops, NetworkKind network,
                                                double bandwidth_Bps = 1000, double latency_s = 1e-3, int cores = 1) {
  GeneratedPlatform d;
  for (std::size_t i = 0; i < speeds_flops.size(); ++i) d.names.push_back("ws" + std::to_string(i + 1));
  d.speed_flops = speeds_flops;
  d.cores = cores;
  d.network = network;
  d.bandwidth_Bps = bandwidth_Bps;
  d.latency_s = latency_s;
  return std::make_shared<const Platform>(generate_platform(d));
}
/// So that machines({5}, network) is one machine of 5 flop/s rather than five of 1.
inline std::shared_ptr<const Platform> machines(std::initializer_list<double> speeds_flops, NetworkKind network) {
  return machines(std::vector<double>(speeds_flops), network);
}

/// n machines of one speed on a network of 1000 B/s and 1 ms.
inline std::shared_ptr<const Platform> machines(std::size_t n, NetworkKind network = NetworkKind::network_switch,
                                                double speed_flops = 1) {
  return machines(std::vector<double>(n, speed_flops), network);
}

/// The same machines, some of which go off and on, by profiles in SimGrid's grammar.
inline std::shared_ptr<const Platform> with_states(Platform platform,
                                                   const std::map<std::size_t, std::string>& states) {
  for (const auto& [i, text] : states)
    platform.workstations.at(i).extras.edit().state_profile =
        std::make_shared<const Profile>(parse_profile(text, "test", ProfileQuantity::state));
  return std::make_shared<const Platform>(std::move(platform));
}

/// All machines with the same owner; shares all 0 until set.
inline Scenario scenario(std::shared_ptr<const Platform> platform, Program program,
                         OwnerPtr owner = dedicated_owner()) {
  Scenario s;
  s.platform = std::move(platform);
  s.owners.assign(s.size(), std::move(owner));
  s.workload = std::make_shared<const LambdaWorkload>(std::move(program));
  s.share_flop.assign(s.size(), 0.0);
  return s;
}

/// A job that is over as soon as rank 0 is.
inline Scenario ending_with_first(std::shared_ptr<const Platform> platform, Program program,
                                  OwnerPtr owner = dedicated_owner()) {
  Scenario s = scenario(std::move(platform), {}, std::move(owner));
  s.workload =
      std::make_shared<const LambdaWorkload>(std::move(program), ProgramDescription{.ends_with_first_rank = true});
  return s;
}

/// Every rank computes its share.
inline Process compute_share(Rank& self) { co_await self.compute(self.share()); }
/// A program of which that is all.
inline std::shared_ptr<const Workload> sharing(ProgramDescription description) {
  return std::make_shared<const LambdaWorkload>(compute_share, std::move(description));
}

inline Scenario computing(std::shared_ptr<const Platform> platform, double share_flop, OwnerPtr owner) {
  Scenario s = scenario(std::move(platform), compute_share, std::move(owner));
  s.share_flop.assign(s.size(), share_flop);
  return s;
}

/// The results of the SimGrid engine; where the direct engine can run the scenario, it has to give the same within 1e-9,
/// and to fail where that fails.
std::vector<RunResult> run(const Scenario& s, std::uint64_t replications = 1, std::uint64_t first = 0);

/// What an engine might record; nothing in the other columns.
RunResult made_up_run(std::uint64_t replication, double makespan_s,
                      std::initializer_list<std::pair<Quantity, std::vector<double>>> columns);

/// All of these replications of a scenario.
BatchRecord make_record(const Scenario& scenario, const Batch& range, const std::vector<RunResult>& results);

/// An owner from a profile in SimGrid's grammar.
inline OwnerPtr profile_of(const std::string& text) {
  return profile_owner(std::make_shared<const Profile>(parse_profile(text, "test", ProfileQuantity::fraction)), "test");
}

/// When `work` is done at this speed and availability path: a plain integration, one step at a time.
inline double naive_finish(const Owner& owner, std::uint64_t seed, std::uint64_t replication, std::size_t i,
                           double work_flop, double speed_flops) {
  const auto path = owner.path({seed, replication, i});
  for (double t = 0;;) {
    const Step step = path->next();
    const double rate = speed_flops * step.value;
    if (rate * step.duration_s >= work_flop) return t + work_flop / rate;
    work_flop -= rate * step.duration_s;
    t += step.duration_s;
  }
}

/// The integral of 1 - A over [0, end].
inline double naive_owner_time(const Owner& owner, std::uint64_t seed, std::uint64_t replication, std::size_t i,
                               double end) {
  const auto path = owner.path({seed, replication, i});
  double integral = 0;
  for (double t = 0; t < end;) {
    const Step step = path->next();
    const double lasts = std::min(step.duration_s, end - t);
    integral += lasts * (1 - step.value);
    t += lasts;
  }
  return integral;
}

/// A file's bytes; "" where there is none.
std::string content_of(const std::string& file);

/// Writes a file into a fresh folder that is removed with the object.
class Folder {
 public:
  Folder();
  ~Folder();
  /// The path of a new file in it.
  std::string file(const std::string& name, const std::string& text) const;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace nowsim::test

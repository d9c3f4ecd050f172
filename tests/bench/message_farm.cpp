// What a farm of tasks costs nowsim's engines, without the program around them: set-up and replications apart.
//
// usage: message_farm direct|simgrid PLATFORM.xml COSTS REQUEST_BYTES INPUT_BYTES RESULT_BYTES [REPLICATIONS]
//
// The same messages as plain_farm's: a server that hands tasks out one by one, a client per other machine, rendezvous.
// Seconds are processor time per replication. On direct a first one is apart, and set_up is its time beyond that, on the
// wall; on simgrid they include the engine's set-up.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "sim/engine_direct.hpp"
#include "sim/engine_simgrid.hpp"
#include "sim/platform_xml.hpp"

using namespace nowsim;

namespace {

struct Farm final : Workload {
  double work_flop() const override { return 0; }
  Process run(Rank& self) const override { return self.index() == 0 ? serve(self) : work(self); }
  Process serve(Rank& self) const {
    int clients = self.count() - 1;
    for (std::size_t next = 0; clients > 0;) {
      const Message asked = co_await self.receive_any();
      if (next < costs.size()) {
        co_await self.send(asked.from, request + input, costs[next++]);
      } else {
        co_await self.send(asked.from, request, 0.0);
        --clients;
      }
    }
  }
  Process work(Rank& self) const {
    for (double had = 0;; had = result) {
      co_await self.send(0, request + had);
      const Message task = co_await self.receive(0);
      const double cost = std::any_cast<double>(task.content);
      if (cost <= 0) co_return;
      co_await self.compute(cost);
    }
  }
  double request = 0, input = 0, result = 0;
  std::vector<double> costs;
};

double seconds_since(std::clock_t begin) { return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC; }

struct Times {
  double makespan_s, each_s, set_up_s;
};

/// The first replication asks for routes, in processes of their own: wall-clock time would count them.
Times run_direct(const Scenario& s, std::uint64_t replications) {
  double makespan_s = 0;
  const ResultSink sink = [&](const RunResult& r) { makespan_s = r.makespan_s; };
  DirectEngine engine;
  const auto wall = std::chrono::steady_clock::now();
  engine.run(s, {0, 1}, sink);
  const std::chrono::duration<double> first = std::chrono::steady_clock::now() - wall;
  const std::clock_t begin = std::clock();
  engine.run(s, {1, replications}, sink);
  const double each_s = seconds_since(begin) / static_cast<double>(replications);
  return {makespan_s, each_s, first.count() - each_s};
}

Times run_on_simgrid(const Scenario& s, std::uint64_t replications) {
  const std::clock_t begin = std::clock();
  const std::string packed = run_simgrid(s, {0, replications}, {});
  const double each_s = seconds_since(begin) / static_cast<double>(replications);
  std::vector<RunResult> results;
  BatchProgress progress;
  unpack_results(packed, results, progress);
  return {results.at(0).makespan_s, each_s, 0};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 7) return 2;
  const bool direct = std::string(argv[1]) == "direct";
  const std::uint64_t replications = argc > 7 ? std::strtoull(argv[7], nullptr, 10) : 1;
  Scenario s;
  s.platform = std::make_shared<const Platform>(load_platform(argv[2]));
  s.owners.assign(s.size(), dedicated_owner());
  auto farm = std::make_shared<Farm>();
  std::ifstream file(argv[3]);
  farm->costs.assign(std::istream_iterator<double>(file), {});
  farm->request = std::strtod(argv[4], nullptr);
  farm->input = std::strtod(argv[5], nullptr);
  farm->result = std::strtod(argv[6], nullptr);
  s.workload = farm;
  s.share_flop.assign(s.size(), 0);
  const Times times = direct ? run_direct(s, replications) : run_on_simgrid(s, replications);
  std::printf("makespan %.17g seconds %.6f set_up %.6f\n", times.makespan_s, times.each_s, times.set_up_s);
}

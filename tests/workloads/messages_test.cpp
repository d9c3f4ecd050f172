// How many messages workloads say that they send, against what they send.
#include <catch2/catch.hpp>
#include <tuple>

#include "sim/engines/simgrid/engine.hpp"
#include "tests/workloads/job_fixture.hpp"
#include "tests/workloads/techniques_fixture.hpp"
#include "workloads/built_in.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

using Parameters = std::map<std::string, double>;

struct Counted {
  double said, sent;
};
/// On five equal machines.
Counted messages_of(const std::string& name, const Parameters& parameters) {
  const Scenario s = job(name, parameters, machines(5));
  CHECK(s.workload->program().messages(1) == 0);
  return {s.workload->program().messages(5), sum_of(run_batch_simgrid(s, {0, 1})[0][Quantity::messages])};
}

}  // namespace

TEST_CASE("Where all ranks take part the number of messages is known", "[computes][messages]") {
  const std::vector<std::tuple<std::string, Parameters, double>> table{
      {"ep", {{"size", 1000}}, 8},                                   // to and from each of four
      {"edge-detection", {{"size", 50}, {"passes", 3}}, 24},         // and to both neighbours, twice: 2*2*4
      {"edge-detection", {{"size", 50}, {"passes", 3}, {"mask", 1}}, 8},
      {"merge-sort", {{"size", 1000}}, 8},                           // a part to each, a run from each
      {"matrix-multiply", {{"size", 40}}, 8},
      {"matrix-multiply", {{"size", 40}, {"distribute", 1}}, 12},    // a tree: one to each more
      {"matrix-multiply", {{"size", 40}, {"distribute", 2}}, 28},    // a ring: four steps of five
      {"matrix-multiply", {{"size", 40}, {"distribute", 3}}, 8},
      {"ping-pong", {{"rounds", 3}}, 24},
      {"all-to-all", {{"work", 5}, {"rounds", 2}}, 40},
      {"task-farm", {{"tasks", 20}, {"cost", 1}, {"technique", position_of("SS")}}, 48},   // 20 chunks, 4 ends
      {"task-farm", {{"tasks", 20}, {"cost", 1}, {"technique", position_of("CSS")}, {"chunk", 3}}, 22},  // 7 and 4
      {"task-farm", {{"tasks", 20}, {"cost", 1}, {"technique", position_of("static")}}, 8},
  };
  for (const auto& [name, parameters, expected] : table) {
    INFO(name);
    const Counted messages = messages_of(name, parameters);
    CHECK(messages.said == expected);
    CHECK(messages.sent == expected);
  }
}

TEST_CASE("Where it depends on what happens it is about right, rather too many", "[messages]") {
  const Parameters farm{{"tasks", 400}, {"cost", 1}};
  std::vector<std::pair<std::string, Parameters>> table{
      {"cholesky", {{"size", 64}, {"block", 4}}},
      {"cholesky", {{"size", 64}, {"block", 4}, {"broadcast", 1}}},
      {"genetic-algorithm", {{"population", 40}, {"generations", 3}, {"evaluation", 1}}},
      {"genetic-algorithm", {{"population", 40}, {"generations", 3}, {"evaluation", 1}, {"dispatcher", 1}}},
  };
  for (const char* name : {"mFSC", "GSS", "TSS", "TFSS", "FAC2", "WF", "AWF-B", "AWF-C", "AWF-D", "AWF-E", "AF", "formula"}) {
    table.emplace_back("task-farm", farm);
    table.back().second["technique"] = position_of(name);
  }
  for (const auto& [name, parameters] : table) {
    const Counted messages = messages_of(name, parameters);
    INFO(name << ' ' << messages.said << ' ' << messages.sent);
    CHECK(messages.said >= 0.8 * messages.sent);
    CHECK(messages.said <= 1.6 * messages.sent);
  }
}

TEST_CASE("Transfers over workstations' own links count as messages, other programs send none", "[messages]") {
  const auto said = [](const std::string& name, const Parameters& parameters) {
    return made(name, FixedParameters(parameters))->program().messages(8);
  };
  CHECK(said("augmented-task", {{"work", 1}, {"phases", 10}, {"bytes", 5}}) == 80);
  CHECK(said("augmented-task", {{"work", 1}, {"phases", 10}}) == 0);
  CHECK(said("base-task", {{"work", 1}}) == 0);
  CHECK(said("task-farm", {{"tasks", 1e8}, {"cost", 1}, {"technique", position_of("SS")}}) == 2 * (1e8 + 7));
}

// The task farm: times derived by hand, the same work under every technique, and recovery from machines that go off.
#include <algorithm>
#include <cmath>

#include "sim/base/error.hpp"
#include "sim/splitting/machine_views.hpp"
#include "sim/splitting/split_task.hpp"
#include "tests/workloads/job_fixture.hpp"
#include "tests/workloads/techniques_fixture.hpp"
#include "workloads/built_in.hpp"
#include "workloads/farm/farm_parameters.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

/// The words of `law`, by their positions.
constexpr double kUniform = 1, kNormal = 2, kExponential = 3, kFile = 4;
/// The latency of machines().
constexpr double L = 1e-3;

using Parameters = std::map<std::string, double>;

/// Clients with equal shares, unless others are given.
Scenario farm(const std::string& technique, Parameters parameters, std::shared_ptr<const Platform> platform,
              std::vector<double> shares = {}) {
  parameters["technique"] = position_of(technique);
  if (shares.empty()) {
    shares.assign(platform->workstations.size(), 1);
    if (shares.size() > 1) shares.front() = 0;
  }
  return job("task-farm", std::move(parameters), std::move(platform), shares);
}

/// With costs from a file.
Scenario farm_of(const std::string& technique, const std::vector<double>& costs, Parameters parameters,
                 std::shared_ptr<const Platform> platform) {
  Scenario s = farm(technique, {{"tasks", 1}, {"cost", 1}}, std::move(platform));
  parameters["technique"] = position_of(technique);
  parameters["law"] = kFile;
  FixedParameters read(parameters);
  read.numbers = costs;
  s.workload = made("task-farm", read);
  for (double& share : s.share_flop) share *= s.workload->program().work_flop;
  return s;
}

/// n machines of unit speed; some switch off and on, by rank.
std::shared_ptr<const Platform> switching(std::size_t n, const std::map<std::size_t, std::string>& states) {
  return with_states(*machines(n), states);
}

/// Of mean availability 1/2.
OwnerPtr uniform_owner(double half_width) {
  return intervals_owner(uniform(0.5 - half_width, 0.5 + half_width), uniform(0, 20),
                         "uniform " + std::to_string(half_width));
}

}  // namespace

TEST_CASE("A farm alone computes all its tasks", "[reads][task-farm]") {
  const RunResult r = run_on_both(farm("GSS", {{"tasks", 10}, {"cost", 3}}, machines({2}, NetworkKind::none)));
  CHECK(r.makespan_s == near(15));
  CHECK(r[Quantity::messages][0] == 0);
}

TEST_CASE("Self-scheduling takes a request and an answer for each task, one after another at the server",
          "[task-farm]") {
  const RunResult r = run_on_both(
      farm("SS", {{"tasks", 3}, {"cost", 2}, {"request", 1000}, {"input", 500}, {"result", 500}}, machines(3)));
  // A message without tasks takes m = 1.001 s, one with a task's data d = 1.501 s. Client 1 has its task at m + d, client
  // 2 at 2·(m + d) = 5.004. 1 is ready at 4.502, but the server only then: its results at 6.505, task 3 at 8.006, done at
  // 10.006. 2 is ready at 7.004, waits until 8.006, and has ended at 8.006 + d + m = 10.508; then 1: 10.508 + d + m.
  CHECK(r.makespan_s == near(13.010));
  CHECK(r[Quantity::finish_s][2] == near(10.508));
  CHECK(r[Quantity::work_flop] == std::vector<double>{0, 4, 2});
  CHECK(r[Quantity::messages] == std::vector<double>{5, 3, 2});
  CHECK(r[Quantity::sent_bytes] == std::vector<double>{5 * 1000 + 3 * 500, 3 * 1000 + 2 * 500, 2 * 1000 + 500});
}

TEST_CASE("Guided self-scheduling hands out what its sequence says", "[task-farm]") {
  // 10 tasks: 5 for client 1, 3 for client 2, which then gets both others, 1 and 1.
  const RunResult r = run_on_both(farm("GSS", {{"tasks", 10}, {"cost", 1}}, machines(3)));
  CHECK(r[Quantity::work_flop] == std::vector<double>{0, 5, 5});
  CHECK(r[Quantity::finish_s][1] == near(5 + 4 * L));
  CHECK(r.makespan_s == near(5 + 10 * L));
}

TEST_CASE("The server's overhead is its own time per chunk, whatever its speed", "[task-farm]") {
  const RunResult r =
      run_on_both(farm("CSS", {{"tasks", 4}, {"cost", 1}, {"chunk", 2}, {"overhead", 0.5}}, machines({5, 1}, NetworkKind::bus)));
  CHECK(r.makespan_s == near(2 * (2 + 0.5) + 6 * L));
  CHECK(r[Quantity::work_flop][0] == near(2 * 0.5 * 5));
}

TEST_CASE("A static farm deals its parts out in the order of ranks and takes results as they come", "[task-farm]") {
  const RunResult r = run_on_both(farm("static", {{"tasks", 10}, {"cost", 1}, {"input", 100}, {"result", 100}},
                                       machines({1, 1, 2, 1}, NetworkKind::network_switch), {0, 3, 7, 0}));
  // 3 tasks arrive at 0.301, are done at 3.301 and back at 3.602; 7 arrive at 1.002, are done at 4.502 and back at 5.203.
  CHECK(r[Quantity::finish_s][1] == near(3.602));
  CHECK(r.makespan_s == near(5.203));
  CHECK(r[Quantity::work_flop] == std::vector<double>{0, 3, 7, 0});
  CHECK(r[Quantity::messages] == std::vector<double>{2, 1, 1, 0});
  CHECK(r[Quantity::finish_s][3] == 0);
  const RunResult other = run_on_both(farm("static", {{"tasks", 10}, {"cost", 1}}, machines(3), {0, 8, 2}));
  CHECK(other[Quantity::finish_s][2] == near(2 + 3 * L));
  CHECK(other.makespan_s == near(8 + 2 * L));
}

TEST_CASE("A client whose share is less than a task is told that there is none for it", "[task-farm]") {
  const RunResult r = run_on_both(farm("static", {{"tasks", 2}, {"cost", 3}}, machines(4), {0, 5, 4, 1}));
  CHECK(r[Quantity::work_flop] == std::vector<double>{0, 3, 3, 0});
  CHECK(r[Quantity::finish_s][3] == near(3 * L));
  CHECK(r.makespan_s == near(3 + 3 * L));
}

TEST_CASE("All techniques meet the same tasks, under owners too", "[task-farm]") {
  const auto owner = profile_of("PERIODICITY 7\n0 1\n3 0.25\n");
  for (const double law : {kUniform, kNormal, kExponential}) {
    std::vector<double> totals;
    for (const Technique& technique : techniques()) {
      INFO(technique.name);
      Scenario s = farm(technique.name, {{"tasks", 40}, {"cost", 2}, {"law", law}, {"chunk", 3}, {"cv", 0.4}},
                        machines({1, 1, 2, 3}, NetworkKind::network_switch));
      s.owners.assign(4, owner);
      const RunResult r = run_on_both(s);
      totals.push_back(sum_of(r[Quantity::work_flop]));
      CHECK(r[Quantity::work_flop][0] == 0);
      CHECK(totals.back() == near(totals.front()));
      CHECK(run(s, 1, 1)[0].makespan_s != r.makespan_s);  // another replication draws other costs
    }
    CHECK(std::abs(totals.front() - 80) < 30);
    Scenario alone = farm("SS", {{"tasks", 40}, {"cost", 2}, {"law", law}, {"cv", 0.4}}, machines({1}, NetworkKind::none));
    CHECK(run_on_both(alone).makespan_s == near(totals.front()));
  }
}

TEST_CASE("Costs of a file are those of the tasks in turn", "[task-farm]") {
  const Scenario s = farm_of("SS", {5, 1, 1, 1}, {}, machines(3));
  CHECK(s.workload->program().work_flop == near(8));
  const RunResult r = run_on_both(s);
  CHECK(r[Quantity::work_flop] == std::vector<double>{0, 5, 3});
}

TEST_CASE("Drawn costs have their law's mean and standard deviation", "[task-farm]") {
  constexpr double kTasks = 20'000;
  for (const auto& [law, cv] : {std::pair{kUniform, 0.5}, {kNormal, 0.7}, {kExponential, 1.0}}) {
    FixedParameters read({{"tasks", kTasks}, {"cost", 3}, {"law", law}, {"cv", cv}}, {}, farm_keys(techniques()));
    const TaskLaw costs(read);
    CHECK(costs.cv() == cv);
    const TaskCosts drawn = costs.costs(Stream::Family(1, 0).stream(kAllWorkstations, Purpose::workload));
    double squares = 0, least = 3;
    for (std::int64_t i = 0; i < 20'000; ++i) {
      const double flop = drawn.flop(i, 1);
      squares += (flop - 3) * (flop - 3);
      least = std::min(least, flop);
    }
    CHECK(least >= 0);
    CHECK(drawn.all_flop() / kTasks == Approx(3).epsilon(5 * cv / std::sqrt(kTasks)));
    CHECK(std::sqrt(squares / kTasks) == Approx(3 * cv).epsilon(0.05));
  }
}

TEST_CASE("Adaptive techniques give a slow machine less once they know", "[task-farm]") {
  // AWF's first chunks are equal, a quarter of the tasks each: the slow client, for which a fifth would be right, gets no
  // other.
  for (const auto& [name, ratio] : {std::pair{"AWF-B", 3}, {"AWF-C", 3}, {"AF", 4}}) {
    INFO(name);
    const RunResult r = run_on_both(farm(name, {{"tasks", 2000}, {"cost", 0.1}, {"law", kUniform}, {"cv", 0.3}},
                                         machines({1, 1, 4}, NetworkKind::network_switch)));
    CHECK(r[Quantity::work_flop][2] / r[Quantity::work_flop][1] == Approx(ratio).epsilon(0.1));
  }
}

TEST_CASE("WF hands out in proportion to the shares", "[task-farm]") {
  const auto platform = machines({1, 1, 4}, NetworkKind::network_switch);
  const RunResult r = run_on_both(farm("WF", {{"tasks", 100}, {"cost", 1}}, platform, {0, 1, 4}));
  CHECK(r[Quantity::work_flop][1] == near(20).margin(2));
  CHECK(r.makespan_s < 23);
}

TEST_CASE("A client that dies is replaced when its chunk is overdue", "[task-farm][state]") {
  // Client 1 has task 0 (of 10 s) at 2 L and dies at 5; client 2 has task 1 at 4 L, asks again at 10 + 4 L, has task 2 at
  // 10 + 6 L, and at 20 + 6 L asks again: task 0 has been overdue since 15 + 2 L, so it comes before task 3.
  const Scenario s = farm_of("SS", {10, 10, 10, 5}, {{"timeout", 15}}, switching(3, {{1, "0 1\n5 0\n"}}));
  for (const auto& r : run(s, 3)) {
    CHECK(r.makespan_s == near(10 + 10 + 10 + 5 + 12 * L));
    CHECK(r[Quantity::work_flop] == std::vector<double>{0, 0, 35});
  }
}

TEST_CASE("A client whose machine comes back asks anew, and its chunk is handed out at once", "[task-farm][state]") {
  // Client 1 is back at 7, has task 0 again at 7 + 2 L and is ready at 17 + 2 L; it gets the last task at 17 + 4 L. Client
  // 2 has tasks 1 and 2 until 20 + 6 L, and waits. When the results are there, at 27 + 5 L, both are told.
  const Scenario s = farm_of("SS", {10, 10, 10, 10}, {{"timeout", 20}}, switching(3, {{1, "0 1\n5 0\n7 1\n"}}));
  for (const auto& r : run(s, 3)) {
    CHECK(r.makespan_s == near(27 + 7 * L));
    CHECK(r[Quantity::work_flop] == std::vector<double>{0, 20, 20});
  }
}

TEST_CASE("A client that waits gets a chunk that comes back", "[task-farm][state]") {
  // Task 1 is client 2's from 4 L on; it dies at 3. Client 1 waits from 2 + 3 L on, and gets it when it is overdue, at
  // 12 + 4 L: it has it L later, is ready 4 s later, and told another 2 L later.
  const Scenario s =
      farm_of("SS", {2, 4}, {{"timeout", 10}, {"timeout_per_task", 2}}, switching(3, {{2, "0 1\n3 0\n"}}));
  for (const auto& r : run(s, 2)) {
    CHECK(r.makespan_s == near(12 + 4 + 7 * L));
    CHECK(r[Quantity::work_flop] == std::vector<double>{0, 6, 0});
  }
}

TEST_CASE("Of two clients with the same chunk the first counts", "[task-farm][state]") {
  // Client 2 gets the task too when it is overdue at 6 + 2 L, but client 1 is ready at 10 + 2 L: nobody waits for 2.
  const RunResult late = run(farm_of("SS", {10}, {{"timeout", 6}}, machines(3)))[0];
  CHECK(late.makespan_s == near(10 + 4 * L));
  CHECK(late[Quantity::work_flop] == std::vector<double>{0, 10, 0});
  // Client 2 is 10 times as fast: it is ready with task 1 at 1 + 4 L, gets task 0 at 3 + 3 L and ends the job.
  const auto fast = machines({1, 1, 10}, NetworkKind::network_switch);
  const RunResult r = run(farm_of("SS", {10, 10}, {{"timeout", 3}}, fast))[0];
  CHECK(r.makespan_s == near(4 + 5 * L));
  CHECK(r[Quantity::work_flop] == std::vector<double>{0, 0, 20});
}

TEST_CASE("Results that come twice are counted once", "[task-farm][state]") {
  // Client 2 (10 flop/s) is ready with task 1 at 1 + 4 L and has task 3 from 1 + 6 L until 21 + 6 L. Client 3 (2 flop/s)
  // is ready with task 2 at 1 + 6 L, waits, has task 0, overdue since 3 + 2 L, until 8 + 3 L, and then task 3, overdue too.
  // Client 1 is ready with task 0 at 10 + 2 L. If that counted again, four tasks would be done; but the job is over when
  // client 2's results are there, who is told.
  const auto fast = machines({1, 1, 10, 2}, NetworkKind::network_switch);
  const RunResult r = run(farm_of("SS", {10, 10, 2, 200}, {{"timeout", 3}}, fast))[0];
  CHECK(r.makespan_s == near(21 + 8 * L));
  CHECK(r[Quantity::work_flop] == std::vector<double>{0, 10, 210, 12});
}

TEST_CASE("A slow dealer hands static parts to their own clients, however long it takes", "[task-farm][state]") {
  // Each part costs the server 10 s, in which it hears nobody: client 3 is heard at 20 + 5 L, when its part, and that of
  // client 4, would have been overdue since 16 and 13 s. Client 4 has its task at 40 + 8 L and the server its results at
  // 41 + 9 L; then all four, who wait, are told.
  const Parameters p{{"tasks", 7}, {"cost", 1}, {"overhead", 10}, {"timeout", 12}, {"timeout_per_task", 1}};
  const RunResult r = run(farm("static", p, machines(5), {0, 1, 1, 4, 1}))[0];
  CHECK(r[Quantity::work_flop] == std::vector<double>{40, 1, 1, 4, 1});
  CHECK(r.makespan_s == near(41 + 13 * L));
}

TEST_CASE("Static parts of machines that die are done by others", "[task-farm][state]") {
  for (const std::string state : {"0 1\n0.0005 0\n", "0 1\n1 0\n"}) {  // while it asks; or dies with it
    const Scenario s = farm_of("static", {3, 5, 7, 11}, {{"timeout", 30}}, switching(3, {{1, state}}));
    for (const auto& r : run(s, 2)) {
      CHECK(r[Quantity::work_flop] == std::vector<double>{0, 0, 26});
      CHECK(r.makespan_s > 30 + 8);
      CHECK(r.makespan_s < 30 + 8 + 1);
    }
  }
}

TEST_CASE("Every task is done once under every technique, however machines switch", "[task-farm][state]") {
  // A replication draws the same tasks under every technique; nothing is overdue that is still being computed.
  const auto reference = run(farm("SS", {{"tasks", 60}, {"cost", 1}, {"law", kExponential}}, machines(4)), 10);
  for (const Technique& technique : techniques()) {
    INFO(technique.name);
    const Scenario s =
        farm(technique.name,
             {{"tasks", 60}, {"cost", 1}, {"law", kExponential}, {"chunk", 4}, {"timeout", 1000},
              {"request", 100}, {"input", 10}, {"result", 10}, {"overhead", 0.01}},
             switching(4, {{1, "STOCHASTIC LOOP\nEXP 0.02 DET 1\nEXP 0.2 DET 0\n"}, {2, "0 1\n9 0\n9.5 1\n"}}));
    const auto results = run(s, 10);
    REQUIRE(results.size() == reference.size());
    for (std::size_t i = 0; i < results.size(); ++i)
      CHECK(sum_of(results[i][Quantity::work_flop]) - results[i][Quantity::work_flop][0] ==
            near(sum_of(reference[i][Quantity::work_flop])));
  }
}

TEST_CASE("The optimal split of a static farm gives less to who gets its inputs later", "[task-farm][split]") {
  // A task has 500 B of input at 1000 B/s, dealt to client 1 first, and takes 2 s on the average. With m of 1000 tasks
  // for it, it is ready at m/2 + 2·m, client 2 at 1000/2 + 2·(1000 - m): the same for m = 2500/4.5 = 555.6.
  SplitTask task;
  Scenario s = farm("static", {{"tasks", 1000}, {"cost", 1}, {"input", 500}}, machines(3));
  s.owners = {dedicated_owner(), uniform_owner(0.3), uniform_owner(0.3)};
  task.machines = machine_views(s);
  task.scenario = std::make_shared<const Scenario>(s);
  task.policy = builtin_policies().find("optimal");
  task.replications = 200;
  task.gap_samples = 0;
  const SplitReport report = find_split(task);
  CHECK(report.share_flop[0] == 0);
  CHECK(report.share_flop[1] == Approx(555.6).margin(10));
  CHECK(report.reduction.low > 0);
}

TEST_CASE("Equalising a static farm leaves the server without work", "[task-farm][split]") {
  Scenario s = farm("static", {{"tasks", 1000}, {"cost", 1}}, machines(4));
  s.owners = {uniform_owner(0.1), uniform_owner(0.1), uniform_owner(0.1), uniform_owner(0.5)};
  SplitTask task;
  task.machines = machine_views(s);
  task.scenario = std::make_shared<const Scenario>(s);
  task.policy = builtin_policies().find("equalize");
  const SplitReport report = find_split(task);
  CHECK(report.share_flop[0] == 0);
  CHECK(report.share_flop[1] == near(report.share_flop[2]));
  CHECK(report.share_flop[1] > report.share_flop[3]);
  CHECK(sum_of(report.share_flop) == near(1000));
}

TEST_CASE("A farm whose machines switch off says what it needs", "[task-farm][error]") {
  const auto check = [](const Scenario& s, std::size_t i) {
    const auto rank = static_cast<int>(i), count = static_cast<int>(s.size());
    s.workload->program().check_share({s.platform->workstations[i], rank, count, 1});
  };
  const Parameters p{{"tasks", 4}, {"cost", 1}}, q{{"tasks", 4}, {"cost", 1}, {"timeout", 5}};
  const auto client = switching(3, {{1, "0 1\n5 0\n"}}), server = switching(3, {{0, "0 1\n5 0\n"}});
  CHECK_THROWS_AS(check(farm("SS", p, client), 1), InfeasibleError);
  CHECK_THROWS_WITH(check(farm("SS", p, client), 1), Catch::Contains("timeout"));
  CHECK_NOTHROW(check(farm("SS", q, client), 1));
  CHECK_THROWS_WITH(check(farm("SS", q, server), 0), Catch::Contains("server has to stay on"));
}

TEST_CASE("Parameters of a farm that do not go together are errors", "[task-farm][error]") {
  const auto made = [](const std::string& technique, Parameters p) {
    p["tasks"] = 10;
    return farm(technique, std::move(p), machines(3));
  };
  CHECK_THROWS_WITH(made("SS", {{"cost", 0}}), Catch::Contains("cost must be more than 0"));
  CHECK_THROWS_WITH(made("SS", {{"cost", 1}, {"law", kUniform}, {"cv", 0.6}}), Catch::Contains("at most 1/sqrt(3)"));
  CHECK_THROWS_AS(made("SS", {{"cost", 1}, {"law", kNormal}, {"cv", 1}}), InfeasibleError);
  CHECK_THROWS_WITH(made("TSS", {{"cost", 1}, {"first", 3}, {"last", 4}}), Catch::Contains("first must not be less"));
  CHECK_THROWS_WITH(made("SS", {{"cost", 1}, {"timeout_per_task", 4}}), Catch::Contains("adds to timeout"));
  const auto many = [](const std::string& technique, double law) {
    return farm(technique, {{"tasks", 1e14}, {"cost", 1}, {"law", law}}, machines(3));
  };
  CHECK_THROWS_WITH(many("SS", kExponential), Catch::Contains("at most 100000000 with law"));
  CHECK_NOTHROW(many("SS", 0));
  CHECK_THROWS_WITH(many("AF", 0), Catch::Contains("with technique: AF"));
  CHECK_THROWS_WITH(farm_of("SS", {1, 2}, {{"tasks", 3}}, machines(3)), Catch::Contains("holds 2 numbers"));
  CHECK_THROWS_WITH(farm_of("SS", {0, 0}, {}, machines(3)), Catch::Contains("there is no work"));
}

// ---- a server that is none of the machines -------------------------------------------------------------------------

namespace {

/// The word of `server`, by its position.
constexpr double kOutside = 1;

/// When tasks of one cost are done that go, one by one, to whoever is free first, the first of several; each waits until
/// the server is through with it, and begins.
double list_schedule_s(const std::vector<double>& speeds_flops, int tasks, double cost_flop, double overhead_s, double start_s) {
  std::vector<double> free_s(speeds_flops.size(), 0.0);
  double server_s = 0, end_s = 0;
  for (int i = 0; i < tasks; ++i) {
    const auto next = std::ranges::min_element(free_s);
    server_s = std::max(server_s, *next) + overhead_s;
    *next = server_s + start_s + cost_flop / speeds_flops[static_cast<std::size_t>(next - free_s.begin())];
    end_s = std::max(end_s, *next);
  }
  return end_s;
}

Scenario farm_from_outside(const std::string& technique, Parameters parameters, std::vector<double> speeds_flops,
                           std::vector<double> shares) {
  parameters["server"] = kOutside;
  return farm(technique, std::move(parameters), machines(speeds_flops, NetworkKind::none), std::move(shares));
}

}  // namespace

TEST_CASE("A server outside hands tasks to all machines, over no network", "[task-farm]") {
  // Tasks take 2 s and 1 s, and 0.25 s to begin. The first asks at 0, 2.25 and 4.5, the second at 0, 1.25, .. 6.25.
  const RunResult r = run_on_both(farm_from_outside("SS", {{"tasks", 9}, {"cost", 2}, {"start", 0.25}}, {1, 2}, {1, 1}));
  CHECK(r[Quantity::work_flop] == std::vector<double>{6, 12});
  CHECK(r[Quantity::finish_s][0] == near(6.75));
  CHECK(r.makespan_s == near(7.5));
  CHECK(r[Quantity::messages] == std::vector<double>{0, 0});
}

TEST_CASE("Tasks from outside are done when a list schedule is", "[task-farm]") {
  for (const auto& speeds_flops : {std::vector<double>{1.7}, {1, 2.3}, {1, 2.7, 0.9, 3.1}})
    for (const int tasks : {1, 2, 7, 40})
      for (const double overhead_s : {0.0, 0.13})
        for (const double start_s : {0.0, 0.31}) {
          const Scenario s = farm_from_outside(
              "SS", {{"tasks", tasks}, {"cost", 2}, {"overhead", overhead_s}, {"start", start_s}}, speeds_flops,
              std::vector<double>(speeds_flops.size(), 1));
          CHECK(run_on_both(s).makespan_s == near(list_schedule_s(speeds_flops, tasks, 2, overhead_s, start_s)));
        }
}

TEST_CASE("A static split from outside is of whole tasks, in proportion to the shares", "[task-farm]") {
  const RunResult r = run_on_both(
      farm_from_outside("static", {{"tasks", 10}, {"cost", 3}, {"start", 0.5}}, {1, 2, 4}, {1, 2, 4.1}));
  CHECK(r[Quantity::work_flop] == std::vector<double>{3, 9, 18});  // 1.41, 2.82 and 5.77 of the tasks
  CHECK(r.makespan_s == near(0.5 + 9.0 / 2));
}

TEST_CASE("All techniques hand all tasks out from outside", "[task-farm]") {
  std::vector<double> totals;
  for (const Technique& technique : techniques()) {
    INFO(technique.name);
    Scenario s = farm_from_outside(technique.name, {{"tasks", 40}, {"cost", 2}, {"law", kUniform}, {"chunk", 3}},
                                   {1, 1.3, 2, 3}, {1, 2, 3, 4});
    s.owners.assign(4, uniform_owner(0.3));
    totals.push_back(sum_of(run_on_both(s)[Quantity::work_flop]));
    CHECK(totals.back() == near(totals.front()));
  }
}

TEST_CASE("What a server outside cannot do is refused", "[task-farm]") {
  for (const char* key : {"request", "input", "result", "timeout"})
    CHECK_THROWS_AS(farm_from_outside("SS", {{"tasks", 4}, {"cost", 1}, {key, 1}}, {1, 1}, {1, 1}), InputError);
  Scenario s = farm_from_outside("SS", {{"tasks", 4}, {"cost", 1}}, {1, 1}, {1, 1});
  s.platform = switching(2, {{1, "0 1\n5 0\n"}});
  CHECK_THROWS_WITH(s.workload->program().check_share(rank_share(s, 1, 2)), Catch::Contains("hands nothing out again"));
}

// What Zhang and Yan's, Bazterra et al.'s and Bosque et al.'s metrics have in common, on simulated runs of programs.
#include <catch2/catch.hpp>
#include <string>

#include "experiments/driver/points/point_builder.hpp"
#include "sim/engines/engine.hpp"
#include "sim/metrics/metrics.hpp"
#include "tests/workloads/job_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

/// A point of a dedicated job and its baseline.
struct Measured {
  explicit Measured(const Scenario& s) : scenario(s), statistics(simulated(s)), baseline(simulated(alone_of(s))) {}
  [[nodiscard]] double operator()(const std::string& metric) const {
    return find_metric(metric)->estimate({&scenario, 0, 0.95, &baseline.makespan_s}, statistics).front().value;
  }

 private:
  static Scenario alone_of(const Scenario& s) {
    AlonePlatforms platforms;
    return *fastest_alone(s, platforms);
  }
  static PointStatistics simulated(const Scenario& s) {
    PointStatistics statistics(s, 0);
    statistics.add(BatchRunner().run(Engine::simgrid, s, {0, 2}));
    return statistics;
  }
  Scenario scenario;
  PointStatistics statistics, baseline;
};

Approx same_as(double x) { return Approx(x).epsilon(1e-9); }

/// Rank 0 hands out each worker's share with a message and waits for the answers, computing nothing of the work.
class Served final : public Workload {
 public:
  explicit Served(double work_flop) : Workload({.work_flop = work_flop, .first_worker = 1}) {}
  Process run(Rank& self) const override { return self.count() == 1 ? compute_share(self) : serve(self); }

 private:
  static Process serve(Rank& self) {
    if (self.index() > 0) {
      co_await self.receive(0);
      co_await self.compute(self.share());
      co_await self.send(0, 10);
      co_return;
    }
    for (int i = 1; i < self.count(); ++i) co_await self.send(i, 100);
    for (int i = 1; i < self.count(); ++i) co_await self.receive_any();
  }
};

Scenario served(const std::vector<double>& speeds_flops, const std::vector<double>& share_flop) {
  Scenario s = scenario(machines(speeds_flops, NetworkKind::network_switch), {});
  s.workload = std::make_shared<const Served>(sum_of(share_flop));
  s.share_flop = share_flop;
  return s;
}

/// What holds of any dedicated job.
void check_bazterra(const Measured& is) {
  CHECK(is("s_tot") == same_as(is("s") / (1 + is("d_id"))));
  CHECK(is("e_tot") == same_as(is("e") / (1 + is("d_id"))));
  CHECK(is("T_n") + is("T_id") == same_as(is("tau")));
  CHECK(is("s") <= is("n_eff") * (1 + 1e-9));
  CHECK(is("s") <= is("s_max") * (1 + 1e-9));
  CHECK(is("s_tot") == same_as(is("speedup")));
}

/// What holds where all machines are workers, and none computes more than its share.
void check_zhang_yan(const Measured& is) {
  CHECK(is("E") == same_as(is("speedup") / is("power")));
  CHECK(is("E") == same_as(is("e_tot")));
  CHECK(is("E") == same_as(is("e") / (1 + is("d_id"))));
  CHECK((1 - is("H")) * (1 + is("d_conf")) == same_as(1));
  CHECK(is("s_max") == same_as(is("power")));
}

/// What holds of any dedicated job, with a server or without.
void check_efficiency(const Measured& is, double work_flop) {
  CHECK(is("eps") == same_as(is("s_tot") / is("s_max")));
  CHECK(is("eps") == same_as(is("e_tot")));
  CHECK(is("eps") == same_as(1 / (1 + is("T_o") * is("p_T") / work_flop)));
  CHECK(is("eps_a") == same_as(is("eps")));
  CHECK(is("p_T_a") == same_as(is("p_T")));
  CHECK(is("T_o_a") == Approx(is("T_o")).margin(1e-9));
}

/// What holds where all machines are workers and none waits for pages.
void check_powers(const Measured& is, double fastest_flops) {
  CHECK(is("eps") == same_as(is("E")));
  CHECK(is("eps") == same_as(is("speedup") / is("power")));
  CHECK(is("p_T") == same_as(fastest_flops * is("power")));
  CHECK(is("T_o") == same_as(is("L")));
}

double work_of(const Scenario& s) { return s.workload->program().work_of(s.share_flop); }

}  // namespace

TEST_CASE("Efficiency is one number in all three vocabularies, for dedicated programs of any split",
          "[computes][bazterra][bosque]") {
  const std::vector<std::pair<std::string, std::map<std::string, double>>> programs{
      {"base-task", {{"work", 60}}},
      {"ep", {{"size", 1200}, {"work_per_pair", 3}, {"spawn", 0.25}}},
      {"matrix-multiply", {{"size", 24}, {"element", 4}}},
      {"merge-sort", {{"size", 512}}}};
  for (const auto& [program, parameters] : programs)
    for (const std::size_t p : {1, 2, 4, 7})
      for (const bool equal : {true, false}) {
        INFO(program << " on " << p << (equal ? " equal" : " proportional"));
        const auto platform = machines(rising_speeds(p), NetworkKind::bus);
        const Scenario s =
            equal ? job(program, parameters, platform) : job(program, parameters, platform, rising_speeds(p));
        const Measured is(s);
        check_efficiency(is, work_of(s));
        check_powers(is, static_cast<double>(p));
        if (program != "base-task" && program != "ep") continue;
        check_bazterra(is);
        check_zhang_yan(is);
      }
}

TEST_CASE("A program that only computes in proportion to speed has no idle time or overhead, and efficiency 1",
          "[bazterra]") {
  const Measured is(job("base-task", {{"work", 60}}, machines(rising_speeds(5), NetworkKind::none), rising_speeds(5)));
  CHECK(is("T_id") == 0);
  CHECK(is("d_id") == 0);
  CHECK(is("n_eff") == same_as(5));
  CHECK(is("s") == same_as(is("s_max")));
  CHECK(is("E") == same_as(is("e")));
  CHECK(is("eps") == same_as(1));
  CHECK(is("T_o") == 0);
}

TEST_CASE("Idle time and efficiency of a served job are those of its workers", "[bazterra]") {
  const Measured is(served({50, 4, 2, 1}, {0, 40, 10, 30}));
  check_bazterra(is);
  CHECK(is("T_n") == same_as(30));
  CHECK(is("T_busy") == same_as(10 + 5 + 30));
  CHECK(is("s_max") == same_as(7 / 4.));
  CHECK(is("s") == same_as(80 / 4. / 30));
  CHECK(is("T_id") > 0.1);  // at least one message of 100 B and one of 10 B
  CHECK(is("d_conf") == same_as(4 / (7 / 3.) - 1));
}

TEST_CASE("A farm's efficiency is that of its clients", "[bosque]") {
  const Scenario s = job("task-farm", {{"tasks", 40}, {"cost", 3}, {"request", 100}, {"result", 100}},
                         machines({50, 4, 2, 1}, NetworkKind::network_switch), {0, 1, 1, 1});
  const Measured is(s);
  check_efficiency(is, 120);
  CHECK(is("p_T") == 7);
  CHECK(is("eps") == same_as(120 / (is("tau") * 7)));
  CHECK(is("eps") > 0.5);
  CHECK(is("eps") < 1);
}

TEST_CASE("Where machines wait for pages the speedup over their powers is still the efficiency", "[bosque]") {
  // Order 30 of 4 bytes: three matrices have 10800 bytes; every operation without its data waits 0.1 s. That the
  // parallel parts wait less brings the efficiency above 1.
  const auto platform = with_memory(*machines({4, 2}, NetworkKind::bus), {5400, std::nullopt});
  const Scenario s = job("matrix-multiply", {{"size", 30}, {"element", 4}, {"page_wait", 0.1}}, platform);
  const double work = 2 * 30. * 30 * 30, paged = work / (work / 4 + work * 0.1 * 0.5);
  const Measured is(s);
  CHECK(is("P_i") == same_as(paged));
  CHECK(is("p_T") == same_as(paged + 2));
  CHECK(is("eps") == same_as(is("speedup") * std::max(paged, 2.) / is("p_T")));
  CHECK(is("eps") == same_as(1 / (1 + is("T_o") * is("p_T") / work)));
}

TEST_CASE("Of what constant owners leave, efficiency is what it is of the time that they leave", "[bosque]") {
  Scenario s = job("ep", {{"size", 1200}, {"work_per_pair", 3}}, machines(rising_speeds(3), NetworkKind::bus));
  const char* const left[] = {"0.5", "0.25", "0.8"};
  for (std::size_t i = 0; i < 3; ++i) s.owners[i] = profile_of(std::string("0 ") + left[i] + "\nLOOPAFTER 100\n");
  const Measured is(s);
  CHECK(is("p_T") == 6);
  CHECK(is("p_T_a") == same_as(0.5 + 2 * 0.25 + 3 * 0.8));
  CHECK(is("eps_a") == same_as(is("E")));
  CHECK(is("eps") == same_as(is("E") * is("p_T_a") / is("p_T")));
  CHECK(is("eps_a") == same_as(1 / (1 + is("T_o_a") * is("p_T_a") / 3600)));
}

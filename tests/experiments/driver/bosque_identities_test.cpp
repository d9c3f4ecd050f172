// What Bosque et al.'s metrics have in common with Zhang and Yan's and Bazterra et al.'s, on simulated runs.
#include <catch2/catch.hpp>

#include "tests/experiments/driver/measured_job.hpp"
#include "tests/workloads/job_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

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
void check_zhang_yan(const Measured& is, double fastest_flops) {
  CHECK(is("eps") == same_as(is("E")));
  CHECK(is("eps") == same_as(is("speedup") / is("power")));
  CHECK(is("p_T") == same_as(fastest_flops * is("power")));
  CHECK(is("T_o") == same_as(is("L")));
}

double work_of(const Scenario& s) { return s.workload->program().work_of(s.share_flop); }

}  // namespace

TEST_CASE("Efficiency is one number in all three vocabularies, for dedicated programs of any split",
          "[computes][bosque]") {
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
        check_zhang_yan(is, static_cast<double>(p));
      }
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

TEST_CASE("A program that only computes in proportion to speed has efficiency 1 and no overhead", "[bosque]") {
  const Measured is(job("base-task", {{"work", 60}}, machines(rising_speeds(5), NetworkKind::none), rising_speeds(5)));
  CHECK(is("eps") == same_as(1));
  CHECK(is("T_o") == 0);
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

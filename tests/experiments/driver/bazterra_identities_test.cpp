// What Zhang and Yan's and Bazterra et al.'s metrics have in common, on simulated runs of several programs.
#include <catch2/catch.hpp>

#include "tests/experiments/driver/measured_job.hpp"
#include "tests/workloads/job_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

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

/// What holds where all machines are workers.
void check_zhang_yan(const Measured& is) {
  CHECK(is("E") == same_as(is("speedup") / is("power")));
  CHECK(is("E") == same_as(is("e_tot")));
  CHECK(is("E") == same_as(is("e") / (1 + is("d_id"))));
  CHECK((1 - is("H")) * (1 + is("d_conf")) == same_as(1));
  CHECK(is("s_max") == same_as(is("power")));
}

}  // namespace

TEST_CASE("Efficiency is one number in both vocabularies, for dedicated programs of any split",
          "[computes][bazterra]") {
  const std::vector<std::pair<std::string, std::map<std::string, double>>> programs{
      {"base-task", {{"work", 60}}}, {"ep", {{"size", 1200}, {"work_per_pair", 3}, {"spawn", 0.25}}}};
  for (const auto& [program, parameters] : programs)
    for (const std::size_t p : {1, 2, 4, 7})
      for (const bool equal : {true, false}) {
        INFO(program << " on " << p << (equal ? " equal" : " proportional"));
        const auto platform = machines(rising_speeds(p), NetworkKind::bus);
        const Scenario s = equal ? job(program, parameters, platform)
                                 : job(program, parameters, platform, rising_speeds(p));
        const Measured is(s);
        check_bazterra(is);
        check_zhang_yan(is);
      }
}

TEST_CASE("A program that only computes in proportion to speed has no idle time, and all its processors work",
          "[bazterra]") {
  const Measured is(job("base-task", {{"work", 60}}, machines(rising_speeds(5), NetworkKind::none), rising_speeds(5)));
  CHECK(is("T_id") == 0);
  CHECK(is("d_id") == 0);
  CHECK(is("n_eff") == same_as(5));
  CHECK(is("s") == same_as(is("s_max")));
  CHECK(is("E") == same_as(is("e")));
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

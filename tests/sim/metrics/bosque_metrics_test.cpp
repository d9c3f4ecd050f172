// Bosque et al.'s metrics of one point, by hand: powers, efficiency, overhead, closed forms.
#include <catch2/catch.hpp>
#include <cmath>

#include "sim/metrics/metrics.hpp"
#include "tests/sim/overhead_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

using Values = std::vector<double>;

/// Splits its work among all ranks but those before `first_worker`; waits for pages on machines of 4 flop/s, alone.
Scenario job(const Values& speed_flops, double work_flop, int first_worker = 0, double paging_s = 0) {
  Scenario s = scenario(machines(speed_flops, NetworkKind::none), {});
  s.workload = sharing(
      {.work_flop = work_flop, .first_worker = first_worker, .paging_alone_s = [paging_s](const Workstation& w) {
         return w.speed_flops == 4 ? paging_s : 0;
       }});
  return s;
}

/// A program with a closed form, on its network.
Scenario eliminating(const Values& speed_flops, double size) {
  Scenario s = scenario(machines(speed_flops, NetworkKind::none), {});
  s.workload = sharing({.work_flop = size * size * size, .overhead_model = std::make_shared<Elimination>(size)});
  s.network = kMyrinet;
  return s;
}

/// A scenario and what runs of these makespans leave behind.
struct Measured {
  Scenario s;
  PointStatistics statistics;

  explicit Measured(Scenario scenario, const Values& makespans_s = {5, 5}) : s(std::move(scenario)), statistics(s, 0) {
    std::vector<RunResult> runs;
    for (const double t : makespans_s)
      runs.push_back(made_up_run(runs.size(), t, {{Quantity::finish_s, Values(s.size(), t)}}));
    statistics.add(make_record(s, {0, runs.size()}, runs));
  }
  [[nodiscard]] std::vector<Estimate> all(const std::string& metric, const SolvedSize* solved = nullptr,
                                          const Measured* reference = nullptr) const {
    MetricContext context{&s};
    context.solved = solved;
    if (reference != nullptr) context.reference = ReferencePoint{&reference->s, &reference->statistics, nullptr};
    return find_metric(metric)->estimate(context, statistics);
  }
  [[nodiscard]] double operator()(const std::string& metric, const SolvedSize* solved = nullptr,
                                  const Measured* reference = nullptr) const {
    return all(metric, solved, reference).front().value;
  }
};

SolvedSize solved_by(Efficiency which, double value) {
  return {exactly(100), exactly(1), SolvedEfficiency{which, value}};
}

/// Busy a quarter of the time.
OwnerPtr quarter_owner() { return duty_cycle_owner(10, 0.25, false); }

const Values kTwoFastTwoSlow{kFast, kFast, kSlow, kSlow};

}  // namespace

TEST_CASE("Efficiency and overhead of a dedicated run are those by hand, and tau's interval is theirs",
          "[computes][bosque]") {
  const Measured is(job({4, 2}, 24));
  CHECK(is("P_i") == 4);
  CHECK(is.all("P_i")[1].value == 2);
  CHECK(is("p_T") == 6);
  CHECK(is("eps") == Approx(24 / (5 * 6.)));
  CHECK(is("T_o") == Approx(1));
  CHECK(is.all("eps").front().half_width() == Approx(0).margin(1e-12));
  const Measured varied(job({4, 2}, 24), {5, 5.02, 4.98, 5.01, 4.99});
  const double h = 2.776445 * std::sqrt(0.00025 / 5);  // Student, 4 degrees
  CHECK(varied.all("eps").front().low == Approx(4 / (5 + h)));
  CHECK(varied.all("eps").front().high == Approx(4 / (5 - h)));
  CHECK(varied.all("T_o").front().half_width() == Approx(h));
  const Measured one(job({4, 2}, 24), {5});
  CHECK(one("eps") == Approx(0.8));
  CHECK(std::isnan(one.all("eps").front().low));
}

TEST_CASE("What owners leave on average is the power that the other efficiency counts", "[bosque]") {
  Scenario s = job({4, 2}, 24);
  s.owners[1] = quarter_owner();
  const Measured is(s);
  CHECK(is("p_T") == 6);
  CHECK(is("p_T_a") == Approx(4 + 2 * 0.75));
  CHECK(is("eps_a") == Approx(24 / (5 * 5.5)));
  CHECK(is("T_o_a") == Approx(5 - 24 / 5.5));
  CHECK(is("eps") == Approx(0.8));
}

TEST_CASE("An overhead that is rounding is none", "[bosque]") {
  CHECK(Measured(job({4, 2}, 24), {4, 4 + 1e-14})("T_o") == 0);
  CHECK(Measured(job({4, 2}, 24), {4, 4.001})("T_o") > 0);
}

TEST_CASE("A server has no power, and is none of the p processors", "[bosque]") {
  const Measured is(job({8, 4, 2}, 24, 1));
  const auto powers = is.all("P_i");
  REQUIRE(powers.size() == 3);
  CHECK(std::isnan(powers[0].value));
  CHECK(powers[1].value == 4);
  CHECK(is("p_T") == 6);
  CHECK(is("p_T_p") == 12);
  CHECK(is("eps") == Approx(0.8));
}

TEST_CASE("A machine that waits for pages has less power", "[bosque]") {
  const Measured is(job({4, 2}, 24, 0, 18));  // 24 flop take 6 s and 18 s for pages
  CHECK(is("P_i") == Approx(1));
  CHECK(is("p_T") == Approx(3));
  CHECK(is("eps") == Approx(24 / (5 * 3.)));
}

TEST_CASE("A program without work wastes all of its machines' time, whose power is their speed", "[bosque]") {
  const Measured is(job({4, 2}, 0));
  CHECK(is("P_i") == 4);
  CHECK(is("p_T") == 6);
  CHECK(is("eps") == 0);
  CHECK(is("eps_a") == 0);
  CHECK(is("T_o") == 5);
  for (const char* metric : {"T_o_BO", "eps_BO"}) CHECK(std::isnan(is(metric)));
}

TEST_CASE("Of a program that takes no time there is no efficiency", "[bosque]") {
  CHECK(std::isnan(Measured(job({4, 2}, 0), {0, 0})("eps")));
}

TEST_CASE("A machine that has only pages to wait for has no power", "[bosque]") {
  const Measured is(job({4, 2}, 0, 0, 18));
  CHECK(is("P_i") == 0);
  CHECK(is("p_T") == 2);
}

TEST_CASE("What sizes may grow like follows from the machines", "[bosque]") {
  const Measured is(job({4, 4, 2, 2}, 24));
  CHECK(is("p_log_p") == 8);
  CHECK(is("p_T_log_p") == 24);
  CHECK(is("p_p") == 16);
  CHECK(is("p_T_p") == 48);
  CHECK(Measured(job({4}, 24))("p_T_log_p") == 0);
}

TEST_CASE("Closed forms of elimination on four machines are those by hand", "[bosque]") {
  const Measured is(eliminating(kTwoFastTwoSlow, 1000));
  const double overhead_s = 1000 * 2 * (5e-6 + 8000 / 187.5e6);  // two rounds in each of 1000 steps
  CHECK(is("T_o_BO") == Approx(overhead_s));
  CHECK(is("eps_BO") == Approx(1 / (1 + overhead_s * 1468.6e6 / 1e9)));
  CHECK(is.all("eps_BO").front().half_width() == 0);
}

TEST_CASE("On one machine nothing is lost, whatever network there is", "[bosque]") {
  Scenario s = eliminating({kFast}, 1000);
  s.network.reset();
  const SolvedSize solved = solved_by(Efficiency::eps, 0.5);
  CHECK(Measured(s)("T_o_BO") == 0);
  CHECK(Measured(s)("eps_BO") == 1);
  CHECK(std::isnan(Measured(s)("n_BO", &solved)));
}

TEST_CASE("There is no closed form without a model of the overhead or a uniform network", "[bosque]") {
  Scenario unknown = eliminating(kTwoFastTwoSlow, 1000);
  unknown.network.reset();
  const SolvedSize solved = solved_by(Efficiency::eps, 0.5);
  for (const char* metric : {"T_o_BO", "eps_BO", "n_BO"}) {
    CHECK(std::isnan(Measured(unknown)(metric, &solved)));
    CHECK(std::isnan(Measured(job({4, 2}, 24))(metric, &solved)));
  }
}

TEST_CASE("Theory's size is that of the efficiency that was solved for", "[bosque]") {
  Scenario s = eliminating(kTwoFastTwoSlow, 1000);
  for (auto& owner : s.owners) owner = quarter_owner();
  const Measured is(s);
  const SolvedSize half = solved_by(Efficiency::eps, 0.5), most = solved_by(Efficiency::eps, 0.8);
  CHECK(is("n_BO", &half) == Approx(199.0872).epsilon(1e-6));
  CHECK(is("n_BO", &most) == Approx(599.3027).epsilon(1e-6));
  // Of what owners leave K p_T 2·lambda and K p_T 2·8/beta are three quarters: n² = 11014.5 + 93.9904 n.
  const SolvedSize of_left = solved_by(Efficiency::eps_a, 0.5);
  CHECK(is("n_BO", &of_left) == Approx((93.9904 + std::sqrt(93.9904 * 93.9904 + 4 * 11014.5)) / 2).epsilon(1e-6));
  CHECK(std::isnan(is("n_BO")));
  const SolvedSize by_e = solved_by(Efficiency::E, 0.5), by_time{exactly(100), exactly(1), {}};
  CHECK(std::isnan(is("n_BO", &by_e)));
  CHECK(std::isnan(is("n_BO", &by_time)));
}

TEST_CASE("The closed form has its efficiency at the size that it is solved for", "[bosque]") {
  const SolvedSize solved = solved_by(Efficiency::eps, 0.37);
  const double n = Measured(eliminating(kTwoFastTwoSlow, 1000))("n_BO", &solved);
  CHECK(Measured(eliminating(kTwoFastTwoSlow, n))("eps_BO") == Approx(0.37).epsilon(1e-11));
}

TEST_CASE("The classic size takes all machines for the mean one of the reference point", "[bosque]") {
  const Measured slow(eliminating({kSlow, kSlow}, 1000)), mixed(eliminating(kTwoFastTwoSlow, 1000));
  const SolvedSize solved = solved_by(Efficiency::eps, 0.5);
  const double on_slow = Measured(eliminating(Values(4, kSlow), 1000))("n_BO", &solved);
  CHECK(mixed("n_classic", &solved, &slow) == Approx(on_slow).epsilon(1e-11));
  CHECK(mixed("n_classic", &solved, &slow) < 0.8 * mixed("n_BO", &solved, &slow));
  CHECK(mixed("n_classic", &solved, &mixed) == Approx(mixed("n_BO", &solved)).epsilon(1e-11));
  CHECK(std::isnan(mixed("n_classic", &solved)));
  CHECK(std::isnan(mixed("n_classic", nullptr, &slow)));
}

TEST_CASE("Metrics of theory are drawn as such, and efficiencies are known for what they are", "[bosque]") {
  for (const char* metric : {"P_i", "p_T", "p_T_a", "p_log_p", "p_T_log_p", "p_T_p", "p_p", "T_o_BO", "eps_BO", "n_BO",
                             "n_classic"})
    CHECK(find_metric(metric)->exact);
  for (const char* metric : {"eps", "eps_a", "T_o", "T_o_a"}) CHECK_FALSE(find_metric(metric)->exact);
  CHECK(find_metric("eps")->efficiency == Efficiency::eps);
  CHECK(find_metric("eps_a")->efficiency == Efficiency::eps_a);
  CHECK(find_metric("E")->efficiency == Efficiency::E);
  CHECK_FALSE(find_metric("e_tot")->efficiency);
}

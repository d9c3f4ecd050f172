// Bosque et al.'s metrics of a point, by hand: powers, efficiency, overhead; H-isoefficiency by closed forms.
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <limits>

#include "sim/metrics/metrics.hpp"
#include "sim/metrics/paper_models.hpp"
#include "sim/statistics/random.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;
using bosque::isoefficient_size;
using bosque::System;

namespace {

/// W = n³; each of n steps sends 8 n bytes to all others: by broadcast, or to one after another.
class Elimination final : public OverheadModel {
 public:
  enum class Messages { broadcast, point_to_point };
  explicit Elimination(double size, Messages messages = Messages::broadcast) : size_(size), messages_(messages) {}
  double size() const override { return size_; }
  double work_flop(double size) const override { return size * size * size; }
  double overhead_s(double size, double ranks, const UniformNetwork& network) const override {
    return size * steps(ranks) * network.message_s(8 * size);
  }

 private:
  double steps(double ranks) const {
    return messages_ == Messages::broadcast ? std::ceil(std::log2(ranks)) : ranks - 1;
  }
  double size_;
  Messages messages_;
};

/// 5 us and 1.5 Gbit/s (BO 4).
constexpr UniformNetwork kMyrinet{5e-6, 187.5e6};
/// The paper's powers, of fast and slow machines [flop/s].
constexpr double kFast = 527e6, kSlow = 207.3e6;

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

using Messages = Elimination::Messages;

namespace {

Approx same_as(double x) { return Approx(x).epsilon(1e-11); }

/// Any W(n) and T_o(n).
class Model final : public OverheadModel {
 public:
  using Of = std::function<double(double size)>;
  Model(Of work_flop, Of overhead_s) : work_flop_(std::move(work_flop)), overhead_s_(std::move(overhead_s)) {}
  double size() const override { return 1; }
  double work_flop(double size) const override { return work_flop_(size); }
  double overhead_s(double size, double, const UniformNetwork&) const override { return overhead_s_(size); }

 private:
  Of work_flop_, overhead_s_;
};

/// n² = K p_T q (lambda + 8 n/beta) of q messages, one after another, in each step.
double size_by_hand(double constant, double power_flops, double messages, const UniformNetwork& network) {
  const double b = constant * power_flops * messages * 8 / network.bandwidth_Bps;
  const double c = constant * power_flops * messages * network.latency_s;
  return (b + std::sqrt(b * b + 4 * c)) / 2;
}

}  // namespace

TEST_CASE("Efficiency by response time and by overhead is one number, and K keeps it", "[bosque]") {
  Stream random({.seed = 3, .purpose = Purpose::workload});
  for (int trial = 0; trial < 300; ++trial) {
    const double w = 1 + 99 * random.uniform(), p_T = 0.1 + 9.9 * random.uniform(), t_o = 10 * random.uniform();
    const double eps = w / ((w / p_T + t_o) * p_T);
    CHECK(eps == same_as(1 / (1 + t_o * p_T / w)));
    CHECK(eps == same_as(bosque::efficiency_with_overhead(w, t_o, p_T)));
    CHECK(bosque::constant_of(eps) * t_o * p_T == same_as(w));
  }
  CHECK(bosque::constant_of(0.5) == 1);
  CHECK(bosque::constant_of(0.8) == same_as(4));
}

TEST_CASE("The size of an efficiency on two fast and two slow machines is that by hand", "[bosque]") {
  // p_T = 1468.6e6, two messages a step: n² = K (14686 + 125.32 n).
  const System four{4, 2 * kFast + 2 * kSlow, kMyrinet};
  const Elimination gauss(1);
  CHECK(*isoefficient_size(gauss, 0.5, four) == Approx(199.0872).epsilon(1e-6));
  CHECK(*isoefficient_size(gauss, 0.8, four) == Approx(599.3027).epsilon(1e-6));
}

TEST_CASE("The H-isoefficiency size solves its quadratic equation, for broadcast and point to point", "[bosque]") {
  Stream random({.seed = 8, .purpose = Purpose::workload});
  for (int trial = 0; trial < 300; ++trial) {
    const double ranks = std::floor(2 + 1000 * random.uniform()), eps = 0.01 + 0.98 * random.uniform();
    const System system{ranks, ranks * std::exp(20 * random.uniform()),
                        {1e-3 * random.uniform(), std::exp(3 + 20 * random.uniform())}};
    for (const Messages way : {Messages::broadcast, Messages::point_to_point}) {
      const Elimination gauss(1, way);
      const auto n = isoefficient_size(gauss, eps, system);
      REQUIRE(n);
      const double messages = way == Messages::broadcast ? std::ceil(std::log2(ranks)) : ranks - 1;
      CHECK(*n == same_as(size_by_hand(bosque::constant_of(eps), system.power_flops, messages, system.network)));
      const double overhead_s = gauss.overhead_s(*n, ranks, system.network);
      CHECK(bosque::efficiency_with_overhead(gauss.work_flop(*n), overhead_s, system.power_flops) == same_as(eps));
    }
  }
}

TEST_CASE("In the end sizes grow like p_T log p by broadcast and like p_T p point to point", "[bosque]") {
  const auto ratio = [](Messages way, double law_before, double law_after) {
    const auto size_on = [&](double ranks) {
      return *isoefficient_size(Elimination(1, way), 0.7, {ranks, 1e6 * ranks * kFast, kMyrinet});
    };
    return size_on(1024) / size_on(512) / (law_after / law_before);
  };
  CHECK(ratio(Messages::broadcast, 512 * 9, 1024 * 10) == Approx(1).epsilon(1e-6));
  CHECK(ratio(Messages::point_to_point, 512 * 511, 1024 * 1023) == Approx(1).epsilon(1e-6));
}

TEST_CASE("There is no size where nothing is lost, where no size is large enough, and of impossible efficiencies",
          "[bosque]") {
  const Elimination gauss(1);
  CHECK_FALSE(isoefficient_size(gauss, 0.5, {1, kFast, kMyrinet}));
  CHECK_FALSE(isoefficient_size(gauss, 0.5, {4, kFast, {0, std::numeric_limits<double>::infinity()}}));
  for (const double eps : {0.0, 1.0, 1.5, -0.5, std::numeric_limits<double>::quiet_NaN()})
    CHECK_FALSE(isoefficient_size(gauss, eps, {4, kFast, kMyrinet}));
  // W/T_o = 3 at any size: the efficiency on p_T = 1 is always 3/4.
  const Model in_step([](double n) { return 3 * n; }, [](double n) { return n; });
  for (const double eps : {0.7, 0.8}) CHECK_FALSE(isoefficient_size(in_step, eps, {2, 1, {}}));
}

TEST_CASE("Of a program that does nothing up to size 1 only sizes beyond count", "[bosque]") {
  // Shrinking rows: (n³ - n)/3 flop, and n - 1 steps that lose half a second each: n (n + 1)/3 = K/2.
  const Model rows([](double n) { return (n * n * n - n) / 3; }, [](double n) { return (n - 1) / 2; });
  CHECK(*isoefficient_size(rows, 0.8, {2, 1, {}}) == same_as(2));
  CHECK(*isoefficient_size(rows, 0.5, {2, 20, {}}) == same_as(5));
  CHECK_FALSE(isoefficient_size(rows, 0.5, {2, 1, {}}));  // it would be 0.82
  const Model alone([](double n) { return (n * n * n - n) / 3; }, [](double) { return 0.0; });
  CHECK_FALSE(isoefficient_size(alone, 0.5, {1, 1, {}}));
}

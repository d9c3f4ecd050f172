// Owner jobs without an engine: timelines derived by hand, a naive reference, long-run figures.
#include "sim/owners/owner_jobs.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "sim/base/error.hpp"
#include "sim/owners/owner_models.hpp"
#include "tests/sim/owner_jobs_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

constexpr Discipline kSharing = Discipline::processor_sharing, kPriority = Discipline::preemptive_priority;
constexpr double kInfinite = std::numeric_limits<double>::infinity();

Approx near(double expected) { return Approx(expected).epsilon(1e-12).margin(1e-12); }

/// The same machine told as simply as it can be: every job's remaining demand, brought forward at every event.
class NaiveMachine {
 public:
  NaiveMachine(const OwnerJobs& owner, const StreamKey& key)
      : owner_(owner), stream_(owner, key), next_(stream_.next()) {}

  /// To the date, or to the end of the task's work (infinite: no task).
  void run(double until, double work) {
    const bool task = work < kInfinite;
    while (now < until && work > 0) {
      const double n = static_cast<double>(left_.size()), cores = owner_.cores();
      const bool first = owner_.discipline() == kPriority;
      const double each = first ? std::min(1.0, cores / n) : std::min(1.0, cores / (n + (task ? 1 : 0)));
      const double for_task = !task ? 0 : first ? (n < cores ? 1 : 0) : std::min(1.0, cores / (n + 1));
      double lasts = std::min(until, next_.arrival_s) - now;
      for (const double left : left_) lasts = std::min(lasts, left / each);
      if (for_task > 0) lasts = std::min(lasts, work / for_task);
      now += lasts;
      work -= for_task * lasts;
      if (work < 1e-9) work = 0;
      for (std::size_t k = left_.size(); k-- > 0;) {
        cpu += each * lasts;
        left_[k] -= each * lasts;
        if (left_[k] > 1e-9) continue;
        ++completed;
        slowdown_sum += (now - jobs_[k].arrival_s) / jobs_[k].demand_s;
        left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(k));
        jobs_.erase(jobs_.begin() + static_cast<std::ptrdiff_t>(k));
      }
      if (now >= next_.arrival_s) {
        left_.push_back(next_.demand_s);
        jobs_.push_back(next_);
        next_ = stream_.next();
      }
    }
  }

  double now = 0, cpu = 0, completed = 0, slowdown_sum = 0;

 private:
  const OwnerJobs& owner_;
  OwnerJobStream stream_;
  OwnerJob next_;
  std::vector<double> left_;
  std::vector<OwnerJob> jobs_;
};

double mean_slowdown(const OwnerJobsClock& clock) { return clock.outcome().slowdown_sum / clock.outcome().completed; }

double finish_alone(const OwnerJobs& owner, double work_s) { return OwnerJobsClock(owner, {}).finish(0, work_s); }

}  // namespace

TEST_CASE("Under processor sharing an owner job and the task have half a core each", "[reads][owner_jobs]") {
  const auto owner = regular_jobs(10, 4, kSharing);
  OwnerJobsClock clock(*owner->jobs(), {});
  CHECK(clock.finish(0, 12) == near(14));  // 10 alone, then 2 at half speed
  CHECK(clock.outcome().cpu_s == near(2));
  CHECK(clock.present() == 1);
  clock.idle_until(19);  // the job, alone again, ends at 16: a response of 6
  CHECK(clock.present() == 0);
  CHECK(clock.outcome().cpu_s == near(4));
  CHECK(clock.outcome().completed == 1);
  CHECK(clock.outcome().slowdown_sum == near(1.5));
}

TEST_CASE("Under preemptive priority an owner job has the core, and the task what it leaves", "[owner_jobs]") {
  const auto owner = regular_jobs(10, 4, kPriority);
  OwnerJobsClock clock(*owner->jobs(), {});
  CHECK(clock.finish(0, 12) == near(16));  // 10, wait for 4, 2
  CHECK(clock.outcome().cpu_s == near(4));
  CHECK(clock.outcome().slowdown_sum == near(1));
  const auto busy = regular_jobs(4, 3, kPriority);
  CHECK(finish_alone(*busy->jobs(), 10) == near(28));  // 4, then 1 s before each of the jobs at 8, 12, ... 28
  CHECK(finish_alone(*busy->jobs(), 10.5) == near(31.5));
}

TEST_CASE("Owner jobs that overlap share with the task", "[owner_jobs]") {
  // Jobs of 3 s at 4, 8, 12, 16. The task alone does 4 by 4; with one job 2 by 8; with two 1 by 11, when the first ends;
  // 1/2 by 12; with two 4/3 by 16; with three 1/6 by 16 2/3, when the second ends; with two the last one by 19 2/3.
  const auto owner = regular_jobs(4, 3, kSharing);
  OwnerJobsClock clock(*owner->jobs(), {});
  CHECK(clock.finish(0, 10) == near(19 + 2. / 3));
  CHECK(clock.outcome().cpu_s == near(9 + 2. / 3));  // the core never rests
  CHECK(clock.outcome().completed == 2);
  CHECK(clock.outcome().slowdown_sum == near((7 + 8 + 2. / 3) / 3));
}

TEST_CASE("Two cores are shared by more than two", "[owner_jobs]") {
  // Jobs of 1.5 s at 1, 2, ...; the task's work at the events 1, 2, 2.75, 3, 4, 4 1/6, 5, 5 7/18, 6, 6 14/27 is
  // 1, 2, 2.5, 2.75, 3 5/12, 3.5, 4 1/18, 4.25, 4 71/108, 4 11/12; the last 1/12 takes 1/8 s.
  const auto owner = regular_jobs(1, 1.5, kSharing, 2);
  OwnerJobsClock clock(*owner->jobs(), {});
  CHECK(clock.finish(0, 5) == near(6 + 14. / 27 + 0.125));
  CHECK(clock.outcome().completed == 4);
}

TEST_CASE("Under preemptive priority the task has a core to itself while one is free", "[owner_jobs]") {
  const auto owner = regular_jobs(2, 3, kPriority, 2);  // two owner jobs in [4, 5), [6, 7), [8, 9) ...
  CHECK(finish_alone(*owner->jobs(), 4) == near(4));
  CHECK(finish_alone(*owner->jobs(), 5) == near(6));
  CHECK(finish_alone(*owner->jobs(), 6) == near(8));
  OwnerJobsClock clock(*owner->jobs(), {});
  clock.idle_until(9);
  CHECK(clock.outcome().completed == 3);
  CHECK(clock.outcome().slowdown_sum == near(3));
  CHECK(clock.outcome().cpu_s == near(10));  // 3 of each of the three, and 1 of the fourth, at 8
}

TEST_CASE("Jobs that end, come and let the task end at one moment are told apart", "[owner_jobs]") {
  // A core for each: at 8 the first job ends, the second comes, and the task is done.
  const auto owner = regular_jobs(4, 4, kSharing, 2);
  OwnerJobsClock clock(*owner->jobs(), {});
  CHECK(clock.finish(0, 8) == near(8));
  CHECK(clock.outcome().completed == 1);
  CHECK(clock.present() == 1);
  CHECK(clock.finish(8, 0) == near(8));
  clock.idle_until(8);
  CHECK(clock.outcome().cpu_s == near(4));
}

TEST_CASE("Owner jobs come while the machine waits, and time goes forward only", "[owner_jobs]") {
  const auto owner = regular_jobs(10, 4, kSharing);
  OwnerJobsClock clock(*owner->jobs(), {});
  CHECK(clock.finish(11, 1.5) == near(14));  // beside the job of 10, which has 3 s left
  CHECK(clock.finish(30.5, 1) == near(32.5));
  CHECK_THROWS_AS(clock.finish(32, 1), std::logic_error);
  CHECK_THROWS_AS(clock.idle_until(32), std::logic_error);
  CHECK_THROWS_AS(clock.idle_until(std::nan("")), std::logic_error);
  CHECK_THROWS_AS(clock.idle_until(kInfinite), std::logic_error);
  CHECK_THROWS_AS(clock.finish(40, -1), std::logic_error);
  CHECK_THROWS_AS(clock.finish(40, kInfinite), std::logic_error);
}

TEST_CASE("Random owner jobs agree with a naive machine", "[owner_jobs][reference]") {
  for (const Discipline discipline : kDisciplines)
    for (const int cores : {1, 2, 5})
      for (const char* law : {"exponential", "constant", "uniform", "pareto"})
        for (std::uint64_t seed = 1; seed <= 5; ++seed) {
          const double u = 0.15 * static_cast<double>(seed + 1);
          const auto owner = poisson_jobs(u, make_length_law(law, 2, 2.5), discipline, cores);
          const StreamKey key{seed, 3, 1, Purpose::owner};
          OwnerJobsClock clock(*owner->jobs(), key);
          NaiveMachine naive(*owner->jobs(), key);
          Stream plan({seed, 0, 0, Purpose::workload});
          for (int step = 0; step < 30; ++step) {
            const double begin = clock.now_s() + (step % 3 == 0 ? 0 : 5 * plan.uniform()), work = 10 * plan.uniform();
            const double end = clock.finish(begin, work);
            naive.run(begin, kInfinite);
            naive.run(kInfinite, work);
            INFO(law << ", " << cores << " cores, seed " << seed << ", step " << step);
            REQUIRE(end == Approx(naive.now).epsilon(1e-9));
            REQUIRE(clock.outcome().cpu_s == Approx(naive.cpu).epsilon(1e-9).margin(1e-9));
            REQUIRE(clock.outcome().completed == naive.completed);
            REQUIRE(clock.outcome().slowdown_sum == Approx(naive.slowdown_sum).epsilon(1e-5));
          }
        }
}

TEST_CASE("The long-run figures are the closed forms that are known", "[owner_jobs][theory]") {
  for (const double u : {0.01, 0.3, 0.9, 0.999}) {
    const auto sharing = poisson_jobs(u, exponential(2), kSharing);
    const auto priority = poisson_jobs(u, exponential(2), kPriority);
    CHECK(sharing->jobs()->utilisation() == Approx(u));
    for (const auto& owner : {sharing, priority}) CHECK(owner->mean() == Approx(1 - u).epsilon(1e-9));
    CHECK(sharing->sd() == Approx((1 - u) * std::sqrt(-std::log(1 - u) / u - 1)).epsilon(1e-7));
    CHECK(priority->sd() == Approx(std::sqrt(u * (1 - u))).epsilon(1e-9));
    CHECK(sharing->jobs()->beside_task().slowdown == Approx(2 / (1 - u)).epsilon(1e-9));
    CHECK(priority->jobs()->beside_task().slowdown == Approx(1 / (1 - u)).epsilon(1e-9));
  }
  // M/M/2 at half load: Erlang's C is 1/3, so the queue is 1/3 and the mean response 1/3 longer than the demand.
  const auto two = poisson_jobs(0.5, exponential(2), kPriority, 2);
  CHECK(two->mean() == Approx(2. / 3));
  CHECK(two->jobs()->beside_task().slowdown == Approx(4. / 3));
  CHECK(poisson_jobs(0.3, exponential(2), kSharing, 500)->mean() == Approx(1));
  CHECK(poisson_jobs(1e-12, exponential(2), kSharing)->mean() == Approx(1));
}

TEST_CASE("Long runs approach the long-run figures, whatever the law of demands", "[owner_jobs][statistical]") {
  constexpr double kLong = 2e5;
  for (const Discipline discipline : kDisciplines)
    for (const int cores : {1, 3})
      for (const char* law : {"exponential", "constant"}) {
        const auto owner = poisson_jobs(0.4, make_length_law(law, 1, 3), discipline, cores);
        INFO(law << ", " << cores << " cores, discipline " << static_cast<int>(discipline));
        OwnerJobsClock idle(*owner->jobs(), {}), busy(*owner->jobs(), {});
        idle.idle_until(kLong);
        CHECK(idle.outcome().cpu_s / kLong / cores == Approx(0.4).epsilon(0.02));
        // Owner jobs that go first do not see the task: with it they are as all are without it.
        const auto first = poisson_jobs(0.4, make_length_law(law, 1, 3), kPriority, cores);
        CHECK(mean_slowdown(idle) == Approx(first->jobs()->beside_task().slowdown).epsilon(0.05));
        const double end = busy.finish(0, kLong);
        CHECK(kLong / end == Approx(owner->mean()).epsilon(0.02));
        CHECK(busy.outcome().cpu_s / end / cores == Approx(0.4).epsilon(0.02));
        CHECK(mean_slowdown(busy) == Approx(owner->jobs()->beside_task().slowdown).epsilon(0.05));
      }
}

TEST_CASE("Each owner job draws its interval and then its demand from the owner's stream", "[owner_jobs]") {
  const auto interval = exponential(7), demand = make_length_law("uniform", 2, 3);
  const auto owner = jobs_owner(interval, demand, kSharing, 1, "test");
  const StreamKey key{5, 6, 7, Purpose::owner};
  OwnerJobStream jobs(*owner->jobs(), key);
  Stream draws(key);
  double arrival = 0;
  for (int k = 0; k < 5; ++k) {
    const OwnerJob job = jobs.next();
    arrival += interval->quantile(draws.uniform());
    CHECK(job.arrival_s == arrival);
    CHECK(job.demand_s == demand->quantile(draws.uniform()));
  }
}

TEST_CASE("Owner jobs have no path and say so", "[owner_jobs]") {
  const auto owner = poisson_jobs(0.3, exponential(2), kSharing);
  CHECK(owner->jobs() != nullptr);
  CHECK(dedicated_owner()->jobs() == nullptr);
  CHECK_FALSE(owner->is_dedicated());
  CHECK_FALSE(owner->renewal());
  CHECK_THROWS_AS(owner->path({1, 0, 0}), std::logic_error);
}

TEST_CASE("Owner jobs that cannot be are an input error", "[owner_jobs][error]") {
  const auto make = [](DistributionPtr interval, DistributionPtr demand, int cores) {
    return OwnerJobs(std::move(interval), std::move(demand), kSharing, cores, "test");
  };
  CHECK_THROWS_WITH(make(exponential(2), exponential(2), 1), Catch::Contains("100 %") && Catch::Contains("pile up"));
  CHECK_THROWS_WITH(make(exponential(1), exponential(3), 2), Catch::Contains("150 %"));
  CHECK_NOTHROW(make(exponential(1), exponential(3), 4));
  CHECK_THROWS_WITH(make(constant(0), constant(1), 1), Catch::Contains("interval") && Catch::Contains("positive"));
  CHECK_THROWS_WITH(make(constant(10), normal(1, 1), 1), Catch::Contains("demand"));
  CHECK_THROWS_WITH(make(constant(10), constant(1), 0), Catch::Contains("at least one core"));
}

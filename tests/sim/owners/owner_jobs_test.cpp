// Owner jobs without an engine: timelines by hand, a naive reference, long-run figures; and where they come from.
#include "sim/owners/owner_jobs.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "sim/base/error.hpp"
#include "sim/owners/owner_models.hpp"
#include "tests/sim/owner_jobs_fixture.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

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

/// Mean 0.8 but at 9 and 10 o'clock, when half is left, and at night, when nobody comes.
DiurnalPattern office(std::optional<double> start_s) {
  DiurnalPattern pattern{std::vector<double>(24, 0.8), start_s};
  for (const std::size_t hour : {9U, 10U}) pattern.mean_by_hour[hour] = 0.5;
  for (const std::size_t hour : {0U, 1U, 2U, 3U}) pattern.mean_by_hour[hour] = 1;
  return pattern;
}

std::vector<OwnerJob> first_jobs(const OwnerJobSource& source, std::size_t count, const StreamKey& key = {}) {
  const auto sequence = source.jobs(key);
  std::vector<OwnerJob> jobs;
  for (std::size_t k = 0; k < count; ++k) jobs.push_back(sequence());
  return jobs;
}

std::vector<double> arrivals_of(const std::vector<OwnerJob>& jobs) {
  std::vector<double> out;
  for (const OwnerJob& job : jobs) out.push_back(job.arrival_s);
  return out;
}

JobLog log_of(const Folder& folder, const std::string& text) { return read_job_log(folder.file("jobs.txt", text)); }

/// Within so many standard errors, and these small.
void check_estimate(double value, double error, double exact) {
  CHECK(error < 0.02 * exact);
  CHECK(std::abs(value - exact) < 4.5 * error);
}

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

TEST_CASE("Jobs by the hour come as often as their hour says", "[owner_jobs][statistical]") {
  const auto source = jobs_by_hour(renewal_jobs(exponential(40), exponential(20)), office({}), 1);
  CHECK(source->mean_demand_s() == 20);
  CHECK(20 / source->mean_interval_s() == Approx((18 * 0.2 + 2 * 0.5) / 24));
  const auto from_six = jobs_by_hour(renewal_jobs(exponential(40), exponential(20)), office(6 * kHour_s), 1);
  const auto sequence = from_six->jobs({});
  std::vector<double> counts(24);
  constexpr int kDays = 200;
  for (double t = 0; (t = sequence().arrival_s) < kDays * 24 * kHour_s;)
    ++counts[static_cast<std::size_t>(6 + t / kHour_s) % 24];
  for (std::size_t hour = 0; hour < 24; ++hour) {
    const double expected = kDays * kHour_s * (1 - office({}).mean_by_hour[hour]) / 20;
    INFO("hour " << hour);
    CHECK(std::abs(counts[hour] - expected) <= 4 * std::sqrt(expected));
  }
}

TEST_CASE("Jobs by the hour are Poisson: their intensity between them is exponential, Kolmogorov and Smirnov",
          "[owner_jobs][statistical]") {
  const DiurnalPattern pattern = office(7.5 * kHour_s);
  const auto jobs = first_jobs(*jobs_by_hour(renewal_jobs(exponential(777), constant(600)), pattern, 2), 4000);
  const auto intensity = [&](double t) {  // of 2 cores, by the hours passed since midnight
    double sum = 0;
    for (double hour = 7.5, end = 7.5 + t / kHour_s; hour < end;) {
      const double next = std::min(std::floor(hour) + 1, end);
      sum += (next - hour) * (1 - pattern.mean_by_hour[static_cast<std::size_t>(hour) % 24]);
      hour = next;
    }
    return sum * kHour_s * 2 / 600;
  };
  std::vector<double> uniforms;
  double before = 0;
  for (const OwnerJob& job : jobs) {
    const double now = intensity(job.arrival_s);
    uniforms.push_back(-std::expm1(before - now));
    before = now;
  }
  std::ranges::sort(uniforms);
  double distance = 0;
  const auto n = static_cast<double>(uniforms.size());
  for (std::size_t i = 0; i < uniforms.size(); ++i)
    distance = std::max({distance, uniforms[i] - static_cast<double>(i) / n, static_cast<double>(i + 1) / n - uniforms[i]});
  CHECK(distance * std::sqrt(n) < 1.95);  // 0.1 %
}

TEST_CASE("A time without jobs of many days passes at once, and ends in its hour", "[owner_jobs]") {
  DiurnalPattern pattern{std::vector<double>(24, 1 - 1e-12), 0};
  pattern.mean_by_hour[9] = 1 - 2e-12;
  const auto source = jobs_by_hour(renewal_jobs(constant(40), constant(20)), pattern, 1);
  CHECK(first_jobs(*source, 2)[1].arrival_s == Approx(2 * source->mean_interval_s()).epsilon(1e-9));
  CHECK(first_jobs(*jobs_by_hour(renewal_jobs(constant(7200), constant(1800)), office(0), 1), 1)[0].arrival_s > 4 * kHour_s);
}

TEST_CASE("All workstations' jobs by the hour follow one clock", "[owner_jobs]") {
  DiurnalPattern one_hour{std::vector<double>(24, 1.0), {}};
  one_hour.mean_by_hour[12] = 0;
  const auto source = jobs_by_hour(renewal_jobs(constant(10), constant(5)), one_hour, 1);
  for (const std::uint64_t replication : {0U, 1U, 2U}) {
    const double a = first_jobs(*source, 1, {1, replication, 0})[0].arrival_s;
    const double b = first_jobs(*source, 1, {1, replication, 1})[0].arrival_s;
    CHECK(a == b);
    CHECK(std::fmod(diurnal_start_s(one_hour, {1, replication, 5}) + a, 24 * kHour_s) == Approx(12 * kHour_s + 5));
  }
}

TEST_CASE("A log of times and demands is replayed from a moment on, over and over", "[owner_jobs]") {
  const Folder folder;
  const JobLog read = log_of(folder, "# time demand\n100 3\n104 1  # together with the next\n104 2\n109 0\n");
  CHECK(read.total_s == 12);  // 9 s, and 3 to the next
  CHECK(read.demand_s == 6);
  const auto log = std::make_shared<const JobLog>(read);
  const auto from_beginning = logged_jobs(log, 0.5, TraceStart::beginning);
  CHECK(from_beginning->mean_interval_s() == 3);
  CHECK(from_beginning->mean_demand_s() == 0.75);
  const auto jobs = first_jobs(*from_beginning, 6);
  CHECK(arrivals_of(jobs) == std::vector<double>{0, 4, 4, 9, 12, 16});
  CHECK(jobs[4].demand_s == 1.5);
  const StreamKey key{3, 1, 4};
  const double start_s = 12 * drawn_start(key);
  const auto random = arrivals_of(first_jobs(*logged_jobs(log, 1, TraceStart::random), 5, key));
  std::vector<double> expected;
  for (const double t : {0., 4., 4., 9., 12., 16., 16., 21.})
    if (t >= start_s && expected.size() < 5) expected.push_back(t - start_s);
  for (std::size_t k = 0; k < expected.size(); ++k) CHECK(random[k] == Approx(expected[k]));
  const auto common = logged_jobs(log, 1, TraceStart::common);
  CHECK(arrivals_of(first_jobs(*common, 3, {3, 1, 4})) == arrivals_of(first_jobs(*common, 3, {3, 1, 5})));
  CHECK(common->dependence().kind == Dependence::Kind::start);
  CHECK(random != arrivals_of(first_jobs(*logged_jobs(log, 1, TraceStart::random), 5, {3, 1, 5})));
}

TEST_CASE("A log in the Standard Workload Format has run time times processors as demand", "[owner_jobs]") {
  const Folder folder;
  const JobLog log = log_of(folder,
                            "; Version: 2.2\n;  MaxProcs: 128\n"
                            "1 10 0 60 4 -1 -1 4 -1 -1 1 1 1 1 1 -1 -1 -1\n"
                            "2 20 5 30 -1 -1 -1 8 -1 -1 1 1 1 1 1 -1 -1 -1\n"
                            "3 25 5 -1 2 -1 -1 8 -1 -1 5 1 1 1 1 -1 -1 -1\n"
                            "4 30 5 7 -1 -1 -1 -1 -1 -1 1 1 1 1 1 -1 -1 -1\n");
  REQUIRE(log.jobs.size() == 3);  // one did not run
  CHECK(log.jobs[0].demand_s == 240);
  CHECK(log.jobs[1].arrival_s == 10);
  CHECK(log.jobs[1].demand_s == 240);
  CHECK(log.jobs[2].demand_s == 7);
  CHECK(log.total_s == 30);
}

TEST_CASE("Lines of partial executions are no jobs beside the job's own line, and one job without it", "[owner_jobs]") {
  const Folder folder;
  const auto line = [](int number, int submit, int run, int processors, int status) {
    return std::to_string(number) + " " + std::to_string(submit) + " 5 " + std::to_string(run) + " " +
           std::to_string(processors) + " -1 -1 1 -1 -1 " + std::to_string(status) + " 1 1 -1 1 -1 -1 -1\n";
  };
  const std::string rest = line(3, 100, 200, 1, 1) + line(4, 900, 50, 1, 0);
  const JobLog whole = log_of(folder, line(1, 0, 300, 1, 1) + rest);
  CHECK(whole.remarks.empty());
  const JobLog parts = log_of(folder, line(1, 0, 300, 1, 1) + line(1, 0, 100, 1, 2) + line(1, -1, 150, 1, 2) + line(1, -1, 50, 1, 3) + rest);
  REQUIRE(parts.jobs.size() == whole.jobs.size());
  for (std::size_t i = 0; i < whole.jobs.size(); ++i) {
    CHECK(parts.jobs[i].arrival_s == whole.jobs[i].arrival_s);
    CHECK(parts.jobs[i].demand_s == whole.jobs[i].demand_s);
  }
  CHECK(parts.total_s == whole.total_s);
  CHECK(parts.remarks == std::vector<std::string>{"3 lines of partial executions are left out (status 2, 3, 4): the jobs have lines of their own"});
  // No line of its own: 100 s on one processor and 75 s on two are 250 s, from when the first part was submitted.
  const JobLog alone = log_of(folder, rest + line(7, 120, 100, 1, 2) + line(7, -1, 75, 2, 4));
  REQUIRE(alone.jobs.size() == 3);
  CHECK(alone.jobs[1].arrival_s == 20);
  CHECK(alone.jobs[1].demand_s == 250);
  CHECK(alone.demand_s == 500);
  CHECK(alone.remarks == std::vector<std::string>{"1 job has lines of partial executions alone, which are added up"});
  CHECK_THROWS_WITH(log_of(folder, rest + line(7, -1, 75, 2, 4)),
                    Contains("jobs.txt:3: none of this job's partial executions (status 2, 3, 4) says when it was submitted"));
}

TEST_CASE("Jobs in any order are put in the one in which they come, which is said", "[owner_jobs]") {
  const Folder folder;
  const JobLog log = log_of(folder, "4 2\n3 1\n10 5\n");
  const JobLog sorted = log_of(folder, "3 1\n4 2\n10 5\n");
  CHECK(arrivals_of(log.jobs) == std::vector<double>{0, 1, 7});
  CHECK(log.jobs[0].demand_s == 1);
  CHECK(log.total_s == sorted.total_s);
  CHECK(log.remarks == std::vector<std::string>{"jobs do not stand in the order in which they come, 1 of them comes before"
                                                " the one above: they are put in order"});
  CHECK(sorted.remarks.empty());
}

TEST_CASE("What stands behind the standard's 18 fields is ignored, whatever it is, which is said", "[owner_jobs]") {
  const Folder folder;
  const auto line = [](int number, int submit, const std::string& rest) {
    return std::to_string(number) + "\t" + std::to_string(submit) + "\t5\t60\t2\t-1\t-1\t2\t-1\t-1\t1\t1\t1\t-1\tshort\t1\t-1\t-1" + rest + "\n";
  };
  const JobLog plain = log_of(folder, "; UnixStartTime: 1000\n" + line(1, 0, "") + line(2, 30, " ; a comment"));
  CHECK(plain.remarks.empty());
  CHECK(plain.first.kind == StampKind::utc);
  CHECK(plain.demand_s == 240);
  const JobLog more = log_of(folder, "; UnixStartTime: 1000\n" + line(1, 0, "\tnodes=1:ppn=2;x86#1\tcl_a") + line(2, 30, "\t-1"));
  CHECK(more.jobs.size() == 2);
  CHECK(more.demand_s == plain.demand_s);
  CHECK(more.total_s == plain.total_s);
  CHECK(more.remarks == std::vector<std::string>{
                            "what stands behind the 18 fields of the Standard Workload Format is ignored (up to 20 in a line)"});
}

TEST_CASE("A comma in a comment, or behind the standard's fields, makes no table of a log", "[owner_jobs]") {
  const Folder folder;
  CHECK(log_of(folder, "10 5 # first, short\n20 5\n").demand_s == 10);
  const std::string rest = " 60 1 -1 -1 1 -1 -1 1 1 1 -1 1 1 -1 -1 a,b\n";
  CHECK(log_of(folder, "1 0 5" + rest + "2 30 5" + rest).demand_s == 120);
}

TEST_CASE("CSV is read by the names of its columns: Batsim's, evalys', or time and demand, with tabs too", "[owner_jobs]") {
  const Folder folder;
  // The jobs of 60 s on 2 and of 30 s on 4 processors; one was rejected. The names of today's Batsim, and of before 3.
  const std::string batsim =
      "job_id,workload_name,profile,submission_time,requested_number_of_resources,requested_time,success,final_state,"
      "starting_time,execution_time,finish_time,waiting_time,turnaround_time,stretch,allocated_resources,consumed_energy,metadata\n"
      "w0!2,w0,p1,10.5,4,100,1,COMPLETED_SUCCESSFULLY,20,30,50,9.5,39.5,1.3,0-3,-1,\"a,b\"\n"
      "w0!1,w0,p0,0,2,100,1,COMPLETED_SUCCESSFULLY,0,60,60,0,60,1,4-5,-1,\n"
      "w0!3,w0,p0,20,2,100,0,REJECTED,,,,,,,,,\n";
  const std::string evalys =
      ",jobID,submission_time,requested_number_of_processors,requested_time,success,starting_time,execution_time,"
      "finish_time,waiting_time,turnaround_time,stretch,allocated_processors\n"
      "0,1,0.0,2,100,1,0.0,60.0,60.0,0.0,60.0,1.0,4-5\n1,2,10.5,4,100,1,20.0,30.0,50.0,9.5,39.5,1.3,0-3\n";
  for (const std::string& text : {batsim, evalys, std::string("time,demand\n0,120\n10.5,120\n"),
                                  std::string("demand\tuser\ttime\n120\tann b\t0\n120\tbo\t10.5\n")}) {
    const JobLog log = log_of(folder, text);
    INFO(text);
    CHECK(arrivals_of(log.jobs) == std::vector<double>{0, 10.5});
    CHECK(log.demand_s == 240);
    CHECK(log.total_s == 21);
    CHECK(log.remarks.size() == (text == batsim ? 1 : 0));
  }
}

TEST_CASE("What is wrong with a log of jobs is told with its line", "[owner_jobs][error]") {
  const Folder folder;
  const std::pair<std::string, std::string> table[] = {
      {"1 2 3\n", "jobs.txt:1: there are 3 numbers in this line; a log has 2 numbers in each line"},
      {"1 2\n\n3\n", "jobs.txt:3: there is 1 number in this line"},
      {"1 2\nx 3\n", "jobs.txt:2: 'x' is no number"},
      {"1 2\n\xE2\x88\x92" "3 1\n", "jobs.txt:2: '\xE2\x88\x92" "3' is no number: it holds '\xE2\x88\x92' (U+2212, a typographic minus"},
      {"start,end,cpus\n1,2,3\n", "jobs.txt:1: no format of logs of jobs has these columns: 'start,end,cpus'; a log has 2 numbers in"
                                  " each line, a time and a demand, or the 18 of the Standard Workload Format, or a head"},
      {"time,demand\n1,2,3\n", "jobs.txt:2: there are 3 fields in this line, and the head has 2"},
      {"time,demand\n1,x\n", "jobs.txt:2: 'x' is no number"},
      {"-4 2\n3 1\n", "jobs.txt:1: a time is 0 s or more, not -4"},
      {"4 2\n5 -1\n", "jobs.txt:2: a demand is 0 s or more, not -1"},
      {"0 1e308\n1 1e308\n2 1\n", "the demands of this file add up to more than doubles hold"},
      {"4 2\n", "fewer than two jobs"},
      {"", "fewer than two jobs"},
      {"4 2\n4 3\n", "all jobs of this file come at one time"},
      {"4 0\n5 0\n", "need 0 s"},
  };
  for (const auto& [text, sentence] : table) CHECK_THROWS_WITH(log_of(folder, text), Contains(sentence));
  CHECK_THROWS_WITH(read_job_log(folder.path() + "/none"), Contains("no such file"));
}

TEST_CASE("The pilot's figures are the closed forms where these are known", "[owner_jobs][statistical]") {
  // A Weibull law of sd/mean 1 is the exponential, which nobody has told.
  for (const Discipline discipline : kDisciplines)
    for (const int cores : {1, 3}) {
      INFO("discipline " << static_cast<int>(discipline) << ", " << cores << " cores");
      const double interval_s = 2 / (0.6 * cores);
      const OwnerJobs known(exponential(interval_s), gamma(2, 3), discipline, cores, "known");
      const OwnerJobs pilot(weibull(interval_s, 1), gamma(2, 3), discipline, cores, "pilot");
      CHECK(known.moments().are_exact);
      CHECK(known.describe() == "known");
      CHECK(pilot.moments().are_exact == (cores == 1 && discipline == Discipline::preemptive_priority));
      const auto &exact = known.beside_task(), &found = pilot.beside_task();
      if (cores == 1) CHECK(found.mean == Approx(0.4).epsilon(1e-12));
      else check_estimate(found.mean, found.mean_error, exact.mean);
      if (pilot.moments().are_exact) CHECK(found.sd == Approx(exact.sd));
      else check_estimate(found.sd, found.sd_error, exact.sd);
      CHECK(found.slowdown == Approx(exact.slowdown).epsilon(0.05));
      CHECK(pilot.moments().mean == found.mean);
      CHECK(pilot.identity() == "pilot");
      if (!pilot.moments().are_exact) CHECK_THAT(pilot.describe(), Contains("pilot, in the long run mean ") && Contains("±"));
    }
}

TEST_CASE("Regular arrivals of exponential demands are D/M/1", "[owner_jobs][statistical]") {
  // P(n) = u(1-s)s^(n-1) with s = exp(-(1-s)/u) (Kleinrock, Queueing Systems 1, 1975, 6.4), under sharing as in a queue.
  const double u = 0.5;
  double s = 0.2;
  for (int k = 0; k < 200; ++k) s = std::exp(-(1 - s) / u);
  const OwnerJobs owner(constant(2), exponential(1), Discipline::processor_sharing, 1, "D/M/1");
  OwnerJobsClock clock(owner, {});
  Stream moments({1, 0, 0, Purpose::workload});
  constexpr int kLooks = 200'000;
  double left = 0;
  for (int k = 0; k < kLooks; ++k) {
    clock.idle_until(2 * (k + moments.uniform()));
    left += owner.shares(clock.present(), true).task / kLooks;
  }
  CHECK(left == Approx(1 - u + u * (1 - s) * (-std::log1p(-s) - s) / (s * s)).epsilon(0.01));
  CHECK(owner.moments().mean == Approx(0.5));
}

TEST_CASE("On one core a task is left 1 - u in the long run, however jobs come", "[owner_jobs][statistical]") {
  DistributionPtr bursts = two_point(0, 4);
  for (const Discipline discipline : kDisciplines)
    for (const auto& source :
         {renewal_jobs(bursts, lognormal(1, 2)), renewal_jobs(lognormal(2, 2), constant(1)),
          jobs_by_hour(renewal_jobs(exponential(7), exponential(30)), office({}), 1)}) {
      const OwnerJobs owner(source, discipline, 1, "any");
      OwnerJobsClock clock(owner, {9, 0, 0});
      const double period_s = source->period_s(), time_s = period_s > 0 ? 40 * period_s : 4e5;
      const double end_s = clock.finish(0, owner.moments().mean * time_s);
      INFO("u = " << owner.utilisation());
      CHECK(end_s == Approx(time_s).epsilon(0.02));
      CHECK(owner.moments().mean == Approx(1 - owner.utilisation()));
    }
}

TEST_CASE("A pattern by hour makes owner jobs come by the hour", "[owner_jobs][diurnal]") {
  const auto base = poisson_jobs(0.5, exponential(20), Discipline::processor_sharing, 2);
  const OwnerPtr owner = diurnal_owner(base, office({}));
  REQUIRE(owner->jobs() != nullptr);
  CHECK(owner->jobs()->utilisation() == Approx((18 * 0.2 + 2 * 0.5) / 24));
  CHECK(owner->dependence().kind == Dependence::Kind::clock);
  CHECK(owner->identity() != base->identity());
  CHECK(owner->identity() != diurnal_owner(base, office(0))->identity());
  CHECK(diurnal_owner(base, {std::vector<double>(24, 1.0), {}})->is_dedicated());
  CHECK_THROWS_WITH(diurnal_owner(base, {std::vector<double>(24, 0.0), {}}), Contains("100 %"));
  JobLog log{.jobs = {{0, 1}, {9, 1}}, .first = {}, .total_s = 18, .demand_s = 2};
  const auto logged = jobs_owner(
      logged_jobs(std::make_shared<const JobLog>(log), 1, TraceStart::random), Discipline::processor_sharing, 1, "log");
  CHECK(logged->replayed_after_s() == 18);
  CHECK(logged->identity() == "log 0:1 9:1");
  CHECK_THROWS_WITH(diurnal_owner(logged, office({})), Contains("no pattern can be laid over it"));
}

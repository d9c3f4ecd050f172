// The solve block: sizes with closed forms, with chance, with a store; what it refuses.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "experiments/driver/sweeps/prepare.hpp"
#include "tests/experiments/driver/store_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

/// Two machines of 1 flop/s: tau = work/2.
std::string halves(const std::string& solve, const std::string& more = "") {
  return "nowsim: 1\nplatform: {workstations: 2, speed: 1f}\njob: {workload: base-task, work: 1f}\n"
         "split: {policy: equal}\nrun: {replications: 2}\nmetrics: [tau]\nsolve: " +
         solve + "\n" + more;
}
const std::string kExactly =
    "{key: job.work, metric: tau, equals: 200s, from: 1f, to: 1Mf, whole: false, tolerance: 1e-6}";

/// T is the first machine's alone, gamma with mean work/2 and a standard deviation of 10 s at 100 s: tau = work/2.
std::string drawn(const std::string& more = "") {
  return "nowsim: 1\nplatform: {speeds: [1f, 1000f]}\n"
         "job: {workload: stochastic-time, work: 1f, sd_first: 10s, sd_last: 0s, sd_at: 100s}\nsplit: {policy: equal}\n"
         "owner: {model: dedicated}\nmetrics: [tau]\nrun: {replications: 400}\n"
         "solve: {key: job.work, metric: tau, equals: 100s, from: 20f, to: 1Mf}\n" +
         more;
}

/// T = 100/N + N on N machines.
std::string counted(const std::string& goal, const std::string& metric, int to = 30) {
  return "nowsim: 1\nplatform: {speed: 1f}\n"
         "job: {workload: augmented-task, work: 100f, phases: 1, barrier_cost: =1 * N}\n"
         "metrics: [tau, speedup]\nrun: {replications: 1}\nsolve: {key: platform.workstations, metric: " +
         metric + ", goal: " + goal + ", from: 1, to: " + std::to_string(to) + "}\n";
}

const SolvedSize& found(const Experiment& solved, std::size_t point = 0) {
  return *solved.points.at(point).as<ReadyPoint>()->solved;
}
Estimate size_of(const Experiment& solved, std::size_t point = 0) { return found(solved, point).size; }
ResultTable run(const Experiment& solved) { return summarise(solved, run_experiment(solved, {1})); }

/// Solved out of a store and swept into it.
SweepOutcome solved_and_swept(const std::string& folder, const Experiment& experiment, int jobs = 1) {
  BatchStore store(folder, BatchStore::Access::write);
  RunOptions options;
  options.jobs = jobs;
  return sweep_into(store, "e", solve_sizes(experiment, &store, {jobs}), options);
}

}  // namespace

TEST_CASE("What is sought is said as far as it is the same for all points", "[reads][solve]") {
  CHECK(pending_searches(loaded(halves(kExactly))).sizes_text() ==
        "1 to be found first, by simulation, each by at most 60 trials: job.work where tau = 200 s");
  const std::string swept = "sweep: {solve.equals: [100s, 200s]}\n";
  CHECK_THAT(pending_searches(loaded(halves(kExactly, swept))).sizes_text(),
             Contains("job.work where tau has a given value"));
  CHECK(pending_searches(loaded(counted("largest", "speedup"))).sizes_text() ==
        "1 to be found first, by simulation, each by at most 30 trials: platform.workstations where speedup is "
        "largest");
}

TEST_CASE("Loading finds no size, and says which are sought", "[solve]") {
  const Experiment e = loaded(halves(kExactly));
  CHECK(e.open_sizes() == 1);
  CHECK(e.points.front().scenario()->workload->program().work_flop == 1);
  CHECK_FALSE(e.points.front().as<ReadyPoint>());
  CHECK_THROWS_AS(run_experiment(e, {1}), std::logic_error);
  CHECK(solve_sizes(e).open_sizes() == 0);
}

TEST_CASE("The work is found that takes a given time", "[solve]") {
  const Experiment solved = solve_sizes(loaded(halves(kExactly)));
  CHECK(size_of(solved).value == Approx(400).epsilon(1e-6));
  CHECK(size_of(solved).low <= 400 * (1 + 1e-8));  // a secant is no tangent
  CHECK(size_of(solved).high >= 400 * (1 - 1e-8));
  CHECK(found(solved).work_per_power_s.value == size_of(solved).value / 2);
  CHECK_FALSE(found(solved).efficiency);
  CHECK(run(solved).rows[0].estimates[0][0].value == Approx(200).epsilon(1e-6));
}

TEST_CASE("The first number of phases is found that takes longer than a given time", "[solve]") {
  // tau = 100 + 0.7·phases, 150 at 71.4.
  const Experiment solved =
      solve_sizes(loaded(halves("{key: job.phases, metric: tau, equals: 150s, from: 1, to: 100k, tolerance: 0.01%}"),
                         {"job={workload: augmented-task, work: 200f, barrier_cost: 0.7s}"}));
  CHECK(size_of(solved).value == 72);
  CHECK(size_of(solved).low == 71);
  CHECK(size_of(solved).high == 72);
}

TEST_CASE("Where only a rise counts a metric's fall at the smallest sizes is passed", "[solve]") {
  // T = 100/N + N falls to N = 10, and rises beyond: 40 s at 2.7 and at 37.3.
  const auto answer_of = [](const std::string& more) {
    const Experiment solved = solve_sizes(
        loaded("nowsim: 1\nplatform: {speed: 1f}\nmetrics: [tau]\nrun: {replications: 1}\n"
               "job: {workload: augmented-task, work: 100f, phases: 1, barrier_cost: =1 * N}\n"
               "solve: {key: platform.workstations, metric: tau, equals: 40s, from: 1, to: 1000, tolerance: " + more + "}\n"));
    return solved.points[0].as<ReadyPoint>() ? size_of(solved).value : 0;
  };
  CHECK(answer_of("0.1%") == 3);
  CHECK(answer_of("0.1%, crossing: rising") == 38);
  CHECK(answer_of("10%, crossing: rising") >= 33);
}

TEST_CASE("The number of machines is found that bring a job down to a given time", "[solve]") {
  const Experiment solved = solve_sizes(
      loaded(halves("{key: platform.workstations, metric: tau, equals: 50s, from: 1, to: 100}"), {"job.work=400f"}));
  CHECK(size_of(solved).value == 8);
  CHECK(solved.points[0].scenario()->size() == 8);
}

TEST_CASE("Whole rows make an efficiency rise and fall: the first crossing, and all sizes that meet the tolerance",
          "[solve]") {
  const std::string cluster =
      "nowsim: 1\nplatform: {network: switch, bandwidth: 1.5Gbps, latency: 5us,\n"
      "  speeds: [527Mf, 527Mf, 527Mf, 207.3Mf, 207.3Mf, 207.3Mf, 207.3Mf, 207.3Mf]}\n"
      "job: {workload: gauss, size: 10}\nsplit: {policy: proportional}\nowner: {model: dedicated}\n"
      "run: {replications: 2}\nmetrics: [eps]\n";
  const auto answer = [&](const std::string& tolerance) {
    return solve_sizes(loaded(cluster + "solve: {key: job.size, metric: eps, equals: 0.5, from: 1, to: 1000000, "
                                        "tolerance: " + tolerance + "}\n"));
  };
  const Experiment tight = answer("0.1%"), wide = answer("1%");
  CHECK(size_of(tight).value == 428);  // 0.49995; 429: 0.49961, 430: 0.50090, 433: 0.49905, 434: 0.50314
  CHECK(size_of(tight).low == 428);
  CHECK(size_of(tight).high == 430);
  CHECK(tight.remarks == std::vector<std::string>{"solve: eps is not monotone in job.size: it passes 0.5 first at 430, "
                                                  "last at 434, and is within 0.1 % of it from 428 to 429"});
  CHECK(size_of(wide).value == 430);
  CHECK(size_of(wide).low == 425);
  CHECK(size_of(wide).high == 437);
}

TEST_CASE("Every point has its own target and bracket, and points keep their places", "[solve]") {
  const std::string spec = halves("{key: job.work, metric: tau, equals: =let.t, from: =let.t / 10, to: 1000f}",
                                  "let: {t: 1}\nsweep: {platform.workstations: [1, 2, 4], let.t: [100, 200, 1000]}\n");
  const Experiment solved = solve_sizes(loaded(spec));
  const double expected[] = {100, 200, 1000, 200, 400, 0, 400, 800, 0};
  const ResultTable summary = run(solved);
  for (std::size_t p = 0; p < 9; ++p) {
    CHECK(summary.rows[p].values == loaded(spec).points[p].values);
    CHECK(summary.rows[p].status == (expected[p] > 0 ? PointStatus::ok : PointStatus::unsolved));
    if (expected[p] > 0) CHECK(size_of(solved, p).value == Approx(expected[p]).epsilon(0.011));
  }
  CHECK_THAT(summary.rows[5].reason, Contains("from 100 to 1000 has tau = 1000 s: at most 500 s (at 1000)"));
  CHECK_FALSE(summary.has_failures());
}

TEST_CASE("With chance a size's interval covers the exact answer as often as it says", "[solve][statistics]") {
  const Experiment solved =
      solve_sizes(loaded(drawn("sweep: {run.seed: {from: 1, to: 60, step: 1}}\n")), nullptr, {2});
  int covered = 0, precise = 0;
  for (std::size_t p = 0; p < 60; ++p) {
    const Estimate size = size_of(solved, p);
    covered += size.low <= 200 && 200 <= size.high ? 1 : 0;
    precise += size.high - size.low < 12 ? 1 : 0;  // 2·2·0.5 s of 100 s is 4 of 200, and the tolerance
  }
  CHECK(covered >= 52);  // of 57 expected: three standard deviations
  CHECK(precise == 60);
}

TEST_CASE("The same sizes for any number of jobs, stored or not, and no trial is simulated twice", "[solve][store]") {
  const Folder folder;
  const Experiment e = loaded(drawn("sweep: {job.sd_first: [5s, 10s, 20s]}\n"));
  const auto one = solved_and_swept(folder.path() + "/one", e, 1), two = solved_and_swept(folder.path() + "/two", e, 2);
  CHECK(csv(one.summary) == csv(two.summary));
  CHECK(csv(one.summary) == csv(run(solve_sizes(e))));
  CHECK(one.progress.replications_done == 3 * 400);  // of trials estimates alone are kept
  const std::string kept = "SELECT count(*), (SELECT count(*) FROM trial) FROM batch";
  const auto before = sql(folder.path() + "/one", kept);
  CHECK_THAT(before.at(0), Catch::StartsWith("12|"));
  CHECK(csv(solved_and_swept(folder.path() + "/one", e, 2).summary) == csv(one.summary));
  CHECK(sql(folder.path() + "/one", kept) == before);
  CHECK(sql(folder.path() + "/one", "SELECT name FROM experiment") == std::vector<std::string>{"e"});
}

TEST_CASE("A search tells which share of it was simulated, and of a stored one that is none", "[solve][store]") {
  const Folder folder;
  const Experiment e = loaded(drawn("sweep: {job.sd_first: [5s, 10s]}\n"));
  BatchStore store(folder.path() + "/store", BatchStore::Access::write);
  const auto last_progress = [&] {
    SizeProgress last;
    solve_sizes(e, &store, {1, [&](const SizeProgress& p) { last = p; }});
    return last;
  };
  const SizeProgress first = last_progress(), again = last_progress();
  CHECK(first.share > 0);
  CHECK(first.simulated == Approx(first.share));
  CHECK(again.share == Approx(first.share));
  CHECK(again.simulated == 0);
}

TEST_CASE("An interrupted search goes on from its stored trials to the same bytes", "[solve][store]") {
  const Folder folder;
  const std::string store = folder.path() + "/store";
  const Experiment e = loaded(drawn("sweep: {job.sd_first: [5s, 10s]}\n"));
  {
    BatchStore open(store, BatchStore::Access::write);
    std::size_t rounds = 0;
    CHECK_THROWS_AS(
        solve_sizes(e, &open, {1, [&](const SizeProgress& p) { rounds = p.round; }, [&] { return rounds == 3; }}),
        Interrupted);
  }
  CHECK(sql_number(store, "SELECT count(*) FROM trial") > 0);
  CHECK(sql(store, "SELECT name FROM experiment").empty());
  CHECK(csv(solved_and_swept(store, e).summary) == csv(run(solve_sizes(e))));
}

TEST_CASE("A forecast knows the sizes whose trials are stored", "[solve][store]") {
  const Folder folder;
  const std::string store = folder.path() + "/store";
  const Experiment e = loaded(drawn("sweep: {job.sd_first: [5s, 10s]}\n"));
  CHECK(forecast_sweep(nullptr, e).open.sizes == 2);
  CHECK(forecast_sweep(nullptr, e).open.trials == 60);
  solved_and_swept(store, loaded(drawn(), {"job.sd_first=5s"}));
  BatchStore open(store, BatchStore::Access::read);
  const SweepForecast forecast = forecast_sweep(&open, e);
  CHECK(forecast.open.sizes == 2);  // a round is known as a whole
  const SweepForecast known = forecast_sweep(&open, loaded(drawn(), {"job.sd_first=5s"}));
  CHECK(known.open.sizes == 0);
  CHECK(known.replications_stored == known.replications);
}

TEST_CASE("The best number of machines is found where each costs something", "[solve]") {
  const Experiment shortest = solve_sizes(loaded(counted("smallest", "tau")));
  CHECK(size_of(shortest).value == 10);
  CHECK(run(shortest).rows[0].estimates[0][0].value == Approx(20));
  const Experiment fastest = solve_sizes(loaded(counted("largest", "speedup")));
  CHECK(size_of(fastest).value == 11);  // the baseline pays for N too: (100 + N)/(100/N + N)
}

TEST_CASE("It is remarked where the best lies at an end of the range, and what of it cannot be realised", "[solve]") {
  const auto remarks = [](const std::string& spec) { return solve_sizes(loaded(spec)).remarks; };
  CHECK(remarks(counted("smallest", "tau")).empty());
  CHECK(remarks(counted("smallest", "tau", 8)) ==
        std::vector<std::string>{
            "solve: tau is smallest at an end of platform.workstations from 1 to 8: it may be smaller beyond"});
  const auto refused = remarks(
      "nowsim: 1\nplatform: {workstations: 3, speed: 1f}\njob: {workload: base-task, work: 100f}\n"
      "owner: {model: intervals, TH: =1 / let.n}\nmetrics: [tau]\nrun: {replications: 50}\n"
      "sweep: {job.work: [100f, 200f]}\n"
      "solve: {key: let.n, metric: tau, goal: largest, from: 1, to: 5}\n");
  REQUIRE(refused.size() == 1);  // for both points
  CHECK_THAT(refused[0], Contains("solve: job.work=100f and 1 more point: 1 of let.n from 1 to 5 cannot be realised "
                                  "and does not count, the first at 1: "));
}

TEST_CASE("A size that a model refuses does not exist", "[solve]") {
  // Uniform availabilities hold TH up to 0.577.
  const std::string e =
      "nowsim: 1\nplatform: {workstations: 8, speed: 1f}\njob: {workload: base-task, work: 800f}\n"
      "owner: {model: intervals}\nrun: {replications: 100}\nmetrics: [tau]\n";
  const std::string solve = "solve: {key: owner.TH, metric: tau, from: 0.05, to: 2, whole: false, equals: ";
  const ResultTable summary = run(solve_sizes(loaded(e + solve + "400s}\n")));
  CHECK(summary.rows[0].status == PointStatus::unsolved);
  CHECK_THAT(summary.rows[0].reason, Contains("no owner.TH from 0.05 to 2 has tau = 400 s: at most 2") &&
                                         Contains("(at 0.577") && Contains("cannot be realised: "));
  CHECK(run(solve_sizes(loaded(e + solve + "230s}\n"))).rows[0].estimates[0][0].value == Approx(230).epsilon(0.01));
}

TEST_CASE("A size with which there is nothing to do is passed", "[solve]") {
  // One element is sorted without an operation and without a message: no time, no efficiency.
  const std::string e =
      "nowsim: 1\nplatform: {workstations: 2, speed: 1Gf, network: links, latency: 1us, bandwidth: 1GBps}\n"
      "job: {workload: merge-sort}\nrun: {replications: 1}\nmetrics: [E]\n"
      "solve: {key: job.size, metric: E, equals: 50%, from: 1, to: 1e6}\n";
  const Experiment solved = solve_sizes(loaded(e));
  REQUIRE(run(solved).rows[0].status == PointStatus::ok);
  CHECK(size_of(solved).value > 2);
  CHECK(run(solved).rows[0].estimates[0][0].value == Approx(0.5).epsilon(0.01));
}

TEST_CASE("A point of which a trial fails has failed, and costs only itself", "[solve][error]") {
  const Folder files;
  const std::string e =
      "nowsim: 1\nplatform: {}\njob: {workload: base-task, work: 300f}\nrun: {replications: 2, engine: direct}\nmetrics: [tau]\n"
      "solve: {key: job.work, metric: tau, equals: 100s, from: 1, to: 1000}\nsweep: {platform.file: " + platforms_for_one_engine_and_both(files) + "}\n";
  const ResultTable summary = run(solve_sizes(loaded(e)));
  CHECK(summary.rows[0].status == PointStatus::failed);
  CHECK_THAT(summary.rows[0].reason,
             Contains("its size could not be found: at job.work = 1: ") && Contains("the engine direct cannot run this"));
  CHECK(summary.rows[1].status == PointStatus::ok);
  CHECK(summary.has_failures());
}

TEST_CASE("Machines are added until the risk falls from certainty", "[solve]") {
  const std::string e =
      "nowsim: 1\nplatform: {workstations: 4, speed: 1}\njob: {workload: base-task, work: 1000f}\n"
      "owner: {model: intervals, TH: 0.3}\nrun: {replications: 100, deadline: 60s}\nmetrics: [RF]\n"
      "solve: {key: platform.workstations, metric: RF, equals: 5%, from: 1, to: 200}\n";
  const ResultTable summary = run(solve_sizes(loaded(e)));
  REQUIRE(summary.rows[0].status == PointStatus::ok);
  CHECK(summary.rows[0].estimates[0][0].value <= 0.05);
}

TEST_CASE("Sizes that would take too long are not tried", "[solve]") {
  const std::string e =
      "nowsim: 1\nplatform: {workstations: 2, speed: 1f}\njob: {workload: base-task, work: 1f}\n"
      "owner: {model: intervals, TH: 0.3}\nrun: {replications: 10}\nmetrics: [tau]\n"
      "solve: {key: job.work, metric: tau, from: 1e14, to: 1e308, equals: 1e300}\n";
  const ResultTable none = run(solve_sizes(loaded(e)));
  CHECK(none.rows[0].status == PointStatus::unsolved);
  CHECK_THAT(none.rows[0].reason, Contains("its 10 replications would take ") && Contains("on one core"));
  const ResultTable small = run(solve_sizes(loaded(e, {"solve.from=1", "solve.equals=200"})));
  CHECK(small.rows[0].estimates[0][0].value == Approx(200).epsilon(0.011));
}

TEST_CASE("Scalability has the interval of the sizes at equal efficiency, whatever key was sought", "[solve]") {
  const auto scaled = [](const std::string& solve) {
    return run(solve_sizes(loaded(
        "nowsim: 1\nplatform: {workstations: 2, speed: 1Mf, network: bus, bandwidth: 1MBps, latency: 1ms}\n"
        "job: {workload: ep, size: 1000}\nsplit: {policy: equal}\nowner: {model: duty-cycle, u: 10%, period: 10ms}\n"
        "run: {replications: 50, reference: platform.workstations}\nmetrics: [scale_e, scale_work]\n"
        "sweep: {platform.workstations: [2, 4]}\nsolve: " + solve + "\n"))).rows[1];
  };
  const ResultRow by_speed = scaled("{key: platform.speed, metric: E, equals: 50%, from: 1e3, to: 1e12, whole: false}");
  const ResultRow by_size = scaled("{key: job.size, metric: E, equals: 50%, from: 4, to: 1e7}");
  for (const ResultRow& row : {by_speed, by_size})
    for (const auto& metric : row.estimates) {
      CHECK(metric[0].low <= metric[0].value);
      CHECK(metric[0].value <= metric[0].high);
      CHECK(metric[0].half_width() > 0);
      CHECK(metric[0].half_width() < metric[0].value);
    }
  // Of other goals both latencies' own intervals hold.
  const ResultRow by_time = scaled("{key: job.size, metric: tau, equals: 100ms, from: 4, to: 1e7}");
  CHECK(by_time.estimates[0][0].half_width() > 0);
}

TEST_CASE("Sizes are found by either of Bosque et al.'s efficiencies, and know by which", "[solve][bosque]") {
  // tau = W/(2 a) + 3 on two machines of which owners leave a: W = 2 a·3·eps_a/(1 - eps_a), eps = a·eps_a.
  const std::string e =
      "nowsim: 1\nplatform: {workstations: 2, speed: 1f}\nmetrics: [eps, eps_a, solved, n_BO]\n"
      "job: {workload: augmented-task, work: 1f, phases: 1, barrier_cost: 3s}\nsplit: {policy: equal}\n"
      "owner: {model: duty-cycle, u: 50%, period: 100us, phase: aligned}\nrun: {replications: 2}\n"
      "solve: {key: job.work, metric: eps_a, equals: 75%, from: 0.1f, to: 1e6f, whole: false, tolerance: 1e-5}\n";
  const Experiment left = solve_sizes(loaded(e));
  CHECK(size_of(left).value == Approx(2 * 0.5 * 3 * 3).epsilon(1e-4));
  CHECK(found(left).value_of(Efficiency::eps_a) == std::optional(0.75));
  CHECK_FALSE(found(left).value_of(Efficiency::eps));
  CHECK(run(left).rows[0].estimates[0][0].value == Approx(0.375).epsilon(1e-4));
  CHECK(std::isnan(run(left).rows[0].estimates[3][0].value));  // no closed form
  const Experiment all = solve_sizes(loaded(e, {"solve.metric=eps", "solve.equals=0.375"}));
  CHECK(size_of(all).value == Approx(9).epsilon(1e-4));
  CHECK(found(all).value_of(Efficiency::eps) == std::optional(0.375));
  CHECK_FALSE(found(solve_sizes(loaded(e, {"solve.metric=T_o", "solve.equals=12s"}))).efficiency);
}

TEST_CASE("A flag that gives the size leaves nothing to be solved", "[solve]") {
  const Experiment e = loaded(halves(kExactly), {"job.work=100f"});
  CHECK(e.open_sizes() == 0);
  CHECK(e.points[0].scenario()->workload->program().work_flop == 100);
  REQUIRE(e.remarks.size() == 1);
  CHECK_THAT(e.remarks[0], Contains("--set: job.work: ") && Contains("nothing is solved for"));
}

TEST_CASE("What solve blocks get wrong is said with its key", "[solve][error]") {
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"{metric: tau, equals: 200s, from: 1, to: 9}", "e.yaml:7: solve.key: this key is missing"},
      {"{key: job.wrok, metric: tau, equals: 200s, from: 1, to: 9}",
       "e.yaml:7: job.wrok: this key is not known; did you mean 'job.work'?"},
      {"{key: job.phases, metric: tau, equals: 200s, from: 1, to: 9}",
       "job.phases: this key has no effect here: it belongs to augmented-task"},
      {"{key: run.seed, metric: tau, equals: 200s, from: 1, to: 9}", "solve.key: 'run.seed' cannot be solved for"},
      {"{key: job, metric: tau, equals: 200s, from: 1, to: 9}", "solve.key: 'job' cannot be solved for"},
      {"{key: [job.work], metric: tau, equals: 200s, from: 1, to: 9}", "solve.key: one key is wanted here"},
      {"{key: job.work, equals: 200s, from: 1, to: 9}", "solve.metric: this key is missing"},
      {"{key: job.work, metric: tua, equals: 200s, from: 1, to: 9}",
       "solve.metric: there is no metric 'tua'; did you mean 'tau'?"},
      {"{key: job.work, metric: T_i, equals: 200s, from: 1, to: 9}", "'T_i' is a metric of each workstation"},
      {"{key: job.work, metric: TH, equals: 0.3, from: 1, to: 9}", "'TH' follows from the description alone"},
      {"{key: job.work, metric: RF, equals: 5%, from: 1, to: 9}", "run.deadline: the metric RF needs a deadline"},
      {"{key: job.work, metric: tau, from: 1, to: 9}", "solve.equals: a value that the metric is to have is wanted"},
      {"{key: job.work, metric: tau, equals: 200s, goal: largest, from: 1, to: 9}",
       "solve.equals: either this or 'goal' is wanted"},
      {"{key: job.work, metric: tau, goal: fastest, from: 1, to: 9}", "'fastest' is not one of: largest, smallest"},
      {"{key: job.work, metric: tau, equals: soon, from: 1, to: 9}", "solve.equals: 'soon' is not a time"},
      {"{key: job.work, metric: tau, equals: 10%, from: 1, to: 9}", "solve.equals: '10%' is not a time"},
      {"{key: job.work, metric: RF, equals: 10s, from: 1, to: 9}", "solve.equals: '10s' is not a fraction"},
      {"{key: job.work, metric: reduction, equals: 10f, from: 1, to: 9}", "solve.equals: '10f' is not a fraction"},
      {"{key: job.work, metric: tau, equals: 200s, from: soon, to: 9}", "solve.from: 'soon' is not a number"},
      {"{key: job.work, metric: tau, equals: 200s, from: 1s, to: 9}",
       "e.yaml:7: solve.from: '1s' is a time on a machine; work that is sought is told in flop"},
      {"{key: job.work, metric: tau, equals: 200s, from: 10h at 2, to: 9}",
       "e.yaml:7: solve.from: the speed '2' has no unit; write one, as in '10h at 2.5Gf'\n"},
      {"{key: job.work, metric: tau, equals: 200s, from: 1h of b, to: 9}",
       "e.yaml:7: solve.from: '1h of b' is a time on a machine; work that is sought is told in flop, such as 3.6Tf\n"},
      {"{key: job.work, metric: tau, equals: 200s, from: 10f, to: 900k}",
       "solve.to: 'job.work' takes no such unit: '0.01k' is not an amount of work"},
      {"{key: platform.workstations, metric: tau, equals: 200s, from: 1, to: 9f}",
       "solve.to: 'platform.workstations' takes no such unit: '1f' is not a count"},
      {"{key: job.work, metric: tau, equals: 200s, to: 9}", "solve.from: this key is missing"},
      {"{key: job.work, metric: tau, equals: 200s, from: 1}", "solve.to: this key is missing"},
      {"{key: job.work, metric: tau, equals: 200s, from: 0, to: 9}", "solve.from: 0 is out of range"},
      {"{key: job.work, metric: tau, equals: 200s, from: 9, to: 9}",
       "solve.from: this must be less than 'to': 9 and 9"},
      {"{key: job.work, metric: tau, equals: 200s, from: 1, to: 9, tolerance: 0}",
       "solve.tolerance: 0 is out of range"},
      {"{key: job.work, metric: tau, equals: 200s, from: 1, to: 9, tolerance: 100%}",
       "solve.tolerance: this must be less than 1"},
      {"{key: job.work, metric: tau, equals: 200s, from: 0.01, to: 9}",
       "solve.from: whole numbers are sought, and 0.01 is none; one is wanted, or 'whole: false'"},
      {"{key: job.work, metric: tau, equals: 200s, from: 1, to: 9.5}", "solve.to: whole numbers are sought"},
      {"{key: job.work, metric: tau, equals: 200s, from: 1, to: 9, whole: maybe}",
       "solve.whole: 'maybe' is not one of"},
      {"{key: job.work, metric: tau, goal: largest, from: 1, to: 9, whole: false}",
       "solve.whole: the best is sought among whole numbers"},
      {"{key: job.work, metric: tau, goal: largest, from: 1, to: 1001}",
       "solve.to: the best of 1001 values is too much to ask"},
      {"{key: platform.workstations, metric: tau, equals: 2s, from: 1, to: 9, whole: false}",
       "solve.whole: 'platform.workstations' cannot be any number"},
      {"{key: job.work, metric: tau, equals: 200s, from: 1, to: 9, form: 3}",
       "solve.form: this key is not known; did you mean 'solve.from'?"},
      {"soon", "solve: this section is a map of keys and values"}};
  for (const auto& [solve, sentence] : wrong) {
    INFO(solve);
    CHECK_THAT(problems_of(halves(solve)), Contains(sentence));
  }
  CHECK_THAT(problems_of(halves(kExactly, "sweep: {job.work: [1, 2]}\n")), Contains("solve.key: 'job.work' is swept"));
  CHECK_THAT(problems_of(halves(kExactly, "sweep: {solve.metric: [tau, T_50]}\n")), Contains("cannot be swept"));
  CHECK_THAT(problems_of(halves(kExactly), {"split={policy: optimal}", "owner={model: intervals, TH: 0.3}"}),
             Contains("split.policy: such a split is found by simulation, for one size"));
}

TEST_CASE("A problem in a solve block causes no others", "[solve][error]") {
  const std::string more = "let: {x: 2, y: 3}\nsweep: {run.replications: [=let.x, =let.y]}\n";
  for (const std::string solve :
       {"{metric: tau, equals: 200s, from: 1, to: 9}", "{key: run.seed, metric: tau, equals: 200s, from: 1, to: 9}",
        "{key: job.work, metric: tua, equals: 200s, from: 1, to: 9}",
        "{key: job.work, metric: {}, equals: 200s, from: 1, to: 9}",
        "{key: job.work, metric: tau, equals: 200s, from: 1}", "{key: job.work, metric: tau, equals: 200s, to: 9}",
        "{key: job.work, metric: tau, equals: 10%, from: 1, to: 9}",
        "{key: job.work, metric: tau, equals: 200s, goal: largest, from: 10, to: 10000}",
        "{key: job.work, metric: tau, goal: fastest, from: 10, to: 10000, whole: false}",
        "{key: job.work, metric: tau, equals: 200s, from: 1h of b, to: 9, whole: false}",
        "{key: job.work, metric: tau, equals: 200s, from: 1, to: 9s, whole: false}"}) {
    INFO(solve);
    std::string spec = halves(solve, more);
    spec.replace(spec.find(", work: 1f"), 10, "");  // it is sought
    const std::string found = problems_of(spec);
    INFO(found);
    CHECK(std::count(found.begin(), found.end(), '\n') == 1);
    CHECK_THAT(found, Contains("e.yaml:7: solve."));
  }
}

TEST_CASE("Of a first size that is refused it is said that sizes begin there", "[solve][error]") {
  const auto problems = [](const std::string& job, const std::string& from, const std::string& more = "") {
    return problems_of("nowsim: 1\nplatform: {workstations: 2, network: links, bandwidth: 1GBps}\n"
                       "job: {workload: edge-detection" + job + "}\n" + (more.empty() ? "metrics: [E]\n" : more) +
                       "solve: {key: job.size, metric: E, equals: 50%, from: " + from + ", to: 1e6}\n");
  };
  CHECK_THAT(problems("", "1"), Contains("it is 5 pixels wide, and size is 1") &&
                                    Contains("e.yaml:5: solve.from: sizes begin at job.size = 1, with which the "
                                             "experiment is refused; begin with a larger one"));
  CHECK(problems("", "5").empty());
  // What no size mends.
  CHECK_THAT(problems(", pixel: -1", "5"), Contains("job.pixel") && !Contains("solve.from"));
  CHECK_THAT(problems("", "5", "metrics: [RF]\n"), Contains("deadline") && !Contains("solve.from"));
  CHECK_THAT(problems("", "5", "split: {policy: optimal}\n"), Contains("split.policy") && !Contains("solve.from"));
}

TEST_CASE("Ends of a range have the units that the key takes", "[solve]") {
  const auto range = [](const std::string& key, const std::string& from, const std::string& to) {
    return loaded(halves("{key: " + key + ", metric: tau, equals: 2s, from: " + from + ", to: " + to + "}",
                         "owner: {model: duty-cycle, u: 50%, period: 1s}\n"))
        .points[0]
        .as<OpenSize>()->task->range_text();
  };
  CHECK(range("job.work", "7f", "2.5Mf") == "job.work from 7 to 2500000");
  CHECK(range("platform.workstations", "3", "1k") == "platform.workstations from 3 to 1000");
  CHECK(range("owner.period", "3000ms", "2min") == "owner.period from 3 to 120");
}

TEST_CASE("Percent means what the metric's unit says", "[solve]") {
  const auto target = [](const std::string& metric, const std::string& equals) {
    return loaded(halves("{key: job.work, metric: " + metric + ", equals: " + equals + ", from: 1, to: 9}"))
        .points[0]
        .as<OpenSize>()->task->target;
  };
  CHECK(target("speedup", "30%") == Approx(0.3));
  CHECK(target("reduction", "30%") == Approx(30));
  CHECK(target("reduction", "30") == 30);
  CHECK(loaded(halves("{key: job.work, metric: overhead, equals: 30%, from: 1, to: 9}"))
            .points[0]
            .as<OpenSize>()->task->goal_text() == "overhead = 30 %");
}

// Tests that recordings made at the same time are replayed from one moment, those of gaps, logs and copies too.
#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "sim/base/text.hpp"
#include "sim/metrics/metrics.hpp"
#include "sim/owners/diurnal.hpp"
#include "sim/owners/load_fit.hpp"
#include "sim/owners/owner.hpp"
#include "sim/owners/owner_jobs.hpp"
#include "sim/owners/owner_models.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

constexpr std::int64_t kNoon_s = 1'764'158'400;  // 26 November 2025, 12:00 UTC

/// Values by the clock, in steps of 10 s from a moment on, that a machine leaves: its own part of what all do.
std::shared_ptr<LoadSeries> recorded(std::int64_t first_s, std::size_t steps, double (*value)(std::int64_t at_s),
                                StampKind kind = StampKind::utc) {
  auto trace = std::make_shared<LoadSeries>();
  for (std::size_t i = 0; i < steps; ++i) trace->add(10, value(first_s + 10 * static_cast<std::int64_t>(i)));
  trace->first.kind = kind;
  trace->first.whole_s = first_s;
  return trace;
}
/// Two values that name the moment; that of `other` is 1 less.
double one(std::int64_t at_s) { return static_cast<double>((at_s / 10) % 997) / 997; }
double other(std::int64_t at_s) { return 1 - one(at_s); }

OwnerPtr replay(const std::shared_ptr<LoadSeries>& trace, TraceStart start = TraceStart::random, const std::string& file = "f",
                double correlation = 0) {
  return trace_owner(trace, start, "trace", correlation, file);
}

Replays together(std::vector<OwnerPtr> owners, std::vector<OwnerPtr> links = {}) {
  SharedParts shared;
  return replayed_together(std::move(owners), std::move(links), [](std::size_t i) { return "ws" + std::to_string(i + 1); },
                           shared);
}

double value_at(Path& path, double time_s) {
  for (double now_s = 0;;) {
    const Step step = path.next();
    if ((now_s += step.duration_s) > time_s) return step.value;
  }
}
double value_at(const Owner& owner, std::uint64_t replication, std::size_t machine, double time_s,
                Purpose purpose = Purpose::owner) {
  return value_at(*owner.path({1, replication, machine, purpose}), time_s);
}

/// Whether what two leave adds up to 1 in these replications at any of these times.
bool are_in_step(const Owner& a, std::size_t i, const Owner& b, std::size_t j, Purpose of_b = Purpose::owner) {
  int apart = 0;
  for (std::uint64_t k = 0; k < 50; ++k)
    for (const double time_s : {0.0, 33.0, 801.0, 2718.0, 9999.0})
      apart += std::abs(value_at(a, k, i, time_s) + value_at(b, k, j, time_s, of_b) - 1) > 1e-6;
  return apart == 0;
}

}  // namespace

TEST_CASE("What was recorded together is replayed together, over and over", "[computes][replay_together]") {
  const auto a = recorded(kNoon_s, 200, one), b = recorded(kNoon_s, 200, other);
  const Replays r = together({replay(a), replay(b)});
  CHECK(r.remarks.empty());
  CHECK(are_in_step(*r.owners[0], 0, *r.owners[1], 1));
  CHECK_FALSE(are_in_step(*replay(a), 0, *replay(b), 1));
  CHECK(r.owners[0]->dependence().kind == Dependence::Kind::start);
  CHECK(value_at(*r.owners[0], 1, 0, 0) != value_at(*r.owners[0], 2, 0, 0));
  // Each moment is equally likely.
  double sum = 0;
  constexpr int kReplications = 4000;
  for (std::uint64_t k = 0; k < kReplications; ++k) sum += value_at(*r.owners[0], k, 0, 0);
  CHECK(sum / kReplications == Approx(a->mean()).margin(5 * a->sd() / std::sqrt(kReplications)));
  // What 'common' replays beside it begins at another moment.
  const Replays four = together({replay(a, TraceStart::common), replay(b, TraceStart::common), replay(a), replay(b)});
  CHECK(are_in_step(*four.owners[0], 0, *four.owners[1], 1));
  CHECK(are_in_step(*four.owners[2], 2, *four.owners[3], 3));
  CHECK_FALSE(are_in_step(*four.owners[0], 0, *four.owners[3], 3));
}

TEST_CASE("Of recordings that overlap what all have is replayed", "[replay_together]") {
  const auto a = recorded(kNoon_s, 300, one), b = recorded(kNoon_s + 1000, 400, other);  // 2000 s, of 3000 and 4000
  const Replays r = together({replay(a), replay(b)});
  CHECK(are_in_step(*r.owners[0], 0, *r.owners[1], 1));
  for (const auto& owner : r.owners) CHECK(owner->replayed_after_s() == Approx(2000));
  REQUIRE(r.remarks.size() == 1);
  CHECK_THAT(r.remarks[0], Contains("ws1, ws2 share 2000 s, of 4000 s"));
  double mean = 0;
  for (int k = 0; k < 200; ++k) mean += one(kNoon_s + 1000 + 10 * k) / 200;
  CHECK(r.owners[0]->mean() == Approx(mean));
  // So many jobs of 100 s see time that does not overlap.
  Scenario s = computing(machines(2), 50, r.owners[0]);
  s.owners[1] = r.owners[1];
  Moments makespan_s;
  for (const double t : {90.0, 110.0}) makespan_s.add(t);
  CHECK(independent_stretches(s, makespan_s) == Approx(20));
}

TEST_CASE("What was recorded at another time, or at nobody knows which, is replayed alone, which is said",
          "[replay_together][remark]") {
  const auto a = recorded(kNoon_s, 200, one);
  const char *const too_little = "recordings of ws1, ws2 share too little time", *const clocks = "ws1, ws2 are by other clocks";
  for (const auto& [b, said] : {std::pair(recorded(kNoon_s + 86400, 200, other), too_little),
                                std::pair(recorded(kNoon_s + 1990, 200, other), too_little),
                                std::pair(recorded(kNoon_s, 200, other, StampKind::civil), clocks)}) {
    const OwnerPtr first = replay(a), second = replay(b);
    const Replays r = together({first, second});
    CHECK(r.owners[0] == first);
    CHECK(r.owners[1] == second);
    REQUIRE(r.remarks.size() == 1);
    CHECK_THAT(r.remarks[0], Contains(said));
  }
  // A short one within a long one was made together with it.
  const Replays within = together({replay(recorded(kNoon_s, 2000, one)), replay(recorded(kNoon_s + 5000, 200, other))});
  CHECK(are_in_step(*within.owners[0], 0, *within.owners[1], 1));
  CHECK(within.owners[0]->replayed_after_s() == Approx(2000));
  const auto c = recorded(0, 200, one, StampKind::seconds), d = recorded(0, 200, other, StampKind::seconds);
  const Replays unknown = together({replay(c, TraceStart::random, "c"), replay(d, TraceStart::random, "d")});
  REQUIRE(unknown.remarks.size() == 1);
  CHECK_THAT(unknown.remarks[0], Contains("ws1, ws2 are seconds from a beginning of their own") && Contains("'start: common'"));
  CHECK_FALSE(are_in_step(*unknown.owners[0], 0, *unknown.owners[1], 1));
  const Replays asked = together({replay(c, TraceStart::common, "c"), replay(d, TraceStart::common, "d")});
  CHECK(are_in_step(*asked.owners[0], 0, *asked.owners[1], 1));
  CHECK(asked.remarks.empty());
  // Machines in one file are by one clock, and so are seconds since 1970.
  const Replays one_file = together({replay(c), replay(d)});
  CHECK(are_in_step(*one_file.owners[0], 0, *one_file.owners[1], 1));
  const Replays unix_time = together({replay(a, TraceStart::random, "a"),
                                      replay(recorded(kNoon_s, 200, other, StampKind::seconds), TraceStart::random, "b")});
  CHECK(are_in_step(*unix_time.owners[0], 0, *unix_time.owners[1], 1));
  // Nothing is said where it was asked for.
  for (const auto start : {TraceStart::independent, TraceStart::beginning})
    CHECK(together({replay(c, start, "c"), replay(d, start, "d")}).remarks.empty());
  CHECK(together({replay(a, TraceStart::random, "a", 0.5), replay(recorded(kNoon_s, 200, other), TraceStart::random, "b", 0.5)})
            .owners[0]->describe() == "trace correlation=0.5");
}

TEST_CASE("Machines that replay one recording are no two machines in lockstep, unless that is asked for",
          "[replay_together]") {
  const auto a = recorded(kNoon_s, 200, one), again = recorded(kNoon_s, 200, one), b = recorded(kNoon_s, 200, other);
  for (const auto& second : {a, again}) {
    const OwnerPtr x = replay(a), y = replay(second);
    const Replays alone = together({x, y});
    CHECK(alone.owners[0] == x);
    CHECK(alone.owners[1] == y);
    CHECK(alone.remarks.empty());
    // The first of each recording, the second of each, and one that has no other.
    const Replays r = together({x, y, replay(b), replay(b), replay(a)});
    CHECK(are_in_step(*r.owners[0], 0, *r.owners[2], 2));
    CHECK(are_in_step(*r.owners[1], 1, *r.owners[3], 3));
    CHECK_FALSE(are_in_step(*r.owners[0], 0, *r.owners[3], 3));
    CHECK_FALSE(are_in_step(*r.owners[4], 4, *r.owners[3], 3));
    CHECK(r.owners[4]->dependence() == Dependence{});
    const Replays common = together({replay(a, TraceStart::common), replay(second, TraceStart::common)});
    for (std::uint64_t k = 0; k < 20; ++k)
      CHECK(value_at(*common.owners[0], k, 0, 55) == value_at(*common.owners[1], k, 1, 55));
  }
}

TEST_CASE("Links are replayed with owners that were recorded at the same time", "[replay_together]") {
  const auto a = recorded(kNoon_s, 200, one), b = recorded(kNoon_s, 200, other);
  const Replays r = together({replay(a), dedicated_owner()}, {dedicated_owner(), replay(b)});
  CHECK(r.owners[1]->is_dedicated());
  CHECK(are_in_step(*r.owners[0], 0, *r.links[1], 1, Purpose::bandwidth));
}

TEST_CASE("What is left out of one recording is left out of those beside it", "[replay_together]") {
  std::vector<LoadSample> with_gap, whole;
  for (int i = 0; i < 400; ++i) {
    const Stamp stamp{StampKind::utc, kNoon_s + 10 * i, 0};
    whole.push_back({i + 2, false, stamp, one(stamp.whole_s)});
    if (i < 100 || i >= 180) with_gap.push_back({i + 2, false, stamp, other(stamp.whole_s)});
  }
  const auto a = std::make_shared<LoadSeries>(series_of_samples(whole, GapRule::hold, "a")),
             b = std::make_shared<LoadSeries>(series_of_samples(with_gap, GapRule::left_out, "b"));
  REQUIRE(b->total_s == 3200);
  const Replays r = together({replay(a), replay(b)});
  CHECK(are_in_step(*r.owners[0], 0, *r.owners[1], 1));
  CHECK(r.owners[0]->replayed_after_s() == Approx(3200));
}

TEST_CASE("A pattern by hour lies over owners that are replayed together", "[replay_together][diurnal]") {
  const DiurnalPattern half{std::vector<double>(24, 0.25), 0.0};
  const auto a = recorded(kNoon_s, 200, one), b = recorded(kNoon_s, 200, other);
  const Replays r = together({diurnal_owner(replay(a), half), replay(b)});
  for (std::uint64_t k = 0; k < 20; ++k)
    CHECK(value_at(*r.owners[0], k, 0, 0) == Approx(0.25 / a->mean() * (1 - value_at(*r.owners[1], k, 1, 0))));
}

TEST_CASE("Logs of owner jobs are replayed together by their dates", "[replay_together][owner_jobs]") {
  const Folder folder;
  // A job every 100 s here, and there 7 s behind each, by clocks that began 1000 s apart; and the time of neither.
  const auto log = [&](const std::string& name, double since_s, double first_s) {
    std::string text = since_s > 0 ? "; UnixStartTime: " + number_text(since_s) + "\n" : "";
    for (int k = 0; k < 100; ++k)
      text += std::to_string(k + 1) + " " + number_text(first_s + 100 * k + 0.01 * k * k) +
              " 0 1 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n";
    return std::make_shared<const JobLog>(read_job_log(folder.file(name, text)));
  };
  const auto owner = [](const std::shared_ptr<const JobLog>& jobs, const std::string& file) -> OwnerPtr {
    return jobs_owner(logged_jobs(jobs, 1, TraceStart::random, file), Discipline::processor_sharing, 1, "jobs");
  };
  const auto next_arrival = [](const Owner& jobs, std::uint64_t k, std::size_t machine) {
    return jobs.jobs()->source().jobs({1, k, machine})().arrival_s;
  };
  const auto lags_of = [&](double since_a_s, double since_b_s) {
    const Replays r = together({owner(log("a.swf", since_a_s, 5000), "a"), owner(log("b.swf", since_b_s, 4007), "b")});
    int in_step = 0;
    for (std::uint64_t k = 0; k < 50; ++k) {
      const double lag = next_arrival(*r.owners[1], k, 1) - next_arrival(*r.owners[0], k, 0);
      in_step += std::abs(lag - 7) < 1e-6 || (lag < -90 && lag > -105);  // between the two, the later one comes first
    }
    return in_step;
  };
  CHECK(lags_of(1e9, 1e9 + 1000) == 50);
  CHECK(lags_of(0, 0) < 20);
}

TEST_CASE("A log of which a part is replayed has the utilisation that it was scaled to, or is replayed alone",
          "[replay_together][owner_jobs]") {
  // 100 jobs in 10,000 s, those of the first half longer than those of the second.
  const auto log = [](double first_demand_s, double then_s) {
    JobLog made{.jobs = {}, .first = {StampKind::utc, kNoon_s, 0}, .total_s = 10000, .demand_s = 0};
    for (int k = 0; k < 100; ++k) {
      made.jobs.push_back({100.0 * k, k < 50 ? first_demand_s : then_s});
      made.demand_s += made.jobs.back().demand_s;
    }
    return std::make_shared<const JobLog>(made);
  };
  const auto replayed = [](const std::shared_ptr<const JobLog>& jobs, double scale) {
    const OwnerPtr owner = jobs_owner(logged_jobs(jobs, scale, TraceStart::random, "a"),
                                                             Discipline::processor_sharing, 1, "jobs");
    return together({owner, replay(recorded(kNoon_s, 500, one))});  // the first half
  };
  const auto utilisation = [](const Replays& r) {
    const OwnerJobSource& source = r.owners[0]->jobs()->source();
    return source.mean_demand_s() / source.mean_interval_s();
  };
  const Replays scaled = replayed(log(30, 10), 1.5);  // to 0.3
  CHECK(scaled.owners[0]->replayed_after_s() == Approx(5000));
  CHECK(utilisation(scaled) == Approx(0.3));
  CHECK(utilisation(replayed(log(30, 10), 1)) == Approx(0.3));  // what the half has
  const Replays overfull = replayed(log(150, 1), 1);
  CHECK(overfull.owners[0]->replayed_after_s() == Approx(10000));
  CHECK(overfull.owners[1]->replayed_after_s() == Approx(5000));
  REQUIRE(overfull.remarks.size() == 1);
  CHECK_THAT(overfull.remarks[0], Contains("the recordings of ws1 have no owner jobs, or more than their cores can do"));
}

TEST_CASE("Machines that are seen under way go on from a moment at which all were so", "[replay_together][under-way]") {
  // Ten values in turn on one machine, and on the other one of two for each hundred steps: both name a few moments.
  const auto a = recorded(kNoon_s, 1000, [](std::int64_t at_s) { return 0.1 * static_cast<double>((at_s / 10) % 10); });
  const auto b = recorded(kNoon_s, 1000, [](std::int64_t at_s) { return (at_s - kNoon_s) / 1000 == 7 ? 0.9 : 0.2; });
  const std::vector<OwnerPtr> before = together({replay(a), replay(b), dedicated_owner()}).owners;
  std::vector<OwnerPtr> owners;
  const std::vector<OwnerSight> sights{{60, 0.3}, {60, 0.9}, {60, 1.0}};
  for (std::size_t i = 0; i < 3; ++i) owners.push_back(owner_under_way(before[i], sights[i]));
  see_together(owners, before, sights);
  int exact = 0;
  for (std::uint64_t k = 0; k < 200; ++k) {
    CHECK(value_at(*owners[1], k, 1, 0) == 0.9);
    exact += std::abs(value_at(*owners[0], k, 0, 0) - 0.3) < 0.11;
  }
  CHECK(exact > 100);  // those that are next to it are as near as the one that lacks
  CHECK(owners[2] == before[2]);
  // Of one that nobody looked at more is known by those beside it.
  std::vector<OwnerPtr> half = before;
  see_together(half, before, {{60, {}}, {60, 0.9}, {60, {}}});
  for (std::uint64_t k = 0; k < 50; ++k) CHECK(value_at(*half[1], k, 1, 0) == 0.9);
  CHECK(half[0] != before[0]);
}

TEST_CASE("How much recordings have in common is measured over the time that all have", "[replay_together][trace_fit]") {
  const auto a = recorded(kNoon_s, 300, one), b = recorded(kNoon_s + 500, 300, other), c = recorded(kNoon_s, 300, one);
  CHECK(*mean_correlation({a.get(), c.get()}) == Approx(1));
  CHECK(*mean_correlation({a.get(), b.get()}) == Approx(-1));
  CHECK(*mean_correlation({a.get(), b.get(), c.get()}) == Approx(-1.0 / 3));  // of three pairs -1, -1 and 1
  CHECK_FALSE(mean_correlation({a.get()}));
  CHECK_FALSE(mean_correlation({a.get(), recorded(kNoon_s + 86400, 300, other).get()}));
  CHECK_FALSE(mean_correlation({recorded(0, 300, one, StampKind::seconds).get(), recorded(0, 300, one, StampKind::seconds).get()}));
}

// Timelines: what each operation leaves behind, by hand-derived times, and the two engines' agreement.
#include "sim/engines/timeline.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "sim/base/error.hpp"
#include "tests/sim/owner_jobs_fixture.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

/// Times of two engines are the same but for rounding.
void check_time(double a, double b, double makespan_s) {
  if (std::abs(a - b) > 1e-9 * makespan_s) CHECK(a == b);
}

/// Lists of as many elements, whose times are the same, and of which `also` demands the rest.
template <class Element, class Also>
void check_spans(const std::vector<Element>& a, const std::vector<Element>& b, double Element::*begin_s,
                 double makespan_s, const Also& also) {
  REQUIRE(a.size() == b.size());
  for (std::size_t k = 0; k < a.size(); ++k) {
    check_time(a[k].*begin_s, b[k].*begin_s, makespan_s);
    check_time(a[k].end_s, b[k].end_s, makespan_s);
    also(a[k], b[k]);
  }
}

void check_same(const WorkstationTimeline& a, const WorkstationTimeline& b, double makespan_s) {
  CHECK(a.name == b.name);
  check_spans(a.activities, b.activities, &TimelineActivity::begin_s, makespan_s, [](const auto& x, const auto& y) {
    CHECK(x.what == y.what);
    CHECK(x.peer == y.peer);
    CHECK(x.amount == y.amount);
  });
  check_spans(a.messages, b.messages, &TimelineMessage::begin_s, makespan_s, [](const auto& x, const auto& y) {
    CHECK(x.from == y.from);
    CHECK(x.to == y.to);
    CHECK(x.bytes == y.bytes);
  });
  for (const auto list : {&WorkstationTimeline::availability, &WorkstationTimeline::bandwidth})
    check_spans(a.*list, b.*list, &TimelineAvailability::begin_s, makespan_s,
                [](const auto& x, const auto& y) { CHECK(x.value == y.value); });
  check_spans(a.owner_jobs, b.owner_jobs, &OwnerJobRun::arrival_s, makespan_s,
              [](const auto& x, const auto& y) { CHECK(x.demand_s == y.demand_s); });
}

/// The replication's timeline, the same from both engines.
Timeline from_both(const Scenario& s, std::uint64_t replication = 0) {
  const Timeline simgrid = record_timeline(Engine::simgrid, s, replication);
  const Timeline direct = record_timeline(Engine::direct, s, replication);
  CHECK(direct.replication == replication);
  CHECK(direct.makespan_s == Approx(simgrid.makespan_s).epsilon(1e-12));
  REQUIRE(direct.workstations.size() == simgrid.workstations.size());
  for (std::size_t i = 0; i < direct.workstations.size(); ++i)
    check_same(direct.workstations[i], simgrid.workstations[i], simgrid.makespan_s);
  return direct;
}

std::string text_of(const WorkstationTimeline& w) {
  std::string out;
  for (const auto& a : w.activities) {
    char text[80];
    std::snprintf(text, sizeof text, "%s %.6g-%.6g; ", activity_name(a.what), a.begin_s, a.end_s);
    out += text;
  }
  return out;
}

Process all_operations(Rank& self) {
  if (self.index() == 0) {
    co_await self.compute(2);
    co_await self.send(1, 1000);  // rank 1 is ready at 5
    co_await self.isend(1, 500);
    co_await self.barrier(1);
  } else {
    co_await self.sleep_until(5);
    co_await self.receive(0);
    co_await self.compute(0);
    co_await self.receive_any();
    co_await self.barrier(1);
    co_await self.compute(3);
  }
}

Process talk(Rank& self) {
  for (int round = 0; round < 4; ++round) {
    co_await self.compute(20);
    const int right = (self.index() + 1) % self.count(), left = (self.index() + self.count() - 1) % self.count();
    co_await self.isend(right, 300);
    co_await self.receive(left, 500.0);
    co_await self.barrier(0.25);
  }
}

Process noted(Rank& self) {
  note_next(self, {Meant::spawn});
  co_await self.sleep_until(1);
  note_next(self, {Meant::itself, 3, 40});
  co_await self.compute(2);
  co_await self.compute(2);
}

}  // namespace

TEST_CASE("What a program says of an operation is kept, of that one alone, by both engines",
          "[computes][reads][timeline][engines]") {
  const Timeline t = from_both(scenario(machines(1), noted));
  const auto& a = t.workstations[0].activities;
  REQUIRE(a.size() == 4);
  CHECK(std::string(activity_name(a[0].what, a[0].note.meant)) == "spawn");
  CHECK((a[1].note.chunk == 3 && a[1].note.tasks == 40));
  CHECK((a[2].note.chunk == -1 && a[2].note.meant == Meant::itself));
}

TEST_CASE("Every operation leaves its time in the timeline, and messages theirs", "[timeline][engines]") {
  const Timeline t = from_both(scenario(machines(2), all_operations));
  // 1000 B at 1000 B/s and 1 ms: from 5 to 6.001; 500 B: to 6.502.
  CHECK(text_of(t.workstations[0]) == "compute 0-2; send 2-6.001; barrier 6.001-7.502; idle 7.502-10.502; ");
  CHECK(text_of(t.workstations[1]) ==
        "sleep 0-5; receive 5-6.001; compute 6.001-6.001; receive 6.001-6.502; barrier 6.502-7.502; compute "
        "7.502-10.502; "
        "idle 10.502-10.502; ");
  const auto& sent = t.workstations[0].messages;
  REQUIRE(sent.size() == 2);
  CHECK(sent[0].begin_s == Approx(5));
  CHECK(sent[0].end_s == Approx(6.001));
  CHECK(sent[1].begin_s == Approx(6.001));
  CHECK(sent[1].end_s == Approx(6.502));
  CHECK(sent[1].to == 1);
  CHECK(sent[1].bytes == 500);
  CHECK(t.workstations[1].messages.empty());
  REQUIRE(t.workstations[0].availability.size() == 1);
  CHECK(t.workstations[0].availability[0].end_s == t.makespan_s);
}

TEST_CASE("Both engines give the same timeline under owners of every kind", "[timeline][engines]") {
  const auto platform = machines(5);
  const std::vector<OwnerPtr> owners{dedicated_owner(),
                                     duty_cycle_owner(7, 0.3, true),
                                     duty_cycle_owner(10, 0.5, false),
                                     profile_of("0 1\n3 0.25\n8 0.5\nPERIODICITY 12\n"),
                                     poisson_jobs(0.4, exponential(3), Discipline::processor_sharing),
                                     poisson_jobs(0.4, exponential(3), Discipline::preemptive_priority)};
  for (const auto& owner : owners)
    for (const std::uint64_t replication : {0, 7}) {
      INFO(owner->describe() << ", replication " << replication);
      from_both(scenario(platform, talk, owner), replication);
    }
}

TEST_CASE("What is left of a link in a timeline explains when its transfer ends", "[timeline]") {
  Scenario s = scenario(machines(2, NetworkKind::links),
                        [](Rank& self) -> Process { co_await self.transfer(3000); });
  CHECK(from_both(s).workstations[0].bandwidth.empty());
  s.bandwidth = {duty_cycle_owner(1.5, 0.4, true), profile_of("0 0.5\n2 1\n")};
  const Timeline t = from_both(s, 3);
  for (const auto& w : t.workstations) {
    double bytes = 0, last = 0;
    for (const auto& b : w.bandwidth) {
      CHECK(b.begin_s == last);
      last = b.end_s;
      bytes += 1000 * b.value * std::max(0.0, std::min(b.end_s, w.activities[0].end_s) - std::max(b.begin_s, 0.0005));
    }
    CHECK(last == t.makespan_s);
    CHECK(bytes == Approx(3000));
  }
}

TEST_CASE("The availability in a timeline explains when its computing ends", "[timeline]") {
  const Timeline t = from_both(computing(machines(3), 50, duty_cycle_owner(7, 0.3, true)));
  for (const auto& w : t.workstations) {
    double work = 0, last = 0;
    for (const auto& a : w.availability) {
      CHECK(a.begin_s == last);
      last = a.end_s;
      work += a.value * std::max(0.0, std::min(a.end_s, w.activities[0].end_s) - a.begin_s);
    }
    CHECK(last == t.makespan_s);
    CHECK(work == Approx(50));
  }
}

TEST_CASE("Owner jobs in a timeline have the CPU time that the results say", "[timeline][owner-jobs]") {
  Scenario s = computing(machines(2), 80, poisson_jobs(0.5, exponential(2), Discipline::preemptive_priority));
  const Timeline t = from_both(s, 3);
  const RunResult result = run_batch_direct(s, {3, 1}).front();
  for (std::size_t i = 0; i < 2; ++i) {
    const auto& w = t.workstations[i];
    CHECK(w.owner_jobs.size() > 5);
    double busy_s = 0;  // one core, priority: the task has nothing while an owner job is there
    for (const auto& a : w.availability) busy_s += (1 - a.value) * (a.end_s - a.begin_s);
    CHECK(busy_s == Approx(result[Quantity::owner_s][i]));
  }
}

TEST_CASE("An operation that throws is over there", "[timeline][engines]") {
  const auto program = [](Rank& self) -> Process {
    try {
      co_await self.compute(-1);
    } catch (const std::invalid_argument&) {
    }
    co_await self.compute(2);
  };
  CHECK(text_of(from_both(scenario(machines(1), program)).workstations[0]) == "compute 0-0; compute 0-2; idle 2-2; ");
}

TEST_CASE("A recorded replication has the results that it has unrecorded", "[timeline]") {
  const Scenario s = scenario(machines(4), talk, duty_cycle_owner(7, 0.3, true));
  const RunResult result = run_batch_direct(s, {0, 10}).at(4);
  const Timeline t = record_timeline(Engine::direct, s, 4);
  CHECK(t.makespan_s == result.makespan_s);
  for (std::size_t i = 0; i < 4; ++i)
    CHECK(t.workstations[i].activities.back().begin_s == result[Quantity::finish_s][i]);
}

TEST_CASE("What a machine was at when it was switched off is cut short there", "[timeline][state]") {
  const Scenario s = computing(with_states(*machines(2), {{0, "0 1\n4 0\n6 1\n"}}), 10, dedicated_owner());
  for (const Engine engine : {Engine::direct, Engine::simgrid}) {
    const Timeline t = record_timeline(engine, s, 0);
    CHECK(text_of(t.workstations[0]) == "compute 0-4; off 4-6; compute 6-16; idle 16-16; ");
    CHECK(text_of(t.workstations[1]) == "compute 0-10; idle 10-16; ");
    CHECK(t.workstations[0].activities[0].amount == 0);
    CHECK(t.workstations[0].activities[2].amount == 10);
  }
}

TEST_CASE("Of a job that a machine ends as a whole the attempt that counts is told, by both engines", "[timeline][state]") {
  Scenario s = computing(with_states(*machines(2, NetworkKind::none), {{0, "5 0\n8 1\n"}}), 7, dedicated_owner());
  s.workload = sharing({.work_flop = 14, .ends_with_a_machine = true});
  const Timeline t = from_both(s);
  CHECK(t.makespan_s == Approx(15));
  for (const auto& machine : t.workstations) CHECK(text_of(machine) == "off 0-8; compute 8-15; idle 15-15; ");
}

TEST_CASE("What ranks were at when the job ended with rank 0 is cut short there", "[timeline][engines]") {
  Scenario s = ending_with_first(machines(3), [](Rank& self) -> Process {
    if (self.index() == 0) {
      co_await self.receive(1);
      co_await self.compute(3);
    } else {
      co_await self.compute(2);
      if (self.index() == 1) co_await self.send(0, 1000);
      for (int k = 0; k < 5; ++k) co_await self.compute(2);
    }
  });
  const Timeline t = from_both(s);
  CHECK(text_of(t.workstations[0]) == "receive 0-3.001; compute 3.001-6.001; idle 6.001-6.001; ");
  CHECK(text_of(t.workstations[2]) == "compute 0-2; compute 2-4; compute 4-6; compute 6-6.001; idle 6.001-6.001; ");
  CHECK(t.workstations[2].activities[3].amount == 0);
  for (const Discipline discipline : kDisciplines) {
    s.owners.assign(3, poisson_jobs(0.4, exponential(3), discipline));
    for (std::uint64_t k = 0; k < 5; ++k) from_both(s, k);
  }
}

TEST_CASE("A replication that cannot end has no timeline", "[timeline][error]") {
  const auto waits = [](Rank& self) -> Process { co_await self.receive_any(); };
  for (const Engine engine : {Engine::direct, Engine::simgrid})
    CHECK_THROWS_AS(record_timeline(engine, scenario(machines(2), waits), 0), RunError);
}

TEST_CASE("Messages that meet are on their way for as long as they share", "[timeline]") {
  const auto meet = [](Rank& self) -> Process {
    if (self.index() > 0)
      co_await self.isend(0, 1000);
    else
      for (int k = 1; k < self.count(); ++k) co_await self.receive_any();
  };
  const Scenario s = scenario(machines(4, NetworkKind::bus), meet);
  for (const Engine engine : {Engine::direct, Engine::simgrid}) {
    const auto timeline = record_timeline(engine, s, 0);
    REQUIRE(timeline.workstations[3].messages.size() == 1);
    CHECK(timeline.workstations[3].messages[0].end_s == Approx(3.001).epsilon(1e-9));
  }
}

// Pictures of one replication: Gantt charts, whatever their labels, and where its time goes, derived by hand.
#include "experiments/driver/pictures/gantt.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <sstream>

#include "experiments/driver/pictures/draw_picture.hpp"
#include "experiments/driver/pictures/waits.hpp"
#include "experiments/driver/points/experiment.hpp"
#include "tests/sim/scenario_fixture.hpp"
#include "workloads/mpi/mpi_action.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

/// n workstations that compute for 6 s, meet at barriers, and finish at 8 of 10 s; the first sends a message to each
/// other.
Timeline timeline_of(std::size_t n) {
  Timeline t;
  t.replication = 4;
  t.seed = 3;
  t.makespan_s = 10;
  for (std::size_t i = 0; i < n; ++i) {
    WorkstationTimeline w;
    w.name = "ws" + std::to_string(i + 1);
    w.activities = {{Activity::compute, 0, 6, -1, 5e6}, {Activity::barrier, 6, 8}, {Activity::idle, 8, 10}};
    w.availability = {{0, 5, 0.25}, {5, 10, 1}};
    if (i > 0) t.workstations.front().messages.push_back({0, static_cast<int>(i), 100, 1, 2});
    t.workstations.push_back(std::move(w));
  }
  return t;
}

std::string svg_of(const Timeline& t, const std::string& title = "A title") {
  return draw_picture(gantt_script(t, {}, title, PictureFormat::svg));
}

constexpr int kAllreduce = static_cast<int>(MpiCall::allreduce);

/// A message in a call, a barrier, and a message to whoever takes it.
Process exchange(Rank& self) {
  if (self.index() == 0) {
    co_await self.compute(3);
    note_next(self, {.call = kAllreduce});
    co_await self.send(1, 1000);
    co_await self.barrier(0);
    co_await self.isend(1, 500);
  } else {
    co_await self.compute(2);
    note_next(self, {.call = kAllreduce});
    co_await self.receive(0);
    co_await self.compute(1);
    co_await self.barrier(0);
    co_await self.receive_any();
  }
}

/// On two machines of 1 flop/s, 1000 B/s and 1 ms: the first one's owner leaves it from 0 to 2, 4 to 6, ... Rank 0
/// computes until 5, its message takes until 6.001, rank 1 computes until 7.001, and the second message takes until
/// T = 7.502.
Scenario exchange_under_owner() {
  Scenario s = scenario(machines(2), exchange);
  s.owners[0] = duty_cycle_owner(4, 0.5, false);
  return s;
}

Waits waits_of(const Scenario& s, Engine engine) { return waits_of(record_timeline(engine, s, 0), rank_speeds(s)); }

std::string text_of(const SpentTime& spent) {
  std::ostringstream out;
  out << time_uses()[static_cast<std::size_t>(spent.use)].name << (spent.call.empty() ? "" : " in ") << spent.call;
  if (spent.peer >= 0) out << " for " << spent.peer;
  out << ' ' << spent.time_s;
  return out.str();
}
std::vector<std::string> texts_of(const RankTimes& rank) {
  std::vector<std::string> out;
  for (const auto& spent : rank.spent) out.push_back(text_of(spent));
  return out;
}

/// One rank that does this.
Waits alone(const std::vector<TimelineActivity>& activities, double makespan_s) {
  Timeline t;
  t.makespan_s = makespan_s;
  t.workstations.push_back({"ws1", activities, {}, {}, {}, {}});
  return waits_of(t, std::vector<double>{2});
}

std::string written(Format format) {
  const Scenario s = exchange_under_owner();
  const Timeline t = record_timeline(Engine::direct, s, 0);
  std::ostringstream out;
  write_waits(t, waits_of(t, rank_speeds(s)), format, out);
  return out.str();
}

}  // namespace

TEST_CASE("A Gantt chart has title, names, axis, legend and footer", "[reads][gantt][gnuplot]") {
  const std::string svg = svg_of(timeline_of(3));
  for (const char* text : {">A title<", ">One replication on 3 workstations: T = 10 s<", ">ws1<", ">ws3<", ">time [s]<",
                           ">computes<", ">waits at a barrier<", ">has finished<", ">availability (0 to 100 %)<",
                           ">all pass a barrier<", ">message<", ">replication 4, seed 3, engine direct, nowsim "})
    CHECK_THAT(svg, Contains(text));
  for (const char* text : {"sends", "not drawn", "switched off"}) CHECK_THAT(svg, !Contains(text));
  const std::string png = draw_picture(gantt_script(timeline_of(3), {}, "A title", PictureFormat::png));
  CHECK(png.substr(1, 3) == "PNG");
  CHECK(png.size() > 5000);
}

TEST_CASE("A Gantt chart says what it leaves out", "[gantt][gnuplot]") {
  Timeline t = timeline_of(40);
  auto& first = t.workstations.front();
  for (int k = 0; k < 300; ++k)
    first.activities.insert(first.activities.end() - 1, {Activity::barrier, 8 + k * 0.001, 8.001 + k * 0.001});
  for (int k = 0; k < 300; ++k) first.messages.push_back({0, 1, 100, 1, 2});
  const std::string svg = svg_of(t);
  CHECK_THAT(svg, Contains("not drawn: workstations 33 to 40, 301 barriers, 331 messages"));
  CHECK_THAT(svg, Contains(">ws32<") && !Contains(">ws33<"));
}

TEST_CASE("Messages are drawn where they cross few lanes, and cased so that they show on dark bars", "[gantt]") {
  const auto script_of = [](int to, int messages) {
    Timeline t = timeline_of(32);
    t.workstations.front().messages.assign(static_cast<std::size_t>(messages), {0, to, 100, 1, 2});
    return gantt_script(t, {}, "A title", PictureFormat::svg);
  };
  CHECK_THAT(script_of(31, 19), Contains("$messages") && !Contains("not drawn"));
  CHECK_THAT(script_of(31, 20), Contains("not drawn: 20 messages"));
  CHECK_THAT(script_of(1, 600), Contains("$messages") && !Contains("not drawn"));
  const std::string script = script_of(1, 1), vectors = "using 1:2:3:4 with vectors head filled size screen 0.007,18 ";
  const auto white = script.find(vectors + "linecolor rgb 'white' linewidth 2.6"),
             black = script.find(vectors + "linecolor rgb 'black' linewidth 0.8");
  CHECK(white < black);
  CHECK(black != std::string::npos);
}

TEST_CASE("Below the workstations the use of a link is drawn, in the same time", "[gantt][gnuplot]") {
  const LinkUse bus{"bus", {{2, 4.5}, {9.98, 10}}};
  const std::string script = gantt_script(timeline_of(2), bus, "A title", PictureFormat::svg);
  std::vector<double> t, y;
  std::istringstream in(script.substr(script.find("$link << END_OF_DATA\n") + 21));
  for (double a = 0, b = 0; in >> a >> b;) t.push_back(a), y.push_back(b);
  REQUIRE(t.size() == 602);  // of 300 parts two corners each, and the ends
  CHECK(t.back() == 10);
  const double bottom = y.front(), top = *std::ranges::min_element(y);
  CHECK(y.back() == bottom);
  CHECK(top > 2);  // below the second lane
  double in_use_s = 0;
  for (std::size_t k = 1; k < t.size(); ++k) in_use_s += (bottom - y[k]) / (bottom - top) * (t[k] - t[k - 1]);
  CHECK(in_use_s == Approx(2.52));
  const std::string svg = draw_picture(gantt_script(timeline_of(2), bus, "A title", PictureFormat::svg));
  for (const char* text : {">bus<", ">100 %<", ">0 %<", ">bus in use (25 % of T)<"}) CHECK_THAT(svg, Contains(text));
  CHECK_THAT(svg_of(timeline_of(2)), !Contains("in use") && !Contains(">100 %<"));
}

TEST_CASE("What is available is covered while a machine is off", "[gantt]") {
  Timeline t = timeline_of(1);
  t.workstations.front().activities = {{Activity::compute, 0, 3}, {Activity::off, 3, 5}, {Activity::compute, 5, 10}};
  const std::string script = gantt_script(t, {}, "A title", PictureFormat::svg);
  CHECK_THAT(script, Contains("$strips << END_OF_DATA\n0 0.57 0 10 0.57 0.95\n"));
  CHECK_THAT(script, Contains("$off << END_OF_DATA\n3 0.08 3 5 0.08 0.95\n"));
  CHECK(script.find("$off using") > script.find("$available using"));
}

TEST_CASE("Charts and traces say how the variance was reduced", "[gantt][timeline][variance_reduction]") {
  Timeline t = timeline_of(1);
  CHECK_THAT(gantt_script(t, {}, "", PictureFormat::svg), !Contains("variance"));
  t.variance_reduction = &kVarianceReductions[1];
  CHECK_THAT(gantt_script(t, {}, "", PictureFormat::svg),
             Contains("engine direct, variance reduction: antithetic, nowsim " + std::string(version())));
  std::ostringstream out;
  write_timeline_csv(t, out);
  CHECK_THAT(out.str(), Contains(std::string(version()) + ",antithetic\n"));
}

TEST_CASE("Long times have a unit of their own in a Gantt chart", "[gantt][gnuplot]") {
  for (const auto& [scale, unit] : std::vector<std::pair<double, std::string>>{{1e-7, "time [µs]"},
                                                                               {1e-3, "time [ms]"},
                                                                               {60, "time [s]"},
                                                                               {600, "time [min]"},
                                                                               {3600, "time [h]"},
                                                                               {86400, "time [d]"}}) {
    Timeline t = timeline_of(2);
    t.makespan_s *= scale;
    for (auto& w : t.workstations) {
      for (auto& a : w.activities) a.begin_s *= scale, a.end_s *= scale;
      for (auto& a : w.availability) a.begin_s *= scale, a.end_s *= scale;
    }
    CHECK_THAT(svg_of(t), Contains(unit));
  }
}

TEST_CASE("A Gantt chart of a replication that takes no time, or of one workstation, can be drawn",
          "[gantt][gnuplot]") {
  Timeline nothing;
  nothing.workstations.push_back({"alone", {{Activity::idle, 0, 0}}, {}, {}, {}});
  CHECK_THAT(svg_of(nothing), Contains(">alone<") && Contains("T = 0 s"));
  CHECK_THAT(svg_of(timeline_of(1)), Contains("One replication on 1 workstation: T"));
}

TEST_CASE("Bars finer than a picture's columns show what takes most of each", "[gantt]") {
  WorkstationTimeline w;
  for (int k = 0; k < 5000; ++k) {
    const double share = k < 2500 ? 0.75 : 0.25;  // of computing
    w.activities.push_back({Activity::compute, k * 1.0, k + share});
    w.activities.push_back({Activity::barrier, k + share, k + 1.0});
    w.availability.push_back({k * 1.0, k + 0.5, 1});
    w.availability.push_back({k + 0.5, k + 1.0, 0.5});
  }
  const auto all = gantt_bars(w, 5000);
  CHECK(all.size() == 10000);
  const auto bars = prevailing(all, 5000, 100);
  REQUIRE(bars.size() == 2);
  CHECK(bars[0].what == Activity::compute);
  CHECK(bars[0].end_s == Approx(2500));
  CHECK(bars[1].what == Activity::barrier);
  CHECK(bars[1].end_s == Approx(5000));
  const auto availability = gantt_availability(w, 5000, 99);
  REQUIRE(availability.size() == 99);
  double integral = 0;
  for (const auto& a : availability) {
    CHECK(a.value == Approx(0.75).margin(0.01));
    integral += a.value * (a.end_s - a.begin_s);
  }
  CHECK(integral == Approx(3750));
}

TEST_CASE("A Gantt chart that is condensed says so", "[gantt][gnuplot]") {
  Timeline t = timeline_of(1);
  auto& activities = t.workstations.front().activities;
  activities.clear();
  for (int k = 0; k < 1000; ++k) {
    activities.push_back({Activity::compute, k * 0.01, k * 0.01 + 0.007});
    activities.push_back({Activity::sleep, k * 0.01 + 0.007, k * 0.01 + 0.01});
  }
  CHECK_THAT(svg_of(t), Contains("each pixel shows what takes most of it"));
  CHECK_THAT(svg_of(timeline_of(1)), !Contains("pixel"));
}

TEST_CASE("Neighbouring bars of a kind are one, and rounding is none", "[gantt]") {
  WorkstationTimeline w;
  w.activities = {{Activity::receive, 0, 2},
                  {Activity::receive, 2, 5},
                  {Activity::compute, 5, 10},
                  {Activity::idle, 10, 10 + 1e-12}};
  const auto bars = gantt_bars(w, 10);
  REQUIRE(bars.size() == 2);
  CHECK(bars[0].end_s == 5);
}

TEST_CASE("Who sends waits until the receiver is ready, and then sends", "[gantt]") {
  WorkstationTimeline w;
  w.activities = {{Activity::send, 0, 4, 1, 100},
                  {Activity::compute, 4, 5},
                  {Activity::send, 5, 9, 2, 100},
                  {Activity::send, 9, 10, 1, 100}};
  w.messages = {{0, 2, 100, 3, 4}, {0, 1, 100, 3.5, 4}, {0, 2, 100, 5, 9}};  // the first was buffered; the last is lost
  std::vector<std::string> told;
  for (const auto& bar : gantt_bars(w, 10)) {
    std::ostringstream out;
    out << activity_name(bar.what) << ' ' << bar.begin_s << '-' << bar.end_s;
    told.push_back(out.str());
  }
  CHECK(told == std::vector<std::string>{"receive 0-3.5", "send 3.5-4", "compute 4-5", "send 5-10"});
}

TEST_CASE("A timeline's CSV has a row for everything, with its unit in the column's name", "[timeline]") {
  Timeline t = timeline_of(2);
  t.workstations[1].name = "a, b";
  t.workstations[1].activities.insert(t.workstations[1].activities.begin(), {Activity::receive, 0, 0, 0});
  t.workstations[1].owner_jobs = {{0.5, 2.5, 1.25}};
  std::ostringstream out;
  write_timeline_csv(t, out);
  std::istringstream in(out.str());
  std::string head, rest;
  std::getline(in, head);
  CHECK(head ==
        "workstation,name,what,begin_s,end_s,peer,flop,bytes,availability,demand_s,chunk,tasks,replication,seed,engine,"
        "version,variance_reduction");
  CHECK_THAT(out.str(), Contains(std::string(version()) + ",none\n") && !Contains(std::string(version()) + "\n"));
  CHECK_THAT(out.str(), Contains("\n1,ws1,compute,0,6,,5e+06,,,,,,4,3,direct,"));
  CHECK_THAT(out.str(), Contains("\n1,ws1,message,1,2,2,,100,,,,,4,3,direct,"));
  CHECK_THAT(out.str(), Contains("\n1,ws1,availability,0,5,,,,0.25,,,,4,3,direct,"));
  CHECK_THAT(out.str(), Contains("\n2,\"a, b\",receive,0,0,1,,,,,,,4,3,direct,"));
  CHECK_THAT(out.str(), Contains("\n2,\"a, b\",owner-job,0.5,2.5,,,,,1.25,,,4,3,direct,"));
}

TEST_CASE("Chunks of one worker alternate between two shades, and say how many tasks they have", "[gantt][gnuplot]") {
  Timeline t = timeline_of(1);
  t.workstations.front().activities = {{Activity::compute, 0, 3, -1, 1, {Meant::itself, 0, 512}},
                                       {Activity::compute, 3, 5, -1, 1, {Meant::itself, 4, 250}},
                                       {Activity::compute, 5, 6, -1, 1, {Meant::itself, 4, 250}},  // task by task
                                       {Activity::compute, 6, 6.01, -1, 1, {Meant::itself, 5, 777}},
                                       {Activity::idle, 6.01, 10}};
  const auto bars = gantt_bars(t.workstations.front(), 10);
  REQUIRE(bars.size() == 4);
  CHECK(bars[1].end_s == 6);
  const std::string script = gantt_script(t, {}, "", PictureFormat::svg);
  CHECK_THAT(script, Contains("$second_shade << END_OF_DATA\n3 ") && Contains("numbers: tasks of a chunk"));
  const std::string svg = svg_of(t);
  CHECK_THAT(svg, Contains(">512<") && Contains(">250<") && !Contains(">777<"));  // no room for it
  CHECK_THAT(svg_of(timeline_of(1)), !Contains("of a chunk"));
}

TEST_CASE("Work for messages and the start of tasks have names of their own", "[gantt][gnuplot]") {
  Timeline t = timeline_of(1);
  t.workstations.front().activities = {{Activity::sleep, 0, 2, -1, 0, {Meant::spawn}},
                                       {Activity::compute, 2, 3, -1, 5, {Meant::message_work}},
                                       {Activity::compute, 3, 9},
                                       {Activity::idle, 9, 10}};
  CHECK(gantt_bars(t.workstations.front(), 10).size() == 4);
  CHECK(prevailing(gantt_bars(t.workstations.front(), 10), 10, 10).size() == 4);
  CHECK_THAT(svg_of(t), Contains(">works for a message<") && Contains(">computes<") &&
                            Contains(">starts tasks, or waits to be started<") && !Contains(">sleeps<"));
  std::ostringstream out;
  write_timeline_csv(t, out);
  CHECK_THAT(out.str(), Contains(",spawn,0,2,") && Contains(",message-work,2,3,,5,"));
}

TEST_CASE("Every second of a rank is told once: by kind, call and partner, on both engines",
          "[waits][engines]") {
  for (const Engine engine : {Engine::direct, Engine::simgrid}) {
    const Waits waits = waits_of(exchange_under_owner(), engine);
    CHECK(waits.makespan_s == Approx(7.502));
    REQUIRE(waits.ranks.size() == 2);
    CHECK(texts_of(waits.ranks[0]) == std::vector<std::string>{"compute 3", "taken 2", "wait in barrier 1",
                                                               "under-way in allreduce for 1 1.001", "idle 0.501"});
    CHECK(texts_of(waits.ranks[1]) == std::vector<std::string>{"compute 3", "wait in allreduce for 0 3",
                                                               "under-way in allreduce for 0 1.001",
                                                               "under-way in receive for 0 0.501"});
    CHECK(waits.ranks[1].spent[0].operations == 2);
  }
}

TEST_CASE("Calls and pairs of ranks are added up, what costs most first", "[waits]") {
  const Waits waits = waits_of(exchange_under_owner(), Engine::direct);
  REQUIRE(waits.calls.size() == 3);
  CHECK(waits.calls[0].call == "allreduce");
  CHECK(waits.calls[0].wait_s == Approx(3));
  CHECK(waits.calls[0].under_way_s == Approx(2.002));
  CHECK(waits.calls[1].call == "barrier");
  CHECK(waits.calls[2].call == "receive");
  REQUIRE(waits.pairs.size() == 2);  // nobody in particular is waited for at a barrier
  CHECK((waits.pairs[0].rank == 1 && waits.pairs[0].peer == 0 && waits.pairs[0].call == "allreduce"));
  CHECK(waits.pairs[0].wait_s == Approx(3));
  CHECK(waits.pairs[0].under_way_s == Approx(1.502));
  CHECK((waits.pairs[1].rank == 0 && waits.pairs[1].peer == 1));
}

TEST_CASE("Computing is told apart: what it is for, what was taken, and what was cut short", "[waits]") {
  const Waits waits = alone({{Activity::sleep, 0, 1, -1, 0, {Meant::spawn}},
                             {Activity::compute, 1, 3, -1, 2},  // 1 s of 2
                             {Activity::compute, 3, 5, -1, 4, {Meant::message_work}},
                             {Activity::compute, 5, 6, -1, 0},
                             {Activity::off, 6, 8},
                             {Activity::transfer, 8, 8.5},
                             {Activity::sleep, 8.5, 9},
                             {Activity::receive, 9, 9.5, -1},  // from nobody: stopped
                             {Activity::idle, 9.5, 10}},
                            10);
  CHECK(texts_of(waits.ranks[0]) == std::vector<std::string>{"compute 1", "message-work 2", "taken 1", "cut-short 1",
                                                             "wait in receive 0.5", "transfer 0.5", "sleep 0.5",
                                                             "spawn 1", "off 2", "idle 0.5"});
  CHECK(waits.pairs.empty());
}

TEST_CASE("What takes no time, or rounding, is no wait", "[waits]") {
  CHECK(alone({{Activity::idle, 0, 0}}, 0).ranks[0].spent.empty());
  const Waits waits = alone({{Activity::barrier, 0, 1e-10}, {Activity::compute, 1e-10, 1, -1, 2}}, 1);
  CHECK(texts_of(waits.ranks[0]) == std::vector<std::string>{"compute 1"});
  CHECK(waits.calls.empty());
}

TEST_CASE("Waits are written for people", "[waits]") {
  const std::string text = written(Format::table);
  CHECK_THAT(text, Contains("where the time went in replication 0, T = 7.502 s, in % of T\n\n"
                            "  rank  computes  taken  waits  message under way  has finished\n"
                            "  ----  --------  -----  -----  -----------------  ------------\n"
                            "  ws1       40.0   26.7   13.3               13.3           6.7\n"
                            "  ws2       40.0    0.0   40.0               20.0           0.0\n"
                            "  mean      40.0   13.3   26.7               16.7           3.3\n"));
  CHECK_THAT(text, Contains("  allreduce       3.00                   2.00                  33.3\n"));
  CHECK_THAT(text, Contains("  ws2  ws1            3.00                   1.50    60.0  allreduce\n"));
  CHECK_THAT(text, Contains("seed 1, engine direct, nowsim " + std::string(version())));
}

TEST_CASE("Waits are written for programs, each second once", "[waits]") {
  const std::string csv = written(Format::csv);
  CHECK_THAT(csv, Catch::StartsWith("workstation,name,what,call,peer,peer_name,time_s,share,operations,T_s,replication,"
                                    "seed,engine,version,variance_reduction\n1,ws1,compute,,,,3,"));
  CHECK_THAT(csv, Contains("\n2,ws2,wait,allreduce,1,ws1,"));
  const std::string json = written(Format::json);
  CHECK_THAT(json, Contains("{\"what\": \"wait\", \"call\": \"allreduce\", \"peer\": 1, \"peer_name\": \"ws1\", ") &&
                       Contains("\"peer\": null"));
  CHECK_THAT(json, Contains("\"calls\": [\n") && Contains("\"most_in\": \"allreduce\""));
  const Folder folder;
  CHECK(is_waits_csv(folder.file("w.csv", csv)));
  CHECK_FALSE(is_waits_csv(folder.file("t.csv", "workstation,name,what,begin_s,end_s,peer\n")));
  CHECK_FALSE(is_waits_csv(folder.path() + "/none.csv"));
}

TEST_CASE("A trace names the calls of programs that have some, and is as it was of others", "[waits][timeline]") {
  const auto csv_of = [](const Program& program) {
    const Timeline t = record_timeline(Engine::direct, scenario(machines(2), program), 0);
    std::ostringstream out;
    write_timeline_csv(t, out);
    return out.str();
  };
  const std::string with_calls = csv_of(exchange);
  CHECK_THAT(with_calls, Contains(",chunk,tasks,call,replication,"));
  CHECK_THAT(with_calls, Contains("\n1,ws1,compute,0,3,,3,,,,,,,0,1,direct,"));
  CHECK_THAT(with_calls, Contains(",2,,1000,,,,,allreduce,0,1,direct,"));
  const std::string without = csv_of([](Rank& self) -> Process { co_await self.compute(1); });
  CHECK_THAT(without, Contains(",chunk,tasks,replication,"));
}

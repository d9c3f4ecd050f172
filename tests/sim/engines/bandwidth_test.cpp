// Links: own ones of which less or more is left, and the use of shared ones, by times derived by hand, on both engines.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "sim/base/error.hpp"
#include "sim/engines/direct/engine.hpp"
#include "sim/engines/link_use.hpp"
#include "sim/platform/network_shape.hpp"
#include "sim/program/supersteps.hpp"
#include "tests/sim/run_fixture.hpp"
#include "tests/sim/scenario_fixture.hpp"
#include "tests/thrown.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

/// Two machines with links of 1000 B/s, 0.5 ms each.
Scenario on_links(Program program, const OwnerPtr& bandwidth) {
  Scenario s = scenario(machines(2, NetworkKind::links), std::move(program));
  s.bandwidth.assign(2, bandwidth);
  return s;
}

/// When a transfer of 1000 or 3000 bytes ends, begun at 0.
double transfer_time(double bytes, const std::string& profile) {
  const auto program = [bytes](Rank& self) -> Process { co_await self.transfer(bytes); };
  return run(on_links(program, profile_of(profile)))[0].makespan_s;
}

/// Rank 0 sends 2000 bytes to rank 1.
Process one_message(Rank& self) {
  if (self.index() == 0) co_await self.send(1, 2000);
  else co_await self.receive(0);
}

/// When `bytes` have flowed that begin to flow at `begin`, along a path that began at 0.
double flow_end(Path& path, double begin_s, double bytes, double nominal_Bps) {
  for (double t = 0;;) {
    const Step step = path.next();
    const double end = t + step.duration_s, from = std::max(t, begin_s), rate = nominal_Bps * step.value;
    if (end > from) {
      if (rate * (end - from) >= bytes) return from + bytes / rate;
      bytes -= rate * (end - from);
    }
    t = end;
  }
}

std::string refusal(const Platform& platform) { return sentence_of([&] { check_own_links(platform); }); }

Platform in_zone(const Folder& folder, const std::string& inside) {
  return load_platform(folder.file("p.xml", R"(<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="z" routing="Full">)" + inside + "</zone></platform>\n"));
}

/// One machine whose link has these attributes, which its route may pass again.
Platform with_own_link(const Folder& folder, const std::string& link, const std::string& again = "") {
  return in_zone(folder, R"(<host id="a" speed="1f"/><link id="own" )" + link +
                             R"(/><route src="a" dst="a"><link_ctn id="own"/>)" + again + "</route>");
}

/// Every rank sends 1000 bytes to the next, one after another.
Process passes_round(Rank& self) {
  const int next = (self.index() + 1) % self.count();
  if (self.index() > 0) co_await self.receive_any();
  co_await self.send(next, 1000);
  if (self.index() == 0) co_await self.receive_any();
}

/// Rank 0 sends 1000 bytes to every other, all at once.
Process hands_out(Rank& self) {
  for (int k = 1; self.index() == 0 && k < self.count(); ++k) co_await self.isend(k, 1000);
  if (self.index() > 0) co_await self.receive_any();
}

std::optional<LinkUse> use_on(const std::shared_ptr<const Platform>& platform, const Program& program,
                              Engine engine = Engine::simgrid) {
  return busiest_shared_link(record_timeline(engine, scenario(platform, program), 0), *platform);
}

void check_spans(const LinkUse& use, const std::vector<LinkUse::Span>& expected) {
  REQUIRE(use.spans.size() == expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k) {
    CHECK(use.spans[k].begin_s == Approx(expected[k].begin_s));
    CHECK(use.spans[k].end_s == Approx(expected[k].end_s));
  }
}

/// Four hosts, two on either side of the link `middle`; the sides' own links are `left` and `right`.
std::string two_sides(const std::string& right) {
  const auto route = [](const char* a, const char* b, const std::string& links) {
    return std::string("<route src=\"") + a + "\" dst=\"" + b + "\">" + links + "</route>\n";
  };
  const std::string l = "<link_ctn id=\"left\"/>", m = "<link_ctn id=\"middle\"/>", r = "<link_ctn id=\"right\"/>";
  std::string hosts, links;
  for (const char* name : {"a", "b", "c", "d"}) hosts += std::string("<host id=\"") + name + "\" speed=\"1f\"/>\n";
  for (const char* name : {"left", "middle"})
    links += std::string("<link id=\"") + name + "\" bandwidth=\"1kBps\" latency=\"0\"/>\n";
  return "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
         "<platform version=\"4.1\">\n<zone id=\"z\" routing=\"Full\">\n" +
         hosts + links + "<link id=\"right\" " + right + "/>\n" + route("a", "b", l) + route("c", "d", r) +
         route("a", "c", l + m + r) + route("a", "d", l + m + r) + route("b", "c", l + m + r) +
         route("b", "d", l + m + r) + "</zone>\n</platform>\n";
}

}  // namespace

TEST_CASE("A transfer takes its latency, and then flows at what is left of the link, from step to step",
          "[computes][reads][bandwidth]") {
  CHECK(transfer_time(1000, "0 0.5\n") == near(0.0005 + 2));
  CHECK(transfer_time(0, "0 0.5\n") == near(0.0005));
  // Until 2 s 1.9995 s at 500 B/s, 999.75 B; the other 2000.25 B at 1000 B/s.
  CHECK(transfer_time(3000, "0 0.5\n2 1\n") == near(2 + 2.00025));
  // Nothing between 1 s and 5 s: 999.5 B before, 2000.5 B after.
  CHECK(transfer_time(3000, "0 1\n1 0\n5 1\n") == near(5 + 2.0005));
}

TEST_CASE("Bandwidth goes on varying while a rank computes, and does not slow it down", "[bandwidth]") {
  const auto program = [](Rank& self) -> Process {
    co_await self.compute(3);
    co_await self.transfer(1000);
    co_await self.compute(1);
    co_await self.transfer(1000);
  };
  const auto r = run(on_links(program, profile_of("0 1\n2 0.5\n6 0.25\n")), 2)[1];
  // At 0.5 from 3.0005 to 5.0005; at 0.5 again from 6.001 on would be wrong: it is 0.25 from 6 s on.
  CHECK(r.makespan_s == near(6.0005 + 0.0005 + 4));
  CHECK(r[Quantity::active_s][0] == near(4));
  CHECK(r[Quantity::owner_s][0] == near(0));
}

TEST_CASE("On a switch a transfer goes out and in again, and both directions vary alike", "[bandwidth]") {
  const auto program = [](Rank& self) -> Process { co_await self.transfer(1000); };
  Scenario s = scenario(machines(2), program);
  s.bandwidth = {profile_of("0 0.5\n1 1\n"), dedicated_owner()};
  const auto r = run(s)[0];
  CHECK(r[Quantity::finish_s][0] == near(1 + 0.5005));  // 499.5 B in the first second
  CHECK(r[Quantity::finish_s][1] == near(1.001));
}

TEST_CASE("A message has what the narrower of the links on its way has", "[bandwidth]") {
  Scenario s = on_links(one_message, nullptr);
  s.bandwidth = {profile_of("0 0.5\n1 1\n"), profile_of("0 1\n2 0.25\n")};
  // From 0.001: 499.5 B at 500 B/s, 1000 B in the second second, 500.5 B at 250 B/s.
  for (const auto& r : run(s, 2)) CHECK(r.makespan_s == near(2 + 2.002));
}

TEST_CASE("Messages that meet on a link that varies share what it has", "[bandwidth]") {
  const auto program = [](Rank& self) -> Process {
    if (self.index() == 0) {
      co_await self.isend(1, 500);
      co_await self.isend(1, 500);
    } else {
      co_await self.receive(0);
      co_await self.receive(0);
    }
  };
  const Scenario s = on_links(program, profile_of("0 0.5\n1 1\n"));
  CHECK(run(s)[0].makespan_s == near(1 + 0.5005));  // 499.5 B of 1000 in the first second
}

TEST_CASE("Messages that follow each other over a link that varies are exact on both engines", "[bandwidth]") {
  const auto program = [](Rank& self) -> Process {
    for (int k = 0; k < 3; ++k) {
      if (self.index() == k % 2) co_await self.send(1 - self.index(), 700);
      else co_await self.receive(1 - self.index());
    }
  };
  const auto model = intervals_owner(make_value_law("uniform", 0.5, 0.5), make_length_law("uniform", 1, 3), "uniform");
  const auto results = run(on_links(program, model), 20);
  CHECK_FALSE(results[0].makespan_s == near(results[1].makespan_s));
  CHECK_NOTHROW(run_batch_direct(on_links(program, model), {0, 20}));
}

TEST_CASE("Random bandwidths of every model are drawn for each workstation from the purpose bandwidth", "[bandwidth]") {
  const std::vector<OwnerPtr> models{
      intervals_owner(make_value_law("uniform", 0.5, 0.5), make_length_law("uniform", 2, 3), "uniform"),
      intervals_owner(make_value_law("two-point", 0.5, 1), make_length_law("exponential", 1, 3), "two-point"),
      duty_cycle_owner(3, 0.3, true), profile_of("STOCHASTIC LOOP\nEXP 1 UNIF 0 1\n")};
  const auto program = [](Rank& self) -> Process {
    co_await self.compute(1.5);
    co_await self.transfer(4000);
  };
  for (const auto& model : models) {
    INFO(model->describe());
    for (const auto& r : run(on_links(program, model), 12, 5))
      for (std::uint64_t i = 0; i < 2; ++i) {
        const auto path = model->path({1, r.replication, i, Purpose::bandwidth});
        CHECK(r[Quantity::finish_s][i] == near(flow_end(*path, 1.5005, 4000, 1000)));
      }
  }
}

TEST_CASE("What is left of links changes no draw of the owners", "[bandwidth]") {
  const auto owner = intervals_owner(make_value_law("uniform", 0.5, 0.5), make_length_law("uniform", 2, 3), "uniform");
  Scenario without = computing(machines(2, NetworkKind::links), 30, owner), with = without;
  with.bandwidth.assign(2, owner);
  const auto a = run(without, 5), b = run(with, 5);
  for (std::size_t k = 0; k < a.size(); ++k) CHECK(a[k][Quantity::finish_s] == b[k][Quantity::finish_s]);
  const auto of_cpu = owner->path({1, 0, 0}), of_link = owner->path({1, 0, 0, Purpose::bandwidth});
  CHECK(of_cpu->next().duration_s != of_link->next().duration_s);
}

TEST_CASE("Antithetic links are available where those of the replication before are not", "[bandwidth]") {
  const auto program = [](Rank& self) -> Process { co_await self.sleep_until(1); };
  const auto model = intervals_owner(make_value_law("uniform", 0.5, 0.5), make_length_law("uniform", 2, 3), "uniform");
  Scenario s = on_links(program, model);
  reduce_variance(s, kVarianceReductions[1]);
  const auto even = s.bandwidth[0]->path({1, 4, 0, Purpose::bandwidth});
  const auto odd = s.bandwidth[0]->path({1, 5, 0, Purpose::bandwidth});
  for (int k = 0; k < 5; ++k) {
    const Step a = even->next(), b = odd->next();
    CHECK(a.duration_s == b.duration_s);
    CHECK(a.value + b.value == near(1));
  }
}

TEST_CASE("Only links of each workstation's own can vary", "[bandwidth][error]") {
  CHECK(refusal(*machines(3, NetworkKind::links)).empty());
  CHECK(refusal(*machines(3)).empty());
  CHECK_THAT(refusal(*machines(3, NetworkKind::none)), Contains("this platform has no network"));
  CHECK_THAT(refusal(*machines(3, NetworkKind::bus)), Contains("'ws1' and 'ws2' have the link 'bus' in common"));
  const Folder folder;
  folder.file("varies", "0 500\n");
  CHECK(refusal(with_own_link(folder, "bandwidth=\"1kBps\" latency=\"0\"")).empty());
  CHECK_THAT(refusal(with_own_link(folder, "bandwidth=\"1kBps\" latency=\"0\" sharing_policy=\"FATPIPE\"")),
             Contains("'own' gives every flow its whole bandwidth (FATPIPE), and cannot vary"));
  CHECK_THAT(refusal(with_own_link(folder, "bandwidth=\"1kBps\" latency=\"0\" bandwidth_file=\"varies\"")),
             Contains("'own' has a bandwidth profile of its own in"));
  CHECK_THAT(refusal(with_own_link(folder, "bandwidth=\"1kBps\" latency=\"0\"", "<link_ctn id=\"own\"/>")),
             Contains("the route of 'a' to itself passes the link 'own' twice"));
  const Platform without_own = in_zone(folder, R"(<host id="a" speed="1f"/><host id="b" speed="1f"/>
<link id="l" bandwidth="1kBps" latency="0"/><route src="a" dst="b"><link_ctn id="l"/></route>)");
  CHECK_THAT(refusal(without_own), Contains("has no path of its own to transfer over"));
}

TEST_CASE("Own bytes feel what a platform's file says of their link, in supersteps too", "[bandwidth]") {
  const Folder folder;
  folder.file("bandwidth.profile", "0 1000\n5 100\n9 600\nLOOPAFTER 4\n");
  folder.file("state.profile", "0 1\n1000 0\n");
  for (const std::string profile : {"bandwidth_file=\"bandwidth.profile\"", "state_file=\"state.profile\""}) {
    const Platform platform = with_own_link(folder, "bandwidth=\"1kBps\" latency=\"1ms\" " + profile);
    Scenario s = scenario(std::make_shared<const Platform>(platform), {});
    s.workload = std::make_shared<const Workload>(
        ProgramDescription{.supersteps = std::make_shared<RepeatedStep>(Superstep{.own_bytes = 2500}, 4)});
    s.share_flop = {12};
    CHECK(run(s, 2)[0].makespan_s > 12 + 4 * 2.5);
  }
}

TEST_CASE("A bus is in use from the latency on, message by message, on either engine", "[link_use]") {
  for (const Engine engine : {Engine::direct, Engine::simgrid}) {
    const auto use = use_on(machines(3, NetworkKind::bus), passes_round, engine);
    REQUIRE(use);
    CHECK(use->link == "bus");
    check_spans(*use, {{0.001, 1.001}, {1.002, 2.002}, {2.003, 3.003}});
  }
}

TEST_CASE("Messages that share a bus use it once", "[link_use]") {
  const auto use = use_on(machines(4, NetworkKind::bus), hands_out);
  REQUIRE(use);
  check_spans(*use, {{0.001, 3.001}});
}

TEST_CASE("There is no shared link without one, or where too few share it", "[link_use]") {
  CHECK_FALSE(use_on(machines(2, NetworkKind::bus), passes_round));
  for (const NetworkKind kind : {NetworkKind::network_switch, NetworkKind::links}) {
    CHECK_FALSE(use_on(machines(5, kind), passes_round));
    CHECK_FALSE(use_on(machines(5, kind), hands_out));  // over the sender's own link, all of them
  }
  CHECK_FALSE(use_on(machines(4, NetworkKind::none), compute_share));
}

TEST_CASE("Of shared links the one that most bytes cross counts, unless it limits nobody", "[link_use]") {
  const Folder folder;
  const auto to_the_other_side = [](Rank& self) -> Process {
    if (self.index() < 2) {
      co_await self.send(2, 500);
      co_await self.send(3, 500);
    } else {
      co_await self.receive_any();
      co_await self.receive_any();
    }
    if (self.index() == 2) co_await self.send(3, 300);
    if (self.index() == 3) co_await self.receive_any();
  };
  const auto link_of = [&](const std::string& right) {
    const auto use = use_on(std::make_shared<const Platform>(load_platform(folder.file("p.xml", two_sides(right)))),
                            to_the_other_side);
    return use ? use->link : "";
  };
  CHECK(link_of("bandwidth=\"1kBps\" latency=\"0\"") == "right");  // 300 bytes more
  CHECK(link_of("bandwidth=\"1kBps\" latency=\"0\" sharing_policy=\"FATPIPE\"") ==
        "left");  // as many as cross the middle
}

TEST_CASE("Utilisation is the part of each part of T", "[link_use]") {
  const LinkUse use{"bus", {{0.5, 1.5}, {1.75, 2}, {3, 4}}};
  CHECK(utilisation(use, 4, 4) == std::vector<double>{0.5, 0.75, 0, 1});
  CHECK(utilisation(use, 4, 1) == std::vector<double>{0.5625});
  CHECK(utilisation({"bus", {}}, 0, 3) == std::vector<double>{0, 0, 0});
  double whole = 0;
  for (const double part : utilisation(use, 4, 300)) whole += part / 300;
  CHECK(whole == Approx(0.5625));
}

// The use of a shared link: which link it is, and when it is used, by hand-derived times.
#include "sim/engines/link_use.hpp"

#include <catch2/catch.hpp>

#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

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

TEST_CASE("A bus is in use from the latency on, message by message, on either engine", "[computes][reads][link_use]") {
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

// Platforms: what is read from XML, what is generated and says itself which routes SimGrid would compute, and which
// links may get faster.
#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>

#include "sim/base/error.hpp"
#include "sim/platform/ask_simgrid.hpp"
#include "sim/platform/routes.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

std::string document(const std::string& body) {
  return "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
         "<platform version=\"4.1\">\n" + body + "\n</platform>\n";
}

/// A zone without a network around hosts; the hosts begin in line 5.
std::string hosts(const std::string& body) {
  return document("<zone id=\"z\" routing=\"None\">\n" + body + "\n</zone>");
}

/// A link of 1000 B/s with a profile.
bool rises(const std::string& profile, ProfileQuantity quantity = ProfileQuantity::bandwidth) {
  Platform platform;
  platform.links.push_back({"l", 1000, 0.001});
  const auto parsed = std::make_shared<const Profile>(parse_profile(profile, "p", quantity));
  platform.link_profiles.push_back({"l", quantity, parsed});
  return link_whose_bandwidth_rises(platform) == "l";
}

/// Routes between all machines, and from each to itself, are those of the same platform as a file.
void check_as_simgrid(const Platform& platform) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t a = 0; a < platform.workstations.size(); ++a)
    for (std::size_t b = 0; b < platform.workstations.size(); ++b) pairs.emplace_back(a, b);
  Platform file = platform;
  file.generated_network = NetworkKind::none;
  const auto known = find_routes(platform, pairs), asked = find_routes(file, pairs);
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    INFO(pairs[k].first << " to " << pairs[k].second);
    CHECK(known[k].links == asked[k].links);
    CHECK(known[k].latency_s == asked[k].latency_s);
    CHECK(known[k].bandwidth_Bps == asked[k].bandwidth_Bps);
    CHECK(known[k].is_own() == asked[k].is_own());
  }
}

}  // namespace

TEST_CASE("Hosts come in the file's order with their speeds, cores, memory and properties", "[reads][platform]") {
  const Folder folder;
  const Platform p = load_platform(folder.file("p.xml", hosts("<host id=\"z10\" speed=\"25Mf\" core=\"4\">"
                                                              "<prop id=\"memory\" value=\"16MiB\"/>"
                                                              "<prop id=\"color\" value=\"red\"/></host>\n"
                                                              "<host id=\"a2\" speed=\"2Gf,1Gf\"/>")));
  REQUIRE(p.workstations.size() == 2);
  CHECK(p.workstations[0].name == "z10");
  CHECK(p.workstations[0].speed_flops == 25e6);
  CHECK(p.workstations[0].cores == 4);
  CHECK(p.workstations[0].extras->memory_bytes.value() == 16.0 * 1024 * 1024);
  CHECK(p.workstations[0].extras->properties.at("color") == "red");
  CHECK(p.workstations[1].speed_flops == 2e9);  // the first power state
  CHECK_FALSE(p.workstations[1].extras->memory_bytes);
}

TEST_CASE("A cluster's hosts and links are found, in the order of their numbers", "[platform]") {
  const Folder folder;
  const Platform p = load_platform(folder.file(
      "p.xml", document("<cluster id=\"c\" prefix=\"node-\" suffix=\"\" radical=\"1-11\" speed=\"1Gf\" bw=\"125MBps\" "
                        "lat=\"50us\" sharing_policy=\"SPLITDUPLEX\"/>")));
  REQUIRE(p.workstations.size() == 11);
  CHECK(p.workstations[1].name == "node-2");
  CHECK(p.workstations[10].name == "node-11");
  const Route route = find_routes(p, {{0, 10}}).front();
  CHECK(route.latency_s == Approx(100e-6));
  CHECK(route.bandwidth_Bps == Approx(125e6));
  CHECK(route.links.size() == 2);
}

TEST_CASE("What the machine has too little of is no mistake of the platform", "[platform][error]") {
  const Folder folder;
  const Platform p = load_platform(folder.file("p.xml", hosts("<host id=\"a\" speed=\"1f\"/>")));
  const auto asked = [&p](const char* last_words) {
    ask_child(p, [last_words]() -> std::string {
      std::fputs(last_words, stderr);
      std::abort();
    });
  };
  CHECK_THROWS_AS(asked("[0.0] [ker_context/CRITICAL] Failed to protect stack: Cannot allocate memory.\n"), RunError);
  CHECK_THROWS_WITH(asked("[0.0] [ker_context/CRITICAL] Failed to protect stack: Cannot allocate memory.\n"),
                    Catch::Contains("needs more memory areas") && !Catch::Contains("cannot work with this platform"));
  CHECK_THROWS_AS(asked("[0.0] [ker/CRITICAL] Link 'l' not found!\n"), InputError);
}

TEST_CASE("Profiles are taken out of the XML, shared ones too, and found beside the file", "[platform]") {
  const Folder folder;
  folder.file("v.profile", "PERIODICITY 10\n0 1\n5 0.5\n");
  const Platform p = load_platform(folder.file(
      "p.xml", hosts("<host id=\"a\" speed=\"1f\" speed_file=\"v.profile\"/>\n"
                     "<host id=\"b\" speed_file='v.profile' speed=\"1f\" state_file=\"\"/>\n"
                     "<host id=\"c\" speed=\"1f\" availability_file=\"v.profile\"/>")));
  for (const auto& w : p.workstations) {
    REQUIRE(w.extras->speed_profile != nullptr);
    CHECK(w.extras->speed_profile->events.size() == 2);
    CHECK_FALSE(w.extras->state_profile);
  }
  CHECK(p.xml.find("profile\"") == std::string::npos);
  CHECK(std::count(p.xml.begin(), p.xml.end(), '\n') == 9);
}

TEST_CASE("SimGrid's older traces and their connections are read", "[platform]") {
  const Folder folder;
  const Platform p = load_platform(folder.file(
      "p.xml", hosts("<host id=\"a\" speed=\"1f\"/>\n"
                     "<trace id=\"t\" periodicity=\"10.0\">\n0.0 1.0\n5.0 0.5\n</trace>\n"
                     "<trace_connect kind=\"SPEED\" trace=\"t\" element=\"a\"/>")));
  REQUIRE(p.workstations[0].extras->speed_profile != nullptr);
  CHECK(p.workstations[0].extras->speed_profile->periodicity.value() == 10);
}

TEST_CASE("Some of a platform's workstations are chosen in the given order", "[platform]") {
  const Platform part = machines(3)->with({2, 0});
  REQUIRE(part.workstations.size() == 2);
  CHECK(part.workstations[0].name == "ws3");
  CHECK_THROWS_AS(machines(3)->with({3}), std::out_of_range);
  // The network is still there, so messages between those chosen work.
  const auto program = [](Rank& self) -> Process {
    if (self.index() == 0) co_await self.send(1, 1000);
    else co_await self.receive(0);
  };
  CHECK(run(scenario(std::make_shared<const Platform>(part), program))[0].makespan_s == Approx(1.001));
}

TEST_CASE("Nested zones are routed through", "[platform]") {
  const Folder folder;
  const Platform p = load_platform(folder.file(
      "p.xml", document("<zone id=\"all\" routing=\"Full\">\n"
                        "<cluster id=\"x\" prefix=\"x\" suffix=\"\" radical=\"0-1\" speed=\"1f\" bw=\"1kBps\" lat=\"1ms\" router_id=\"xr\"/>\n"
                        "<cluster id=\"y\" prefix=\"y\" suffix=\"\" radical=\"0-1\" speed=\"1f\" bw=\"1kBps\" lat=\"1ms\" router_id=\"yr\"/>\n"
                        "<link id=\"wan\" bandwidth=\"100Bps\" latency=\"10ms\"/>\n"
                        "<zoneRoute src=\"x\" dst=\"y\" gw_src=\"xr\" gw_dst=\"yr\"><link_ctn id=\"wan\"/></zoneRoute>\n</zone>")));
  const auto routes = find_routes(p, {{0, 1}, {0, 2}});
  CHECK(routes[0].latency_s == Approx(2e-3));
  CHECK(routes[1].latency_s == Approx(12e-3));
  CHECK(routes[1].bandwidth_Bps == Approx(100));
}

TEST_CASE("What cannot be generated is refused", "[platform][error]") {
  const auto with = [](auto change) {
    GeneratedPlatform d{{"a", "b"}, {1, 1}, 1, NetworkKind::network_switch, 1000, 0.001};
    change(d);
    return d;
  };
  CHECK_NOTHROW(generate_platform(with([](auto&) {})));
  CHECK_THROWS_WITH(generate_platform(with([](auto& d) { d.names = {"a", "a"}; })), Catch::Contains("named twice"));
  CHECK_THROWS_WITH(generate_platform(with([](auto& d) { d.names[0] = "a<b"; })), Catch::Contains("name"));
  CHECK_THROWS_AS(generate_platform(with([](auto& d) { d.speed_flops = {1}; })), InputError);
  CHECK_THROWS_AS(generate_platform(with([](auto& d) { d.speed_flops[1] = 0; })), InputError);
  CHECK_THROWS_AS(generate_platform(with([](auto& d) { d.bandwidth_Bps = -1; })), InputError);
  CHECK_THROWS_AS(generate_platform(with([](auto& d) { d.latency_s = std::nan(""); })), InputError);
  CHECK_THROWS_AS(generate_platform(with([](auto& d) { d.cores = 0; })), InputError);
  CHECK_THROWS_AS(generate_platform({}), InputError);
}

TEST_CASE("Bytes that are no UTF-8, line ends of any kind and tags over several lines do not move what is taken out",
          "[platform]") {
  const Folder folder;
  folder.file("v.profile", "0 0.5\n");
  const std::string doctype = "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">";
  for (const std::string& text :
       {"<?xml version='1.0' encoding='ISO-8859-1'?>" + doctype + "<!-- \xe9\xe9\xe9\xe9 -->\n<platform version=\"4.1\">"
        "<zone id=\"z\" routing=\"None\"><host id=\"a\" speed=\"1f\" speed_file=\"v.profile\"/></zone></platform>",
        "<?xml version='1.0'?>\r\n" + doctype + "\r\n<platform version=\"4.1\">\r\n<zone id=\"z\" routing=\"None\">\r\n"
        "<host id=\"a\"\r\n speed=\"1f\"\r\n speed_file=\"v.profile\"/>\r\n</zone></platform>\r\n",
        hosts("<!-- <host id=\"b\" speed=\"-1f\" speed_file=\"none\"/> --><host\n speed_file = 'v.profile'\n id=\"a\" "
              "speed=\"1f\"><prop id=\"a>b\" value='x=\"y\"'/></host>")}) {
    const Platform p = load_platform(folder.file("p.xml", text));
    REQUIRE(p.workstations.size() == 1);
    CHECK(p.workstations[0].extras->speed_profile != nullptr);
  }
}

TEST_CASE("Pairs without a route are an input error", "[platform][error]") {
  const Folder folder;
  const Platform p = load_platform(folder.file(
      "p.xml", document("<zone id=\"z\" routing=\"Full\"><host id=\"a\" speed=\"1f\"/><host id=\"b\" speed=\"1f\"/>"
                        "<link id=\"l\" bandwidth=\"1Bps\" latency=\"0s\"/></zone>")));
  CHECK_THROWS_AS(find_routes(p, {{0, 1}}), InputError);
  CHECK_THROWS_WITH(find_routes(p, {{0, 1}}), Catch::Contains("no route from 'a' to 'b'"));
  CHECK_THROWS_AS(find_routes(*machines(2, NetworkKind::none), {{0, 1}}), InputError);
}

TEST_CASE("A platform's own configuration does not choose other models than nowsim's", "[platform]") {
  const Folder folder;
  const auto p = std::make_shared<const Platform>(load_platform(folder.file(
      "p.xml", document("<config><prop id=\"network/model\" value=\"LV08\"/><prop id=\"cpu/optim\" value=\"TI\"/>"
                        "<prop id=\"network/latency-factor\" value=\"13\"/><prop id=\"surf/precision\" value=\"0.1\"/></config>\n"
                        "<zone id=\"z\" routing=\"Full\"><host id=\"a\" speed=\"1f\"/><host id=\"b\" speed=\"1f\"/>"
                        "<link id=\"l\" bandwidth=\"1000Bps\" latency=\"2ms\"/>"
                        "<route src=\"a\" dst=\"b\"><link_ctn id=\"l\"/></route></zone>"))));
  Scenario s = scenario(p, [](Rank& self) -> Process {
    if (self.index() == 0) {
      co_await self.send(1, 1000);
    } else {
      co_await self.compute(3);
      co_await self.receive(0);
    }
  });
  s.owners[1] = profile_of("PERIODICITY 2\n0 1\n1 0\n");
  CHECK(run(s)[0].makespan_s == Approx(5 + 1.002).epsilon(1e-12));  // 3 flop in 1 s of every 2 s, then the message
}

TEST_CASE("Flows share a link of the platform's that both routes use", "[platform][network]") {
  const Folder folder;
  std::string body = "<zone id=\"z\" routing=\"Full\">";
  for (const char* name : {"a", "b", "c", "d"}) body += "<host id=\"" + std::string(name) + "\" speed=\"1f\"/>";
  body += "<link id=\"l\" bandwidth=\"1000Bps\" latency=\"1ms\"/>"
          "<route src=\"a\" dst=\"b\"><link_ctn id=\"l\"/></route>"
          "<route src=\"c\" dst=\"d\"><link_ctn id=\"l\"/></route></zone>";
  const auto p = std::make_shared<const Platform>(load_platform(folder.file("p.xml", document(body))));
  // 1000 and 3000 B at 500 B/s each; from 2.001 s on the second alone: 2000 B in 2 s.
  const auto finish = run(scenario(p, [](Rank& self) -> Process {
    if (self.index() % 2 == 0) co_await self.send(self.index() + 1, self.index() == 0 ? 1000 : 3000);
    else co_await self.receive(self.index() - 1);
  }))[0][Quantity::finish_s];
  CHECK(finish[1] == Approx(2.001).epsilon(1e-9));
  CHECK(finish[3] == Approx(4.001).epsilon(1e-9));
}

TEST_CASE("Bandwidth rises where a later value is more, also when a profile begins again", "[rising_bandwidth]") {
  CHECK(rises("0 1000\n1 2000\n"));
  CHECK(rises("5 1500\n"));  // above its own
  CHECK(rises("PERIODICITY 10\n0 1000\n5 500\n"));
  CHECK(rises("STOCHASTIC\nDET 1 UNIF 10 20\n"));
  CHECK_FALSE(rises("0 2000\n"));  // nothing is under way before
  CHECK_FALSE(rises("0 1000\n5 500\n"));
  CHECK_FALSE(rises("5 500\n7 500\n"));
  CHECK_FALSE(rises("0 0.001\n1 0.002\n", ProfileQuantity::latency));
  CHECK_FALSE(link_whose_bandwidth_rises(Platform()));
}

TEST_CASE("A generated platform knows the routes that SimGrid computes", "[platform][routes]") {
  for (const auto kind : {NetworkKind::bus, NetworkKind::network_switch, NetworkKind::links})
    for (const std::size_t n : {1, 2, 5}) {
      INFO("kind " << static_cast<int>(kind) << ", " << n << " machines");
      const auto platform = machines(std::vector<double>(n, 1.0), kind, 1e9 / 3, 1e-3 / 7);
      check_as_simgrid(*platform);
      if (n == 5) check_as_simgrid(platform->with({4, 1}));
    }
}

TEST_CASE("A generated platform with a changed link knows its routes too", "[platform][routes]") {
  for (const auto kind : {NetworkKind::bus, NetworkKind::network_switch, NetworkKind::links})
    check_as_simgrid(changed(*machines(3, kind), {{}, {{"ws2_link", {77.0, 0.5}}}}));
}

// Networks in which any two workstations are alike, and those in which they are not.
#include <catch2/catch.hpp>
#include <functional>
#include <map>
#include <set>
#include <string>

#include "sim/base/error.hpp"
#include "sim/platform/network_shape.hpp"
#include "sim/platform/routes.hpp"
#include "tests/paths.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

std::shared_ptr<const Platform> network_of(std::size_t n, NetworkKind kind) {
  return machines(std::vector<double>(n, 1.0), kind, 500, 0.25);
}

Platform shipped(const std::string& name) {
  return load_platform(source_folder() + "/platforms/" + name);
}

const std::string kHead = "<?xml version='1.0'?><!DOCTYPE platform SYSTEM 'https://simgrid.org/simgrid.dtd'>"
                          "<platform version='4.1'>";

/// Hosts with a full-duplex cable each; `cable` gives the i-th one's attributes.
Platform star(std::size_t n, const std::function<std::string(std::size_t)>& cable) {
  std::string hosts, cables, ends;
  for (std::size_t i = 0; i < n; ++i) {
    const std::string k = std::to_string(i);
    hosts += "<host id='h" + k + "' speed='1f'/>";
    cables += "<link id='c" + k + "' sharing_policy='SPLITDUPLEX' " + cable(i) + "/>";
    ends += "<host_link id='h" + k + "' up='c" + k + "_UP' down='c" + k + "_DOWN'/>";
  }
  return platform_from(kHead + "<zone id='z' routing='Cluster'>" + hosts + cables + ends + "</zone></platform>",
                       "star.xml");
}
std::string alike(std::size_t) { return "bandwidth='500Bps' latency='125ms'"; }

/// Hosts 0 to `last`, by SimGrid's tag for it.
Platform cluster(int last, const std::string& backbone = "") {
  return platform_from(kHead + "<cluster id='c' prefix='n' suffix='' radical='0-" + std::to_string(last) +
                           "' speed='1f' bw='500Bps' lat='125ms' " + backbone + "/></platform>",
                       "cluster.xml");
}

/// What find_routes says: the figures that all pairs have; nothing where they differ, or where a link has to be shared.
std::optional<UniformNetwork> by_all_routes(const Platform& platform) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t a = 0; a < platform.workstations.size(); ++a)
    for (std::size_t b = 0; b < platform.workstations.size(); ++b)
      if (a != b) pairs.emplace_back(a, b);
  const auto routes = find_routes(platform, pairs);
  std::map<std::string, std::pair<std::set<std::size_t>, std::set<std::size_t>>> users;
  for (std::size_t k = 0; k < routes.size(); ++k) {
    if (routes[k].latency_s != routes[0].latency_s || routes[k].bandwidth_Bps != routes[0].bandwidth_Bps) return {};
    for (const auto& name : routes[k].links) {
      const Link* link = platform.link_on_route(name);
      if (link == nullptr || !link->shared) continue;
      users[name].first.insert(pairs[k].first);
      users[name].second.insert(pairs[k].second);
    }
  }
  for (const auto& [name, ends] : users)
    if (ends.first.size() > 1 && ends.second.size() > 1) return {};
  return UniformNetwork{routes[0].latency_s, routes[0].bandwidth_Bps};
}

void check_figures(const Platform& platform, double latency_s, double bandwidth_Bps) {
  INFO(platform.source << ", " << platform.workstations.size() << " workstations");
  const auto found = uniform_network(platform);
  REQUIRE(found);
  CHECK(found->latency_s == Approx(latency_s).epsilon(1e-12));
  CHECK(found->bandwidth_Bps == Approx(bandwidth_Bps).epsilon(1e-12));
}

}  // namespace

TEST_CASE("A switch is uniform, with the latency and bandwidth of any route", "[reads][uniform_network]") {
  for (const std::size_t n : {2, 3, 5, 32, 33, 70, 1024})
    check_figures(*network_of(n, NetworkKind::network_switch), 0.25, 500);
  CHECK(UniformNetwork{0.25, 500}.message_s(1000) == 2.25);
}

TEST_CASE("A bus, half-duplex links, and no network at all are not uniform", "[uniform_network]") {
  for (const std::size_t n : {3, 40})
    for (const auto kind : {NetworkKind::bus, NetworkKind::links, NetworkKind::none})
      CHECK_FALSE(uniform_network(*network_of(n, kind)));
  CHECK_FALSE(uniform_network(*network_of(1, NetworkKind::network_switch)));
}

TEST_CASE("The Beowulf cluster is uniform, and so is a part of it; the SPARCs' Ethernet is not", "[uniform_network]") {
  const Platform beowulf = shipped("beowulf-33.xml");
  check_figures(beowulf, 5e-3, 12.5e6);
  check_figures(beowulf.with({3, 0, 7}), 5e-3, 12.5e6);
  CHECK_FALSE(uniform_network(shipped("sparc-now.xml")));
}

TEST_CASE("One cable that is slower, or longer, makes a star another network", "[uniform_network]") {
  const auto with_last = [](std::size_t n, const std::string& last) {
    return star(n, [n, last](std::size_t i) { return i + 1 == n ? last : alike(i); });
  };
  for (const std::size_t n : {3, 6, 40}) {
    check_figures(star(n, alike), 0.25, 500);
    CHECK_FALSE(uniform_network(with_last(n, "bandwidth='499Bps' latency='125ms'")));
    CHECK_FALSE(uniform_network(with_last(n, "bandwidth='500Bps' latency='126ms'")));
  }
}

TEST_CASE("What all messages pass must give each its whole bandwidth", "[uniform_network]") {
  for (const int last : {2, 39}) {
    const auto with_backbone = [last](const std::string& attributes) { return cluster(last, attributes); };
    check_figures(with_backbone("bb_bw='600Bps' bb_lat='1s' bb_sharing_policy='FATPIPE'"), 1.25, 500);
    check_figures(with_backbone("bb_bw='400Bps' bb_lat='1s' bb_sharing_policy='FATPIPE'"), 1.25, 400);
    CHECK_FALSE(uniform_network(with_backbone("bb_bw='1TBps' bb_lat='1s' bb_sharing_policy='SHARED'")));
  }
}

TEST_CASE("Links that vary make no uniform network", "[uniform_network]") {
  Platform p = *network_of(4, NetworkKind::network_switch);
  const auto steps = std::make_shared<const Profile>(parse_profile("0 1\n", "test", ProfileQuantity::fraction));
  p.link_profiles.push_back({"ws1_link", ProfileQuantity::bandwidth, steps});
  CHECK_FALSE(uniform_network(p));
}

TEST_CASE("Of stars, buses and clusters the routes of all pairs say the same", "[uniform_network]") {
  std::vector<Platform> platforms{shipped("beowulf-33.xml"), shipped("sparc-now.xml"), shipped("sparc-myrinet.xml"),
                                  star(40, alike), star(35, [](std::size_t i) {
                                    return "bandwidth='" + std::to_string(500 + i % 2) + "Bps' latency='1s'";
                                  })};
  for (const std::size_t n : {2, 4, 36})
    for (const auto kind : {NetworkKind::bus, NetworkKind::links, NetworkKind::network_switch})
      platforms.push_back(*network_of(n, kind));
  for (const auto& platform : platforms) {
    INFO(platform.source << ", " << platform.workstations.size() << " workstations");
    const auto found = uniform_network(platform), expected = by_all_routes(platform);
    REQUIRE(found.has_value() == expected.has_value());
    if (!found) continue;
    CHECK(found->latency_s == expected->latency_s);
    CHECK(found->bandwidth_Bps == expected->bandwidth_Bps);
  }
}

TEST_CASE("A cluster tag, and full routes of few workstations, are understood", "[uniform_network]") {
  for (const int last : {3, 99})
    check_figures(cluster(last), 0.25, 500);
  const std::string hosts = "<zone id='z' routing='Full'><host id='a' speed='1f'/><host id='b' speed='1f'/>"
                            "<link id='l' bandwidth='500Bps' latency='1s'/><link id='m' bandwidth='500Bps' latency='1s'/>"
                            "<route src='a' dst='b' symmetrical='NO'><link_ctn id='l'/></route>";
  const auto back_on = [&](const std::string& link) {
    return platform_from(kHead + hosts + "<route src='b' dst='a' symmetrical='NO'><link_ctn id='" + link +
                             "'/></route></zone></platform>",
                         "full.xml");
  };
  check_figures(back_on("m"), 1, 500);
  CHECK_FALSE(uniform_network(back_on("l")));
}

TEST_CASE("Workstations without a route between them are an error of the platform", "[uniform_network][error]") {
  const Platform apart = platform_from(kHead + "<zone id='z' routing='None'><host id='a' speed='1f'/><host id='b' "
                                               "speed='1f'/><link id='l' bandwidth='1Bps' latency='0'/></zone></platform>",
                                       "apart.xml");
  CHECK_THROWS_AS(uniform_network(apart), InputError);
}

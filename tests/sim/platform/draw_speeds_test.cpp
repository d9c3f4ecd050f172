// Machines and networks by rule: drawn speeds, what is exact in them and can be repeated; where any two machines are alike.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <functional>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <string>

#include "sim/base/error.hpp"
#include "sim/platform/generate_platform.hpp"
#include "sim/platform/network_shape.hpp"
#include "sim/platform/routes.hpp"
#include "tests/paths.hpp"
#include "tests/sim/scenario_fixture.hpp"
#include "tests/thrown.hpp"

using namespace nowsim;
using Catch::Contains;
using namespace nowsim::test;

namespace {

std::vector<double> drawn(std::size_t distinct, std::uint64_t number, double d_conf = 0.96, std::size_t machines = 32) {
  return draw_speeds({machines, distinct, 1933e6, 514e6, d_conf, number});
}

double mean(const std::vector<double>& v) {
  return std::accumulate(v.begin(), v.end(), 0.0) / static_cast<double>(v.size());
}

/// How many machines have each speed, the fastest first.
std::vector<std::size_t> counts_of(const std::vector<double>& falling) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < falling.size(); ++i)
    if (i == 0 || falling[i] != falling[i - 1]) out.push_back(1);
    else ++out.back();
  return out;
}

/// d_conf of n machines of 4 to 1 flop/s whose parts of the way from 1 to 4 add up to that.
double d_conf_of(double parts, std::size_t n) { return 4 / (1 + 3 * parts / static_cast<double>(n)) - 1; }

std::string complaint(const DrawnSpeeds& asked) { return sentence_of([&] { draw_speeds(asked); }); }

std::shared_ptr<const Platform> network_of(std::size_t n, NetworkKind kind) {
  return machines(std::vector<double>(n, 1.0), kind, 500, 0.25);
}

Platform shipped(const std::string& name) { return load_platform(source_folder() + "/platforms/" + name); }

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

TEST_CASE("Drawn speeds have the fastest, the slowest, the diversity and the number of speeds exactly",
          "[reads][platform]") {
  for (const std::size_t distinct : {3, 4, 6, 10, 31, 32})
    for (std::uint64_t number = 0; number < 20; ++number) {
      const auto v = drawn(distinct, number);
      INFO(distinct << " different speeds, draw " << number);
      REQUIRE(v.size() == 32);
      CHECK(std::ranges::is_sorted(v, std::greater{}));
      CHECK(v.front() == 1933e6);
      CHECK(v.back() == 514e6);
      CHECK(v.front() / mean(v) - 1 == Approx(0.96).epsilon(1e-12));
      CHECK(std::set(v.begin(), v.end()).size() == distinct);
    }
  for (const double d_conf : {0.05, 0.5, 2.0}) {
    const auto v = drawn(8, 1, d_conf, 100);
    CHECK(v.front() / mean(v) - 1 == Approx(d_conf).epsilon(1e-12));
  }
}

TEST_CASE("A draw gives the same speeds always, another draw others", "[platform]") {
  CHECK(drawn(6, 7) == drawn(6, 7));
  std::set<std::vector<double>> all;
  for (std::uint64_t number = 1; number <= 50; ++number) all.insert(drawn(6, number));
  CHECK(all.size() == 50);
  CHECK(drawn(6, 1) != drawn(7, 1));
}

TEST_CASE("Speeds between the ends are uniform among those that have the diversity", "[platform]") {
  // Four machines at 4 and 1 flop/s and two between: they add up to u + w = 1 part of the way, so that either is
  // uniform.
  double sum = 0, squares = 0;
  constexpr int kDraws = 4000;
  for (int k = 0; k < kDraws; ++k) {
    const auto v = draw_speeds({4, 4, 4, 1, 0.6, static_cast<std::uint64_t>(k)});
    const double least = (v[2] - 1) / 3;  // uniform on 0 to 1/2
    sum += least;
    squares += least * least;
  }
  CHECK(sum / kDraws == Approx(0.25).margin(0.01));
  CHECK(squares / kDraws == Approx(1.0 / 12).margin(0.005));
}

TEST_CASE("Three speeds between the ends of 1, 2 and 4 machines are as rejection sampling has them", "[platform]") {
  // 9 machines, one of 4 and one of 1 flop/s: x + 2 y + 4 z = 2.5, uniform over the part of that plane in the cube.
  std::map<std::size_t, std::array<double, 3>> drawn_of, wanted_of;  // by count: how often, sum, squares
  const auto add = [](std::array<double, 3>& to, double part) {
    to[0] += 1;
    to[1] += part;
    to[2] += part * part;
  };
  for (std::uint64_t k = 0; k < 20000; ++k) {
    const auto v = draw_speeds({9, 5, 4, 1, d_conf_of(3.5, 9), k});
    const auto counts = counts_of(v);
    const std::set between(counts.begin() + 1, counts.end() - 1);
    if (counts.front() != 1 || counts.back() != 1 || between != std::set<std::size_t>{1, 2, 4}) continue;
    for (std::size_t c = 1, at = 1; c < 4; at += counts[c++]) add(drawn_of[counts[c]], (v[at] - 1) / 3);
  }
  std::mt19937_64 engine(1);
  const auto uniform = [&] { return static_cast<double>(engine() >> 11) * 0x1.0p-53; };
  for (int k = 0; k < 100000; ++k) {
    const double x = uniform(), y = uniform(), z = (2.5 - x - 2 * y) / 4;
    if (z < 0 || z > 1) continue;
    add(wanted_of[1], x);
    add(wanted_of[2], y);
    add(wanted_of[4], z);
  }
  for (const std::size_t count : {1, 2, 4}) {
    INFO(count << " machines");
    const auto [n, sum, squares] = drawn_of[count];
    const auto [all, wanted_sum, wanted_squares] = wanted_of[count];
    REQUIRE(n > 1000);
    CHECK(sum / n == Approx(wanted_sum / all).margin(0.03));
    CHECK(squares / n == Approx(wanted_squares / all).margin(0.03));
  }
}

TEST_CASE("Counts are uniform among all that leave the diversity possible", "[platform]") {
  // 6 machines whose parts add up to 2.5: at most 2 at the fastest speed and 3 at the slowest.
  std::map<std::vector<std::size_t>, int> three, four;
  for (std::uint64_t k = 0; k < 3000; ++k) {
    ++three[counts_of(draw_speeds({6, 3, 4, 1, d_conf_of(2.5, 6), k}))];
    const auto counts = counts_of(draw_speeds({6, 4, 4, 1, d_conf_of(2.5, 6), k}));
    ++four[{counts.front(), counts.back()}];
  }
  REQUIRE(three.size() == 6);
  for (const auto& [counts, often] : three) {
    INFO(counts.front() << " and " << counts.back());
    CHECK(often == Approx(500).margin(100));
  }
  // Of 9 ways, which the rest is shared out in: C(6 - a - b - 1, 1).
  const std::map<std::vector<std::size_t>, int> ways{{{1, 1}, 3}, {{1, 2}, 2}, {{2, 1}, 2}, {{1, 3}, 1}, {{2, 2}, 1}};
  REQUIRE(four.size() == ways.size());
  for (const auto& [ends, number] : ways) {
    INFO(ends[0] << " and " << ends[1]);
    CHECK(four[ends] == Approx(3000.0 * number / 9).margin(100));
  }
}

TEST_CASE("Of many machines, a diversity that hardly any way to share them out has is refused soon", "[platform][error]") {
  // One machine at the fastest speed: by chance it hardly ever has as few.
  const std::string said = complaint({100000, 3, 4, 1, d_conf_of(1.5, 100000), 1});
  CHECK_THAT(said, Contains("100000 machines of 1 to 4 flop/s with 3 different speeds and d_conf = 2.9998"));
  CHECK_THAT(said, Contains("are too rare to be drawn"));
}

TEST_CASE("Speeds that numbers cannot tell apart are refused soon", "[platform][error]") {
  CHECK_THAT(complaint({1000, 1000, 1e15 + 3, 1e15, 1.5e-15, 1}),
             Contains("have at most 25 different speeds") && Contains("not 1000"));
  // There are 8001 numbers, but of 999 drawn at random some are always the same. A draw has steps for 1000 machines and
  // 99,900 exchanges, and two million there may be in all.
  CHECK_THAT(complaint({1000, 999, 1e15 + 1000, 1e15, 5e-13, 1}), Contains("lie too near one another: in 19 draws "));
  CHECK(draw_speeds({5, 5, 1e15 + 1000, 1e15, 5e-13, 1}).size() == 5);
}

TEST_CASE("Machines that are alike, and those of two speeds, leave nothing to draw", "[platform]") {
  CHECK(draw_speeds({3, 1, 5, 5, 0, 1}) == std::vector<double>{5, 5, 5});
  CHECK(draw_speeds({4, 2, 4, 1, 4 / 1.75 - 1, 9}) == std::vector<double>{4, 1, 1, 1});
}

TEST_CASE("What no machines can have is refused, with what they could", "[platform][error]") {
  CHECK_THAT(complaint({3, 4, 4, 1, 0.5, 1}), Contains("3 machines can have 1 to 3 different speeds, not 4"));
  CHECK_THAT(complaint({3, 0, 4, 1, 0.5, 1}), Contains("different speeds, not 0"));
  CHECK_THAT(complaint({3, 3, 1, 4, 0.5, 1}), Contains("at most the fastest's, not 4 beside 1 flop/s"));
  CHECK_THAT(complaint({3, 3, 4, 0, 0.5, 1}), Contains("must be above 0"));
  CHECK_THAT(complaint({3, 3, 4, 1, -0.5, 1}), Contains("d_conf must not be negative, nor -0.5"));
  CHECK_THAT(complaint({3, 1, 4, 1, 0.5, 1}), Contains("3 machines of 1 to 4 flop/s have at least 2 different speeds"));
  CHECK_THAT(complaint({3, 2, 4, 4, 0, 1}), Contains("have 1 speed, not 2"));
  CHECK_THAT(complaint({3, 1, 4, 4, 0.5, 1}), Contains("machines that are alike have d_conf = 0, not 0.5"));
  CHECK_THAT(complaint({4, 2, 4, 1, 0.5, 1}), Contains("cannot have d_conf = 0.5; they could have 0.6"));
  CHECK_THAT(complaint({4, 3, 4, 1, 1.5, 1}), Contains("with 3 different speeds have a d_conf between") &&
                                                  Contains("and 1.285714285714") && Contains("not 1.5"));
}

TEST_CASE("A switch is uniform, with the latency and bandwidth of any route", "[uniform_network]") {
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

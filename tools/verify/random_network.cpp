// A table of kinds, and writing what they draw as SimGrid's XML.
#include "tools/verify/random_network.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "sim/base/text.hpp"
#include "sim/platform/generate_platform.hpp"

namespace nowsim {
namespace {

using Way = std::vector<std::size_t>;

/// Adds links and ways, with latencies in one of four manners: none, all equal, unequal, or some without.
class Wiring {
 public:
  Wiring(RandomNetwork& network, RandomDraws& draws)
      : network_(network), draws_(draws), manner_(draws.below(4)), latency_s_(draws.amount(2e-4)) {}

  std::size_t link(bool shared = true) {
    double latency_s = manner_ == 0 ? 0 : latency_s_;
    if (manner_ >= 2) latency_s = draws_.amount(1e-4);
    if (manner_ == 3 && draws_.one_in(2)) latency_s = 0;
    network_.links.push_back({draws_.amount(1e5), latency_s, shared});
    return network_.links.size() - 1;
  }
  /// So many links in a row.
  Way links(std::size_t count) {
    Way all;
    while (all.size() < count) all.push_back(link());
    return all;
  }
  void between_all(const std::function<Way(int from, int to)>& way) {
    const int n = static_cast<int>(network_.speeds_flops.size());
    for (int a = 0; a < n; ++a)
      for (int b = 0; b < n; ++b)
        if (a != b) network_.ways[{a, b}] = way(a, b);
  }
  void own(const std::function<Way(int machine)>& way) {
    for (int a = 0; a < static_cast<int>(network_.speeds_flops.size()); ++a) network_.ways[{a, a}] = way(a);
  }
  [[nodiscard]] std::size_t machines() const { return network_.speeds_flops.size(); }
  RandomDraws& draws() { return draws_; }

 private:
  RandomNetwork& network_;
  RandomDraws& draws_;
  std::size_t manner_;
  double latency_s_;
};

std::size_t link_of(const Way& links, int machine) { return links[static_cast<std::size_t>(machine)]; }

void wire_bus(Wiring& w) {
  const std::size_t medium = w.link();
  w.between_all([&](int, int) { return Way{medium}; });
}

/// A full-duplex link per machine.
void wire_crossbar(Wiring& w) {
  const Way up = w.links(w.machines()), down = w.links(w.machines());
  w.between_all([&](int a, int b) { return Way{link_of(up, a), link_of(down, b)}; });
}

/// A half-duplex link per machine, over which it also transfers.
void wire_star(Wiring& w) {
  const Way own = w.links(w.machines());
  w.between_all([&](int a, int b) { return Way{link_of(own, a), link_of(own, b)}; });
  w.own([&](int a) { return Way{link_of(own, a)}; });
}

/// A cluster: links of the machines' own on both sides of a backbone.
void wire_cluster(Wiring& w, bool shared) {
  const Way own = w.links(w.machines());
  const std::size_t backbone = w.link(shared);
  w.between_all([&](int a, int b) { return Way{link_of(own, a), backbone, link_of(own, b)}; });
}
void wire_backbone(Wiring& w) { wire_cluster(w, true); }
void wire_fat_backbone(Wiring& w) { wire_cluster(w, false); }

/// Two clusters with a link in between, in each direction the same.
void wire_two_clusters(Wiring& w) {
  const Way own = w.links(w.machines()), inside = w.links(2);
  const std::size_t between = w.link();
  const int half = static_cast<int>(w.machines() / 2);
  w.between_all([&](int a, int b) {
    const auto side = [&](int machine) { return machine < half ? 0 : 1; };
    if (side(a) == side(b)) return Way{link_of(own, a), link_of(inside, side(a)), link_of(own, b)};
    return Way{link_of(own, a), link_of(inside, side(a)), between, link_of(inside, side(b)), link_of(own, b)};
  });
}

/// A tree of switches: each machine's link leads to its parent's, and the way to another machine up and down again.
void wire_tree(Wiring& w) {
  const std::size_t nodes = w.machines() + 3;  // switches first, of which 0 is the root
  std::vector<std::size_t> parents(nodes, 0);
  for (std::size_t k = 1; k < nodes; ++k) parents[k] = w.draws().below(std::min<std::size_t>(k, 3));
  const bool duplex = w.draws().one_in(2);
  const Way up = w.links(nodes), down = duplex ? w.links(nodes) : up;
  w.between_all([&](int a, int b) {
    auto x = static_cast<std::size_t>(a) + 3, y = static_cast<std::size_t>(b) + 3;
    Way rising, falling;
    while (x != y) {
      if (x > y) {
        rising.push_back(up[x]);
        x = parents[x];
      } else {
        falling.push_back(down[y]);
        y = parents[y];
      }
    }
    rising.insert(rising.end(), falling.rbegin(), falling.rend());
    return rising;
  });
}

/// Any ways over few links: another one back, and the same link twice now and then.
void wire_graph(Wiring& w) {
  Way all = w.links(2 + w.draws().below(4));
  if (w.draws().one_in(2)) all.push_back(w.link(false));
  const auto any = [&] {
    Way way;
    for (std::size_t k = 1 + w.draws().below(4); k > 0; --k) way.push_back(all[w.draws().below(all.size())]);
    return way;
  };
  w.between_all([&](int, int) { return any(); });
  w.own([&](int) { return any(); });
}

/// Fat pipes beside shared links.
void wire_fat_pipes(Wiring& w) {
  Way all;
  for (std::size_t k = 2 + w.draws().below(3); k > 0; --k) all.push_back(w.link(w.draws().one_in(2)));
  w.between_all([&](int, int) {
    Way way;
    for (std::size_t k = 1 + w.draws().below(2); k > 0; --k) way.push_back(all[w.draws().below(all.size())]);
    return way;
  });
}

struct NetworkMaker {
  const char* name;
  void (*wire)(Wiring&);
  bool varies = false;  ///< some of its shared links do
};
constexpr NetworkMaker kMakers[] = {{"bus", wire_bus},
                           {"crossbar", wire_crossbar},
                           {"star", wire_star},
                           {"backbone", wire_backbone},
                           {"fat backbone", wire_fat_backbone},
                           {"two clusters", wire_two_clusters},
                           {"tree", wire_tree},
                           {"graph", wire_graph},
                           {"fat pipes", wire_fat_pipes},
                           {"varying graph", wire_graph, true}};

/// A bandwidth that changes three times in each period, between a quarter and all.
std::string random_profile(double bandwidth_Bps, RandomDraws& draws) {
  const double step_s = draws.amount(0.02);
  std::string text = "PERIODICITY " + number_text(4 * step_s) + "\n";
  for (int k = 0; k < 3; ++k)
    text += number_text(k * step_s) + " " +
            number_text(bandwidth_Bps * (0.25 + 0.25 * static_cast<double>(draws.below(4)))) + "\n";
  return text;
}

std::string wire_xml(const Link& link) {
  return "<link id=\"" + link.name + "\" bandwidth=\"" + number_text(link.bandwidth_Bps) + "Bps\" latency=\"" +
         number_text(link.latency_s) + "s\" sharing_policy=\"" + (link.shared ? "SHARED" : "FATPIPE") + "\"/>\n";
}

}  // namespace

const std::vector<std::string>& random_network_kinds() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    for (const NetworkMaker& kind : kMakers) names.emplace_back(kind.name);
    return names;
  }();
  return kNames;
}

RandomNetwork random_network(std::size_t kind, RandomDraws& draws) {
  RandomNetwork network;
  for (std::size_t n = 2 + draws.below(7); n > 0; --n) network.speeds_flops.push_back(draws.amount(100));
  Wiring wiring(network, draws);
  kMakers[kind].wire(wiring);
  for (auto& link : network.links)
    if (kMakers[kind].varies && link.shared && draws.one_in(2)) link.profile = random_profile(link.bandwidth_Bps, draws);
  return network;
}

RandomNetwork RandomNetwork::without_machine(int machine) const {
  RandomNetwork left{speeds_flops, links, {}};
  left.speeds_flops.erase(left.speeds_flops.begin() + machine);
  for (const auto& [ends, way] : ways)
    if (ends.first != machine && ends.second != machine)
      left.ways[{ends.first - (ends.first > machine ? 1 : 0), ends.second - (ends.second > machine ? 1 : 0)}] = way;
  return left;
}

RandomNetwork RandomNetwork::without_link(std::size_t link) const {
  RandomNetwork left{speeds_flops, links, {}};
  left.links.erase(left.links.begin() + static_cast<std::ptrdiff_t>(link));
  for (auto [ends, way] : ways) {
    std::erase(way, link);
    if (way.empty()) return *this;
    for (auto& l : way)
      if (l > link) --l;
    left.ways[ends] = std::move(way);
  }
  return left;
}

std::shared_ptr<const Platform> platform_of(const RandomNetwork& network) {
  Platform platform;
  platform.source = "a random network";
  for (std::size_t i = 0; i < network.speeds_flops.size(); ++i)
    platform.workstations.push_back({"m" + std::to_string(i), network.speeds_flops[i], 1, {}});
  std::string xml;
  for (std::size_t l = 0; l < network.links.size(); ++l) {
    const RandomNetwork::Wire& wire = network.links[l];
    const Link link{"l" + std::to_string(l), wire.bandwidth_Bps, wire.latency_s, wire.shared};
    platform.links.push_back(link);
    xml += wire_xml(link);
    if (wire.profile.empty()) continue;
    const auto profile = parse_profile(wire.profile, link.name, ProfileQuantity::bandwidth);
    platform.link_profiles.push_back({link.name, ProfileQuantity::bandwidth, std::make_shared<Profile>(profile)});
  }
  for (const auto& [ends, way] : network.ways) {
    xml += "<route src=\"m" + std::to_string(ends.first) + "\" dst=\"m" + std::to_string(ends.second) +
           "\" symmetrical=\"NO\">";
    for (const std::size_t l : way) xml += "<link_ctn id=\"l" + std::to_string(l) + "\"/>";
    xml += "</route>\n";
  }
  platform.xml = platform_xml(platform.workstations, "Full", xml);
  return std::make_shared<const Platform>(std::move(platform));
}

}  // namespace nowsim

// The machines and their network, as described: workstations in order, and the XML that SimGrid builds them from.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/base/copy_on_write.hpp"
#include "sim/owners/profile.hpp"

namespace nowsim {

/// What only some machines have.
struct WorkstationExtras {
  std::optional<double> memory_bytes;              ///< property `memory` (a SimGrid size such as 16MiB), if given
  std::map<std::string, std::string> properties;   ///< raw, as in the XML
  std::shared_ptr<const Profile> speed_profile;    ///< the XML's speed_file: its owner, unless the experiment says else
  std::shared_ptr<const Profile> state_profile;    ///< the XML's state_file: off and on
};

/// One machine. `speed_flops` is that of one core.
struct Workstation {
  std::string name;
  double speed_flops = 1;
  int cores = 1;
  CopyOnWrite<WorkstationExtras> extras;  ///< of a million equal machines none has any
};

/// A link whose bandwidth, latency or state varies.
struct LinkProfile {
  std::string link;
  ProfileQuantity quantity;
  std::shared_ptr<const Profile> profile;
};

/// A link's nominal figures.
struct Link {
  std::string name;
  double bandwidth_Bps = 0;
  double latency_s = 0;
  bool shared = true;  ///< false: each flow gets the whole bandwidth (FATPIPE)
  template <class All>
  void fields(All& all) {
    all(name, bandwidth_Bps, latency_s, shared);
  }
};

/// A set of machines that the file defines.
struct HostSet {
  std::string hosts;  ///< names and patterns (host_patterns.hpp) between blanks, as written
  int line = 0;       ///< where
};

/// How generated workstations are joined.
enum class NetworkKind {
  none,    ///< no network: messages are an error
  bus,     ///< one shared medium: all messages share its bandwidth
  network_switch,  ///< a full-duplex link per workstation into a non-blocking switch
  links,   ///< a half-duplex link per workstation, shared by what it sends, receives and transfers over its own path
};

/// A platform; never changed after loading.
struct Platform {
  std::string source;                     ///< the file it came from, or how it was generated
  bool is_generated = false;              ///< not read from a file, which `source` only describes
  NetworkKind generated_network = NetworkKind::none;
  std::string xml;                        ///< SimGrid's XML without its profiles, which are kept here; empty where the
                                          ///< machines say it all (simgrid_xml())
  std::vector<Workstation> workstations;  ///< in the file's order
  std::vector<Link> links;
  std::vector<LinkProfile> link_profiles;
  std::map<std::string, HostSet> sets;    ///< of the file's machines, whichever are here
  std::vector<std::string> idle_hosts;    ///< of speed 0: in the network, but nothing computes there
  std::vector<std::string> settings;      ///< of SimGrid, by the file's <config>, that have no effect here
  std::vector<std::string> remarks;       ///< worth saying of the file, no problem

  /// What SimGrid is to load: `xml`, or a zone of the machines without a network.
  [[nodiscard]] std::string simgrid_xml() const;
  [[nodiscard]] bool has_state_profiles() const;
  /// Whether messages can travel: there are links, or Vivaldi coordinates, which are a network without.
  [[nodiscard]] bool has_network() const { return !links.empty() || xml.find("Vivaldi") != std::string::npos; }
  /// The link that a route names: of a full-duplex link its directions have names of their own, unless a link is called
  /// so. Null for SimGrid's loopback, and for links that the platform does not list since they limit nothing.
  [[nodiscard]] const Link* link_on_route(const std::string& name) const;
  /// The same platform with some of its workstations, in the given order. The others stay in the network, unused.
  [[nodiscard]] Platform with(const std::vector<std::size_t>& chosen) const;
};

/// "the host 'disk' has the speed 0 in FILE: nothing computes there" of a platform's host that is so; "" of any other name.
std::string about_idle_host(const Platform& platform, const std::string& name);

/// The platform's links by the names that link_on_route() knows them by; they must not outlive it.
std::unordered_map<std::string, const Link*> links_by_route_name(const Platform& platform);

/// The first of the platform's links whose bandwidth may rise at some moment after 0; a value that is drawn may. SimGrid
/// bounds a flow by the links' bandwidths at its start (CM02: the action's bound, set when it is made), so that such a
/// flow does not get more later; here it does.
std::optional<std::string> link_whose_bandwidth_rises(const Platform& platform);

/// From one workstation to another each, by their positions.
using WorkstationPairs = std::vector<std::pair<std::size_t, std::size_t>>;

/// What lies between two workstations.
struct Route {
  double latency_s = 0;
  double bandwidth_Bps = 0;  ///< the smallest on the way; 0 when there is no link
  std::vector<std::string> links;
  std::string no_route_reason;      ///< why no message can take it; "" where one can
  /// Of a workstation to itself: whether the platform declares it. SimGrid's built-in loopback is none.
  [[nodiscard]] bool is_own() const { return !links.empty() && links.front() != "__loopback__"; }
  void add(const Link& link) {
    bandwidth_Bps = links.empty() ? link.bandwidth_Bps : std::min(bandwidth_Bps, link.bandwidth_Bps);
    links.push_back(link.name);
  }
  template <class All>
  void fields(All& all) {
    all(no_route_reason, latency_s, bandwidth_Bps, links);
  }
};

/// What is said where messages are asked for and there is no network.
inline constexpr const char* kNoNetwork = "messages and transfers need a network, and this platform has none";

/// `transfer` needs a path of the workstation's own; SimGrid's built-in loopback, which no platform describes, is none.
inline std::string no_own_path_text(const std::string& workstation) {
  return "workstation '" + workstation + "' has no path of its own to transfer over: give the platform a route from it"
         " to itself, or a star-shaped network (routing=\"Cluster\")";
}

/// A workstation's property of this name with a program's behind it, such as weight:ep, is its power weight for that
/// program (ZY, Definition 1), as measured.
inline constexpr const char* kWeightProperty = "weight:";

/// max S of the workstations' speeds S_i [flop/s]; 0 without any.
double fastest_flops(const Platform& platform);
/// W_i = S_i/max S (ZY 1).
std::vector<double> power_weights(const Platform& platform);
/// sum W_i.
double total_power(const Platform& platform);
/// H = mean of 1 - W_i (ZY 4).
double heterogeneity(const Platform& platform);

}  // namespace nowsim

// The direct engine's network: how long a transfer takes that has its links to itself, and the proof that it has.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/base/infinity.hpp"
#include "sim/owners/owner_model.hpp"
#include "sim/platform/platform.hpp"

namespace nowsim {

struct Scenario;

/// Two transfers want more of a link than it has, so that how long they take is not known here: a case for SimGrid.
class Contended : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The routes between workstations, asked of SimGrid when they are first needed.
class RouteTable {
 public:
  struct Path {
    double latency_s = 0;
    double bandwidth_Bps = 0;            ///< the smallest on the way; infinite without links
    std::vector<std::size_t> shared;     ///< links that transfers share, by their numbers in links()
    bool is_own = false;                 ///< a route that the platform declares, not SimGrid's built-in loopback
  };
  struct Capacity {
    std::string name;
    double bandwidth_Bps = 0;
  };

  explicit RouteTable(std::shared_ptr<const Platform> platform);
  /// @throws InputError where there is no route.
  const Path& find(std::size_t from, std::size_t to);
  /// A workstation's path to itself. @throws InputError where it has none of its own.
  const Path& find_own(std::size_t workstation);
  [[nodiscard]] const std::vector<Capacity>& links() const { return links_; }

 private:
  using Pair = std::pair<std::size_t, std::size_t>;
  void load(std::size_t from, std::size_t to);
  [[nodiscard]] std::vector<Pair> asked_together(std::size_t from, std::size_t to) const;
  [[nodiscard]] std::uint64_t key(const Pair& pair) const {
    return std::uint64_t{pair.first} * platform_->workstations.size() + pair.second;
  }
  std::optional<std::size_t> shared_link(const std::string& name);
  Path described(const Route& route);

  std::shared_ptr<const Platform> platform_;
  std::vector<Capacity> links_;
  std::map<std::string, std::optional<std::size_t>> numbers_;  ///< of links seen so far; nothing: not shared
  std::unordered_map<std::uint64_t, Path> paths_;  ///< by key()
};

/// Which transfers occupy which links, in one replication.
class LinkLoads {
 public:
  /// Both outlive it. @throws InputError where the bandwidth of a workstation varies that has no path of its own.
  LinkLoads(RouteTable& routes, const Scenario& scenario);
  /// Makes everything as it is at the start of a replication.
  void open(std::uint64_t replication);
  /// A transfer that starts at `start_s`: when it ends, latency + bytes/bandwidth later; where links on its way vary,
  /// the bytes flow at what the narrowest leaves at each moment. Transfers are given in the order of their starts. One
  /// that would end after `cut_s` leaves its links then.
  /// @throws Contended, naming link, transfers and time; InputError where there is no route.
  double transfer(std::size_t from, std::size_t to, double bytes, double start_s,
                  double cut_s = kInfinity);

 private:
  /// From when to when bytes flow (the latency comes before), and how many per second.
  struct Flow {
    double begin_s, end_s, rate_Bps;
    std::size_t from, to;
  };
  /// A link that varies: where its path stands, which is where the last flow on it ended.
  struct VaryingLink {
    std::size_t workstation;     ///< whose own link it is
    std::unique_ptr<Path> path;  ///< null: nothing has flowed on it yet
    double step_ends_s, share;   ///< of the step that holds there: its end, and what it leaves
    Flow last;
    void go_to(double time_s);
  };
  void occupy(std::size_t link, const Flow& flow, double now_s);
  [[noreturn]] void refuse(std::size_t link, const Flow& one, const Flow& other, double time_s) const;
  double along_varying(const RouteTable::Path& path, Flow flow, double bytes);
  VaryingLink& varying_at(std::size_t number, const Flow& flow);

  RouteTable* routes_;
  const Scenario* scenario_;
  std::uint64_t replication_ = 0;
  std::vector<std::vector<Flow>> flows_;  ///< per link's number, those that may not be over
  std::vector<std::size_t> used_;         ///< links that have had flows
  std::map<std::size_t, VaryingLink> varying_;      ///< by links' numbers
};

}  // namespace nowsim

// The ways between workstations as the direct engine goes them: links by number, asked for when first needed.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/platform/platform.hpp"

namespace nowsim {

/// The routes between workstations, asked of SimGrid when they are first needed.
class RouteTable {
 public:
  /// A link that flows share, on a path, by its number in links().
  struct Crossing {
    std::uint32_t link;
    double times;  ///< so often it is on the path
  };
  struct Route {
    double latency_s = 0;
    double bandwidth_Bps = 0;         ///< the smallest on the way; infinite without links
    std::vector<Crossing> crossings;  ///< each link once
    std::vector<std::uint32_t> fat;   ///< links of which each flow may have the whole bandwidth (FATPIPE)
    bool is_own = false;              ///< a route that the platform declares, not SimGrid's built-in loopback
  };
  struct Capacity {
    std::string name;  ///< on routes: of one direction where the link is split
    double bandwidth_Bps = 0;
    bool is_shared = true;  ///< false: each flow gets the whole bandwidth (FATPIPE)
  };

  explicit RouteTable(std::shared_ptr<const Platform> platform);
  /// @throws InputError where there is no route.
  const Route& find(std::size_t from, std::size_t to) {
    if (!at_hand_.empty())
      if (const Route* known = at_hand_[key({from, to})]) return *known;
    return look_up(from, to);
  }
  /// A workstation's path to itself. @throws InputError where it has none of its own.
  const Route& find_own(std::size_t workstation);
  [[nodiscard]] const std::vector<Capacity>& links() const { return links_; }

 private:
  using Pair = std::pair<std::size_t, std::size_t>;
  const Route& look_up(std::size_t from, std::size_t to);
  void load(std::size_t from, std::size_t to);
  [[nodiscard]] std::vector<Pair> asked_together(std::size_t from, std::size_t to) const;
  [[nodiscard]] std::uint64_t key(const Pair& pair) const {
    return std::uint64_t{pair.first} * platform_->workstations.size() + pair.second;
  }
  std::optional<std::uint32_t> number_of(const std::string& name);
  Route described(const nowsim::Route& route);

  std::shared_ptr<const Platform> platform_;
  std::vector<Capacity> links_;
  std::map<std::string, std::optional<std::uint32_t>> numbers_;  ///< of links seen so far; nothing: not listed
  std::unordered_map<std::uint64_t, Route> paths_;  ///< by key()
  std::vector<const Route*> at_hand_;               ///< the same of few workstations, as far as they are known
};

}  // namespace nowsim

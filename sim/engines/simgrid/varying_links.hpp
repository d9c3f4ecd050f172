// Links that vary on SimGrid's clock over the replications of a batch, driven by timers; and workstations' own paths.
#pragma once

#include <simgrid/s4u.hpp>

#include <functional>
#include <memory>
#include <set>
#include <vector>

#include "sim/engines/simgrid/session.hpp"
#include "sim/owners/owner.hpp"
#include "sim/program/scenario.hpp"

namespace nowsim {

/// Changes a link at the dates of its path, by timers: SimGrid takes a link's profile only before its XML is sealed.
class LinkDriver {
 public:
  using Open = std::function<std::unique_ptr<Path>(std::uint64_t replication)>;
  using Apply = std::function<void(double value)>;
  LinkDriver(Open open, Apply apply, std::function<bool()> go_on)
      : open_(std::move(open)), apply_(std::move(apply)), go_on_(std::move(go_on)) {}
  void start(const ClockOrigin& origin);
  void stop();

 private:
  void step();

  Open open_;
  Apply apply_;
  std::function<bool()> go_on_;
  std::unique_ptr<Path> path_;
  double date_s_ = 0;
  SimGridTimer* timer_ = nullptr;
};

/// Refuses to use a workstation's route to itself where its platform declares none.
class OwnPaths {
 public:
  /// @throws InputError. There has to be a network: without one SimGrid would abort at the first route.
  void require(const simgrid::s4u::Host* host);

 private:
  std::set<const simgrid::s4u::Host*> checked_;
};

/// All that varies of a scenario's network: what is left of the workstations' own links, and links with profiles.
/// @param go_on asked at every change, since changes never end and so hide a deadlock: whether to go on.
std::vector<std::unique_ptr<LinkDriver>> varying_links(const Scenario& scenario,
                                                       const std::vector<simgrid::s4u::Host*>& hosts,
                                                       OwnPaths& own_paths, const std::function<bool()>& go_on);

}  // namespace nowsim

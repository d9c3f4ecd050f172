// The direct engine's network: what is on its way, when it arrives, and what becomes of it where links fail.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "sim/engines/direct/event_queue.hpp"
#include "sim/engines/direct/flow_sharing.hpp"
#include "sim/engines/direct/route_table.hpp"
#include "sim/owners/path.hpp"
#include "sim/program/scenario.hpp"

namespace nowsim {

/// Bytes that travel between two workstations. Ranks are those of the same numbers, but of exchanges.
struct Transfer {
  enum class Kind { message, rendezvous, own_path, exchange };
  Kind kind;
  int from, to;      ///< ranks; of an exchange, a message with a tag, their workstations
  std::uint64_t id;  ///< of the message; of an exchange the request of its send
  double bytes, begin_s;
};

/// The network during one replication, the fluid model of SimGrid's CM02: a transfer first waits for the latency of its
/// route, then its bytes flow, at rates that links share by weighted max-min (FlowSharing). Its weight is 1/latency, 1
/// without latency; it goes never faster than the narrowest of the links did at its start, those apart that vary. Where
/// a link is off, what crosses it fails. Time goes forward, but for a moment (1e-9 of it): a message that others might
/// have come before begins when it could first be taken, not when that was sure.
class FluidNetwork {
 public:
  struct Ended {
    Transfer transfer;
    bool has_failed;
  };

  /// Both outlive it. @throws InputError where the bandwidth of a workstation varies that has no path of its own.
  FluidNetwork(RouteTable& routes, const Scenario& scenario);
  /// Makes everything as it is at the start of a replication.
  void open(std::uint64_t replication);

  [[nodiscard]] bool is_idle() const { return under_way_ == 0; }
  /// What has been asked of it last.
  [[nodiscard]] double now_s() const { return now_s_; }
  /// Begins a transfer, at begin_s. False: it fails at once, as a link is off. @throws InputError without a route.
  bool start(const Transfer& transfer);
  /// When a transfer would end that has the network to itself from its beginning on; infinite where it does not have it
  /// now, or that takes more to find. To the bit what start() and proceed() come to. @throws InputError without a route.
  double end_alone_s(const Transfer& transfer);
  /// When something happens next, if no transfer begins before; infinite when idle.
  double next_s();
  /// Goes to next_s(), and tells what ends or fails then, in the order of receivers. Valid until the next call.
  const std::vector<Ended>& proceed();
  /// Takes out, at a date not after next_s(), all that travels from or to a rank.
  std::vector<Transfer> cancel(int rank, double now_s);

 private:
  enum class State { free, latent, flowing };
  struct Flow {
    Transfer transfer;
    const RouteTable::Route* path = nullptr;
    double bound_Bps = 0;
    State state = State::free;
  };
  /// What varies of a link. Its path stands where something last was on the link.
  struct Variation {
    std::uint32_t link;
    bool is_state;             ///< off or on; else bandwidth
    double unit;               ///< of its path's values [B/s]
    std::function<std::unique_ptr<Path>(std::uint64_t replication)> open;
    PathCursor path;
    std::uint32_t users = 0;   ///< transfers on the link
  };
  // Entries of dates_: the end of a transfer's latency, the change of a variation.
  static std::uint32_t of_flow(std::uint32_t number) { return 2 * number; }
  static std::uint32_t of_variation(std::uint32_t number) { return 2 * number + 1; }

  void know_links();
  void add(Variation variation);
  template <class Do>
  void for_variations(const RouteTable::Route& path, Do todo);
  void use_variations(const RouteTable::Route& path);
  void unuse_variations(const RouteTable::Route& path);
  [[nodiscard]] bool is_on(const RouteTable::Route& path);
  [[nodiscard]] double bound_of(const RouteTable::Route& path) const;
  void release(std::uint32_t flow);
  void begin_to_flow(std::uint32_t flow);
  void change(std::uint32_t variation);
  void fail_where_off();
  template <class IsLost>
  std::vector<Transfer> take_out(IsLost is_lost);

  RouteTable* routes_;
  const Scenario* scenario_;
  std::uint64_t replication_ = 0;
  double now_s_ = 0;
  FlowSharing sharing_;
  DateHeap dates_;
  std::vector<Flow> flows_;
  std::vector<std::uint32_t> free_flows_;
  std::size_t under_way_ = 0, known_ = 0;  ///< transfers; links
  std::vector<Variation> variations_;
  std::vector<std::vector<std::uint32_t>> variations_of_;  ///< per link that is known
  bool any_went_off_ = false;
  std::vector<Ended> ended_;
  std::vector<std::uint32_t> ended_flows_;
};

}  // namespace nowsim

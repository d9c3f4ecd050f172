// Ranks in persistent S4U actors, one engine per child: replications follow one another on the simulated clock.
#include "sim/engines/simgrid/engine.hpp"

#include <simgrid/kernel/Timer.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "sim/base/error.hpp"
#include "sim/base/serialization.hpp"
#include "sim/base/text.hpp"
#include "sim/engines/simgrid/owner_jobs.hpp"
#include "sim/engines/simgrid/profile_feeder.hpp"
#include "sim/platform/child_process.hpp"
#include "sim/platform/simgrid_session.hpp"
#include "sim/platform/simgrid_version.hpp"
#include "sim/program/control_variates.hpp"
#include "sim/program/inbox.hpp"
#include "sim/program/operation_checks.hpp"
#include "sim/program/wait_reasons.hpp"

// How it works (the alternatives that were measured cost 3 to 20 times as much):
// - Each varying resource has one lazy SimGrid profile for the whole batch; a Feeder hands it one event at a time.
// - When a replication ends at clock t, the next one starts at the latest date that any profile has already announced;
//   each feeder bridges the time up to it and then begins the next replication's path. So replications are shifted
//   copies of what they would be alone, and nothing of one reaches another.
// - Ranks block inside their actors, so their coroutines never suspend. Messages are matched by Inbox, and only the
//   transfer itself is SimGrid's.
// - Where machines switch off, actors die with them: then actors are made anew for each replication.

namespace nowsim {
namespace {

namespace s4u = simgrid::s4u;
using simgrid::kernel::timer::Timer;
using simgrid_clock::Feeder;
using simgrid_clock::LinkDriver;
using simgrid_clock::Origin;

class SimGridBatch;

/// A rank inside an actor: each operation blocks until it is over.
class SimGridRank final : public Rank {
 public:
  using Where = Place;
  SimGridRank(SimGridBatch& batch, const Where& place, s4u::Host* host) : Rank(place), batch_(batch), host_(host) {}

  [[nodiscard]] double now() const override;
  void keep_work() override {
    kept_work_flop_ = recorded[Quantity::work_flop];
    kept_active_s_ = recorded[Quantity::active_s];
    restarts = 0;  // it gets on
  }
  /// Forgets what the rank's memory held: its machine was switched off.
  void lose_memory();
  /// The job is over: it waits for nothing any more, and nobody waits for it.
  void stop();
  [[nodiscard]] std::string stuck() const;

  // What the batch reads at the end.
  PerQuantity<double> recorded;
  bool finished = false;
  int restarts = 0;  // since work was kept
  s4u::ActorPtr actor;

 private:
  bool begin_compute(double flop) override;
  bool begin_sleep_until(double date_s) override;
  bool begin_barrier(double cost_s) override;
  bool begin_transfer(double bytes) override;
  bool begin_send(int to, double bytes, std::any content, bool buffered, double timeout_s) override;
  bool await_delivery(SimGridRank& receiver, double timeout_s);
  bool begin_receive(int from, double timeout_s) override;
  std::optional<Message> take_received() override { return std::exchange(received_, std::nullopt); }

  /// Whether what the rank does ends by itself: it needs no other rank for it.
  [[nodiscard]] bool ends_by_itself() const;
  /// Says what the rank is doing, for messages about deadlocks.
  struct Doing {
    SimGridRank& rank;
    Doing(SimGridRank& r, Wait what, int peer = -1) : rank(r) {
      rank.doing_ = what;
      rank.peer_ = peer;
    }
    ~Doing() { rank.doing_ = Wait::nothing; }
  };
  /// Wakes its rank at a date, unless it goes before: a rank may end at any wait, with its machine.
  class Alarm {
   public:
    Alarm(SimGridRank& rank, double date)
        : timer_(Timer::set(date, [this, &rank] {
            timer_ = nullptr;
            rank.wake();
          })) {}
    ~Alarm() {
      if (timer_ != nullptr) timer_->remove();
    }
    Alarm(const Alarm&) = delete;
    Alarm& operator=(const Alarm&) = delete;
    [[nodiscard]] bool rang() const { return timer_ == nullptr; }

   private:
    Timer* timer_;
  };
  void block();
  void wake();
  void settle();
  void notice(int from);
  void pull(Envelope envelope);
  void let_go();
  bool await_message(int from, double timeout_s);
  friend class SimGridBatch;

  SimGridBatch& batch_;
  s4u::Host* host_;
  Inbox inbox_;
  std::optional<Message> received_;
  Wait doing_ = Wait::nothing;
  int peer_ = -1;
  bool blocked_ = false;
  bool has_deadline_ = false;
  std::uint64_t barriers_ = 0;  // called since it began
  double kept_work_flop_ = 0, kept_active_s_ = 0;
  enum class Delivery { none, offered, under_way, done, failed } delivery_ = Delivery::none;
  std::uint64_t offer_id_ = 0;
};

/// One engine's replications, one after another.
class SimGridBatch {
 public:
  SimGridBatch(const Scenario& scenario, const Batch& batch, const BatchProgress& progress)
      : scenario_(scenario), batch_(batch), typical_s_(std::max(progress.typical_time_s, expected_time(scenario))),
        origin_{batch.first + progress.done, 0}, end_(batch.first + batch.count),
        precision_s_(precision_for(typical_s_)), clock_limit_s_(precision_s_ / (8 * 0x1p-52)) {}

  std::string run();

 private:
  friend class SimGridRank;

  static double expected_time(const Scenario& scenario);
  static double precision_for(double typical_s);
  [[nodiscard]] double look_ahead() const { return typical_s_ > 0 ? 4 * typical_s_ : 1.0; }
  void attach_profiles();
  void attach_owner(std::size_t i, s4u::Host* host);
  void attach_state(std::size_t i, s4u::Host* host);
  void attach_bandwidth(std::size_t i, const s4u::Host* host);
  void attach_link(const LinkProfile& link, std::size_t number);
  Feeder& add_feeder(Feeder::Open open, double scale, std::function<void(double)> at_event = {});

  void start_replication();
  void create_actor(std::size_t i);
  void revive_ranks();
  bool go_on();
  [[nodiscard]] bool is_hopeless() const;
  [[nodiscard]] bool gets_nothing(const SimGridRank& rank) const;
  void be_rank(std::size_t i);
  void run_process(SimGridRank& rank);
  void rank_died(SimGridRank* rank);
  void stop_others();
  void maybe_finish();
  void finish_replication();
  void stop_drivers();
  void note_owner_times();
  void pack_result();
  [[nodiscard]] bool profiles_too_long() const;
  void schedule_next();
  void later(std::function<void()> what);
  /// Whether this replication is under way.
  [[nodiscard]] bool is_running(std::uint64_t replication) const {
    return !over_ && !ended_ && replication == origin_.replication;
  }
  void fail(const std::string& sentence);
  [[nodiscard]] std::string deadlock() const;

  void send_off(SimGridRank& from, SimGridRank& to, std::uint64_t id, double bytes);
  SimGridRank& rank(int i) { return *ranks_[static_cast<std::size_t>(i)]; }
  void require_own_path(const s4u::Host* host);
  void require_network() const;
  struct Courier;
  void be_courier(Courier* courier);
  void message_lost(int to, int sender, std::uint64_t replication);

  const Scenario& scenario_;
  Batch batch_;
  double typical_s_;
  Origin origin_;
  std::uint64_t end_;
  double precision_s_, clock_limit_s_;

  std::vector<s4u::Host*> hosts_;
  std::vector<std::unique_ptr<Feeder>> feeders_;
  std::vector<Feeder*> owner_feeders_;  // per workstation; null: no path
  std::vector<std::unique_ptr<SimGridOwnerJobs>> owner_jobs_;  // per workstation; null: another model
  std::vector<Feeder*> state_feeders_;  // per workstation; null: always on
  std::vector<std::unique_ptr<LinkDriver>> link_drivers_;
  std::vector<std::unique_ptr<SimGridRank>> ranks_;
  std::set<const s4u::Host*> own_path_checked_;
  bool anew_ = false;  // machines switch off: actors are made for each replication
  std::size_t running_ = 0;
  std::size_t in_flight_ = 0;
  bool ended_ = false;  // the replication; the next one may not have begun
  bool over_ = false;   // the batch
  double makespan_s_ = 0;
  std::vector<SimGridRank*> at_barrier_;
  std::uint64_t barrier_round_ = 0;
  double barrier_cost_s_ = 0;  // of those who are at it
  std::uint64_t next_id_ = 0;

  struct Courier {
    s4u::ActorPtr actor;
    s4u::Host* from = nullptr;
    SimGridRank* to = nullptr;
    int sender = -1;
    std::uint64_t id = 0;
    double bytes = 0;
    double begin_s = 0;  // of the journey, since the replication began
  };
  std::vector<std::unique_ptr<Courier>> couriers_;
  std::vector<std::vector<Courier*>> idle_couriers_;  // per rank

  Serializer results_;
  std::uint64_t done_ = 0;
  std::string failure_;
};

double clock_now() { return s4u::Engine::get_clock(); }

std::uint64_t size_of(double bytes) { return static_cast<std::uint64_t>(whole_bytes(bytes)); }

// ---- SimGridRank -----------------------------------------------------------------------------------------------

bool SimGridRank::ends_by_itself() const {
  switch (doing_) {
    case Wait::barrier: return false;
    case Wait::send: return delivery_ != Delivery::offered || has_deadline_;
    case Wait::receive:
    case Wait::receive_any: return has_deadline_ || inbox_.has(peer_);
    case Wait::compute: return !batch_.gets_nothing(*this);
    default: return true;
  }
}

double SimGridRank::now() const { return clock_now() - batch_.origin_.date_s; }

void SimGridRank::block() {
  blocked_ = true;
  s4u::this_actor::suspend();
  blocked_ = false;
}

/// From another rank's actor or from a timer. Ranks run one at a time, so none can be missed.
void SimGridRank::wake() {
  if (blocked_) actor->resume();
}

bool SimGridRank::begin_compute(double flop) {
  check_amount(index(), flop, "compute");
  if (flop == 0) return true;
  const Doing doing(*this, Wait::compute);
  const double begin = clock_now();
  s4u::this_actor::execute(flop);
  recorded[Quantity::active_s] += clock_now() - begin;
  recorded[Quantity::work_flop] += flop;
  return true;
}

bool SimGridRank::begin_sleep_until(double date_s) {
  check_date(index(), date_s);
  const Doing doing(*this, Wait::sleep);
  if (date_s > now()) s4u::this_actor::sleep_until(batch_.origin_.date_s + date_s);
  return true;
}

bool SimGridRank::begin_barrier(double cost_s) {
  auto& waiting = batch_.at_barrier_;
  const bool is_over = barriers_ < batch_.barrier_round_;
  if (!is_over && waiting.empty()) batch_.barrier_cost_s_ = cost_s;
  check_barrier_cost(index(), cost_s, is_over ? cost_s : batch_.barrier_cost_s_);
  const Doing doing(*this, Wait::barrier);
  ++barriers_;
  if (is_over) return true;  // it began again, and passes the barriers that are already over
  waiting.push_back(this);
  if (waiting.size() < batch_.ranks_.size()) {
    const std::uint64_t round = batch_.barrier_round_;
    while (round == batch_.barrier_round_) block();
  } else {
    ++batch_.barrier_round_;
    for (SimGridRank* other : std::exchange(waiting, {})) other->wake();
  }
  const Doing paying(*this, Wait::sleep);  // no longer waiting for others: it ends by itself
  if (cost_s > 0) s4u::this_actor::sleep_for(cost_s);
  return true;
}

bool SimGridRank::begin_transfer(double bytes) {
  check_bytes(index(), bytes, "transfer");
  const Doing doing(*this, Wait::transfer);
  batch_.require_own_path(host_);
  try {
    s4u::Comm::sendto(host_, host_, size_of(bytes));
  } catch (const simgrid::NetworkFailureException&) {
    throw CommunicationFailed("the transfer of rank " + std::to_string(index()) + " failed with its network");
  }
  return true;
}

bool SimGridRank::begin_send(int to, double bytes, std::any content, bool buffered, double timeout_s) {
  check_bytes(index(), bytes, "send");
  check_timeout(index(), timeout_s);
  check_receiver(index(), to, count(), buffered);
  batch_.require_network();
  SimGridRank& receiver = batch_.rank(to);
  const std::uint64_t id = ++batch_.next_id_;
  recorded[Quantity::messages] += 1;
  recorded[Quantity::sent_bytes] += whole_bytes(bytes);
  Envelope envelope{id, index(), bytes, buffered, std::move(content)};
  if (buffered) {
    receiver.inbox_.depart(std::move(envelope));
    batch_.send_off(*this, receiver, id, bytes);
    return true;
  }
  const Doing doing(*this, Wait::send, to);
  delivery_ = Delivery::offered;
  offer_id_ = id;
  receiver.inbox_.offer(std::move(envelope), now());
  receiver.notice(index());
  note_delivery(await_delivery(receiver, timeout_s) ? Sent::done : Sent::given_up);
  if (std::exchange(delivery_, Delivery::none) == Delivery::failed) fail_send(to);
  return true;
}

/// Until the message has been taken over; false, the offer withdrawn, when the time is over before that begins.
bool SimGridRank::await_delivery(SimGridRank& receiver, double timeout_s) {
  has_deadline_ = timeout_s < kForever;
  std::optional<Alarm> deadline;
  if (has_deadline_) deadline.emplace(*this, clock_now() + std::max(timeout_s, 0.0));
  for (bool settled = false; delivery_ == Delivery::offered || delivery_ == Delivery::under_way;) {
    if (delivery_ == Delivery::under_way || !deadline || !deadline->rang()) {
      block();
    } else if (!settled) {  // who receives at this very moment still gets it
      settle();
      settled = true;
    } else {
      receiver.inbox_.withdraw(index(), offer_id_);
      delivery_ = Delivery::none;
      return false;
    }
  }
  return true;
}

/// A message from this sender can be taken: wakes the rank where it waits for one.
void SimGridRank::notice(int from) {
  const bool wanted = doing_ == Wait::receive_any || (doing_ == Wait::receive && peer_ == from);
  if (wanted && inbox_.has(doing_ == Wait::receive ? peer_ : kAnyRank)) wake();
}

/// Lets everything else happen that happens at this moment: a message that comes at the same time as another one, or as
/// a time-out, must not depend on whose actor runs first.
void SimGridRank::settle() {
  const Alarm now(*this, clock_now());
  while (!now.rang()) block();
}

/// Waits until a message can be taken; false when the time is over before.
bool SimGridRank::await_message(int from, double timeout_s) {
  if (from >= 0 && inbox_.has(from)) return true;
  const Doing doing(*this, from < 0 ? Wait::receive_any : Wait::receive, from);
  has_deadline_ = timeout_s < kForever;
  std::optional<Alarm> deadline;
  if (has_deadline_ && timeout_s > 0) deadline.emplace(*this, clock_now() + timeout_s);
  const auto time_is_over = [&] { return has_deadline_ && (!deadline || deadline->rang()); };
  for (bool settled = false;; settled = true) {
    for (; !inbox_.has(from) && !time_is_over(); settled = false) block();
    const bool sure = inbox_.has(from) && (from >= 0 || !inbox_.may_tie(now()));
    if (sure || settled) return inbox_.has(from);
    settle();
  }
}

bool SimGridRank::begin_receive(int from, double timeout_s) {
  check_receive(index(), from, count(), timeout_s);
  if (await_message(from, timeout_s)) pull(*inbox_.take(from));
  return true;
}

/// Takes a message over: a rendezvous is transferred now.
void SimGridRank::pull(Envelope envelope) {
  if (!envelope.buffered) {
    const Doing doing(*this, Wait::pull, envelope.from);
    SimGridRank& sender = batch_.rank(envelope.from);
    sender.delivery_ = Delivery::under_way;
    // However the transfer ends, even if it ends this actor, the sender learns of it: by a timer, since a dying actor
    // must not call the kernel.
    struct Ending {
      SimGridRank& sender;
      std::uint64_t id;
      ~Ending() {
        if (sender.offer_id_ == id && sender.delivery_ == Delivery::under_way) {
          sender.delivery_ = Delivery::failed;
          sender.batch_.later([&b = sender.batch_, i = sender.index(), replication = sender.batch_.origin_.replication] {
            if (b.is_running(replication)) b.rank(i).wake();
          });
        }
      }
    } ending{sender, envelope.id};
    try {
      const double begin_s = now();
      s4u::Comm::sendto(sender.host_, host_, size_of(envelope.bytes));
      if (RankObserver* o = observer()) o->carries(envelope.from, index(), whole_bytes(envelope.bytes), begin_s, now());
      if (sender.offer_id_ == envelope.id) {
        sender.delivery_ = Delivery::done;
        sender.wake();
      }
    } catch (const simgrid::NetworkFailureException&) {
      fail_receive(envelope.from);
    }
  }
  received_ = Message{envelope.from, envelope.bytes, std::move(envelope.content)};
}

/// What a switched-off machine forgets. Its offers vanish from their receivers; offers made to it stay.
void SimGridRank::lose_memory() {
  inbox_.forget_buffered();
  let_go();
  received_.reset();
  barriers_ = 0;
  recorded[Quantity::work_flop] = kept_work_flop_;  // the rest is lost: only what counts towards the end is work done
  recorded[Quantity::active_s] = kept_active_s_;
}

/// Withdraws what it offers, and is no longer to be woken.
void SimGridRank::let_go() {
  if (delivery_ == Delivery::offered) batch_.rank(peer_).inbox_.withdraw(index(), offer_id_);
  delivery_ = Delivery::none;
  offer_id_ = 0;
  doing_ = Wait::nothing;
  blocked_ = false;
}

void SimGridRank::stop() {
  let_go();
  finished = true;
  recorded[Quantity::finish_s] = now();
  if (actor) actor->kill();
  actor = nullptr;
}

std::string SimGridRank::stuck() const {
  const bool is_off = doing_ == Wait::nothing && !host_->is_on();
  return stuck_text(index(), host().name, is_off ? "is switched off for ever" : waiting_text(doing_, peer_));
}

// ---- SimGridBatch: clock and profiles ---------------------------------------------------------------------------

/// The slowest rank's mean computing time, as a first idea of T; 0 where there is no work.
double SimGridBatch::expected_time(const Scenario& scenario) {
  double longest = 0;
  for (std::size_t i = 0; i < scenario.size(); ++i)
    if (const double speed = scenario.available_speed(i); scenario.share_flop[i] > 0 && speed > 0)
      longest = std::max(longest, scenario.share_flop[i] / speed);
  return std::isfinite(longest) ? longest : 0;
}

/// surf/precision: 1e-9 s is exact to the bit as long as it stays well above the clock's last place; short jobs need it
/// smaller, jobs of weeks larger. The clock limit that follows from it is at least 45 typical makespans.
double SimGridBatch::precision_for(double typical_s) {
  if (typical_s <= 0) return 1e-12;
  return std::max(std::min(1e-9, 2.7e-12 * typical_s), 8e-14 * typical_s);
}

Feeder& SimGridBatch::add_feeder(Feeder::Open open, double scale, std::function<void(double)> at_event) {
  feeders_.push_back(
      std::make_unique<Feeder>(std::move(open), &origin_, scale, look_ahead(), std::move(at_event)));
  return *feeders_.back();
}

void SimGridBatch::attach_owner(std::size_t i, s4u::Host* host) {
  const OwnerModel& owner = *scenario_.owners[i];
  owner_feeders_.push_back(nullptr);
  owner_jobs_.push_back(nullptr);
  if (owner.is_dedicated()) return;
  if (const OwnerJobs* jobs = owner.jobs()) {
    owner_jobs_.back() = std::make_unique<SimGridOwnerJobs>(
        *jobs, host, scenario_.platform->workstations[i].speed_flops, scenario_.seed, i, [this] { return go_on(); });
    return;
  }
  Feeder& feeder = add_feeder(
      [&owner, seed = scenario_.seed, i](std::uint64_t replication) { return owner.path({seed, replication, i}); }, 1,
      [this, i](double date) {  // what is left of the work would take 1e12 times as long: no result, but a mistake
        if (!over_ && owner_feeders_[i] != nullptr && owner_feeders_[i]->stays_for_ever(kLeastAvailability))
          Timer::set(date, [this] { go_on(); });
      });
  owner_feeders_.back() = &feeder;
  host->set_speed_profile(feeder.make_profile("owner of " + host->get_name()));
}

/// Off and on. A timer at each change lets the clock stop there even when nothing else happens.
void SimGridBatch::attach_state(std::size_t i, s4u::Host* host) {
  const auto profile = scenario_.platform->workstations[i].state_profile;
  state_feeders_.push_back(nullptr);
  if (!profile) return;
  anew_ = true;
  Feeder& feeder = add_feeder(
      [profile, seed = scenario_.seed, i](std::uint64_t replication) {
        return profile_path(profile, ProfileQuantity::state, 1, 0, {seed, replication, i, Purpose::state});
      },
      1, [this](double date) {
        if (!over_) Timer::set(date, [this] {
          if (go_on()) revive_ranks();
        });
      });
  state_feeders_.back() = &feeder;
  host->set_state_profile(feeder.make_profile("state of " + host->get_name()));
}

/// Of a workstation's route to itself.
std::vector<s4u::Link*> access_links(const s4u::Host* host) {
  std::vector<s4u::Link*> links;
  double latency_s = 0;
  host->route_to(host, links, &latency_s);
  return links;
}

/// A link's name, or those of both directions where it is split.
std::vector<s4u::Link*> links_named(const std::string& name) {
  if (auto* link = s4u::Link::by_name_or_null(name)) return {link};
  return {s4u::Link::by_name(name + "_UP"), s4u::Link::by_name(name + "_DOWN")};
}

/// Bandwidth that can rise while a flow is on its way. SimGrid bounds a flow by the links' bandwidth at its start, so
/// the link itself gets a bandwidth beyond all bounds, and its capacity comes from a callback. A FATPIPE link cannot
/// have one: there a flow keeps at most the bandwidth it started with.
void vary_bandwidth(s4u::Link* link, const std::shared_ptr<double>& capacity_Bps) {
  constexpr double kBeyondBounds = 1e30;
  if (link->get_sharing_policy() == s4u::Link::SharingPolicy::FATPIPE) {
    link->set_bandwidth(*capacity_Bps);
    return;
  }
  if (link->get_sharing_policy() != s4u::Link::SharingPolicy::NONLINEAR)
    link->set_sharing_policy(s4u::Link::SharingPolicy::NONLINEAR, [capacity_Bps](double, int) { return *capacity_Bps; });
  link->set_bandwidth(kBeyondBounds);  // also makes SimGrid ask the callback again
}

/// What varies of a link: its nominal value, the least it may become, its stream, and how it is changed.
struct LinkAspect {
  double initial, least;
  Purpose purpose;
  LinkDriver::Apply apply;
};
LinkAspect aspect_of(ProfileQuantity quantity, const std::vector<s4u::Link*>& links) {
  const auto each = [links](auto change) {
    return [links, change](double value) {
      for (auto* link : links) change(link, value);
    };
  };
  if (quantity == ProfileQuantity::latency)
    return {links.front()->get_latency(), 0, Purpose::latency, each([](s4u::Link* l, double v) { l->set_latency(v); })};
  if (quantity == ProfileQuantity::state)
    return {1, 0, Purpose::state, each([](s4u::Link* l, double v) { v > 0 ? l->turn_on() : l->turn_off(); })};
  const double nominal = links.front()->get_bandwidth();
  return {nominal, kLeastAvailability * nominal, Purpose::bandwidth,
          each([capacity = std::make_shared<double>(nominal)](s4u::Link* l, double v) {
            *capacity = v;
            vary_bandwidth(l, capacity);
          })};
}

/// What is left of the links of a workstation's own path: of each the same part.
void SimGridBatch::attach_bandwidth(std::size_t i, const s4u::Host* host) {
  if (scenario_.bandwidth.empty() || scenario_.bandwidth[i]->is_dedicated()) return;
  require_own_path(host);
  std::vector<LinkDriver::Apply> changes;
  for (s4u::Link* link : access_links(host))
    changes.push_back([link, nominal = link->get_bandwidth(), capacity = std::make_shared<double>()](double part) {
      *capacity = part * nominal;
      vary_bandwidth(link, capacity);
    });
  link_drivers_.push_back(std::make_unique<LinkDriver>(
      [model = scenario_.bandwidth[i], seed = scenario_.seed, i](std::uint64_t replication) {
        return model->path({seed, replication, i, Purpose::bandwidth});
      },
      [changes](double part) {
        for (const auto& change : changes) change(part);
      },
      [this] { return go_on(); }));
}

void SimGridBatch::attach_link(const LinkProfile& described, std::size_t number) {
  const LinkAspect aspect = aspect_of(described.quantity, links_named(described.link));
  // Links have streams of their own, counted from the far end of the workstations' numbers.
  const std::uint64_t who = kAllWorkstations - 1 - number;
  link_drivers_.push_back(std::make_unique<LinkDriver>(
      [described, who, initial = aspect.initial, least = aspect.least, purpose = aspect.purpose,
       seed = scenario_.seed](std::uint64_t replication) {
        return profile_path(described.profile, described.quantity, initial, least, {seed, replication, who, purpose});
      },
      aspect.apply, [this] { return go_on(); }));
}

void SimGridBatch::attach_profiles() {
  for (std::size_t i = 0; i < scenario_.size(); ++i) {
    hosts_.push_back(s4u::Host::by_name(scenario_.platform->workstations[i].name));
    attach_owner(i, hosts_[i]);
    attach_state(i, hosts_[i]);
    attach_bandwidth(i, hosts_[i]);
  }
  for (std::size_t k = 0; k < scenario_.platform->link_profiles.size(); ++k)
    attach_link(scenario_.platform->link_profiles[k], k);
}

// ---- SimGridBatch: replications ---------------------------------------------------------------------------------

void SimGridBatch::create_actor(std::size_t i) {
  SimGridRank& rank = *ranks_[i];
  rank.actor = simgrid_version::start_actor("rank " + std::to_string(i), hosts_[i], [this, i] { be_rank(i); });
  if (anew_) rank.actor->on_exit([this, &rank](bool failed) {
    if (failed && !over_ && !rank.finished) rank_died(&rank);
  });
}

void SimGridBatch::start_replication() {
  std::vector<s4u::ActorPtr> actors;
  for (auto& rank : ranks_) actors.push_back(rank->actor);
  const bool first = ranks_.empty();
  ranks_.clear();
  const int n = static_cast<int>(scenario_.size());
  const Stream::Family streams(scenario_.seed, origin_.replication);
  for (int i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    ranks_.push_back(std::make_unique<SimGridRank>(
        *this, SimGridRank::Where{i, n, &scenario_.platform->workstations[at], scenario_.share_flop, streams},
        hosts_[at]));
    if (!first) ranks_.back()->actor = actors[at];
  }
  running_ = ranks_.size();
  ended_ = false;
  barrier_round_ = 0;
  if (anew_) couriers_.clear();
  for (auto& driver : link_drivers_) driver->start(origin_);
  for (auto& jobs : owner_jobs_)
    if (jobs) jobs->start(origin_);
  if (first && !anew_) {
    for (std::size_t i = 0; i < ranks_.size(); ++i) create_actor(i);
  } else if (anew_) {
    for (auto& rank : ranks_) rank->actor = nullptr;
    revive_ranks();
  } else {
    for (std::size_t i = 0; i < ranks_.size(); ++i) {
      if (ranks_[i]->actor) ranks_[i]->actor->resume();
      else create_actor(i);
    }
  }
}

/// Asked at every timed change of a machine or link, which go on for ever and so hide a deadlock from SimGrid: whether
/// the replication can still end.
bool SimGridBatch::go_on() {
  if (!over_ && running_ > 0 && is_hopeless()) fail(deadlock());
  return !over_;
}

/// Nothing is under way, every rank waits for another one, and none can come back.
bool SimGridBatch::is_hopeless() const {
  if (in_flight_ > 0) return false;
  for (std::size_t i = 0; i < ranks_.size(); ++i) {
    const SimGridRank& rank = *ranks_[i];
    if (rank.finished) continue;
    const bool may_come_back = !rank.actor && !(state_feeders_[i] != nullptr && state_feeders_[i]->stays_for_ever(0));
    if (may_come_back || (rank.actor && rank.ends_by_itself())) return false;
  }
  return true;
}

/// Whether the rank's owner keeps its machine for ever. Work that ends as that begins may not have been told so yet.
bool SimGridBatch::gets_nothing(const SimGridRank& rank) const {
  const Feeder* owner = owner_feeders_[static_cast<std::size_t>(rank.index())];
  return owner != nullptr && owner->stays_for_ever(kLeastAvailability) && owner->begun_before(rank.now());
}

/// Gives every rank without an actor one, where its machine is on: at the start, and when machines come back.
void SimGridBatch::revive_ranks() {
  if (over_ || running_ == 0) return;
  for (std::size_t i = 0; i < ranks_.size(); ++i)
    if (!ranks_[i]->actor && !ranks_[i]->finished && hosts_[i]->is_on()) create_actor(i);
}

/// The body of a rank's actor: one replication where actors are made anew, else all of them.
void SimGridBatch::be_rank(std::size_t i) {
  for (;;) {
    run_process(*ranks_[i]);
    if (over_ || anew_) return;
    s4u::this_actor::suspend();
    if (over_) return;
  }
}

void SimGridBatch::run_process(SimGridRank& rank) {
  try {
    Process process = scenario_.workload->run(rank);
    if (auto& jobs = owner_jobs_[static_cast<std::size_t>(rank.index())]; jobs && rank.observer() != nullptr)
      jobs->keep_history();
    process.start();
    process.result();
  } catch (const simgrid::ForcefulKillException&) {
    throw;
  } catch (...) {
    return fail(stop_text(rank.index(), rank.host().name, rank.now(), why_text(std::current_exception())));
  }
  if (rank.finished) return;  // it was stopped at this very moment, as rank 0 ended
  if (rank.index() == 0 && running_ > 1 && scenario_.workload->ends_with_first_rank())
    rank.settle();  // what others end at this very moment they have ended, whoever's actor runs first
  rank.finished = true;
  rank.recorded[Quantity::finish_s] = makespan_s_ = rank.now();
  const bool is_stop = --running_ > 0 && rank.index() == 0 && scenario_.workload->ends_with_first_rank();
  if (is_stop) stop_others();
  if (running_ == 0) note_owner_times();
  if (is_stop) s4u::this_actor::yield();  // others end before the replication does
  maybe_finish();
}

/// Rank 0 has finished, and with it the job.
void SimGridBatch::stop_others() {
  for (auto& rank : ranks_)
    if (!rank->finished) {
      rank->stop();
      --running_;
    }
  at_barrier_.clear();
}

/// A rank whose machine was switched off: it begins again from the start when the machine is back.
void SimGridBatch::rank_died(SimGridRank* rank) {
  std::erase(at_barrier_, rank);
  rank->lose_memory();
  rank->actor = nullptr;
  constexpr int kMostRestarts = 10'000;
  if (++rank->restarts == kMostRestarts)
    later([this, rank] {
      fail("rank " + std::to_string(rank->index()) + " on " + rank->host().name + " was switched off " +
           std::to_string(kMostRestarts) + " times before it could end; its work may never fit between");
    });
}

/// Does something at this moment, but not in a dying actor, which must not call the kernel.
void SimGridBatch::later(std::function<void()> what) { Timer::set(clock_now(), std::move(what)); }

void SimGridBatch::maybe_finish() {
  if (!over_ && !ended_ && running_ == 0 && in_flight_ == 0) finish_replication();
}

/// What owners had in [0, T]; later they go on, while messages that nobody waits for are still on their way.
void SimGridBatch::note_owner_times() {
  for (std::size_t i = 0; i < ranks_.size(); ++i) {
    SimGridRank& rank = *ranks_[i];
    if (const Feeder* owner = owner_feeders_[i])
      rank.recorded[Quantity::owner_s] = std::max(0.0, makespan_s_ - owner->integral(makespan_s_));
    if (!owner_jobs_[i]) continue;
    const OwnerJobsOutcome had = owner_jobs_[i]->outcome();
    rank.recorded[Quantity::owner_s] = had.cpu_s;
    rank.recorded[Quantity::owner_jobs] = had.completed;
    rank.recorded[Quantity::owner_slowdown] = had.slowdown_sum;
    if (RankObserver* o = rank.observer()) o->has_owner_jobs(rank.index(), owner_jobs_[i]->history());
  }
}

void SimGridBatch::pack_result() {
  results_.put(origin_.replication);
  results_.put(makespan_s_);
  for (const Quantity q : kAllQuantities) {
    std::vector<double> column;
    for (const auto& rank : ranks_) column.push_back(rank->recorded[q]);
    results_.put(column);
  }
}

void SimGridBatch::stop_drivers() {
  for (auto& driver : link_drivers_) driver->stop();
  for (auto& jobs : owner_jobs_)
    if (jobs) jobs->stop();
}

void SimGridBatch::finish_replication() {
  ended_ = true;
  const bool clock_too_large = clock_now() > clock_limit_s_;
  typical_s_ = std::max(typical_s_, makespan_s_);
  // The first replication of an engine may find that its precision was chosen for much shorter jobs: it is run again.
  if (clock_too_large && done_ == 0 && precision_for(typical_s_) > precision_s_) {
    over_ = true;
  } else {
    pack_result();
    ++done_;
    over_ = clock_too_large || profiles_too_long() || origin_.replication + 1 == end_;
  }
  at_barrier_.clear();
  stop_drivers();
  if (!over_) return schedule_next();
  if (anew_) return s4u::Actor::kill_all();
  for (auto& rank : ranks_)
    if (rank->actor && rank->actor.get() != s4u::Actor::self()) rank->actor->resume();
}

/// SimGrid keeps all events of a profile: a new engine then goes on, so that memory stays bounded.
bool SimGridBatch::profiles_too_long() const {
  constexpr std::uint64_t kMostEvents = 4'000'000;
  std::uint64_t events = 0;
  for (const auto& feeder : feeders_) events += feeder->events();
  return events > kMostEvents;
}

void SimGridBatch::schedule_next() {
  double start = clock_now();
  for (const auto& feeder : feeders_) {
    start = std::max(start, feeder->pending_s());
    feeder->set_look_ahead(look_ahead());
  }
  origin_ = {origin_.replication + 1, start};
  Timer::set(start, [this] { start_replication(); });
}

void SimGridBatch::fail(const std::string& sentence) {
  if (failure_.empty()) failure_ = sentence;
  over_ = true;
  stop_drivers();
  s4u::Actor::kill_all();
}

std::string SimGridBatch::deadlock() const {
  std::vector<std::string> stuck;
  Obstacle obstacle = anew_ ? Obstacle::machines_fail : Obstacle::program;
  for (std::size_t i = 0; i < ranks_.size(); ++i) {
    const SimGridRank& rank = *ranks_[i];
    if (rank.finished) continue;
    stuck.push_back(rank.stuck());
    if (state_feeders_[i] == nullptr && rank.doing_ == Wait::compute) obstacle = Obstacle::owner_stays;
  }
  return deadlock_text(origin_.replication, clock_now() - origin_.date_s, stuck, obstacle);
}

// ---- SimGridBatch: messages that travel by themselves -----------------------------------------------------------

/// Without this SimGrid would abort at the first route.
void SimGridBatch::require_network() const {
  if (!scenario_.platform->has_network())
    throw std::invalid_argument(kNoNetwork);
}

void SimGridBatch::require_own_path(const s4u::Host* host) {
  if (own_path_checked_.count(host) > 0) return;
  require_network();
  const auto links = access_links(host);
  if (links.empty() || links.front()->get_name() == "__loopback__")
    throw InputError(no_own_path_text(host->get_name()));
  own_path_checked_.insert(host);
}

/// A courier carries a buffered message; it lives on the sender's machine and is used again.
void SimGridBatch::send_off(SimGridRank& from, SimGridRank& to, std::uint64_t id, double bytes) {
  if (!to.host_->is_on()) {  // it is lost; a courier that ends before it is a daemon would count as one for ever
    to.inbox_.withdraw(from.index(), id);
    return;
  }
  ++in_flight_;
  auto& idle = idle_couriers_[static_cast<std::size_t>(from.index())];
  Courier* courier = nullptr;
  if (!anew_ && !idle.empty()) {
    courier = idle.back();
    idle.pop_back();
  } else {
    couriers_.push_back(std::make_unique<Courier>());
    courier = couriers_.back().get();
  }
  s4u::ActorPtr actor = courier->actor;
  *courier = {actor, from.host_, &to, from.index(), id, bytes, from.now()};
  if (actor) return actor->resume();
  courier->actor = simgrid_version::start_actor("courier of rank " + std::to_string(from.index()), from.host_,
                                      [this, courier] { be_courier(courier); });
  courier->actor->daemonize();
}

/// What was sent behind a lost message can be taken now.
void SimGridBatch::message_lost(int to, int sender, std::uint64_t replication) {
  if (!is_running(replication)) return;
  rank(to).notice(sender);
  maybe_finish();
}

void SimGridBatch::be_courier(Courier* courier) {
  for (;;) {
    // However the journey ends, even with the courier's machine, the message is no longer under way.
    struct Journey {
      SimGridBatch& batch;
      Courier& c;
      bool arrived = false;
      ~Journey() {
        --batch.in_flight_;
        if (arrived) return;
        c.to->inbox_.withdraw(c.sender, c.id);
        batch.later([&b = batch, to = c.to->index(), sender = c.sender, replication = batch.origin_.replication] {
          b.message_lost(to, sender, replication);
        });
      }
    };
    {
      Journey journey{*this, *courier};
      try {
        if (courier->to->host_->is_on()) {
          s4u::Comm::sendto(courier->from, courier->to->host_, size_of(courier->bytes));
          journey.arrived = true;
        }
      } catch (const simgrid::NetworkFailureException&) {  // the message is lost, as on a real network
      }
      if (journey.arrived) {
        courier->to->inbox_.arrive(courier->sender, courier->id, courier->to->now());
        if (RankObserver* o = courier->to->observer())
          o->carries(courier->sender, courier->to->index(), whole_bytes(courier->bytes), courier->begin_s,
                     courier->to->now());
        courier->to->notice(courier->sender);
      }
    }
    maybe_finish();
    if (anew_ || over_) return;
    idle_couriers_[static_cast<std::size_t>(courier->sender)].push_back(courier);
    s4u::this_actor::suspend();
    if (over_) return;
  }
}

std::string SimGridBatch::run() {
  s4u::Engine& engine = open_simgrid(scenario_.platform->xml, scenario_.platform->source, precision_s_);
  attach_profiles();
  idle_couriers_.resize(scenario_.size());
  s4u::Engine::on_deadlock_cb([this] {
    if (!over_ && failure_.empty()) failure_ = deadlock();
    over_ = true;
  });
  start_replication();
  engine.run();
  if (!failure_.empty()) throw RunError(failure_);
  Serializer out;
  out.put(done_);
  out.put(typical_s_);
  return out.take() + results_.take();
}

}  // namespace

std::string run_simgrid(const Scenario& scenario, const Batch& batch, const BatchProgress& progress) {
  return SimGridBatch(scenario, batch, progress).run();
}

void unpack_results(const std::string& bytes, std::vector<RunResult>& results, BatchProgress& progress) {
  Deserializer in(bytes);
  const auto done = in.get<std::uint64_t>();
  progress.done += done;
  progress.typical_time_s = in.get<double>();
  for (std::uint64_t k = 0; k < done; ++k) {
    RunResult r;
    r.replication = in.get<std::uint64_t>();
    r.makespan_s = in.get<double>();
    for (auto& column : r.columns) column = in.get_doubles();
    results.push_back(std::move(r));
  }
}

std::vector<RunResult> run_batch_simgrid(const Scenario& scenario, const Batch& batch) {
  std::vector<RunResult> results;
  BatchProgress progress;
  while (progress.done < batch.count)
    unpack_results(in_child_process([&] { return run_simgrid(scenario, batch, progress); }), results, progress);
  if (scenario.controls)
    for (auto& r : results) r.controls = scenario.controls->sums(scenario, r.replication, r.makespan_s);
  return results;
}

}  // namespace nowsim

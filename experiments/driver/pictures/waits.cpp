// Taking activities apart, and adding them up.
#include "experiments/driver/pictures/waits.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "workloads/mpi/mpi_trace_text.hpp"

namespace nowsim {
namespace {

/// What is shorter, as a part of T, takes no time.
constexpr double kLeastPart = 1e-9;

constexpr TimeUseKind kUses[] = {{TimeUse::compute, "compute", "computes"},
                                 {TimeUse::message_work, "message-work", "works for messages"},
                                 {TimeUse::taken, "taken", "taken"},
                                 {TimeUse::cut_short, "cut-short", "cut short"},
                                 {TimeUse::wait, "wait", "waits"},
                                 {TimeUse::under_way, "under-way", "message under way"},
                                 {TimeUse::transfer, "transfer", "moves bytes"},
                                 {TimeUse::sleep, "sleep", "sleeps"},
                                 {TimeUse::spawn, "spawn", "starts tasks"},
                                 {TimeUse::off, "off", "off"},
                                 {TimeUse::idle, "idle", "has finished"}};

/// Messages by their receiver and the end of their way.
class Arrivals {
 public:
  Arrivals(const Timeline& timeline, double rounding_s) : rounding_s_(rounding_s), to_(timeline.workstations.size()) {
    for (const auto& sender : timeline.workstations)
      for (const auto& m : sender.messages) to_[static_cast<std::size_t>(m.to)].push_back(m);
    for (auto& all : to_) std::ranges::stable_sort(all, {}, &TimelineMessage::end_s);
  }
  /// The message from one rank (-1: any) to another with whose end an operation ended; null: there is none.
  [[nodiscard]] const TimelineMessage* ending_at(double end_s, int from, int to) const {
    const auto& all = to_[static_cast<std::size_t>(to)];
    for (auto m = std::ranges::lower_bound(all, end_s - rounding_s_, {}, &TimelineMessage::end_s);
         m != all.end() && m->end_s <= end_s + rounding_s_; ++m)
      if (from < 0 || m->from == from) return &*m;
    return nullptr;
  }

 private:
  double rounding_s_;
  std::vector<std::vector<TimelineMessage>> to_;
};

/// One rank's activities, added up.
class RankSum {
 public:
  /// What takes less time takes none.
  RankSum(int rank, double speed_flops, double least_s, const Arrivals& arrivals)
      : rank_(rank), speed_flops_(speed_flops), least_s_(least_s), arrivals_(arrivals) {}

  void add(const TimelineActivity& a) {
    switch (a.what) {
      case Activity::compute: return add_compute(a);
      case Activity::receive: return add_message(a, a.peer, rank_);
      case Activity::send: return add_message(a, rank_, a.peer);
      case Activity::barrier: return add(TimeUse::wait, duration_s(a), call_of(a));
      case Activity::isend: return;
      case Activity::sleep: return add(a.note.meant == Meant::spawn ? TimeUse::spawn : TimeUse::sleep, duration_s(a));
      case Activity::transfer: return add(TimeUse::transfer, duration_s(a));
      case Activity::idle: return add(TimeUse::idle, duration_s(a));
      case Activity::off: return add(TimeUse::off, duration_s(a));
    }
  }

  [[nodiscard]] std::vector<SpentTime> spent() const {
    std::vector<SpentTime> out;
    for (const auto& [key, sum] : sums_)
      if (sum.time_s > least_s_) out.push_back(sum);
    return out;
  }

 private:
  static double duration_s(const TimelineActivity& a) { return a.end_s - a.begin_s; }
  static std::string call_of(const TimelineActivity& a) {
    const std::string call = call_text(a.note);
    return call.empty() ? activity_name(a.what) : call;
  }

  void add(TimeUse use, double time_s, const std::string& call = "", int peer = -1) {
    if (!(time_s > 0)) return;
    SpentTime& sum = sums_.try_emplace({use, call, peer}, SpentTime{use, call, peer}).first->second;
    sum.time_s += time_s;
    if (time_s > least_s_) ++sum.operations;
  }
  void add_compute(const TimelineActivity& a) {
    if (!(a.amount > 0)) return add(TimeUse::cut_short, duration_s(a));
    const double alone_s = std::min(duration_s(a), a.amount / speed_flops_);
    add(a.note.meant == Meant::message_work ? TimeUse::message_work : TimeUse::compute, alone_s);
    add(TimeUse::taken, duration_s(a) - alone_s);
  }
  void add_message(const TimelineActivity& a, int from, int to) {
    const TimelineMessage* m = to < 0 ? nullptr : arrivals_.ending_at(a.end_s, from, to);
    const double travels_from_s = m == nullptr ? a.end_s : std::clamp(m->begin_s, a.begin_s, a.end_s);
    const int peer = m != nullptr && a.what == Activity::receive ? m->from : a.peer;
    add(TimeUse::wait, travels_from_s - a.begin_s, call_of(a), peer);
    add(TimeUse::under_way, a.end_s - travels_from_s, call_of(a), peer);
  }

  int rank_;
  double speed_flops_, least_s_;
  const Arrivals& arrivals_;
  std::map<std::tuple<TimeUse, std::string, int>, SpentTime> sums_;
};

bool is_waiting(const SpentTime& spent) { return spent.use == TimeUse::wait || spent.use == TimeUse::under_way; }

void add_to(const SpentTime& spent, WaitingTime& sum) {
  (spent.use == TimeUse::wait ? sum.wait_s : sum.under_way_s) += spent.time_s;
  sum.operations += spent.operations;
}

/// The values of a map, what costs most first.
template <class Key>
std::vector<WaitingTime> by_cost(const std::map<Key, WaitingTime>& sums) {
  std::vector<WaitingTime> out;
  for (const auto& [key, sum] : sums) out.push_back(sum);
  std::ranges::stable_sort(out, std::ranges::greater{}, &WaitingTime::both_s);
  return out;
}

std::vector<WaitingTime> calls_of(const std::vector<RankTimes>& ranks) {
  std::map<std::string, WaitingTime> sums;
  for (const auto& rank : ranks)
    for (const auto& spent : rank.spent)
      if (is_waiting(spent)) add_to(spent, sums.try_emplace(spent.call, WaitingTime{spent.call}).first->second);
  return by_cost(sums);
}

std::vector<WaitingTime> pairs_of(const std::vector<RankTimes>& ranks) {
  std::map<std::pair<int, int>, std::map<std::string, WaitingTime>> by_call;
  for (std::size_t i = 0; i < ranks.size(); ++i)
    for (const auto& spent : ranks[i].spent)
      if (is_waiting(spent) && spent.peer >= 0) {
        const int rank = static_cast<int>(i);
        auto& calls = by_call[{rank, spent.peer}];
        add_to(spent, calls.try_emplace(spent.call, WaitingTime{spent.call, rank, spent.peer}).first->second);
      }
  std::map<std::pair<int, int>, WaitingTime> sums;
  for (const auto& [pair, calls] : by_call) {
    const std::vector<WaitingTime> all = by_cost(calls);
    WaitingTime& sum = sums[pair] = {all.front().call, pair.first, pair.second};
    for (const auto& of_call : all) {
      sum.wait_s += of_call.wait_s;
      sum.under_way_s += of_call.under_way_s;
      sum.operations += of_call.operations;
    }
  }
  return by_cost(sums);
}

}  // namespace

std::span<const TimeUseKind> time_uses() { return kUses; }

Waits waits_of(const Timeline& timeline, std::span<const double> speeds_flops) {
  Waits out{timeline.makespan_s, {}, {}, {}};
  const double least_s = kLeastPart * timeline.makespan_s;
  const Arrivals arrivals(timeline, least_s);
  for (std::size_t i = 0; i < timeline.workstations.size(); ++i) {
    RankSum sum(static_cast<int>(i), speeds_flops[i], least_s, arrivals);
    for (const auto& activity : timeline.workstations[i].activities) sum.add(activity);
    out.ranks.push_back({timeline.workstations[i].name, sum.spent()});
  }
  out.calls = calls_of(out.ranks);
  out.pairs = pairs_of(out.ranks);
  return out;
}

std::vector<double> rank_speeds(const Scenario& scenario) {
  std::vector<double> speeds;
  for (const int machine : rank_machines(scenario))
    speeds.push_back(scenario.platform->workstations[static_cast<std::size_t>(machine)].speed_flops);
  return speeds;
}

std::string call_text(const OperationNote& note) {
  return note.call < 0 ? "" : mpi_call_name(static_cast<MpiCall>(note.call));
}

}  // namespace nowsim

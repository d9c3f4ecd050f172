#include "experiments/driver/pictures/waits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <ostream>
#include <string_view>
#include <tuple>
#include <utility>

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/text/duration_text.hpp"
#include "experiments/driver/text/formats.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "sim/base/text.hpp"
#include "workloads/mpi/mpi_trace_text.hpp"

namespace nowsim {
namespace {

/// As programs call it: "allreduce"; "" of an operation that is part of no call.
std::string call_text(const OperationNote& note) {
  return note.call < 0 ? "" : mpi_call_name(static_cast<MpiCall>(note.call));
}

/// Whether there is a file that begins so.
bool begins_with(const std::string& file, std::string_view text) {
  std::ifstream in(file, std::ios::binary);
  std::string head(text.size(), '\0');
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  return in && head == text;
}

// ---- the timeline ----

/// By these a trace is known, whatever later columns another version gives it.
constexpr const char* kFirstColumns = "workstation,name,what,begin_s,end_s,";

/// What not every row has; "" where it does not.
struct Details {
  std::string peer, flop, bytes, availability, demand_s, chunk, tasks, call;
};

bool has_calls(const Timeline& timeline) {
  return std::ranges::any_of(timeline.workstations, [](const WorkstationTimeline& w) {
    return std::ranges::any_of(w.activities, [](const TimelineActivity& a) { return a.note.call >= 0; });
  });
}

class TimelineWriter {
 public:
  TimelineWriter(const Timeline& timeline, std::ostream& out)
      : out_(out),
        has_calls_(has_calls(timeline)),
        tail_("," + std::to_string(timeline.replication) + "," + std::to_string(timeline.seed) + "," +
              engine_name(timeline.engine) + "," + csv_field(version()) + "," + timeline.variance_reduction->name +
              "\n") {
    out_ << kFirstColumns << "peer,flop,bytes,availability,demand_s,chunk,tasks," << (has_calls_ ? "call," : "")
         << "replication,seed,engine,version,variance_reduction\n";
  }

  void write(std::size_t i, const WorkstationTimeline& w) {
    head_ = std::to_string(i + 1) + "," + csv_field(w.name) + ",";
    for (const auto& a : w.activities) row(activity_name(a.what, a.note.meant), a.begin_s, a.end_s, details(a));
    for (const auto& m : w.messages)
      row("message", m.begin_s, m.end_s, {.peer = workstation(m.to), .bytes = number_text(m.bytes)});
    for (const auto& a : w.availability)
      row("availability", a.begin_s, a.end_s, {.availability = number_text(a.value)});
    for (const auto& b : w.bandwidth) row("bandwidth", b.begin_s, b.end_s, {.availability = number_text(b.value)});
    for (const auto& j : w.owner_jobs) row("owner-job", j.arrival_s, j.end_s, {.demand_s = number_text(j.demand_s)});
  }

 private:
  static std::string workstation(int rank) { return rank < 0 ? "" : std::to_string(rank + 1); }
  static Details details(const TimelineActivity& a) {
    const bool moves_bytes = a.what == Activity::send || a.what == Activity::transfer;
    return {.peer = workstation(a.peer),
            .flop = a.what == Activity::compute ? number_text(a.amount) : "",
            .bytes = moves_bytes ? number_text(a.amount) : "",
            .chunk = a.note.chunk < 0 ? "" : std::to_string(a.note.chunk + 1),
            .tasks = a.note.chunk < 0 ? "" : std::to_string(a.note.tasks),
            .call = call_text(a.note)};
  }
  void row(const char* what, double begin_s, double end_s, const Details& d) {
    out_ << head_ << what << ',' << number_text(begin_s) << ',' << number_text(end_s) << ',' << d.peer << ',' << d.flop
         << ',' << d.bytes << ',' << d.availability << ',' << d.demand_s
         << ',' << d.chunk << ',' << d.tasks << (has_calls_ ? "," + d.call : "") << tail_;
  }

  std::ostream& out_;
  bool has_calls_;
  std::string head_, tail_;
};

// ---- sums of times ----

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

void write_timeline_csv(const Timeline& timeline, std::ostream& out) {
  TimelineWriter writer(timeline, out);
  for (std::size_t i = 0; i < timeline.workstations.size(); ++i) writer.write(i, timeline.workstations[i]);
}

bool is_timeline_csv(const std::string& file) { return begins_with(file, kFirstColumns); }

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

// ---- for people and programs ----

namespace {

constexpr std::size_t kMostRanks = 32, kMostPairs = 10;  // beyond, CSV and JSON have them all

/// A rank's row of times.
struct WaitsRow {
  std::size_t rank = 0;
  SpentTime spent = {TimeUse::compute};
};

class WaitsWriter {
 public:
  WaitsWriter(const Timeline& timeline, const Waits& waits)
      : timeline_(timeline), waits_(waits), unit_(column_unit(waits.makespan_s)) {}

  /// It refers to this.
  [[nodiscard]] Document document() {
    for (std::size_t i = 0; i < waits_.ranks.size(); ++i)
      for (const auto& spent : waits_.ranks[i].spent) rows_.push_back({i, spent});
    const List rows = list_of(rows_, [this](const WaitsRow& row) { return Object{row_fields(row)}; });
    return {[this](std::ostream& out) { write_text(out); }, row_fields({}), rows, whole()};
  }

 private:
  // ---- for programs ----

  [[nodiscard]] std::string name(int rank) const {
    return rank < 0 ? "" : timeline_.workstations[static_cast<std::size_t>(rank)].name;
  }
  [[nodiscard]] double share(double time_s) const { return waits_.makespan_s > 0 ? time_s / waits_.makespan_s : 0; }
  static Value workstation(int rank) { return rank < 0 ? Value() : Value(static_cast<std::uint64_t>(rank) + 1); }

  [[nodiscard]] Fields spent_fields(const SpentTime& spent) const {
    return {{"what", std::string(time_uses()[static_cast<std::size_t>(spent.use)].name)},
            {"call", spent.call},
            {"peer", workstation(spent.peer)},
            {"peer_name", name(spent.peer)},
            {"time_s", spent.time_s},
            {"share", share(spent.time_s)},
            {"operations", spent.operations}};
  }
  [[nodiscard]] Fields origin_fields() const {
    return {{"T_s", waits_.makespan_s},
            {"replication", timeline_.replication},
            {"seed", timeline_.seed},
            {"engine", std::string(engine_name(timeline_.engine))},
            {"version", std::string(version())},
            {"variance_reduction", std::string(timeline_.variance_reduction->name)}};
  }
  [[nodiscard]] Fields row_fields(const WaitsRow& row) const {
    Fields fields{{"workstation", static_cast<std::uint64_t>(row.rank) + 1},
                  {"name", name(static_cast<int>(row.rank))}};
    append(fields, spent_fields(row.spent));
    append(fields, origin_fields());
    return fields;
  }
  [[nodiscard]] Object rank_object(const RankTimes& rank) const {
    const auto times = [this](const SpentTime& spent) { return Object{spent_fields(spent)}; };
    return {{{"name", rank.name}, {"times", list_of(rank.spent, times)}}};
  }
  [[nodiscard]] Fields sum_fields(const WaitingTime& sum) const {
    return {{"wait_s", sum.wait_s}, {"under_way_s", sum.under_way_s}, {"operations", sum.operations}};
  }
  [[nodiscard]] Object call_object(const WaitingTime& sum) const {
    Fields fields{{"call", sum.call}};
    append(fields, sum_fields(sum));
    return {fields};
  }
  [[nodiscard]] Object pair_object(const WaitingTime& sum) const {
    Fields fields{{"workstation", workstation(sum.rank)},
                  {"name", name(sum.rank)},
                  {"peer", workstation(sum.peer)},
                  {"peer_name", name(sum.peer)},
                  {"most_in", sum.call}};
    append(fields, sum_fields(sum));
    return {fields};
  }
  [[nodiscard]] Object whole() const {
    Object all{origin_fields()};
    append(all.fields, {{"ranks", list_of(waits_.ranks, [this](const auto& one) { return rank_object(one); })},
                        {"calls", list_of(waits_.calls, [this](const auto& one) { return call_object(one); })},
                        {"pairs", list_of(waits_.pairs, [this](const auto& one) { return pair_object(one); })}});
    return all;
  }

  // ---- for people ----

  static std::string percent(double part) { return fmt::format("{:.1f}", 100 * part); }
  [[nodiscard]] std::string time(double time_s) const { return fmt::format("{:.2f}", time_s / unit_.seconds); }
  [[nodiscard]] double total_s(TimeUse use, const RankTimes& rank) const {
    double sum_s = 0;
    for (const auto& spent : rank.spent) sum_s += spent.use == use ? spent.time_s : 0;
    return sum_s;
  }
  [[nodiscard]] double mean_share(TimeUse use) const {
    double sum_s = 0;
    for (const auto& rank : waits_.ranks) sum_s += total_s(use, rank);
    return share(sum_s) / static_cast<double>(waits_.ranks.size());
  }

  void write_text(std::ostream& out) const {
    out << "where the time went in replication " << timeline_.replication
        << ", T = " << fmt::format("{:.4g} {}", waits_.makespan_s / unit_.seconds, unit_.name) << ", in % of T\n\n";
    write_ranks(out);
    write_calls(out);
    write_pairs(out);
    out << "\nseed " << timeline_.seed << ", engine " << engine_name(timeline_.engine) << ", nowsim " << version()
        << '\n';
  }

  /// A column of each kind that some rank has.
  void write_ranks(std::ostream& out) const {
    std::vector<TimeUseKind> kinds;
    std::vector<std::string> head{"rank"}, means{"mean"};
    for (const auto& kind : time_uses())
      if (const double mean = mean_share(kind.use); mean > 0) {
        kinds.push_back(kind);
        head.emplace_back(kind.head);
        means.push_back(percent(mean));
      }
    TextTable table(head);
    table.read_left(0);
    for (std::size_t i = 0; i < std::min(kMostRanks, waits_.ranks.size()); ++i) {
      const RankTimes& rank = waits_.ranks[i];
      std::vector<std::string> cells{rank.name};
      for (const auto& kind : kinds) cells.push_back(percent(share(total_s(kind.use, rank))));
      table.add(cells);
    }
    if (waits_.ranks.size() > 1) table.add(means);
    table.write(out, 1);
    tell_rest(waits_.ranks.size(), kMostRanks, "ranks", out);
    if (mean_share(TimeUse::taken) > 0)
      out << "taken: while it computes, by its owner or by other ranks on its cores\n";
  }

  /// A table of sums: what they are of, then times and the part of all ranks' time, or of one's.
  [[nodiscard]] std::vector<std::string> sum_cells(const WaitingTime& sum, double ranks) const {
    return {time(sum.wait_s), time(sum.under_way_s), percent(share(sum.both_s()) / ranks)};
  }
  [[nodiscard]] std::vector<std::string> sum_head(std::vector<std::string> of, const char* part) const {
    const std::string unit = " [" + std::string(unit_.name) + "]";
    of.insert(of.end(), {"waits" + unit, "message under way" + unit, part});
    return of;
  }
  void write_calls(std::ostream& out) const {
    if (waits_.calls.empty()) return;
    TextTable table(sum_head({"call"}, "% of all ranks' time"));
    table.read_left(0);
    for (const auto& sum : waits_.calls) {
      auto cells = sum_cells(sum, static_cast<double>(waits_.ranks.size()));
      cells.insert(cells.begin(), sum.call);
      table.add(cells);
    }
    table.write(out << "\nwaiting of all ranks, by call\n\n", 1);
  }
  void write_pairs(std::ostream& out) const {
    if (waits_.pairs.empty()) return;
    auto head = sum_head({"who", "for whom"}, "% of T");
    head.emplace_back("mostly in");
    TextTable table(head);
    table.read_left(0);
    table.read_left(1);
    table.read_left(head.size() - 1);
    for (std::size_t k = 0; k < std::min(kMostPairs, waits_.pairs.size()); ++k) {
      const WaitingTime& sum = waits_.pairs[k];
      std::vector<std::string> cells{name(sum.rank), name(sum.peer)};
      for (auto& cell : sum_cells(sum, 1)) cells.push_back(std::move(cell));
      cells.push_back(sum.call);
      table.add(cells);
    }
    table.write(out << "\nwho waits for whom\n\n", 2);
    tell_rest(waits_.pairs.size(), kMostPairs, "pairs", out);
  }
  static void tell_rest(std::size_t all, std::size_t shown, const char* what, std::ostream& out) {
    if (all > shown) out << "and " << all - shown << " more " << what << ", which CSV and JSON have\n";
  }

  const Timeline& timeline_;
  const Waits& waits_;
  ColumnUnit unit_;
  std::vector<WaitsRow> rows_;
};

}  // namespace

void write_waits(const Timeline& timeline, const Waits& waits, Format format, std::ostream& out) {
  WaitsWriter writer(timeline, waits);
  write_document(writer.document(), format, out);
}

bool is_waits_csv(const std::string& file) { return begins_with(file, "workstation,name,what,call,peer,"); }

}  // namespace nowsim

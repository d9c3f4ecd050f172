// Tables of parts of T, and the fields of rows.
#include "experiments/driver/pictures/waits_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "experiments/driver/pictures/timeline_csv.hpp"
#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/text/duration_text.hpp"
#include "experiments/driver/text/text_table.hpp"

namespace nowsim {
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
    const List rows = list_of(
        rows_, [this](const WaitsRow& row) { return Object{row_fields(row)}; }, Lines::each);
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
    for (const Fields& more : {spent_fields(row.spent), origin_fields()})
      fields.insert(fields.end(), more.begin(), more.end());
    return fields;
  }
  [[nodiscard]] Object rank_object(const RankTimes& rank) const {
    const auto times = [this](const SpentTime& spent) { return Object{spent_fields(spent)}; };
    return {{{"name", rank.name}, {"times", list_of(rank.spent, times, Lines::each)}}};
  }
  [[nodiscard]] Fields sum_fields(const WaitingTime& sum) const {
    return {{"wait_s", sum.wait_s}, {"under_way_s", sum.under_way_s}, {"operations", sum.operations}};
  }
  [[nodiscard]] Object call_object(const WaitingTime& sum) const {
    Fields fields = sum_fields(sum);
    fields.insert(fields.begin(), {"call", sum.call});
    return {fields};
  }
  [[nodiscard]] Object pair_object(const WaitingTime& sum) const {
    Fields fields{{"workstation", workstation(sum.rank)},
                  {"name", name(sum.rank)},
                  {"peer", workstation(sum.peer)},
                  {"peer_name", name(sum.peer)},
                  {"most_in", sum.call}};
    const Fields more = sum_fields(sum);
    fields.insert(fields.end(), more.begin(), more.end());
    return {fields};
  }
  [[nodiscard]] Object whole() const {
    const auto objects = [this](const auto& all, auto make) {
      return list_of(
          all, [this, make](const auto& one) { return (this->*make)(one); }, Lines::each);
    };
    Object all{origin_fields(), Lines::each};
    all.fields.push_back({"ranks", objects(waits_.ranks, &WaitsWriter::rank_object)});
    all.fields.push_back({"calls", objects(waits_.calls, &WaitsWriter::call_object)});
    all.fields.push_back({"pairs", objects(waits_.pairs, &WaitsWriter::pair_object)});
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

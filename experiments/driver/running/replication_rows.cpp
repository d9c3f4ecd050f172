// Columns found from each scenario's first batch, then rows batch by batch.
#include "experiments/driver/running/replication_rows.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "experiments/driver/text/formats.hpp"

namespace nowsim {
namespace {

/// What some point has, and so all rows have room for.
struct RecordedRoom {
  PerQuantity<bool> totals{};
  std::size_t workstations = 0;  ///< the most whose values are kept
  bool variance_reduction = false;
};

bool has_values(const BatchRecord& record, Quantity q) { return !record.of(q).values.empty(); }

/// Writes a table's lines, a cell at a time.
class ReplicationLines {
 public:
  ReplicationLines(const RecordedRoom& room, std::ostream& out) : room_(room), out_(out) {}

  void head(const std::vector<std::string>& axes) {
    for (const auto& axis : axes) out_ << csv_field(axis) << ',';
    out_ << "replication,seed,T,effective";
    for (const Quantity q : kAllQuantities)
      if (room_.totals[q]) out_ << ',' << quantity_kind(q).column;
    for (const Quantity q : kAllQuantities)
      for (std::size_t i = 0; i < width(q); ++i) out_ << ',' << quantity_kind(q).column << '_' << i + 1;
    out_ << ",engine,version" << (room_.variance_reduction ? ",variance_reduction" : "") << '\n';
  }

  /// The first so many replications of a batch.
  void batch(const ResultRow& row, const StoredBatch& batch, std::uint64_t count) {
    std::string point, origin = "," + csv_field(row.engine) + "," + csv_field(batch.version);
    for (const auto& value : row.values) point += csv_field(value) + ",";
    if (room_.variance_reduction) origin += std::string(",") + row.variance_reduction->name;
    for (std::size_t k = 0; k < count; ++k) {
      out_ << point << batch.record.range.first + k << ',' << row.seed;
      cells(batch.record, k);
      out_ << origin << '\n';
    }
  }

 private:
  [[nodiscard]] std::size_t width(Quantity q) const {
    return quantity_kind(q).is_per_workstation ? room_.workstations : 0;
  }
  void cell(double value) { out_ << ',' << csv_number(value); }
  /// Of a column that the batch may not have.
  void cell(const std::vector<double>& column, std::size_t k) {
    if (column.empty()) out_ << ',';
    else cell(column[k]);
  }
  void cells(const BatchRecord& record, std::size_t k) {
    cell(record.makespan_s[k]);
    cell(record.effective_s[k]);
    for (const Quantity q : kAllQuantities)
      if (room_.totals[q]) cell(record.totals[q], k);
    for (const Quantity q : kAllQuantities) each(record, q, k);
  }
  /// A quantity of each workstation.
  void each(const BatchRecord& record, Quantity q, std::size_t k) {
    const std::size_t there = has_values(record, q) ? record.workstations : 0;
    for (std::size_t i = 0; i < width(q); ++i)
      if (i < there) cell(record.of(q).values[k * record.workstations + i]);
      else out_ << ',';
  }

  const RecordedRoom& room_;
  std::ostream& out_;
};

/// A scenario's first batch has the columns of all.
RecordedRoom room_for(BatchStore& store, const ResultRows& rows,
                      std::map<std::int64_t, StoredScenario>& scenarios) {
  RecordedRoom room;
  for (const auto* row : rows) {
    room.variance_reduction |= row->variance_reduction != &kNoVarianceReduction;
    if (scenarios.contains(row->stored_scenario)) continue;
    const auto& scenario = scenarios.emplace(row->stored_scenario, store.scenario(row->stored_scenario)).first->second;
    const BatchRecord record = store.load(scenario, batches_of_first(scenario, row->replications).front()).record;
    for (const Quantity q : kAllQuantities) {
      room.totals[q] |= !record.totals[q].empty();
      if (has_values(record, q)) room.workstations = std::max(room.workstations, record.workstations);
    }
  }
  return room;
}

}  // namespace

std::vector<Batch> batches_of_first(const StoredScenario& scenario, std::uint64_t replications) {
  std::vector<Batch> batches;
  for (std::uint64_t first = 0; first < replications; first += batches.back().count) {
    const std::uint64_t wanted = replications - first;
    auto found = scenario.batches.lower_bound({first, wanted});  // the least that is enough
    const auto begins_here = [&](auto at) { return at != scenario.batches.end() && at->first == first; };
    if (!begins_here(found) && found != scenario.batches.begin()) --found;  // or the most there is
    batches.push_back({first, begins_here(found) ? found->second : wanted});
  }
  return batches;
}

void read_makespans(BatchStore& store, ResultTable& summary) {
  const auto together = store.read_together();
  for (auto& row : summary.rows) {
    if (row.status != PointStatus::ok) continue;
    const StoredScenario scenario = store.scenario(row.stored_scenario);
    std::vector<double> times_s;
    for (const Batch& batch : batches_of_first(scenario, row.replications)) {
      const auto more = store.load(scenario, batch).record.makespan_s;
      times_s.insert(times_s.end(), more.begin(), more.end());
    }
    times_s.resize(row.replications);
    row.makespans_s = std::make_shared<const std::vector<double>>(std::move(times_s));
  }
}

void write_replications(BatchStore& store, const ResultTable& summary, std::ostream& out,
                        const std::function<bool()>& interrupted) {
  const auto together = store.read_together();
  const ResultRows rows = summary.rows_that([](const ResultRow& row) { return row.status == PointStatus::ok; });
  std::map<std::int64_t, StoredScenario> scenarios;
  const RecordedRoom room = room_for(store, rows, scenarios);
  ReplicationLines lines(room, out);
  lines.head(summary.axes);
  for (const auto* row : rows) {
    const StoredScenario& scenario = scenarios.at(row->stored_scenario);
    for (const Batch& batch : batches_of_first(scenario, row->replications)) {
      if (interrupted && interrupted()) throw Interrupted();
      lines.batch(*row, store.load(scenario, batch), std::min(batch.count, row->replications - batch.first));
    }
  }
}

}  // namespace nowsim

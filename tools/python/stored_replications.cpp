// Columns put together batch by batch.
#include "tools/python/stored_replications.hpp"

#include <algorithm>
#include <utility>

#include "experiments/driver/running/replication_rows.hpp"

namespace nowsim {
namespace {

/// Columns that grow; all batches of a scenario have the same.
class GrowingColumns {
 public:
  void add(const BatchRecord& record, std::size_t count) {
    next_ = 0;
    add("T", 0, record.makespan_s, count);
    add("effective", 0, record.effective_s, count);
    for (const Quantity q : kAllQuantities) add(quantity_kind(q).column, 0, record.totals[q], count);
    for (const Quantity q : kAllQuantities)
      add(std::string(quantity_kind(q).column) + "_i", record.workstations, record.of(q).values, count);
  }

  std::vector<ReplicationColumn> take() {
    std::vector<ReplicationColumn> columns;
    for (auto& [name, workstations, values] : growing_)
      columns.push_back({name, workstations, std::make_shared<const std::vector<double>>(std::move(values))});
    return columns;
  }

 private:
  struct Growing {
    std::string name;
    std::size_t workstations;
    std::vector<double> values;
  };

  /// The first so many replications of a batch, of what it has.
  void add(const std::string& name, std::size_t workstations, const std::vector<double>& values, std::size_t count) {
    if (values.empty()) return;
    if (next_ == growing_.size()) growing_.push_back({name, workstations, {}});
    auto& to = growing_[next_++].values;
    const std::size_t size = std::min(values.size(), count * std::max<std::size_t>(1, workstations));
    to.insert(to.end(), values.begin(), values.begin() + static_cast<std::ptrdiff_t>(size));
  }

  std::vector<Growing> growing_;
  std::size_t next_ = 0;
};

}  // namespace

std::vector<ReplicationColumn> stored_replications(BatchStore& store, const ResultRow& row) {
  const auto together = store.read_together();
  const StoredScenario scenario = store.scenario(row.stored_scenario);
  GrowingColumns columns;
  for (const Batch& batch : batches_of_first(scenario, row.replications))
    columns.add(store.load(scenario, batch).record, std::min(batch.count, row.replications - batch.first));
  return columns.take();
}

}  // namespace nowsim

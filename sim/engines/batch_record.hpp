// What is kept of a batch of replications: enough for every metric, in an amount that is bounded on large networks.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "sim/base/serialization.hpp"
#include "sim/program/scenario.hpp"
#include "sim/statistics/statistics.hpp"

namespace nowsim {

/// One quantity of all workstations: each replication's values, or their moments over the batch, or nothing.
struct WorkstationValues {
  std::vector<double> values;    ///< replications x workstations, a replication's values side by side
  std::vector<Moments> moments;  ///< one per workstation, where values are not kept
};

/// A batch's replications. Per replication: the makespan and sums over the workstations. Per workstation: all
/// values on up to 32 workstations besides a server, their moments over the batch on up to 4096, nothing on more.
struct BatchRecord {
  Batch range;
  std::size_t workstations = 0;
  std::vector<double> makespan_s;   ///< T of each replication
  std::vector<double> effective_s;  ///< sum of work/speed: the CPU time the job used
  /// Of each replication, over all workstations. Empty where QuantityKind says that there is none, or none of the
  /// scenario's; then the bytes say nothing of it either.
  PerQuantity<std::vector<double>> totals;
  PerQuantity<WorkstationValues> per_workstation;  ///< empty where QuantityKind says so
  /// Control variates: per variate, of each replication. None where the scenario has none.
  std::vector<std::vector<double>> controls;
  /// Where parameters were measured, at most one: of the replications that are run again a step away
  /// (parameter_steps.hpp), by their places, which are those of this batch.
  std::vector<BatchRecord> stepped;

  [[nodiscard]] const WorkstationValues& of(Quantity q) const { return per_workstation[q]; }
  /// A quantity's moments over the batch, one per workstation; nothing where the batch has too many workstations. The
  /// same bits whether values or moments were kept.
  [[nodiscard]] std::vector<Moments> moments(Quantity q) const;
};

/// Up to how many workers (first_worker()) values are kept, and up to how many workstations moments.
inline constexpr std::size_t kMostWithValues = 32, kMostWithMoments = 4096;

/// What is wanted of replications besides makespans, control variates and what only some scenarios have: it costs more than
/// they do, and few metrics read it.
struct Gathering {
  bool finish = false;     ///< each workstation's finish times
  bool shares = false;     ///< shares of the machines' time
  bool makespans = false;  ///< each replication's makespan: 8 bytes per replication, for quantiles and comparisons
  bool times = false;      ///< how each machine's time divides (TimeBreakdown)
  /// Of what is gathered, each replication's values in entries of at most so many replications (span_of()), for
  /// influences; 0: none.
  std::uint64_t span = 0;
  bool machines = false;  ///< with a span: of times and finish times each machine's as well
  bool all = false;       ///< every column of a record: what is stored must do for every metric
  bool steps = true;      ///< what is run again a step of measured parameters away, for the intervals of means

  Gathering& operator|=(const Gathering& o) {
    finish |= o.finish;
    shares |= o.shares;
    makespans |= o.makespans;
    times |= o.times;
    span = std::max(span, o.span);
    machines |= o.machines;
    all |= o.all;
    steps |= o.steps;
    return *this;
  }
};
inline constexpr Gathering kGatherAll{true, true, true, true, 1, true, true};

/// Whether a batch's statistics are not enough, but its record is needed: where replications are not plain observations,
/// for units to be made of, where the machines' times are wanted, and where some are run again (parameter_steps.hpp).
bool needs_record(const Scenario& scenario, const Gathering& gathering);

/// Condenses a batch; columns that nothing wanted is gathered from stay empty.
class RecordBuilder {
 public:
  /// `used`: a record that is not needed any more, whose memory will do for this one.
  RecordBuilder(const Scenario& scenario, const Batch& range, const Gathering& gathering = kGatherAll,
                BatchRecord used = {});
  /// Adds a replication, in any order.
  void add(const RunResult& run) { add(run, run.replication); }
  /// The same at another one's place.
  void add(const RunResult& run, std::uint64_t place);
  /// The record, once all replications are in.
  BatchRecord take();

 private:
  double effective_time(const std::vector<double>& work_flop);

  const Scenario* scenario_;
  BatchRecord record_;
  std::vector<double> last_work_flop_;  // of the last replication, and the effective time that it takes
  double last_effective_s_ = 0;
};

/// Bytes for storage, of a record with sums: little-endian doubles in columns; a column that is constant, constant per
/// workstation, or equal to the finish times takes no more than it says.
std::string pack(const BatchRecord& record);
void pack(const BatchRecord& record, Serializer& out);
/// @throws std::runtime_error where the bytes are no record of this range and size.
BatchRecord unpack_record(const std::string& bytes, const Batch& range, std::size_t workstations);

}  // namespace nowsim

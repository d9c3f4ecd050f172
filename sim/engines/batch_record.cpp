// Condensing, packing and unpacking batches.
#include "sim/engines/batch_record.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>
#include <span>
#include <stdexcept>

#include "sim/base/serialization.hpp"
#include "sim/program/scenario.hpp"
#include "sim/program/variance_reduction.hpp"

namespace nowsim {
namespace {

static_assert(std::endian::native == std::endian::little, "stored results are little-endian");

constexpr std::uint8_t kFormat = 1;  // of the packed bytes: their first one

/// Stand where the form of owner jobs' column might, as that comes without a mark: before control variates, and before
/// the number and the totals of any other quantity that only some scenarios have, and before the record of what was run
/// again, the last of all.
constexpr std::uint8_t kControlsFollow = 0xc0, kTotalsFollow = 0xc1, kSteppedFollow = 0xc2;

enum class ColumnForm : std::uint8_t { same = 0, per_workstation = 1, full = 2, as_finish = 3, moments = 4, none = 5 };

bool equal_bits(std::span<const double> a, std::span<const double> b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

/// Whether the column repeats itself every `period` values.
bool repeats(std::span<const double> values, std::size_t period) {
  return values.size() <= period || equal_bits(values.subspan(period), values.first(values.size() - period));
}

void put_values(Serializer& out, const std::vector<double>& values, std::size_t width) {
  const bool same = repeats(values, 1), per_workstation = same || repeats(values, width);
  out.put(same ? ColumnForm::same : per_workstation ? ColumnForm::per_workstation : ColumnForm::full);
  out.put_all(values.data(), same ? std::min<std::size_t>(1, values.size()) : per_workstation ? width : values.size());
}

std::vector<double> get_values(Deserializer& in, ColumnForm form, std::size_t count, std::size_t width) {
  const std::size_t written = form == ColumnForm::same ? 1 : form == ColumnForm::per_workstation ? width : count;
  std::vector<double> values(count);
  in.get_all(values.data(), std::min(written, count));
  for (std::size_t k = written; k < count; ++k) values[k] = values[k - written];
  return values;
}

void put_column(Serializer& out, const WorkstationValues& column, const WorkstationValues& finish, std::size_t width) {
  if (!column.moments.empty()) {
    out.put(ColumnForm::moments);
    for (const Moments& m : column.moments) out.put(m);
  } else if (column.values.empty()) {
    out.put(ColumnForm::none);
  } else if (&column != &finish && equal_bits(column.values, finish.values)) {
    out.put(ColumnForm::as_finish);
  } else {
    put_values(out, column.values, width);
  }
}

WorkstationValues get_column(Deserializer& in, const WorkstationValues& finish, std::size_t replications, std::size_t width) {
  WorkstationValues column;
  const auto form = in.get<ColumnForm>();
  if (form != ColumnForm::none && width > kMostWithMoments)
    throw std::runtime_error("a column of more workstations than are kept");
  switch (form) {
    case ColumnForm::moments:
      for (std::size_t i = 0; i < width; ++i) column.moments.push_back(in.get<Moments>());
      break;
    case ColumnForm::none: break;
    case ColumnForm::as_finish:
      if (finish.values.empty()) throw std::runtime_error("a column is equal to finish times that are not there");
      column.values = finish.values;
      break;
    case ColumnForm::same:
    case ColumnForm::per_workstation:
    case ColumnForm::full:  // a few bytes may stand for very many; besides the workers there are few servers
      if (width > 2 * kMostWithValues) throw std::runtime_error("values of more workstations than they are kept of");
      column.values = get_values(in, form, replications * width, width);
      break;
    default: throw std::runtime_error("a column is written in an unknown form");
  }
  return column;
}

std::vector<Moments> moments_of(const std::vector<double>& values, std::size_t width) {
  std::vector<Moments> moments(values.empty() ? 0 : width);
  for (std::size_t first = 0; first < values.size(); first += width)
    for (std::size_t i = 0; i < width; ++i) moments[i].add(values[first + i]);
  return moments;
}

template <class Record>
auto scalars(Record& r) {
  std::vector<decltype(&r.makespan_s)> columns{&r.makespan_s, &r.effective_s};
  for (const Quantity q : kAllQuantities)
    if (const QuantityKind& kind = quantity_kind(q); kind.has_total && kind.is_recorded == nullptr)
      columns.push_back(&r.totals[q]);
  return columns;
}

/// Whether its values of each workstation are wanted.
bool is_read(Quantity q, const Gathering& gathering) {
  const bool is_time = q == Quantity::work_flop || q == Quantity::active_s || q == Quantity::owner_s;
  return gathering.all || (q == Quantity::finish_s && gathering.finish) || (is_time && gathering.times);
}

bool is_marked(std::size_t q) { return q > static_cast<std::size_t>(Quantity::owner_slowdown); }

std::vector<double> get_scalars(Deserializer& in, ColumnForm form, std::size_t replications) {
  if (form > ColumnForm::full) throw std::runtime_error("a column is written in an unknown form");
  return get_values(in, form, replications, 1);
}

/// A quantity that only some scenarios have.
void get_totals(Deserializer& in, BatchRecord& record, std::size_t q, ColumnForm form, std::size_t replications) {
  if (q >= kQuantities || !record.totals[static_cast<Quantity>(q)].empty())
    throw std::runtime_error("packed results are longer than they should be");
  record.totals[static_cast<Quantity>(q)] = get_scalars(in, form, replications);
}

/// The bytes that a record begins with; what is behind it is its caller's.
BatchRecord get_record(Deserializer& in, const Batch& range, std::size_t workstations, bool is_stepped);

/// Whoever reads work reads these beside it, value by value.
void check_times(const BatchRecord& record) {
  const WorkstationValues& work = record.of(Quantity::work_flop);
  if (work.values.empty() && work.moments.empty()) return;
  for (const Quantity q : {Quantity::active_s, Quantity::owner_s})
    if (record.of(q).values.size() != work.values.size() || record.of(q).moments.size() != work.moments.size())
      throw std::runtime_error("work is not kept as the times beside it are");
}

void get_extras(Deserializer& in, BatchRecord& record, std::size_t replications, bool is_stepped) {
  while (!in.at_end()) {
    const auto mark = in.get<std::uint8_t>();
    if (mark == kControlsFollow && record.controls.empty()) {
      record.controls.resize(in.get<std::uint8_t>());
      for (auto& column : record.controls) column = get_scalars(in, in.get<ColumnForm>(), replications);
    } else if (mark == kSteppedFollow && !is_stepped) {  // to the end
      record.stepped.push_back(get_record(in, record.range, record.workstations, true));
    } else if (mark == kTotalsFollow) {
      const auto q = in.get<std::uint8_t>();
      if (!is_marked(q)) throw std::runtime_error("a quantity is marked that comes without a mark");
      get_totals(in, record, q, in.get<ColumnForm>(), replications);
    } else {
      get_totals(in, record, static_cast<std::size_t>(Quantity::owner_jobs), static_cast<ColumnForm>(mark), replications);
      get_totals(in, record, static_cast<std::size_t>(Quantity::owner_slowdown), in.get<ColumnForm>(), replications);
    }
  }
}

BatchRecord get_record(Deserializer& in, const Batch& range, std::size_t workstations, bool is_stepped) {
  if (in.get<std::uint8_t>() != kFormat) throw std::runtime_error("results are packed in an unknown format");
  BatchRecord record{range, workstations, {}, {}, {}, {}, {}, {}};
  const auto replications = static_cast<std::size_t>(range.count);
  for (auto* column : scalars(record)) *column = get_scalars(in, in.get<ColumnForm>(), replications);
  for (const Quantity q : kAllQuantities)
    if (quantity_kind(q).is_per_workstation)
      record.per_workstation[q] = get_column(in, record.of(Quantity::finish_s), replications, workstations);
  check_times(record);
  get_extras(in, record, replications, is_stepped);
  return record;
}

}  // namespace

std::vector<Moments> BatchRecord::moments(Quantity q) const {
  const WorkstationValues& column = of(q);
  return column.moments.empty() ? moments_of(column.values, workstations) : column.moments;
}

bool needs_record(const Scenario& scenario, const Gathering& gathering) {
  return gathering.times || scenario.variance_reduction->unit() > 1 || scenario.controls ||
         replications_per_draw(scenario) > 0;
}

RecordBuilder::RecordBuilder(const Scenario& scenario, const Batch& range, const Gathering& gathering,
                             BatchRecord used)
    : scenario_(&scenario), record_(std::move(used)) {
  const auto replications = static_cast<std::size_t>(range.count);
  record_.range = range;
  record_.stepped.clear();
  record_.workstations = scenario.size();
  record_.makespan_s.resize(replications);
  const bool has_sums = gathering.all || gathering.shares || needs_record(scenario, gathering);
  record_.effective_s.resize(has_sums ? replications : 0);
  for (const Quantity q : kAllQuantities) {
    const QuantityKind& kind = quantity_kind(q);
    const bool has_total = kind.has_total && (kind.is_recorded == nullptr ? has_sums : kind.is_recorded(scenario));
    record_.totals[q].resize(has_total ? replications : 0);
    const bool has_values = is_read(q, gathering) && kind.is_per_workstation && scenario.size() <= kMostWithMoments;
    record_.per_workstation[q].values.resize(has_values ? replications * scenario.size() : 0);
    record_.per_workstation[q].moments.clear();
  }
  record_.controls.assign(scenario.controls ? scenario.controls->count() : 0, std::vector<double>(replications));
}

/// Replications mostly do the same work.
double RecordBuilder::effective_time(const std::vector<double>& work_flop) {
  if (last_work_flop_ == work_flop) return last_effective_s_;
  last_work_flop_ = work_flop;
  last_effective_s_ = 0;
  for (std::size_t i = 0; i < work_flop.size(); ++i)
    last_effective_s_ += work_flop[i] / scenario_->platform->workstations[i].speed_flops;
  return last_effective_s_;
}

void RecordBuilder::add(const RunResult& run, std::uint64_t place) {
  const auto k = static_cast<std::size_t>(place - record_.range.first);
  record_.makespan_s.at(k) = run.makespan_s;
  if (!record_.effective_s.empty()) record_.effective_s[k] = effective_time(run[Quantity::work_flop]);
  for (std::size_t c = 0; c < record_.controls.size(); ++c) record_.controls[c][k] = run.controls.at(c);
  for (const Quantity q : kAllQuantities) {
    if (auto& totals = record_.totals[q]; !totals.empty()) totals[k] = std::accumulate(run[q].begin(), run[q].end(), 0.0);
    auto& values = record_.per_workstation[q].values;
    if (!values.empty()) std::ranges::copy(run[q], values.begin() + static_cast<std::ptrdiff_t>(k * scenario_->size()));
  }
}

BatchRecord RecordBuilder::take() {
  const std::size_t n = scenario_->size();
  if (n - first_worker(*scenario_) > kMostWithValues && n <= kMostWithMoments)
    for (auto& column : record_.per_workstation) {
      column.moments = moments_of(column.values, n);
      column.values = {};
    }
  return std::move(record_);
}

std::string pack(const BatchRecord& record) {
  Serializer out;
  pack(record, out);
  return out.take();
}

void pack(const BatchRecord& record, Serializer& out) {
  out.put(kFormat);
  for (const auto* column : scalars(record)) put_values(out, *column, 1);
  for (const Quantity q : kAllQuantities)
    if (quantity_kind(q).is_per_workstation)
      put_column(out, record.of(q), record.of(Quantity::finish_s), record.workstations);
  for (const Quantity q : kAllQuantities) {
    if (quantity_kind(q).is_recorded == nullptr || record.totals[q].empty()) continue;
    if (is_marked(static_cast<std::size_t>(q))) {
      out.put(kTotalsFollow);
      out.put(static_cast<std::uint8_t>(q));
    }
    put_values(out, record.totals[q], 1);
  }
  if (!record.controls.empty()) {
    out.put(kControlsFollow);
    out.put(static_cast<std::uint8_t>(record.controls.size()));
    for (const auto& column : record.controls) put_values(out, column, 1);
  }
  for (const BatchRecord& stepped : record.stepped) {
    out.put(kSteppedFollow);
    pack(stepped, out);
  }
}

BatchRecord unpack_record(const std::string& bytes, const Batch& range, std::size_t workstations) {
  Deserializer in(bytes);
  BatchRecord record = get_record(in, range, workstations, false);
  if (!in.at_end()) throw std::runtime_error("packed results are longer than they should be");
  return record;
}

}  // namespace nowsim

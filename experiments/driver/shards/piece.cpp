#include "experiments/driver/shards/piece.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <utility>

#include "experiments/driver/text/checksum.hpp"
#include "experiments/driver/text/output_file.hpp"
#include "experiments/driver/text/user_cache.hpp"
#include "sim/base/error.hpp"
#include "sim/base/infinity.hpp"
#include "sim/base/serialization.hpp"
#include "sim/engines/batch_record.hpp"
#include "sim/program/scenario.hpp"
#include "sim/program/variance_reduction.hpp"

namespace nowsim {
namespace {

constexpr std::string_view kMagic = "nowsim piece 1\n";
/// Where a file system does not take a piece: when it is tried again, and how long.
constexpr double kRetry_s = 5, kPatience_s = 300;

std::string environment_text(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

/// By the schedulers that the manual names.
std::string job_of_scheduler() {
  if (const std::string array = environment_text("SLURM_ARRAY_JOB_ID"); !array.empty())
    return "Slurm " + array + "_" + environment_text("SLURM_ARRAY_TASK_ID");
  if (const std::string job = environment_text("SLURM_JOB_ID"); !job.empty()) return "Slurm " + job;
  if (const std::string index = environment_text("JOB_COMPLETION_INDEX"); !index.empty()) return "Kubernetes " + index;
  return "";
}

/// The beginning of the executable's.
std::string program_hash() {
  constexpr std::size_t kHashShown = 12;
  static const std::string hash = sha256(bytes_of("/proc/self/exe")).substr(0, kHashShown);
  return hash;
}

/// "2026-01-31T23:59:59Z", by the machine's clock.
std::string utc_now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
}

[[noreturn]] void refuse_piece(const std::string& file, const std::string& what) {
  throw InputError(file + " is damaged (" + what + ")");
}

// What a store holds no more of, far above what anybody simulates.
constexpr std::uint64_t kMostFirst = std::uint64_t{1} << 46U, kMostOfAny = std::uint64_t{1} << 30U, kMostInOne = 1000,
                        kMostShards = 1'000'000;
constexpr double kMost_s = 1e18;

std::string fault_of(const Attempt& a) {
  return a.shard < 1 || a.shard > a.shards || a.shards > kMostShards ? "it is no shard's" : "";
}

std::string fault_of(const PieceHead::Scenario& s) {
  if (s.workstations < 1 || static_cast<std::uint64_t>(s.workstations) > kMostOfAny)
    return "scenario " + s.key + " is of no machines";
  const auto& ways = kVarianceReductions;
  if (!s.variance_reduction.empty() && std::ranges::count(ways, s.variance_reduction, &VarianceReduction::name) == 0)
    return "there is no variance reduction '" + s.variance_reduction + "'";
  return "";
}

std::string fault_of(const PieceHead::Batch& b, std::size_t scenarios) {
  if (b.scenario >= scenarios) return "a batch is of no scenario";
  if (b.replications < 1 || b.replications > kMostInOne || b.first > kMostFirst) return "a batch is of no replications";
  if (!(b.seconds >= 0 && b.seconds <= kMost_s)) return "a batch took no time";
  const bool has_moments = !std::isnan(b.mean_makespan_s) && !std::isnan(b.m2_makespan_s2) &&
                           !std::isnan(b.min_makespan_s) && !std::isnan(b.max_makespan_s);
  return has_moments ? "" : "a batch has no moments";
}

std::string fault_of(const PieceHead& head) {
  if (std::string fault = fault_of(head.attempt); !fault.empty()) return fault;
  if (head.failures > kMostOfAny) return "it has more failures than there can be";
  for (const auto& scenario : head.scenarios)
    if (std::string fault = fault_of(scenario); !fault.empty()) return fault;
  for (const auto& batch : head.batches)
    if (std::string fault = fault_of(batch, head.scenarios.size()); !fault.empty()) return fault;
  if (head.info("").seconds > kMost_s) return "its batches took longer than can be";
  return "";
}

/// Where the head begins, and how long it is.
constexpr std::size_t kHeadAt = kMagic.size() + sizeof(std::size_t);

/// Of a file's first bytes. @throws InputError.
std::size_t head_size(std::string_view bytes, const std::string& file) {
  if (bytes.substr(0, kMagic.size()) != kMagic)
    throw InputError(file + " is no piece that this version of nowsim reads");
  if (bytes.size() < kHeadAt) refuse_piece(file, "it ends early");
  return Deserializer(bytes.substr(kMagic.size())).get<std::size_t>();
}

PieceHead read_head(std::string_view bytes, const std::string& file) {
  const std::size_t size = head_size(bytes, file);
  if (size > bytes.size() - kHeadAt) refuse_piece(file, "it ends early");
  PieceHead head;
  Deserializer in(bytes.substr(kHeadAt, size));
  try {
    in(head);
  } catch (const std::runtime_error&) {
    refuse_piece(file, "its head ends early");
  }
  if (!in.at_end()) refuse_piece(file, "its head is longer than what is in it");
  if (const std::string fault = fault_of(head); !fault.empty()) refuse_piece(file, fault);
  return head;
}

void check_results(const PieceHead::Scenario& scenario, const PieceHead::Batch& batch, std::string_view results,
                   const std::string& file) {
  const std::string which = "a batch of scenario " + scenario.key;
  if (checksum(results) != batch.checksum) refuse_piece(file, which + " has a wrong checksum");
  try {
    unpack_record(std::string(results), {batch.first, batch.replications},
                  static_cast<std::size_t>(scenario.workstations));
  } catch (const std::runtime_error& e) {
    refuse_piece(file, which + ": " + e.what());
  }
}

}  // namespace

Attempt this_attempt(const std::string& experiment, std::size_t shard, std::size_t shards) {
  return {unique_name(), experiment,         shard,    shards, "", 0, host_name(), processor_name(), program_hash(),
          version(),     job_of_scheduler(), utc_now()};
}

std::string told_attempt(const Attempt& a) {
  return "shard " + std::to_string(a.shard) + " of " + std::to_string(a.shards) + " on " + a.host + " (" + a.processor +
         ", nowsim " + a.version + ", program " + a.program + ")";
}

PieceInfo PieceHead::info(const std::string& name) const {
  PieceInfo sum{name, attempt, ended, batches.size(), 0, failures, 0};
  for (const auto& batch : batches) {
    sum.replications += batch.replications;
    sum.seconds += batch.seconds;
  }
  return sum;
}

PublishedBatch PieceHead::published(const Batch& batch) const {
  return {scenarios[batch.scenario].key, batch.first, batch.replications};
}

std::string piece_of(const PieceHead& head, std::string_view results) {
  Serializer out;
  out.put_bytes(kMagic);
  out.put(packed(head));
  out.put_bytes(results);
  return out.take();
}

Piece::Piece(std::string bytes, const std::string& file) : bytes_(std::move(bytes)), head_(read_head(bytes_, file)) {
  std::string_view left = std::string_view(bytes_).substr(kHeadAt + head_size(bytes_, file));
  for (const auto& batch : head_.batches) {
    if (batch.bytes > left.size()) refuse_piece(file, "it ends early");
    results_.push_back(left.substr(0, batch.bytes));
    left.remove_prefix(batch.bytes);
    check_results(head_.scenarios[batch.scenario], batch, results_.back(), file);
  }
  if (!left.empty()) refuse_piece(file, "it has more results than batches");
}

BatchRow Piece::row(std::size_t batch) const {
  const PieceHead::Batch& b = head_.batches[batch];
  BatchRow row;
  row.first = static_cast<std::int64_t>(b.first);
  row.replications = static_cast<std::int64_t>(b.replications);
  row.mean_makespan_s = b.mean_makespan_s;
  row.m2_makespan_s2 = b.m2_makespan_s2;
  row.min_makespan_s = b.min_makespan_s;
  row.max_makespan_s = b.max_makespan_s;
  row.seconds = b.seconds;
  row.version = head_.attempt.version;
  row.checksum = b.checksum;
  row.results = results_[batch];
  return row;
}

std::optional<PieceHead> head_of(const ShardFolder& folder, const std::string& name) {
  constexpr std::size_t kAtFirst = std::size_t{16} << 10U;
  const std::string file = (folder.path() / name).string();
  auto bytes = folder.bytes(name, kAtFirst);
  if (!bytes) return std::nullopt;
  if (const std::size_t size = head_size(*bytes, file); size > bytes->size() - kHeadAt) {
    if (size > kMostPublished_bytes) refuse_piece(file, "it ends early");
    bytes = folder.bytes(name, kHeadAt + size);
    if (!bytes) return std::nullopt;
  }
  return read_head(*bytes, file);
}

PieceWriter::PieceWriter(ShardFolder folder, Attempt attempt, double every_s)
    : folder_(std::move(folder)), every_s_(every_s) {
  head_.attempt = std::move(attempt);
}

void PieceWriter::begin() {
  if (is_empty()) begun_ = Clock::now();
}

void PieceWriter::keep(const ScenarioRow& scenario, const BatchRow& row) {
  begin();
  const auto [known, is_new] = scenarios_.try_emplace(scenario.key, head_.scenarios.size());
  if (is_new) head_.scenarios.push_back({scenario});
  head_.batches.push_back({known->second, static_cast<std::uint64_t>(row.first),
                           static_cast<std::uint64_t>(row.replications), row.mean_makespan_s, row.m2_makespan_s2,
                           row.min_makespan_s, row.max_makespan_s, row.seconds, row.checksum, row.results.size()});
  results_ += row.results;
}

void PieceWriter::note_failure() {
  begin();
  ++head_.failures;
}

double PieceWriter::publish_if_due() {
  if (is_empty()) return kInfinity;
  const auto seconds_since = [](Clock::time_point then) {
    return std::chrono::duration<double>(Clock::now() - then).count();
  };
  const double left_s = failing_since_ ? kRetry_s - seconds_since(last_try_) : every_s_ - seconds_since(begun_);
  if (left_s > 0 && (failing_since_ || results_.size() < kPublishAt_bytes)) return left_s;
  last_try_ = Clock::now();
  try {
    publish();
  } catch (const RunError&) {  // a file system may be away for a moment, or full
    if (!failing_since_) failing_since_ = last_try_;
    if (seconds_since(*failing_since_) > kPatience_s || results_.size() > kMostPublished_bytes / 2) throw;
    return kRetry_s;
  }
  failing_since_.reset();
  return kInfinity;
}

void PieceWriter::publish() {
  if (is_empty()) return;
  head_.ended = utc_now();
  const Attempt& a = head_.attempt;
  static_cast<void>(folder_.publish(piece_of(head_, results_), a.experiment + "-" + std::to_string(a.shard) + "of" +
                                                                   std::to_string(a.shards) + kPieceEnding));
  head_.failures = 0;
  head_.scenarios.clear();
  head_.batches.clear();
  results_.clear();
  scenarios_.clear();
}

}  // namespace nowsim

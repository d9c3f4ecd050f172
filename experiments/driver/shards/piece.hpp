// What a shard publishes: some batches, and who simulated them, in one file.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "experiments/driver/running/stored_rows.hpp"
#include "experiments/driver/shards/shard_folder.hpp"

namespace nowsim {

/// How much the batches that wait to be published may hold [bytes].
inline constexpr std::size_t kPublishAt_bytes = std::size_t{32} << 20U;

inline constexpr const char* kPieceEnding = ".piece";

/// One process that simulates batches of a sweep. What it simulates does not depend on any of this.
struct Attempt {
  std::string id;          ///< no other attempt's
  std::string experiment;  ///< its name
  std::uint64_t shard = 1, shards = 1;
  std::string plan;          ///< what is swept, as a hash: attempts of one description have the same
  std::uint64_t wanted = 0;  ///< batches of all shards that were not in the folder's store as it began
  std::string host, processor;
  std::string program;  ///< the beginning of the executable's SHA-256
  std::string version;  ///< of the program
  std::string job;      ///< what a scheduler calls it; "": none
  std::string began;    ///< UTC, by the machine's own clock

  template <class All>
  void fields(All& all) {
    all(id, experiment, shard, shards, plan, wanted, host, processor, program, version, job, began);
  }
};

/// This process, now.
Attempt this_attempt(const std::string& experiment, std::size_t shard, std::size_t shards);
/// "shard 3 of 64 on node7 (Intel Xeon ..., nowsim 0.1.0, program 0123abcd)".
std::string told_attempt(const Attempt& attempt);

/// What a piece says of all its batches together.
struct PieceInfo {
  std::string name;  ///< of its file
  Attempt attempt;
  std::string ended;  ///< UTC, by the machine's own clock
  std::uint64_t batches = 0, replications = 0, failures = 0;
  double seconds = 0;  ///< that the batches took
};

/// A batch by its scenario's key, its first replication and their number.
using PublishedBatch = std::tuple<std::string, std::uint64_t, std::uint64_t>;

/// A piece's file: a line that says what it is, its head, and behind it the results of its batches.
struct PieceHead {
  struct Scenario : ScenarioRow {
    template <class All>
    void fields(All& all) {
      all(key, engine, model_version, seed, workstations, description, variance_reduction);
    }
  };
  struct Batch {
    std::uint64_t scenario = 0, first = 0, replications = 0;  ///< scenario: of `scenarios`
    double mean_makespan_s = 0, m2_makespan_s2 = 0, min_makespan_s = 0, max_makespan_s = 0;
    double seconds = 0;
    std::int64_t checksum = 0;  ///< of its results
    std::uint64_t bytes = 0;    ///< that these have
  };

  Attempt attempt;
  std::string ended;
  std::uint64_t failures = 0;  ///< batches that could not be completed
  std::vector<Scenario> scenarios;
  std::vector<Batch> batches;

  template <class All>
  void fields(All& all) {
    all(attempt, ended, failures, scenarios, batches);
  }
  [[nodiscard]] PieceInfo info(const std::string& name) const;
  [[nodiscard]] PublishedBatch published(const Batch& batch) const;
};

/// A piece's bytes; `results`: those of its batches, one after another.
std::string piece_of(const PieceHead& head, std::string_view results);

/// A published piece, whole.
class Piece {
 public:
  /// Checks all of it: values, checksums, and that what is packed can be unpacked. `file`: its path, for sentences.
  /// @throws InputError where it is damaged, or of another version.
  Piece(std::string bytes, const std::string& file);
  Piece(const Piece&) = delete;
  Piece& operator=(const Piece&) = delete;
  [[nodiscard]] const PieceHead& head() const { return head_; }
  /// A batch as a store holds it; its texts and bytes are the piece's.
  [[nodiscard]] BatchRow row(std::size_t batch) const;

 private:
  std::string bytes_;
  PieceHead head_;
  std::vector<std::string_view> results_;  // of the batches
};

/// The head of a piece in its place; nothing where it is gone. @throws InputError where it is damaged, as far as that
/// shows; RunError where it cannot be read.
std::optional<PieceHead> head_of(const ShardFolder& folder, const std::string& name);

/// Gathers an attempt's batches in memory and publishes them now and then.
class PieceWriter {
 public:
  /// `every_s`: how long a batch waits.
  PieceWriter(ShardFolder folder, Attempt attempt, double every_s = kPublishEvery_s);

  void keep(const ScenarioRow& scenario, const BatchRow& batch);
  void note_failure();
  /// Publishes what is there if it is due. Returns the time [s] until it is; infinity where nothing waits.
  /// @throws RunError where it could not be written for five minutes: what was published before stays.
  double publish_if_due();
  /// At once. @throws RunError where it cannot be written: it stays here.
  void publish();

 private:
  using Clock = std::chrono::steady_clock;
  void begin();
  [[nodiscard]] bool is_empty() const { return head_.batches.empty() && head_.failures == 0; }

  ShardFolder folder_;
  double every_s_;
  PieceHead head_;
  std::string results_;
  std::unordered_map<std::string, std::uint64_t> scenarios_;  // by key
  Clock::time_point begun_, last_try_;
  std::optional<Clock::time_point> failing_since_;
};

}  // namespace nowsim

// What an attempt publishes: a store of some batches and of who simulated them, in one file.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "experiments/driver/running/stored_rows.hpp"
#include "experiments/driver/shards/attempt.hpp"
#include "experiments/driver/shards/shard_folder.hpp"
#include "sim/splitting/split_task.hpp"

namespace nowsim {

/// How long a batch waits before it is published with those of its attempt [s], and how much they may hold [bytes]: the
/// most that a kill costs, and the least that a file system has to bear.
inline constexpr double kPublishEvery_s = 60;
inline constexpr std::size_t kPublishAt_bytes = std::size_t{32} << 20U;

inline constexpr const char* kPieceEnding = ".piece";
/// Of a piece with what searches for splits and sizes have simulated, which shards need before they begin.
inline constexpr const char* kSearchEnding = ".search.piece";

/// What is known of a piece without its batches.
struct PieceInfo {
  std::string name;
  Attempt attempt;
  std::string ended;                              ///< UTC, by the machine's own clock
  std::int64_t batches = 0, replications = 0, failures = 0;
  double seconds = 0;                             ///< that the batches took
};

/// Gathers an attempt's batches in memory and publishes them now and then.
class PieceWriter {
 public:
  /// `every_s`: how long a batch waits.
  PieceWriter(ShardFolder folder, Attempt attempt, double every_s = kPublishEvery_s);

  void keep(const ScenarioRow& scenario, const BatchRow& batch);
  void keep_split(const std::string& key, const SplitReport& report);
  void keep_trial(const std::string& key, const TrialEstimate& trial);
  void note_failure(const ScenarioRow& scenario, const Batch& range, const std::string& reason);
  /// Publishes what is there if it is due. Returns the time [s] until it is; infinity where nothing waits.
  /// @throws RunError where it could not be written for five minutes: what was published before stays.
  double publish_if_due();
  /// At once. @throws RunError where it cannot be written: it stays here.
  void publish();
  /// What follows is found while searching, or no more.
  void set_searching(bool searching);

 private:
  using Clock = std::chrono::steady_clock;
  std::int64_t id_of(const ScenarioRow& scenario);
  void begin();
  [[nodiscard]] std::string label() const;

  ShardFolder folder_;
  Attempt attempt_;
  double every_s_;
  bool is_searching_ = false;
  std::optional<StoreDatabase> store_;
  std::unordered_map<std::string, std::int64_t> ids_;  // of scenarios, by key
  Clock::time_point begun_, last_try_;
  std::optional<Clock::time_point> failing_since_;
  std::size_t bytes_ = 0;
  PieceInfo info_;
};

/// A batch by its scenario's key, its first replication and their number.
using PublishedBatch = std::tuple<std::string, std::uint64_t, std::uint64_t>;

/// A published piece. The bytes are held as long as it lives.
class Piece {
 public:
  /// Checks all of it: tables, values, seals, and that what is packed can be unpacked. `file`: its path, for sentences.
  /// @throws InputError where it is damaged.
  Piece(std::string bytes, const std::string& file);
  Piece(const Piece&) = delete;
  Piece& operator=(const Piece&) = delete;
  [[nodiscard]] StoreDatabase& store() { return store_; }
  [[nodiscard]] const PieceInfo& info() const { return info_; }
  /// Of which it has results.
  std::vector<PublishedBatch> batches();

 private:
  void check_batches();
  void check_splits();
  template <class Unpack>
  void check_unpacks(const std::string& which, const Unpack& unpack);

  std::string bytes_;
  StoreDatabase store_;
  PieceInfo info_;
};

/// What a piece says of itself, read from the file in its place; nothing where it is gone. @throws InputError where it
/// is damaged, as far as that shows; RunError where it cannot be read.
std::optional<PieceInfo> info_of(const ShardFolder& folder, const std::string& name);
/// The same of its batches; none where it is gone.
std::vector<PublishedBatch> batches_of_piece(const ShardFolder& folder, const std::string& name);

}  // namespace nowsim

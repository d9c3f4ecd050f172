// Who did what of a sweep in shards, and how far it is: from published files alone, while others write more of them.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "experiments/driver/shards/piece.hpp"
#include "experiments/driver/text/document.hpp"

namespace nowsim {

/// An attempt's pieces together.
struct AttemptSum {
  PieceInfo sum;            ///< `name` of the last piece
  std::size_t pieces = 0;
};
/// In the order of experiments, rounds and shards. `remarks` gets sentences about what is damaged and does not count.
std::vector<AttemptSum> attempts_in(const ShardFolder& folder, std::vector<std::string>& remarks);

/// How far an experiment is, as it was described last.
struct ShardStatus {
  std::string experiment;
  int round = 0;                             ///< the latest, from 0
  std::uint64_t batches = 0, published = 0;  ///< of all rounds, each once
  bool has_unread_rounds = false;            ///< so that there are more batches than these
  std::uint64_t failures = 0;                ///< batches that could not be completed
  std::size_t attempts = 0, shards = 0;      ///< that have published; how many shards those say there are
  double rate_per_s = 0;                     ///< batches, since the first was published; 0: not known
  double last_s = 0;                         ///< since something was published, by the file system's clock

  /// Of the rounds that were read.
  [[nodiscard]] std::uint64_t left() const { return batches > published ? batches - published : 0; }
  [[nodiscard]] bool is_done() const { return left() == 0 && !has_unread_rounds; }
};
/// Likewise.
std::vector<ShardStatus> status_of(const ShardFolder& folder, std::vector<std::string>& remarks);

void write_attempts(const std::vector<AttemptSum>& attempts, Format format, std::ostream& out);
void write_status(const std::vector<ShardStatus>& all, Format format, std::ostream& out);

}  // namespace nowsim

// Who did what of a sweep in shards, and how far it is: from published files, while others write more of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "experiments/driver/shards/piece.hpp"
#include "experiments/driver/text/document.hpp"

namespace nowsim {

/// An attempt's pieces together.
struct AttemptSum {
  PieceInfo sum;  ///< `name` of one of them
  std::size_t pieces = 0;
};
/// Of pieces, each once, in the order of experiments and shards.
std::vector<AttemptSum> attempts_of(const std::vector<PieceInfo>& pieces);
/// Pieces that are not taken in yet. `remarks` gets sentences about what is damaged and does not count.
std::vector<PieceInfo> published_pieces(const ShardFolder& folder, std::vector<std::string>& remarks);

/// How far shards of one description of an experiment are, since a sweep has taken in the last time.
struct ShardStatus {
  std::string experiment;
  std::uint64_t batches = 0, published = 0;  ///< of all shards, each once
  std::uint64_t failures = 0;                ///< batches that could not be completed
  std::size_t attempts = 0;                  ///< that have published
  std::uint64_t shards = 0;                  ///< how many those say there are
  double rate_per_s = 0;                     ///< batches, since the first was published; 0: not known
  double last_s = 0;                         ///< since something was published, by the file system's clock

  [[nodiscard]] std::uint64_t left() const { return batches > published ? batches - published : 0; }
};
/// In the order of experiments. `remarks` likewise.
std::vector<ShardStatus> status_of(const ShardFolder& folder, std::vector<std::string>& remarks);

void write_attempts(const std::vector<AttemptSum>& attempts, Format format, std::ostream& out);
void write_status(const std::vector<ShardStatus>& all, Format format, std::ostream& out);

}  // namespace nowsim

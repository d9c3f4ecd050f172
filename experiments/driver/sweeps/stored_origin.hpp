// What an experiment in a store was read from: kept with it, so that it can be made again elsewhere.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiments/driver/points/experiment.hpp"

namespace nowsim {

struct OriginRow;

/// A file that was read, and the checksum of its bytes (checksum.hpp). None where they changed while it ran, or where
/// it was a pipe, whose bytes have gone.
struct StoredFile {
  std::string path;  ///< absolute
  std::optional<std::int64_t> checksum;
};

struct StoredOrigin {
  std::vector<StoredFile> files;       ///< the description, then the others by name; empty: nothing is known of it
  std::vector<std::string> flags;      ///< key=value
  std::vector<std::string> user_code;  ///< "workload 'mine'"
  std::string folder;                  ///< from where relative paths in flags count
};

/// Of an experiment whose description is a file's text: every file that was read for it is read again.
/// @throws InputError for a platform that has gone meanwhile.
StoredOrigin origin_to_store(const Experiment& experiment);
/// Its rows, of the experiment of this id; none where nothing is known. And back, of rows in the order of kind and position.
std::vector<OriginRow> rows_of_origin(const StoredOrigin& origin, std::int64_t experiment);
StoredOrigin origin_of(const std::vector<OriginRow>& rows);

}  // namespace nowsim

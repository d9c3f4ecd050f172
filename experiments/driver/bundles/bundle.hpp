// Bundles: an archive with an experiment's description, data, results and figures, and the command that makes all of it
// again: what is put beside a paper.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "experiments/driver/points/experiment.hpp"

namespace nowsim {

struct BundleOrder {
  std::string folder;             ///< of results
  std::string archive;            ///< its name says of which kind (is_archive_name())
  std::vector<std::string> code;  ///< files of Python code that experiments name
  std::string word;  ///< what is bundled in the user's words: the folder, or an experiment, whose folder nobody sees
};

/// What was bundled.
struct Bundled {
  std::size_t experiments = 0, read = 0, results = 0;  ///< experiments, files that were read for them, files of results
  std::vector<std::string> remarks;
};

/// The name of the folder in an archive of this name: mine in x/mine.tar.gz. "", "." and ".." are none.
std::string bundle_name(const std::string& archive);

/// Whether it can be done, as far as that is known before anything is simulated.
/// @throws InputError where there is such a file already, it cannot be written, or a file of code is none.
void check_bundle_order(const BundleOrder& order);

/// Writes a bundle; the same results give the same bytes.
/// @throws what check_bundle_order() throws; what experiments_to_bundle() and rehearse() throw; where user
/// code is used and none is given.
Bundled write_bundle(const BundleOrder& order, const Registries& registries);

/// How many files a bundle has that are all as its sums say.
/// @param most_bytes what they may come to; 0: 1 GB, or 100 times the archive's size where that is more.
/// @throws InputError naming files that are missing, added or changed; what read_archive() throws.
std::size_t check_bundle(const std::string& archive, std::uint64_t most_bytes = 0);

}  // namespace nowsim

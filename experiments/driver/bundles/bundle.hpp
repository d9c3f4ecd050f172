// Bundles: an archive with an experiment's description, data, results and figures, and the command that makes all of it
// again: what is put beside a paper.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/driver/reading/registries.hpp"

namespace nowsim {

struct BundleOrder {
  std::string folder;             ///< of results
  std::string archive;            ///< its name says of which kind (is_archive_name())
  std::vector<std::string> code;  ///< files of Python code that experiments name
};

/// What was bundled.
struct Bundled {
  std::size_t experiments = 0, read = 0, results = 0;  ///< experiments, files that were read for them, files of results
  std::vector<std::string> remarks;
};

/// The name of the folder in an archive of this name: mine in x/mine.tar.gz.
std::string bundle_name(const std::string& archive);

/// Writes a bundle; the same results give the same bytes.
/// @throws InputError where there is such a file already; what experiments_to_bundle() and rehearse() throw; where user
/// code is used and none is given.
Bundled write_bundle(const BundleOrder& order, const Registries& registries);

/// A bundle whose files are all as its sums say: how many they are, and its bundle.json.
struct CheckedBundle {
  std::size_t files = 0;
  std::string facts;
};
/// @throws InputErrors naming files that are missing, added or changed.
CheckedBundle check_bundle(const std::string& archive);

}  // namespace nowsim

// An experiment's flags in a bundle: those of the run, and others in place of paths that lead nowhere on another
// machine.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/driver/bundles/file_tree.hpp"
#include "experiments/driver/reading/registries.hpp"
#include "experiments/driver/sweeps/stored_origin.hpp"

namespace nowsim {

/// A setting that names a file, or a folder of files, that was read.
struct NamedPath {
  std::string key;
  std::filesystem::path path;  ///< absolute and normal; may hold {host}
  bool is_from_flag = false;   ///< its text counts from where the command was given
  std::string text;            ///< as written
};

/// Those of an experiment as it was asked for. Values of swept keys are none: they stand in the results.
/// @throws InputError where the description cannot be read.
std::vector<NamedPath> named_paths(const StoredOrigin& origin, const Registries& registries);

/// The flags, in their order; a path in them begins at `root`, the bundle's folder ("" for where the command is given).
std::vector<std::string> bundled_flags(const StoredOrigin& origin, const std::vector<NamedPath>& paths,
                                       const FileTree& tree, const std::filesystem::path& root);

}  // namespace nowsim

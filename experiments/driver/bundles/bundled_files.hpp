// Where experiments' files stand in a bundle, which flags name them there, and all of it read as on another machine.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "experiments/driver/bundles/bundled_experiment.hpp"
#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/sweeps/stored_origin.hpp"

namespace nowsim {

/// The files as they stand to each other here, without what is above them.
class FileTree {
 public:
  /// @param files absolute and normal; `folders` (likewise) that are named, which files stand in.
  FileTree(const std::set<std::string>& files, const std::set<std::string>& folders);

  /// Below the bundle's folder: "specification/mine.yaml". @pre it is one of them, or stands in one of the folders.
  [[nodiscard]] std::string place_of(const std::filesystem::path& file) const;
  [[nodiscard]] bool has(const std::filesystem::path& file) const { return files_.contains(file.string()); }
  /// Whether any of the files stands in this folder.
  [[nodiscard]] bool has_below(const std::filesystem::path& folder) const;

 private:
  /// Files with a common folder that is not the root.
  struct Cluster {
    std::filesystem::path folder;  ///< that holds all of it
    std::string name;              ///< in the bundle, "" where there is one only
  };
  void add(const std::filesystem::path& folder);
  void name_clusters();

  std::set<std::string> files_;
  std::map<std::string, Cluster> clusters_;  // by the first folder of their paths
};

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

/// Reads bundled experiments from the bundle's own files, and no others. Returns what is worth saying: that the program
/// at hand would simulate something else than what is stored.
/// @throws InputErrors where an experiment cannot be read so, reads a file that is not in the bundle, or is of user
/// code that has been edited since.
std::vector<std::string> rehearse(const std::vector<BundledExperiment>& experiments,
                                  const std::vector<std::vector<NamedPath>>& paths, const FileTree& tree,
                                  const Registries& registries);

}  // namespace nowsim

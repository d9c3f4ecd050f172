// What a bundle is made of, checked: the experiments of a folder of results, as its stores hold them, with what they
// were read from; where that stands in a bundle, which flags name it there, and all of it read as on another machine.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/running/batch_store.hpp"
#include "experiments/driver/running/result_table.hpp"
#include "experiments/driver/sweeps/stored_origin.hpp"
#include "experiments/driver/text/document.hpp"

namespace nowsim {

struct BundledExperiment {
  std::string folder;  ///< of its store, below the folder of results: "huang-lee-2007", or ""
  std::string name;
  std::shared_ptr<BatchStore> store;
  std::string told_folder;  ///< of the store, for people
  ResultTable summary;
  StoredOrigin origin;
  std::vector<std::string> files;    ///< what nowsim wrote of it and is there, by their names in its store's folder
  std::vector<std::string> changed;  ///< those of them that are not as nowsim wrote them

  /// huang-lee-2007/fig05.
  [[nodiscard]] std::string path() const { return folder.empty() ? name : folder + "/" + name; }
};

/// Its estimates as nowsim writes them.
std::string summary_text(const ResultTable& summary, Format format);

/// All experiments of the stores in a folder and below it, by their paths; `told` is the folder in sentences.
/// @throws InputError with all that stands in a bundle's way: no store; an experiment of which the store does not say
/// what it was read from; a file that has gone, or is not what was read; results that were changed by hand, or
/// are of an earlier run.
std::vector<BundledExperiment> experiments_to_bundle(const std::string& folder, const std::string& told,
                                                     const Registries& registries);

// ---- where files stand ---------------------------------------------------------------------------------------------

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
/// @throws InputError where an experiment cannot be read so, reads a file that is not in the bundle, or is of user
/// code that has been edited since.
std::vector<std::string> rehearse(const std::vector<BundledExperiment>& experiments,
                                  const std::vector<std::vector<NamedPath>>& paths, const FileTree& tree,
                                  const Registries& registries);

}  // namespace nowsim

// Where the files of an experiment stand in a bundle: as they stand to each other here, without what is above them.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace nowsim {

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

}  // namespace nowsim

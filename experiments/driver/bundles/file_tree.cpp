// Common folders found, and named.
#include "experiments/driver/bundles/file_tree.hpp"

#include <algorithm>

namespace nowsim {
namespace fs = std::filesystem;
namespace {

std::string first_folder(const fs::path& path) {
  const fs::path below = path.relative_path();
  return below.empty() ? "" : below.begin()->string();
}

fs::path common_folder(const fs::path& a, const fs::path& b) {
  fs::path common;
  for (auto x = a.begin(), y = b.begin(); x != a.end() && y != b.end() && *x == *y; ++x, ++y) common /= *x;
  return common;
}

/// Without a slash at its end, which would be a part of its own.
fs::path without_slash(const fs::path& folder) { return folder.has_filename() ? folder : folder.parent_path(); }

}  // namespace

FileTree::FileTree(const std::set<std::string>& files, const std::set<std::string>& folders) : files_(files) {
  for (const auto& file : files) add(fs::path(file).parent_path());
  for (const auto& folder : folders) add(without_slash(folder));
  name_clusters();
}

void FileTree::add(const fs::path& folder) {
  const auto [place, is_new] = clusters_.try_emplace(first_folder(folder), Cluster{folder, ""});
  if (!is_new) place->second.folder = common_folder(place->second.folder, folder);
}

void FileTree::name_clusters() {
  if (clusters_.size() == 1) return;
  std::set<std::string> taken;
  for (auto& [first, cluster] : clusters_) {
    const std::string last = cluster.folder.filename().string(), base = last.empty() ? "files" : last;
    cluster.name = base;
    for (int k = 2; !taken.insert(cluster.name).second; ++k) cluster.name = base + "-" + std::to_string(k);
  }
}

std::string FileTree::place_of(const fs::path& file) const {
  const auto found = clusters_.find(first_folder(file));
  const Cluster& cluster = found != clusters_.end() ? found->second : clusters_.at("");  // right below the root
  const fs::path below = fs::path(cluster.name) / without_slash(file).lexically_relative(cluster.folder);
  return without_slash((fs::path("specification") / below).lexically_normal()).generic_string();
}

bool FileTree::has_below(const fs::path& folder) const {
  const std::string beginning = (without_slash(folder) / "").string();
  return std::ranges::any_of(files_, [&](const std::string& file) { return file.starts_with(beginning); });
}

}  // namespace nowsim

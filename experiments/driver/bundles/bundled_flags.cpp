// Settings looked through for files that were read.
#include "experiments/driver/bundles/bundled_flags.hpp"

#include <algorithm>
#include <utility>

#include "experiments/driver/points/experiment_document.hpp"
#include "experiments/driver/reading/yaml_tree.hpp"

namespace nowsim {
namespace fs = std::filesystem;
namespace {

/// The folder before the part of a path that {host} makes another one on each workstation.
fs::path fixed_part(const fs::path& path) {
  fs::path fixed;
  for (const auto& part : path) {
    if (part.string().find("{host}") != std::string::npos) return fixed;
    fixed /= part;
  }
  return fixed;
}

/// Whether a value of this key is the path of files that were read, and not a word that is also a folder's name.
bool names_files(const std::string& key, const fs::path& path, const FileTree& tree) {
  if (tree.has(path)) return true;
  const fs::path fixed = fixed_part(path);
  return (key.ends_with("folder") || fixed != path) && tree.has_below(fixed);
}

/// The platform that was read where none of the name that is given is there: one that comes with nowsim.
std::string platform_read(const StoredOrigin& origin, const std::string& text) {
  const fs::path name = fs::path(text).filename();
  for (const auto& file : origin.files)
    if (const fs::path read = fs::path(file.path).filename(); read == name || read == name.string() + ".xml")
      return file.path;
  return "";
}

FileTree tree_of_origin(const StoredOrigin& origin) {
  std::set<std::string> files;
  for (const auto& file : origin.files) files.insert(file.path);
  return {files, {}};
}

/// Whether a value is the name of a file in a folder that is named beside it.
bool is_in_folder_beside(const std::string& key, const Settings& settings) {
  const std::string file = ".file";
  return key.ends_with(file) && settings.contains(key.substr(0, key.size() - file.size()) + ".folder");
}

std::string quoted_yaml(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) out += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
  return out + "\"";
}

bool is_plain_path(const std::string& path) {
  return path.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/+") ==
         std::string::npos;
}

/// A path of this machine among the values of a block, owner={file: /data/w1.csv}: whether there was one, which has been
/// replaced.
bool is_replaced_in_block(std::vector<std::string>& flags, const NamedPath& named, const std::string& path) {
  bool is_replaced = false;
  if (!fs::path(named.text).is_absolute()) return is_replaced;
  for (std::string& flag : flags) {
    const std::size_t at = flag.find(named.text);
    if (at == std::string::npos || !named.key.starts_with(parse_override(flag).key + ".")) continue;
    flag.replace(at, named.text.size(), path);
    is_replaced = true;
  }
  return is_replaced;
}

}  // namespace

std::vector<NamedPath> named_paths(const StoredOrigin& origin, const Registries& registries) {
  Problems ignored;
  const std::string& description = origin.files.front().path;
  const ExperimentDocument document =
      read_document(read_yaml(description), description, {origin.flags, {}}, registries, ignored);
  const FileTree tree = tree_of_origin(origin);
  std::vector<NamedPath> found;
  for (const auto& [key, setting] : document.settings) {
    if (setting.texts.size() != 1 || setting.is_list || setting.texts.front().empty()) continue;
    if (is_in_folder_beside(key, document.settings)) continue;
    const std::string& text = setting.texts.front();
    const bool is_from_flag = setting.place.file == kOverridePlace;
    const fs::path from = is_from_flag ? fs::path(origin.folder) : fs::path(description).parent_path();
    NamedPath named{key, (from / text).lexically_normal(), is_from_flag, text};
    if (key == "platform.file" && !tree.has(named.path)) named.path = platform_read(origin, text);
    if (!named.path.empty() && names_files(key, named.path, tree)) found.push_back(std::move(named));
  }
  return found;
}

std::vector<std::string> bundled_flags(const StoredOrigin& origin, const std::vector<NamedPath>& paths,
                                       const FileTree& tree, const fs::path& root) {
  std::vector<std::string> flags = origin.flags;
  const fs::path home = fs::path(tree.place_of(origin.files.front().path)).parent_path();
  for (const NamedPath& named : paths) {
    const std::string place = tree.place_of(named.path);
    if (!named.is_from_flag && (home / named.text).lexically_normal() == fs::path(place)) continue;
    std::erase_if(flags, [&](const std::string& flag) { return parse_override(flag).key == named.key; });
    const std::string path = root.empty() ? place : (root / place).string();
    if (named.is_from_flag && is_replaced_in_block(flags, named, path)) continue;
    flags.push_back(named.key + "=" + (is_plain_path(path) ? path : quoted_yaml(path)));
  }
  return flags;
}

}  // namespace nowsim

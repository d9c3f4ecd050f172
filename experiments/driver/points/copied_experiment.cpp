// Paths are found by the tables of keys, wherever they stand: in blocks, by workstation, in axes.
#include "experiments/driver/points/copied_experiment.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>

#include "experiments/driver/points/key_reference.hpp"
#include "experiments/driver/reading/shipped_files.hpp"
#include "experiments/driver/reading/yaml_rewriting.hpp"
#include "experiments/driver/text/formats.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/error.hpp"
#include "sim/base/user_file.hpp"

namespace nowsim {
namespace fs = std::filesystem;
namespace {

constexpr const char* kFolderKey = "folder";  // that the owner's `file` is in

std::set<std::string> path_keys(const Registries& registries) {
  std::set<std::string> names;
  for (const auto& block : key_blocks(registries))
    for (const auto& section : block.sections)
      for (const auto& key : section.keys)
        if (key.type == KeyType::path) names.insert(key.name);
  return names;
}

/// What stands for a path now.
struct ChangedPath {
  std::string text;
  bool is_quoted = false;
};
using Changes = std::map<std::string, ChangedPath>;  // by what was written

/// Makes the paths of a document's nodes absolute.
class PathChange {
 public:
  PathChange(const std::string& file, const std::string& platforms, const Registries& registries)
      : folder_(fs::absolute(file).parent_path()), platforms_(platforms), keys_(path_keys(registries)) {}

  /// Of what stands below a map's key, "owner.file" or one word of it. `in_folder`: files are in a folder that is named.
  void change_below(YamlNode& node, bool in_folder) {
    in_folder |= node.find(kFolderKey) != nullptr;
    for (auto& [key, value] : node.entries) {
      const std::string name = key.substr(key.rfind('.') + 1);
      const bool is_path = keys_.contains(name) && !(in_folder && name == "file" && !key.starts_with("platform."));
      if (is_path && value.kind == YamlNode::Kind::scalar) change(value);
      if (is_path) std::ranges::for_each(value.items, [&](YamlNode& item) { change(item); });
      change_below(value, in_folder);
    }
    for (auto& item : node.items) change_below(item, in_folder);
  }
  /// The same paths where they stand for values: claims and labels tell points of a swept platform by them.
  void change_mentions(YamlNode& node) const {
    if (const auto found = mentioned(node.text); node.kind == YamlNode::Kind::scalar && found != changes_.end()) {
      node.text = found->second.text;
      node.quoted = found->second.is_quoted;
    }
    for (auto& item : node.items) change_mentions(item);
    for (auto& [key, value] : node.entries) {
      if (const auto found = mentioned(key); found != changes_.end()) key = found->second.text;
      change_mentions(value);
    }
  }
  [[nodiscard]] std::vector<std::string> files() const { return {files_.begin(), files_.end()}; }
  /// What was written for each path, and what stands for it now.
  [[nodiscard]] const Changes& changes() const { return changes_; }

 private:
  void change(YamlNode& path) {
    if (path.kind != YamlNode::Kind::scalar || path.text.empty() || path.text.starts_with('=')) return;
    const fs::path there = (folder_ / path.text).lexically_normal();
    const std::string written = path.text;
    const std::string name = shipped_name(there);
    path.text = name.empty() ? there.string() : name;
    path.quoted = name.empty();
    changes_[written] = {path.text, path.quoted};
    files_.insert(path.text);
  }

  /// What was written for a path and has a folder in it: a word may mean anything elsewhere.
  [[nodiscard]] Changes::const_iterator mentioned(const std::string& text) const {
    return text.find('/') == std::string::npos ? changes_.end() : changes_.find(text);
  }

  /// "lab-now", of a platform that comes with nowsim; "" of any other file.
  [[nodiscard]] std::string shipped_name(const fs::path& file) const {
    std::error_code error;
    const bool is_shipped =
        file.extension() == kPlatformEnding && fs::equivalent(file.parent_path(), platforms_, error);
    return is_shipped && contains(platforms_in(platforms_), file.stem().string()) ? file.stem().string() : "";
  }

  fs::path folder_;
  std::string platforms_;
  std::set<std::string> keys_, files_;
  Changes changes_;
};

/// The text with each path replaced where it stands, so that lines stay as they are laid out.
std::string replaced(std::string text, const Changes& changes) {
  for (auto change = changes.rbegin(); change != changes.rend(); ++change) {  // x/yz before x/y
    const std::string& written = change->first;
    if (written.find('/') == std::string::npos) continue;
    const std::string now = change->second.is_quoted ? json_text(change->second.text) : change->second.text;
    for (auto at = text.find(written); at != std::string::npos; at = text.find(written, at + now.size()))
      text.replace(at, written.size(), now);
  }
  return text;
}

bool is_read_as(const std::string& text, const YamlNode& wanted, const std::string& file) {
  try {
    return says_the_same(parse_yaml(text, file), wanted);
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace

CopiedExperiment copied_experiment(const std::string& file, const std::string& platforms,
                                   const Registries& registries) {
  const std::string text = read_user_file(file, kMostDescriptionBytes);
  YamlNode wanted = parse_yaml(text, file);
  PathChange paths(file, platforms, registries);
  paths.change_below(wanted, false);
  if (paths.files().empty()) return {text, {}};
  paths.change_mentions(wanted);
  if (std::string copy = replaced(text, paths.changes()); is_read_as(copy, wanted, file)) return {copy, paths.files()};
  if (const auto copy = rewritten_yaml(text, wanted, file)) return {*copy, paths.files()};
  throw InputError(Place{file, 0, ""}, "its lines do not show where its paths stand (anchors or several keys on lines "
                                       "that cannot be told apart); copy it, and change its paths, by hand");
}

}  // namespace nowsim

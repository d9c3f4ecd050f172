#include "experiments/driver/points/new_experiment.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <string_view>
#include <system_error>

#include "experiments/driver/points/experiment_document.hpp"
#include "experiments/driver/points/key_reference.hpp"
#include "experiments/driver/reading/shipped_files.hpp"
#include "experiments/driver/reading/yaml_edit.hpp"
#include "experiments/driver/text/formats.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/error.hpp"
#include "sim/base/user_file.hpp"

namespace nowsim {
namespace fs = std::filesystem;
namespace {

/// What the experiment sets: keys and values that are read by the tables, some of which stand in no block.
using GivenKeys = std::map<std::string, std::string>;

GivenKeys given_keys(const std::string& title, const std::string& platform_file) {
  return {{"nowsim", "1"},
          {"title", json_text(title)},
          {"metrics", "[tau, sigma_T, RF, speedup]"},
          {"platform.file", json_text(platform_file)},
          {"job.workload", "augmented-task"},
          {"job.work", "2000Gf"},
          {"job.phases", "10"},
          {"owner.model", "intervals"},
          {"owner.mean", "60%"},
          {"owner.TH", "0.3"},
          {"owner.interval", "30s"},
          {"split.policy", "proportional"},
          {"run.replications", "1000"},
          {"run.seed", "1"},
          {"run.deadline", "11min"}};
}

/// Keys of choices that the experiment makes, beside those that the blocks have whatever is chosen.
bool is_chosen(const KeySection& section) {
  static const Words kChosen{"", "workload: augmented-task", "model: intervals", "over a model"};
  return contains(kChosen, section.title);
}

/// The experiment's axes: a product of both.
constexpr const char* kSweep =
    "  split.policy: [equal, proportional]\n"
    "  owner.TH: {from: 0, to: 0.3, step: 0.1}\n";

constexpr std::size_t kCommentColumn = 32, kWidth = 100;

/// What stands before a comment, and the comment, on as many lines as it takes.
void write_commented(const std::string& text, const std::string& comment, std::ostream& out) {
  std::string line = text;
  line.resize(std::max(kCommentColumn, text.size() + 2), ' ');
  line += '#';
  std::istringstream words(comment);
  for (std::string word; words >> word;) {
    if (line.size() + 1 + word.size() > kWidth) {
      out << line << '\n';
      line = std::string(kCommentColumn, ' ') + '#';
    }
    line += " " + word;
  }
  out << line << '\n';
}

void write_key(const Key& key, const std::string& block, const GivenKeys& given, std::ostream& out) {
  const std::string name = block.empty() ? key.name : block + "." + key.name, indent = block.empty() ? "" : "  ";
  const auto found = given.find(name);
  const std::string text = found == given.end() ? indent + "# " + key.name + ": " + key.fallback.value_or("")
                                                : indent + key.name + ": " + found->second;
  const KeyTexts texts = key_texts(key);
  write_commented(text, texts.type + "; " + texts.help, out);
}

/// A block with its keys where the experiment has it, else a line that says that there is one.
void write_block(const Key& key, const std::vector<KeyBlock>& blocks, const GivenKeys& given, std::ostream& out) {
  const auto block = std::ranges::find(blocks, key.name, &KeyBlock::name);
  const bool has_table = block != blocks.end(), is_sweep = key.name == "sweep";
  const auto is_of_block = [&](const auto& entry) { return entry.first.starts_with(key.name + "."); };
  const bool is_written = is_sweep || (has_table && std::ranges::any_of(given, is_of_block));
  out << '\n';
  write_commented((is_written ? "" : "# ") + key.name + ":",
                  key.help + (has_table ? " (nowsim list keys " + key.name + ")" : ""), out);
  if (is_sweep) out << kSweep;
  if (is_sweep || !is_written) return;
  for (const auto& section : block->sections)
    if (is_chosen(section))
      for (const Key& own : section.keys) write_key(own, block->name, given, out);
}

constexpr const char* kFolderKey = "folder";  // that the owner's `file` is in

std::set<std::string> path_keys(const Registries& registries) {
  std::set<std::string> names;
  for (const auto& block : key_blocks(registries))
    for (const auto& section : block.sections)
      for (const auto& key : section.keys)
        if (key.type == KeyType::path) names.insert(key.name);
  return names;
}

using Changes = std::map<std::string, std::string>;  // what stands for a path now, by what was written

/// Else it is the name of a platform, which needs no quotes.
bool is_path(const std::string& text) { return text.find('/') != std::string::npos; }

/// Makes the paths of a document's nodes absolute.
class PathChange {
 public:
  PathChange(const std::string& file, const std::string& platforms, const Registries& registries)
      : folder_(fs::absolute(file).parent_path()), platforms_(platforms), keys_(path_keys(registries)) {}

  void change_all(YamlNode& document) {
    note_keys(document, "");
    change_below(document, "");
  }
  /// The same paths where they stand for values: claims and labels tell points of a swept platform by them.
  void change_mentions(YamlNode& node) const {
    if (const auto found = mentioned(node.text); node.kind == YamlNode::Kind::scalar && found != changes_.end()) {
      node.text = found->second;
      node.quoted = is_path(node.text);
    }
    for (auto& item : node.items) change_mentions(item);
    for (auto& [key, value] : node.entries) {
      if (const auto found = mentioned(key); found != changes_.end()) key = found->second;
      change_mentions(value);
    }
  }
  [[nodiscard]] std::vector<std::string> files() const { return {files_.begin(), files_.end()}; }
  [[nodiscard]] const Changes& changes() const { return changes_; }

 private:
  /// "owner.file", wherever it stands: in blocks, dotted, in axes.
  static std::string full_key(const std::string& above, const std::string& key) {
    std::string full = above.empty() ? key : above + "." + key;
    for (const std::string_view axes : {"sweep.", "zip."})
      if (full.starts_with(axes)) full.erase(0, axes.size());
    return full;
  }
  void note_keys(const YamlNode& node, const std::string& above) {
    for (const auto& [key, value] : node.entries) {
      written_.insert(full_key(above, key));
      note_keys(value, full_key(above, key));
    }
    for (const auto& item : node.items) note_keys(item, above);
  }
  /// Whether a block's `file` is in a folder that is named: by it, or for a workstation without a model by that of all.
  [[nodiscard]] bool has_folder(const std::string& block) const {
    const auto says = [&](const std::string& of, const char* key) { return written_.contains(of + "." + key); };
    const std::size_t all = block.find(".hosts.");
    return says(block, kFolderKey) ||
           (all != std::string::npos && !says(block, "model") && says(block.substr(0, all), kFolderKey));
  }
  void change_below(YamlNode& node, const std::string& above) {
    for (auto& [key, value] : node.entries) {
      const std::string full = full_key(above, key);
      const std::size_t end = std::min(full.rfind('.'), full.size());  // of the block
      const std::string name = full.substr(full.rfind('.') + 1);
      const bool names_path = keys_.contains(name) && !(name == "file" && has_folder(full.substr(0, end)));
      if (names_path && value.kind == YamlNode::Kind::scalar) change(value);
      if (names_path) std::ranges::for_each(value.items, [&](YamlNode& item) { change(item); });
      change_below(value, full);
    }
    for (auto& item : node.items) change_below(item, above);
  }
  void change(YamlNode& path) {
    if (path.kind != YamlNode::Kind::scalar || path.text.empty() || path.text.starts_with('=')) return;
    const fs::path there = (folder_ / path.text).lexically_normal();
    const std::string written = path.text;
    const std::string name = shipped_name(there);
    path.text = name.empty() ? there.string() : name;
    path.quoted = is_path(path.text);
    changes_[written] = path.text;
    files_.insert(path.text);
  }

  /// What was written for a path and has a folder in it: a word may mean anything elsewhere.
  [[nodiscard]] Changes::const_iterator mentioned(const std::string& text) const {
    return is_path(text) ? changes_.find(text) : changes_.end();
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
  std::set<std::string> keys_, files_, written_;  // written_: all keys, in full
  Changes changes_;
};

/// The text with each path replaced where it stands, so that lines stay as they are laid out.
std::string replaced(std::string text, const Changes& changes) {
  for (auto change = changes.rbegin(); change != changes.rend(); ++change) {  // x/yz before x/y
    const std::string& written = change->first;
    if (!is_path(written)) continue;
    const std::string now = is_path(change->second) ? json_text(change->second) : change->second;
    for (auto at = text.find(written); at != std::string::npos; at = text.find(written, at + now.size()))
      text.replace(at, written.size(), now);
  }
  return text;
}

}  // namespace

std::string new_experiment_text(const std::string& title, const std::string& platform_file,
                                const Registries& registries) {
  const GivenKeys given = given_keys(title, platform_file);
  const std::vector<KeyBlock> blocks = key_blocks(registries);
  std::ostringstream out;
  out << "# An experiment to start from. Keys behind a '#' show what counts without them; each comment says what\n"
         "# stands there, and what it is. More on blocks: nowsim help experiment, nowsim list keys BLOCK.\n";
  for (const Key& key : experiment_keys())
    if (key.type == KeyType::block) write_block(key, blocks, given, out);
    else write_key(key, "", given, key.is_list ? out << '\n' : out);
  return out.str();
}

std::string new_platform_text() {
  return R"(<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<!-- Four machines on a switch, to start from: a SimGrid platform. Say here what yours are. -->
<platform version="4.1">
  <zone id="lab" routing="Cluster">
    <!-- A machine: a name, the speed of one core [flop/s], and how many cores it has. -->
    <host id="ws1" speed="2Gf" core="4"/>
    <host id="ws2" speed="2Gf" core="4"/>
    <host id="ws3" speed="1Gf" core="2"/>
    <host id="ws4" speed="1Gf" core="2">
      <!-- Its memory, and its owner, which counts where the experiment has no block 'owner:' -->
      <prop id="memory" value="4GiB"/>
      <prop id="owner" value="{model: duty-cycle, period: 10min, u: 25%}"/>
    </host>
    <!-- Each machine's cable into the switch; one way does not disturb the other (SPLITDUPLEX). -->
    <link id="cable1" bandwidth="1Gbps" latency="50us" sharing_policy="SPLITDUPLEX"/>
    <link id="cable2" bandwidth="1Gbps" latency="50us" sharing_policy="SPLITDUPLEX"/>
    <link id="cable3" bandwidth="1Gbps" latency="50us" sharing_policy="SPLITDUPLEX"/>
    <link id="cable4" bandwidth="1Gbps" latency="50us" sharing_policy="SPLITDUPLEX"/>
    <host_link id="ws1" up="cable1_UP" down="cable1_DOWN"/>
    <host_link id="ws2" up="cable2_UP" down="cable2_DOWN"/>
    <host_link id="ws3" up="cable3_UP" down="cable3_DOWN"/>
    <host_link id="ws4" up="cable4_UP" down="cable4_DOWN"/>
    <router id="switch"/>
    <!-- One Ethernet that all share would be:  <backbone id="ethernet" bandwidth="100Mbps" latency="200us"/>  -->
  </zone>
</platform>
)";
}

CopiedExperiment copied_experiment(const std::string& file, const std::string& platforms,
                                   const Registries& registries) {
  const std::string text = read_user_file(file, kMostDescriptionBytes);
  YamlNode wanted = parse_yaml(text, file);
  PathChange paths(file, platforms, registries);
  paths.change_all(wanted);
  if (paths.files().empty()) return {text, {}};
  paths.change_mentions(wanted);
  if (std::string copy = replaced(text, paths.changes()); is_read_as(copy, wanted, file)) return {copy, paths.files()};
  if (const auto copy = rewritten_yaml(text, wanted, file)) return {*copy, paths.files()};
  throw InputError(Place{file, 0, ""}, "its lines do not show where its paths stand (anchors or several keys on lines "
                                       "that cannot be told apart); copy it, and change its paths, by hand");
}

}  // namespace nowsim

// Experiments checked against their store; common folders found, and a folder of links in the bundle's order.
#include "experiments/driver/bundles/bundled_files.hpp"

#include <algorithm>
#include <iterator>
#include <sstream>
#include <utility>

#include "experiments/driver/points/experiment_document.hpp"
#include "experiments/driver/reading/yaml_edit.hpp"
#include "experiments/driver/reading/yaml_tree.hpp"
#include "experiments/driver/running/result_output.hpp"
#include "experiments/driver/running/written_files.hpp"
#include "experiments/driver/sweeps/experiment_store.hpp"
#include "experiments/driver/sweeps/stored_sweep.hpp"
#include "experiments/driver/text/checksum.hpp"
#include "experiments/driver/text/output_file.hpp"
#include "experiments/driver/text/temporary_folder.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace fs = std::filesystem;

// Stores found and read; files summed up again.

namespace {

/// Behind NAME: of an experiment's files those that are results in numbers, which again.sh is compared with, and
/// others.
const std::string kEstimatesEnding = ".csv", kVerdictsEnding = std::string(kClaimsEnding) + ".csv",
                  kFoundSplitsEnding = std::string(kSplitsEnding) + ".csv";
constexpr const char* kPictureEndings[] = {".gp", ".svg", ".png", ".pdf"};

/// The folders that hold a store, sorted.
std::set<fs::path> store_folders(const std::string& folder) {
  std::set<fs::path> found;
  std::error_code error;
  fs::recursive_directory_iterator entry(folder, error), end;
  if (error) throw InputError("the folder " + folder + " cannot be read: " + error.message());
  for (; entry != end; entry.increment(error))
    if (entry->path().filename() == kStoreFile) found.insert(entry->path().parent_path());
  if (error) throw InputError("a folder in " + folder + " cannot be read: " + error.message());
  return found;
}

/// What is wrong with a file that was read; "" where it is as it was. Files of several experiments are read once.
class FileCheck {
 public:
  std::string problem(const StoredFile& file) {
    const auto known = sums_.find(file.path);
    if (known == sums_.end()) sums_[file.path] = sum_of(file.path);
    const auto& [sum, why] = sums_.at(file.path);
    if (!why.empty()) return why;
    if (!file.checksum) return file.path + " changed while it was run";
    return *file.checksum == sum ? "" : file.path + " is not as it was when it was run";
  }

 private:
  struct Sum {
    std::int64_t sum = 0;
    std::string why;
  };
  static Sum sum_of(const std::string& path) {
    std::error_code ignored;
    if (!fs::exists(path, ignored)) return {0, path + " is not there any more"};
    if (!fs::is_regular_file(path, ignored))
      return {0, path + " is no ordinary file, but a pipe: nothing is left of what was read from it"};
    return {checksum(bytes_of(path)), ""};
  }
  std::map<std::string, Sum> sums_;
};

std::string sweep_again(const BundledExperiment& e) {
  return "; 'nowsim reproduce " + e.summary.file + " --out " + e.told_folder +
         "' with the flags of then reads all of it anew, and simulates only what is not there";
}

/// Whether all that it was read from is as it was.
bool check_origin(const BundledExperiment& e, FileCheck& check, std::vector<InputProblem>& problems) {
  const Place which{e.path(), 0, ""};
  if (e.origin.files.empty()) {
    problems.push_back({which,
                        "its store does not say which files and flags it was made of, since an older nowsim made it, "
                        "or a command or program that says more than a file does" +
                            sweep_again(e)});
    return false;
  }
  std::string found;
  for (const auto& file : e.origin.files)
    if (const std::string problem = check.problem(file); !problem.empty())
      found += (found.empty() ? "" : "; ") + problem;
  if (!found.empty()) problems.push_back({which, found + sweep_again(e)});
  return found.empty();
}

/// The endings of what nowsim makes of an experiment beside its estimates; files of an earlier description may be there
/// too.
std::vector<std::string> endings_asked(const BundledExperiment& e, const Registries& registries) {
  Problems ignored;
  const std::string& file = e.origin.files.front().path;
  const ExperimentDocument asked = read_document(read_yaml(file), file, {e.origin.flags, {}}, registries, ignored);
  std::vector<std::string> endings;
  if (!asked.claims.empty()) endings.push_back(kVerdictsEnding);
  if (has_found_splits(e.summary)) endings.push_back(kFoundSplitsEnding);
  if (asked.figure) endings.insert(endings.end(), std::begin(kPictureEndings), std::end(kPictureEndings));
  return endings;
}

/// Whether nowsim wrote a file of this ending, and it is there; then it goes along.
bool takes_along(BundledExperiment& e, const std::string& ending, std::vector<InputProblem>& problems) {
  const std::string file = e.name + ending;
  const fs::path path = fs::path(e.store->folder()) / file;
  std::error_code ignored;
  if (!e.store->written_file(file) || !fs::is_regular_file(path, ignored)) return false;
  e.files.push_back(file);
  const std::string told = (fs::path(e.told_folder) / file).string();
  const bool is_picture = std::ranges::count(kPictureEndings, ending) > 0;
  if (!is_as_written(*e.store, path)) {
    e.changed.push_back(file);
    if (!is_picture) problems.push_back({{}, told + " is not as nowsim wrote it: edited, or damaged" + sweep_again(e)});
  } else if (ending == kEstimatesEnding && bytes_of(path) != summary_text(e.summary, Format::csv)) {
    problems.push_back({{}, told + " is of an earlier run than what the store holds" + sweep_again(e)});
  }
  return true;
}

/// Without its estimates nobody knows of which run the rest is.
void find_files(BundledExperiment& e, const std::vector<std::string>& endings, std::vector<InputProblem>& problems) {
  if (!takes_along(e, kEstimatesEnding, problems)) return;
  for (const auto& ending : endings) takes_along(e, ending, problems);
}

}  // namespace

std::string summary_text(const ResultTable& summary, Format format) {
  std::ostringstream out;
  write_summary(summary, format, out);
  return out.str();
}

std::vector<BundledExperiment> experiments_to_bundle(const std::string& folder, const std::string& told,
                                                     const Registries& registries) {
  std::vector<BundledExperiment> all;
  std::vector<InputProblem> problems;
  FileCheck check;
  for (const auto& place : store_folders(folder)) {
    const auto store = std::make_shared<BatchStore>(place.string(), BatchStore::Access::read);
    ExperimentStore stored(*store, registries.metrics);
    const fs::path below = place.lexically_relative(folder);
    for (const auto& known : stored.experiments()) {
      BundledExperiment e{below == "." ? "" : below.generic_string(),
                          known.name,
                          store,
                          (below == "." ? fs::path(told) : told / below).string(),
                          stored.summary(known.name),
                          stored.origin(known.name),
                          {},
                          {}};
      const bool is_known = check_origin(e, check, problems);
      find_files(e, is_known ? endings_asked(e, registries) : std::vector<std::string>{}, problems);
      all.push_back(std::move(e));
    }
  }
  if (all.empty())
    throw InputError("there are no results in " + folder +
                     " that a bundle could be made of: no store of 'nowsim sweep "
                     "--out' or 'nowsim reproduce --out'");
  if (!problems.empty()) throw InputError(problems);
  return all;
}

// Where files stand.

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
  const auto add = [this](const fs::path& folder) {
    const auto [place, is_new] = clusters_.try_emplace(first_folder(folder), Cluster{folder, ""});
    if (!is_new) place->second.folder = common_folder(place->second.folder, folder);
  };
  for (const auto& file : files) add(fs::path(file).parent_path());
  for (const auto& folder : folders) add(without_slash(folder));
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

// Flags.

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

/// A path of this machine among the values of a block, owner={file: /data/w1.csv}: whether there was one, which has
/// been replaced.
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
    flags.push_back(named.key + "=" + yaml_word(path, "./+"));
  }
  return flags;
}

// All of it read.

namespace {

void make_links(const std::vector<BundledExperiment>& experiments, const FileTree& tree, const fs::path& root) {
  for (const auto& experiment : experiments)
    for (const auto& file : experiment.origin.files) {
      const fs::path link = root / tree.place_of(file.path);
      std::error_code error;
      fs::create_directories(link.parent_path(), error);
      if (!fs::is_symlink(link)) fs::create_symlink(file.path, link, error);
      if (error) throw RunError("the files cannot be laid out in " + root.string() + ": " + error.message());
    }
}

/// A sentence without the folder of the rehearsal, which is gone when it is read.
std::string without_root(std::string sentence, const fs::path& root) {
  const std::string prefix = (root / "").string();
  for (std::size_t at = 0; (at = sentence.find(prefix, at)) != std::string::npos;) sentence.erase(at, prefix.size());
  return sentence;
}

void check_files(const BundledExperiment& e, const Experiment& read, const fs::path& root) {
  const std::string within = (root / "").string();
  for (const auto& file : origin_to_store(read).files)
    if (!file.path.starts_with(within))
      throw InputError(e.path() + ": it reads " + file.path +
                       " by a path that no flag can change, in a sweep or a platform "
                       "file: on another machine it would lead nowhere. Write it relative to the file that names it");
}

std::string remark_on_forecast(const BundledExperiment& e, const Experiment& read) {
  const SweepForecast forecast = forecast_sweep(e.store.get(), read);
  const bool is_whole =
      e.summary.count(PointStatus::ok) + e.summary.count(PointStatus::infeasible) == e.summary.rows.size();
  const std::uint64_t there = forecast.batches_stored + forecast.batches_as_moments;
  if (!is_whole || forecast.may_stop_earlier || forecast.batches == there) return "";
  return e.path() + ": the nowsim at hand (" + version() + ") would simulate " +
         std::to_string(forecast.batches - there) + " of " + std::to_string(forecast.batches) +
         " batches otherwise than they are stored: these results are of another version of the model, or some points "
         "were "
         "left out";
}

}  // namespace

std::vector<std::string> rehearse(const std::vector<BundledExperiment>& experiments,
                                  const std::vector<std::vector<NamedPath>>& paths, const FileTree& tree,
                                  const Registries& registries) {
  const TemporaryFolder folder;
  make_links(experiments, tree, folder.path());
  std::vector<InputProblem> problems;
  std::vector<std::string> remarks;
  for (std::size_t k = 0; k < experiments.size(); ++k) try {
      const BundledExperiment& e = experiments[k];
      const std::string description = (folder.path() / tree.place_of(e.origin.files.front().path)).string();
      const LoadOptions options{bundled_flags(e.origin, paths[k], tree, folder.path())};
      const Experiment read = load_experiment(description, options, registries);
      check_files(e, read, folder.path());
      for (const auto& other : remarks_on_code(*e.store, e.name, registries))
        problems.push_back({{e.path(), 0, ""}, other});
      if (std::string remark = remark_on_forecast(e, read); !remark.empty()) remarks.push_back(std::move(remark));
    } catch (const InputError& e) {
      for (auto [place, sentence] : e.problems()) {
        place.file = without_root(place.file, folder.path());
        problems.push_back({place, without_root(sentence, folder.path())});
      }
    }
  if (!problems.empty()) throw InputError(problems);
  return remarks;
}

}  // namespace nowsim

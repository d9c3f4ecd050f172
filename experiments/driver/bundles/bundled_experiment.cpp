// Stores found and read; files summed up again.
#include "experiments/driver/bundles/bundled_experiment.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

#include "experiments/driver/points/experiment_document.hpp"
#include "experiments/driver/running/result_output.hpp"
#include "experiments/driver/running/written_files.hpp"
#include "experiments/driver/sweeps/experiment_store.hpp"
#include "experiments/driver/text/checksum.hpp"
#include "experiments/driver/text/output_file.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace fs = std::filesystem;
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
bool check_origin(const BundledExperiment& e, FileCheck& check, std::vector<std::string>& problems) {
  const std::string which = e.path() + ": ";
  if (e.origin.files.empty()) {
    problems.push_back(which +
                       "its store does not say which files and flags it was made of, since an older nowsim made it, "
                       "or a command or program that says more than a file does" +
                       sweep_again(e));
    return false;
  }
  std::string found;
  for (const auto& file : e.origin.files)
    if (const std::string problem = check.problem(file); !problem.empty())
      found += (found.empty() ? "" : "; ") + problem;
  if (!found.empty()) problems.push_back(which + found + sweep_again(e));
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
bool takes_along(BundledExperiment& e, const std::string& ending, std::vector<std::string>& problems) {
  const std::string file = e.name + ending;
  const fs::path path = fs::path(e.store->folder()) / file;
  std::error_code ignored;
  if (!e.store->written_file(file) || !fs::is_regular_file(path, ignored)) return false;
  e.files.push_back(file);
  const std::string told = (fs::path(e.told_folder) / file).string();
  const bool is_picture = std::ranges::count(kPictureEndings, ending) > 0;
  if (!is_as_written(*e.store, path)) {
    e.changed.push_back(file);
    if (!is_picture) problems.push_back(told + " is not as nowsim wrote it: edited, or damaged" + sweep_again(e));
  } else if (ending == kEstimatesEnding && bytes_of(path) != summary_csv(e.summary)) {
    problems.push_back(told + " is of an earlier run than what the store holds" + sweep_again(e));
  }
  return true;
}

/// Without its estimates nobody knows of which run the rest is.
void find_files(BundledExperiment& e, const std::vector<std::string>& endings, std::vector<std::string>& problems) {
  if (!takes_along(e, kEstimatesEnding, problems)) return;
  for (const auto& ending : endings) takes_along(e, ending, problems);
}

}  // namespace

std::string summary_csv(const ResultTable& summary) {
  std::ostringstream out;
  write_summary(summary, Format::csv, out);
  return out.str();
}

std::vector<BundledExperiment> experiments_to_bundle(const std::string& folder, const std::string& told,
                                                     const Registries& registries) {
  std::vector<BundledExperiment> all;
  std::vector<std::string> problems;
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
  if (!problems.empty()) throw InputErrors(problems);
  return all;
}

}  // namespace nowsim

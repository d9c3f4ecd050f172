// A folder of links, in the bundle's order, and every experiment read in it.
#include "experiments/driver/bundles/rehearsal.hpp"

#include <filesystem>

#include "experiments/driver/sweeps/experiment_store.hpp"
#include "experiments/driver/sweeps/stored_sweep.hpp"
#include "experiments/driver/text/temporary_folder.hpp"
#include "sim/base/error.hpp"

namespace nowsim {
namespace fs = std::filesystem;
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
  if (!is_whole || forecast.may_stop_earlier || forecast.batches == forecast.batches_stored) return "";
  return e.path() + ": the nowsim at hand (" + version() + ") would simulate " +
         std::to_string(forecast.batches - forecast.batches_stored) + " of " + std::to_string(forecast.batches) +
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
  std::vector<std::string> problems, remarks;
  for (std::size_t k = 0; k < experiments.size(); ++k) try {
      const BundledExperiment& e = experiments[k];
      const std::string description = (folder.path() / tree.place_of(e.origin.files.front().path)).string();
      const LoadOptions options{bundled_flags(e.origin, paths[k], tree, folder.path())};
      const Experiment read = load_experiment(description, options, registries);
      check_files(e, read, folder.path());
      for (const auto& other : remarks_on_code(*e.store, e.name, registries))
        problems.push_back(e.path() + ": " + other);
      if (std::string remark = remark_on_forecast(e, read); !remark.empty()) remarks.push_back(std::move(remark));
    } catch (const InputError& e) {
      problems.push_back(without_root(e.what(), folder.path()));
    }
  if (!problems.empty()) throw InputErrors(problems);
  return remarks;
}

}  // namespace nowsim

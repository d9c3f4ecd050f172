// The experiments of a folder of results, as its stores hold them, with what they were read from: all that a bundle is
// made of, checked.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/running/batch_store.hpp"
#include "experiments/driver/running/result_table.hpp"
#include "experiments/driver/sweeps/stored_origin.hpp"

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
std::string summary_csv(const ResultTable& summary);

/// All experiments of the stores in a folder and below it, by their paths; `told` is the folder in sentences.
/// @throws InputErrors with all that stands in a bundle's way: no store; an experiment of which the store does not say
/// what it was read from; a file that has gone, or is not what was read; results that were changed by hand, or
/// are of an earlier run.
std::vector<BundledExperiment> experiments_to_bundle(const std::string& folder, const std::string& told,
                                                     const Registries& registries);

}  // namespace nowsim

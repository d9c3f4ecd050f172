// What a page about reproduced experiments tells: of each its description, results, verdicts and files.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "experiments/driver/claims/verdicts.hpp"
#include "experiments/driver/reports/experiment_listing.hpp"
#include "experiments/driver/running/result_table.hpp"

namespace nowsim {

/// An experiment, and what was made of it.
struct ReportedExperiment {
  std::string folder;  ///< below the page; "" where it stands beside it
  std::string name;    ///< of its files
  ExperimentListing described;
  ResultTable summary;
  std::vector<ClaimResult> claims;
  std::vector<std::string> files;  ///< paths below the page, with '/'
  std::string svg;                 ///< the picture, whole; "" where there is none
  std::string thumbnail;           ///< the same as a small PNG; "" where there is none
  std::string no_picture;          ///< why there is none though one is described
  std::string failure;             ///< why there is nothing at all; "" where there is

  /// huang-lee-2007/fig05: what it is called, and the id of its article.
  [[nodiscard]] std::string path() const { return folder.empty() ? name : folder + "/" + name; }
};

/// All that a page tells. It has no date: the same results are the same page.
struct Report {
  std::string version;             ///< of the program that made the page
  std::vector<std::string> flags;  ///< key=value that changed experiments
  std::vector<ReportedExperiment> experiments;
};

}  // namespace nowsim

// What a bundle says of itself: to people, to a shell, and to programs.
#pragma once

#include <string>
#include <vector>

#include "experiments/driver/bundles/bundled_experiment.hpp"

namespace nowsim {

/// An experiment as it stands in a bundle.
struct BundleEntry {
  const BundledExperiment* experiment = nullptr;
  std::string description;         ///< its place: specification/mine.yaml
  std::vector<std::string> reads;  ///< the places of the other files that it reads
  std::vector<std::string> flags;
};

struct BundleFacts {
  std::vector<BundleEntry> entries;
  std::vector<std::string> code;     ///< places of user code: code/mine.py
  std::vector<std::string> remarks;  ///< sentences
  std::string simgrid;               ///< the release at hand, 3.32; "" where there is none
};

/// The page, README.md.
std::string bundle_page(const BundleFacts& facts);
/// The script that makes all of it again, and says how far it is from what is there.
std::string bundle_script(const BundleFacts& facts);
/// The facts, bundle.json.
std::string bundle_json(const BundleFacts& facts);

}  // namespace nowsim

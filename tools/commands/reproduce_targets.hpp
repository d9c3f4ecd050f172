// Which experiments `nowsim reproduce` is asked for: by figure, paper or file, or all.
#pragma once

#include <string>
#include <vector>

#include "experiments/driver/points/experiment.hpp"

namespace nowsim {

/// Figures and papers that a command can be asked for at once.
inline constexpr std::size_t kMostTargets = 1000;

/// An experiment to reproduce: where its file is, which folder below --out it belongs to, and its name there.
struct Target {
  std::string file, folder, name;

  /// huang-lee-2007/fig05.
  [[nodiscard]] std::string path() const { return folder.empty() ? name : folder + "/" + name; }
};

/// All experiments of papers; teaching experiments belong to none, nor do those of questions of our own.
/// @throws InputError where there are none: the program does not stand beside them.
std::vector<Target> targets_of_papers();
/// What words of the command line mean: shipped experiments, whole papers, a user's files; each once. @throws
/// InputError for what is none, said to be none of `kinds`, and for two that would write the same files.
std::vector<Target> targets_of(const std::vector<std::string>& words,
                               const std::string& kinds = "figure, paper or file");

}  // namespace nowsim

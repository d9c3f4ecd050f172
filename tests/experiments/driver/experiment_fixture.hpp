// Experiments from YAML text, written to a folder of their own and loaded.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "experiments/driver/claims/verdicts.hpp"
#include "experiments/driver/pictures/resolved_figure.hpp"
#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/running/result_output.hpp"
#include "experiments/driver/running/result_table.hpp"
#include "tests/sim/scenario_fixture.hpp"
#include "workloads/built_in.hpp"

namespace nowsim::test {

inline Experiment loaded(const std::string& yaml, const std::vector<std::string>& flags = {},
                         const Additions& additions = {}) {
  const Folder folder;
  return load_experiment(folder.file("e.yaml", yaml), {flags}, Registries(additions, builtin_checks(), builtin_figures()));
}

/// A summary as CSV.
inline std::string csv(const ResultTable& summary) {
  std::ostringstream out;
  write_summary(summary, Format::csv, out);
  return out.str();
}

/// The problems of an experiment, one per line, with "e.yaml" for its path; "" where there are none.
inline std::string problems_of(const std::string& yaml, const std::vector<std::string>& flags = {}) {
  const Folder folder;
  try {
    load_experiment(folder.file("e.yaml", yaml), {flags}, Registries({}, builtin_checks(), builtin_figures()));
    return "";
  } catch (const InputError& e) {
    std::string text = std::string(e.what()) + "\n";
    const std::string path = folder.path() + "/";
    for (std::size_t at; (at = text.find(path)) != std::string::npos;) text.erase(at, path.size());
    return text;
  }
}

}  // namespace nowsim::test

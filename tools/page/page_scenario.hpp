// A question's scenario: a YAML text with the name that it came by, and keys that are set in it.
#pragma once

#include <string>
#include <vector>

#include "experiments/driver/points/experiment.hpp"
#include "tools/page/page_desk.hpp"

namespace nowsim {

struct Timeline;

/// As `nowsim run FILE --set ...` has it.
struct PageScenario {
  std::string yaml;
  std::string file;  ///< where it would be among the shipped experiments: files that it names are looked for from there
  LoadOptions options;
};

/// The file of a name among the shipped experiments, which need not be there. @throws InputError for names that lead
/// out.
std::string page_experiment_file(const PageFolders& folders, const std::string& name);

/// Of the fields yaml, name, set and replications. @throws InputError.
PageScenario page_scenario(const PageDesk& desk, const PageRequest& request);
/// Read; without what takes simulation. @throws InputError.
Experiment described_scenario(const PageDesk& desk, const PageScenario& scenario);
/// With splits and sizes found, as it is run.
Experiment ready_scenario(const PageDesk& desk, Experiment described);
/// The point of a scenario of one. @throws InputError where there are several, or it cannot be realised.
const Point& only_point(const Experiment& experiment);

// ---- parts of answers ----

/// A replication as a Gantt chart's data (tools/page/README.md).
PageJson page_timeline(const Timeline& timeline);

/// An estimate; its ends are null where they are not known.
PageJson page_estimate(const Estimate& e);

}  // namespace nowsim

// Reading and making ready, as the command line does, without a store.
#include "tools/page/page_scenario.hpp"

#include <filesystem>
#include <utility>

#include "experiments/driver/sweeps/prepare.hpp"
#include "experiments/driver/text/name_lists.hpp"

namespace nowsim {

namespace fs = std::filesystem;

namespace {

constexpr const char* kLabsName = "labs";  // of the folder of labs, wherever it is

}  // namespace

std::string page_experiment_file(const PageFolders& folders, const std::string& name) {
  const fs::path path = fs::path(name).lexically_normal();
  const bool leads_out = name.find('\0') != name.npos || path.is_absolute() || path.empty() || *path.begin() == "..";
  if (leads_out)
    throw InputError(Place{"", 0, "name"}, "a scenario is called as the shipped ones are, such as mine.yaml");
  if (*path.begin() == kLabsName) return (fs::path(folders.labs) / path.lexically_relative(kLabsName)).string();
  return (fs::path(folders.experiments) / path).string();
}

PageScenario page_scenario(const PageDesk& desk, const PageRequest& request) {
  PageScenario scenario{request.text("yaml"), page_experiment_file(desk.folders, request.text("name")), {}};
  scenario.options.overrides = request.texts("set");
  if (const auto replications = request.whole("replications"))
    scenario.options.overrides.push_back("run.replications=" + std::to_string(*replications));
  const std::string platforms = (fs::path(desk.folders.experiments).parent_path() / "platforms").string();
  scenario.options.files = {{desk.folders.experiments, desk.folders.labs, platforms}, platforms};
  return scenario;
}

Experiment described_scenario(const PageDesk& desk, const PageScenario& scenario) {
  return load_experiment(parse_yaml(scenario.yaml, scenario.file), scenario.file, scenario.options, desk.registries);
}

Experiment ready_scenario(const PageDesk& desk, Experiment described) {
  return prepare(std::move(described), nullptr, {desk.options.jobs});
}

const Point& only_point(const Experiment& experiment) {
  if (experiment.points.size() != 1)
    throw InputError("this shows one point, and the scenario has " + std::to_string(experiment.points.size()) +
                     ": fix what is swept (" + joined(experiment.axes) + ")");
  const Point& point = experiment.points.front();
  if (point.simulated() == nullptr) throw InputError("the point cannot be realised: " + point.reason());
  return point;
}

PageJson page_estimate(const Estimate& e) { return {{"value", e.value}, {"low", e.low}, {"high", e.high}}; }

}  // namespace nowsim

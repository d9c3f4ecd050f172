// A problem's numbers set in experiments: as these are run, without a store, and as their files are handed out.
#include "experiments/driver/labs/facts.hpp"

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "experiments/driver/reading/yaml_edit.hpp"
#include "experiments/driver/reading/yaml_tree.hpp"
#include "experiments/driver/running/runner.hpp"
#include "experiments/driver/studies/answer.hpp"
#include "experiments/driver/sweeps/prepare.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/output_file.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

/// The longest that a batch with a student's answer in it may take.
const std::pair<std::string, std::string> kAnswerTimeout{"run.timeout", "20s"};

/// Where the answer stands as it is.
constexpr const char* kWholeAnswer = "{answer}";

/// Whether a text, or a formula, names the answer.
bool names_answer(const std::string& text) { return text.find("answer") != std::string::npos; }

/// The metrics that facts ask of an experiment, each once.
void add_metrics(const std::vector<LabFact>& facts, const std::string& experiment, Words& metrics) {
  for (const auto& fact : facts)
    if (const auto* estimate = std::get_if<EstimateFact>(&fact.what))
      if (estimate->of == experiment && !contains(metrics, estimate->metric)) metrics.push_back(estimate->metric);
}

Words metrics_asked(const Lab& lab, const std::string& experiment) {
  Words metrics;
  add_metrics(lab.facts, experiment, metrics);
  for (const auto& step : lab.steps)
    for (const auto& question : step.questions) add_metrics(question.facts, experiment, metrics);
  return metrics;
}

}  // namespace

std::string file_of(const Lab& lab, const LabExperiment& described) {
  return (std::filesystem::path(lab.folder) / described.file).string();
}

bool knows_answer(const LabExperiment& described) {
  return std::ranges::any_of(described.set, [](const auto& set) { return names_answer(set.second); });
}

namespace {

bool is_swept(const YamlNode& root, const std::string& key) {
  const YamlNode* sweep = root.find("sweep");
  return sweep != nullptr && swept_values(*sweep, key) != nullptr;
}

/// What a key is set to: text as it stands, with braces filled in, or a formula's value.
std::string set_value(Facts& facts, const std::string& text) {
  return text.starts_with("=") ? number_text(facts.number(text).value) : facts.filled(text, Facts::For::files);
}

/// The keys that a problem sets in a file, in its order; a later one of the same name counts.
NamedTexts own_settings(Facts& facts, const LabExperiment& described, const YamlNode& root, Seed seed) {
  NamedTexts set;
  if (const YamlNode* let = root.find("let"))
    for (const auto& [name, number] : facts.problem().numbers)
      if (let->find(name) != nullptr) set.emplace_back("let." + name, number_text(number));
  if (seed == Seed::of_judge) set.emplace_back("run.seed", std::to_string(facts.problem().judge_seed));
  const bool has_answer = knows_answer(described), runs_code = has_answer && facts.code() != nullptr;
  for (const auto& [key, text] : described.set)
    if (!(runs_code && text == kWholeAnswer)) set.emplace_back(key, set_value(facts, text));
  if (runs_code) set.emplace_back("job.technique", kCodeTechnique);  // in place of a formula and its chunk
  if (has_answer && !runs_code) set.push_back(kAnswerTimeout);       // code has limits of its own
  return set;
}

}  // namespace

std::vector<std::string> own_overrides(Facts& facts, const LabExperiment& described) {
  Words overrides;
  const YamlNode root = read_yaml(file_of(facts.lab(), described));
  for (const auto& [key, value] : own_settings(facts, described, root, Seed::of_judge)) overrides.push_back(key + "=" + value);
  for (const auto& more : facts.options().overrides) overrides.push_back(more);
  return overrides;
}

Experiment load_lab_experiment(Facts& facts, const LabExperiment& described, const Words& metrics, Seed seed) {
  const std::string file = file_of(facts.lab(), described);
  YamlNode root = read_yaml(file);
  for (const char* key : {"figure", "claims"}) yaml_erase(root, key);
  LoadOptions options{facts.options().overrides};
  for (const auto& [key, value] : own_settings(facts, described, root, seed))
    if (value.starts_with("[") || value.starts_with("{") || is_swept(root, key))
      options.overrides.push_back(key + "=" + value);
    else
      set_text(root, key, value);  // a formula's text may hold what YAML would read otherwise
  if (!metrics.empty()) apply_override(root, {"metrics", yaml_list(metrics)});
  return load_experiment(std::move(root), file, options, facts.registries());
}

Experiment made_ready(Facts& facts, Experiment described) {
  return prepare(std::move(described), nullptr, {facts.options().jobs});
}

ResultTable run_lab_experiment(Facts& facts, const LabExperiment& described) {
  const Words metrics = metrics_asked(facts.lab(), described.name);
  Experiment experiment = made_ready(facts, load_lab_experiment(facts, described, metrics, Seed::of_judge));
  for (Point& point : experiment.points) point.plan.is_of_series = true;
  return summarise(experiment, run_experiment(experiment, {facts.options().jobs}));
}

Timeline lab_timeline(Facts& facts, const LabExperiment& described, std::uint64_t replication) {
  const Experiment experiment = made_ready(facts, load_lab_experiment(facts, described, {}, Seed::of_file));
  const Point& point = experiment.points.front();
  if (point.simulated() == nullptr) throw InputError({experiment.file, 0, ""}, "there is nothing to show: " + point.reason());
  const bool by_simgrid = point.plan.engine == EngineChoice::simgrid;
  return record_timeline(by_simgrid ? Engine::simgrid : Engine::direct, *point.scenario(), replication);
}

namespace {

constexpr std::string_view kLet = "let: {";

/// The line's map with the problem's numbers in place of the examples; what follows it stays.
std::string own_let(const std::string& line, const Problem& problem, const std::string& file) {
  const std::size_t end = line.find('}');
  if (end == std::string::npos) throw InputError(file + ": 'let: {...}' is to stand on one line in a lab");
  const YamlNode root = parse_yaml(line.substr(0, end + 1) + "\n", file);
  std::string out;
  for (const auto& [name, node] : root.entries.front().second.entries) {
    const auto own = problem.numbers.find(name);
    out += (out.empty() ? "" : ", ") + name + ": " + (own != problem.numbers.end() ? number_text(own->second) : node.text);
  }
  return std::string(kLet) + out + line.substr(end);
}

}  // namespace

std::string own_experiment(const Lab& lab, const Problem& problem, const std::string& file) {
  const auto path = std::filesystem::path(lab.folder) / file;
  std::istringstream in(bytes_of(path));
  std::string out;
  for (std::string line; std::getline(in, line); out += '\n')
    out += line.starts_with(kLet) ? own_let(line, problem, path.string()) : line;
  return out;
}

}  // namespace nowsim

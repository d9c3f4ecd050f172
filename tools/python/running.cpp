// Experiments run for Python: the steps of `nowsim run` and `nowsim sweep`, with results in place of a table.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <spdlog/spdlog.h>

#include <filesystem>
#include <optional>
#include <utility>

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/reading/settings.hpp"
#include "experiments/driver/reading/yaml_edit.hpp"
#include "experiments/driver/running/result_output.hpp"
#include "experiments/driver/running/written_files.hpp"
#include "experiments/driver/shards/session.hpp"
#include "experiments/driver/sweeps/experiment_store.hpp"
#include "experiments/driver/sweeps/stored_sweep.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "tools/line/common_flags.hpp"
#include "tools/python/bindings.hpp"
#include "tools/python/dialogue.hpp"
#include "tools/python/python_node.hpp"
#include "tools/python/registries.hpp"
#include "tools/python/results.hpp"
#include "tools/running/prepare.hpp"
#include "tools/running/store_session.hpp"
#include "tools/running/watched_reading.hpp"
#include "tools/shipped/shipped_experiments.hpp"

namespace nowsim {
namespace {

namespace fs = std::filesystem;
namespace py = pybind11;

/// What a call asks for.
struct Request {
  explicit Request(const py::object& described) {
    if (py::isinstance<py::str>(described))
      spec = described.cast<std::string>();
    else
      document = std::make_shared<const YamlNode>(python_description(described));
  }
  std::string spec;                   ///< a file, or a shipped experiment's name
  std::shared_ptr<const YamlNode> document;  ///< or what a dict says
  std::vector<std::string> flags;     ///< as the command line has them, without --jobs
  std::vector<std::string> settings;  ///< key=value
  std::string jobs;                   ///< "": all cores
  std::string keep;                   ///< which replications: "" (T, where not too many), "none", "T" or "all"
  std::optional<std::string> folder;  ///< of the store; none: nothing is stored
  std::string name;                   ///< in it
};

Arguments arguments_of(const Request& request) {
  Flags flags;
  add_experiment_flags(flags);
  return Arguments::read(request.flags, flags, {}, "nowsim.run(spec, ...)");
}

LoadOptions load_options_of(const Request& request, const Arguments& arguments) {
  LoadOptions options = load_options(arguments);
  options.overrides.insert(options.overrides.begin(), request.settings.begin(), request.settings.end());
  options.description = request.document;
  return options;
}

std::string file_of(const Request& request) { return request.document ? kDict : find_experiment(request.spec); }

Experiment read(const Request& request, const Registries& registries, Dialogue& dialogue) {
  const auto watch = [&](std::size_t point, std::size_t points) {
    if (dialogue.interrupted()) throw Interrupted();
    dialogue.show_stage("reading: point " + std::to_string(point + 1) + " of " + std::to_string(points));
  };
  const Arguments arguments = arguments_of(request);
  try {
    return load_experiment(file_of(request), load_options_of(request, arguments), registries, watch);
  } catch (const InputError& e) {
    throw said_of_flags(e, arguments);
  }
}

int jobs_of(const Request& request) {
  Flags flags;
  add_jobs_flag(flags);
  std::vector<std::string> words;
  if (!request.jobs.empty()) words = {"--jobs", request.jobs};
  return nowsim::jobs_of(Arguments::read(words, flags, {}, ""));
}

RunContext context_of(int jobs, Dialogue& dialogue) {
  RunContext context = shown_on(dialogue.line(), jobs);
  context.interrupted = [&] { return dialogue.interrupted(); };
  return context;
}

/// How many makespans are kept unasked: a gigabyte of them.
constexpr std::uint64_t kMostMakespans = 125'000'000;

bool keeps_makespans(const Experiment& experiment, const std::string& keep) {
  if (!keep.empty()) return keep != "none";
  std::uint64_t most = 0;
  for (const auto& point : experiment.points) most += point.simulated() != nullptr ? point.plan.replications : 0;
  return most <= kMostMakespans;
}

/// What is kept of makespans besides does not change estimates.
ExecutionPlan plan_keeping_makespans(const Experiment& experiment) {
  ExecutionPlan plan = plan_execution(experiment);
  for (auto& series : plan.series) series.gathering.makespans = true;
  return plan;
}

ExperimentResult with_makespans(ResultTable summary, const std::vector<PointOutcome>& outcomes) {
  ExperimentResult result{std::move(summary), {}, {}, {}};
  for (const auto& outcome : outcomes) {
    const auto& statistics = outcome.statistics;  // live as long as their makespans
    result.makespans_s.push_back(statistics ? ExperimentResult::Times(statistics, &statistics->makespans_s) : nullptr);
  }
  return result;
}

ExperimentResult run_in_memory(const Experiment& experiment, const Request& request, const RunContext& context) {
  const bool keeps = keeps_makespans(experiment, request.keep);
  const auto outcomes =
      execute(experiment, keeps ? plan_keeping_makespans(experiment) : plan_execution(experiment), {context});
  ResultTable summary = summarise(experiment, outcomes);
  return keeps ? with_makespans(std::move(summary), outcomes) : ExperimentResult{std::move(summary), {}, {}, {}};
}

/// Through a store that goes with the result.
ExperimentResult run_keeping_all(const Experiment& experiment, const RunContext& context) {
  const auto folder = std::make_shared<const TemporaryFolder>();
  BatchStore store(folder->path().string(), BatchStore::Access::write);
  const ExecutionPlan execution = plan_execution(experiment);
  const auto stored = store.add_scenarios(execution);
  const auto outcomes = execute(experiment, execution, {context, &store, &stored});
  ExperimentResult result{summarise(experiment, outcomes), {}, folder->path().string(), folder};
  for (std::size_t p = 0; p < outcomes.size(); ++p)
    if (const auto& series = outcomes[p].series) result.summary.rows[p].stored_scenario = stored[*series].id;
  return result;
}

void warn_of_kept(const WrittenFile& file) {
  if (!file.kept.empty())
    spdlog::warn("{} had been changed since nowsim wrote it; that version is now {}", file.path, file.kept);
}

void write_tables(BatchStore& store, const std::string& name, const ResultTable& summary) {
  warn_of_kept(write_results(store, name, summary));
  if (has_found_splits(summary)) warn_of_kept(write_splits(store, name, summary));
}

/// The scenarios of a summary's rows are known to the store alone.
ExperimentResult stored_result(const SweepOutcome& outcome, const std::string& folder, const std::string& name) {
  ExperimentResult result{outcome.summary, {}, folder, {}};
  BatchStore store(folder, BatchStore::Access::read);
  const ResultTable written = ExperimentStore(store).summary(name);
  for (std::size_t p = 0; p < written.rows.size(); ++p)
    result.summary.rows[p].stored_scenario = written.rows[p].stored_scenario;
  return result;
}

std::string stored_name(const Request& request) {
  if (!request.name.empty()) return request.name;
  return name_of_experiment(file_of(request), {.description = request.document});
}

ExperimentResult sweep_into_folder(const Experiment& described, const Request& request, const RunContext& context,
                                   ProgressLine* line) {
  const std::string name = stored_name(request);
  SweepOutcome outcome;
  {
    refuse_before_store(described, *request.folder, context.jobs);
    StoreSession session(*request.folder);
    for (const auto& remark : session.taken_in().remarks) spdlog::warn("{}", remark);
    const Experiment experiment = ready_to_run(described, &session.store(), context, line);
    outcome = session.run(name, experiment, context);
    write_tables(session.store(), name, outcome.summary);
  }
  return stored_result(outcome, *request.folder, name);
}

/// Reads, prepares and runs.
ExperimentResult run(const Request& request, const py::object& additions, py::object line, py::object warn) {
  Dialogue dialogue(std::move(line), std::move(warn));
  ExperimentResult result;
  dialogue.finish([&] {
    const int jobs = jobs_of(request);
    if (request.folder) check_stored_name(stored_name(request), request.document ? kDict : request.spec);
    const auto known = std::make_shared<const Registries>(registries_with(additions));
    const Experiment described = read(request, *known, dialogue);
    print_remarks(described);
    const RunContext context = context_of(jobs, dialogue);
    if (request.folder) {
      result = sweep_into_folder(described, request, context, dialogue.line());
    } else {
      const Experiment experiment = ready_to_run(described, nullptr, context, dialogue.line());
      result =
          request.keep == "all" ? run_keeping_all(experiment, context) : run_in_memory(experiment, request, context);
    }
    result.known = known;
  });
  return result;
}

/// The one that is asked for, or the only one.
std::string experiment_of(BatchStore& store, const std::string& asked) {
  if (!asked.empty()) return asked;
  const auto experiments = ExperimentStore(store).experiments();
  if (experiments.size() == 1) return experiments.front().name;
  std::vector<std::string> names;
  for (const auto& experiment : experiments) names.push_back(experiment.name);
  throw UsageError("the store has " + std::to_string(names.size()) + " experiments: say which one by experiment=NAME" +
                   (names.empty() ? "" : " (there are: " + joined(names) + ")"));
}

ExperimentResult show(const std::string& folder, const std::string& experiment, const py::object& additions,
                      const py::function& warn) {
  const auto known = std::make_shared<const Registries>(registries_with(additions));
  BatchStore store(folder, BatchStore::Access::read);
  const std::string name = experiment_of(store, experiment);
  ResultTable summary = ExperimentStore(store, known->metrics).summary(name);
  for (const auto& remark : remarks_on_code(store, name, *known)) warn(remark);
  return {std::move(summary), {}, folder, {}, known};
}

/// A value as it stands behind `key=` of a flag --set.
std::string value_text(const std::string& key, const py::object& value) {
  YamlNode map(YamlNode::Kind::map, "", false, 0);
  map.entries.emplace_back("v", python_node(value, {kOverridePlace, 0, key}));
  const std::string text = yaml_text(map);
  return text.substr(2, text.size() - 3);
}

}  // namespace

void bind_running(py::module_& m) {
  py::class_<Request>(m, "Request")
      .def(py::init<const py::object&>())
      .def_readwrite("flags", &Request::flags)
      .def_readwrite("settings", &Request::settings)
      .def_readwrite("jobs", &Request::jobs)
      .def_readwrite("keep", &Request::keep)
      .def_readwrite("folder", &Request::folder)
      .def_readwrite("name", &Request::name);
  m.def("description_text", [](const py::object& dict) { return yaml_text(python_description(dict)); });
  m.def("value_text", &value_text);
  m.def("run", &run);
  m.def("show", &show);
}

}  // namespace nowsim

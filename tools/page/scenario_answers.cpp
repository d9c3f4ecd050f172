// Questions about scenarios: which there are, what one says, its run.
#include <chrono>
#include <filesystem>
#include <set>
#include <sstream>

#include "experiments/driver/labs/lab.hpp"
#include "experiments/driver/pictures/resolved_figure.hpp"
#include "experiments/driver/points/execution_plan.hpp"
#include "experiments/driver/reading/shipped_files.hpp"
#include "experiments/driver/running/result_output.hpp"
#include "experiments/driver/running/split_output.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/text.hpp"
#include "sim/base/user_file.hpp"
#include "tools/page/page_scenario.hpp"
#include "workloads/farm/self_scheduling.hpp"

namespace nowsim {
namespace {

namespace fs = std::filesystem;

// ---- catalogue ------------------------------------------------------------------------------------------------------

/// Its line alone, where it has one: a catalogue is wanted at once.
std::string title_in(const std::string& text, const std::string& file) {
  const std::string begin = "\ntitle:";
  const auto at = text.find(begin);
  try {
    if (at != text.npos) {
      const YamlNode line = parse_yaml(text.substr(at + 1, text.find('\n', at + 1) - at), file);
      if (line.entries.size() == 1 && line.entries.front().second.kind == YamlNode::Kind::scalar)
        return line.entries.front().second.text;
    }
  } catch (const InputError&) {  // it goes on in the next one
  }
  const YamlNode root = parse_yaml(text, file);
  const YamlNode* title = root.find("title");
  return title == nullptr ? "" : title->text;
}

/// One file that cannot be read, half written perhaps, takes away nothing but itself: it says why, in `problem`.
template <class Read>
PageJson readable_or(const PageDesk& desk, PageJson unread, Read read) {
  try {
    return read();
  } catch (const InputError& e) {
    unread["problem"] = desk.told(e.what());
    return unread;
  }
}

PageJson shipped_list(const PageDesk& desk) {
  PageJson list = PageJson::array();
  for (const std::string& name : experiments_in(desk.folders.experiments))
    list.push_back(readable_or(desk, {{"name", name}, {"title", ""}}, [&]() -> PageJson {
      const std::string file = (fs::path(desk.folders.experiments) / (name + ".yaml")).string();
      return {{"name", name}, {"title", title_in(read_user_file(file, kMostDescriptionBytes), file)}};
    }));
  return list;
}

bool takes_code(const Lab& lab) {
  for (const LabStep& step : lab.steps)
    for (const Question& question : step.questions)
      if (question.takes == Question::Takes::code) return true;
  return false;
}

PageJson lab_row(const std::string& name, const Lab& lab) {
  return {{"name", name},
          {"title", lab.title},
          {"question", lab.question},
          {"minutes", lab.minutes},
          {"needs_python", takes_code(lab)}};
}

PageJson lab_list(const PageDesk& desk) {
  PageJson list = PageJson::array();
  for (const std::string& name : labs_in(desk.folders.labs))
    list.push_back(readable_or(desk, lab_row(name, Lab{}),
                               [&] { return lab_row(name, read_lab(find_lab(name, desk.folders.labs))); }));
  return list;
}

template <class Rows>
PageJson help_list(const Rows& rows) {
  PageJson list = PageJson::array();
  for (const auto& row : rows) list.push_back({{"name", row.name}, {"help", row.summary}});
  return list;
}

// ---- describe -------------------------------------------------------------------------------------------------------

PageJson axes_of(const Experiment& experiment) {
  PageJson axes = PageJson::array();
  for (std::size_t a = 0; a < experiment.axes.size(); ++a) {
    Words values;
    for (const Point& point : experiment.points)
      if (!contains(values, point.values[a])) values.push_back(point.values[a]);
    axes.push_back({{"key", experiment.axes[a]}, {"values", values}});
  }
  return axes;
}

/// "several" where points differ.
std::string engine_of(const Experiment& experiment) {
  std::set<std::string> engines;
  for (const Point& point : experiment.points)
    if (const auto scenario = point.scenario()) engines.insert(engine_name(engine_for(point.plan.engine, *scenario)));
  return engines.empty() ? "" : engines.size() > 1 ? "several" : *engines.begin();
}

PageJson metrics_of(const Experiment& experiment) {
  PageJson list = PageJson::array();
  for (const Metric* metric : experiment.metrics)
    list.push_back({{"name", metric->name},
                    {"label", label_html(label_of(name_in_labels(metric->name)))},
                    {"unit", metric->unit},
                    {"per_workstation", metric->per_workstation}});
  return list;
}

// ---- run ------------------------------------------------------------------------------------------------------------

std::string written_as(const ResultTable& summary, Format format) {
  std::ostringstream out;
  write_summary(summary, format, out);
  return out.str();
}

PageJson figure_of_run(const Experiment& experiment, const ResultTable& summary) {
  if (!experiment.figure) return nullptr;
  try {
    const std::string name = fs::path(experiment.file).stem().string();
    return PageJson::parse(figure_json(resolved_figure(*experiment.figure, summary, name)));
  } catch (const RunError&) {  // no point has results
    return nullptr;
  }
}

}  // namespace

PageJson page_catalogue(PageDesk& desk, const PageRequest&) {
  PageJson engines = PageJson::array({"direct"});
  if (desk.why_absent(kAbsentSimgrid).empty()) engines.push_back("simgrid");
  return {{"version", version()},
          {"engines", engines},
          {"absent", desk.options.absent},
          {"experiments", shipped_list(desk)},
          {"labs", lab_list(desk)},
          {"techniques", help_list(desk.registries.techniques)},
          {"policies", help_list(desk.registries.policies)},
          {"owners", help_list(desk.registries.owners)}};
}

PageJson page_text(PageDesk& desk, const PageRequest& request) {
  const std::string name = request.text("name");
  const Words known = experiments_in(desk.folders.experiments);
  const std::string plain = name.ends_with(".yaml") ? name.substr(0, name.size() - 5) : name;
  if (!contains(known, plain)) throw InputError("there is no experiment " + quoted(name) + did_you_mean(name, known));
  const std::string file = page_experiment_file(desk.folders, plain + ".yaml");
  return {{"yaml", read_user_file(file, kMostDescriptionBytes)}, {"name", plain + ".yaml"}};
}

PageJson page_describe(PageDesk& desk, const PageRequest& request) {
  const Experiment experiment = described_scenario(desk, page_scenario(desk, request));
  const RunPlan plan = experiment.points.empty() ? RunPlan{} : experiment.points.front().plan;
  PageJson answer{
      {"title", experiment.title},          {"remarks", experiment.remarks},     {"axes", axes_of(experiment)},
      {"points", experiment.points.size()}, {"replications", plan.replications}, {"seed", plan.seed},
      {"confidence", plan.confidence},      {"engine", engine_of(experiment)},   {"figure", nullptr},
      {"metrics", metrics_of(experiment)}};
  if (experiment.figure) answer["figure"] = experiment.figure->kind->name;
  return answer;
}

PageJson page_run(PageDesk& desk, const PageRequest& request) {
  const auto begin = std::chrono::steady_clock::now();
  const Experiment described = described_scenario(desk, page_scenario(desk, request));
  const Experiment experiment = ready_scenario(desk, described);
  ResultTable summary = summarise(experiment, run_experiment(experiment, {desk.options.jobs, desk.options.on_progress}));
  for (ResultRow& row : summary.rows) row.reason = desk.told(row.reason);
  std::ostringstream splits;
  if (has_found_splits(summary)) write_split_table(summary, splits);
  Words remarks = described.remarks;
  remarks.insert(remarks.end(), experiment.remarks.begin(), experiment.remarks.end());
  for (std::string& remark : remarks) remark = desk.told(remark);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  return {{"title", experiment.title},
          {"table", written_as(summary, Format::table)},
          {"csv", written_as(summary, Format::csv)},
          {"summary", PageJson::parse(written_as(summary, Format::json))},
          {"figure", figure_of_run(experiment, summary)},
          {"splits", splits.str()},
          {"remarks", remarks},
          {"has_failures", summary.has_failures()},
          {"seconds", seconds.count()}};
}

}  // namespace nowsim

// `nowsim show`: what a store holds, which points failed and why, and its results for other programs.
#include <algorithm>
#include <filesystem>
#include <ostream>
#include <map>
#include <optional>
#include <sstream>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "experiments/driver/pictures/resolved_figure.hpp"
#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/running/replication_rows.hpp"
#include "experiments/driver/running/result_output.hpp"
#include "experiments/driver/running/result_table.hpp"
#include "experiments/driver/shards/session.hpp"
#include "experiments/driver/shards/shard_report.hpp"
#include "experiments/driver/sweeps/experiment_store.hpp"
#include "experiments/driver/sweeps/prepare.hpp"
#include "experiments/driver/sweeps/stored_sweep.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/stream_manner.hpp"
#include "experiments/driver/text/temporary_folder.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/text.hpp"
#include "sim/base/utf8.hpp"
#include "tools/line/common_flags.hpp"
#include "tools/shipped/shipped_experiments.hpp"

namespace nowsim {
namespace {

/// A condition `--point key=value`: numbers are compared as numbers, so that 0.10 and 0.1 or 10s and 10 are the same.
struct Condition {
  std::string key, value;
};

Condition parse_condition(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0) throw UsageError(flag_place("point", text) + ": key=value is wanted, such as owner.TH=0.28");
  return {std::string(trimmed(text.substr(0, equals))), std::string(trimmed(text.substr(equals + 1)))};
}

/// Keeps the rows that meet every condition. @throws InputError for a key that is no axis.
void keep_points(ResultTable& summary, const std::vector<Condition>& conditions) {
  for (const auto& condition : conditions) {
    if (summary.axis_index(condition.key) == summary.axes.size()) {
      const std::string near = nearest_name(condition.key, summary.axes);
      throw InputError("--point: '" + condition.key + "' is not swept in this experiment" + (near.empty() ? "" : "; did you mean '" + near + "'?"));
    }
    std::erase_if(summary.rows, [&](const ResultRow& row) { return !summary.has(row, condition.key, condition.value); });
    if (summary.rows.empty()) throw InputError("--point: no point has " + condition.key + " = " + condition.value);
  }
}

/// Keeps the points that failed.
void keep_failed(ResultTable& summary) {
  std::erase_if(summary.rows, [](const ResultRow& row) { return row.status != PointStatus::failed; });
}

/// The failed points with their whole reasons; there are no others.
void print_failures(Session& session, const ResultTable& summary, const std::string& name) {
  for (const auto& row : summary.rows)
    session.out << name << ": " << point_text(summary, row) << (summary.axes.empty() ? "" : ": ") << row.reason << '\n';
  if (summary.rows.empty()) session.out << name << ": no point failed\n";
}

void print_overview(Session& session, BatchStore& store, const std::vector<StoredExperiment>& experiments) {
  const StoreSize size = store.size();
  session.out << store.folder() << ": " << size.replications << " replications in " << size.batches << " batches of " << size.scenarios
            << " scenarios, simulated in " << format_quantity(size.seconds, Dimension::time) << " of one core\n";
  if (size.other_models > 0) session.out << size.other_models << " scenarios were simulated by another version of the model and are not reused\n";
  TextTable table({"experiment", "points", "complete", "pending", "infeasible", "failed", "title"}, TableLook::list);
  for (const auto& e : experiments)
    table.add({e.name, std::to_string(e.points), std::to_string(e.complete), std::to_string(e.pending), std::to_string(e.infeasible),
                    std::to_string(e.failed), e.title});
  session.out << '\n';
  table.write(session.out, 1);
}

/// The points' deadlines, which no store has.
void add_deadlines(ResultTable& summary, const Experiment& experiment) {
  std::map<std::vector<std::string>, double> deadlines_s;
  for (const auto& point : experiment.points) deadlines_s[point.values] = point.plan.deadline_s;
  for (auto& row : summary.rows)
    if (const auto found = deadlines_s.find(row.values); found != deadlines_s.end()) row.deadline_s = found->second;
}

/// As they were read, with the platforms that come with nowsim.
LoadOptions with_shipped_files(std::vector<std::string> overrides = {}) {
  LoadOptions options{std::move(overrides)};
  options.files.platforms = shipped_platforms_folder();
  return options;
}

/// The experiment whose figure shows the store's results.
Experiment drawn_experiment(const ResultTable& summary, const std::string& name, Session& session) {
  if (std::error_code ignored; !std::filesystem::exists(summary.file, ignored))
    throw InputError("the figure of " + name + " is described in " + summary.file +
                     ", which is not there: --figure is asked for in the folder that the sweep was called from");
  Experiment experiment = load_experiment(summary.file, with_shipped_files(), session.known);
  if (!experiment.figure) throw InputError(summary.file + " describes no figure");
  const bool has_metrics = std::ranges::all_of(experiment.metrics, [&](const Metric* metric) {
    return std::ranges::count(summary.metrics, metric) > 0;
  });
  if (experiment.axes != summary.axes || !has_metrics)
    throw InputError("the store's results of " + name + " were swept otherwise than " + summary.file +
                     " says now, by flags or before it was changed, so that its figure does not fit them");
  return experiment;
}

void print_figure(Session& session, BatchStore& store, ResultTable summary, const std::string& name, const Experiment& experiment) {
  if (experiment.shows_times()) {
    read_makespans(store, summary);
    add_deadlines(summary, experiment);
  }
  const ForPrograms for_programs(session.out);
  session.out << figure_json(resolved_figure(*experiment.figure, summary, name));
}

/// Checks what goes with --figure and --replications.
void check_alone(const Arguments& arguments, bool failed, Format format) {
  const bool is_formatted = arguments.has("format");
  const bool figure = arguments.has("figure"), replications = arguments.has("replications");
  if (figure && (failed || is_formatted || replications))
    throw UsageError("--figure is JSON of its own: it goes with neither --failed nor --format nor --replications");
  if (replications && failed)
    throw UsageError("--replications are those behind estimates, and points that failed have none: leave --failed out");
  if (replications && is_formatted && format != Format::csv)
    throw UsageError("--replications are a table of rows alone, for other programs: CSV, with or without --format csv");
}

/// Prints every replication, and says which points have none.
void print_replications(Session& session, BatchStore& store, const ResultTable& summary) {
  {
    const ForPrograms for_programs(session.out);
    write_replications(store, summary, session.out);
  }
  std::string without;
  for (const PointStatus status : {PointStatus::infeasible, PointStatus::failed, PointStatus::pending})
    if (const std::size_t n = summary.count(status); n > 0)
      without += (without.empty() ? "" : ", ") + std::to_string(n) + " " + status_name(status);
  if (!without.empty()) session.error << "note: points without rows, since they have no estimates: " << without << '\n';
}

/// Whichever program's, as of one model all versions simulate the same, and from wherever its description was read, which
/// reasons name.
std::string csv_of(ResultTable summary) {
  for (auto& row : summary.rows) row.version.clear(), row.reason.clear();
  std::ostringstream out;
  write_summary(summary, Format::csv, out);
  return out.str();
}

/// Works in another folder for a while, where that is still there: relative paths in flags count from where they were given.
class WorkingFolder {
 public:
  explicit WorkingFolder(const std::string& folder) {
    std::error_code gone;
    if (!folder.empty()) std::filesystem::current_path(folder, gone);
  }
  WorkingFolder(const WorkingFolder&) = delete;
  WorkingFolder& operator=(const WorkingFolder&) = delete;
  ~WorkingFolder() {
    std::error_code gone;
    std::filesystem::current_path(before_, gone);
  }

 private:
  std::filesystem::path before_ = std::filesystem::current_path();
};

/// An experiment whose replications were not kept, as quick to simulate, in a store where they are.
class SimulatedAgain {
 public:
  SimulatedAgain(BatchStore& store, const std::string& name, Session& session)
      : store_(folder_.path().string(), BatchStore::Access::write) {
    ExperimentStore stored(store, session.known.metrics);
    const ResultTable before = stored.summary(name);
    const StoredOrigin origin = stored.origin(name);
    const std::string lacking = "replications of " + name + " were not kept, as they are quick to simulate again";
    if (origin.files.empty()) throw InputError(lacking + ", and the store does not say which file described it");
    session.error << "note: " << lacking << ": that is done now\n";
    const WorkingFolder as_then(origin.folder);
    const Experiment described = load_experiment(origin.files.front().path, with_shipped_files(origin.flags), session.known);
    const RunContext context{static_cast<int>(std::max(1U, std::thread::hardware_concurrency()))};
    const Experiment ready = prepare(recall_sizes(recall_splits(described, store), store), nullptr, context);
    if (csv_of(sweep_into(store_, name, ready, {context}).summary) != csv_of(before))
      throw InputError(lacking + ", and now they are others: " + origin.files.front().path +
                       ", or what it reads, has been changed since");
  }
  BatchStore& store() { return store_; }

 private:
  TemporaryFolder folder_;
  BatchStore store_;
};

/// Prints what the flags ask for.
void show(BatchStore& store, const Arguments& arguments, Format format, Session& session) {
  ExperimentStore stored(store, session.known.metrics);
  const auto experiments = stored.experiments();
  std::vector<std::string> chosen = arguments.texts("experiment");
  if (chosen.empty())
    for (const auto& e : experiments) chosen.push_back(e.name);
  std::vector<Condition> conditions;
  for (const auto& text : arguments.texts("point")) conditions.push_back(parse_condition(text));
  const bool failed = arguments.has("failed");
  check_alone(arguments, failed, format);
  if (failed && format == Format::table && conditions.empty()) {
    for (const auto& name : chosen) {
      ResultTable summary = stored.summary(name);
      keep_failed(summary);
      print_failures(session, summary, name);
    }
    return;
  }
  if (chosen.size() != 1) {
    const bool is_of_one = arguments.has("figure") || arguments.has("replications");
    if (format != Format::table || !conditions.empty() || is_of_one)
      throw UsageError("the store has " + std::to_string(chosen.size()) + " experiments: say which one by --experiment NAME");
    print_overview(session, store, experiments);
    return;
  }
  ResultTable summary = stored.summary(chosen.front());
  std::optional<Experiment> drawn;
  if (arguments.has("figure")) drawn = drawn_experiment(summary, chosen.front(), session);
  const bool needs_replications = arguments.has("replications") || (drawn && drawn->shows_times());
  if (needs_replications && stored.lacks_replications(chosen.front()))
    return show(SimulatedAgain(store, chosen.front(), session).store(), arguments, format, session);
  for (const auto& remark : remarks_on_code(store, chosen.front(), session.known))
    session.error << "note: " << shown_line(remark) << '\n';
  keep_points(summary, conditions);
  if (drawn) return print_figure(session, store, summary, chosen.front(), *drawn);
  if (arguments.has("replications")) return print_replications(session, store, summary);
  if (failed) keep_failed(summary);
  if (failed && format == Format::table) {
    print_failures(session, summary, chosen.front());
    return;
  }
  if (format == Format::table && !arguments.has("experiment") && conditions.empty()) {
    print_overview(session, store, experiments);
    session.out << '\n';
  }
  if (format == Format::table && !conditions.empty())  // cells are told as a whole
    for (auto& row : summary.rows) row.decided.reset();
  write_summary(summary, format, session.out);
}

void add_show_flags(Flags& flags) {
  flags.add(
      {{"experiment,e", taking(Kind::text).called("NAME"), "one of the store's experiments; needed only where there are several"},
       {"point,p", {.value = Kind::condition, .takes = Takes::texts}, "only points with this value of a swept key, once or more"},
       {"failed", kSwitch, "which points failed and why"},
       {"shards", kSwitch, "of a sweep in shards: who simulated what, when, and how long it took"},
       {"replications", kSwitch,
        "every replication behind the estimates as CSV, a row each: T, sums over the workstations, and where "
        "they are kept each workstation's values"},
       {"figure", kSwitch,
        "the data of its figure as JSON: title and footer, axes with ranges and tics, the series' names, and per "
        "panel points with intervals, a surface's values or a map's winners; what is not known is null, labels "
        "have <sub> and <sup>"}});
  add_format_flag(flags);
}

/// Who simulated what, by what is taken in and by files that shards have published since.
int show_shards(Session& session, const Arguments& arguments, Format format) {
  const ShardFolder folder(arguments.words.front());
  if (!folder.exists()) throw InputError("--shards: nothing in " + arguments.words.front() + " was simulated in shards");
  std::vector<std::string> remarks;
  std::vector<PieceInfo> pieces = published_pieces(folder, remarks);
  if (std::error_code ignored; std::filesystem::exists(folder.out() / kStoreFile, ignored)) {
    BatchStore store(arguments.words.front(), BatchStore::Access::read);
    const auto taken_in = pieces_taken_in(store);
    pieces.insert(pieces.end(), taken_in.begin(), taken_in.end());
  }
  write_attempts(attempts_of(pieces), format, session.out);
  for (const auto& remark : remarks) session.error << "note: " << shown_line(remark) << '\n';
  return 0;
}

/// Folders of results in a folder that is none itself, as reproductions make them.
std::vector<std::string> stores_in(const std::string& folder) {
  std::vector<std::string> found;
  std::error_code ignored;
  if (std::filesystem::exists(std::filesystem::path(folder) / kStoreFile, ignored)) return found;
  for (std::filesystem::directory_iterator it(folder, ignored), end; it != end; it.increment(ignored))
    if (std::filesystem::exists(it->path() / kStoreFile, ignored)) found.push_back(it->path().string());
  std::ranges::sort(found);
  return found;
}

int do_show(const Arguments& arguments, Session& session) {
  const Format format = format_of(arguments);
  if (arguments.has("shards")) return show_shards(session, arguments, format);
  if (const auto within = stores_in(arguments.words.front()); !within.empty())
    throw InputError("there is no store of results in " + arguments.words.front() + ", but there are in folders in it: " +
                     joined(within));
  BatchStore store(arguments.words.front(), BatchStore::Access::read);
  show(store, arguments, format, session);
  if (const std::string remark = store.remark(); !remark.empty()) session.error << "note: " << shown_line(remark) << '\n';
  return 0;
}

}  // namespace

Command show_command() {
  return {.name = "show",
          .summary = "what is in a store",
          .places = Places{{.kinds = {Kind::folder}}},
          .add_flags = add_show_flags,
          .run = do_show,
          .page = "store"};
}

}  // namespace nowsim

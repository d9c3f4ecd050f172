// Reading the flags, and writing the files.
#include "tools/running/replication_outputs.hpp"

#include <spdlog/spdlog.h>

#include <filesystem>
#include <ostream>

#include "experiments/driver/pictures/draw_picture.hpp"
#include "experiments/driver/pictures/gantt.hpp"
#include "experiments/driver/pictures/waits.hpp"
#include "experiments/driver/points/experiment_document.hpp"
#include "experiments/driver/running/cost_estimate.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/memory_limit.hpp"
#include "tools/running/output_files.hpp"

namespace nowsim {

namespace {

/// A measured series is CSV too, and its name is soon typed in the wrong place.
void check_may_replace(const std::string& flag, const std::string& file, const std::string& what,
                       bool (*is_such)(const std::string&)) {
  std::error_code ignored;
  if (std::filesystem::exists(file, ignored) && !is_such(file))
    throw UsageError("--" + flag + " '" + file + "': there is a file of this name which is no " + what +
                     " of nowsim's; give another name, or move it away");
}

/// Where waits go, and in which format: on standard output in its own.
void read_waits_flag(const Arguments& arguments, Format format, ReplicationOutputs& outputs) {
  outputs.waits = arguments.text("waits");
  if (outputs.waits == "-") {
    outputs.waits_format = format;
    return;
  }
  outputs.waits_format = outputs.waits.ends_with(".json") ? Format::json : Format::csv;
  if (outputs.waits.ends_with(".csv")) check_may_replace("waits", outputs.waits, "table of waits", is_waits_csv);
}

/// What a reader of trace or chart might not expect.
void warn(const PointOutcome& outcome, const ReplicationOutputs& outputs, std::size_t workstations) {
  if (const auto estimated = outcome.statistics->makespan_s.count(); outputs.replication >= estimated)
    spdlog::warn("replication {} is not among those behind the estimates: their precision was reached after {}",
                 outputs.replication, estimated);
  if (!outputs.gantt.empty() && workstations > kMostGanttWorkstations)
    spdlog::warn("{} shows the first {} of {} workstations", outputs.gantt, kMostGanttWorkstations, workstations);
}

/// On standard output, below a blank line where estimates stand there too, or in a file.
void write_waits_where_wanted(Session& session, const Timeline& timeline, const Scenario& scenario,
                              const ReplicationOutputs& outputs, bool quiet) {
  if (outputs.waits.empty()) return;
  const Waits waits = waits_of(timeline, rank_speeds(scenario));
  const auto write = [&](std::ostream& out) { write_waits(timeline, waits, outputs.waits_format, out); };
  if (outputs.waits != "-") return write_and_tell(session, outputs.waits, write, "where the time went", quiet);
  if (!outputs.replaces_estimates()) session.out << '\n';
  write(session.out);
}

/// What flags changed stands below the title.
std::string title_with(const std::vector<std::string>& changes, const std::string& title) {
  return changes.empty() ? title : title + "\nwith " + joined(changes);
}

}  // namespace

void add_replication_flags(Flags& flags) {
  flags.add(
      {{"trace", written_file({".csv"}, "a trace is CSV"),
        "what every workstation did, and when, in one replication"},
       {"gantt", picture_file("a chart is SVG, PNG or PDF"), "the same as a Gantt chart"},
       {"waits",
        written_file_or_output({".csv", ".json"}, "where the time went is CSV, JSON, or - for standard output"),
        "where each workstation's time went: computing, taken by owners, waiting in which call and for whom; -: to "
        "standard output"},
       {"trace-replication", whole(0),
        "which replication --trace, --gantt and --waits show: 0 (the first, default), 1, ..."}});
}

ReplicationOutputs replication_outputs(const Arguments& arguments, Format format) {
  ReplicationOutputs outputs;
  outputs.trace = arguments.text("trace");
  const PictureFile gantt = picture_flag(arguments, "gantt");
  outputs.gantt = gantt.name;
  outputs.format = gantt.format;
  outputs.changes = flag_changes(load_options(arguments));
  if (!outputs.trace.empty()) check_may_replace("trace", outputs.trace, "trace", is_timeline_csv);
  read_waits_flag(arguments, format, outputs);
  outputs.replication = arguments.whole("trace-replication").value_or(0);
  if (arguments.has("trace-replication") && !outputs.any())
    throw UsageError("--trace-replication says what --trace, --gantt or --waits show, and none of them is given");
  return outputs;
}

const Point& point_to_record(const Experiment& experiment, const ReplicationOutputs& outputs) {
  if (experiment.points.size() != 1)
    throw InputError("--trace, --gantt and --waits show one point, and this experiment has " +
                     std::to_string(experiment.points.size()) + ": fix what is swept, by --set key=value for " +
                     joined(experiment.axes));
  const Point& point = experiment.points.front();
  if (point.simulated() == nullptr)
    throw InputError("the point cannot be realised, so there is nothing to trace: " + point.reason());
  if (outputs.replication >= point.plan.replications)
    throw InputError("--trace-replication " + std::to_string(outputs.replication) + ": there are replications 0 to " +
                     std::to_string(point.plan.replications - 1));
  require_memory(recorded_bytes(*point.scenario()), "the record of a replication, for --trace, --gantt and --waits,");
  return point;
}

void write_replication(Session& session, const Experiment& experiment, const Point& point, const PointOutcome& outcome,
                       const ReplicationOutputs& outputs, bool quiet) {
  if (!outcome.failure.empty())
    throw RunError("there is no trace or chart, since the point could not be completed: " + outcome.failure);
  const Timeline timeline = record_timeline(outcome.engine, *point.scenario(), outputs.replication);
  warn(outcome, outputs, timeline.workstations.size());
  if (!outputs.trace.empty())
    write_and_tell(session, 
        outputs.trace, [&](std::ostream& out) { write_timeline_csv(timeline, out); }, "trace", quiet);
  write_waits_where_wanted(session, timeline, *point.scenario(), outputs, quiet);
  if (outputs.gantt.empty()) return;
  const auto link = busiest_shared_link(timeline, *point.scenario()->platform);
  write_and_tell(session, outputs.gantt, draw_picture(gantt_script(timeline, link, title_with(outputs.changes, experiment.title), outputs.format, point.plan.start)), "Gantt chart", quiet);
}

}  // namespace nowsim

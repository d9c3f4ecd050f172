// The flags that have one replication recorded: its trace as CSV, its Gantt chart as a picture, where its time went.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiments/driver/pictures/gantt.hpp"
#include "experiments/driver/running/runner.hpp"
#include "experiments/driver/text/document.hpp"
#include "tools/line/common_flags.hpp"

namespace nowsim {

/// What is wanted of which replication.
struct ReplicationOutputs {
  std::uint64_t replication = 0;
  std::string trace;                          ///< a CSV file; "": none
  std::string gantt;                          ///< a picture; "": none
  PictureFormat format = PictureFormat::svg;  ///< of that
  std::string waits;                          ///< a CSV or JSON file, "-": standard output; "": none
  Format waits_format = Format::table;        ///< of that
  std::vector<std::string> changes;           ///< by flags, of the experiment

  [[nodiscard]] bool any() const { return !trace.empty() || !gantt.empty() || !waits.empty(); }
  /// On standard output programs read one document: what is said of the replication, in place of the estimates.
  [[nodiscard]] bool replaces_estimates() const { return waits == "-" && waits_format != Format::table; }
};

/// The flags --trace, --gantt, --waits and --trace-replication.
void add_replication_flags(Flags& flags);
/// Reads them; `format` is that of standard output. @throws UsageError for a file's ending, or a replication, that
/// cannot be, and for a CSV file in the place of one that is no such file of nowsim's; InputError for a file that cannot
/// be written where it shall be; RunError where gnuplot, which draws charts, is missing.
ReplicationOutputs replication_outputs(const Arguments& arguments, Format format);
/// The one point that is to be recorded. @throws InputError where there are several, or none that can be realised, or
/// it has no such replication.
const Point& point_to_record(const Experiment& experiment, const ReplicationOutputs& outputs);
/// Runs the replication on the engine that ran the point, and writes the files. A file that is there and is not the
/// same is kept as NAME.~1~; the error stream says so, and unless quiet what was written. A warning where the
/// replication is none of the estimates', or not all workstations are drawn.
/// @throws RunError.
void write_replication(Session& session, const Experiment& experiment, const Point& point, const PointOutcome& outcome,
                       const ReplicationOutputs& outputs, bool quiet);

}  // namespace nowsim

// `nowsim trace record`: this machine's availability, row by row until the time is over or a signal comes.
#include <time.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <ostream>

#include "experiments/driver/studies/machine_measurement.hpp"
#include "experiments/driver/text/output_file.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/error.hpp"
#include "sim/base/user_file.hpp"
#include "sim/owners/load_table.hpp"
#include "tools/commands/trace_command.hpp"
#include "tools/running/output_files.hpp"
#include "tools/terminal/interruption.hpp"
#include "tools/terminal/parting.hpp"
#include "tools/terminal/progress_line.hpp"

namespace nowsim {
namespace {

double boot_time_s() {
  timespec t{};
  clock_gettime(CLOCK_BOOTTIME, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// The machine that this runs on. Its clock is CLOCK_BOOTTIME, which goes on while the machine is suspended and is
/// never set, from the civil time when the recording began.
class ThisMachine final : public RecordedMachine {
 public:
  ThisMachine(std::string stat_file, std::string job) : stat_file_(std::move(stat_file)), job_(std::move(job)) {
    using namespace std::chrono;
    offset_s_ = duration<double>(system_clock::now().time_since_epoch()).count() - boot_time_s();
  }
  double now_s() const override { return boot_time_s() + offset_s_; }
  void sleep_until(double moment_s) override {
    const double t = moment_s - offset_s_;
    const timespec until{static_cast<time_t>(std::floor(t)), static_cast<long>(1e9 * (t - std::floor(t)))};
    // A signal that comes just before the call is seen a look later, a second at most.
    if (!is_stopped()) clock_nanosleep(CLOCK_BOOTTIME, TIMER_ABSTIME, &until, nullptr);
  }
  ProcStat look() override {
    ProcStat stat = parse_proc_stat(read_user_file(stat_file_, kMostDataBytes), stat_file_);
    if (!job_.empty()) add_job(stat);
    return stat;
  }
  bool is_stopped() const override { return interruption_requested() || has_job_ended_; }
  [[nodiscard]] bool has_job_ended() const { return has_job_ended_; }

 private:
  /// @throws InputError where there is no such process at the first look; later it has ended.
  void add_job(ProcStat& stat) {
    namespace fs = std::filesystem;
    const fs::path threads = fs::path("/proc") / job_ / "task";
    std::error_code error;
    for (fs::directory_iterator at(threads, error), end; !error && at != end; at.increment(error)) try {
        const std::string file = at->path() / "schedstat";
        stat.job[at->path().filename()] = parse_schedstat(read_user_file(file, kMostDataBytes), file);
      } catch (const InputError&) {
        if (fs::exists(at->path())) throw;  // it has ended meanwhile
      }
    if (stat.job.empty() && !was_job_seen_)
      throw InputError("--job " + job_ + ": there is no such process, or its times cannot be read");
    was_job_seen_ = true;
    has_job_ended_ = stat.job.empty() || is_zombie();
  }
  /// It has ended, and nobody has asked how. The state stands behind the name, which may hold anything (proc(5)).
  [[nodiscard]] bool is_zombie() const try {
    const std::string text = read_user_file("/proc/" + job_ + "/stat", kMostDataBytes);
    const std::size_t name_end = text.rfind(") ");
    return name_end != text.npos && text[name_end + 2] == 'Z';
  } catch (const InputError&) {
    return true;
  }

  std::string stat_file_, job_;
  bool was_job_seen_ = false, has_job_ended_ = false;
  double offset_s_;
};

constexpr double kLeastInterval_s = 0.1;  // ten ticks of the kernel's counters
// Stamps far beyond any recording overflow the calendar; a row a day is the coarsest that shows any load.
constexpr double kDay_s = 86400, kTenYears_s = 3650 * kDay_s;

RecordingPlan plan_of(const Arguments& arguments) {
  RecordingPlan plan;
  plan.interval_s = *arguments.quantity("interval");
  plan.duration_s = arguments.quantity("duration");
  if (plan.duration_s && *plan.duration_s < plan.interval_s)
    throw UsageError(flag_place("duration", arguments.text("duration")) + ": it must be at least " +
                     format_quantity(plan.interval_s, Dimension::time));
  return plan;
}

/// A file that is continued has to end before now, or its stamps would not be in order.
void check_order(const std::string& file, double now_s) {
  const std::string text = read_user_file(file, kMostDataBytes);
  if (std::count(text.begin(), text.end(), '\n') < 3) return;  // fewer than two rows
  const LoadSeries trace = LoadTable(text, file, {.column = "availability", .measure = LoadMeasure::availability}).series();
  if (static_cast<double>(trace.first.whole_s) + trace.first.rest_s + trace.clock_s().back() >= now_s)
    throw InputError({file, 0, ""}, "its last stamp lies in the future, so that it cannot be continued now.");
}

/// What is recorded so far, and how long it still takes where that is known.
std::string progress_text(std::size_t rows, const std::string& row, const RecordingPlan& plan) {
  std::string text = std::to_string(rows) + (rows == 1 ? " row" : " rows") + ", the last: " + row;
  const double left_s = plan.duration_s.value_or(0) - static_cast<double>(rows) * plan.interval_s;
  return left_s > 0 ? text + ", about " + time_left_text(left_s) + " left" : text;
}

void add_trace_record_flags(Flags& flags) {
  flags.add(
      {{"interval,i", quantity(Dimension::time, {kLeastInterval_s, kDay_s}).or_else("10s"), "how long each row's interval is"},
       {"duration,d", quantity(Dimension::time, {0, kTenYears_s, true}), "how long to record; by default until Ctrl-C"},
       {"append,a", kSwitch, "go on with a file that is there; else it is kept as FILE.~1~"},
       {"job", whole(1).called("PID"),
        "the process of a job of your own that computes meanwhile: what owners leave is what it gets; ends with it"},
       {"proc-stat", taking(Kind::file).or_else("/proc/stat"), "read another file in place of /proc/stat"},
       {"quiet,q", kSwitch, "nothing on the error stream"}});
}

int do_trace_record(const Arguments& arguments, Session& session) {
  const RecordingPlan plan = plan_of(arguments);
  const std::string& path = arguments.words.front();
  const InterruptionWatch watch;
  const auto job = arguments.whole("job");
  ThisMachine machine(arguments.text("proc-stat"), job ? std::to_string(*job) : "");
  (void)machine.look();  // what cannot be read is said before any file is touched
  AppendedFile file(path, kRecordedColumns, arguments.has("append"));
  check_order(path, machine.now_s());
  const bool is_quiet = arguments.has("quiet");
  if (!is_quiet) tell_kept(session, path, file.kept());
  std::size_t rows = 0;
  {
    // Elsewhere the rows themselves tell how far it is.
    StageLine line(is_quiet || !error_stream_output().renews);
    record_trace(machine, plan, [&](const std::string& row) {
      file.add_line(row);
      line.show(progress_text(++rows, row, plan));
    });
  }
  if (!is_quiet && machine.has_job_ended()) session.error << "note: the job has ended\n";
  const std::string recorded = std::to_string(rows) + (rows == 1 ? " row" : " rows") + " recorded: " + path;
  if (interruption_requested()) {
    if (is_quiet) return watch.exit_status();
    const bool appends = arguments.has("append");
    throw Stopped(recorded, watch.exit_status(), true, appends ? std::vector<std::string>{} : std::vector<std::string>{"--append"});
  }
  if (!is_quiet) session.error << recorded << '\n';
  return 0;
}

}  // namespace

Command trace_record() {
  return {.name = "record",
          .summary = "measure what this machine has left for a task",
          .places = Places{{.kinds = {{Kind::file, {".csv"}}}}},
          .main = {"interval", "duration", "append", "job"},
          .add_flags = add_trace_record_flags,
          .run = do_trace_record,
          .of = "trace"};
}

}  // namespace nowsim

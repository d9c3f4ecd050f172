// `nowsim trace speed`: how fast a core of this machine is, as a line to paste.
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <ostream>

#include "experiments/driver/running/runner.hpp"
#include "experiments/driver/studies/machine_measurement.hpp"
#include "experiments/driver/text/user_cache.hpp"
#include "sim/base/user_file.hpp"
#include "sim/owners/load_series.hpp"
#include "tools/commands/trace_command.hpp"
#include "tools/terminal/interruption.hpp"

namespace nowsim {
namespace {

double clock_s(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// The core that this thread is on.
class ThisCore final : public MeasuredCore {
 public:
  double now_s() const override { return clock_s(CLOCK_MONOTONIC); }
  double own_s() const override { return clock_s(CLOCK_THREAD_CPUTIME_ID); }
  ProcStat look() override {
    ProcStat stat = parse_proc_stat(read_user_file("/proc/stat", kMostDataBytes), "/proc/stat");
    const std::string own = std::to_string(syscall(SYS_gettid)), file = "/proc/self/task/" + own + "/schedstat";
    try {
      stat.job[own] = parse_schedstat(read_user_file(file, kMostDataBytes), file);
    } catch (const InputError&) {  // a kernel without it: of waiting nothing is known
      stat.job[own] = {own_s(), 0};
    }
    return stat;
  }
  bool is_stopped() const override { return interruption_requested(); }
};

constexpr const char* kKindOfFlop =
    "double-precision sums and products of a dense matrix product of order 128, which a core's own cache holds; "
    "compiled "
    "C++ without instructions of newer processors";

void write_text(const MachineSpeed& speed, const std::string& kept, std::ostream& out) {
  const auto told = [](double flops) { return format_quantity(flops, Dimension::speed); };
  out << told(speed.median_flops()) << " of one core: the median of " << speed.repeats_flops.size() << " repeats in "
      << format_quantity(speed.passed_s, Dimension::time) << ", half of them from " << told(speed.part_flops(0.25))
      << " to " << told(speed.part_flops(0.75)) << ", all from " << told(speed.part_flops(0)) << " to "
      << told(speed.part_flops(1)) << "\n  (" << kKindOfFlop << ")\n\n";
  const std::string text = speed_text(speed.median_flops());
  out << "an experiment:    platform: {speed: " << text << "}\n"
      << "a platform file:  <host id=\"...\" speed=\"" << text << "\"/>\n"
      << "a plan:           nowsim plan --machines 4 --speed " << text << " --work 10h\n\n";
  out << "A program of your own may be several times slower, or faster: what it takes alone on this machine is its "
         "work\n"
         "in machine-hours, --work '40 machine-hours', whatever speed the machine is said to have.\n";
  for (const auto& sentence : speed.disturbances()) out << "warning: " << sentence << '\n';
  if (kept.empty() && !speed.disturbances().empty())
    out << "The machine was not alone with this: nothing is kept of it; measure again when it is idle.\n";
  else if (!kept.empty())
    out << "kept for 'nowsim plan --machines': " << kept << '\n';
}

Fields speed_fields(const MachineSpeed& speed, const std::string& kept) {
  return {{"speed_flops", speed.median_flops()},
          {"least_flops", speed.part_flops(0)},
          {"quarter_flops", speed.part_flops(0.25)},
          {"three_quarters_flops", speed.part_flops(0.75)},
          {"most_flops", speed.part_flops(1)},
          {"repeats", std::uint64_t{speed.repeats_flops.size()}},
          {"duration_s", speed.passed_s},
          {"waited", speed.waited},
          {"other_cores", speed.other_cores},
          {"cores", std::uint64_t(speed.cores)},
          {"is_disturbed", !speed.disturbances().empty()},
          {"kernel", std::string(kKindOfFlop)},
          {"processor", processor_name()},
          {"kept", kept},
          {"version", std::string(version())}};
}

/// Where it is kept; "" where it is not, since others were there, or it cannot.
std::string keep(const MachineSpeed& speed) {
  if (!speed.disturbances().empty()) return "";
  const std::string stamp = stamp_text({StampKind::utc, static_cast<std::int64_t>(clock_s(CLOCK_REALTIME))});
  constexpr std::size_t kDay = 10;
  return record_speed({speed.median_flops(), stamp.substr(0, kDay)}) ? speed_file() : "";
}

void add_trace_speed_flags(Flags& flags) {
  flags.add(
      {{"duration,d", quantity(Dimension::time, {1, 3600}).or_else("5s"), "how long to measure; repeats take 0.2 s each"}});
  add_format_flag(flags);
}

int do_trace_speed(const Arguments& arguments, Session& session) {
  const Format format = format_of(arguments);
  SpeedPlan plan;
  plan.duration_s = *arguments.quantity("duration");
  const InterruptionWatch watch;
  MachineSpeed speed;
  try {
    ThisCore core;
    DenseProduct product;
    speed = measure_speed(core, plan, [&] { return product.run(); });
  } catch (const Interrupted&) {
    return watch.exit_status();
  }
  const std::string kept = keep(speed);
  const Fields fields = speed_fields(speed, kept);
  const List rows{1, [&](std::size_t) -> Value { return Object{fields}; }};
  write_document({[&](std::ostream& out) { write_text(speed, kept, out); }, fields, rows, Object{fields}},
                 format, session.out);
  return 0;
}

}  // namespace

Command trace_speed() {
  return {.name = "speed",
          .summary = "how fast a core of this machine computes",
          .main = {"duration", "format"},
          .add_flags = add_trace_speed_flags,
          .run = do_trace_speed,
          .of = "trace"};
}

}  // namespace nowsim

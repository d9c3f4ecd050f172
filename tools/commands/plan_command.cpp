// `nowsim plan`: a job with a deadline on a platform's machines: how to split it, how sure the deadline is.
#include <algorithm>
#include <chrono>
#include <functional>
#include <ostream>
#include <optional>
#include <utility>

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/reading/machine_time.hpp"
#include "experiments/driver/reading/settings.hpp"
#include "experiments/driver/running/result_table.hpp"
#include "experiments/driver/studies/machine_choice.hpp"
#include "experiments/driver/studies/machine_measurement.hpp"
#include "experiments/driver/studies/plan_files.hpp"
#include "experiments/driver/studies/plan_report.hpp"
#include "experiments/driver/studies/plan_request.hpp"
#include "experiments/driver/text/duration_text.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/splitting/policies.hpp"
#include "tools/commands/plan_steps.hpp"
#include "tools/line/common_flags.hpp"
#include "tools/running/output_files.hpp"
#include "tools/running/prepare.hpp"
#include "tools/running/store_session.hpp"
#include "tools/shipped/shipped_platforms.hpp"
#include "tools/terminal/interruption.hpp"
#include "tools/terminal/progress_line.hpp"

namespace nowsim {

namespace {

using SteadyClock = std::chrono::steady_clock;
using SteadyMoment = SteadyClock::time_point;

double seconds_since(SteadyMoment start) { return std::chrono::duration<double>(SteadyClock::now() - start).count(); }

constexpr const char* kPlanName = "plan";  // of its experiment in a store
constexpr const char* kPlanUsage =
    "nowsim plan PLATFORM|--machines N --work WORK|--mpi TRACE [--deadline TIME] [--risk SHARE] [flags]";
constexpr const char* kMoreOnPlans =
    "\nWork, times and shares carry units: 3.6e15 or 3.6Pf, 2h or 90min, 5%. Work may be told as the time that it\n"
    "takes one machine whose owner leaves it alone: 10h, '40 machine-hours'; where machines differ in speed, of which,\n"
    "or at what speed: '10h of desk1', '40 machine-hours at 2.5Gf'. Exit status: 0 however likely the deadline is\n"
    "missed, 1 a simulation failed or --at-most was over, 2 bad usage or bad input.\n";

// ---- the question --------------------------------------------------------------------------------------------------

void add_plan_flags(Flags& flags) {
  flags.add(
      {{"work", taking(Kind::quantity).called("WORK"),
        "the job's work, such as 3.6Pf (flop), or as time on a machine: 10h, '40 machine-hours'"},
       {"machines", whole(1), "so many equal machines, in place of a platform's file"},
       {"speed", quantity(Dimension::speed),
        "with --machines: of each, such as 2.5Gf; by default what 'nowsim trace speed' measured of this machine"}});
  add_clock_flags(flags);
  flags.add(
      {{"risk", quantity(Dimension::fraction),
        "the probability of being late that is bearable, such as 5%: gives the earliest deadline and the most work"},
       {"policies", taking(Kind::names, {"policies"}),
        "names with commas between, instead of all that need no parameters"},
       {"phases", whole(1), "the job synchronises after each of so many phases"},
       {"bytes", quantity(Dimension::bytes), "what each machine moves over its own path in each phase, such as 4MB"},
       {"network", taking(Kind::text).called("KIND:BANDWIDTH[,LATENCY]"),
        "between machines that have none, such as star:1Gbps,50us; or bus, links (platform.network)"},
       {"subset", kSwitch, "also ask how many and which machines to use"},
       {"picture", picture_file(), "how likely each policy takes longer than a time"},
       {"owner", taking(Kind::file, {".yaml"}), "an owner block, in place of the platform's own owners"},
       {"exact", kSwitch, "simulate all intervals of owners, also where they are far shorter than the job"},
       {"at-most", quantity(Dimension::time).or_else("10min"),
        "how long the answer may take: by fewer replications where that is enough, else it is refused, or ended"}});
  flags.add(
      {{"out,o", taking(Kind::folder),
        "the folder of a store: the policies' replications are kept there and taken from there, and no time is set"}});
  add_file_flags(flags);
  add_bag_flags(flags);
  add_mpi_flags(flags);
  add_shard_flags(flags, "DIR/shards");
  add_replay_flags(flags);
  add_progress_flags(flags);
  add_experiment_flags(flags);
  add_jobs_flag(flags);
  add_output_flags(flags);
}

std::optional<double> risk_of(const Arguments& arguments) {
  const auto risk = arguments.quantity("risk");
  if (risk && *risk >= 1)
    throw UsageError(flag_place("risk", arguments.text("risk")) +
                     ": it must be less than 1, such as 5%, the probability of being late that you can bear");
  return risk;
}

std::optional<std::int64_t> phases_of(const Arguments& arguments) {
  const auto phases = arguments.whole("phases");
  return phases ? std::optional(static_cast<std::int64_t>(*phases)) : std::nullopt;
}

std::optional<AskedNetwork> network_of(const Arguments& arguments) {
  const auto text = arguments.text_or_none("network");
  if (!text) return std::nullopt;
  try {
    return asked_network(*text);
  } catch (const InputError& e) {
    throw UsageError(flag_place("network", *text) + ": " + e.what());
  }
}

/// "equal,proportional". @throws UsageError for names that are none, or named twice.
std::vector<std::string> policies_of(const Arguments& arguments, const Registry<Policy>& policies) {
  const auto names = arguments.names("policies");
  if (names.empty()) return default_policies(policies);
  for (const auto& name : names) {
    if (policies.find(name) != nullptr) continue;
    const std::string near = did_you_mean(name, words_in(policies));
    throw UsageError(flag_place("policies", arguments.text("policies")) + ": there is no policy " + quoted(name) +
                     (near.empty() ? "; 'nowsim list policies' names them" : near));
  }
  return names;
}

std::string work_of(const Arguments& arguments) {
  const auto work = arguments.text_or_none("work");
  if (!work)
    throw UsageError("--work is missing: how much there is to do, such as --work 3.6Pf or --work '40 machine-hours'; or "
                     "which recorded MPI program, --mpi TRACE ('nowsim help plan')");
  return *work;
}

/// @throws UsageError where it begins as one.
bool is_machine_time(const std::string& work) {
  try {
    return machine_time_of(work).has_value();
  } catch (const InputError& e) {
    throw UsageError(flag_place("work", work) + ": " + e.what());
  }
}

void check_is_some_work(double work_flop, const std::string& work) {
  if (!(work_flop > 0)) throw UsageError(flag_place("work", work) + ": it must be more than 0");
}

double work_in_flop(const std::string& work) {
  try {
    const double work_flop = parse_quantity(work, Dimension::work);
    check_is_some_work(work_flop, work);
    return work_flop;
  } catch (const InputError& e) {
    throw UsageError(flag_place("work", work) + ": " + e.what() +
                     ", or a time on a machine, such as '40 machine-hours' or 40h");
  }
}

/// The speed of equal machines. It makes no difference to work that is told as time on one.
double speed_of_machines(Session& session, const Arguments& arguments, bool is_work_time) {
  if (const auto given = arguments.quantity("speed")) return *given;
  if (const auto measured = recorded_speed()) {
    session.error << "remark: machines as fast as this one, of " << format_quantity(measured->flops, Dimension::speed)
              << ", as 'nowsim trace speed' measured it on " << measured->day << '\n';
    return measured->flops;
  }
  if (!is_work_time)
    throw UsageError(
        "--machines: how fast they are, by --speed 2.5Gf; 'nowsim trace speed' measures this machine's; or say the work "
        "as time on one of them, --work 10h");
  constexpr double kAny = 1e9;
  return kAny;
}

/// A platform's file, or equal machines. @throws UsageError for neither, or both.
void read_machines(Session& session, const Arguments& arguments, bool is_work_time, PlanRequest& request) {
  const auto machines = arguments.whole("machines");
  if (machines.has_value() == !arguments.words.empty())
    throw UsageError(machines ? "either a platform's file or --machines says which machines, not both"
                              : std::string("a platform's file is wanted, or so many equal machines by --machines 4; "
                                            "usage: ") + kPlanUsage);
  if (!machines && arguments.has("speed"))
    throw UsageError("--speed is for --machines; a platform's file says how fast its machines are");
  if (!machines) {
    refuse_no_platform(arguments.words.front());
    return static_cast<void>(request.platform_file = arguments.words.front());
  }
  request.machines = *machines;
  request.speed_flops = speed_of_machines(session, arguments, is_work_time);
}

/// Equal machines come without owners.
void remark_on_owners(Session& session, const PlanRequest& request) {
  const auto is_of_owner = [](const std::string& text) { return parse_override(text).key.starts_with("owner"); };
  if (request.platform_file.empty() && request.owner_file.empty() &&
      std::ranges::none_of(request.options.overrides, is_of_owner))
    session.error
        << "remark: nothing is said of the machines' owners: they are all the job's; '--owner FILE.yaml', or "
           "'--set owner.model=intervals --set owner.TH=0.3 --set owner.interval=45min' describe some, who change what "
           "they leave every three quarters of an hour, which is a guess at how people come and go; the answer hangs "
           "on how often\n";
}

/// The question; its platform is the first word. @throws UsageError naming the flag.
PlanRequest plan_request(const Arguments& arguments, Session& session) {
  PlanRequest request;
  request.mpi = mpi_job(arguments);
  const std::string work = request.mpi ? "" : work_of(arguments);
  const bool is_work_time = !request.mpi && is_machine_time(work);
  if (!is_work_time && !request.mpi) request.work_flop = work_in_flop(work);  // its problems come before those of machines
  read_machines(session, arguments, is_work_time, request);
  request.clock = clock_of(arguments, session);
  request.deadline_s = deadline_of(arguments, session, request.clock);
  request.is_deadline_by_clock = is_about_clock(arguments.text("deadline"));
  request.risk = risk_of(arguments);
  if (!request.mpi) request.policies = policies_of(arguments, session.known.policies);
  request.bag = task_bag(arguments, session.known.techniques);
  request.phases = phases_of(arguments);
  request.phase_bytes = arguments.quantity("bytes");
  request.network = network_of(arguments);
  request.is_exact = arguments.has("exact");
  request.owner_file = arguments.text("owner");
  request.options = load_options(arguments);
  remark_on_owners(session, request);
  if (is_work_time) {
    request.work_text = work;
    request.work_time_s = machine_time_of(work)->time_s;
    request.work_flop = planned_work(request, work, session.known);
    check_is_some_work(request.work_flop, work);
  }
  return request;
}

/// The time that is left of a stage that is expected to take so long; nothing of a short one, and where it takes longer.
class StageTime {
 public:
  explicit StageTime(double expected_s) : expected_s_(expected_s) {}
  [[nodiscard]] std::string text() const {
    const double left_s = expected_s_ - seconds_since(start_);
    constexpr double kShort_s = 1;
    return left_s > kShort_s ? ", about " + rough_duration(left_s) + " left" : "";
  }

 private:
  double expected_s_;
  SteadyMoment start_ = SteadyClock::now();
};

/// Limits, advice and machines; a part that fails, or is not done when the answer is due, costs only itself. Returns
/// whether all is there.
bool find_the_rest(Session& session, bool with_subset, const std::vector<FittedHost>& recorded, const OutputFlags& how,
                   double limits_s, const std::function<bool()>& is_over, PlanReport& report) {
  bool is_whole = true;
  StageLine stage(how.quiet);
  StageTime time(limits_s);
  const auto say = [&](const std::string& what) {
    if (interruption_requested()) throw Interrupted();
    if (is_over()) throw RunError("the time that --at-most gives is over, " + what + "; the rest is told");
    stage.show(what + time.text());
  };
  const StudyManner manner{how.jobs, say, nullptr, [&stage](const Progress&) { stage.go_on(); }};
  const auto try_part = [&](const std::function<void()>& part) {
    try {
      part();
    } catch (const RunError& e) {
      stage.clear();
      session.error << "error: " << e.what() << '\n';
      is_whole = false;
    }
  };
  try_part([&] { find_work_limits(report.plans, report.request, session.known, manner); });
  report.advice = advise(report.plans, report.request);
  if (report.advice.best)
    try_part([&] {
      report.by_interval = try_intervals(report.plans[*report.advice.best], report.request, session.known, manner);
    });
  if (!recorded.empty() && report.advice.best)
    try_part([&] {
      try {
        report.replay = replay_check(recorded, report.plans[*report.advice.best], report.request, manner);
      } catch (const InputError& e) {  // what is planned is told all the same
        throw RunError(e.sentence());
      }
    });
  if (with_subset && report.advice.best) try_part([&] {
      report.machines = choose_machines(report.plans, report.advice, report.request, session.known, manner);
    });
  if (report.items > 0 && report.advice.best) try_part([&] {
      report.in_items = in_whole_items(*report.advised(), report.request, report.items, report.confidence_of_advised(), manner);
    });
  return is_whole;
}

/// The request's experiment, with as many replications as there is time for.
Experiment in_time(PlanRequest& request, bool is_under_way, bool are_policies_asked, const TimeGiven& given,
                   Session& session) {
  Experiment described = planned_experiment(request, are_policies_asked, session);
  if (!are_policies_asked && leave_out_long_searches(session, request, described, given, session.known.policies))
    described = plan_experiment(request, session.known);
  const PlanRequest timed = is_under_way ? without_risk(request) : request;
  const std::uint64_t fit = replications_given(session, described, timed, given);
  if (fit == plan_time(described, timed, given.jobs).replications) return described;
  request.options.overrides.push_back("run.replications=" + std::to_string(fit));
  return plan_experiment(request, session.known);
}

/// Where its policies' replications are kept, and by whom they are simulated.
struct PlanStore {
  std::string folder;  ///< "": nowhere
  ShardRequest shards;
};

PlanStore plan_store(const Arguments& arguments) {
  const std::string folder = arguments.text("out");
  return {folder, shard_request(arguments, folder)};
}

/// `store` may be null.
int answer_plan(const Arguments& arguments, Session& session, const PlanStore& kept, BatchStore* store) {
  const SteadyMoment begin = SteadyClock::now();
  const OutputFlags how = output_flags(arguments);
  PlanReport report;
  report.request = plan_request(arguments, session);
  const auto said = progress_request(arguments, session, report.request.clock);
  const PlanFiles files = plan_files(arguments);
  report.items = files.items;
  const PictureFile picture = picture_flag(arguments, "picture");
  const bool with_subset = arguments.has("subset");
  const std::vector<FittedHost> recorded = replay_hosts(arguments);
  const bool is_timed = kept.folder.empty() || arguments.has("at-most");  // what is kept can go on
  const TimeGiven given{is_timed ? *arguments.quantity("at-most") : kInfinity, how.jobs,
                        asks_for_replications(report.request.options)};
  const std::function<bool()> is_over = due_after(given.most_s);
  const Experiment described =
      in_time(report.request, said.has_value(), arguments.has("policies"), given, session);
  if (with_subset) check_machine_choice(described, session.known.policies);
  try_plan_files(files, described, report.request);
  print_remarks(described);
  if (const auto& shard = kept.shards.shard)
    return run_shard_and_tell(session, {described, kPlanName, kept.folder, how.jobs, how.quiet, kept.shards.publish_every_s},
                              shard->first, shard->second);
  const Experiment ready = ready_to_run(described, store, how.jobs, how.quiet, is_over);
  const PlanTime expected = plan_time(ready, said ? without_risk(report.request) : report.request, how.jobs);
  const SteadyMoment start = SteadyClock::now();
  const auto outcomes = simulated(ready, how, is_over, store);
  // Estimates are off by a factor that the limits share with the runs.
  const double runs_s = expected.whole_s - expected.limits_s, factor = runs_s > 0 ? seconds_since(start) / runs_s : 1;
  report.summary = summarise(ready, outcomes);
  if (report.request.bag) report.tasks = take_tasks_done(report.request, ready, report.summary);
  report.plans = alternatives(report.summary, ready, outcomes, report.request);
  const auto planned = std::ranges::find_if(report.plans, [](const Alternative& p) { return p.scenario != nullptr; });
  if (planned != report.plans.end()) report.begun = begun_scenario(report.request, *planned->scenario, session.known);
  if (said) {
    const TimeGiven left{given.most_s - seconds_since(begin), given.jobs, given.replications_were_asked};
    return answer_under_way(report, *said, {how, picture, left, is_over}, session);
  }
  const bool is_whole = find_the_rest(session, with_subset, recorded, how, factor * expected.limits_s, is_over, report);
  const int status = tell_answer(session, plan_answer(report), how, picture);
  write_split(session, files, report, how.quiet);
  return is_whole ? status : 1;
}

/// With a folder, its replications are taken from there and kept.
int do_plan(const Arguments& arguments, Session& session) {
  const auto answer = [&](const PlanStore& kept, BatchStore* store) {
    return asks_for_start(arguments) ? answer_start_plan(plan_request(arguments, session), arguments, session, store)
                                     : answer_plan(arguments, session, kept, store);
  };
  if (arguments.has("mpi") && !asks_for_start(arguments)) return answer_mpi_plan(plan_request(arguments, session), arguments, session);
  const PlanStore kept = plan_store(arguments);
  if (kept.folder.empty() || kept.shards.shard) return answer(kept, nullptr);
  return run_into_store(kept.folder, [&] {
    StoreSession stored(kept.folder);
    report_taken_in(session, stored, arguments.has("quiet"));
    return answer(kept, &stored.store());
  });
}

}  // namespace

Command plan_command() {
  return {.name = "plan",
          .summary = "a job with a deadline: how to split it, how sure to be; what to do when it is under way",
          .usage = kPlanUsage,
          .places = Places{{.kinds = {Kind::platform}, .least = 0}},
          .add_flags = add_plan_flags,
          .run = do_plan,
          .more = kMoreOnPlans,
          .page = "plan"};
}

}  // namespace nowsim

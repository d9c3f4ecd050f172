// The flags of a recorded program's plan, and its steps within the time that there is.
#include "tools/commands/plan_steps.hpp"

#include <algorithm>
#include <chrono>
#include <ostream>
#include <utility>

#include "experiments/driver/running/runner.hpp"
#include "experiments/driver/studies/placement_choice.hpp"
#include "experiments/driver/text/duration_text.hpp"
#include "sim/base/error.hpp"
#include "tools/running/output_files.hpp"
#include "tools/terminal/interruption.hpp"
#include "tools/terminal/progress_line.hpp"

namespace nowsim {

namespace {

constexpr const char *kTraceSaysWork = "the trace says how much there is to do; --scale 2 has all ranks compute twice as much",
                     *kNothingIsSplit = "the trace says which rank does what, and nothing is split",
                     *kTraceSaysMessages = "the trace says when ranks exchange messages, and how long these are",
                     *kNotUnderWay = "what is left of a recorded program that is under way is not known",
                     *kNothingIsKept = "what the search for a placement simulates is not kept";
constexpr RefusedFlag kNotOfPrograms[] = {
    {"work", kTraceSaysWork},       {"policies", kNothingIsSplit},  {"phases", kTraceSaysMessages},
    {"bytes", kTraceSaysMessages},  {"subset", "machines are chosen in any case"},
    {"elapsed", kNotUnderWay},      {"started", kNotUnderWay},      {"done", kNotUnderWay},
    {"done-file", kNotUnderWay},    {"seen", kNotUnderWay},         {"moving", kNotUnderWay},
    {"out", kNothingIsKept},        {"shard", kNothingIsKept},      {"tasks", kNothingIsSplit},
    {"technique", kNothingIsSplit}, {"dispatch", kNothingIsSplit}};

/// The experiment's only point, with a fixed number of replications. @throws InputError where there is none to run.
const Point& point_to_place(const Experiment& described) {
  const Point& point = described.points.front();
  if (point.as<ReadyPoint>() == nullptr) throw InputError(point.reason());
  if (point.plan.may_stop())
    throw UsageError("--mpi compares placements on as many replications each: say how many by --replications");
  return point;
}

void say_fewer(Session& session, std::uint64_t replications, std::uint64_t than, const TimeGiven& given) {
  if (replications < than)
    session.error << "remark: " << replications << " replications, not " << than << ", which would take longer than the "
              << rough_duration(given.most_s) << " that --at-most gives\n";
}

/// Fewer replications where there is no time for as many, which is said.
PlacementTrials trials_for(Session& session, const Point& point, const TimeGiven& given) {
  const PlacementTrials trials = trials_in_time(estimated_replication_s(point, given.jobs), point.plan.replications,
                                                given.most_s, given.replications_were_asked);
  say_fewer(session, trials.replications, point.plan.replications, given);
  return trials;
}

/// Of each placement, by how long those of the search took.
std::uint64_t replications_measured(Session& session, const FoundPlacements& found, std::uint64_t wanted, double searched_s,
                                    const TimeGiven& given) {
  if (given.replications_were_asked) return wanted;
  const double each_s = searched_s / static_cast<double>(std::max<std::uint64_t>(1, found.replications));
  constexpr double kMargin = 0.8;
  const std::uint64_t fit = replications_that_fit(
      kMargin * (given.most_s - searched_s) / (each_s * static_cast<double>(found.best.size())), wanted);
  say_fewer(session, fit, wanted, given);
  return fit;
}

FoundPlacements searched(const Point& point, const PlacementField& field, const PlanRequest& request,
                         const PlacementTrials& trials, const TimeGiven& given, bool quiet) {
  StageLine stage(quiet);
  StudyManner manner{given.jobs, [&stage](const std::string& what) { stage.show(what); },
                      due_after(kShareOfSearch * given.most_s), [&stage](const Progress&) { stage.go_on(); }};
  FoundPlacements found = find_placements(point, field, request, trials, manner);
  if (interruption_requested()) throw Interrupted();
  return found;
}

}  // namespace

void add_mpi_flags(Flags& flags) {
  flags.add({{"mpi", taking(Kind::file).called("TRACE"),
              "in place of --work: a recorded MPI program ('nowsim trace mpi'): which rank on which machine"},
             {"scale", quantity(Dimension::number), "with --mpi: of all that its ranks compute, such as 2"},
             {"per-machine", whole(1),
              "with --mpi: the most ranks on a machine; by default as many as it has cores"},
             {"unpacked", quantity(Dimension::bytes),
              "with --mpi: the most that the trace's packed files may come to, such as 1GiB"}});
}

std::optional<MpiJob> mpi_job(const Arguments& arguments) {
  const auto trace = arguments.text_or_none("mpi");
  if (!trace) {
    for (const char* other : {"scale", "per-machine", "unpacked"})
      if (arguments.has(other))
        throw UsageError("--" + std::string(other) + " is said of a recorded MPI program: which one, by --mpi TRACE");
    return std::nullopt;
  }
  refuse_beside(arguments, "mpi", kNotOfPrograms);
  MpiJob job{*trace, 1, {}, 0};
  if (const auto scale = arguments.quantity("scale")) job.scale = *scale;
  if (const auto most = arguments.whole("per-machine")) job.most_per_machine = static_cast<std::int64_t>(*most);
  if (const auto most = arguments.quantity("unpacked"))
    job.most_unpacked = static_cast<std::uint64_t>(std::min(*most, kMostUnpacked));
  return job;
}

int answer_mpi_plan(const PlanRequest& request, const Arguments& arguments, Session& session) {
  const auto start = std::chrono::steady_clock::now();
  const OutputFlags how = output_flags(arguments);
  const PictureFile picture = picture_flag(arguments, "picture");
  const TimeGiven given{*arguments.quantity("at-most"), how.jobs,
                        asks_for_replications(request.options)};
  const auto is_over = due_after(given.most_s);
  const PlanFiles files = plan_files(arguments);
  const Experiment described = plan_experiment(request, session.known);
  try_plan_files(files, described, request);
  print_remarks(described);
  const Point& point = point_to_place(described);
  const auto recorded = MpiTrace::open(request.mpi->trace, request.mpi->most_unpacked);
  PlacementField field = placement_field(*point.scenario(), *recorded, request);
  const PlacementTrials trials = trials_for(session, point, given);
  FoundPlacements found = searched(point, field, request, trials, given, how.quiet);
  const double searched_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const Experiment measured = placements_experiment(
      described, found.best, replications_measured(session, found, trials.replications, searched_s, given));
  const auto outcomes = simulated(measured, how, is_over);
  PlacementReport report = placement_report(request, measured, outcomes, std::move(field), std::move(found));
  report.recording = recording_sentences(*recorded, request.mpi->trace);
  const int status = tell_answer(session, placement_answer(report), how, picture);
  write_placement(session, files, report, how.quiet);
  return status;
}

}  // namespace nowsim

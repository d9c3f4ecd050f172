// The flags of a job under way, and carrying out the question.
#include "tools/commands/plan_steps.hpp"

#include <ostream>
#include <utility>

#include "experiments/driver/studies/under_way.hpp"
#include "sim/base/error.hpp"
#include "tools/running/prepare.hpp"

namespace nowsim {

void add_progress_flags(Flags& flags) {
  flags.add(
      {{"elapsed", quantity(Dimension::time), "the job is under way: so long ago it began, such as 50min"},
       {"started", taking(Kind::text, {"18:00"}).called("MOMENT"),
        "in place of --elapsed: when it began by the clock, such as 18:00, or 'yesterday 22:30'"},
       {"done", quantity(Dimension::fraction, {0, 1}, ", such as 40%"), "with --elapsed: how much of the job is done, such as 40%"},
       {"done-file", taking(Kind::file, {".csv"}),
        "in place of --done: columns machine, done (40% or 4Tf), part (where it is not the plan's), seen"},
       {"seen",
        {.value = {Kind::file, {".csv"}}, .takes = Takes::words},
        "with --elapsed: recordings of owners just made, MACHINE.csv ...; what they leave now"},
       {"moving", quantity(Dimension::time, {0}), "with --elapsed: how long moving work takes, while nobody computes"}});
}

std::optional<ProgressRequest> progress_request(const Arguments& arguments, const Session& session,
                                                const std::optional<WallClock>& clock) {
  const auto elapsed_s = elapsed_of(arguments, session, clock);
  if (!elapsed_s) {
    for (const char* other : {"done", "done-file", "seen", "moving"})
      if (arguments.has(other))
        throw UsageError("--" + std::string(other) + " is said of a job that is under way: how long, by --elapsed 50min");
    return {};
  }
  if (arguments.has("subset"))
    throw UsageError("--subset is for plans; of a job under way all machines are tried to be given up or added");
  ProgressRequest said;
  said.elapsed_s = *elapsed_s;
  said.done_file = arguments.text("done-file");
  if ((arguments.has("done")) == !said.done_file.empty())
    throw UsageError("a job that is under way needs --done, such as 40%, or --done-file, by machine; and not both");
  said.done = arguments.quantity("done");
  said.seen_files = arguments.texts("seen");
  said.moving_s = arguments.quantity("moving").value_or(0);
  return said;
}

int answer_under_way(const PlanReport& planned, const ProgressRequest& said, const AnswerManner& manner,
                     Session& session) {
  UnderWayReport report;
  report.request = planned.request;
  report.said = said;
  const Advice advice = advise(planned.plans, planned.request);
  if (!advice.best) throw RunError("the plan could not be simulated, so nothing can be said of the job that is under way");
  report.planned = planned.plans[*advice.best];
  report.is_recommended = planned.plans.size() > 1;
  report.begun = begun_scenario(report.request, *report.planned.scenario, session.known);
  report.progress = job_progress(said, *report.begun);
  report.ways = ways_on(report.request, said, report.progress, report.planned, session.known);
  for (const auto& remark : report.progress.remarks) session.error << "remark: " << remark << '\n';
  const std::uint64_t fit = replications_given(session, report.ways.experiment, without_risk(report.ways.rest), manner.given);
  for (Point& point : report.ways.experiment.points) point.plan.replications = fit;
  const Experiment ready = ready_to_run(report.ways.experiment, nullptr, manner.how.jobs, manner.how.quiet, manner.is_over);
  const auto outcomes = simulated(ready, manner.how, manner.is_over);
  report.ways.experiment = ready;
  compare_ways(report.ways, outcomes, report.request, said);
  report.expected = expected_progress(*report.begun, report.progress);
  return tell_answer(session, under_way_answer(std::move(report)), manner.how, manner.picture);
}

}  // namespace nowsim

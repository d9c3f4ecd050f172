// The flags of a job under way, and carrying out the question.
#include "tools/commands/plan_steps.hpp"

#include <iostream>
#include <utility>

#include "experiments/driver/studies/under_way.hpp"
#include "sim/base/error.hpp"
#include "tools/running/prepare.hpp"

namespace nowsim {

void add_progress_flags(Flags& flags) {
  flags.add(
      {{"elapsed", taking(Kind::quantity), "the job is under way: so long ago it began, such as 50min"},
       {"done", taking(Kind::quantity), "with --elapsed: how much of the job is done, such as 40%"},
       {"done-file", taking(Kind::file, {".csv"}),
        "FILE.csv, in place of --done: columns machine, done (40% or 4Tf), part (where it is not the plan's), seen"},
       {"seen",
        {.value = {Kind::file, {".csv"}}, .takes = Takes::words},
        "with --elapsed: recordings of owners just made, MACHINE.csv ...; what they leave now"},
       {"moving", taking(Kind::quantity), "with --elapsed: how long moving work takes, while nobody computes"}});
}

std::optional<ProgressRequest> progress_request(const GivenFlags& flags) {
  const auto elapsed_s = positive_flag(flags, "elapsed", Dimension::time);
  if (!elapsed_s) {
    for (const char* other : {"done", "done-file", "seen", "moving"})
      if (flags.has(other))
        throw UsageError("--" + std::string(other) + " is said of a job that is under way: how long, by --elapsed 50min");
    return {};
  }
  if (flags.has("subset"))
    throw UsageError("--subset is for plans; of a job under way all machines are tried to be given up or added");
  ProgressRequest said;
  said.elapsed_s = *elapsed_s;
  said.done_file = text_flag(flags, "done-file").value_or("");
  if ((flags.has("done")) == !said.done_file.empty())
    throw UsageError("a job that is under way needs --done, such as 40%, or --done-file, by machine; and not both");
  if (const auto done = text_flag(flags, "done")) {
    said.done = quantity_flag("done", *done, Dimension::fraction);
    if (*said.done < 0 || *said.done > 1) throw UsageError("--done " + shown_flag(*done) + ": it must be from 0 to 100%, such as 40%");
  }
  said.seen_files = flags.texts("seen");
  if (const auto moving = text_flag(flags, "moving")) {
    said.moving_s = quantity_flag("moving", *moving, Dimension::time);
    if (said.moving_s < 0) throw UsageError("--moving " + shown_flag(*moving) + ": it must not be less than 0");
  }
  return said;
}

int answer_under_way(const PlanReport& planned, const ProgressRequest& said, const AnswerManner& manner,
                     const Registries& registries) {
  UnderWayReport report;
  report.request = planned.request;
  report.said = said;
  const Advice advice = advise(planned.plans, planned.request);
  if (!advice.best) throw RunError("the plan could not be simulated, so nothing can be said of the job that is under way");
  report.planned = planned.plans[*advice.best];
  report.is_recommended = planned.plans.size() > 1;
  report.begun = begun_scenario(report.request, *report.planned.scenario, registries);
  report.progress = job_progress(said, *report.begun);
  report.ways = ways_on(report.request, said, report.progress, report.planned, registries);
  for (const auto& remark : report.progress.remarks) std::cerr << "remark: " << remark << '\n';
  const std::uint64_t fit = replications_given(report.ways.experiment, without_risk(report.ways.rest), manner.given);
  for (Point& point : report.ways.experiment.points) point.plan.replications = fit;
  const Experiment ready = ready_to_run(report.ways.experiment, nullptr, manner.how.jobs, manner.how.quiet, manner.is_over);
  const auto outcomes = simulated(ready, manner.how, manner.is_over);
  report.ways.experiment = ready;
  compare_ways(report.ways, outcomes, report.request, said);
  report.expected = expected_progress(*report.begun, report.progress);
  return tell_answer(under_way_answer(std::move(report)), manner.how, manner.picture);
}

}  // namespace nowsim

// `nowsim plan --elapsed`: a job that is under way: whether its promise still holds, and what can be done.
#pragma once

#include <functional>
#include <optional>

#include "experiments/driver/studies/job_progress.hpp"
#include "experiments/driver/studies/plan_report.hpp"
#include "tools/command.hpp"
#include "tools/commands/plan_steps.hpp"
#include "tools/output_files.hpp"

namespace nowsim {

/// The flags --elapsed, --done, --done-file, --seen, --moving.
void add_progress_flags(Flags& flags);
/// What they say; nothing where the job has not begun. @throws UsageError.
std::optional<ProgressRequest> progress_request(const GivenFlags& flags);

/// How the answer is given, and when it is due.
struct AnswerManner {
  OutputFlags how;
  PictureFile picture;
  TimeGiven given;
  std::function<bool()> is_over;
};
/// Of a job that began by the plan's recommended policy. Returns the exit status.
int answer_under_way(const PlanReport& planned, const ProgressRequest& said, const AnswerManner& manner,
                     const Registries& registries);

}  // namespace nowsim

// What plans and jobs under way do alike: the experiment that there is time for, and running it.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "experiments/driver/running/runner.hpp"
#include "experiments/driver/studies/answer.hpp"
#include "experiments/driver/studies/plan_request.hpp"
#include "tools/command.hpp"
#include "tools/output_files.hpp"

namespace nowsim {

/// The request's experiment. Policies that nobody asked for are left out where they cannot be had, which is said.
Experiment planned_experiment(PlanRequest& request, bool is_asked_for, const Registries& registries);

/// How long an answer may take, and whether it may have fewer replications for that.
struct TimeGiven {
  double most_s;
  int jobs;
  bool replications_were_asked;
};
/// Takes policies out of a request whose splits are searched for longer than a tenth of that, and says so; returns
/// whether there were any.
bool leave_out_long_searches(PlanRequest& request, const Experiment& described, const TimeGiven& given,
                             const Registry<Policy>& policies);
/// How many replications there is time for; where it is fewer than the experiment has, that is said. @throws InputError
/// where these are too few, or fewer than were asked for.
std::uint64_t replications_given(const Experiment& described, const PlanRequest& timed, const TimeGiven& given);
/// Whether somebody said how many there are to be.
bool asks_for_replications(const LoadOptions& options);

/// Asked whether an answer that may take so long is due, or not wanted any more.
std::function<bool()> due_after(double most_s);

/// Runs all points, with progress. `store`: where replications are taken from and kept; may be null. @throws RunError
/// where the answer is due before that is done.
std::vector<PointOutcome> simulated(const Experiment& experiment, const OutputFlags& how,
                                    const std::function<bool()>& is_over, BatchStore* store = nullptr);

/// Writes it, and its picture where one is wanted. Returns the exit status.
int tell_answer(const Answer& answer, const OutputFlags& how, const PictureFile& picture);

}  // namespace nowsim

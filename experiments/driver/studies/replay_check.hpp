// A plan's promise put to the test on days that were recorded, each with a fit that has not seen it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/driver/points/fitted_owner.hpp"
#include "experiments/driver/studies/alternatives.hpp"

namespace nowsim {

/// A recorded day, what would have been promised for it, and how long the job would have taken. Times in s.
struct ReplayedDay {
  std::int64_t day;  ///< since 1970
  double promise_s, took_s;
  [[nodiscard]] bool is_kept() const { return took_s <= promise_s; }
};

struct ReplayCheck {
  std::vector<ReplayedDay> days;  ///< in order; one at least
  double risk = 0;
  bool do_overlap = false;  ///< the job takes longer than from one of them to the next
};

/// The plan's split, begun at the plan's moment on each recorded day that is like its own (trace_owner()), on all machines
/// together; and the promise of habits that were fitted without the days that the job takes then.
/// @param hosts what was recorded, by machine: each that has a part. @throws InputError where one is missing, where stamps
/// are by no calendar, no recorded day is like the plan's, or there are no habits in what is left of the days.
ReplayCheck replay_check(std::vector<FittedHost> hosts, const Alternative& plan, const PlanRequest& request, const StudyManner& manner);

/// What came of it, a sentence each.
std::vector<std::string> replay_sentences(const ReplayCheck& check, const PlanRequest& request);
/// A row per day.
TextTable replay_table(const ReplayCheck& check);
Object replay_object(const ReplayCheck& check);

}  // namespace nowsim

// A job that is under way, as people and programs read it.
#pragma once

#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiments/driver/running/result_table.hpp"
#include "experiments/driver/studies/job_progress.hpp"
#include "experiments/driver/studies/plan_report.hpp"
#include "experiments/driver/studies/ways_on.hpp"
#include "experiments/driver/text/document.hpp"

namespace nowsim {

/// All that there is to say.
struct UnderWayReport {
  PlanRequest request;
  ProgressRequest said;
  std::shared_ptr<const Scenario> begun;  ///< as it began, with owners as they are
  JobProgress progress;
  PolicyPlan planned;           ///< by whose split the job is under way
  bool is_recommended = false;  ///< it was chosen as what the plan recommends of several
  std::optional<ExpectedProgress> expected;
  WaysOn ways;
  ResultTable summary;  ///< a row per point of the ways' experiment
};

/// How far the job is, whether the deadline still holds, what to do, what cannot be told: a sentence each.
std::vector<std::string> under_way_sentences(const UnderWayReport& report);

/// The table is for people: the plan and the ways on, machines, advice. CSV: a row per way, in SI; JSON: all of it.
void write_under_way(const UnderWayReport& report, Format format, std::ostream& out);

/// The plan, to go on, and what is advised, as plan_picture_script() draws them.
PlanReport report_to_draw(const UnderWayReport& report);

}  // namespace nowsim

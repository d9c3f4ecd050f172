// `nowsim plan`: a job with a deadline on a platform's machines: how to split it, how sure the deadline is.
#include <spdlog/spdlog.h>

#include <functional>
#include <iostream>
#include <optional>

#include "experiments/driver/running/run_bounds.hpp"
#include "experiments/driver/studies/machine_choice.hpp"
#include "experiments/driver/studies/plan_limits.hpp"
#include "experiments/driver/studies/plan_picture.hpp"
#include "experiments/driver/studies/plan_report.hpp"
#include "tools/command.hpp"
#include "tools/commands/plan_flags.hpp"
#include "tools/found_splits.hpp"
#include "tools/output_files.hpp"
#include "tools/progress_line.hpp"
#include "tools/stage_line.hpp"

namespace nowsim {

namespace po = boost::program_options;

namespace {

constexpr const char* kPlanUsage = "nowsim plan PLATFORM.xml --work FLOP [--deadline TIME] [--risk SHARE] [flags]";
constexpr const char* kMoreOnPlans =
    "\nWork, times and shares carry units: 3.6e15 or 3.6Pf, 2h or 90min, 5%. Exit status: 0 however likely the "
    "deadline\n"
    "is missed, 1 a simulation failed, 2 bad usage or bad input.\n";

/// The request without those policies that cannot be had on these machines, which are named; nothing where that leaves
/// none, or all.
std::optional<PlanRequest> without_impossible(const PlanRequest& request, const Registries& registries) {
  PlanRequest possible = request;
  possible.policies.clear();
  for (const auto& policy : request.policies) try {
      plan_experiment(about_policy(request, policy), registries);
      possible.policies.push_back(policy);
    } catch (const InputError& e) {
      std::cerr << "remark: without the policy '" << policy << "': " << e.what() << '\n';
    }
  if (possible.policies.empty() || possible.policies.size() == request.policies.size()) return std::nullopt;
  return possible;
}

/// Policies that nobody asked for are left out where they cannot be had.
Experiment planned(PlanRequest& request, bool is_asked_for, const Registries& registries) {
  try {
    return plan_experiment(request, registries);
  } catch (const InputError&) {
    if (is_asked_for) throw;
    const auto possible = without_impossible(request, registries);
    if (!possible) throw;
    request = *possible;
    return plan_experiment(request, registries);
  }
}

/// Simulates the policies.
void answer(const Experiment& experiment, int jobs, bool quiet, PlanReport& report) {
  ProgressLine line;
  const auto outcomes = run_experiment(experiment, jobs, [&](const Progress& p) {
    if (!quiet) line.show(p);
  });
  report.summary = summarise(experiment, outcomes);
  report.plans = policy_plans(experiment, outcomes, report.request);
}

/// Limits, advice and machines; a part that fails costs only itself. Returns whether all is there.
bool find_the_rest(const Registries& registries, bool with_subset, int jobs, StageLine& stage,
                   PlanReport& report) {
  bool is_whole = true;
  const auto say = [&](const std::string& what) { stage.show(what); };
  const auto try_part = [&](const std::function<void()>& part) {
    try {
      part();
    } catch (const RunError& e) {
      stage.clear();
      std::cerr << "error: " << e.what() << '\n';
      is_whole = false;
    }
  };
  try_part([&] { find_work_limits(report.plans, report.request, registries, jobs, say); });
  report.advice = advise(report.plans, report.request);
  if (with_subset && report.advice.best) try_part([&] {
      report.machines = choose_machines(report.plans, report.advice, report.request, registries, jobs, say);
    });
  return is_whole;
}

}  // namespace

int plan_command(const CommandInput& input) {
  po::options_description description("flags");
  add_plan_flags(description);
  add_experiment_flags(description);
  add_jobs_flag(description);
  description.add_options()("format,f", po::value<std::string>()->default_value("table"), "table, csv or json")(
      "quiet,q", "no progress on the error stream");
  const ParsedFlags parsed = parse_flags(input.words, description, 1, 1, kPlanUsage);
  if (print_help(parsed, kPlanUsage, description)) return std::cout << kMoreOnPlans, 0;
  const Format format = parse_format(parsed.flags["format"].as<std::string>());
  const int jobs = parse_jobs(parsed.flags["jobs"].as<std::string>());
  const bool quiet = parsed.flags.count("quiet") > 0;
  PlanReport report;
  report.request = plan_request(parsed);
  const PictureFile picture = picture_flag(parsed.flags, "picture");
  const bool with_subset = parsed.flags.count("subset") > 0;
  Experiment described = planned(report.request, parsed.flags.count("policies") > 0, input.registries);
  if (with_subset) check_machine_choice(described);
  if (const std::string remark = long_run_remark(described, jobs); !remark.empty() && !quiet)
    spdlog::warn("{}", remark);
  PassingSplits splits;
  const Experiment experiment = with_found_splits(std::move(described), splits, jobs, quiet);
  print_remarks(experiment);
  StageLine stage(quiet);
  answer(experiment, jobs, quiet, report);
  const bool is_whole = find_the_rest(input.registries, with_subset, jobs, stage, report);
  stage.clear();
  write_plan(report, format, std::cout);
  std::cout.flush();
  if (!picture.name.empty())
    write_and_tell(picture.name, draw_picture(plan_picture_script(report, picture.format)), "picture", quiet);
  return report.summary.has_failures() || !is_whole ? 1 : 0;
}

}  // namespace nowsim

// `nowsim plan`: a job with a deadline on a platform's machines: how to split it, how sure the deadline is.
#include <algorithm>
#include <filesystem>
#include <iostream>

#include "experiments/machine_choice.hpp"
#include "experiments/output_file.hpp"
#include "experiments/plan_limits.hpp"
#include "experiments/plan_picture.hpp"
#include "experiments/plan_report.hpp"
#include "experiments/quantity.hpp"
#include "experiments/run_gnuplot.hpp"
#include "sim/error.hpp"
#include "sim/partition.hpp"
#include "sim/text.hpp"
#include "tools/command.hpp"
#include "tools/found_splits.hpp"
#include "tools/progress_line.hpp"
#include "tools/stage_line.hpp"

namespace nowsim {

namespace po = boost::program_options;

namespace {

constexpr const char* kUsage = "nowsim plan PLATFORM.xml --work FLOP [--deadline TIME] [--risk SHARE] [flags]";
constexpr const char* kMore =
    "\nWork, times and shares carry units: 3.6e15 or 3.6Pf, 2h or 90min, 5%. Exit status: 0 however likely the "
    "deadline\n"
    "is missed, 1 a simulation failed, 2 bad usage or bad input.\n";

/// A flag's quantity, more than 0. @throws UsageError.
std::optional<double> positive(const po::variables_map& flags, const char* name, Dimension dimension) {
  if (flags.count(name) == 0) return {};
  const std::string text = flags[name].as<std::string>(), place = "--" + std::string(name) + " " + text + ": ";
  try {
    const double value = parse_quantity(text, dimension);
    if (value > 0) return value;
  } catch (const InputError& e) {
    throw UsageError(place + e.what());
  }
  throw UsageError(place + "it must be more than 0");
}

std::optional<double> risk_of(const po::variables_map& flags) {
  const auto risk = positive(flags, "risk", Dimension::fraction);
  if (risk && *risk >= 1)
    throw UsageError("--risk " + flags["risk"].as<std::string>() +
                     ": it must be less than 1, such as 5%, the probability of being late that you can bear");
  return risk;
}

std::optional<std::int64_t> phases_of(const po::variables_map& flags) {
  const auto phases = positive(flags, "phases", Dimension::count);
  return phases ? std::optional(static_cast<std::int64_t>(*phases)) : std::nullopt;
}

/// "equal,proportional". @throws UsageError for names that are none, or named twice.
std::vector<std::string> policies_of(const po::variables_map& flags) {
  if (flags.count("policies") == 0) return default_policies();
  std::vector<std::string> names, known;
  for (const auto& policy : policies()) known.push_back(policy.name);
  std::string rest = flags["policies"].as<std::string>() + ",";
  const std::string place = "--policies " + flags["policies"].as<std::string>() + ": ";
  for (std::size_t comma; (comma = rest.find(',')) != std::string::npos; rest.erase(0, comma + 1)) {
    const std::string name{trimmed(std::string_view(rest).substr(0, comma))};
    if (find_policy(name) == nullptr) {
      const std::string near = nearest_name(name, known);
      throw UsageError(place + "there is no policy '" + name + "'" +
                       (near.empty() ? "; 'nowsim list policies' names them" : "; did you mean '" + near + "'?"));
    }
    if (std::ranges::count(names, name) > 0) throw UsageError(place + "'" + name + "' is named twice");
    names.push_back(name);
  }
  return names;
}

PlanRequest request_of(const ParsedFlags& parsed) {
  const po::variables_map& flags = parsed.flags;
  PlanRequest request;
  request.platform_file = parsed.words.front();
  const auto work = positive(flags, "work", Dimension::work);
  if (!work)
    throw UsageError("--work is missing: how much there is to do, such as --work 3.6Pf; usage: " + std::string(kUsage));
  request.work_flop = *work;
  request.deadline_s = positive(flags, "deadline", Dimension::time);
  request.risk = risk_of(flags);
  request.policies = policies_of(flags);
  request.phases = phases_of(flags);
  request.phase_bytes = positive(flags, "bytes", Dimension::bytes);
  if (flags.count("owner") > 0) request.owner_file = flags["owner"].as<std::string>();
  request.options = load_options(flags);
  return request;
}

void add_plan_flags(po::options_description& description) {
  description.add_options()("work", po::value<std::string>(), "the job's work, such as 3.6e15 or 3.6Pf (flop)")(
      "deadline", po::value<std::string>(), "when it has to be done, such as 2h")(
      "risk", po::value<std::string>(),
      "the probability of being late that is bearable, such as 5%: gives the earliest deadline and the most work")(
      "policies", po::value<std::string>(), "names with commas between, instead of those that need no parameters")(
      "phases", po::value<std::string>(), "the job synchronises after each of so many phases")(
      "bytes", po::value<std::string>(), "what each machine moves over its own path in each phase, such as 4MB")(
      "subset", "also ask how many and which machines to use")(
      "picture", po::value<std::string>(), "FILE.svg or FILE.png: how likely each policy takes longer than a time")(
      "owner", po::value<std::string>(), "FILE.yaml: an owner block, in place of the platform's own owners");
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

/// The flag --picture.
struct PlanPictureFile {
  std::string name;  ///< "": none
  PictureFormat format = PictureFormat::svg;
};
PlanPictureFile picture_of(const po::variables_map& flags) {
  if (flags.count("picture") == 0) return {};
  const std::string name = flags["picture"].as<std::string>(),
                    ending = std::filesystem::path(name).extension().string();
  if (ending != ".svg" && ending != ".png")
    throw UsageError("--picture '" + name + "': a picture is SVG or PNG; give a file whose name ends in .svg or .png");
  check_output_file(name);
  check_gnuplot();
  return {name, ending == ".png" ? PictureFormat::png : PictureFormat::svg};
}

void write_picture(const PlanReport& report, const PlanPictureFile& file, bool quiet) {
  const std::string picture = draw_picture(plan_picture_script(report, file.format));
  const std::string kept = write_output_file(file.name, [&](std::ostream& out) { out << picture; });
  if (!quiet) std::cerr << "picture: " << file.name << '\n';
  if (!kept.empty()) std::cerr << "note: there was another " << file.name << "; it is now " << kept << '\n';
}

}  // namespace

int plan_command(const CommandInput& input) {
  po::options_description description("flags");
  add_plan_flags(description);
  add_experiment_flags(description);
  add_jobs_flag(description);
  description.add_options()("format,f", po::value<std::string>()->default_value("table"), "table, csv or json")(
      "quiet,q", "no progress on the error stream");
  const ParsedFlags parsed = parse_flags(input.words, description, 1, 1, kUsage);
  if (print_help(parsed, kUsage, description)) return std::cout << kMore, 0;
  const Format format = parse_format(parsed.flags["format"].as<std::string>());
  const int jobs = parse_jobs(parsed.flags["jobs"].as<std::string>());
  const bool quiet = parsed.flags.count("quiet") > 0;
  PlanReport report;
  report.request = request_of(parsed);
  const PlanPictureFile picture = picture_of(parsed.flags);
  const bool with_subset = parsed.flags.count("subset") > 0;
  PassingSplits splits;
  const Experiment experiment =
      with_found_splits(plan_experiment(report.request, input.workloads), splits, jobs, quiet);
  print_remarks(experiment);
  StageLine stage(quiet);
  answer(experiment, jobs, quiet, report);
  const auto say = [&](const std::string& what) { stage.show(what); };
  find_work_limits(report.plans, report.request, input.workloads, jobs, say);
  report.advice = advise(report.plans, report.request);
  if (with_subset && report.advice.best)
    report.machines = choose_machines(report.plans, report.advice, report.request, input.workloads, jobs, say);
  stage.clear();
  write_plan(report, format, std::cout);
  std::cout.flush();
  if (!picture.name.empty()) write_picture(report, picture, quiet);
  return report.summary.has_failures() ? 1 : 0;
}

}  // namespace nowsim

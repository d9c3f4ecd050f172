// Reading quantities and names out of flags.
#include "tools/commands/plan_flags.hpp"

#include <optional>

#include "experiments/driver/text/units.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/splitting/policies.hpp"

namespace nowsim {

namespace po = boost::program_options;

namespace {

/// A flag's quantity, more than 0. @throws UsageError.
std::optional<double> positive(const po::variables_map& flags, const char* name, Dimension dimension) {
  if (flags.count(name) == 0) return {};
  const std::string text = flags[name].as<std::string>();
  const double value = quantity_flag(name, text, dimension);
  if (value > 0) return value;
  throw UsageError("--" + std::string(name) + " " + shown_flag(text) + ": it must be more than 0");
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
  const std::string text = flags["policies"].as<std::string>();
  const auto names = list_flag("policies", text);
  std::vector<std::string> known;
  for (const auto& policy : policies()) known.push_back(policy.name);
  for (const auto& name : names) {
    if (find_policy(name) != nullptr) continue;
    const std::string near = nearest_name(name, known);
    throw UsageError("--policies " + shown_flag(text) + ": there is no policy " + quoted(name) +
                     (near.empty() ? "; 'nowsim list policies' names them" : "; did you mean '" + near + "'?"));
  }
  return names;
}

}  // namespace

PlanRequest plan_request(const ParsedFlags& parsed) {
  const po::variables_map& flags = parsed.flags;
  PlanRequest request;
  request.platform_file = parsed.words.front();
  const auto work = positive(flags, "work", Dimension::work);
  if (!work) throw UsageError("--work is missing: how much there is to do, such as --work 3.6Pf ('nowsim help plan')");
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
      "picture", po::value<std::string>(),
      "FILE.svg, FILE.png or FILE.pdf: how likely each policy takes longer than a time")(
      "owner", po::value<std::string>(), "FILE.yaml: an owner block, in place of the platform's own owners");
}

}  // namespace nowsim

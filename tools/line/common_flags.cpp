// Rows of tables, and their values.
#include "tools/line/common_flags.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <thread>

#include "experiments/driver/points/point.hpp"
#include "experiments/driver/reading/settings.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/keys.hpp"
#include "tools/shipped/shipped_experiments.hpp"

namespace nowsim {

void add_jobs_flag(Flags& flags) {
  constexpr double kMostJobs = 1000;
  const std::string cores = std::to_string(std::max(1u, std::thread::hardware_concurrency()));
  flags.add({{"jobs,j", whole(1, kMostJobs).or_else(cores, "all cores"),
              "processes that simulate at a time; results do not depend on it"}});
}

int jobs_of(const Arguments& arguments) { return static_cast<int>(arguments.whole("jobs").value_or(1)); }

void add_format_flag(Flags& flags, const std::string& of) {
  flags.add({{"format,f", taking(Kind::word, words_in(formats())).or_else("table"), "how " + of + " written"}});
}

Format format_of(const Arguments& arguments) { return formats()[arguments.choice("format")].format; }

void add_output_flags(Flags& flags) {
  add_format_flag(flags);
  flags.add({{"quiet,q", kSwitch, "no progress on the error stream"}});
}

OutputFlags output_flags(const Arguments& arguments) {
  return {format_of(arguments), arguments.has("quiet"), jobs_of(arguments)};
}

void add_experiment_flags(Flags& flags) {
  flags.add(
      {{"set,s",
        {.value = Kind::setting, .takes = Takes::texts},
        "sets any key of the experiment, once or more; a swept key is fixed"},
       {"replications,r", whole(1), "replications per point (with --precision or --decide: the most)",
        "run.replications"},
       {"precision,p", quantity(Dimension::fraction, kPositive, " ('--set run.precision=0' runs all replications)"),
        "stop a point once tau's interval is within this share of tau, such as 1%", "run.precision"},
       {"precision-of", taking(Kind::key_value, {"run.precision_of"}).called("METRIC"),
        "the metric whose interval --precision looks at, instead of tau", "run.precision_of"},
       {"decide", taking(Kind::swept_key),
        "a swept key: points stop when its best value is told, or one within the indifference of it", "run.decide"},
       {"decide-by", taking(Kind::word, words_in(deciding_metrics())),
        "the metric that --decide compares: tau without it", "run.decide_by"},
       {"indifference", quantity(Dimension::fraction),
        "what makes no difference to --decide: a share of the least tau, or a part of RF; instead of 1%",
        "run.indifference"},
       {"engine", taking(Kind::key_value, {"run.engine"}).called("ENGINE"),
        "auto (direct wherever it can run, else simgrid), direct or simgrid", "run.engine"},
       {"variance-reduction", taking(Kind::key_value, {"run.variance_reduction"}),
        "none, antithetic, control-variates or both", "run.variance_reduction"},
       {"seed", whole(0), "seed of the random streams", "run.seed"}});
}

LoadOptions load_options(const Arguments& arguments) {
  LoadOptions options;
  options.files.platforms = shipped_platforms_folder();
  options.overrides = arguments.texts("set");
  for (const Flag& flag : arguments.flags())
    for (const std::string& text : flag.key.empty() ? Words() : arguments.texts(flag.name()))
      options.overrides.push_back(flag.key + "=" + text);
  return options;
}

InputError said_of_flags(const InputError& error, const Arguments& arguments) {
  std::vector<InputProblem> problems = error.problems();
  const auto sets = [&](const Flag& flag, const std::string& key) {
    if (!arguments.has(flag.name())) return false;
    if (!flag.key.empty()) return flag.key == key;
    const auto is_of_key = [&](const std::string& axis) {
      return axis.starts_with(key + "=") || ("sweep." + axis).starts_with(key + "=");
    };
    return flag.argument.value.kind == Kind::axis && std::ranges::any_of(arguments.texts(flag.name()), is_of_key);
  };
  for (InputProblem& problem : problems) {
    if (problem.place.file != kOverridePlace) continue;
    const auto flag =
        std::ranges::find_if(arguments.flags(), [&](const Flag& f) { return sets(f, problem.place.key); });
    if (flag != arguments.flags().end()) problem.place.file = "--" + flag->name();
  }
  return InputError(problems);
}

void add_splits_flag(Flags& flags) {
  flags.add({{"show-splits", kSwitch,
              "below the table, splits that were found by simulation: what each machine gets, what that wins, and how "
              "near it is to the best"}});
}

bool asks_for_splits(const Arguments& arguments) { return arguments.has("show-splits"); }

void print_remarks(const Experiment& experiment) {
  for (const auto& remark : experiment.remarks) spdlog::warn("{}", remark);
}

}  // namespace nowsim

// `nowsim reproduce`: figures of papers, whole papers, or all of them: results, pictures, verdicts, and a page of all.
#include <filesystem>
#include <ostream>

#include "experiments/driver/claims/verdicts.hpp"
#include "experiments/driver/reports/report.hpp"
#include "tools/commands/reproduce_run.hpp"
#include "tools/commands/reproduce_targets.hpp"
#include "tools/line/common_flags.hpp"
#include "tools/running/store_session.hpp"
#include "tools/terminal/parting.hpp"

namespace nowsim {
namespace {

std::vector<Target> read_targets(const Arguments& arguments, const std::string& usage) {
  const auto& words = arguments.words;
  if (!arguments.has("all")) {
    if (words.empty()) throw UsageError("say which figure or paper, or --all; usage: " + usage);
    return targets_of(words);
  }
  if (!words.empty())
    throw UsageError("--all stands for every paper; '" + words.front() + "' is one word too many");
  return targets_of_papers();
}

ReproduceOrder read_order(const Arguments& arguments) {
  ReproduceOrder order;
  order.out = arguments.text("out");
  order.jobs = jobs_of(arguments);
  order.quiet = arguments.has("quiet");
  order.goes_on = arguments.has("all");
  order.has_page = order.goes_on || arguments.has("index");
  constexpr double kHour_s = 3600;
  if (const auto hours = arguments.quantity("most-hours")) order.most_s = kHour_s * *hours;
  order.publish_every_s = shard_request(arguments).publish_every_s;
  order.options = load_options(arguments);
  return order;
}

/// A page that was there before is not of the run that has been stopped.
void tell_of_old_page(Session& session, const ReproduceOrder& order) {
  const auto page = std::filesystem::path(order.out) / kReportFile;
  std::error_code ignored;
  if (order.has_page && std::filesystem::exists(page, ignored))
    session.error << "note: " << page.string() << " is of an earlier run; it is made again when all is done\n";
}

constexpr const char* kReproduceUsage =
    "nowsim reproduce FIGURE|PAPER|SPEC.yaml... | --all [--out DIR] [flags]";

void add_reproduce_flags(Flags& flags) {
  add_experiment_flags(flags);
  add_jobs_flag(flags);
  add_shard_flags(flags, "the folders' shards");
  flags.add(
      {{"all", kSwitch, "every figure of every paper, and a page of them all, index.html; goes on where one fails"},
       {"index", kSwitch, "a page of what is reproduced, index.html in --out, also without --all"},
       {"out,o",
        taking(Kind::folder).or_else("results"),
        "the folder for results, one folder per paper in it; continued where it is there"},
       {"most-hours", quantity(Dimension::number),
        "points that would take longer on one core, as estimated, are left out, and said to be"}});
  add_format_flag(flags, "verdicts are");
  flags.add({{"quiet,q", kSwitch, "no progress and no list of files on the error stream"}});
}

int do_reproduce(const Arguments& arguments, Session& session) {
  const Format format = format_of(arguments);
  ReproduceOrder order = read_order(arguments);
  const auto targets = read_targets(arguments, kReproduceUsage);
  const ShardRequest request = shard_request(arguments);
  if (request.shard) {
    reproduce_shard(targets, order, session, request.shard->first, request.shard->second);
    return 0;
  }
  const auto work = [&] {
    const ReproduceResult made = reproduce_all(targets, order, session);
    if (!order.quiet && !made.claims.empty() && format == Format::table) session.error << '\n';
    if (!made.claims.empty() || format != Format::table) write_claims(made.claims, format, session.out);
    return made.is_whole ? 0 : 1;
  };
  try {
    return run_into_store(order.out, work, ", but for series that are simulated again in seconds");
  } catch (const Stopped&) {
    tell_of_old_page(session, order);
    throw;
  }
}

}  // namespace

Command reproduce_command() {
  return {.name = "reproduce",
          .summary = "a paper's figures: results, pictures, and whether its claims hold",
          .usage = kReproduceUsage,
          .places = Places{{.kinds = {Kind::experiment, Kind::paper}, .least = 0, .most = kMostTargets}},
          .add_flags = add_reproduce_flags,
          .run = do_reproduce,
          .page = "papers"};
}

}  // namespace nowsim

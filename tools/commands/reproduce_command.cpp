// `nowsim reproduce`: figures of papers, whole papers, or all of them: results, pictures, verdicts, and a page of all.
#include <filesystem>
#include <iostream>

#include "experiments/driver/claims/verdicts.hpp"
#include "experiments/driver/reports/report.hpp"
#include "tools/commands/reproduce_run.hpp"
#include "tools/commands/reproduce_targets.hpp"
#include "tools/line/command.hpp"
#include "tools/running/store_session.hpp"
#include "tools/terminal/parting.hpp"

namespace nowsim {
namespace {

std::vector<Target> read_targets(const ParsedFlags& parsed, const std::string& usage) {
  const auto& words = parsed.words;
  if (!parsed.flags.has("all")) {
    if (words.empty()) throw UsageError("say which figure or paper, or --all; usage: " + usage);
    return targets_of(words);
  }
  if (!words.empty())
    throw UsageError("--all stands for every paper; '" + words.front() + "' is one word too many");
  return targets_of_papers();
}

double most_seconds(const GivenFlags& flags) {
  if (!flags.has("most-hours")) return ReproduceOrder().most_s;
  const std::string text = flags.text("most-hours");
  const double hours = quantity_flag("most-hours", text, Dimension::number);
  if (!(hours > 0)) throw UsageError("--most-hours " + text + ": a number above 0 is wanted");
  return 3600 * hours;
}

ReproduceOrder read_order(const GivenFlags& flags) {
  ReproduceOrder order;
  order.out = flags.text("out");
  order.jobs = parse_jobs(flags.text("jobs"));
  order.quiet = flags.has("quiet");
  order.goes_on = flags.has("all");
  order.has_page = order.goes_on || flags.has("index");
  order.most_s = most_seconds(flags);
  order.publish_every_s = shard_request(flags).publish_every_s;
  order.options = load_options(flags);
  return order;
}

/// A page that was there before is not of the run that has been stopped.
void tell_of_old_page(const ReproduceOrder& order) {
  const auto page = std::filesystem::path(order.out) / kReportFile;
  std::error_code ignored;
  if (order.has_page && std::filesystem::exists(page, ignored))
    std::cerr << "note: " << page.string() << " is of an earlier run; it is made again when all is done\n";
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
        {.value = Kind::folder, .otherwise = "results"},
        "the folder for results, one folder per paper in it; continued where it is there"},
       {"most-hours", taking(Kind::quantity),
        "points that would take longer on one core, as estimated, are left out, and said to be"}});
  add_format_flag(flags, "of the verdicts: ");
  flags.add({{"quiet,q", kSwitch, "no progress and no list of files on the error stream"}});
}

int do_reproduce(const ParsedFlags& parsed, const Registries& registries) {
  const Format format = parse_format(parsed.flags.text("format"));
  ReproduceOrder order = read_order(parsed.flags);
  const auto targets = read_targets(parsed, kReproduceUsage);
  const ShardRequest request = shard_request(parsed.flags);
  if (request.shard) {
    reproduce_shard(targets, order, registries, request.shard->first, request.shard->second);
    return 0;
  }
  const auto work = [&] {
    const ReproduceResult made = reproduce_all(targets, order, registries);
    if (!order.quiet && !made.claims.empty() && format == Format::table) std::cerr << '\n';
    if (!made.claims.empty() || format != Format::table) write_claims(made.claims, format, std::cout);
    return made.is_whole ? 0 : 1;
  };
  try {
    return run_into_store(order.out, work);
  } catch (const Stopped&) {
    tell_of_old_page(order);
    throw;
  }
}

}  // namespace

Command reproduce_command() {
  return {"reproduce", "a paper's figures: results, pictures, and whether its claims hold", kReproduceUsage,
          Places{{.kinds = {Kind::experiment, Kind::paper}, .least = 0, .most = 1000}}, add_reproduce_flags,
          do_reproduce, "", {}, "papers"};
}

}  // namespace nowsim
